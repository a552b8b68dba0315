//! `selfhood model …`.

use std::fs;
use std::io::{self, Read as _};
use std::path::Path;

use serde_json::Value;
use wire::chat_model::{ChatModel, ConnectModel, ListModels, ListedModels, ModelOrigin};
use wire::fields::fields;
use wire::verb;
use wire::{Code, Exit, Problem};

use crate::cli::{Model, ModelConnect};
use crate::command::{CommandContext, at_the_door};
use crate::config::Settings;
use crate::home_client::WithoutHome;
use crate::local_models;
use crate::output::{Output, Table};
use crate::report;
use crate::request::Request;

/// A key longer than this is none.
const LONGEST_KEY: u64 = 4096;

/// Runs what was asked about the model that answers.
pub(crate) fn run(verb: &Model, settings: &Settings, output: &Output) -> Result<Exit, Problem> {
    at_the_door(settings, output, WithoutHome::Refuse, |context| match verb {
        Model::Show => show(&shown(context)?, context),
        Model::Connect(asked) => connect(asked, context),
        Model::Disconnect => show(&context.client.ask(Request::<verb::DisconnectModel>::to(&[])?)?, context),
    })
}

fn shown(context: &CommandContext<'_>) -> Result<ChatModel, Problem> {
    context.client.ask(Request::<verb::ShowChatModel>::to(&[])?)
}

fn connect(asked: &ModelConnect, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let base_url = address(asked, context)?;
    let key = asked.key_file.as_deref().map(key).transpose()?;
    let model = if let Some(model) = &asked.model {
        model.clone()
    } else {
        let request = Request::<verb::ListConnectableModels>::to(&[])?
            .with_body(fields!(ListModels { base_url: Some(base_url.as_str()), api_key: key.as_deref() }));
        let ListedModels { models } = context.client.ask(request)?;
        models.into_iter().next().ok_or_else(no_model)?
    };
    let request = Request::<verb::ConnectModel>::to(&[])?.with_body(fields!(ConnectModel {
        base_url: Some(base_url),
        api_key: key,
        model: Some(model),
    }));
    show(&context.client.ask(request)?, context)
}

/// The address that was meant: a provider's, or that of the first server found on this machine.
fn address(asked: &ModelConnect, context: &CommandContext<'_>) -> Result<String, Problem> {
    let offered = shown(context)?;
    let Some(named) = &asked.provider else {
        let found = offered.servers.unwrap_or_default().into_iter().next();
        return found.map(|server| server.base_url).ok_or_else(|| {
            let detail =
                "no model server was found on this machine; start one, or name a provider with --provider";
            Problem::new(Code::NotFound, detail)
        });
    };
    let provider = offered.providers.iter().find(|provider| provider.id == *named);
    if let Some(provider) = provider {
        return Ok(provider.base_url.clone());
    }
    if named.contains("://") {
        return Ok(named.clone());
    }
    let known: Vec<_> = offered.providers.iter().map(|provider| provider.id.as_str()).collect();
    Err(Problem::new(Code::NotFound, format!("no provider `{named}`; there are: {}", known.join(", "))))
}

fn key(file: &Path) -> Result<String, Problem> {
    let mut key = String::new();
    let read = if file == Path::new("-") {
        io::stdin().lock().take(LONGEST_KEY).read_to_string(&mut key)
    } else {
        fs::File::open(file).and_then(|open| open.take(LONGEST_KEY).read_to_string(&mut key))
    };
    let failed = |error| Problem::new(Code::IoFailed, format!("can't read {}: {error}", file.display()));
    read.map_err(failed)?;
    Ok(key.trim().to_owned())
}

fn no_model() -> Problem {
    Problem::new(Code::NotFound, "the server has no model yet; fetch one there, then connect again")
}

fn show(chat: &ChatModel, context: &CommandContext<'_>) -> Result<Exit, Problem> {
    let mut table = Table::new(["model", "origin", "address", "key"]);
    if let Some(model) = &chat.model {
        let origin = match model.origin {
            ModelOrigin::Configuration => "configuration",
            ModelOrigin::Connected => "connected",
        };
        let key = if model.has_api_key { "stored" } else { "" };
        table.push([model.name.as_str().into(), origin.into(), model.base_url.as_deref().into(), key.into()]);
    }
    let records: Vec<Value> =
        chat.model.iter().map(|model| serde_json::to_value(model).unwrap_or_default()).collect();
    context.output.list(&records, &table)?;
    tell(chat);
    Ok(Exit::Ok)
}

/// What a table has no room for: what is wrong with the model, and what could answer when none does.
fn tell(chat: &ChatModel) {
    if let Some(model) = &chat.model {
        if let Some(why) = &model.unusable {
            report::note(format_args!("it can't be used: {why}"));
        }
        return;
    }
    report::note("no model is connected, so personas answer from what they remember");
    for server in chat.servers.iter().flatten() {
        let found = local_models::sentence(server);
        report::note(format_args!("{found}; `selfhood model connect` uses it"));
    }
}
