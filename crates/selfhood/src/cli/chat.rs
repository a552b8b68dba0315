//! `selfhood chat` as people type it.

use clap::Args;

/// Talks with a persona.
///
/// With a prompt, or with something on stdin that is no terminal, it prints one answer and ends. On a
/// terminal it goes on until you leave.
#[derive(Args)]
#[command(after_help = "\
Examples:
  selfhood chat nora                                 talk until /bye; /? lists what else can be done
  selfhood chat nora \"Is the sauna open?\"            one answer
  echo \"Is the sauna open?\" | selfhood chat nora     the same, from a pipe
  selfhood chat nora --user ana                      speak as Ana, who hears only what is hers
  selfhood chat nora --off-record                    leave nothing anywhere
  selfhood chat nora \"Hello!\" -o json                the answer with its conversation and recall

Ctrl-C stops an answer; what was said of it is kept as interrupted.")]
pub(crate) struct Chat {
    /// The persona; with `--persona` it may be left out and the prompt stands alone.
    #[arg(value_name = "PERSONA")]
    pub(crate) named: Option<String>,
    /// What to say; read from stdin when left out and stdin is no terminal.
    pub(crate) prompt: Option<String>,
    /// How much of the persona's files to load, 1 to 4; 2 when left out.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=4))]
    pub(crate) tier: Option<u8>,
    /// Leave nothing anywhere: no record, no memory, no trace.
    #[arg(long)]
    pub(crate) off_record: bool,
    /// Who is speaking; the owner when left out.
    #[arg(long, value_name = "WHO")]
    pub(crate) user: Option<String>,
    /// Go on with this conversation.
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
}
