//! Operations: backups, health checks, audit logs, key epochs and change events.

pub mod backup;
pub mod doctor;
pub(crate) mod audit;
pub(crate) mod key_epochs;
pub(crate) mod events;

use backup::LastBackup;

/// What upkeep remembers of its last work. Its fields are visible in this room only.
#[derive(Default)]
pub(crate) struct UpkeepState {
    last_backup: LastBackup,
}
