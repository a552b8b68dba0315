//! Resources: the persona's files, which are the owner's to read, and single memories.

use std::path::Path;

use serde_json::{Value, json};
use wire::file::{FileAnswer, FileList};
use wire::verb;
use wire::{Code, Problem};

use super::profile::Profile;
use super::reference::graph_as_text;
use super::session::{Ask, Session};

/// What every address begins with.
const SCHEME: &str = "selfhood://";
/// The one resource of the reference server.
const GRAPH: &str = "memory://knowledge-graph";

/// What the profile has to read: the persona's files for its owner, nothing for anybody else, or the graph.
pub(super) async fn listed(session: &Session, profile: Profile) -> Result<Value, Problem> {
    if profile == Profile::Reference {
        return Ok(json!([{
            "uri": GRAPH,
            "name": "knowledge-graph",
            "title": "Knowledge Graph",
            "description": "The full knowledge graph with all entities and relations",
            "mimeType": "application/json",
        }]));
    }
    #[cfg(feature = "conformance")]
    if profile == Profile::Conformance {
        return Ok(super::conformance::resources());
    }
    if !session.is_owner() {
        return Ok(json!([]));
    }
    let query = Some(session.files());
    let FileList { files, .. } = session.ask::<verb::ListFiles>(Ask { query, ..Ask::default() }).await?;
    let resource = |name: &str, tokens: u32| {
        json!({
            "uri": format!("{SCHEME}{}/files/{name}", session.persona),
            "name": name,
            "title": name,
            "mimeType": mime_type(name),
            "description": format!("A file of the persona, about {tokens} tokens."),
        })
    };
    Ok(files.iter().map(|file| resource(&file.name, file.tokens.0)).collect())
}

/// The addresses that can be filled in.
pub(super) fn templates(session: &Session, profile: Profile) -> Value {
    #[cfg(feature = "conformance")]
    if profile == Profile::Conformance {
        return super::conformance::templates();
    }
    if profile == Profile::Reference {
        return json!([]);
    }
    json!([{
        "uriTemplate": format!("{SCHEME}{}/memories/{{id}}", session.persona),
        "name": "memory",
        "title": "Memory",
        "description": "One memory with how it fades, by its id.",
        "mimeType": "application/json",
    }])
}

/// What stands at `uri`.
pub(super) async fn read(session: &Session, profile: Profile, uri: &str) -> Result<Value, Problem> {
    if profile == Profile::Reference && uri == GRAPH {
        return Ok(contents(uri, "application/json", &graph_as_text(session).await?));
    }
    #[cfg(feature = "conformance")]
    if profile == Profile::Conformance
        && let Some(found) = super::conformance::resource(uri)
    {
        return Ok(found);
    }
    let own = format!("{SCHEME}{}/", session.persona);
    let place = uri.strip_prefix(&own).and_then(|rest| rest.split_once('/'));
    match place {
        Some(("files", name)) => {
            let (path, query) = ([("name", name)], Some(session.files()));
            let ask = Ask { path: &path, query, ..Ask::default() };
            let FileAnswer { file } = session.ask::<verb::ReadFile>(ask).await?;
            Ok(contents(uri, mime_type(name), file.content.as_str()))
        }
        Some(("memories", id)) => {
            let path = [("id", id)];
            let memory = session.answer::<verb::InspectMemory>(Ask { path: &path, ..Ask::default() }).await?;
            let text = serde_json::to_string_pretty(&memory).unwrap_or_default();
            Ok(contents(uri, "application/json", &text))
        }
        Some(_) | None => Err(Problem::new(Code::NotFound, "there is no such resource; list them first")),
    }
}

fn contents(uri: &str, mime_type: &str, text: &str) -> Value {
    json!({ "contents": [{ "uri": uri, "mimeType": mime_type, "text": text }] })
}

fn mime_type(name: &str) -> &'static str {
    if Path::new(name).extension().is_some_and(|own| own == "json") {
        "application/json"
    } else {
        "text/markdown"
    }
}
