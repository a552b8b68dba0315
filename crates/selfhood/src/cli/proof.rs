//! The definitions of `selfhood memory residue`, `selfhood memory audit` and `selfhood verify`.

use std::path::PathBuf;

use clap::Args;

use super::moment::Moment;

/// Looks for what should be gone.
#[derive(Args)]
#[command(
    arg_required_else_help = true,
    after_help = "\
Every file of the home, its keys, their registered copies and our temporary files is searched, byte by \
byte, for
every form of the words; then every record is opened and searched. A canary planted moments before must be found,
or the search proves nothing. Ends with 0 when nothing is left, 6 when something is, 8 when not everything was seen.

Examples:
  selfhood memory residue --subject ana
  selfhood memory residue --text ana@example.org
  selfhood memory residue --text ana@example.org --path old.backup
  selfhood memory residue --text ana@example.org --path /var/lib/postgresql/15/main"
)]
pub(crate) struct MemoryResidue {
    /// Search for all identifiers of this person.
    #[arg(long, value_name = "REF", conflicts_with = "text", required_unless_present = "text")]
    pub(crate) subject: Option<String>,
    /// Search for these words.
    #[arg(long, value_name = "TEXT")]
    pub(crate) text: Option<String>,
    /// Search this file or folder instead of the home: a backup, logs, a database's data directory.
    #[arg(long, value_name = "PATH")]
    pub(crate) path: Option<PathBuf>,
}

/// Reports on the audit logs.
#[derive(Args)]
#[command(after_help = "\
Examples:
  selfhood memory audit --from 2026-04-01 --to 2026-05-01      what happened in April
  selfhood memory audit -o html > audit.html                   the same as a page to read or print
  selfhood memory audit --verify                               verify every log from its first event
  selfhood memory audit --verify --against kept.txt            … and that it continues a checkpoint stored elsewhere
  selfhood memory audit --export logs/                         export the logs; `selfhood verify` verifies them anywhere")]
pub(crate) struct MemoryAudit {
    /// Only events from this time on.
    #[arg(long, value_name = "DATE", allow_hyphen_values = true)]
    pub(crate) from: Option<Moment>,
    /// Only events before this time, and the memories and open erasures as they were then.
    #[arg(long, value_name = "DATE", allow_hyphen_values = true)]
    pub(crate) to: Option<Moment>,
    /// Verify the logs instead of reporting on them.
    #[arg(long)]
    pub(crate) verify: bool,
    /// A file with a checkpoint stored elsewhere; its log must continue it.
    #[arg(long, value_name = "CHECKPOINT", requires = "verify")]
    pub(crate) against: Option<PathBuf>,
    /// Write each log into a file of this folder.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["verify", "from", "to"])]
    pub(crate) export: Option<PathBuf>,
}

/// Verifies a certificate or an exported log.
#[derive(Args)]
#[command(
    arg_required_else_help = true,
    after_help = "\
Needs no home and no network, only the public key of the operator. Ends with 6 if anything was changed.

Examples:
  selfhood verify certificate.json --signer did:key:z6Mk…
  selfhood verify nora.jsonl --signer did:key:z6Mk… --against kept.txt"
)]
pub(crate) struct Verify {
    /// A certificate of erasure, the requester's copy of it, or an exported audit log.
    #[arg(value_name = "CERT")]
    pub(crate) file: PathBuf,
    /// The public key of an accepted operator; when left out, those of the key directory.
    #[arg(long, value_name = "DID")]
    pub(crate) signer: Vec<String>,
    /// A file with a checkpoint stored elsewhere; the log must continue it.
    #[arg(long, value_name = "CHECKPOINT")]
    pub(crate) against: Option<PathBuf>,
    /// Write the certificate as an HTML page into this new file.
    #[arg(long, value_name = "FILE")]
    pub(crate) page: Option<PathBuf>,
}
