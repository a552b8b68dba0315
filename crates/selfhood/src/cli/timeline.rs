//! `selfhood timeline …` as people type it.

use clap::{Args, Subcommand};

use super::choice;
use super::moment::Moment;

/// What can be done with a life.
#[derive(Subcommand)]
pub(crate) enum Timeline {
    /// Append an event; it may not lie before the latest one.
    Add(TimelineAdd),
    /// List the events of a life.
    List(TimelineList),
    /// See an event anew: a revision takes its place, and it is kept as superseded.
    Revise(TimelineRevise),
    /// Mark an event as superseded, without another in its place.
    Supersede(TimelineSupersede),
    /// Destroy an entry for good; only its number stays.
    Redact(TimelineRedact),
    /// Look for gaps, backward steps and contradictions; finding any exits with 6.
    Check,
}

/// What happened, how it felt and what it meant.
#[derive(Args)]
pub(crate) struct Event {
    /// When it happened: a time, a day, or a distance such as `-3y`.
    #[arg(long = "event-at", value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) at: Option<Moment>,
    /// What happened.
    #[arg(long, value_name = "TEXT")]
    pub(crate) facts: Option<String>,
    /// How it felt.
    #[arg(long, value_name = "TEXT")]
    pub(crate) feelings: Option<String>,
    /// What the persona makes of it.
    #[arg(long, value_name = "TEXT")]
    pub(crate) interpretation: Option<String>,
    /// An emotion in it; may be given several times.
    #[arg(long = "emotion", value_name = "WORD")]
    pub(crate) emotions: Vec<String>,
    /// How vividly it is recalled, 0 to 100.
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(crate) strength: Option<f64>,
    /// A phrase that brings up a repressed event; may be given several times.
    #[arg(long = "trigger", value_name = "PHRASE")]
    pub(crate) triggers: Vec<String>,
    /// Take the event from a JSON file, or from stdin with `-`; flags win over it.
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<String>,
}

/// Appends an event.
#[derive(Args)]
#[command(
    arg_required_else_help = true,
    after_help = "\
A label, --facts, --feelings and --interpretation are needed, as in the API; flags or the file of --json give them.
Left out, --event-at is now, --type is normal, --strength is 50, and there are no emotions.

Example:
  selfhood timeline add \"First day at the hotel\" --event-at 2019-05-02 \\
    --facts \"Started as night porter at the Harbour House.\" \\
    --feelings \"Proud, and afraid of the telephone.\" \\
    --interpretation \"It is where I learnt to listen.\" \\
    --emotion pride --emotion anxiety --strength 72"
)]
pub(crate) struct TimelineAdd {
    /// A short name for it; needed, here or in the file of --json.
    pub(crate) label: Option<String>,
    #[command(flatten)]
    pub(crate) event: Event,
    /// How the persona relates to it; `normal` when left out.
    #[arg(long = "type", value_name = "TYPE", value_parser = choice::memory_type())]
    pub(crate) memory_type: Option<String>,
    /// Take an event that happened before the latest one all the same; `timeline check` reports it.
    #[arg(long)]
    pub(crate) allow_out_of_order: bool,
}

/// Lists a life.
#[derive(Args)]
pub(crate) struct TimelineList {
    /// Superseded entries too.
    #[arg(long)]
    pub(crate) include_superseded: bool,
    /// At most so many; all when left out.
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,
    /// Skip so many.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) offset: usize,
}

/// Sees an event anew.
#[derive(Args)]
#[command(after_help = "\
What isn't given stays as it was.

Example:
  selfhood timeline revise 0198c0de --interpretation \"It made me who I am.\" --reason \"I see it clearer now.\"")]
pub(crate) struct TimelineRevise {
    /// The entry, or the beginning of its id.
    pub(crate) id: String,
    /// Another short name for it.
    #[arg(long, value_name = "TEXT")]
    pub(crate) label: Option<String>,
    #[command(flatten)]
    pub(crate) event: Event,
    /// Why it is seen anew.
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: Option<String>,
}

/// Supersedes an entry.
#[derive(Args)]
pub(crate) struct TimelineSupersede {
    /// The entry, or the beginning of its id.
    pub(crate) id: String,
    /// Why.
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: String,
    /// Show the entry that would be superseded, and change nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Don't ask.
    #[arg(long)]
    pub(crate) yes: bool,
}

/// Destroys an entry.
#[derive(Args)]
#[command(after_help = "\
Earlier versions of the entry go with it, and every key that sealed them. To set an entry aside
instead, use `selfhood timeline supersede`.

Example:
  selfhood timeline redact 0198c0de --reason request --dry-run")]
pub(crate) struct TimelineRedact {
    /// The entry, or the beginning of its id.
    pub(crate) id: String,
    /// Why.
    #[arg(long, value_name = "CODE|TEXT")]
    pub(crate) reason: String,
    /// Show what would be destroyed, and change nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Don't ask.
    #[arg(long)]
    pub(crate) yes: bool,
}
