//! Our entry in a client's settings file.

use std::env;

use serde_json::{Map, Value, json};
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, value};
use wire::{Code, Problem};

use crate::cli::{Client, McpInstall};
use crate::config::Settings;
use crate::jsonc::{self, NotJson};

/// The variable with the API key.
const KEY: &str = "SELFHOOD_KEY";
/// The question by which VS Code asks for the key.
const INPUT: &str = "selfhood-key";
/// Every member of an entry that is ours; others belong to the user.
const MEMBERS: [&str; 7] = ["type", "command", "args", "env", "url", "headers", "bearer_token_env_var"];

/// A file in which a number or a text is in the place of a table.
pub(super) struct NoTable;

/// How a client reaches us.
pub(super) enum Entry {
    /// It starts this program with these arguments and variables.
    Starts { command: String, arguments: Vec<String>, variables: Vec<(&'static str, String)> },
    /// It connects to a server at this URL.
    Asks(String),
}

impl Entry {
    /// The requested entry.
    pub(super) fn new(asked: &McpInstall, settings: &Settings, persona: &str) -> Result<Self, Problem> {
        if let Some(url) = &asked.url {
            if asked.client == Client::ClaudeDesktop {
                let detail = "the Claude app starts its servers itself; leave --url out";
                return Err(Problem::new(Code::Usage, detail));
            }
            return Ok(Self::Asks(url.clone()));
        }
        let mut arguments = vec!["mcp".to_owned(), "--persona".to_owned(), persona.to_owned()];
        if let Some(subject) = &asked.subject {
            arguments.extend(["--subject".to_owned(), subject.clone()]);
        }
        if let Some(profile) = asked.profile {
            arguments.extend(["--profile".to_owned(), profile.as_str().to_owned()]);
        }
        Ok(Self::Starts { command: program()?, arguments, variables: settings.variables() })
    }

    /// `text` with the entry added. What its user added to an earlier one stays.
    pub(super) fn put_json(&self, text: &str, asked: &McpInstall, servers: &str) -> Result<String, NotJson> {
        let (place, own) = ([servers, asked.name.as_str()], self.json(asked.client));
        let known = jsonc::get(text, &place)?;
        let text = match known.as_ref().and_then(Value::as_object) {
            None => jsonc::set(text, &place, &Value::Object(own))?,
            Some(known) => updated_json(text, &place, known, &own)?,
        };
        match (self, asked.client) {
            (Self::Asks(_), Client::Vscode) => with_input(&text),
            _ => Ok(text),
        }
    }

    /// Adds the entry as a table. What its user added to an earlier one stays.
    pub(super) fn put_toml(&self, document: &mut DocumentMut, asked: &McpInstall) -> Result<(), NoTable> {
        let servers = document.entry("mcp_servers").or_insert_with(|| {
            let mut table = Table::new();
            table.set_implicit(true);
            Item::Table(table)
        });
        let servers = servers.as_table_like_mut().ok_or(NoTable)?;
        let entry = servers.entry(&asked.name).or_insert_with(|| Item::Table(Table::new()));
        let entry = entry.as_table_like_mut().ok_or(NoTable)?;
        let own = self.toml();
        for name in MEMBERS.into_iter().filter(|name| own.iter().all(|(own, _)| own != name)) {
            entry.remove(name);
        }
        for (name, own) in own {
            let is_same = |known: &Item| known.to_string().trim() == value(own.clone()).to_string().trim();
            if !entry.get(name).is_some_and(is_same) {
                entry.insert(name, value(own));
            }
        }
        Ok(())
    }

    fn toml(&self) -> Vec<(&'static str, toml_edit::Value)> {
        match self {
            Self::Starts { command, arguments, variables } => {
                let variables = variables.iter().map(|(name, own)| (*name, own.as_str()));
                vec![
                    ("command", command.into()),
                    ("args", arguments.iter().collect::<Array>().into()),
                    ("env", variables.collect::<InlineTable>().into()),
                ]
            }
            Self::Asks(url) => vec![("url", url.into()), ("bearer_token_env_var", KEY.into())],
        }
    }

    fn json(&self, client: Client) -> Map<String, Value> {
        let mut entry = Map::new();
        match self {
            Self::Starts { command, arguments, variables } => {
                if matches!(client, Client::ClaudeCode | Client::Vscode) {
                    entry.insert("type".to_owned(), json!("stdio"));
                }
                entry.insert("command".to_owned(), json!(command));
                entry.insert("args".to_owned(), json!(arguments));
                let variables = variables.iter().map(|(name, own)| ((*name).to_owned(), json!(own)));
                entry.insert("env".to_owned(), Value::Object(variables.collect()));
            }
            Self::Asks(url) => {
                let key = match client {
                    Client::ClaudeCode | Client::ClaudeDesktop | Client::Codex => format!("${{{KEY}}}"),
                    Client::Cursor => format!("${{env:{KEY}}}"),
                    Client::Vscode => format!("${{input:{INPUT}}}"),
                };
                if matches!(client, Client::ClaudeCode | Client::Vscode) {
                    entry.insert("type".to_owned(), json!("http"));
                }
                entry.insert("url".to_owned(), json!(url));
                entry.insert("headers".to_owned(), json!({ "Authorization": format!("Bearer {key}") }));
            }
        }
        entry
    }
}

/// `text` with the members of our entry at `place` as in `own`, and no other member of ours.
fn updated_json(
    text: &str,
    place: &[&str; 2],
    known: &Map<String, Value>,
    own: &Map<String, Value>,
) -> Result<String, NotJson> {
    let [servers, entry] = *place;
    let mut text = text.to_owned();
    for name in MEMBERS.into_iter().filter(|name| !own.contains_key(*name)) {
        text = jsonc::remove(&text, &[servers, entry, name])?;
    }
    for (name, own) in own.iter().filter(|(name, own)| known.get(*name) != Some(*own)) {
        text = jsonc::set(&text, &[servers, entry, name], own)?;
    }
    Ok(text)
}

/// `text` without our entry.
pub(super) fn remove_json(text: &str, servers: &str, name: &str) -> Result<String, NotJson> {
    let text = jsonc::remove(text, &[servers, name])?;
    let rest = jsonc::get(&text, &[servers])?.unwrap_or_default().to_string();
    if rest.contains(&format!("${{input:{INPUT}}}")) {
        return Ok(text);
    }
    jsonc::remove_items(&text, &["inputs"], is_input)
}

/// Removes our table.
pub(super) fn remove_toml(document: &mut DocumentMut, name: &str) {
    if let Some(servers) = document.get_mut("mcp_servers").and_then(Item::as_table_like_mut) {
        servers.remove(name);
    }
}

/// The absolute path of this program, since a client may not know the shell's path.
pub(super) fn program() -> Result<String, Problem> {
    let own = env::current_exe().map_err(|error| {
        Problem::new(Code::IoFailed, format!("can't find the path of this program: {error}"))
    })?;
    Ok(own.display().to_string())
}

/// VS Code asks the user for the key, and stores it as a secret.
fn with_input(text: &str) -> Result<String, NotJson> {
    let inputs = jsonc::get(text, &["inputs"])?.and_then(|inputs| inputs.as_array().cloned());
    if inputs.unwrap_or_default().iter().any(is_input) {
        return Ok(text.to_owned());
    }
    let input =
        json!({ "type": "promptString", "id": INPUT, "description": "Selfhood key", "password": true });
    jsonc::append(text, &["inputs"], &input)
}

fn is_input(input: &Value) -> bool {
    input.get("id").and_then(Value::as_str) == Some(INPUT)
}
