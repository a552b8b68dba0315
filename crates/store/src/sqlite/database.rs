//! One database: a queue of batches for its single writer, and a few readers.
//!
//! A writer thread takes all waiting batches, runs each in a savepoint of its own, and commits them
//! together: one flush of the disk for all, and each batch is applied as a whole or not at all, as if it
//! had come alone. Readers see the last commit and never wait for a writer.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use domain::SessionId;
use rusqlite::Connection;
use tokio::sync::{Semaphore, TryAcquireError, oneshot};

use super::connection::{self, Sql};
use super::health::DiskHealth;
use super::key_table::KeyTables;
use super::keys::Keys;
use super::migration::Schema;
use super::reading::Snapshot;
use super::statement;
use super::write_transaction::{Needs, State, WriteTransaction};
use super::writer::{More, WorkQueue, Writers};
use crate::batch::Receipt;
use crate::broken::is_broken;
use crate::error::StoreError;
use crate::freshness::Revisions;
use crate::home::HomeLock;
use crate::records::Stored;
use crate::scope::Scope;
use crate::sql::conversation::SessionNumbers;
use vault::randomness::Randomness;
use vault::signature::SigningKey;

/// The maximum number of batches committed with one flush, so that the first of them need not wait long.
const GROUP: usize = 256;
/// How often a read is retried when its snapshot and the cached keys are of different revisions.
const READ_ATTEMPTS: usize = 4;

/// The state shared by all databases of a home.
pub(super) struct Shared {
    pub(super) keys: Keys,
    pub(super) health: DiskHealth,
    pub(super) writers: Writers,
    pub(super) signer: SigningKey,
    pub(super) randomness: Arc<dyn Randomness>,
    /// The maximum number of readers of one database.
    pub(super) readers: usize,
    /// The home's lock, held until the last database in it is closed.
    pub(super) lock: Mutex<Option<HomeLock>>,
}

/// One open database.
pub(super) struct Database {
    pub(super) path: PathBuf,
    /// The persona whose records it holds; `None` for the deployment's.
    pub(super) scope: Option<Scope>,
    pub(super) shared: Arc<Shared>,
    schema: &'static Schema,
    line: Mutex<DatabaseQueue>,
    writing: Mutex<Option<WriteConnection>>,
    readers: Mutex<Vec<Connection>>,
    permits: Semaphore,
    pub(super) key_tables: RwLock<Arc<KeyTables>>,
    pub(super) sessions: Mutex<SessionNumbers>,
    /// Whether a crash left damaged pages; then nothing is written on top of them.
    torn: AtomicBool,
    closed: AtomicBool,
    revision: AtomicU64,
    /// The revision of the last change to what the index is built from. It is stored before the revision.
    indexed: AtomicU64,
}

/// The function that applies a batch.
pub(super) type Work = Box<dyn FnOnce(&mut WriteTransaction<'_>) -> Stored<Receipt> + Send>;

/// A waiting batch.
struct Job {
    needs: Needs,
    work: Work,
    reply: Reply,
}

type Reply = oneshot::Sender<Stored<Receipt>>;

#[derive(Default)]
struct DatabaseQueue {
    jobs: Vec<Job>,
    /// Whether the database is queued for a writer thread, or one is working on it.
    is_queued: bool,
}

/// The writing connection and its cached state.
struct WriteConnection {
    connection: Connection,
    state: State,
    /// The disk's fault count when this connection last verified that its writes are on the disk.
    faults: u64,
}

impl Database {
    /// Opens the database at `path`, migrates its schema and reads its keys.
    pub(super) fn open(
        path: PathBuf,
        scope: Option<Scope>,
        schema: &'static Schema,
        shared: Arc<Shared>,
    ) -> Stored<Arc<Self>> {
        let unclean = connection::ended_uncleanly(&path);
        let database = Self {
            permits: Semaphore::new(shared.readers),
            path,
            scope,
            shared,
            schema,
            line: Mutex::default(),
            writing: Mutex::default(),
            readers: Mutex::default(),
            key_tables: RwLock::default(),
            sessions: Mutex::default(),
            torn: AtomicBool::new(false),
            closed: AtomicBool::new(false),
            revision: AtomicU64::new(0),
            indexed: AtomicU64::new(0),
        };
        let mut writing = database.start_writing()?;
        let sql = Sql { connection: &writing.connection, path: &database.path };
        let is_well =
            || connection::check_pages(sql, statement::QUICK_CHECK).is_ok_and(|said| said.is_empty());
        let torn = unclean && !is_well();
        database.torn.store(torn, Ordering::Release);
        if !torn {
            writing.state.destroy_scheduled_keys(sql, &database)?;
        }
        *lock(&database.writing) = Some(writing);
        Ok(Arc::new(database))
    }

    /// Queues `work` and waits for it. When this returns `Ok`, its changes are on the disk.
    pub(super) async fn write(self: &Arc<Self>, needs: Needs, work: Work) -> Stored<Receipt> {
        self.shared.health.admit()?;
        let (reply, answer) = oneshot::channel();
        let came_alone = {
            let mut line = lock(&self.line);
            line.jobs.push(Job { needs, work, reply });
            !std::mem::replace(&mut line.is_queued, true)
        };
        if came_alone && !self.shared.writers.enqueue(Arc::clone(self) as Arc<dyn WorkQueue>) {
            lock(&self.line).jobs.clear();
        }
        if is_broken("ack") {
            return Ok(Receipt { revision: 0, events: Vec::new(), checkpoint: None });
        }
        answer.await.unwrap_or(Err(StoreError::Closed))
    }

    /// Reads from one snapshot, on a thread that may block.
    pub(super) async fn read<T: Send + 'static>(
        self: &Arc<Self>,
        read: impl Fn(&Snapshot<'_>) -> Stored<T> + Send + 'static,
    ) -> Stored<T> {
        let _permit = self.permits.acquire().await.map_err(|_| StoreError::Closed)?;
        let database = Arc::clone(self);
        let snapshot = tokio::task::spawn_blocking(move || database.read_here(read));
        snapshot.await.unwrap_or(Err(StoreError::Closed))
    }

    /// Reads a few rows from one snapshot, on the calling thread: waking another one would take longer.
    pub(super) async fn read_few<T: Send + 'static>(
        self: &Arc<Self>,
        read: impl Fn(&Snapshot<'_>) -> Stored<T> + Send + 'static,
    ) -> Stored<T> {
        match self.permits.try_acquire() {
            Ok(_permit) => self.read_here(read),
            Err(TryAcquireError::NoPermits) => self.read(read).await,
            Err(TryAcquireError::Closed) => Err(StoreError::Closed),
        }
    }

    /// The revisions of the last commit. No change to the index is missing in `indexed` that is in
    /// `current`, because that is read first.
    pub(super) fn revisions(&self) -> Revisions {
        let current = self.revision();
        Revisions { current, indexed: self.indexed.load(Ordering::Acquire).min(current) }
    }

    /// The revision of the last commit.
    pub(super) fn revision(&self) -> u64 {
        self.revision.load(Ordering::Acquire)
    }

    /// Runs `work` with the writing connection between two group commits.
    pub(super) fn with_writer<T>(&self, work: impl FnOnce(Sql<'_>) -> Stored<T>) -> Stored<T> {
        let mut slot = lock(&self.writing);
        let writing = self.writing_connection(&mut slot)?;
        work(Sql { connection: &writing.connection, path: &self.path })
    }

    /// Closes every idle reader, so that the write-ahead log can be emptied.
    pub(super) fn close_idle_readers(&self) {
        lock(&self.readers).clear();
    }

    /// Closes the connections. Closing the last one empties the write-ahead log.
    pub(super) fn close(&self) {
        self.closed.store(true, Ordering::Release);
        self.permits.close();
        self.close_idle_readers();
        *lock(&self.writing) = None;
    }

    /// Whether a session with this id is stored, or is being stored.
    pub(super) fn has_session(&self, id: &SessionId) -> bool {
        lock(&self.sessions).contains_key(id)
    }

    pub(super) fn key_tables(&self) -> Arc<KeyTables> {
        Arc::clone(&self.key_tables.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn read_here<T>(&self, read: impl Fn(&Snapshot<'_>) -> Stored<T>) -> Stored<T> {
        let kept = lock(&self.readers).pop();
        let connection = kept.map_or_else(|| connection::open_reader(&self.path), Ok)?;
        let mut answer = Err(StoreError::Closed);
        for _ in 0..READ_ATTEMPTS {
            let missed;
            (answer, missed) = self.read_once(&connection, &read)?;
            if !missed {
                break;
            }
        }
        lock(&self.readers).push(connection);
        answer
    }

    /// Reads once, and returns whether a key was missing. The snapshot is taken before the keys are, so a
    /// missing key is one that was destroyed in between; the next snapshot does not need it.
    fn read_once<T>(
        &self,
        connection: &Connection,
        read: impl Fn(&Snapshot<'_>) -> Stored<T>,
    ) -> Stored<(Stored<T>, bool)> {
        let sql = Sql { connection, path: &self.path };
        sql.batch(statement::BEGIN_READING)?;
        sql.first(statement::TAKE_SNAPSHOT, [], |_| Ok(()))?;
        let snapshot = Snapshot::new(sql, self, self.key_tables());
        let answer = read(&snapshot);
        let missed = snapshot.missed();
        sql.batch(statement::ROLLBACK)?;
        Ok((answer, missed))
    }

    fn start_writing(&self) -> Stored<WriteConnection> {
        let mut connection = connection::open_writer(&self.path)?;
        self.schema.migrate(&mut connection, &self.path)?;
        let faults = self.shared.health.faults();
        let sql = Sql { connection: &connection, path: &self.path };
        let state = State::load(sql, self)?;
        self.publish_revisions(&state);
        Ok(WriteConnection { connection, state, faults })
    }

    /// The writing connection. After a disk failure it is opened again, and its whole log is written to the
    /// database once more: the pages that a failed flush lost are still in memory.
    fn writing_connection<'a>(
        &self,
        slot: &'a mut Option<WriteConnection>,
    ) -> Stored<&'a mut WriteConnection> {
        if self.closed.load(Ordering::Acquire) {
            return Err(StoreError::Closed);
        }
        if self.torn.load(Ordering::Acquire) {
            return Err(StoreError::Malformed { path: self.path.clone(), what: "a page" });
        }
        let faults = self.shared.health.faults();
        if slot.as_ref().is_none_or(|writing| writing.faults != faults) {
            *slot = None;
            let mut writing = self.start_writing()?;
            let sql = Sql { connection: &writing.connection, path: &self.path };
            sql.first(statement::EMPTY_LOG, [], |_| Ok(()))?;
            writing.faults = faults;
            *slot = Some(writing);
        }
        slot.as_mut().ok_or(StoreError::Closed)
    }

    /// Runs the jobs, commits them, and sends each its result.
    fn commit_group(&self, jobs: Vec<Job>) {
        let (needs, jobs): (Vec<Needs>, Vec<(Work, Reply)>) =
            jobs.into_iter().map(|job| (job.needs, (job.work, job.reply))).unzip();
        let (works, replies): (Vec<Work>, Vec<Reply>) = jobs.into_iter().unzip();
        let mut slot = lock(&self.writing);
        let mut answers = Vec::with_capacity(works.len());
        let committed = self.writing_connection(&mut slot).and_then(|writing| {
            let WriteConnection { connection, state, .. } = writing;
            let sql = Sql { connection, path: &self.path };
            self.run_group(sql, state, &needs, works, &mut answers)
        });
        if let Err(error) = &committed {
            self.shared.health.note(error);
        }
        let mut answers = answers.into_iter();
        for reply in replies {
            let answer = answers.next().unwrap_or(Err(StoreError::Closed));
            // The caller may have stopped waiting; the batch is committed all the same.
            let _ = reply.send(committed.as_ref().map_err(clone_error).and(answer));
        }
    }

    /// Runs each job in its savepoint and commits them together. If the disk fails, none of them is
    /// committed.
    fn run_group(
        &self,
        sql: Sql<'_>,
        state: &mut State,
        needs: &[Needs],
        works: Vec<Work>,
        answers: &mut Vec<Stored<Receipt>>,
    ) -> Stored<()> {
        state.reserve(self, needs.iter())?;
        sql.batch(statement::BEGIN_WRITING)?;
        for work in works {
            match WriteTransaction::run(self, sql, state, work) {
                Ok(answer) => answers.push(answer),
                Err(error) => {
                    self.roll_back(sql, state)?;
                    return Err(error);
                }
            }
        }
        self.commit(sql, state)
    }

    fn commit(&self, sql: Sql<'_>, state: &mut State) -> Stored<()> {
        if let Err(error) = sql.batch(statement::COMMIT) {
            self.roll_back(sql, state)?;
            return if is_broken("fault") { Ok(()) } else { Err(error) };
        }
        self.publish_revisions(state);
        state.destroy_scheduled_keys(sql, self)
    }

    fn publish_revisions(&self, state: &State) {
        self.indexed.store(state.indexed, Ordering::Release);
        self.revision.store(state.revision, Ordering::Release);
    }

    fn roll_back(&self, sql: Sql<'_>, state: &mut State) -> Stored<()> {
        // A failed disk may have caused a rollback already; then there is nothing left to undo.
        let _ = sql.batch(statement::ROLLBACK);
        *state = State::load(sql, self)?;
        Ok(())
    }
}

impl WorkQueue for Database {
    fn work(self: Arc<Self>) -> More {
        let jobs: Vec<Job> = {
            let mut line = lock(&self.line);
            let count = line.jobs.len().min(GROUP);
            line.jobs.drain(..count).collect()
        };
        if !jobs.is_empty() {
            self.commit_group(jobs);
        }
        let mut line = lock(&self.line);
        line.is_queued = !line.jobs.is_empty();
        if line.is_queued { More::Yes } else { More::No }
    }
}

/// A copy of the error for each job of a failed group commit.
fn clone_error(error: &StoreError) -> StoreError {
    if let StoreError::ReadOnly { reason } = error {
        return StoreError::ReadOnly { reason: reason.clone() };
    }
    StoreError::NotKept(error.to_string())
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
