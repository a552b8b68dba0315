//! The persona's tools, run by a client.

use domain::Text;
use engine::Engine;
use wire::tool::{ToolAnswer, UseTool};

use super::handlers::Handler;
use super::idempotency::Repeated;
use super::request_context::{Answer, HandlerResult, RequestContext};

pub(crate) const HANDLERS: &[(&str, Handler)] =
    &[("list_tools", |visit| Box::pin(list(visit))), ("use_tool", |visit| Box::pin(use_tool(visit)))];

/// How repeated requests are answered.
pub(crate) const REPEATED: &[(&str, Repeated)] =
    &[("use_tool", Repeated::Rendered(|visit| Box::pin(used(visit))))];

async fn list(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.list_tools(&visit.call, &visit.persona()?).await?)
}

async fn use_tool(visit: RequestContext) -> HandlerResult {
    let (persona, asked): (_, UseTool) = (visit.persona()?, visit.body()?);
    Answer::json(&visit.engine.use_tool(&visit.call, &persona, visit.segment("tool"), asked).await?)
}

/// A tool that only reads is run again.
async fn used(visit: RequestContext) -> HandlerResult {
    if !Engine::is_writing_tool(visit.segment("tool")) {
        return use_tool(visit).await;
    }
    let done = "Done before, by an earlier request with the same `Idempotency-Key`.";
    Answer::json(&ToolAnswer { result: Text::new(done) })
}
