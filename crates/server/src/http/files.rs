//! The files of a persona's folder.

use axum::http::HeaderMap;
use axum::http::header::{IF_MATCH, IF_NONE_MATCH};
use engine::ExpectedVersion;
use wire::Problem;
use wire::file::{FileAnswer, OfPersona, WriteFile};
use wire::verb;

use super::chat::persona;
use super::handlers::{Handler, verb_handler};
use super::request_context::{Answer, HandlerResult, RequestContext, VerbContext};

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    verb_handler!(verb::ListFiles, |context| list(context)),
    verb_handler!(verb::ReadFile, |context| read(context)),
    verb_handler!(verb::WriteFile, |context| write(context)),
];

async fn list(context: VerbContext<verb::ListFiles>) -> HandlerResult {
    let asked = asked(&context).await?;
    context.answer(&context.engine.list_files(&context.call, &persona(&asked.persona)?).await?)
}

async fn read(context: VerbContext<verb::ReadFile>) -> HandlerResult {
    let asked = asked(&context).await?;
    let name = context.segment("name");
    tagged(&context.engine.read_file(&context.call, &persona(&asked.persona)?, name).await?)
}

async fn write(context: VerbContext<verb::WriteFile>) -> HandlerResult {
    let asked = asked(&context).await?;
    let (persona, seen) = (persona(&asked.persona)?, seen(&context.headers));
    let file: WriteFile = context.body()?;
    let name = context.segment("name");
    tagged(&context.engine.write_file(&context.call, &persona, name, &seen, file).await?)
}

async fn asked(context: &RequestContext) -> Result<OfPersona, Problem> {
    let asked: OfPersona = context.query()?;
    context.check_tenant(asked.user.as_ref()).await?;
    Ok(asked)
}

/// The file, with the tag that a later write must name.
fn tagged(answer: &FileAnswer) -> HandlerResult {
    Ok(Answer::json(answer)?.with_header("etag", Some(answer.file.entry.etag.clone())))
}

/// The version that the writer has seen, from its headers.
fn seen(headers: &HeaderMap) -> ExpectedVersion {
    let values = |name| headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
    let tags: Vec<String> =
        values(IF_MATCH).flat_map(|list| list.split(',')).map(|tag| tag.trim().to_owned()).collect();
    if !tags.is_empty() {
        return ExpectedVersion::Tags(tags);
    }
    if values(IF_NONE_MATCH).any(|value| value.trim() == "*") {
        ExpectedVersion::Nothing
    } else {
        ExpectedVersion::Unsaid
    }
}
