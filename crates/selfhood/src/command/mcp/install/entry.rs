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

    /// `text` with the entry added.
    pub(super) fn put_json(&self, text: &str, asked: &McpInstall, servers: &str) -> Result<String, NotJson> {
        let text = jsonc::set(text, &[servers, asked.name.as_str()], &self.json(asked.client))?;
        match (self, asked.client) {
            (Self::Asks(_), Client::Vscode) => with_input(&text),
            _ => Ok(text),
        }
    }

    /// Adds the entry as a table.
    pub(super) fn put_toml(&self, document: &mut DocumentMut, asked: &McpInstall) {
        let servers = document.entry("mcp_servers").or_insert_with(|| {
            let mut table = Table::new();
            table.set_implicit(true);
            Item::Table(table)
        });
        let mut table = Table::new();
        match self {
            Self::Starts { command, arguments, variables } => {
                table.insert("command", value(command));
                table.insert("args", value(arguments.iter().collect::<Array>()));
                let variables = variables.iter().map(|(name, own)| (*name, own.as_str()));
                table.insert("env", value(variables.collect::<InlineTable>()));
            }
            Self::Asks(url) => {
                table.insert("url", value(url));
                table.insert("bearer_token_env_var", value(KEY));
            }
        }
        let known = servers.get(&asked.name).and_then(Item::as_table).map(ToString::to_string);
        if known.is_none_or(|known| known.trim() != table.to_string().trim()) {
            servers[&asked.name] = Item::Table(table);
        }
    }

    fn json(&self, client: Client) -> Value {
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
                    Client::Vscode => "${input:selfhood-key}".to_owned(),
                };
                if matches!(client, Client::ClaudeCode | Client::Vscode) {
                    entry.insert("type".to_owned(), json!("http"));
                }
                entry.insert("url".to_owned(), json!(url));
                entry.insert("headers".to_owned(), json!({ "Authorization": format!("Bearer {key}") }));
            }
        }
        Value::Object(entry)
    }
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
    let mut inputs = inputs.unwrap_or_default();
    if inputs.iter().any(|input| input.get("id") == Some(&json!("selfhood-key"))) {
        return Ok(text.to_owned());
    }
    inputs.push(json!({
        "type": "promptString", "id": "selfhood-key", "description": "Selfhood key", "password": true,
    }));
    jsonc::set(text, &["inputs"], &Value::Array(inputs))
}
