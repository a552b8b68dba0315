//! A cache of parsed and verified documents, by the hash of their text.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use domain::PersonaId;
use store::DocumentHash;

use crate::persona::document::LoadedDocument;

/// The last loaded document of each persona.
#[derive(Default)]
pub(crate) struct DocumentCache(Mutex<HashMap<PersonaId, Arc<LoadedDocument>>>);

impl DocumentCache {
    /// The document of a persona, if its hash is still the same.
    pub(crate) fn get(&self, persona: PersonaId, hash: DocumentHash) -> Option<Arc<LoadedDocument>> {
        self.known().get(&persona).filter(|loaded| loaded.hash == hash).cloned()
    }

    pub(crate) fn put(&self, persona: PersonaId, loaded: Arc<LoadedDocument>) {
        self.known().insert(persona, loaded);
    }

    /// Empties the cache, because the list of signers has changed.
    pub(crate) fn forget_all(&self) {
        self.known().clear();
    }

    /// Removes a deleted persona.
    pub(crate) fn forget(&self, persona: PersonaId) {
        self.known().remove(&persona);
    }

    fn known(&self) -> MutexGuard<'_, HashMap<PersonaId, Arc<LoadedDocument>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
