//! Memories as the comparison with a new draft reads them. Reading one takes three encodings, and the same few are
//! compared turn after turn.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use domain::MemoryId;
use formation::{ReadMemory, RevisableMemory, Revision};

use crate::persona::open::Cards;

/// How many memories of a persona are held, and about how large one is.
const MOST: usize = 64;
const BYTES: usize = 8 << 10;

/// The memories of one persona that were compared last, the newest at the end.
#[derive(Default)]
pub(crate) struct ComparedMemories(Mutex<Vec<(Key, Arc<ReadMemory>)>>);

/// A memory, and a hash of everything its reading depends on.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Key {
    id: MemoryId,
    text: u64,
}

impl ComparedMemories {
    /// The memory `id` as `revision` reads it. It is held only while it is one of the `cards`, so that nothing of a
    /// destroyed memory stays here.
    pub(crate) fn read(
        &self,
        revision: &Revision<'_>,
        id: MemoryId,
        known: &RevisableMemory<'_>,
        cards: &RwLock<Cards>,
    ) -> Arc<ReadMemory> {
        let key = Key { id, text: hash(revision.language(), known) };
        if let Some((_, read)) = self.held().iter().find(|(held, _)| *held == key) {
            return Arc::clone(read);
        }
        let read = Arc::new(revision.read(known));
        let mut held = self.held();
        held.retain(|(other, _)| other.id != id);
        if cards.read().unwrap_or_else(PoisonError::into_inner).contains_key(&id) {
            let spare = (held.len() + 1).saturating_sub(MOST);
            held.drain(..spare);
            held.push((key, Arc::clone(&read)));
        }
        read
    }

    /// Drops everything, because text was destroyed. It is called after the destroyed memories left the cards.
    pub(crate) fn forget_all(&self) {
        self.held().clear();
    }

    /// Their approximate size in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.held().len() * BYTES
    }

    fn held(&self) -> MutexGuard<'_, Vec<(Key, Arc<ReadMemory>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn hash(language: &str, known: &RevisableMemory<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    (language, known.gist, known.details).hash(&mut hasher);
    hasher.finish()
}
