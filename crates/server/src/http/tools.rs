//! The persona's tools, run by a client.

use domain::Text;
use engine::Engine;
use wire::tool::{ToolAnswer, UseTool};
use wire::verb::{self, Verb};

use super::handlers::{Handler, verb_handler};
use super::idempotency::RepeatPolicy;
use super::request_context::{Answer, HandlerResult, RequestContext, VerbContext};

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    verb_handler!(verb::ListTools, |context| list(context)),
    verb_handler!(verb::UseTool, |context| use_tool(context)),
];

/// How repeated requests are answered.
pub(crate) const REPEATED: &[(&str, RepeatPolicy)] =
    &[(verb::UseTool::NAME, RepeatPolicy::Rendered(|context| Box::pin(used(context))))];

async fn list(context: VerbContext<verb::ListTools>) -> HandlerResult {
    context.answer(&context.engine.list_tools(&context.call, &context.persona()?).await?)
}

async fn use_tool(context: VerbContext<verb::UseTool>) -> HandlerResult {
    let (persona, asked): (_, UseTool) = (context.persona()?, context.body()?);
    context.answer(&context.engine.use_tool(&context.call, &persona, context.segment("tool"), asked).await?)
}

/// A tool that only reads is run again.
async fn used(context: RequestContext) -> HandlerResult {
    if !Engine::is_writing_tool(context.segment("tool")) {
        return use_tool(context.of_verb()).await;
    }
    let done = "Done before, by an earlier request with the same `Idempotency-Key`.";
    Answer::json(&ToolAnswer { result: Text::new(done) })
}
