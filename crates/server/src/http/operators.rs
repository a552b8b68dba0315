//! Operator keys.
use wire::verb::{self, Verb};

use super::handlers::Handler;
use super::idempotency::RepeatPolicy;
use super::request_context::{Answer, HandlerResult, RequestContext};

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    (verb::NewOperator::NAME, |context| Box::pin(new(context))),
    (verb::ListOperators::NAME, |context| Box::pin(async move { list(&context) })),
    (verb::RevokeOperator::NAME, |context| Box::pin(revoke(context))),
];

/// How repeated requests are answered.
pub(crate) const REPEATED: &[(&str, RepeatPolicy)] = &[(
    verb::NewOperator::NAME,
    RepeatPolicy::Made("/operator/did", |context, did| Box::pin(async move { made(&context, &did) })),
)];

async fn new(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.new_operator(&context.call, context.body()?).await?)
}

fn list(context: &RequestContext) -> HandlerResult {
    Answer::json(&context.engine.list_operators(&context.call)?)
}

async fn revoke(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.revoke_operator(&context.call, context.segment("did")).await?)
}

fn made(context: &RequestContext, did: &str) -> HandlerResult {
    Answer::json(&context.engine.operator_again(&context.call, did)?)
}
