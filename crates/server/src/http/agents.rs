//! The agents that have come lately.
use wire::verb::{self, Verb};

use super::handlers::Handler;
use super::request_context::{Answer, HandlerResult, RequestContext};

pub(crate) const HANDLERS: &[(&str, Handler)] =
    &[(verb::ListAgents::NAME, |context| Box::pin(std::future::ready(list(&context))))];

fn list(context: &RequestContext) -> HandlerResult {
    Answer::json(&context.state.agents.list(&context.call.caller.tenant, context.call.now))
}
