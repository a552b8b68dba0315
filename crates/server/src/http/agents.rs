//! The agents that have come lately.

use super::handlers::Handler;
use super::request_context::{Answer, HandlerResult, RequestContext};

pub(crate) const HANDLERS: &[(&str, Handler)] =
    &[("list_agents", |visit| Box::pin(std::future::ready(list(&visit))))];

fn list(visit: &RequestContext) -> HandlerResult {
    Answer::json(&visit.house.agents.list(&visit.call.caller.tenant, visit.call.now))
}
