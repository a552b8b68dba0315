//! Sentence vectors, computed after the write.
//!
//! A memory is stored and can be recalled by its words at once. Its sentence vectors are computed
//! afterwards, a group of records at a time, on one low-priority thread for the whole process. There is no
//! queue that could be lost: the records to do are those without usable vectors in the store, and an open
//! persona knows which of its records these are.

mod thread;

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use domain::{PersonaId, Timestamp};
use recall::sentences::{Encoders, MAKER, SentenceVectors};
use store::{
    Batch, Change, NewVectors, PersonaEntry, Receipt, RecordId, Records, Scope, Store, StoreError, Upkeep,
    Vector,
};
use wire::Problem;
use wire::vectors::VectorProgress;

use crate::call::{Call, PersonaKey};
use crate::persona::open::{OpenPersona, View};
use crate::persona::registry::OpenPersonas;
use crate::{Engine, boxed};
use thread::{EncodingThread, Texts};

/// How many records are encoded before their vectors are committed: under a second of work.
const GROUP: usize = 64;
/// How long a persona is skipped when another node computes its vectors, or when the store refused them.
const RETRY: Duration = Duration::from_secs(10);
/// How often a waiting caller checks whether another node is done.
const LOOK_AGAIN: Duration = Duration::from_millis(200);

/// How long a process that shuts down spends on missing vectors.
const FINISHING: Duration = Duration::from_secs(10);

/// When sentence vectors are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Automatically, right after a record was written or a persona was opened.
    InBackground,
    /// Only by [`Engine::vectors_settled`].
    WhenAsked,
}

/// The encoders compiled into the program, or why they can't be used.
pub fn built_in_encoders() -> Result<Encoders, String> {
    Encoders::built_in().map_err(|error| error.to_string())
}

/// Computes the vectors of all open personas; an engine has one.
pub(crate) struct VectorWorker {
    store: Store,
    personas: Arc<OpenPersonas>,
    encoders: Result<Encoders, String>,
    encoding: Encoding,
    thread: EncodingThread,
    /// Held while a group is computed, so that there is one at a time.
    group: tokio::sync::Mutex<()>,
    queue: Mutex<Queue>,
    is_stopped: AtomicBool,
    made: AtomicU64,
}

/// The personas to process. Each persona knows its own missing records, so the queue stays short.
#[derive(Default)]
struct Queue {
    personas: VecDeque<PersonaId>,
    postponed: BTreeSet<PersonaId>,
    is_running: bool,
}

/// What remains after a group.
enum RemainingWork {
    Nothing,
    More,
    /// Another node computes the vectors of this persona.
    Elsewhere,
}

impl VectorWorker {
    pub(crate) fn new(
        store: Store,
        personas: Arc<OpenPersonas>,
        encoders: Result<Encoders, String>,
        encoding: Encoding,
    ) -> Arc<Self> {
        Arc::new(Self {
            store,
            personas,
            encoders,
            encoding,
            thread: EncodingThread::default(),
            group: tokio::sync::Mutex::default(),
            queue: Mutex::default(),
            is_stopped: AtomicBool::new(false),
            made: AtomicU64::default(),
        })
    }

    /// Queues a persona for background work. No effect if it is queued already.
    pub(crate) fn nudge(self: &Arc<Self>, persona: PersonaId) {
        let works = self.encoding == Encoding::InBackground && self.encoders.is_ok() && !self.is_stopped();
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        if !works {
            return;
        }
        let mut queue = self.queue();
        if !queue.personas.contains(&persona) {
            queue.personas.push_back(persona);
        }
        if !queue.is_running {
            queue.is_running = true;
            runtime.spawn(Arc::clone(self).run());
        }
    }

    /// Stops within one record's time. What was not committed is computed after the next start.
    pub(crate) async fn stop(&self) {
        self.is_stopped.store(true, Ordering::Release);
        self.thread.interrupt().await;
        drop(self.group.lock().await);
    }

    /// Drops the texts being encoded, because some of them were destroyed. The remaining ones are queued
    /// again.
    pub(crate) async fn evict_texts(&self) {
        self.thread.interrupt().await;
    }

    async fn run(self: Arc<Self>) {
        while let Some(persona) = self.next() {
            let Some(open) = self.personas.if_open(persona) else { continue };
            match self.make_group(&open).await {
                // On an error the persona was deleted, or the process is shutting down.
                Ok(RemainingWork::Nothing) | Err(StoreError::NoPersona(_) | StoreError::Closed) => {}
                Ok(RemainingWork::More) => self.queue().personas.push_back(persona),
                Ok(RemainingWork::Elsewhere) => self.postpone(persona),
                Err(error) => {
                    open.unencoded.give_back_tries();
                    tracing::warn!(%persona, %error, "can't keep sentence vectors; trying again later");
                    self.postpone(persona);
                }
            }
        }
    }

    fn next(&self) -> Option<PersonaId> {
        let mut queue = self.queue();
        let next = queue.personas.pop_front().filter(|_| !self.is_stopped());
        queue.is_running = next.is_some();
        next
    }

    fn postpone(self: &Arc<Self>, persona: PersonaId) {
        if self.queue().postponed.insert(persona) {
            let worker = Arc::downgrade(self);
            tokio::spawn(async move {
                tokio::time::sleep(RETRY).await;
                if let Some(worker) = worker.upgrade() {
                    worker.queue().postponed.remove(&persona);
                    worker.nudge(persona);
                }
            });
        }
    }

    /// Computes and stores the vectors of one group of records, and updates the view of the persona.
    async fn make_group(&self, open: &OpenPersona) -> Result<RemainingWork, StoreError> {
        let Ok(encoders) = &self.encoders else { return Ok(RemainingWork::Nothing) };
        let _group = self.group.lock().await;
        // Before any text is read, so that an erasure from here on stops the group.
        let interruptions = self.thread.interruptions();
        let (view, texts) = {
            let _no_import = open.lock_imports().await;
            open.view(&self.store).await?;
            if !open.unencoded.has_waiting() {
                return Ok(RemainingWork::Nothing);
            }
            if !self.store.lease_vectors(&open.scope).await? {
                return Ok(RemainingWork::Elsewhere);
            }
            // The previous holder of the lease may have computed some of them.
            let view = open.view(&self.store).await?;
            let texts = self.texts(open, &view).await?;
            (view, texts)
        };
        let now = texts.iter().map(Texts::written_at).max().unwrap_or(Timestamp::from_millis(0));
        let made = self.thread.encode(texts, view.snapshot.language(), encoders, interruptions).await;
        match made {
            Some(made) if !made.is_empty() => self.keep(open, view.revision, made, now).await?,
            Some(_) => {}
            None if self.is_stopped() => {
                self.store.release_vectors(&open.scope).await?;
                return Ok(RemainingWork::Nothing);
            }
            None => open.unencoded.give_back_tries(),
        }
        let left = if open.unencoded.has_waiting() { RemainingWork::More } else { RemainingWork::Nothing };
        if let RemainingWork::Nothing = left {
            self.store.release_vectors(&open.scope).await?;
            self.personas.weigh(open.scope.persona, open.bytes().await);
        }
        Ok(left)
    }

    /// The texts of the next group of records.
    async fn texts(&self, open: &OpenPersona, view: &View) -> Result<Vec<Texts>, StoreError> {
        let records = open.unencoded.take_turn(GROUP);
        let ids: Vec<_> = records.iter().filter_map(RecordId::atom).collect();
        let atoms = match self.store.atoms(&open.scope, &ids).await {
            // The rest of the group is encoded without it.
            Err(StoreError::Unreadable { id, .. }) => {
                let damaged = records.iter().find(|record| record.to_string() == id);
                if let Some(record) = damaged {
                    open.unencoded.give_up(*record);
                }
                return Ok(Vec::new());
            }
            atoms => atoms?,
        };
        let entries = view.timeline.iter().filter(|entry| records.contains(&RecordId::Entry(entry.id)));
        let entries = entries.cloned().map(|entry| Texts::Entry(Box::new(entry)));
        let atoms = atoms.into_iter().map(|stored| Texts::Atom(Box::new(stored.atom)));
        Ok(atoms.chain(entries).collect())
    }

    async fn keep(
        &self,
        open: &OpenPersona,
        read_at: u64,
        made: Vec<(RecordId, SentenceVectors)>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let count = made.len();
        let vector = |made: &SentenceVectors| Vector { embedder: MAKER.to_owned(), bytes: made.to_bytes() };
        let new =
            made.iter().map(|(record, made)| NewVectors { record: *record, read_at, vectors: vector(made) });
        let batch = Batch::at(now).with(Change::PutVectors(new.collect()));
        let _no_import = open.lock_imports().await;
        self.store.commit(&open.scope, batch).await?;
        open.view(&self.store).await?;
        self.made.fetch_add(u64::try_from(count).unwrap_or(u64::MAX), Ordering::Relaxed);
        Ok(())
    }

    fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Acquire)
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Engine {
    /// The sentence encoders; `None` when their weights can't be used, and [`Self::encoders_problem`] says why.
    #[must_use]
    pub fn encoders(&self) -> Option<&Encoders> {
        self.memory_state.vectors.encoders.as_ref().ok()
    }

    /// Why there are no sentence encoders.
    #[must_use]
    pub fn encoders_problem(&self) -> Option<&str> {
        self.memory_state.vectors.encoders.as_ref().err().map(String::as_str)
    }

    /// The warning in answers while recall runs without sentence encoders.
    pub(crate) fn without_encoders(&self) -> Option<String> {
        let problem = self.encoders_problem()?;
        Some(format!(
            "recall uses only words and the static table; the sentence encoders can't be used: {problem}"
        ))
    }

    /// Waits until every record of a persona has its vectors, and computes them if nobody else does.
    #[boxed]
    pub async fn vectors_settled(&self, call: &Call, key: &PersonaKey) -> Result<VectorProgress, Problem> {
        let persona = self.find(call, key).await?;
        let (open, _) = self.view(&persona).await?;
        self.settle_vectors(&open).await?;
        Ok(open.vector_progress())
    }

    /// How many records of a persona have vectors, and how many there are.
    #[boxed]
    pub async fn vector_progress(&self, call: &Call, key: &PersonaKey) -> Result<VectorProgress, Problem> {
        let persona = self.find(call, key).await?;
        let (open, _) = self.view(&persona).await?;
        Ok(open.vector_progress())
    }

    /// Computes the missing vectors of all open personas, unless there are more than `at_most`. Returns
    /// how many are left.
    #[boxed]
    pub async fn finish_vectors(&self, at_most: usize) -> Result<usize, Problem> {
        let open = self.persona_state.all_open();
        for persona in &open {
            persona.view(&self.store).await?;
        }
        let left = || open.iter().map(|persona| persona.unencoded.waiting()).sum::<usize>();
        if self.encoders().is_some() && left() <= at_most {
            let finishing = async {
                for persona in &open {
                    while let RemainingWork::More = self.memory_state.vectors.make_group(persona).await? {}
                }
                Ok::<(), Problem>(())
            };
            // On a busy machine the low-priority thread may not make progress; then the next process that
            // opens the home does it.
            if let Ok(finished) = tokio::time::timeout(FINISHING, Box::pin(finishing)).await {
                finished?;
            }
        }
        Ok(left())
    }

    /// How many records of open personas lack vectors, and how many vectors this process computed.
    #[must_use]
    pub fn vector_counts(&self) -> (usize, u64) {
        let waiting = self.persona_state.all_open().iter().map(|persona| persona.unencoded.waiting()).sum();
        (waiting, self.memory_state.vectors.made.load(Ordering::Relaxed))
    }

    /// The progress of a persona, read from the store if the persona isn't open.
    pub(crate) async fn stored_vector_progress(
        &self,
        entry: &PersonaEntry,
    ) -> Result<VectorProgress, Problem> {
        if let Some(open) = self.persona_state.if_open(entry.id) {
            open.view(&self.store).await?;
            return Ok(open.vector_progress());
        }
        let scope = entry.scope();
        let loaded = self.store.load(&scope).await?;
        let vectors = usable_vectors(self.store.all_vectors(&scope).await?);
        let of = loaded.atoms.len() + loaded.timeline.len();
        let atoms = loaded.atoms.iter().filter(|stored| {
            let vectors = vectors.get(&RecordId::Atom(stored.atom.id));
            vectors.is_some_and(|vectors| vectors.are_of_atom(&stored.atom))
        });
        let entries = loaded.timeline.iter().filter(|entry| {
            let vectors = vectors.get(&RecordId::Entry(entry.id));
            vectors.is_some_and(|vectors| vectors.are_of_entry(entry))
        });
        Ok(VectorProgress { made: atoms.count() + entries.count(), of })
    }

    /// Gives requests priority over the computation of vectors: for a server. A command that waits for the
    /// vectors would wait too long on a busy machine.
    pub fn yield_to_requests(&self) {
        self.memory_state.vectors.thread.yield_to_requests();
    }

    /// Drops texts being encoded and cached cues, because text was destroyed.
    pub(crate) async fn evict_encoded_texts(&self) {
        if let Some(encoder) = self.cue_encoder() {
            encoder.forget();
        }
        self.memory_state.vectors.evict_texts().await;
    }

    /// Queues the missing vectors of a persona.
    pub(crate) fn encode_missing(&self, open: &OpenPersona) {
        if open.unencoded.has_waiting() {
            self.memory_state.vectors.nudge(open.scope.persona);
        }
    }

    /// Commits `batch`, and queues the vectors of the texts it changes.
    pub(crate) async fn commit(&self, scope: &Scope, batch: Batch) -> Result<Receipt, StoreError> {
        let changes_texts = batch.changes.iter().any(Change::changes_texts);
        let receipt = self.store.commit(scope, batch).await?;
        if changes_texts {
            self.memory_state.vectors.nudge(scope.persona);
        }
        Ok(receipt)
    }

    async fn settle_vectors(&self, open: &OpenPersona) -> Result<(), Problem> {
        loop {
            match self.memory_state.vectors.make_group(open).await? {
                RemainingWork::Nothing => return Ok(()),
                RemainingWork::More => {}
                RemainingWork::Elsewhere => tokio::time::sleep(LOOK_AGAIN).await,
            }
        }
    }
}

/// Those of `stored` made by the encoders of this program, by record. Vectors of other encoders can't be
/// compared.
pub(crate) fn usable_vectors(stored: Vec<(RecordId, Vector)>) -> HashMap<RecordId, SentenceVectors> {
    let own = stored.into_iter().filter(|(_, vector)| vector.embedder == MAKER);
    own.filter_map(|(record, vector)| Some((record, SentenceVectors::from_bytes(&vector.bytes)?))).collect()
}
