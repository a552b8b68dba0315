//! Subjects: list, merge and export the people a persona knows.

pub(crate) mod subjects;
pub(crate) mod merge;
mod joined_documents;
pub(crate) mod person_documents;
pub(crate) mod export;

use domain::PersonaId;

use crate::keyed_locks::{KeyedGuard, KeyedLocks};

/// The documents that are being changed. Its fields are visible in this room only.
#[derive(Default)]
pub(crate) struct PeopleState {
    /// One lock per persona, held while a document is read and written: changes of one document wait for each
    /// other and none is refused for being late.
    editing: KeyedLocks<PersonaId>,
}

impl PeopleState {
    async fn lock(&self, persona: PersonaId) -> KeyedGuard {
        self.editing.lock(persona).await
    }
}
