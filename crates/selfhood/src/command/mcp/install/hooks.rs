//! The hooks of a client for recall without a tool call, and their persona.

use std::path::PathBuf;

use serde_json::{Value, json};
use toml_edit::{Item, Table, value};
use wire::{Code, Problem};

use super::client;
use super::entry::{NoTable, program};
use super::settings_file::SettingsFile;
use crate::cli::{Client, McpInstall};
use crate::command::hook::configuration;
use crate::config::Settings;
use crate::jsonc::{self, NotJson};

/// The events of a client, our hook for each, and its time limit in seconds.
const HOOKS: [(&str, &str, u32); 2] = [("UserPromptSubmit", "prompt", 2), ("Stop", "stop", 5)];

/// The files with the hooks added.
pub(super) fn put_in(
    client: Client,
    asked: &McpInstall,
    settings: &Settings,
    persona: &str,
) -> Result<Vec<SettingsFile>, Problem> {
    let Some(path) = file(client)? else {
        let detail =
            "--auto works with Claude Code and Codex, which call hooks; other clients call the tools";
        return Err(Problem::new(Code::Usage, detail));
    };
    let program = program()?;
    let mut hooks = SettingsFile::read(path)?;
    hooks.edit_json(|text| {
        HOOKS.iter().try_fold(text.to_owned(), |text, (event, verb, seconds)| {
            let command = format!("{} hook {verb}", quoted(&program));
            let own = json!({ "hooks": [{ "type": "command", "command": command, "timeout": seconds }] });
            with_hook(&text, event, verb, Some(&own))
        })
    })?;
    let mut chosen = SettingsFile::read(configuration::file()?)?;
    chosen.edit_toml(|document| {
        let default = document.entry("default").or_insert_with(|| Item::Table(Table::new()));
        let default = default.as_table_like_mut().ok_or(NoTable)?;
        default.insert("persona", value(persona));
        if let Some(subject) = &asked.subject {
            default.insert("subject", value(subject));
        }
        for (name, own) in settings.variables() {
            default.insert(&name.trim_start_matches("SELFHOOD_").to_lowercase(), value(own));
        }
        Ok(())
    })?;
    Ok(vec![hooks, chosen])
}

/// The files with the hooks removed; the choice of persona stays.
pub(super) fn taken_out(client: Client) -> Result<Option<SettingsFile>, Problem> {
    let Some(path) = file(client)? else { return Ok(None) };
    let mut hooks = SettingsFile::read(path)?;
    hooks.edit_json(|text| {
        HOOKS.iter().try_fold(text.to_owned(), |text, (event, verb, _)| with_hook(&text, event, verb, None))
    })?;
    Ok(Some(hooks))
}

/// Where a client looks for hooks, if it supports them.
fn file(client: Client) -> Result<Option<PathBuf>, Problem> {
    let home = client::home()?;
    Ok(match client {
        Client::ClaudeCode => Some(home.join(".claude").join("settings.json")),
        Client::Codex => Some(client::codex(&home).join("hooks.json")),
        Client::ClaudeDesktop | Client::Cursor | Client::Vscode => None,
    })
}

/// `text` with our hook for `event`, replacing an earlier one; other hooks stay.
fn with_hook(text: &str, event: &str, verb: &str, own: Option<&Value>) -> Result<String, NotJson> {
    let place = ["hooks", event];
    let groups = jsonc::get(text, &place)?.and_then(|groups| groups.as_array().cloned()).unwrap_or_default();
    let known: Vec<&Value> = groups.iter().filter(|group| is_ours(group, verb)).collect();
    if known == Vec::from_iter(own) {
        return Ok(text.to_owned());
    }
    match own {
        None if known.len() == groups.len() => jsonc::remove(text, &place),
        None => jsonc::remove_items(text, &place, |group| is_ours(group, verb)),
        Some(own) => {
            let text = jsonc::remove_items(text, &place, |group| is_ours(group, verb))?;
            jsonc::append(&text, &place, own)
        }
    }
}

fn is_ours(group: &Value, verb: &str) -> bool {
    let commands = group.get("hooks").and_then(Value::as_array).cloned().unwrap_or_default();
    let is_own = |hook: &Value| {
        let command = hook.get("command").and_then(Value::as_str).unwrap_or_default();
        command.contains("selfhood") && command.ends_with(&format!(" hook {verb}"))
    };
    commands.len() == 1 && commands.iter().all(is_own)
}

/// A path quoted for a shell.
fn quoted(path: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+".contains(c);
    if path.chars().all(is_plain) { path.to_owned() } else { format!("'{}'", path.replace('\'', r"'\''")) }
}
