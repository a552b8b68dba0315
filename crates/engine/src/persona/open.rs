//! Open personas: their index in memory, updated before every use. Many memories are indexed on the CPU pool;
//! a few are indexed in place, since handing them over would take longer.

mod aliases;
mod index_writer;
mod retention_check;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;

use domain::{Life, MemoryId, SubjectRef, TimelineEntry};
use recall::Biography;
use recall::index::Snapshot;
use store::{Freshness, NewAtom, RecordId, Records, Revisions, Scope, Store, StoreError, StoredAtom};
use tokio::sync::{Mutex, MutexGuard, OwnedMutexGuard};
use wire::vectors::VectorProgress;

use crate::cpu_pool::{CpuOwner, CpuPool, JobFailed};
use crate::learning::form::ComparedMemories;
use crate::memory::card::{Card, pinned_of};
use crate::memory::unencoded::Unencoded;
use crate::memory::vectors::usable_vectors;
use crate::talk::session::Sessions;
use index_writer::{
    CommittedChanges, IndexWriter, NewIndex, Sentences, apply, encoded_entries, entry, lived, note,
};
use retention_check::CheckedRetention;

/// How often the import lock is tried before queueing for it, and the interval.
const TRIES: usize = 20;
const BETWEEN_TRIES: Duration = Duration::from_millis(250);
/// At most this many memories are indexed on an async worker.
const FEW: usize = 64;

/// An immutable snapshot of a persona at one commit.
#[derive(Clone)]
pub(crate) struct View {
    pub(crate) revision: u64,
    pub(crate) snapshot: Arc<Snapshot>,
    /// All entries by sequence, including superseded ones.
    pub(crate) timeline: Arc<Vec<TimelineEntry>>,
    /// The order of the timeline, including tombstones.
    pub(crate) life: Arc<Life>,
    /// The timeline as recall searches it.
    pub(crate) biography: Arc<Biography>,
}

/// An open persona.
pub(crate) struct OpenPersona {
    pub(crate) scope: Scope,
    pub(crate) sessions: Sessions,
    /// Held for reading by every running recall, so that destroying a memory can wait for them.
    pub(crate) recalling: Arc<tokio::sync::RwLock<()>>,
    /// Held by an import while it compares and adds.
    pub(crate) importing: Mutex<()>,
    /// The main reference of each alias.
    aliases: RwLock<BTreeMap<SubjectRef, SubjectRef>>,
    view: RwLock<View>,
    cards: Arc<RwLock<Cards>>,
    /// The latest commit of which the cards are already known while it is still being indexed.
    arrived: AtomicU64,
    /// The memories that new ones were compared with last.
    compared_memories: Arc<ComparedMemories>,
    /// The records that still lack sentence vectors.
    pub(crate) unencoded: Arc<Unencoded>,
    /// How often cards changed: most commits write only traces, which don't affect retention.
    card_changes: AtomicU64,
    /// The cards, policy and time for which the expired memories were last computed.
    retention: RwLock<Option<CheckedRetention>>,
    writer: Arc<Mutex<IndexWriter>>,
    cpu: Arc<CpuPool>,
}

pub(crate) type Cards = BTreeMap<MemoryId, Card>;

/// Committed memories whose text is still to be indexed.
pub(crate) struct UnindexedMemories<'p> {
    open: &'p OpenPersona,
    writer: OwnedMutexGuard<IndexWriter>,
    memories: Vec<StoredAtom>,
    revision: u64,
}

impl OpenPersona {
    /// Loads and indexes all records of the persona.
    pub(crate) async fn open(
        store: &Store,
        scope: Scope,
        language: &str,
        cpu: Arc<CpuPool>,
    ) -> Result<Self, StoreError> {
        // Vectors that are committed between the two reads count as missing, and are made again.
        let (loaded, vectors) = tokio::try_join!(store.load(&scope), store.all_vectors(&scope))?;
        let sentences = usable_vectors(vectors);
        let (revision, unencoded) = (loaded.revision, Arc::<Unencoded>::default());
        let building = NewIndex { loaded, sentences, language: language.to_owned() };
        let (writer, cards) = building.run(&cpu, owner(&scope), Arc::clone(&unencoded)).await?;
        let view = writer.view(revision);
        let open = Self {
            aliases: RwLock::default(),
            scope,
            sessions: Sessions::default(),
            recalling: Arc::default(),
            importing: Mutex::default(),
            view: RwLock::new(view),
            cards: Arc::new(RwLock::new(cards)),
            arrived: AtomicU64::default(),
            compared_memories: Arc::default(),
            unencoded,
            card_changes: AtomicU64::default(),
            retention: RwLock::default(),
            writer: Arc::new(Mutex::new(writer)),
            cpu,
        };
        open.learn_aliases(store).await?;
        Ok(open)
    }

    /// Loads the aliases again.
    pub(crate) async fn learn_aliases(&self, store: &Store) -> Result<(), StoreError> {
        let people = store.subjects(&self.scope).await?;
        let known = people.into_iter().flat_map(|person| {
            let main = person.subject;
            person.aliases.into_iter().map(move |alias| (alias, main.clone()))
        });
        *self.aliases.write().unwrap_or_else(PoisonError::into_inner) = known.collect();
        Ok(())
    }

    /// How many active memories of `subject` are pinned.
    pub(crate) fn pinned_of(&self, subject: Option<&SubjectRef>) -> u32 {
        pinned_of(&self.cards(), subject)
    }

    /// The current view of the persona, with every write committed before this call.
    pub(crate) async fn view(&self, store: &Store) -> Result<View, StoreError> {
        let revisions = store.revisions(&self.scope).await?;
        if let Some(view) = self.view_at(revisions) {
            return Ok(view);
        }
        let mut writer = Arc::clone(&self.writer).lock_owned().await;
        if let Some(view) = self.view_at(revisions) {
            return Ok(view);
        }
        let view = self.current();
        let revision = match store.changes_since(&self.scope, view.revision).await? {
            // Traces and answered requests change nothing that a reader sees.
            Freshness::Changed { revision, changed, removed } if changed.is_empty() && removed.is_empty() => {
                let same = View { revision, ..view };
                *self.view.write().unwrap_or_else(PoisonError::into_inner) = same.clone();
                return Ok(same);
            }
            Freshness::Changed { revision, changed, removed } => {
                writer = self.index_changes(store, writer, &changed, removed).await?;
                revision
            }
            Freshness::TooOld { .. } => self.rebuild(store, &mut writer).await?,
        };
        let view = writer.view(revision);
        *self.view.write().unwrap_or_else(PoisonError::into_inner) = view.clone();
        Ok(view)
    }

    /// Brings the index up to date with the records that changed or were removed.
    async fn index_changes(
        &self,
        store: &Store,
        writer: OwnedMutexGuard<IndexWriter>,
        changed: &[RecordId],
        removed: Vec<RecordId>,
    ) -> Result<OwnedMutexGuard<IndexWriter>, StoreError> {
        let ids = atom_ids(changed);
        let of_atoms: Vec<RecordId> = ids.iter().copied().map(RecordId::Atom).collect();
        let reading =
            async { tokio::try_join!(store.atoms(&self.scope, &ids), store.vectors(&self.scope, &of_atoms)) };
        let (atoms, vectors) = Box::pin(reading).await?;
        let sentences = usable_vectors(vectors);
        let timeline_moved = changed.iter().chain(&removed).any(|id| matches!(id, RecordId::Entry(_)));
        let has_removed = !removed.is_empty();
        let mut writer = self.apply(writer, CommittedChanges { changed: atoms, sentences, removed }).await?;
        if has_removed {
            self.compared_memories.forget_all();
        }
        if store.is_shared() {
            self.learn_aliases(store).await?;
        }
        if timeline_moved {
            let (timeline, tombstones) = store.timeline(&self.scope).await?;
            let entries: Vec<RecordId> = timeline.iter().map(|entry| RecordId::Entry(entry.id)).collect();
            let mut sentences = usable_vectors(store.vectors(&self.scope, &entries).await?);
            let encoded = encoded_entries(&timeline, &mut sentences, &self.unencoded);
            let snapshot = self.current().snapshot;
            writer.lived = lived(&timeline, &tombstones, snapshot.language(), &encoded);
        }
        Ok(writer)
    }

    /// Builds the index again from all records, because what changed is no longer recorded. Gives their revision.
    async fn rebuild(&self, store: &Store, writer: &mut IndexWriter) -> Result<u64, StoreError> {
        let loaded = store.load(&self.scope).await?;
        let sentences = usable_vectors(store.all_vectors(&self.scope).await?);
        self.unencoded.clear();
        let (revision, language) = (loaded.revision, self.current().snapshot.language().to_owned());
        let building = NewIndex { loaded, sentences, language };
        let unencoded = Arc::clone(&self.unencoded);
        let (mut rebuilt, cards) = building.run(&self.cpu, owner(&self.scope), unencoded).await?;
        rebuilt.expired = std::mem::take(&mut writer.expired);
        rebuilt.leave_out_expired();
        *writer = rebuilt;
        *self.cards.write().unwrap_or_else(PoisonError::into_inner) = cards;
        self.compared_memories.forget_all();
        self.card_changes.fetch_add(1, Ordering::AcqRel);
        Ok(revision)
    }

    /// The current view, if nothing that is indexed was written after it; it is then as good as one of the
    /// current revision.
    fn view_at(&self, revisions: Revisions) -> Option<View> {
        let view = self.current();
        if view.revision >= revisions.current {
            return Some(view);
        }
        let mut held = self.view.write().unwrap_or_else(PoisonError::into_inner);
        if held.revision < revisions.indexed {
            return None;
        }
        held.revision = held.revision.max(revisions.current);
        Some(held.clone())
    }

    /// Adds the memories committed as `revision` to the cards, so that they need not be read back. If there
    /// was another write since the last view, everything is left to the next one.
    pub(crate) async fn arrive(&self, revision: u64, new: Vec<NewAtom>) -> Option<UnindexedMemories<'_>> {
        let writer = Arc::clone(&self.writer).lock_owned().await;
        if self.current().revision + 1 != revision {
            return None;
        }
        let stored = new.into_iter().map(|NewAtom { atom, vector }| StoredAtom { atom, vector, revision });
        let memories: Vec<StoredAtom> = stored.collect();
        note(&self.cards, &memories);
        self.card_changes.fetch_add(1, Ordering::AcqRel);
        for stored in &memories {
            self.unencoded.add(RecordId::Atom(stored.atom.id));
        }
        self.arrived.store(revision, Ordering::Release);
        Some(UnindexedMemories { open: self, writer, memories, revision })
    }

    /// Updates the cards, without waiting for memories that are still being indexed. Gives a revision that they include.
    pub(crate) async fn refresh_cards(&self, store: &Store) -> Result<u64, StoreError> {
        let revision = store.revision(&self.scope).await?;
        if self.arrived.load(Ordering::Acquire) < revision {
            self.view(store).await?;
        }
        Ok(revision)
    }

    /// Takes the import lock: no import is then between comparing and adding. Tries for a while, so that a series
    /// of imports goes first, and then queues.
    pub(crate) async fn lock_imports(&self) -> MutexGuard<'_, ()> {
        for _ in 0..TRIES {
            if let Ok(lock) = self.importing.try_lock() {
                return lock;
            }
            tokio::time::sleep(BETWEEN_TRIES).await;
        }
        self.importing.lock().await
    }

    /// How many records have sentence vectors, and how many there are.
    pub(crate) fn vector_progress(&self) -> VectorProgress {
        let of = self.cards().len() + self.current().timeline.len();
        VectorProgress { made: of.saturating_sub(self.unencoded.all()), of }
    }

    /// The cards of all atoms, by id.
    pub(crate) fn cards(&self) -> RwLockReadGuard<'_, BTreeMap<MemoryId, Card>> {
        self.cards.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The memories that new ones were compared with last, and the cards that say which of them may be held.
    pub(crate) fn compared_memories(&self) -> (Arc<ComparedMemories>, Arc<RwLock<Cards>>) {
        (Arc::clone(&self.compared_memories), Arc::clone(&self.cards))
    }

    /// Its approximate size in bytes.
    pub(crate) async fn bytes(&self) -> usize {
        let cards = self.cards().len() * size_of::<Card>();
        self.writer.lock().await.index.bytes() + cards + self.compared_memories.bytes()
    }

    fn current(&self) -> View {
        self.view.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Indexes the changes. If the caller is cancelled, they are still indexed, and once more with the next
    /// view.
    async fn apply(
        &self,
        mut writer: OwnedMutexGuard<IndexWriter>,
        arrived: CommittedChanges,
    ) -> Result<OwnedMutexGuard<IndexWriter>, StoreError> {
        let is_little = arrived.changed.len() + arrived.removed.len() <= FEW;
        let changed: Vec<MemoryId> = arrived.changed.iter().map(|stored| stored.atom.id).collect();
        let (cards, unencoded) = (Arc::clone(&self.cards), Arc::clone(&self.unencoded));
        let work = move || {
            apply(&mut writer, &cards, &unencoded, arrived);
            writer
        };
        let writer = if is_little {
            work()
        } else {
            self.cpu.run(owner(&self.scope), move |_| work()).await.map_err(closed)?
        };
        let before = self.card_changes.fetch_add(1, Ordering::AcqRel);
        self.extend_retention_check(before, &changed, &writer.expired);
        Ok(writer)
    }
}

impl UnindexedMemories<'_> {
    /// Indexes them, and publishes the new view.
    pub(crate) async fn index(self) -> Result<(), StoreError> {
        let Self { open, mut writer, memories, revision } = self;
        let unencoded = Arc::clone(&open.unencoded);
        let work = move || {
            let mut none = Sentences::new();
            writer.index.put(memories.iter().map(|stored| entry(stored, &mut none, &unencoded)));
            writer
        };
        let writer = open.cpu.run(owner(&open.scope), move |_| work()).await.map_err(closed)?;
        *open.view.write().unwrap_or_else(PoisonError::into_inner) = writer.view(revision);
        Ok(())
    }
}

fn owner(scope: &Scope) -> CpuOwner {
    CpuOwner { tenant: scope.tenant.clone(), persona: Some(scope.persona) }
}

fn closed(_: JobFailed) -> StoreError {
    StoreError::Closed
}

fn atom_ids(records: &[RecordId]) -> Vec<MemoryId> {
    records.iter().filter_map(RecordId::atom).collect()
}
