//! `selfhood import` and `selfhood export` as people type them.

use clap::Args;

/// Takes in memories and events.
#[derive(Args)]
#[command(after_help = "\
Each line is a memory (with a `gist`) or an event of a life (with an `eventLabel`), as `export` writes
them. What is there already is left alone, so an import that was interrupted is simply run again.
Lines that are refused are listed, the others are taken, and the command exits with 8.
What was taken in is kept and can be recalled at once. Its sentence vectors, by which it is also found when
other words are used, are made afterwards: on a terminal the command shows how far they are.

Examples:
  selfhood import memories.jsonl --dry-run
  selfhood export --persona inara | selfhood import - --persona tina")]
pub(crate) struct Import {
    /// The file, one JSON object to a line; `-` for stdin.
    #[arg(value_name = "FILE.jsonl")]
    pub(crate) file: String,
    /// Say what would happen, and change nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Do not wait for the sentence vectors, which are made after the lines were taken in.
    #[arg(long)]
    pub(crate) no_wait: bool,
}

/// Gives out memories and events.
#[derive(Args)]
#[command(after_help = "\
Example:
  selfhood export --persona inara --include-pii > inara.jsonl")]
pub(crate) struct Export {
    /// Memories that identify people too.
    #[arg(long)]
    pub(crate) include_pii: bool,
    /// Redacted and archived memories, and superseded events, too.
    #[arg(long)]
    pub(crate) include_redacted: bool,
}
