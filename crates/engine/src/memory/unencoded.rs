//! The records of an open persona that still lack sentence vectors.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use recall::sentences::SentenceVectors;
use store::RecordId;

/// How often a record is tried before it is skipped until it changes or the persona is opened again.
const TRIES: u8 = 3;

/// Records without usable vectors, and how often each was tried.
#[derive(Default)]
pub(crate) struct Unencoded(Mutex<BTreeMap<RecordId, u8>>);

impl Unencoded {
    /// Notes the vectors that a record has; without any it is tried, as often as it has tries left.
    pub(crate) fn note(&self, record: RecordId, vectors: Option<&SentenceVectors>) {
        match vectors {
            Some(_) => self.remove(record),
            None => {
                self.records().entry(record).or_default();
            }
        }
    }

    /// Notes that a record has no vectors yet.
    pub(crate) fn add(&self, record: RecordId) {
        self.records().insert(record, 0);
    }

    /// Removes a record that has its vectors, or was deleted.
    pub(crate) fn remove(&self, record: RecordId) {
        self.records().remove(&record);
    }

    /// Removes all, because the persona is loaded again.
    pub(crate) fn clear(&self) {
        self.records().clear();
    }

    /// Whether a record will still be tried. Every request asks, and most records have not failed, so the
    /// first one usually answers.
    pub(crate) fn has_waiting(&self) -> bool {
        self.records().values().any(|tries| *tries < TRIES)
    }

    /// How many records will still be tried.
    pub(crate) fn waiting(&self) -> usize {
        self.records().values().filter(|tries| **tries < TRIES).count()
    }

    /// How many records lack vectors, including those that failed too often.
    pub(crate) fn all(&self) -> usize {
        self.records().len()
    }

    /// At most `count` records to try; each counts as tried once more.
    pub(crate) fn take_turn(&self, count: usize) -> Vec<RecordId> {
        let mut records = self.records();
        let waiting = records.iter_mut().filter(|(_, tries)| **tries < TRIES).take(count);
        let turn = waiting.map(|(record, tries)| {
            *tries += 1;
            *record
        });
        turn.collect()
    }

    /// Resets the count of records that were interrupted and did not fail.
    pub(crate) fn give_back_tries(&self) {
        self.records().values_mut().for_each(|tries| *tries = 0);
    }

    /// Doesn't try a record again.
    pub(crate) fn give_up(&self, record: RecordId) {
        self.records().insert(record, TRIES);
    }

    fn records(&self) -> MutexGuard<'_, BTreeMap<RecordId, u8>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
