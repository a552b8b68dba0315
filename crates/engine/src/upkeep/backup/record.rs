//! What is known of the backups that are made by themselves: for the counters and their alarms.

use std::sync::{Mutex, MutexGuard, PoisonError};

use domain::Timestamp;

use crate::Engine;

/// What is known of the backups of a schedule, since this process started.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BackupRecord {
    /// When the newest one was made that is there, by this process or before.
    pub last: Option<Timestamp>,
    /// How long it is; 0 if it was made before.
    pub bytes: u64,
    /// How many were made.
    pub made: u64,
    /// How many attempts failed.
    pub failed: u64,
}

#[derive(Default)]
pub(crate) struct LastBackup(Mutex<BackupRecord>);

impl LastBackup {
    fn open(&self) -> MutexGuard<'_, BackupRecord> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Engine {
    /// What is known of the backups of the schedule.
    #[must_use]
    pub fn backup_record(&self) -> BackupRecord {
        *self.upkeep_state.last_backup.open()
    }

    /// Notes that a backup of this time was found.
    pub fn backup_found(&self, at: Timestamp) {
        let mut record = self.upkeep_state.last_backup.open();
        record.last = record.last.max(Some(at));
    }

    /// Notes that a backup was made and is where it belongs.
    pub fn backup_made(&self, at: Timestamp, bytes: u64) {
        let mut record = self.upkeep_state.last_backup.open();
        *record = BackupRecord { last: Some(at), bytes, made: record.made + 1, ..*record };
    }

    /// Notes that none could be made.
    pub fn backup_failed(&self) {
        self.upkeep_state.last_backup.open().failed += 1;
    }
}
