//! Which clients there are on this machine, and whether a persona's memory is in their settings.

use std::fs;
use std::path::{Path, PathBuf};

use clap::ValueEnum as _;
use serde_json::Value;
use toml_edit::{DocumentMut, Item};

use super::client::{self, Format};
use crate::cli::Client;
use crate::jsonc;

/// A client on this machine.
pub(crate) struct InstalledClient {
    pub(crate) client: Client,
    /// What people call it.
    pub(crate) called: &'static str,
    /// How its settings refer to us, one line for each entry; none if they don't.
    pub(crate) entries: Vec<String>,
}

/// The clients whose settings, or the folder for them, are on this machine.
pub(crate) fn installed() -> Vec<InstalledClient> {
    Client::value_variants().iter().filter_map(|client| look(*client)).collect()
}

/// The name of a client as `--client` takes it.
pub(crate) fn flag(client: Client) -> String {
    client.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

fn look(client: Client) -> Option<InstalledClient> {
    let path = client::usual_file(client).ok()?;
    if !path.exists() && !own_folder(client, &path)?.is_dir() {
        return None;
    }
    let text = fs::read_to_string(&path).unwrap_or_default();
    let mut entries = match client::format(client) {
        Format::Json { servers } => in_json(&text, servers),
        Format::Toml => in_toml(&text),
    };
    entries.sort();
    Some(InstalledClient { client, called: client::called(client), entries })
}

/// The folder that shows that the client was used here; the user's own folder shows nothing.
fn own_folder(client: Client, file: &Path) -> Option<PathBuf> {
    match client {
        Client::ClaudeCode => Some(file.with_file_name(".claude")),
        Client::ClaudeDesktop | Client::Cursor | Client::Vscode | Client::Codex => {
            file.parent().map(Path::to_owned)
        }
    }
}

fn in_json(text: &str, servers: &str) -> Vec<String> {
    let servers = jsonc::get(text, &[servers]).ok().flatten();
    let servers = servers.and_then(|servers| servers.as_object().cloned()).unwrap_or_default();
    let texts = |entry: &Value, name: &str| -> Vec<String> {
        let texts = entry.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
        texts.iter().filter_map(|text| text.as_str().map(str::to_owned)).collect()
    };
    let text = |entry: &Value, name: &str| entry.get(name).and_then(Value::as_str).map(str::to_owned);
    let ours = servers.iter().filter_map(|(name, entry)| {
        shown(name, text(entry, "command"), &texts(entry, "args"), text(entry, "url"))
    });
    ours.collect()
}

fn in_toml(text: &str) -> Vec<String> {
    let Ok(document) = text.parse::<DocumentMut>() else { return Vec::new() };
    let Some(servers) = document.get("mcp_servers").and_then(Item::as_table_like) else { return Vec::new() };
    let text = |entry: &Item, name: &str| entry.get(name).and_then(Item::as_str).map(str::to_owned);
    let texts = |entry: &Item, name: &str| -> Vec<String> {
        let array = entry.get(name).and_then(Item::as_array);
        array.into_iter().flatten().filter_map(|text| text.as_str().map(str::to_owned)).collect()
    };
    let ours = servers.iter().filter_map(|(name, entry)| {
        shown(name, text(entry, "command"), &texts(entry, "args"), text(entry, "url"))
    });
    ours.collect()
}

/// An entry that starts this program or asks one of our servers.
fn shown(name: &str, command: Option<String>, arguments: &[String], url: Option<String>) -> Option<String> {
    if let Some(url) = url.filter(|url| url.contains("/mcp")) {
        return Some(format!("`{name}` at {url}"));
    }
    let command = command?;
    let program = Path::new(&command).file_name()?.to_str()?;
    let is_ours = program.starts_with("selfhood") && arguments.iter().any(|argument| argument == "mcp");
    let persona = arguments.iter().skip_while(|argument| *argument != "--persona").nth(1);
    is_ours.then(|| match persona {
        Some(persona) => format!("`{name}` for {persona}"),
        None => format!("`{name}`"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_entries_that_lead_to_us_count() {
        let json = r#"{ // a comment
            "mcpServers": {
                "selfhood": { "command": "/usr/bin/selfhood", "args": ["mcp", "--persona", "nora"] },
                "far": { "url": "http://127.0.0.1:7337/mcp/nora" },
                "other": { "command": "npx", "args": ["mcp", "selfhood"] },
            } }"#;
        let mut found = in_json(json, "mcpServers");
        found.sort();
        assert_eq!(found, ["`far` at http://127.0.0.1:7337/mcp/nora", "`selfhood` for nora"]);
        let toml = "[mcp_servers.selfhood]\ncommand = \"selfhood\"\nargs = [\"mcp\"]\n[mcp_servers.x]\ncommand = \"y\"\n";
        assert_eq!(in_toml(toml), ["`selfhood`"]);
        assert_eq!((in_json("nonsense", "mcpServers"), in_toml("= =")), (Vec::new(), Vec::new()));
    }
}
