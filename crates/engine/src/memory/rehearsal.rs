//! Writes after a recall: rehearsals and the trace, committed after the answer was sent.
//!
//! They are collected for a tenth of a second and committed together. A crash may lose that window, never
//! a memory. A trace is turned into bytes only then, after the answer was sent.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use domain::{Actor, EventKind, LogRate, MemoryId, Rehearsal};
use futures_util::future::join_all;
use store::{Batch, Change, EventDraft, Records, Scope, Store, StoreError};
use tokio::time::timeout;
use wire::Problem;

use crate::memory::stored_trace::UnwrittenTrace;
use crate::{Engine, boxed};

const WINDOW: Duration = Duration::from_millis(100);
/// How long open answers may take to end at shutdown.
const LAST_WORDS: Duration = Duration::from_secs(10);
/// How many personas can be committed in parallel.
const LANES: usize = 16;
/// When frequent events are sampled, one in this many is logged.
const SAMPLED: u8 = 10;

/// A batch that waits to be committed, and the trace that is added to it then.
pub(crate) struct PendingWrite {
    pub(crate) batch: Batch,
    pub(crate) trace: Box<UnwrittenTrace>,
}

impl PendingWrite {
    fn into_batch(self) -> Batch {
        self.batch.with(Change::PutTrace(Box::new(self.trace.written())))
    }
}

/// Writes that wait to be committed, by persona.
#[derive(Clone, Default)]
pub(crate) struct PendingWrites {
    waiting: Arc<Mutex<HashMap<Scope, Vec<PendingWrite>>>>,
    /// Held during a commit, so that a flush of a persona also waits for batches another task has already
    /// taken out. Personas share a few locks.
    committing: Arc<[tokio::sync::Mutex<()>; LANES]>,
}

impl PendingWrites {
    /// Commits `write` soon, together with others that arrive in the meantime.
    fn add(&self, store: &Store, scope: Scope, write: PendingWrite) {
        let is_first = {
            let mut waiting = self.waiting();
            let writes = waiting.entry(scope.clone()).or_default();
            writes.push(write);
            writes.len() == 1
        };
        if is_first {
            let (pending_writes, store) = (self.clone(), store.clone());
            tokio::spawn(async move {
                tokio::time::sleep(WINDOW).await;
                if let Err(error) = pending_writes.flush(&store, &scope).await {
                    tracing::warn!(persona = %scope.persona, %error, "rehearsals were not kept");
                }
            });
        }
    }

    /// Commits the waiting writes of a persona now. The store gets all of them at once, in their order, and
    /// commits them with one flush of the disk.
    pub(crate) async fn flush(&self, store: &Store, scope: &Scope) -> Result<(), StoreError> {
        let _lane = self.lane(scope).lock().await;
        let writes = self.waiting().remove(scope).unwrap_or_default();
        let commits = writes.into_iter().map(|write| store.commit(scope, write.into_batch()));
        for committed in join_all(commits).await {
            match committed {
                // A memory that was just recalled may have been destroyed since; then there is nothing to
                // refresh.
                Ok(_) | Err(StoreError::NotFound { .. } | StoreError::NoPersona(_)) => {}
                // A write that comes too late must not fail the next read.
                Err(error @ StoreError::Conflict(_)) => {
                    tracing::warn!(persona = %scope.persona, %error, "rehearsals were not kept");
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Commits all waiting batches.
    pub(crate) async fn flush_all(&self, store: &Store) -> Result<(), StoreError> {
        let scopes: Vec<Scope> = self.waiting().keys().cloned().collect();
        for scope in scopes {
            self.flush(store, &scope).await?;
        }
        Ok(())
    }

    /// Drops all waiting batches, and waits for running commits.
    pub(crate) async fn discard_all(&self) {
        self.waiting().clear();
        for lane in &*self.committing {
            drop(lane.lock().await);
        }
    }

    fn waiting(&self) -> MutexGuard<'_, HashMap<Scope, Vec<PendingWrite>>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lane(&self, scope: &Scope) -> &tokio::sync::Mutex<()> {
        let [first, ..] = &*self.committing;
        let number = scope.persona.0.as_bytes().last().map_or(0, |byte| usize::from(*byte) % LANES);
        self.committing.get(number).unwrap_or(first)
    }
}

impl Engine {
    /// Commits what waits for a persona, so that a read sees the latest rehearsals.
    pub(crate) async fn flush_writes(&self, scope: &Scope) -> Result<(), Problem> {
        self.memory_state.pending_writes.flush(&self.store, scope).await.map_err(Problem::from)
    }

    /// Commits `write` after the answer was sent.
    pub(crate) fn write_later(&self, scope: Scope, write: PendingWrite) {
        self.memory_state.pending_writes.add(&self.store, scope, write);
    }

    /// Adds a rehearsal of `id` to `batch`, and its audit event if the policy asks for one.
    pub(crate) fn with_rehearsal(
        &self,
        batch: Batch,
        id: MemoryId,
        rehearsal: Rehearsal,
        rate: LogRate,
        actor: &Actor,
    ) -> Batch {
        let key = format!("{id}{}", rehearsal.at.as_millis());
        let batch = batch.with(Change::Rehearse(id, rehearsal));
        if self.is_logged(rate, &key) {
            return batch.with_event(EventDraft::new(EventKind::MemoryRehearsed, actor.clone()).about(id));
        }
        batch
    }

    /// Whether a frequent event is logged; always the same answer for the same event.
    pub(crate) fn is_logged(&self, rate: LogRate, event: &str) -> bool {
        match rate {
            LogRate::Always => true,
            LogRate::Never => false,
            LogRate::Sampled => {
                let tag = self.pepper.tag("sample", &[event.as_bytes()]);
                tag.first().is_some_and(|byte| byte % SAMPLED == 0)
            }
        }
    }

    /// Waits for open answers, commits what still waits, signs the logs and closes the store.
    #[boxed]
    pub async fn shutdown(&self, now: domain::Timestamp) -> Result<(), Problem> {
        self.memory_state.vectors.stop().await;
        if timeout(LAST_WORDS, self.talk_state.finish()).await.is_err() {
            tracing::warn!("an answer was still being spoken; what was said of it is not kept");
        }
        self.memory_state.pending_writes.flush_all(&self.store).await?;
        store::Upkeep::close(&self.store, now).await.map_err(Problem::from)
    }
}
