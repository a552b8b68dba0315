//! Writes after a recall: rehearsals and the trace, committed after the answer was sent.
//!
//! They are collected for a tenth of a second and committed together. A crash may lose that window, never
//! a memory.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use domain::{Actor, EventKind, LogRate, MemoryId, Rehearsal};
use store::{Batch, Change, EventDraft, Records, Scope, Store, StoreError};
use tokio::time::timeout;

use crate::Engine;

const WINDOW: Duration = Duration::from_millis(100);
/// How long open answers may take to end at shutdown.
const LAST_WORDS: Duration = Duration::from_secs(10);
/// How many personas can be committed in parallel.
const LANES: usize = 16;
/// When frequent events are sampled, one in this many is logged.
const SAMPLED: u8 = 10;

/// Batches that wait to be committed, by persona.
#[derive(Clone, Default)]
pub(crate) struct PendingWrites {
    waiting: Arc<Mutex<HashMap<Scope, Vec<Batch>>>>,
    /// Held during a commit, so that a flush of a persona also waits for batches another task has already
    /// taken out. Personas share a few locks.
    committing: Arc<[tokio::sync::Mutex<()>; LANES]>,
}

impl PendingWrites {
    /// Commits `batch` soon, together with other batches that arrive in the meantime.
    fn add(&self, store: &Store, scope: Scope, batch: Batch) {
        let is_first = {
            let mut waiting = self.waiting();
            let batches = waiting.entry(scope.clone()).or_default();
            batches.push(batch);
            batches.len() == 1
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

    /// Commits the waiting batches of a persona now.
    pub(crate) async fn flush(&self, store: &Store, scope: &Scope) -> Result<(), StoreError> {
        let _lane = self.lane(scope).lock().await;
        let batches = self.waiting().remove(scope).unwrap_or_default();
        for batch in batches {
            match store.commit(scope, batch).await {
                // A memory that was just recalled may have been destroyed since; then there is nothing to
                // refresh.
                Ok(_) | Err(StoreError::NotFound { .. } | StoreError::NoPersona(_)) => {}
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

    fn waiting(&self) -> MutexGuard<'_, HashMap<Scope, Vec<Batch>>> {
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
    pub(crate) async fn flush_writes(&self, scope: &Scope) -> Result<(), wire::Problem> {
        self.memory_state.pending_writes.flush(&self.store, scope).await.map_err(crate::error::store_problem)
    }

    /// Commits `batch` after the answer was sent.
    pub(crate) fn pending_writes(&self, scope: Scope, batch: Batch) {
        self.memory_state.pending_writes.add(&self.store, scope, batch);
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
            return batch.saying(EventDraft::new(EventKind::MemoryRehearsed, actor.clone()).about(id));
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
    pub async fn shutdown(&self, now: domain::Timestamp) -> Result<(), wire::Problem> {
        self.memory_state.vectors.stop().await;
        if timeout(LAST_WORDS, self.talk_state.finish()).await.is_err() {
            tracing::warn!("an answer was still being spoken; what was said of it is not kept");
        }
        self.memory_state.pending_writes.flush_all(&self.store).await.map_err(crate::error::store_problem)?;
        store::Upkeep::close(&self.store, now).await.map_err(crate::error::store_problem)
    }
}
