//! The definition of `selfhood session …`.

use clap::{Args, Subcommand};

use super::number;

/// What can be done with conversations.
#[derive(Subcommand)]
pub(crate) enum Session {
    /// List conversations, latest first.
    List(SessionList),
    /// Show a conversation.
    Show(SessionShow),
    /// Search conversations, by words and meaning.
    Search(SessionSearch),
}

/// Lists conversations.
#[derive(Args)]
pub(crate) struct SessionList {
    /// Whose conversations; the owner's when left out.
    #[arg(long, value_name = "WHO")]
    pub(crate) subject: Option<String>,
    /// At most this many per persona.
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = number::count)]
    pub(crate) limit: Option<usize>,
}

/// Shows a conversation.
#[derive(Args)]
pub(crate) struct SessionShow {
    /// The conversation's id, or its beginning.
    pub(crate) id: String,
    /// Whose conversation; the owner's when left out.
    #[arg(long, value_name = "WHO")]
    pub(crate) subject: Option<String>,
    /// Also show replaced answers, and turns abandoned by an edit.
    #[arg(long)]
    pub(crate) include_superseded: bool,
}

/// Finds what was said.
#[derive(Args)]
#[command(after_help = "\
Examples:
  selfhood session search \"boat trip\"                    the owner's own talk, with every persona
  selfhood session search sauna --subject ana --persona nora")]
pub(crate) struct SessionSearch {
    /// The search words.
    pub(crate) words: String,
    /// Whose conversations; the owner's when left out.
    #[arg(long, value_name = "WHO")]
    pub(crate) subject: Option<String>,
    /// At most this many per persona; 20 when left out.
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = number::count)]
    pub(crate) limit: Option<usize>,
    /// Skip this many.
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = number::count)]
    pub(crate) offset: Option<usize>,
}
