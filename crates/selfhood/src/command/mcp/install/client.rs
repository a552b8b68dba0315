//! Where clients keep their settings, and in which format.

use std::env;
use std::path::{Path, PathBuf};

use wire::{Code, Problem};

use crate::cli::{Client, McpInstall};

/// How a client's file is written.
pub(super) enum Format {
    /// JSON, perhaps with comments; servers stand under this name.
    Json {
        /// The member that holds them.
        servers: &'static str,
    },
    /// TOML, with a table for each server.
    Toml,
}

/// What people call a client.
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
    if let Some(file) = &asked.file {
        return Ok(file.clone());
    }
    let home = home()?;
    Ok(match asked.client {
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

/// Where programs with windows keep their settings.
fn applications(home: &Path) -> PathBuf {
    if cfg!(target_os = "macos") {
        return home.join("Library").join("Application Support");
    }
    env::var_os("XDG_CONFIG_HOME")
        .filter(|it| !it.is_empty())
        .map_or_else(|| home.join(".config"), PathBuf::from)
}
