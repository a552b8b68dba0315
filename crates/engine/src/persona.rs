//! Personas: create, show, update and delete; their documents, and the ones held open in memory.

pub(crate) mod create;
pub(crate) mod show;
pub(crate) mod update;
pub(crate) mod delete;
pub(crate) mod adopt;
pub(crate) mod document;
pub(crate) mod document_cache;
pub(crate) mod signed_policy;
pub(crate) mod registry;
pub(crate) mod open;
pub(crate) mod as_of;
pub(crate) mod templates;
pub(crate) mod copy;
pub(crate) mod each;
pub(crate) mod face;
pub(crate) mod notices;
pub(crate) mod validate;
pub(crate) mod import;
pub(crate) mod import_card;
pub(crate) mod export_card;

use std::sync::Arc;

use domain::PersonaId;

use document_cache::DocumentCache;
use open::OpenPersona;
use registry::OpenPersonas;

/// The personas held open in memory, and their verified documents. Its fields are visible in this room only.
pub(crate) struct PersonaState {
    open: Arc<OpenPersonas>,
    documents: DocumentCache,
}

impl PersonaState {
    /// No persona is open yet.
    pub(crate) fn new(open: Arc<OpenPersonas>) -> Self {
        Self { open, documents: DocumentCache::default() }
    }

    /// The persona, if it is open.
    pub(crate) fn if_open(&self, id: PersonaId) -> Option<Arc<OpenPersona>> {
        self.open.if_open(id)
    }

    /// All open personas.
    pub(crate) fn all_open(&self) -> Vec<Arc<OpenPersona>> {
        self.open.all_open()
    }

    /// Reads a persona again at its next use, because its document changed.
    pub(crate) fn reload(&self, id: PersonaId) {
        self.documents.forget(id);
        self.open.close(id);
    }

    /// Verifies all documents again at their next use, because the accepted signers changed.
    pub(crate) fn forget_documents(&self) {
        self.documents.forget_all();
    }
}
