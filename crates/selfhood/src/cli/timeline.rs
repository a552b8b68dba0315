//! The definition of `selfhood timeline …`.

use clap::{Args, Subcommand};

use super::choice;
use super::moment::Moment;
use super::number;

/// What can be done with a timeline.
#[derive(Subcommand)]
pub(crate) enum Timeline {
    /// Append an event; it may not be earlier than the latest one.
    Add(TimelineAdd),
    /// List the events of a timeline.
    List(TimelineList),
    /// Revise an event: the revision replaces it, and the original is kept as superseded.
    Revise(TimelineRevise),
    /// Mark an event as superseded, without a replacement.
    Supersede(TimelineSupersede),
    /// Destroy an entry; only its number stays.
    Redact(TimelineRedact),
    /// Check for gaps, backward steps and contradictions; finding any exits with 6.
    Check,
}

/// What happened, how it felt and what it meant.
#[derive(Args)]
pub(crate) struct Event {
    /// When it happened: a time, a day, or an interval such as `-3y`.
    #[arg(long = "event-at", value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) at: Option<Moment>,
    /// What happened.
    #[arg(long, value_name = "TEXT")]
    pub(crate) facts: Option<String>,
    /// How it felt.
    #[arg(long, value_name = "TEXT")]
    pub(crate) feelings: Option<String>,
    /// What it means to the persona.
    #[arg(long, value_name = "TEXT")]
    pub(crate) interpretation: Option<String>,
    /// An emotion in it; may be given several times.
    #[arg(long = "emotion", value_name = "WORD")]
    pub(crate) emotions: Vec<String>,
    /// How vividly it is recalled, 0 to 100.
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = number::decimal)]
    pub(crate) strength: Option<f64>,
    /// A phrase that brings up a repressed event; may be given several times.
    #[arg(long = "trigger", value_name = "PHRASE")]
    pub(crate) triggers: Vec<String>,
    /// Read the event from a JSON file, or from stdin with `-`; flags override it.
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<String>,
}

/// Appends an event.
#[derive(Args)]
#[command(
    arg_required_else_help = true,
    after_help = "\
A label, --facts, --feelings and --interpretation are needed, as in the API; flags or the file of --json \
give them.
Left out, --event-at is now, --type is normal, --strength is 50, and there are no emotions.

Example:
  selfhood timeline add \"First day at the hotel\" --event-at 2019-05-02 \\
    --facts \"Started as night porter at the Harbour House.\" \\
    --feelings \"Proud, and afraid of the telephone.\" \\
    --interpretation \"It is where I learnt to listen.\" \\
    --emotion pride --emotion anxiety --strength 72"
)]
pub(crate) struct TimelineAdd {
    /// A short name; required, here or in the file of --json.
    pub(crate) label: Option<String>,
    #[command(flatten)]
    pub(crate) event: Event,
    /// The memory type; `normal` when left out.
    #[arg(long = "type", value_name = "TYPE", value_parser = choice::memory_type())]
    pub(crate) memory_type: Option<String>,
    /// Accept an event earlier than the latest one; `timeline check` reports it.
    #[arg(long)]
    pub(crate) allow_out_of_order: bool,
}

/// Lists a timeline.
#[derive(Args)]
pub(crate) struct TimelineList {
    /// Include superseded entries.
    #[arg(long)]
    pub(crate) include_superseded: bool,
    /// At most this many; all when left out.
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = number::count)]
    pub(crate) limit: Option<usize>,
    /// Skip this many.
    #[arg(long, value_name = "N", default_value_t = 0, allow_hyphen_values = true, value_parser = number::count)]
    pub(crate) offset: usize,
}

/// Revises an event.
#[derive(Args)]
#[command(after_help = "\
What isn't given stays as it was.

Example:
  selfhood timeline revise 0198c0de --interpretation \"It made me who I am.\" --reason \"I see it clearer now.\"")]
pub(crate) struct TimelineRevise {
    /// The entry, or the beginning of its id.
    pub(crate) id: String,
    /// A new short name.
    #[arg(long, value_name = "TEXT")]
    pub(crate) label: Option<String>,
    #[command(flatten)]
    pub(crate) event: Event,
    /// The reason for the revision.
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: Option<String>,
}

/// Supersedes an entry.
#[derive(Args)]
pub(crate) struct TimelineSupersede {
    /// The entry, or the beginning of its id.
    pub(crate) id: String,
    /// The reason.
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: String,
    /// Show the entry that would be superseded, and change nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Don't ask for confirmation.
    #[arg(long)]
    pub(crate) yes: bool,
}

/// Destroys an entry.
#[derive(Args)]
#[command(after_help = "\
Earlier versions of the entry are destroyed with it, and every key that sealed them. To set an entry aside
instead, use `selfhood timeline supersede`.

Example:
  selfhood timeline redact 0198c0de --reason request --dry-run")]
pub(crate) struct TimelineRedact {
    /// The entry, or the beginning of its id.
    pub(crate) id: String,
    /// The reason.
    #[arg(long, value_name = "CODE|TEXT")]
    pub(crate) reason: String,
    /// Show what would be destroyed, and change nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Don't ask for confirmation.
    #[arg(long)]
    pub(crate) yes: bool,
}
