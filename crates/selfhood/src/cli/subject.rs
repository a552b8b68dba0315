//! `selfhood subject …` and `selfhood sweep` as people type them.

use clap::{Args, Subcommand};

/// What can be done about people.
#[derive(Subcommand)]
pub(crate) enum Subject {
    /// List everyone with records, across the tenant's personas.
    List,
    /// Show what is known of somebody, and until when it may be kept.
    Show(SubjectNamed),
    /// Export everything that is kept of somebody, to hand over: as JSON, or with `-o html` as a page to read.
    Export(SubjectNamed),
    /// Join two references that turn out to be one person.
    Merge(SubjectMerge),
    /// Note another reference to somebody.
    Alias(SubjectAlias),
    /// Withdraw somebody's consent: what rested on it is told no more, and deleted by the next sweep.
    Withdraw(SubjectWithdraw),
    /// Put somebody's records under a legal hold, or lift it.
    Hold(SubjectHold),
}

/// Names somebody.
#[derive(Args)]
pub(crate) struct SubjectNamed {
    /// The person, by reference or alias.
    pub(crate) subject: String,
}

/// Joins two references.
#[derive(Args)]
#[command(after_help = "\
Example:
  selfhood subject merge anon-7f3a --into ana      the anonymous guest was Ana")]
pub(crate) struct SubjectMerge {
    /// Who is no longer a person of their own; kept as an alias.
    pub(crate) from: String,
    /// Who keeps the records.
    #[arg(long, value_name = "WHO")]
    pub(crate) into: String,
    /// Show both, and change nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Don't ask.
    #[arg(long)]
    pub(crate) yes: bool,
}

/// Notes an alias.
#[derive(Args)]
pub(crate) struct SubjectAlias {
    /// The person, by reference or alias.
    pub(crate) subject: String,
    /// The other reference.
    pub(crate) alias: String,
}

/// Withdraws consent.
#[derive(Args)]
pub(crate) struct SubjectWithdraw {
    /// The person, by reference or alias.
    pub(crate) subject: String,
    /// Don't ask.
    #[arg(long)]
    pub(crate) yes: bool,
}

/// Holds records.
#[derive(Args)]
pub(crate) struct SubjectHold {
    /// The person, by reference or alias.
    pub(crate) subject: String,
    /// Lift the hold instead of setting it.
    #[arg(long)]
    pub(crate) lift: bool,
}

/// Sweeps.
#[derive(Args)]
#[command(after_help = "\
Archives what has become too light, deletes what is older than its class allows or lost its ground,
flags sensitive memories for review, and lets go of old traces and tombstones. A legal hold keeps
what it is on. `--persona` sweeps one persona only.

Example:
  selfhood sweep --dry-run")]
pub(crate) struct Sweep {
    /// Show what would happen, and change nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Don't ask.
    #[arg(long)]
    pub(crate) yes: bool,
}
