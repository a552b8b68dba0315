//! The definitions of `selfhood import` and `selfhood export`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Imports memories, events and conversations.
#[derive(Args)]
#[command(after_help = "\
The format is detected: an export of ChatGPT or Claude (the zip as it was downloaded), chats and world
info of SillyTavern, chats of Open WebUI, agent files of Letta, memories of mem0, memory.jsonl of the reference memory
server, a sessions/ folder, notes in Markdown, tables (CSV), and lines of JSON as `export` writes them. Character cards
and bundles (.persona) make a persona of their own: see `selfhood persona import`.

Conversations go into the record, where search and digests find them; notes become memories. A memory
without a date is marked as such; what was marked as not to be remembered is not imported. What is already stored
is skipped, so an interrupted import is simply run again. What is refused is listed, the rest is imported,
and the command exits with 8. `--undo` undoes an import as a whole.

Examples:
  selfhood import chatgpt-export.zip --persona nora --dry-run
  selfhood import notes/ --persona nora --subject ana
  selfhood import ~/inara/sessions --as sessions
  selfhood export --persona inara | selfhood import - --persona tina
  selfhood import --list")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own on the command line")]
pub(crate) struct Import {
    /// The file, folder or zip archive; `-` for stdin.
    #[arg(value_name = "FILE|DIR|ZIP", required_unless_present_any = ["undo", "list"])]
    pub(crate) file: Option<String>,
    /// The person who talked, or whom the notes are about; the owner when left out.
    #[arg(long, value_name = "WHO")]
    pub(crate) subject: Option<String>,
    /// The format, if it is not recognised.
    #[arg(long = "as", value_name = "FORMAT", value_parser = format_names())]
    pub(crate) format: Option<String>,
    /// Show what would happen, and change nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Keep the order and the numbers of events as the file has them: a number that is taken is refused, and
    /// `timeline check` reports what is out of place.
    #[arg(long)]
    pub(crate) allow_out_of_order: bool,
    /// Do not wait for the sentence vectors, which are computed after the import.
    #[arg(long)]
    pub(crate) no_wait: bool,
    /// List the imports with remaining records.
    #[arg(long, conflicts_with_all = ["file", "undo"])]
    pub(crate) list: bool,
    /// Undo an import as a whole.
    #[arg(long, value_name = "ID", conflicts_with = "file")]
    pub(crate) undo: Option<String>,
    /// Don't ask for confirmation before undoing.
    #[arg(long, requires = "undo")]
    pub(crate) yes: bool,
}

fn format_names() -> Vec<&'static str> {
    formats::Format::ALL.iter().map(|format| format.as_str()).collect()
}

/// Exports memories and events.
#[derive(Args)]
#[command(after_help = "\
Memories that identify people are left out unless `--include-pii` is given. To move a whole persona to another
deployment, use `selfhood persona export`.

Examples:
  selfhood export --persona inara --include-pii > inara.jsonl
  selfhood export --persona inara --as markdown vault/       a folder of notes, for Obsidian and others
  selfhood export --persona inara --as csv inara.csv
  selfhood export --persona inara --as reference memory.jsonl")]
pub(crate) struct Export {
    /// The file to write; stdout when left out. For Markdown it is a folder.
    #[arg(value_name = "FILE|DIR")]
    pub(crate) to: Option<PathBuf>,
    /// The format.
    #[arg(long = "as", value_name = "FORMAT", value_enum, default_value_t = ExportFormat::Jsonl)]
    pub(crate) format: ExportFormat,
    /// Include memories that identify people.
    #[arg(long, alias = "with-pii")]
    pub(crate) include_pii: bool,
    /// Include redacted and archived memories, and superseded events.
    #[arg(long)]
    pub(crate) include_redacted: bool,
}

/// The formats of an export.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// One memory or event per line, as `import` reads them.
    Jsonl,
    /// One memory per row.
    Csv,
    /// A folder with a note for each memory and event.
    Markdown,
    /// memory.jsonl of the reference memory server.
    Reference,
}
