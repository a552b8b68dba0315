//! `selfhood mcp install`: a persona's memory in the settings of a client.

mod client;
mod diff;
mod entry;
mod hooks;
pub(super) mod installed;
mod settings_file;

use wire::{Exit, Problem};

use crate::cli::{Client, McpInstall};
use crate::command::at_the_door;
use crate::config::Settings;
use crate::home_client::WithoutHome;
use crate::output::Output;
use crate::report;
use crate::resolve::the_persona;
use client::Format;
use entry::Entry;
use settings_file::SettingsFile;

/// Changes the client's settings, and shows how.
pub(super) fn run(asked: &McpInstall, settings: &Settings, output: &Output) -> Result<Exit, Problem> {
    let mut files = if asked.remove { taken_out(asked)? } else { put_in(asked, settings, output)? };
    files.retain(SettingsFile::is_changed);
    if files.is_empty() {
        report::note(if asked.remove {
            "nothing to remove"
        } else {
            "it is installed already; nothing changed"
        });
        return Ok(Exit::Ok);
    }
    for file in &files {
        anstream::println!("{}", file.diff());
    }
    if asked.print {
        return Ok(Exit::Ok);
    }
    for file in &files {
        file.write()?;
    }
    report::note(what_now(asked));
    Ok(Exit::Ok)
}

fn put_in(asked: &McpInstall, settings: &Settings, output: &Output) -> Result<Vec<SettingsFile>, Problem> {
    let mut persona = None;
    if asked.url.is_none() || asked.auto {
        at_the_door(settings, output, WithoutHome::Refuse, |context| {
            persona = Some(the_persona(context.client, settings, None)?);
            Ok(Exit::Ok)
        })?;
    }
    let persona = persona.unwrap_or_default();
    let entry = Entry::new(asked, settings, &persona)?;
    let mut file = SettingsFile::read(client::file(asked)?)?;
    match client::format(asked.client) {
        Format::Json { servers } => file.edit_json(|text| entry.put_json(text, asked, servers))?,
        Format::Toml => file.edit_toml(|document| entry.put_toml(document, asked))?,
    }
    let mut files = vec![file];
    if asked.auto {
        files.extend(hooks::put_in(asked.client, asked, settings, &persona)?);
    }
    Ok(files)
}

fn taken_out(asked: &McpInstall) -> Result<Vec<SettingsFile>, Problem> {
    let mut file = SettingsFile::read(client::file(asked)?)?;
    match client::format(asked.client) {
        Format::Json { servers } => {
            file.edit_json(|text| entry::remove_json(text, servers, &asked.name))?;
        }
        Format::Toml => file.edit_toml(|document| {
            entry::remove_toml(document, &asked.name);
            Ok(())
        })?,
    }
    let mut files = vec![file];
    files.extend(hooks::taken_out(asked.client)?);
    Ok(files)
}

fn what_now(asked: &McpInstall) -> String {
    let client = client::called(asked.client);
    if asked.remove {
        return format!("removed; restart {client}");
    }
    let review =
        if asked.auto && asked.client == Client::Codex { ", and let it trust the new hooks" } else { "" };
    let key = match (&asked.url, asked.client) {
        (None, _) => "",
        (Some(_), Client::Vscode) => "; it asks for the key once (`selfhood key new`)",
        (Some(_), Client::ClaudeCode | Client::ClaudeDesktop | Client::Cursor | Client::Codex) => {
            "; it reads the key from SELFHOOD_KEY (`selfhood key new`)"
        }
    };
    format!("done; restart {client}{review}{key}")
}
