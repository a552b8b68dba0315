//! Backups: one file with every database, keyring and document of a home, and no key.
//!
//! Databases and keyrings are sealed already and copied as they are. Documents are plain text on disk, so
//! each is sealed under a key that is destroyed with the tenant's key epoch. Day logs are left out: the turns
//! in the databases contain the same. The format is described in `docs/backup.md`.

mod create;
mod failure;
mod file;
mod manifest;
mod part;
mod record;
mod restore;
mod schedule;
mod check_restored;

pub use check_restored::RestoredHome;
pub use failure::BackupError;
pub use file::BackupFile;
pub use manifest::{Manifest, ManifestPart, ManifestTenant};
pub use part::Part;
pub use record::BackupRecord;
pub(crate) use record::LastBackup;
pub use restore::{Documents, Restoration, Restored, restore};
pub use schedule::{Schedule, made_at};
