//! Backups: one file with every database, keyring and document of a home, and not one key.
//!
//! Databases and keyrings are sealed already and lie in it as they are. Documents are plain text on
//! disk, so each is sealed under a key that dies with the tenant's key epoch. Day logs are left out:
//! they say nothing that the turns in the databases do not say. The format is told in `docs/backup.md`.

mod create;
mod failure;
mod file;
mod manifest;
mod part;
mod restore;
mod schedule;
mod settle_in;

pub use failure::BackupError;
pub use file::BackupFile;
pub use manifest::{Manifest, ManifestPart, ManifestTenant};
pub use part::Part;
pub use restore::{Documents, Restoration, Restored, restore};
pub use schedule::Schedule;
pub use settle_in::RestoredHome;
