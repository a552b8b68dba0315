//! Maintenance of a store: integrity, copies, keys.

use std::future::Future;
use std::path::Path;

use domain::{TenantName, Timestamp};

use crate::checkpoint::SignedCheckpoint;
use crate::freshness::Unreadable;
use crate::records::Stored;
use crate::scope::Scope;

/// Operations for operators, backups and `doctor`.
pub trait Upkeep {
    /// Whether writes are accepted, and if not, why.
    fn health(&self) -> impl Future<Output = Health> + Send + '_;

    /// Opens every record of a persona and verifies its log from the first event on.
    fn integrity<'a>(&'a self, scope: &'a Scope) -> impl Future<Output = Stored<Integrity>> + Send + 'a;

    /// Opens the deployment's own records and verifies its log.
    fn deployment_integrity(&self) -> impl Future<Output = Stored<Integrity>> + Send + '_;

    /// Signs a checkpoint of a persona's log if an hour has passed or a thousand events were added, or at
    /// once if `due` says so.
    fn checkpoint<'a>(
        &'a self,
        scope: &'a Scope,
        now: Timestamp,
        due: Due,
    ) -> impl Future<Output = Stored<Option<SignedCheckpoint>>> + Send + 'a;

    /// Signs a checkpoint of the deployment's log at once, if events were added since the last one.
    fn checkpoint_deployment(&self, now: Timestamp) -> impl Future<Output = Stored<()>> + Send + '_;

    /// Rewrites a persona's database so that no byte of a destroyed record is left in it.
    fn scrub<'a>(&'a self, scope: &'a Scope) -> impl Future<Output = Stored<()>> + Send + 'a;

    /// The same for the deployment's own database.
    fn scrub_deployment(&self) -> impl Future<Output = Stored<()>> + Send + '_;

    /// Copies a persona's database to a new file while it is in use; the copy stays sealed.
    fn copy_records<'a>(
        &'a self,
        scope: &'a Scope,
        to: &'a Path,
    ) -> impl Future<Output = Stored<()>> + Send + 'a;

    /// Copies the deployment's database to a new file while it is in use.
    fn copy_deployment<'a>(&'a self, to: &'a Path) -> impl Future<Output = Stored<()>> + Send + 'a;

    /// The state of a tenant's keys.
    fn keys<'a>(&'a self, tenant: &'a TenantName) -> impl Future<Output = Stored<KeyStatus>> + Send + 'a;

    /// Rotates to the tenant's next key epoch: records sealed under destroyed keys become unreadable in
    /// every copy.
    fn rotate<'a>(
        &'a self,
        tenant: &'a TenantName,
        now: Timestamp,
    ) -> impl Future<Output = Stored<KeyStatus>> + Send + 'a;

    /// Takes or renews the lease for making the sentence vectors of a persona, so that nodes that share a
    /// database don't make them twice. `false` while another node has it; always `true` where one process
    /// owns the store.
    fn lease_vectors<'a>(&'a self, scope: &'a Scope) -> impl Future<Output = Stored<bool>> + Send + 'a;

    /// Releases that lease.
    fn release_vectors<'a>(&'a self, scope: &'a Scope) -> impl Future<Output = Stored<()>> + Send + 'a;

    /// Signs the last checkpoints and closes every database. Later calls fail because the store is closed.
    fn close(&self, now: Timestamp) -> impl Future<Output = Stored<()>> + Send + '_;
}

/// Whether a store accepts writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Health {
    /// It accepts writes.
    Well,
    /// It refuses writes until the disk recovers.
    ReadOnly {
        /// The error of the disk.
        reason: String,
    },
    /// It was closed.
    Closed,
}

/// When a checkpoint is signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// When enough events were added since the last one.
    Regularly,
    /// Now, if any events were added.
    AtOnce,
}

/// The result of an integrity check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Integrity {
    /// The database's report on its own pages; empty if they are intact.
    pub pages: Vec<String>,
    /// The number of records opened.
    pub opened: u64,
    /// The records that can't be opened.
    pub unreadable: Vec<Unreadable>,
    /// Why the log can't be verified; empty if it can.
    pub log: Vec<String>,
    /// The number of events in the log.
    pub events: u64,
}

impl Integrity {
    /// Whether no problem was found.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.pages.is_empty() && self.unreadable.is_empty() && self.log.is_empty()
    }
}

/// The state of a tenant's keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyStatus {
    /// The current epoch.
    pub epoch: u64,
    /// The keyring's change counter.
    pub counter: u64,
    /// The number of usable data keys.
    pub living: usize,
    /// The number of destroyed data keys.
    pub destroyed: usize,
    /// Registered mirrors that the last rotation could not bring up to date.
    pub stale_mirrors: Vec<String>,
}
