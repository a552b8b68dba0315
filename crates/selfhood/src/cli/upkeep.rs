//! The definitions of `selfhood backup …`, `selfhood vault …` and `selfhood doctor`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// What can be done with backups.
#[derive(Subcommand)]
pub(crate) enum Backup {
    /// Copy everything but the keys into one file, while the home is in use.
    Create(BackupCreate),
    /// Check a backup: its contents, and with the keys every record in it.
    Verify(BackupVerify),
    /// Restore a backup into a new home.
    Restore(BackupRestore),
    /// List the scheduled backups.
    List,
    /// Restore the newest scheduled backup into a temporary folder, and open every record in it.
    Drill,
}

/// Makes a backup.
#[derive(Args)]
#[command(after_help = "\
The keys are not in a backup, and without them it can't be opened: keep a copy of the key directory elsewhere.

Examples:
  selfhood backup create /media/disk/self.backup
  selfhood backup create s3://backups/self.backup                      storage that speaks S3
  0 3 * * *  selfhood backup create /backups/$(date +\\%F).backup      as a line of a crontab")]
pub(crate) struct BackupCreate {
    /// The new file, or `s3://BUCKET/NAME`; an existing one is never overwritten.
    pub(crate) file: PathBuf,
}

/// Checks a backup.
#[derive(Args)]
#[command(after_help = "\
With the keys, every record is opened. Without them the contents are checked by their hashes, and the signature
if its signer is named; if it isn't, the command ends with 8.

Examples:
  selfhood backup verify self.backup
  selfhood backup verify self.backup --signer did:key:z6Mk…            without the keys, anywhere")]
pub(crate) struct BackupVerify {
    /// The backup, or `s3://BUCKET/NAME`.
    pub(crate) file: PathBuf,
    /// The public key of an accepted operator; when left out, those of the key directory.
    #[arg(long, value_name = "DID")]
    pub(crate) signer: Vec<String>,
    /// A home with newer keyrings than the backup, after a key rotation.
    #[arg(long, value_name = "HOME")]
    pub(crate) keyrings: Option<PathBuf>,
}

/// Restores a backup.
#[derive(Args)]
#[command(after_help = "\
Put your copy of the key directory beside the new home first, or name it with --keys. Give each home its
own copy: a rotation in one home would make another one that shares its keys unreadable.

Examples:
  selfhood backup restore self.backup --home ~/self --keys ~/self.keys
  selfhood backup restore old.backup --home ~/then --keyrings ~/self      made before the keys were rotated")]
pub(crate) struct BackupRestore {
    /// The backup, or `s3://BUCKET/NAME`.
    pub(crate) file: PathBuf,
    /// A home with newer keyrings than the backup, after a key rotation.
    #[arg(long, value_name = "HOME")]
    pub(crate) keyrings: Option<PathBuf>,
}

/// What can be done with the keys that memories are sealed with.
#[derive(Subcommand)]
pub(crate) enum Vault {
    /// Show the state of the tenant's keys.
    Status,
    /// Rotate to the next key epoch; everything sealed under destroyed keys becomes unreadable everywhere.
    Rotate(VaultRotate),
    /// Open every record, and verify logs and keyring.
    Verify,
    /// Registered copies of the key directory, which follow every rotation.
    #[command(subcommand)]
    Mirror(Mirror),
}

/// Rotates keys.
#[derive(Args)]
#[command(after_help = "\
Backups made before a rotation need the newest keyring to be restored, and lose their documents: make a new
backup afterwards.")]
pub(crate) struct VaultRotate {
    /// Show what would be rotated, and change nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Don't ask for confirmation.
    #[arg(long)]
    pub(crate) yes: bool,
}

/// What can be done with a store.
#[derive(Subcommand)]
pub(crate) enum StoreVerb {
    /// Prepare a PostgreSQL database, before the first node starts.
    Init(StoreInit),
    /// Copy everything from a home into a PostgreSQL database, or back, and compare the two.
    Copy(StoreCopy),
}

/// Makes a database.
#[derive(Args)]
pub(crate) struct StoreInit {
    /// Split the tenant tables into this many partitions, by a hash of the tenant.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) partitions: u32,
}

/// Copies everything.
#[derive(Args)]
#[command(after_help = "\
The source is not changed. Run again after an interruption, it continues where it stopped. Both sides
use the key directory of this home (--keys); stop every server of both before.

Examples:
  selfhood store copy --from ~/.local/share/selfhood --to postgres://selfhood@db.example.org/selfhood
  selfhood store copy --from postgres://selfhood@db.example.org/selfhood --to /srv/home")]
pub(crate) struct StoreCopy {
    /// The source: a home, or a `postgres://` address.
    #[arg(long, value_name = "HOME|URL")]
    pub(crate) from: String,
    /// The target: a home, or a `postgres://` address.
    #[arg(long, value_name = "HOME|URL")]
    pub(crate) to: String,
}

/// What can be done with copies of the key directory.
#[derive(Subcommand)]
pub(crate) enum Mirror {
    /// Register a folder, on another disk, and copy the keys into it.
    Add(MirrorFolder),
    /// Remove a folder from the list; the copy in it stays, and no rotation reaches it.
    Remove(MirrorFolder),
    /// List the folders, and whether each is up to date.
    List,
}

/// A copy of the key directory.
#[derive(Args)]
pub(crate) struct MirrorFolder {
    /// The folder.
    pub(crate) dir: PathBuf,
}

/// Checks everything.
#[derive(Args)]
#[command(after_help = "\
Ends with 0 when nothing is wrong (there may be warnings), and with 6 when something is.

With --fix, personas made before there were templates are offered one: their document gets its half-lives, places
and retention and is signed again, and their memories get the half-life of their kind. What would change is shown
first. On a terminal you are asked; elsewhere nothing is changed without --yes.")]
pub(crate) struct Doctor {
    /// Repair what is safe: permissions, and half-written files after a crash. Offer templates to older
    /// personas.
    #[arg(long)]
    pub(crate) fix: bool,
    /// With --fix: accept the offered templates without asking.
    #[arg(long, requires = "fix")]
    pub(crate) yes: bool,
}
