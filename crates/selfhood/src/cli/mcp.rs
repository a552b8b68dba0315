//! The definitions of `selfhood mcp …` and `selfhood hook …`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

/// Answers an agent over stdin and stdout.
#[derive(Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  selfhood mcp --persona nora                        what a client starts: JSON-RPC on stdin and stdout
  selfhood mcp --persona nora --subject ana          the same, speaking for Ana and nobody else
  selfhood mcp install --client claude-desktop --persona nora
  selfhood mcp install --client claude-code --persona nora --auto"
)]
pub(crate) struct Mcp {
    #[command(subcommand)]
    pub(crate) verb: Option<McpVerb>,
    /// Whom the agent speaks for; the owner when left out.
    #[arg(long, value_name = "WHO")]
    pub(crate) subject: Option<String>,
    /// Which tools to offer; those for memories when left out.
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) profile: Option<Profile>,
}

/// Which tools are offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Profile {
    /// The tools of the reference memory server.
    Reference,
    /// The persona's files.
    Files,
    /// What an operator does: people, keys, health, the audit log, requests to be forgotten.
    Admin,
}

impl Profile {
    /// Its name in paths and flags.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Reference => "reference",
            Self::Files => "files",
            Self::Admin => "admin",
        }
    }
}

/// What else can be done for agents.
#[derive(Subcommand)]
pub(crate) enum McpVerb {
    /// Add a persona's memory to the settings of a client, or remove it.
    ///
    /// Everything else in the client's file stays as it is, comments too; the file as it was is kept beside it, and
    /// what changes is shown.
    Install(McpInstall),
}

/// Adds a persona to a client.
#[derive(Args)]
#[command(after_help = "\
Examples:
  selfhood mcp install --client claude-desktop --persona nora
  selfhood mcp install --client codex --persona nora --auto      and recall without a tool call
  selfhood mcp install --client vscode --url http://127.0.0.1:7337/mcp/nora
  selfhood mcp install --client cursor --print                   only show what would change
  selfhood mcp install --client cursor --remove")]
pub(crate) struct McpInstall {
    /// The client.
    #[arg(long, value_enum, value_name = "CLIENT")]
    pub(crate) client: Client,
    /// Whom the agent speaks for; the owner when left out.
    #[arg(long, value_name = "WHO")]
    pub(crate) subject: Option<String>,
    /// Which tools to offer; those for memories when left out.
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) profile: Option<Profile>,
    /// Reach a running server at this address instead of starting `selfhood mcp`; the key comes from `SELFHOOD_KEY`.
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,
    /// What the client calls it.
    #[arg(long, value_name = "NAME", default_value = "selfhood")]
    pub(crate) name: String,
    /// The client's file, if it isn't where the client usually keeps it.
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// Also recall before every prompt and remember after every answer, without a tool call (Claude Code and Codex).
    #[arg(long)]
    pub(crate) auto: bool,
    /// Only show what would change.
    #[arg(long)]
    pub(crate) print: bool,
    /// Take it out again, hooks too.
    #[arg(long, conflicts_with = "auto")]
    pub(crate) remove: bool,
}

/// Whose settings are changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Client {
    /// Claude Code.
    ClaudeCode,
    /// The Claude app.
    ClaudeDesktop,
    /// Cursor.
    Cursor,
    /// Visual Studio Code.
    Vscode,
    /// Codex.
    Codex,
}

/// Hooks that a client calls automatically; they never fail and never ask.
#[derive(Subcommand)]
pub(crate) enum Hook {
    /// Print the memories recalled for a prompt, read from the hook's JSON on stdin.
    Prompt,
    /// Record the last exchange and form memories, read from the hook's JSON on stdin.
    Stop,
}
