//! `selfhood import` and `selfhood export` as people type them.

use clap::Args;

/// Takes in memories and events.
#[derive(Args)]
#[command(after_help = "\
Each line is a memory (with a `gist`) or an event of a life (with an `eventLabel`), as `export` writes
them. What is there already is left alone, so an import that was interrupted is simply run again.
Lines that are refused are listed, the others are taken, and the command exits with 8.

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
