//! API keys.
use wire::verb::{self, Verb};

use super::handlers::{Handler, verb_handler};
use super::idempotency::RepeatPolicy;
use super::request_context::{Answer, HandlerResult, RequestContext, VerbContext};

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    verb_handler!(verb::NewKey, |context| new(context)),
    verb_handler!(verb::ListKeys, |context| list(context)),
    verb_handler!(verb::RevokeKey, |context| revoke(context)),
];

/// How repeated requests are answered.
pub(crate) const REPEATED: &[(&str, RepeatPolicy)] =
    &[(verb::NewKey::NAME, RepeatPolicy::Made("/key/id", |context, id| Box::pin(made(context, id))))];

async fn new(context: VerbContext<verb::NewKey>) -> HandlerResult {
    context.answer(&context.engine.new_key(&context.call, context.body()?).await?)
}

async fn list(context: VerbContext<verb::ListKeys>) -> HandlerResult {
    context.answer(&context.engine.list_keys(&context.call).await?)
}

async fn revoke(context: VerbContext<verb::RevokeKey>) -> HandlerResult {
    context.answer(&context.engine.revoke_key(&context.call, context.segment("keyId")).await?)
}

async fn made(context: RequestContext, id: String) -> HandlerResult {
    Answer::json(&context.engine.key_again(&context.call, &id).await?)
}
