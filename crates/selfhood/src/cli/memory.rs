//! The definition of `selfhood memory …`.

use std::convert::Infallible;
use std::str::FromStr;

use clap::{ArgGroup, Args, Subcommand};

use super::choice;
use super::moment::Moment;
use super::number;
use super::proof::{MemoryAudit, MemoryResidue};

/// What can be done with memories.
#[derive(Subcommand)]
pub(crate) enum Memory {
    /// Create a memory.
    Add(MemoryAdd),
    /// List memories, heaviest first.
    List(MemoryList),
    /// Show a memory, how it fades, and when it was rehearsed.
    Inspect(MemoryInspect),
    /// Recall memories for a cue, as text for a prompt.
    Search(MemorySearch),
    /// Explain why a recall returned what it did.
    Why(MemoryWhy),
    /// Replace a wrong memory with a corrected one.
    Correct(MemoryCorrect),
    /// Pin a memory, so that it keeps its weight; its details still fade.
    Pin(MemoryPin),
    /// Unpin a memory, so that it fades again.
    Unpin(MemoryPin),
    /// Set a memory aside, archive it, or destroy it.
    Redact(MemoryRedact),
    /// Forget a person everywhere, with a certificate.
    RedactUser(MemoryRedactUser),
    /// Restore a memory that was set aside or archived.
    Restore(MemoryRestore),
    /// Search every file and record for data that should be gone.
    Residue(MemoryResidue),
    /// Report on the audit logs, verify them, or export them.
    Audit(MemoryAudit),
    /// Test the right to be forgotten: plant known data in a temporary tenant, forget it, search for it,
    /// verify it.
    SelfTest,
}

/// A detail with its brightness: `TEXT@0.4`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NewDetail {
    pub(crate) content: String,
    pub(crate) brightness: f64,
}

impl NewDetail {
    /// The default brightness of a detail.
    const BRIGHT: f64 = 0.8;
}

impl FromStr for NewDetail {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        let given = text.rsplit_once('@').and_then(|(content, number)| Some((content, number.parse().ok()?)));
        let (content, brightness) = given.unwrap_or((text, Self::BRIGHT));
        Ok(Self { content: content.to_owned(), brightness })
    }
}

/// Creates a memory.
#[derive(Args)]
#[command(
    arg_required_else_help = true,
    after_help = "\
Examples:
  selfhood memory add \"The sauna opens at seven.\" --kind semantic
  selfhood memory add \"Ana thanked me for the seafood place.\" --subject ana \\
    --privacy-class guest-pii --consent-basis service-delivery --valence 0.6 \\
    --detail \"wore a red scarf@0.4\" --detail \"it was raining@0.2\" --tag restaurant"
)]
pub(crate) struct MemoryAdd {
    /// The sentence that stays whole as long as the memory is remembered.
    pub(crate) gist: Option<String>,
    /// The kind; `episodic` when left out.
    #[arg(long, value_name = "KIND", value_parser = choice::kind())]
    pub(crate) kind: Option<String>,
    /// A detail, which fades by itself, with its brightness after `@`; may be given several times.
    #[arg(long = "detail", value_name = "TEXT[@N]")]
    pub(crate) details: Vec<NewDetail>,
    /// The weight, 0 to 1; 0.5 when left out.
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = number::decimal)]
    pub(crate) salience: Option<f64>,
    /// The feeling, −1 to 1; 0 when left out.
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = number::decimal)]
    pub(crate) valence: Option<f64>,
    /// The privacy class; when left out, `guest-pii` with a subject and `non-pii` without.
    #[arg(long, value_name = "CLASS", value_parser = choice::privacy_class())]
    pub(crate) privacy_class: Option<String>,
    /// The consent basis; personal data needs one.
    #[arg(long, value_name = "BASIS")]
    pub(crate) consent_basis: Option<String>,
    /// The person it is about.
    #[arg(long, value_name = "WHO")]
    pub(crate) subject: Option<String>,
    /// Another person in it; may be given several times.
    #[arg(long = "mention", value_name = "WHO")]
    pub(crate) mentions: Vec<String>,
    /// A label; may be given several times.
    #[arg(long = "tag", value_name = "WORD")]
    pub(crate) tags: Vec<String>,
    /// A phrase for which it should be recalled; may be given up to 8 times.
    #[arg(long = "cue", value_name = "TEXT")]
    pub(crate) cues: Vec<String>,
    /// When it happened or is planned: a year, a month or a day.
    #[arg(long, value_name = "DATE")]
    pub(crate) event_date: Option<String>,
    /// The half-life in days; when left out, the policy's for its kind.
    #[arg(long, value_name = "DAYS", allow_hyphen_values = true, value_parser = number::decimal)]
    pub(crate) half_life: Option<f64>,
    /// Keep its weight; its details still fade.
    #[arg(long)]
    pub(crate) pinned: bool,
    /// When it was formed, if earlier: a time, a day, or an interval such as `-3d`.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) created_at: Option<Moment>,
    /// Read the memory from a JSON file, or from stdin with `-`; flags override it.
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<String>,
}

/// Lists memories.
#[derive(Args, Default)]
#[command(after_help = "\
Examples:
  selfhood memory list --privacy-class guest-pii --min-salience 0.4
  selfhood memory list seafood                         about anyone, including faded ones
  selfhood memory list --subject ana --at +30d         what is remembered of Ana in a month
  selfhood memory list -o jsonl > memories.jsonl")]
pub(crate) struct MemoryList {
    /// Only those that match these words, best first: by words, meaning or label.
    #[arg(value_name = "WORDS")]
    pub(crate) words: Option<String>,
    /// Only this class.
    #[arg(long, value_name = "CLASS", value_parser = choice::privacy_class())]
    pub(crate) privacy_class: Option<String>,
    /// Only those with at least this weight.
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = number::decimal)]
    pub(crate) min_salience: Option<f64>,
    /// Only this kind.
    #[arg(long, value_name = "KIND", value_parser = choice::kind())]
    pub(crate) kind: Option<String>,
    /// Only those with this label.
    #[arg(long, value_name = "WORD")]
    pub(crate) tag: Option<String>,
    /// Only this person's.
    #[arg(long, value_name = "WHO")]
    pub(crate) subject: Option<String>,
    /// Only pinned ones.
    #[arg(long)]
    pub(crate) pinned: bool,
    /// Include redacted and archived ones.
    #[arg(long)]
    pub(crate) include_redacted: bool,
    /// Show the tombstones of destroyed memories: id, time and reason.
    #[arg(long)]
    pub(crate) tombstones: bool,
    /// As remembered at this time: a time, a day, or an interval such as `+30d` or `-2w`.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) at: Option<Moment>,
    /// At most this many per persona; all when left out.
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = number::count)]
    pub(crate) limit: Option<usize>,
}

/// Shows a memory.
#[derive(Args)]
pub(crate) struct MemoryInspect {
    /// The memory, or the beginning of its id.
    pub(crate) id: String,
    /// As remembered at this time: a time, a day, or an interval such as `+30d` or `-2w`.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) at: Option<Moment>,
}

/// Recalls.
#[derive(Args)]
#[command(after_help = "\
Examples:
  selfhood memory search \"seafood\"
  selfhood memory search \"seafood\" --subject ana             what Ana would get
  selfhood memory search \"seafood\" --subject ana --at +60d   what would be remembered of it")]
pub(crate) struct MemorySearch {
    /// The cue.
    pub(crate) cue: String,
    /// The listener; the owner when left out.
    #[arg(long, value_name = "WHO")]
    pub(crate) subject: Option<String>,
    /// The conversation.
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// A topic; may be given several times.
    #[arg(long = "topic", value_name = "WORD")]
    pub(crate) topics: Vec<String>,
    /// At most this many memories.
    #[arg(long, value_name = "N")]
    pub(crate) max: Option<u32>,
    /// Store nothing: no rehearsal, no trace.
    #[arg(long)]
    pub(crate) off_record: bool,
    /// As remembered at this time: a time, a day, or an interval such as `+30d` or `-2w`.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) at: Option<Moment>,
}

/// Explains a recall.
#[derive(Args)]
pub(crate) struct MemoryWhy {
    /// The id of the recall, as `search` prints it.
    pub(crate) recall_id: String,
}

/// What `memory correct` can change: without any of it, it would only replace a memory with its copy.
const CHANGES: [&str; 8] =
    ["gist", "details", "salience", "valence", "tags", "cues", "no_cues", "event_date"];

/// Corrects a memory.
#[derive(Args)]
#[command(group = ArgGroup::new("change").required(true).multiple(true).args(CHANGES), after_help = "\
What isn't given stays as it was; details, labels and cues are replaced as a whole. Cues alone make no new
memory: they are changed in place.

Examples:
  selfhood memory correct 7f3a --gist \"Ana thanked me for the oyster bar.\"
  selfhood memory correct 7f3a --cue \"where to eat fish\" --cue \"somebody thanks me\"")]
pub(crate) struct MemoryCorrect {
    /// The memory, or the beginning of its id.
    pub(crate) id: String,
    /// The corrected sentence.
    #[arg(long, value_name = "TEXT")]
    pub(crate) gist: Option<String>,
    /// A corrected detail; may be given several times.
    #[arg(long = "detail", value_name = "TEXT[@N]")]
    pub(crate) details: Vec<NewDetail>,
    /// The weight, 0 to 1.
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = number::decimal)]
    pub(crate) salience: Option<f64>,
    /// The feeling, −1 to 1.
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = number::decimal)]
    pub(crate) valence: Option<f64>,
    /// A corrected label; may be given several times.
    #[arg(long = "tag", value_name = "WORD")]
    pub(crate) tags: Vec<String>,
    /// A phrase for which it should be recalled; may be given up to 8 times.
    #[arg(long = "cue", value_name = "TEXT")]
    pub(crate) cues: Vec<String>,
    /// Remove all cues.
    #[arg(long, conflicts_with = "cues")]
    pub(crate) no_cues: bool,
    /// When it happened or is planned: a year, a month or a day.
    #[arg(long, value_name = "DATE")]
    pub(crate) event_date: Option<String>,
}

/// Pins or unpins a memory.
#[derive(Args)]
#[command(after_help = "\
A pinned memory keeps the weight of its last rehearsal, and is archived last. At most 200 of one person are
pinned. Retention, withdrawn consent and erasure apply to it as to any other.

Examples:
  selfhood memory pin 7f3a
  selfhood memory list --pinned")]
pub(crate) struct MemoryPin {
    /// The memory, or the beginning of its id.
    pub(crate) id: String,
}

/// Redacts a memory.
#[derive(Args)]
#[command(after_help = "\
Reason codes: right-to-be-forgotten, consent-withdrawn, request, corrected, source-forgotten, faded,
retention. Any other text counts as `request` and is sealed beside the log, which has codes only; text
that names a person of the memory is refused.

Examples:
  selfhood memory redact 7f3a --reason consent-withdrawn
  selfhood memory redact 7f3a --reason request --mode hard --dry-run    what would go with it
  selfhood memory redact 7f3a --reason request --mode hard              asks to type the id")]
pub(crate) struct MemoryRedact {
    /// The memory, or the beginning of its id.
    pub(crate) id: String,
    /// The reason.
    #[arg(long, value_name = "CODE|TEXT")]
    pub(crate) reason: String,
    /// `soft` sets it aside and `archive` moves it into cold storage, both until it is restored; `hard`
    /// destroys it, everything that repeats it, and every key that sealed them.
    #[arg(long, value_name = "MODE", default_value = "soft", value_parser = choice::redaction_mode())]
    pub(crate) mode: String,
    /// Show what would be redacted, and change nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Don't ask for confirmation.
    #[arg(long)]
    pub(crate) yes: bool,
}

/// Forgets a person.
#[derive(Args)]
#[command(after_help = "\
Everything about the person is destroyed in every persona of the tenant, with its keys, and then searched
for; a signed certificate says so. Matches in other people's words are proposals: with --yes, those found by
an e-mail address, a telephone number or an identifier of at least 6 characters are accepted.

Example:
  selfhood memory redact-user ana --reason right-to-be-forgotten \\
    --identifier \"Ana Popescu\" --identifier ana@example.org --certificate ana.json")]
pub(crate) struct MemoryRedactUser {
    /// The person, by any of their references.
    pub(crate) user_id: String,
    /// The reason code: `right-to-be-forgotten`. Any other text is sealed in the job and must not name the
    /// person.
    #[arg(long, value_name = "CODE|TEXT")]
    pub(crate) reason: String,
    /// Another identifier: a name, an e-mail address, a telephone number; may be given several times.
    #[arg(long = "identifier", value_name = "TEXT")]
    pub(crate) identifiers: Vec<String>,
    /// Write the requester's copy of the certificate into this new file.
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<std::path::PathBuf>,
    /// Show what would be destroyed, and change nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Don't ask for confirmation; accept the proposals with a distinctive match.
    #[arg(long)]
    pub(crate) yes: bool,
}

/// Restores a memory.
#[derive(Args)]
pub(crate) struct MemoryRestore {
    /// The memory, or the beginning of its id.
    pub(crate) id: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_detail_may_say_how_clear_it_is() {
        for (typed, content, brightness) in [
            ("a red scarf@0.4", "a red scarf", 0.4),
            ("a red scarf", "a red scarf", NewDetail::BRIGHT),
            ("mail ana@example.org", "mail ana@example.org", NewDetail::BRIGHT),
            ("mail ana@example.org@0.3", "mail ana@example.org", 0.3),
        ] {
            let expected = NewDetail { content: content.to_owned(), brightness };
            assert_eq!(typed.parse::<NewDetail>(), Ok(expected));
        }
    }
}
