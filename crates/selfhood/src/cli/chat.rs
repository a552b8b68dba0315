//! The definition of `selfhood chat`.

use clap::Args;

/// Talks with a persona.
///
/// With a prompt, or with something on stdin that is no terminal, it prints one answer and ends. On a
/// terminal it goes on until you leave.
#[derive(Args)]
#[command(after_help = "\
Examples:
  selfhood chat nora                                 talk until /bye; /? lists the commands
  selfhood chat nora \"Is the sauna open?\"            one answer
  echo \"Is the sauna open?\" | selfhood chat nora     the same, from a pipe
  selfhood chat nora --user ana                      speak as Ana, who gets only her own memories
  selfhood chat nora --off-record                    store nothing
  selfhood chat nora \"Hello!\" -o json                the answer with its conversation and recall

Ctrl-C stops an answer; the part so far is stored as interrupted.")]
pub(crate) struct Chat {
    /// The persona; with `--persona` it may be left out and the prompt stands alone.
    #[arg(value_name = "PERSONA")]
    pub(crate) named: Option<String>,
    /// The message; read from stdin when left out and stdin is not a terminal.
    pub(crate) prompt: Option<String>,
    /// The tier of persona files to load, 1 to 4; 2 when left out.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=4))]
    pub(crate) tier: Option<u8>,
    /// Store nothing anywhere: no record, no memory, no trace.
    #[arg(long)]
    pub(crate) off_record: bool,
    /// The speaker; the owner when left out.
    #[arg(long, value_name = "WHO")]
    pub(crate) user: Option<String>,
    /// Continue this conversation.
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
}
