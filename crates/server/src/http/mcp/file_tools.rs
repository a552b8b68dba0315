//! The persona's files for agents of its owner: list, read, and write over what was read.

use axum::http::HeaderMap;
use axum::http::header::{IF_MATCH, IF_NONE_MATCH};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use wire::fields;
use wire::file::{FileAnswer, FileList, WriteFile};
use wire::mcp::NoInput;
use wire::verb;
use wire::{Problem, read};

use super::schema::{bare, compact};
use super::session::{Ask, Session};
use super::tool::{Done, Hints, Outcome, Tool, ToolInput};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Which {
    /// Such as `IDENTITY.md`.
    name: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Written {
    /// Such as `IDENTITY.md`.
    name: String,
    /// All that the file is to say.
    content: String,
    /// The `etag` it was read with; left out for a file that is not there yet.
    #[serde(default)]
    etag: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct Listed {
    files: Vec<FileLine>,
}

#[derive(Serialize, JsonSchema)]
struct FileLine {
    name: String,
    tokens: u32,
    writable: bool,
}

#[derive(Serialize, JsonSchema)]
struct FileText {
    name: String,
    content: String,
    etag: String,
}

#[derive(Serialize, JsonSchema)]
struct Tag {
    name: String,
    etag: String,
}

/// The tools.
pub(super) const TOOLS: &[Tool] = &[
    Tool {
        name: "list_files",
        title: "List files",
        description: "Lists the persona's files: identity, values, rules, notes, digests, day logs.",
        hints: Hints::Reads,
        input: compact::<NoInput>,
        output: bare::<Listed>,
        run: |session, given| Box::pin(list(session, given)),
    },
    Tool {
        name: "read_file",
        title: "Read a file",
        description: "Reads a file, with the etag that a later write must name.",
        hints: Hints::Reads,
        input: compact::<Which>,
        output: bare::<FileText>,
        run: |session, given| Box::pin(read_one(session, given)),
    },
    Tool {
        name: "write_file",
        title: "Write a file",
        description: "Writes a whole file over what was read of it. Read it first and pass its etag.",
        hints: Hints::Changes,
        input: compact::<Written>,
        output: bare::<Tag>,
        run: |session, given| Box::pin(write(session, given)),
    },
];

async fn list(session: &Session, given: ToolInput) -> Done {
    let NoInput {} = read(given)?;
    let query = Some(session.files());
    let FileList { files, .. } = session.ask::<verb::ListFiles>(Ask { query, ..Ask::default() }).await?;
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    let text = names.join("\n");
    let line = |file: &wire::file::FileEntry| FileLine {
        name: file.name.clone(),
        tokens: file.tokens.0,
        writable: file.writable,
    };
    output_with_text(&Listed { files: files.iter().map(line).collect() }, text)
}

async fn read_one(session: &Session, given: ToolInput) -> Done {
    let Which { name } = read(given)?;
    let (path, query) = ([("name", name.as_str())], Some(session.files()));
    let ask = Ask { path: &path, query, ..Ask::default() };
    let FileAnswer { file } = session.ask::<verb::ReadFile>(ask).await?;
    let content = file.content.as_str().to_owned();
    output_with_text(&FileText { name, content: content.clone(), etag: file.entry.etag }, content)
}

async fn write(session: &Session, given: ToolInput) -> Done {
    let Written { name, content, etag } = read(given)?;
    let (path, query) = ([("name", name.as_str())], Some(session.files()));
    let mut headers = HeaderMap::new();
    match etag.as_deref().and_then(|etag| etag.parse().ok()) {
        Some(etag) => drop(headers.insert(IF_MATCH, etag)),
        None => drop(headers.insert(IF_NONE_MATCH, axum::http::HeaderValue::from_static("*"))),
    }
    let body = Some(fields!(WriteFile { content: Some(content) }));
    let FileAnswer { file } =
        session.ask::<verb::WriteFile>(Ask { path: &path, query, body, headers }).await?;
    let text = format!("{name} is written.");
    output_with_text(&Tag { name, etag: file.entry.etag }, text)
}

fn output_with_text(output: &impl Serialize, text: String) -> Done {
    Outcome::of(serde_json::to_value(output).unwrap_or_default(), text)
}

fn read<T: DeserializeOwned + JsonSchema + 'static>(given: ToolInput) -> Result<T, Problem> {
    read::read_value(given.arguments)
}
