//! Looking after the store: is it whole, can it be copied, are its keys in order.

use std::future::Future;
use std::path::Path;

use domain::{TenantName, Timestamp};

use crate::checkpoint::SignedCheckpoint;
use crate::freshness::Unreadable;
use crate::records::Stored;
use crate::scope::Scope;

/// What an operator, a backup and the doctor ask of a store.
pub trait Upkeep {
    /// Whether writes are taken, and if not, why.
    fn health(&self) -> impl Future<Output = Health> + Send;

    /// Looks at every record of a persona and proves its log from the first event on.
    fn integrity(&self, scope: &Scope) -> impl Future<Output = Stored<Integrity>> + Send;

    /// Looks at the deployment's own records and proves its log.
    fn deployment_integrity(&self) -> impl Future<Output = Stored<Integrity>> + Send;

    /// Signs a checkpoint of a persona's log if an hour has passed or a thousand events, or at once if asked.
    fn checkpoint(
        &self,
        scope: &Scope,
        now: Timestamp,
        due: Due,
    ) -> impl Future<Output = Stored<Option<SignedCheckpoint>>> + Send;

    /// Signs a checkpoint of the deployment's log at once, if anything happened since the last one.
    fn checkpoint_deployment(&self, now: Timestamp) -> impl Future<Output = Stored<()>> + Send;

    /// Rewrites a persona's database so that no byte of a destroyed record is left in it.
    fn scrub(&self, scope: &Scope) -> impl Future<Output = Stored<()>> + Send;

    /// The same for the deployment's own database.
    fn scrub_deployment(&self) -> impl Future<Output = Stored<()>> + Send;

    /// Copies a persona's database to a new file while it is in use; the copy stays sealed.
    fn copy_records(&self, scope: &Scope, to: &Path) -> impl Future<Output = Stored<()>> + Send;

    /// Copies the deployment's database to a new file while it is in use.
    fn copy_deployment(&self, to: &Path) -> impl Future<Output = Stored<()>> + Send;

    /// What is known of a tenant's keys.
    fn keys(&self, tenant: &TenantName) -> impl Future<Output = Stored<KeyStatus>> + Send;

    /// Goes to the tenant's next key epoch: what was sealed under destroyed keys is unreadable everywhere.
    fn rotate(&self, tenant: &TenantName, now: Timestamp) -> impl Future<Output = Stored<KeyStatus>> + Send;

    /// Takes or renews the right to make the sentence vectors of a persona, so that nodes that share a database don't
    /// make them twice. `false` while another node has it; where one process owns everything it is always its own.
    fn lease_vectors(&self, scope: &Scope) -> impl Future<Output = Stored<bool>> + Send;

    /// Gives that right back.
    fn release_vectors(&self, scope: &Scope) -> impl Future<Output = Stored<()>> + Send;

    /// Signs the last checkpoints and closes every database. Later calls answer that the store is closed.
    fn close(&self, now: Timestamp) -> impl Future<Output = Stored<()>> + Send;
}

/// Whether a store takes writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Health {
    /// It does.
    Well,
    /// It does not, until the disk is well again.
    ReadOnly {
        /// What the disk said.
        reason: String,
    },
    /// It was closed.
    Closed,
}

/// When a checkpoint is signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// When enough happened since the last one.
    Regularly,
    /// Now, if anything happened at all.
    AtOnce,
}

/// What was found when everything was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Integrity {
    /// What the database says about its own pages; empty if they are well.
    pub pages: Vec<String>,
    /// How many records were opened.
    pub opened: u64,
    /// Which records can't be opened.
    pub unreadable: Vec<Unreadable>,
    /// Why the log does not prove itself; empty if it does.
    pub log: Vec<String>,
    /// How many events the log has.
    pub events: u64,
}

impl Integrity {
    /// Whether nothing was found.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.pages.is_empty() && self.unreadable.is_empty() && self.log.is_empty()
    }
}

/// What is known of a tenant's keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyStatus {
    /// The epoch in force.
    pub epoch: u64,
    /// How many changes the keyring has seen.
    pub counter: u64,
    /// How many data keys live.
    pub living: usize,
    /// How many were destroyed.
    pub destroyed: usize,
    /// Registered mirrors that the last rotation could not bring up to date.
    pub stale_mirrors: Vec<String>,
}
