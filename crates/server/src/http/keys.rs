//! API keys.

use super::handlers::Handler;
use super::idempotency::Repeated;
use super::request_context::{Answer, HandlerResult, RequestContext};

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    ("new_key", |visit| Box::pin(new(visit))),
    ("list_keys", |visit| Box::pin(list(visit))),
    ("revoke_key", |visit| Box::pin(revoke(visit))),
];

/// How repeated requests are answered.
pub(crate) const REPEATED: &[(&str, Repeated)] =
    &[("new_key", Repeated::Made("/key/id", |visit, id| Box::pin(made(visit, id))))];

async fn new(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.new_key(&visit.call, visit.body()?).await?)
}

async fn list(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.list_keys(&visit.call).await?)
}

async fn revoke(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.revoke_key(&visit.call, visit.segment("keyId")).await?)
}

async fn made(visit: RequestContext, id: String) -> HandlerResult {
    Answer::json(&visit.engine.key_again(&visit.call, &id).await?)
}
