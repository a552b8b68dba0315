//! API keys.
use wire::verb::{self, Verb};

use super::handlers::Handler;
use super::idempotency::RepeatPolicy;
use super::request_context::{Answer, HandlerResult, RequestContext};

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    (verb::NewKey::NAME, |context| Box::pin(new(context))),
    (verb::ListKeys::NAME, |context| Box::pin(list(context))),
    (verb::RevokeKey::NAME, |context| Box::pin(revoke(context))),
];

/// How repeated requests are answered.
pub(crate) const REPEATED: &[(&str, RepeatPolicy)] =
    &[(verb::NewKey::NAME, RepeatPolicy::Made("/key/id", |context, id| Box::pin(made(context, id))))];

async fn new(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.new_key(&context.call, context.body()?).await?)
}

async fn list(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.list_keys(&context.call).await?)
}

async fn revoke(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.revoke_key(&context.call, context.segment("keyId")).await?)
}

async fn made(context: RequestContext, id: String) -> HandlerResult {
    Answer::json(&context.engine.key_again(&context.call, &id).await?)
}
