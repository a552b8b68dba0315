//! The files of a persona's folder.

use axum::http::HeaderMap;
use axum::http::header::{IF_MATCH, IF_NONE_MATCH};
use engine::Seen;
use wire::Problem;
use wire::file::{FileAnswer, OfPersona, WriteFile};

use super::chat::persona;
use super::handlers::Handler;
use super::request_context::{Answer, HandlerResult, RequestContext};

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    ("list_files", |visit| Box::pin(list(visit))),
    ("read_file", |visit| Box::pin(read(visit))),
    ("write_file", |visit| Box::pin(write(visit))),
];

async fn list(visit: RequestContext) -> HandlerResult {
    let asked = asked(&visit).await?;
    Answer::json(&visit.engine.list_files(&visit.call, &persona(&asked.persona)?).await?)
}

async fn read(visit: RequestContext) -> HandlerResult {
    let asked = asked(&visit).await?;
    let name = visit.segment("name");
    tagged(&visit.engine.read_file(&visit.call, &persona(&asked.persona)?, name).await?)
}

async fn write(visit: RequestContext) -> HandlerResult {
    let asked = asked(&visit).await?;
    let (persona, seen) = (persona(&asked.persona)?, seen(&visit.headers));
    let content: WriteFile = visit.body()?;
    let name = visit.segment("name");
    tagged(&visit.engine.write_file(&visit.call, &persona, name, &seen, content).await?)
}

async fn asked(visit: &RequestContext) -> Result<OfPersona, Problem> {
    let asked: OfPersona = visit.query()?;
    visit.check_tenant(asked.user.as_ref()).await?;
    Ok(asked)
}

/// The file, with the tag that a later write must name.
fn tagged(answer: &FileAnswer) -> HandlerResult {
    Ok(Answer::json(answer)?.telling("etag", Some(answer.file.entry.etag.clone())))
}

/// The version that the writer has seen, from its headers.
fn seen(headers: &HeaderMap) -> Seen {
    let values = |name| headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
    let tags: Vec<String> =
        values(IF_MATCH).flat_map(|list| list.split(',')).map(|tag| tag.trim().to_owned()).collect();
    if !tags.is_empty() {
        return Seen::Tags(tags);
    }
    if values(IF_NONE_MATCH).any(|value| value.trim() == "*") { Seen::Nothing } else { Seen::Unsaid }
}
