//! Group commit: a queue of operations for each place, and this node's cache of it.
//!
//! All operations waiting for one persona run in one transaction, each in a savepoint of its own unless it
//! is the only one: one flush of the disk for all, and each is applied as a whole or not at all, as if it
//! had come alone. Nodes serialise their writes by locking the place's row.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use domain::Timestamp;
use tokio::sync::oneshot;
use vault::key_directory::KeyDirectoryError;

use super::Postgres;
use super::connection::{Transaction, TransactionMode};
use super::key_table::{self, CachedNames, KeyOwner};
use super::reading::Snapshot;
use super::statement::common;
use super::write_transaction::WriteTransaction;
use crate::batch::{Batch, Receipt};
use crate::broken::is_broken;
use crate::destruction::{Destruction, Merge};
use crate::error::StoreError;
use crate::records::Stored;
use crate::scope::Scope;
use crate::sql::{change, destruction};
use crate::upkeep::Due;

/// The maximum number of operations committed with one flush, so that the first of them need not wait long.
const GROUP: usize = 256;
/// How often a read is retried when keys rotate meanwhile.
const SNAPSHOT_ATTEMPTS: usize = 3;

/// This node's queue and cache for one place.
#[derive(Default)]
pub(super) struct OwnerQueue {
    pub(super) names: CachedNames,
    queue: Mutex<Queue>,
}

#[derive(Default)]
struct Queue {
    waiting: Vec<QueuedOperation>,
    /// Whether a task is working on the queue.
    is_processing: bool,
}

struct QueuedOperation {
    operation: Operation,
    reply: oneshot::Sender<Stored<Receipt>>,
}

/// An operation on a persona's records.
pub(super) enum Operation {
    Apply(Batch),
    Destroy(Destruction),
    Merge(Merge),
    Sign(Timestamp, Due),
}

/// Whether an operation is committed alone or with others. One that is alone needs no savepoint, and its
/// statements go out together with the commit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CommitMode {
    Alone,
    Group,
}

impl WriteTransaction {
    async fn perform_in(&mut self, company: CommitMode, operation: Operation) -> Stored<Receipt> {
        match company {
            CommitMode::Alone => self.perform(operation).await,
            CommitMode::Group => {
                self.transaction.save().await?;
                let receipt = self.perform(operation).await?;
                self.transaction.release().await?;
                Ok(receipt)
            }
        }
    }

    async fn perform(&mut self, operation: Operation) -> Stored<Receipt> {
        match operation {
            Operation::Apply(batch) => {
                self.now = batch.now;
                change::apply_batch(self, batch).await
            }
            Operation::Destroy(what) => {
                self.now = what.now;
                destruction::destroy(self, &what).await
            }
            Operation::Merge(merge) => {
                self.now = merge.now;
                destruction::merge(self, &merge).await
            }
            Operation::Sign(now, due) => {
                let checkpoint = self.checkpoint(now, due).await?;
                Ok(Receipt { revision: self.place.revision, events: Vec::new(), checkpoint })
            }
        }
    }
}

impl Postgres {
    /// Queues `operation` and waits for it. When this returns `Ok`, its changes are on the disk.
    pub(super) async fn write(&self, scope: &Scope, operation: Operation) -> Stored<Receipt> {
        self.admit().await?;
        let owner = KeyOwner::of(scope);
        let place = self.place(&owner);
        let (reply, answer) = oneshot::channel();
        let was_idle = {
            let mut queue = lock(&place.queue);
            queue.waiting.push(QueuedOperation { operation, reply });
            !std::mem::replace(&mut queue.is_processing, true)
        };
        if was_idle {
            // A separate task, because the caller may stop waiting and the queue must be processed all the
            // same.
            tokio::spawn(self.clone().process_queue(owner, place));
        }
        if is_broken("ack") {
            return Ok(Receipt { revision: 0, events: Vec::new(), checkpoint: None });
        }
        let receipt = answer.await.unwrap_or(Err(StoreError::Closed))?;
        if let Some(checkpoint) = &receipt.checkpoint {
            self.publish(scope, checkpoint.clone()).await?;
        }
        Ok(receipt)
    }

    /// A snapshot of a persona's records.
    pub(super) async fn snapshot(&self, scope: &Scope) -> Stored<Snapshot> {
        self.snapshot_of(KeyOwner::of(scope)).await
    }

    /// A snapshot of a place. If keys rotated since it was taken and its key is destroyed, a later one is
    /// taken.
    pub(super) async fn snapshot_of(&self, owner: KeyOwner) -> Stored<Snapshot> {
        let mut snapshot = self.begin_snapshot(owner.clone()).await;
        for _ in 0..SNAPSHOT_ATTEMPTS {
            if !is_rotated_away(&snapshot) {
                break;
            }
            snapshot = self.begin_snapshot(owner.clone()).await;
        }
        self.inner.health.note(&snapshot);
        snapshot
    }

    async fn begin_snapshot(&self, owner: KeyOwner) -> Stored<Snapshot> {
        let transaction = self.begin(TransactionMode::Reading, &owner).await?;
        let Some(place) = key_table::place(&transaction, &owner, common::PLACE).await? else {
            transaction.roll_back()?;
            return Err(key_table::no_such_place(&owner));
        };
        let known = self.place(&owner);
        let names = known.names.as_of(&place, &owner, &transaction, &self.inner.tools.keys).await?;
        Ok(Snapshot { transaction, owner, place, names })
    }

    /// Begins a transaction that sees the rows of one tenant.
    pub(super) async fn begin(&self, begin: TransactionMode, owner: &KeyOwner) -> Stored<Transaction> {
        self.admit().await?;
        Transaction::begin(&self.inner.connections, begin, Some(&owner.tenant)).await
    }

    /// Locks a place for writing.
    pub(super) async fn writer(&self, owner: KeyOwner) -> Stored<WriteTransaction> {
        let mut writer = self.open_writer(owner.clone()).await;
        for _ in 0..SNAPSHOT_ATTEMPTS {
            if !is_rotated_away(&writer) {
                break;
            }
            writer = self.open_writer(owner.clone()).await;
        }
        writer
    }

    async fn open_writer(&self, owner: KeyOwner) -> Stored<WriteTransaction> {
        let place = self.place(&owner);
        let transaction = self.begin(TransactionMode::Writing, &owner).await?;
        WriteTransaction::open(transaction, owner, Arc::clone(&self.inner.tools), &place.names).await
    }

    async fn process_queue(self, owner: KeyOwner, place: Arc<OwnerQueue>) {
        loop {
            let waiting: Vec<QueuedOperation> = {
                let mut queue = lock(&place.queue);
                let count = queue.waiting.len().min(GROUP);
                queue.is_processing = count > 0;
                queue.waiting.drain(..count).collect()
            };
            if waiting.is_empty() {
                return;
            }
            self.commit_group(&owner, &place, waiting).await;
        }
    }

    /// Runs the operations, commits them, and sends each its result.
    async fn commit_group(&self, owner: &KeyOwner, place: &OwnerQueue, waiting: Vec<QueuedOperation>) {
        let (operations, replies): (Vec<Operation>, Vec<_>) =
            waiting.into_iter().map(|waiting| (waiting.operation, waiting.reply)).unzip();
        let mut answers = Vec::with_capacity(operations.len());
        let committed = self.run_group(owner, place, operations, &mut answers).await;
        self.inner.health.note(&committed);
        if committed.is_ok() && self.inner.address.pooling().can_listen() {
            self.inner.notices.changed(owner);
        }
        let mut answers = answers.into_iter();
        for reply in replies {
            let answer = answers.next().unwrap_or(Err(StoreError::Closed));
            // The caller may have stopped waiting; the operation is committed all the same.
            let _ = reply.send(committed.as_ref().map_err(clone_error).and(answer));
        }
    }

    async fn run_group(
        &self,
        owner: &KeyOwner,
        place: &OwnerQueue,
        operations: Vec<Operation>,
        answers: &mut Vec<Stored<Receipt>>,
    ) -> Stored<()> {
        let mut writer = self.writer(owner.clone()).await?;
        let company = if operations.len() == 1 { CommitMode::Alone } else { CommitMode::Group };
        for operation in operations {
            let saved = writer.save();
            match writer.perform_in(company, operation).await {
                Ok(receipt) => answers.push(Ok(receipt)),
                Err(error @ (StoreError::Unavailable { .. } | StoreError::ReadOnly { .. })) => {
                    return Err(error);
                }
                Err(error) => {
                    answers.push(Err(error));
                    if company == CommitMode::Alone {
                        return writer.transaction.roll_back();
                    }
                    writer.transaction.undo().await?;
                    writer.restore(saved);
                }
            }
        }
        place.names.publish(&writer.commit().await?);
        Ok(())
    }
}

impl KeyOwner {
    pub(super) fn of(scope: &Scope) -> Self {
        Self { tenant: scope.tenant.clone(), persona: Some(scope.persona) }
    }
}

/// Whether the read failed because a rotation destroyed its key meanwhile.
fn is_rotated_away<T>(answer: &Stored<T>) -> bool {
    matches!(answer, Err(StoreError::Keys(KeyDirectoryError::MissingEpoch { .. })))
}

/// A copy of the error for each operation of a failed group commit.
fn clone_error(error: &StoreError) -> StoreError {
    if let StoreError::ReadOnly { reason } = error {
        return StoreError::ReadOnly { reason: reason.clone() };
    }
    if let StoreError::Unavailable { reason } = error {
        return StoreError::Unavailable { reason: reason.clone() };
    }
    if let StoreError::NoPersona(scope) = error {
        return StoreError::NoPersona(scope.clone());
    }
    if let StoreError::Closed = error { StoreError::Closed } else { StoreError::NotKept(error.to_string()) }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
