//! The index of an open persona while it is being written: built once from all records, then updated by what
//! was committed.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, PoisonError, RwLock};

use domain::{EntryPosition, Life, MemoryId, TimelineEntry, TimelineId};
use recall::Biography;
use recall::index::{Entry, Index};
use recall::sentences::SentenceVectors;
use store::{LoadedRecords, RecordId, StoreError, StoredAtom, Tombstone};

use super::{Cards, View, closed};
use crate::cpu_pool::{CpuOwner, CpuPool};
use crate::memory::card::Card;
use crate::memory::embedding;
use crate::memory::unencoded::Unencoded;

/// The sentence vectors of records to be indexed.
pub(super) type Sentences = HashMap<RecordId, SentenceVectors>;

/// The index, and what readers see of the timeline.
pub(super) struct IndexWriter {
    pub(super) index: Index,
    /// Memories past their retention: left out of the index until a sweep deletes them.
    pub(super) expired: BTreeSet<MemoryId>,
    pub(super) lived: LoadedLife,
}

/// A timeline as readers see it; built again only when the timeline changes.
#[derive(Clone)]
pub(super) struct LoadedLife {
    pub(super) timeline: Arc<Vec<TimelineEntry>>,
    pub(super) life: Arc<Life>,
    pub(super) biography: Arc<Biography>,
}

impl IndexWriter {
    pub(super) fn leave_out_expired(&mut self) {
        for id in &self.expired {
            self.index.remove(*id);
        }
    }

    pub(super) fn view(&self, revision: u64) -> View {
        let LoadedLife { timeline, life, biography } = self.lived.clone();
        View { revision, snapshot: self.index.snapshot(), timeline, life, biography }
    }
}

/// What was committed since the last view.
pub(super) struct CommittedChanges {
    pub(super) changed: Vec<StoredAtom>,
    pub(super) sentences: Sentences,
    pub(super) removed: Vec<RecordId>,
}

/// A whole persona to be indexed.
pub(super) struct NewIndex {
    pub(super) loaded: LoadedRecords,
    pub(super) sentences: Sentences,
    pub(super) language: String,
}

impl NewIndex {
    /// Indexes it on the CPU pool; records without vectors are added to `unencoded`.
    pub(super) async fn run(
        self,
        cpu: &CpuPool,
        owner: CpuOwner,
        unencoded: Arc<Unencoded>,
    ) -> Result<(IndexWriter, Cards), StoreError> {
        let work = move || {
            let Self { loaded, mut sentences, language } = self;
            let mut index = Index::new(&language);
            index.put(loaded.atoms.iter().map(|stored| entry(stored, &mut sentences, &unencoded)));
            let cards = loaded.atoms.iter().map(|stored| (stored.atom.id, Card::of(&stored.atom))).collect();
            let encoded = encoded_entries(&loaded.timeline, &mut sentences, &unencoded);
            let lived = lived(&loaded.timeline, &loaded.tombstones, &language, &encoded);
            (IndexWriter { index, expired: BTreeSet::new(), lived }, cards)
        };
        cpu.run(owner, move |_| work()).await.map_err(closed)
    }
}

pub(super) fn apply(
    writer: &mut IndexWriter,
    cards: &RwLock<Cards>,
    unencoded: &Unencoded,
    arrived: CommittedChanges,
) {
    let CommittedChanges { changed, mut sentences, removed } = arrived;
    writer.index.put(changed.iter().map(|stored| entry(stored, &mut sentences, unencoded)));
    writer.leave_out_expired();
    note(cards, &changed);
    let mut cards = cards.write().unwrap_or_else(PoisonError::into_inner);
    for record in &removed {
        unencoded.remove(*record);
    }
    for id in removed.iter().filter_map(RecordId::atom) {
        cards.remove(&id);
        writer.index.remove(id);
    }
    // What was destroyed must not stay in memory either.
    if !removed.is_empty() {
        writer.index.purge();
    }
}

pub(super) fn note(cards: &RwLock<Cards>, changed: &[StoredAtom]) {
    let mut cards = cards.write().unwrap_or_else(PoisonError::into_inner);
    cards.extend(changed.iter().map(|stored| (stored.atom.id, Card::of(&stored.atom))));
}

/// A memory in its indexed form; one without vectors of its current text is added to `unencoded`.
pub(super) fn entry<'a>(
    stored: &'a StoredAtom,
    sentences: &mut Sentences,
    unencoded: &Unencoded,
) -> Entry<'a> {
    let record = RecordId::Atom(stored.atom.id);
    let own = sentences.remove(&record).filter(|vectors| vectors.are_of_atom(&stored.atom));
    unencoded.note(record, own.as_ref());
    Entry { atom: &stored.atom, meaning: embedding::of(stored), sentences: own }
}

/// The vectors of timeline entries; an entry without vectors of its current text is added to `unencoded`.
pub(super) fn encoded_entries(
    timeline: &[TimelineEntry],
    sentences: &mut Sentences,
    unencoded: &Unencoded,
) -> BTreeMap<TimelineId, SentenceVectors> {
    let mut encoded = BTreeMap::new();
    for entry in timeline {
        let record = RecordId::Entry(entry.id);
        let own = sentences.remove(&record).filter(|vectors| vectors.are_of_entry(entry));
        unencoded.note(record, own.as_ref());
        encoded.extend(own.map(|vectors| (entry.id, vectors)));
    }
    encoded
}

pub(super) fn lived(
    timeline: &[TimelineEntry],
    tombstones: &[Tombstone],
    language: &str,
    encoded: &BTreeMap<TimelineId, SentenceVectors>,
) -> LoadedLife {
    let buried = tombstones.iter().filter_map(|tombstone| match tombstone {
        Tombstone::Atom(_) => None,
        Tombstone::Entry(entry) => Some(EntryPosition {
            id: entry.id,
            sequence: entry.sequence,
            event_at: entry.at,
            revises: None,
            is_active: false,
        }),
    });
    let placed = timeline.iter().map(EntryPosition::from).chain(buried).collect();
    LoadedLife {
        timeline: Arc::new(timeline.to_vec()),
        life: Arc::new(Life::new(placed)),
        biography: Arc::new(Biography::of(timeline, language, encoded)),
    }
}
