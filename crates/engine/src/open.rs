//! Personas that are open: their index in memory, brought up to date before every use.
//!
//! Indexing many memories takes a while, so it is done on the CPU pool; a few are indexed where they are, since
//! handing them over would take longer.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use domain::{Life, MemoryId, Placed, SubjectRef, TimelineEntry};
use recall::Biography;
use recall::index::{Entry, Index, Snapshot};
use store::{Freshness, Loaded, NewAtom, RecordId, Records, Scope, Store, StoreError, StoredAtom, Tombstone};
use tokio::sync::{Mutex, OwnedMutexGuard};

use crate::card::{Card, pinned_of};
use crate::cpu_pool::{BrokenOff, CpuOwner, CpuPool};
use crate::meaning;
use crate::session::Sessions;

/// At most so many memories are indexed on an async worker.
const FEW: usize = 64;

/// What readers see of a persona: one commit, unchanging.
#[derive(Clone)]
pub(crate) struct View {
    pub(crate) revision: u64,
    pub(crate) snapshot: Arc<Snapshot>,
    /// All entries by sequence, superseded ones too.
    pub(crate) timeline: Arc<Vec<TimelineEntry>>,
    /// The order of the life, tombstones included.
    pub(crate) life: Arc<Life>,
    /// The life as recall searches it.
    pub(crate) biography: Arc<Biography>,
}

/// An open persona.
pub(crate) struct OpenPersona {
    pub(crate) scope: Scope,
    pub(crate) sessions: Sessions,
    /// Held for reading by every recall on its way, so that whoever destroys a memory can wait for them.
    pub(crate) recalling: tokio::sync::RwLock<()>,
    /// Held by an import while it looks what is there already and adds to it.
    pub(crate) importing: Mutex<()>,
    /// The reference each alias stands for.
    aliases: RwLock<BTreeMap<SubjectRef, SubjectRef>>,
    view: RwLock<View>,
    cards: Arc<RwLock<Cards>>,
    /// The commit that the cards hold besides those of the view: an import's, while it is being indexed.
    arrived: AtomicU64,
    writer: Arc<Mutex<Writer>>,
    cpu: Arc<CpuPool>,
}

type Cards = BTreeMap<MemoryId, Card>;

/// Memories that were just committed, and whose words are still to be indexed.
pub(crate) struct Arriving<'p> {
    open: &'p OpenPersona,
    writer: OwnedMutexGuard<Writer>,
    memories: Vec<StoredAtom>,
    revision: u64,
}

struct Writer {
    index: Index,
    lived: Lived,
}

/// A life as readers see it; made anew only when the timeline changes.
#[derive(Clone)]
struct Lived {
    timeline: Arc<Vec<TimelineEntry>>,
    life: Arc<Life>,
    biography: Arc<Biography>,
}

impl OpenPersona {
    /// Reads and indexes everything the persona has.
    pub(crate) async fn open(
        store: &Store,
        scope: Scope,
        language: &str,
        cpu: Arc<CpuPool>,
    ) -> Result<Self, StoreError> {
        let loaded = store.load(&scope).await?;
        let revision = loaded.revision;
        let (writer, cards) = build(&cpu, owner(&scope), loaded, language).await?;
        let view = writer.view(revision);
        let open = Self {
            aliases: RwLock::default(),
            scope,
            sessions: Sessions::default(),
            recalling: tokio::sync::RwLock::default(),
            importing: Mutex::default(),
            view: RwLock::new(view),
            cards: Arc::new(RwLock::new(cards)),
            arrived: AtomicU64::default(),
            writer: Arc::new(Mutex::new(writer)),
            cpu,
        };
        open.learn_aliases(store).await?;
        Ok(open)
    }

    /// Reads anew who is also known as what.
    pub(crate) async fn learn_aliases(&self, store: &Store) -> Result<(), StoreError> {
        let people = store.subjects(&self.scope).await?;
        let known = people.into_iter().flat_map(|person| {
            let main = person.subject;
            person.aliases.into_iter().map(move |alias| (alias, main.clone()))
        });
        *self.aliases.write().unwrap_or_else(PoisonError::into_inner) = known.collect();
        Ok(())
    }

    /// The reference of a person who may have been named by an alias.
    pub(crate) fn known_as(&self, named: SubjectRef) -> SubjectRef {
        let aliases = self.aliases.read().unwrap_or_else(PoisonError::into_inner);
        aliases.get(&named).cloned().unwrap_or(named)
    }

    /// How many active memories of `subject` are pinned.
    pub(crate) fn pinned_of(&self, subject: Option<&SubjectRef>) -> u32 {
        pinned_of(&self.cards(), subject)
    }

    /// The persona as it is now, with every write that was committed before this was asked.
    pub(crate) async fn view(&self, store: &Store) -> Result<View, StoreError> {
        let revision = store.revision(&self.scope).await?;
        let view = self.current();
        if view.revision >= revision {
            return Ok(view);
        }
        let mut writer = Arc::clone(&self.writer).lock_owned().await;
        let view = self.current();
        if view.revision >= revision {
            return Ok(view);
        }
        let revision = match store.changes_since(&self.scope, view.revision).await? {
            // Traces and answered requests change nothing that a reader sees.
            Freshness::Changed { revision, changed, removed } if changed.is_empty() && removed.is_empty() => {
                let same = View { revision, ..view };
                *self.view.write().unwrap_or_else(PoisonError::into_inner) = same.clone();
                return Ok(same);
            }
            Freshness::Changed { revision, changed, removed } => {
                let atoms = store.atoms(&self.scope, &atom_ids(&changed)).await?;
                let timeline_moved =
                    changed.iter().chain(&removed).any(|id| matches!(id, RecordId::Entry(_)));
                writer = self.apply(writer, atoms, atom_ids(&removed)).await?;
                if store.is_shared() {
                    self.learn_aliases(store).await?;
                }
                if timeline_moved {
                    let (timeline, tombstones) = store.timeline(&self.scope).await?;
                    writer.lived = lived(&timeline, &tombstones, view.snapshot.language());
                }
                revision
            }
            Freshness::TooOld { .. } => {
                let loaded = store.load(&self.scope).await?;
                let (revision, language) = (loaded.revision, view.snapshot.language());
                let (rebuilt, cards) = build(&self.cpu, owner(&self.scope), loaded, language).await?;
                *writer = rebuilt;
                *self.cards.write().unwrap_or_else(PoisonError::into_inner) = cards;
                revision
            }
        };
        let view = writer.view(revision);
        *self.view.write().unwrap_or_else(PoisonError::into_inner) = view.clone();
        Ok(view)
    }

    /// Takes memories that were just committed as `revision` among the cards, so that many need not be read
    /// back. When somebody else wrote since the last view, everything is left to the next one.
    pub(crate) async fn arrive(&self, revision: u64, new: Vec<NewAtom>) -> Option<Arriving<'_>> {
        let writer = Arc::clone(&self.writer).lock_owned().await;
        if self.current().revision + 1 != revision {
            return None;
        }
        let stored = new.into_iter().map(|NewAtom { atom, vector }| StoredAtom { atom, vector, revision });
        let memories: Vec<StoredAtom> = stored.collect();
        note(&self.cards, &memories);
        self.arrived.store(revision, Ordering::Release);
        Some(Arriving { open: self, writer, memories, revision })
    }

    /// Brings the cards up to date, and does not wait for what is still being indexed.
    pub(crate) async fn refresh_cards(&self, store: &Store) -> Result<(), StoreError> {
        let revision = store.revision(&self.scope).await?;
        if self.arrived.load(Ordering::Acquire) < revision {
            self.view(store).await?;
        }
        Ok(())
    }

    /// The cards of all atoms, by id.
    pub(crate) fn cards(&self) -> RwLockReadGuard<'_, BTreeMap<MemoryId, Card>> {
        self.cards.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many memories may be told.
    pub(crate) fn told(&self) -> usize {
        self.cards().values().filter(|card| card.is_told).count()
    }

    /// About how many bytes it holds.
    pub(crate) async fn bytes(&self) -> usize {
        let cards = self.cards().len() * size_of::<Card>();
        self.writer.lock().await.index.bytes() + cards
    }

    fn current(&self) -> View {
        self.view.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Indexes what changed. If the caller leaves meanwhile, it is indexed all the same, and once more with the
    /// next view.
    async fn apply(
        &self,
        mut writer: OwnedMutexGuard<Writer>,
        changed: Vec<StoredAtom>,
        removed: Vec<MemoryId>,
    ) -> Result<OwnedMutexGuard<Writer>, StoreError> {
        let is_little = changed.len() + removed.len() <= FEW;
        let cards = Arc::clone(&self.cards);
        let work = move || {
            apply(&mut writer, &cards, &changed, &removed);
            writer
        };
        if is_little {
            return Ok(work());
        }
        self.cpu.run(owner(&self.scope), move |_| work()).await.map_err(closed)
    }
}

impl Arriving<'_> {
    /// Indexes them, and shows them to readers.
    pub(crate) async fn index(self) -> Result<(), StoreError> {
        let Self { open, mut writer, memories, revision } = self;
        let work = move || {
            writer.index.put(memories.iter().map(entry));
            writer
        };
        let writer = open.cpu.run(owner(&open.scope), move |_| work()).await.map_err(closed)?;
        *open.view.write().unwrap_or_else(PoisonError::into_inner) = writer.view(revision);
        Ok(())
    }
}

impl Writer {
    fn view(&self, revision: u64) -> View {
        let Lived { timeline, life, biography } = self.lived.clone();
        View { revision, snapshot: self.index.snapshot(), timeline, life, biography }
    }
}

/// Indexes a whole persona.
async fn build(
    cpu: &CpuPool,
    owner: CpuOwner,
    loaded: Loaded,
    language: &str,
) -> Result<(Writer, Cards), StoreError> {
    let language = language.to_owned();
    let work = move || {
        let mut index = Index::new(&language);
        index.put(loaded.atoms.iter().map(entry));
        let cards = loaded.atoms.iter().map(|stored| (stored.atom.id, Card::of(&stored.atom))).collect();
        (Writer { index, lived: lived(&loaded.timeline, &loaded.tombstones, &language) }, cards)
    };
    cpu.run(owner, move |_| work()).await.map_err(closed)
}

fn apply(writer: &mut Writer, cards: &RwLock<Cards>, changed: &[StoredAtom], removed: &[MemoryId]) {
    writer.index.put(changed.iter().map(entry));
    note(cards, changed);
    let mut cards = cards.write().unwrap_or_else(PoisonError::into_inner);
    for id in removed {
        cards.remove(id);
        writer.index.remove(*id);
    }
    // What was destroyed must not linger in memory either.
    if !removed.is_empty() {
        writer.index.purge();
    }
}

fn note(cards: &RwLock<Cards>, changed: &[StoredAtom]) {
    let mut cards = cards.write().unwrap_or_else(PoisonError::into_inner);
    cards.extend(changed.iter().map(|stored| (stored.atom.id, Card::of(&stored.atom))));
}

fn owner(scope: &Scope) -> CpuOwner {
    CpuOwner { tenant: scope.tenant.clone(), persona: Some(scope.persona) }
}

fn closed(_: BrokenOff) -> StoreError {
    StoreError::Closed
}

fn entry(stored: &StoredAtom) -> Entry<'_> {
    Entry { atom: &stored.atom, meaning: meaning::of(stored) }
}

fn lived(timeline: &[TimelineEntry], tombstones: &[Tombstone], language: &str) -> Lived {
    let buried = tombstones.iter().filter_map(|tombstone| match tombstone {
        Tombstone::Atom(_) => None,
        Tombstone::Entry(entry) => Some(Placed {
            id: entry.id,
            sequence: entry.sequence,
            event_at: entry.at,
            revises: None,
            is_active: false,
        }),
    });
    let placed = timeline.iter().map(Placed::from).chain(buried).collect();
    Lived {
        timeline: Arc::new(timeline.to_vec()),
        life: Arc::new(Life::new(placed)),
        biography: Arc::new(Biography::of(timeline, language)),
    }
}

fn atom_ids(records: &[RecordId]) -> Vec<MemoryId> {
    records
        .iter()
        .filter_map(|record| match record {
            RecordId::Atom(id) => Some(*id),
            RecordId::Entry(_) => None,
        })
        .collect()
}
