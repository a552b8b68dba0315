//! The settings files of clients, and their formats.

use std::env;
use std::path::{Path, PathBuf};

use wire::{Code, Problem};

use crate::cli::{Client, McpInstall};

/// The format of a client's file.
pub(super) enum Format {
    /// JSON, possibly with comments; servers are under this name.
    Json {
        /// The member with the servers.
        servers: &'static str,
    },
    /// TOML, with a table per server.
    Toml,
}

/// The display name of a client.
pub(super) const fn called(client: Client) -> &'static str {
    match client {
        Client::ClaudeCode => "Claude Code",
        Client::ClaudeDesktop => "Claude",
        Client::Cursor => "Cursor",
        Client::Vscode => "VS Code",
        Client::Codex => "Codex",
    }
}

/// The format of a client's file.
pub(super) const fn format(client: Client) -> Format {
    match client {
        Client::ClaudeCode | Client::ClaudeDesktop | Client::Cursor => Format::Json { servers: "mcpServers" },
        Client::Vscode => Format::Json { servers: "servers" },
        Client::Codex => Format::Toml,
    }
}

/// The file that is changed.
pub(super) fn file(asked: &McpInstall) -> Result<PathBuf, Problem> {
    match &asked.file {
        Some(file) => Ok(file.clone()),
        None => usual_file(asked.client),
    }
}

/// Where a client usually keeps its settings.
pub(super) fn usual_file(client: Client) -> Result<PathBuf, Problem> {
    let home = home()?;
    Ok(match client {
        Client::ClaudeCode => home.join(".claude.json"),
        Client::ClaudeDesktop => applications(&home).join("Claude").join("claude_desktop_config.json"),
        Client::Cursor => home.join(".cursor").join("mcp.json"),
        Client::Vscode => applications(&home).join("Code").join("User").join("mcp.json"),
        Client::Codex => codex(&home).join("config.toml"),
    })
}

/// The user's own folder.
pub(super) fn home() -> Result<PathBuf, Problem> {
    let home = env::var_os("HOME").filter(|home| !home.is_empty()).map(PathBuf::from);
    home.ok_or_else(|| Problem::new(Code::Usage, "HOME is not set; name the client's file with --file"))
}

/// Where Codex keeps its files.
pub(super) fn codex(home: &Path) -> PathBuf {
    env::var_os("CODEX_HOME").map_or_else(|| home.join(".codex"), PathBuf::from)
}

/// The folder of application settings.
fn applications(home: &Path) -> PathBuf {
    if cfg!(target_os = "macos") {
        return home.join("Library").join("Application Support");
    }
    env::var_os("XDG_CONFIG_HOME")
        .filter(|it| !it.is_empty())
        .map_or_else(|| home.join(".config"), PathBuf::from)
}
