//! The agents that have come lately.

use wire::verb;

use super::handlers::{Handler, verb_handler};
use super::request_context::{HandlerResult, VerbContext};

pub(crate) const HANDLERS: &[(&str, Handler)] =
    &[verb_handler!(verb::ListAgents, |context| std::future::ready(list(&context)))];

fn list(context: &VerbContext<verb::ListAgents>) -> HandlerResult {
    context.answer(&context.state.agents.list(&context.call.caller.tenant, context.call.now))
}
