//! The definitions of `selfhood distill …` and `selfhood jobs …`.

use clap::{Args, Subcommand};

/// What can be done with digests.
#[derive(Subcommand)]
#[command(after_help = "\
Examples:
  selfhood distill mid --dry-run          see what would change
  selfhood distill long                   see what changes, and write it after a yes
  selfhood distill cues --dry-run         how many memories have no cues, and the estimated cost
  selfhood distill status                 when each digest is made next, and the last result")]
pub(crate) enum Distill {
    /// Rebuild the digest of recent conversations, verbatim.
    Short(DistillOne),
    /// Condense new conversations into the digest of weeks.
    Mid(DistillOne),
    /// Condense the digest of weeks into the long-term digest.
    Long(DistillOne),
    /// Let a model write missing cues for memories and timeline entries, within the day's budget.
    Cues(DistillCues),
    /// Show when each digest is made next, and the last result.
    Status,
}

/// Makes a digest.
#[derive(Args)]
pub(crate) struct DistillOne {
    /// Only this person's; everyone's when left out.
    #[arg(long, value_name = "WHO")]
    pub(crate) subject: Option<String>,
    /// Show what would change, and change nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Don't ask for confirmation.
    #[arg(long)]
    pub(crate) yes: bool,
}

/// Writes cues.
#[derive(Args)]
pub(crate) struct DistillCues {
    /// Show how many have none and the estimated cost. No model is asked and nothing is changed.
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// Scheduled jobs.
#[derive(Args)]
pub(crate) struct Jobs {
    #[command(subcommand)]
    pub(crate) verb: Option<JobsVerb>,
}

/// What can be done with jobs.
#[derive(Subcommand)]
pub(crate) enum JobsVerb {
    /// List the jobs, with their next run and last result.
    List,
    /// Pause a job.
    Pause(OneJob),
    /// Resume a job.
    Resume(OneJob),
}

/// A job.
#[derive(Args)]
pub(crate) struct OneJob {
    /// Its name, as the list shows it.
    pub(crate) name: String,
}
