//! The persona's tools, run by a client.

use domain::Text;
use engine::Engine;
use wire::tool::{ToolAnswer, UseTool};
use wire::verb::{self, Verb};

use super::handlers::Handler;
use super::idempotency::RepeatPolicy;
use super::request_context::{Answer, HandlerResult, RequestContext};

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    (verb::ListTools::NAME, |context| Box::pin(list(context))),
    (verb::UseTool::NAME, |context| Box::pin(use_tool(context))),
];

/// How repeated requests are answered.
pub(crate) const REPEATED: &[(&str, RepeatPolicy)] =
    &[(verb::UseTool::NAME, RepeatPolicy::Rendered(|context| Box::pin(used(context))))];

async fn list(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.list_tools(&context.call, &context.persona()?).await?)
}

async fn use_tool(context: RequestContext) -> HandlerResult {
    let (persona, asked): (_, UseTool) = (context.persona()?, context.body()?);
    Answer::json(&context.engine.use_tool(&context.call, &persona, context.segment("tool"), asked).await?)
}

/// A tool that only reads is run again.
async fn used(context: RequestContext) -> HandlerResult {
    if !Engine::is_writing_tool(context.segment("tool")) {
        return use_tool(context).await;
    }
    let done = "Done before, by an earlier request with the same `Idempotency-Key`.";
    Answer::json(&ToolAnswer { result: Text::new(done) })
}
