//! The definitions of `selfhood subject …` and `selfhood sweep`.

use clap::{Args, Subcommand};

/// What can be done about people.
#[derive(Subcommand)]
pub(crate) enum Subject {
    /// List all people with records, across the tenant's personas.
    List,
    /// Show what is stored about a person, and until when.
    Show(SubjectNamed),
    /// Export everything stored about a person, for that person: as JSON, or with `-o html` as a page.
    Export(SubjectNamed),
    /// Merge two references of one person.
    Merge(SubjectMerge),
    /// Add another reference to a person.
    Alias(SubjectAlias),
    /// Withdraw a person's consent: memories that depend on it are hidden, and deleted by the next sweep.
    Withdraw(SubjectWithdraw),
    /// Put a person's records under a legal hold, or lift it.
    Hold(SubjectHold),
}

/// Names a person.
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
    /// The reference that becomes an alias.
    pub(crate) from: String,
    /// The reference that keeps the records.
    #[arg(long, value_name = "WHO")]
    pub(crate) into: String,
    /// Show both, and change nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Don't ask for confirmation.
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
    /// Don't ask for confirmation.
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
Archives memories that are too light, deletes records past their retention or without a consent basis,
flags sensitive memories for review, and deletes old traces and tombstones. A legal hold suspends
deletion. `--persona` sweeps one persona only.

Example:
  selfhood sweep --dry-run")]
pub(crate) struct Sweep {
    /// Show what would happen, and change nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Don't ask for confirmation.
    #[arg(long)]
    pub(crate) yes: bool,
}
