//! Operator keys.

use super::handlers::Handler;
use super::idempotency::Repeated;
use super::request_context::{Answer, HandlerResult, RequestContext};

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    ("new_operator", |visit| Box::pin(new(visit))),
    ("list_operators", |visit| Box::pin(async move { list(&visit) })),
    ("revoke_operator", |visit| Box::pin(revoke(visit))),
];

/// How repeated requests are answered.
pub(crate) const REPEATED: &[(&str, Repeated)] = &[(
    "new_operator",
    Repeated::Made("/operator/did", |visit, did| Box::pin(async move { made(&visit, &did) })),
)];

async fn new(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.new_operator(&visit.call, visit.body()?).await?)
}

fn list(visit: &RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.list_operators(&visit.call)?)
}

async fn revoke(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.revoke_operator(&visit.call, visit.segment("did")).await?)
}

fn made(visit: &RequestContext, did: &str) -> HandlerResult {
    Answer::json(&visit.engine.operator_again(&visit.call, did)?)
}
