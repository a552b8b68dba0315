//! Documents that were read and judged before, by the hash of their text.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use domain::PersonaId;
use store::DocumentHash;

use crate::persona::document::LoadedDocument;

/// The last standing of each persona that was asked for.
#[derive(Default)]
pub(crate) struct DocumentCache(Mutex<HashMap<PersonaId, Arc<LoadedDocument>>>);

impl DocumentCache {
    /// The standing of a persona whose document still has this hash.
    pub(crate) fn get(&self, persona: PersonaId, hash: DocumentHash) -> Option<Arc<LoadedDocument>> {
        self.known().get(&persona).filter(|standing| standing.hash == hash).cloned()
    }

    pub(crate) fn put(&self, persona: PersonaId, standing: Arc<LoadedDocument>) {
        self.known().insert(persona, standing);
    }

    /// Forgets everything that was judged, because those who may sign have changed.
    pub(crate) fn forget_all(&self) {
        self.known().clear();
    }

    /// Forgets what was judged of a persona that is gone.
    pub(crate) fn forget(&self, persona: PersonaId) {
        self.known().remove(&persona);
    }

    fn known(&self) -> MutexGuard<'_, HashMap<PersonaId, Arc<LoadedDocument>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
