//! `selfhood distill …` and `selfhood jobs …` as people type them.

use clap::{Args, Subcommand};

/// What can be done with digests.
#[derive(Subcommand)]
#[command(after_help = "\
Examples:
  selfhood distill mid --dry-run          see what would change
  selfhood distill long                   see what changes, and write it after a yes
  selfhood distill cues --dry-run         how many memories have no cues, and what they would cost
  selfhood distill status                 when each digest is made next, and how it went last")]
pub(crate) enum Distill {
    /// Make the digest of recent talk anew, as it was said.
    Short(DistillOne),
    /// Condense what was said since the last time into the digest of weeks.
    Mid(DistillOne),
    /// Take the digest of weeks into the digest of what is known for good.
    Long(DistillOne),
    /// Have a model write cues for memories and timeline entries that have none, within the day's budget.
    Cues(DistillCues),
    /// Show when each digest is made next, and how it went last.
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
    /// Don't ask.
    #[arg(long)]
    pub(crate) yes: bool,
}

/// Writes cues.
#[derive(Args)]
pub(crate) struct DistillCues {
    /// Say how many have none and about what they would cost. No model is asked and nothing is changed.
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// What happens by itself.
#[derive(Args)]
pub(crate) struct Jobs {
    #[command(subcommand)]
    pub(crate) verb: Option<JobsVerb>,
}

/// What can be done with jobs.
#[derive(Subcommand)]
pub(crate) enum JobsVerb {
    /// List them, with when they run next and how they went last.
    List,
    /// Let a job rest.
    Pause(OneJob),
    /// Let a job go on.
    Resume(OneJob),
}

/// A job.
#[derive(Args)]
pub(crate) struct OneJob {
    /// Its name, as the list shows it.
    pub(crate) name: String,
}
