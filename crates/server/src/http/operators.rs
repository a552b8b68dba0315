//! Operator keys.
use wire::verb::{self, Verb};

use super::handlers::{Handler, verb_handler};
use super::idempotency::RepeatPolicy;
use super::request_context::{Answer, HandlerResult, RequestContext, VerbContext};

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    verb_handler!(verb::NewOperator, |context| new(context)),
    verb_handler!(verb::ListOperators, |context| async move { list(&context) }),
    verb_handler!(verb::RevokeOperator, |context| revoke(context)),
];

/// How repeated requests are answered.
pub(crate) const REPEATED: &[(&str, RepeatPolicy)] = &[(
    verb::NewOperator::NAME,
    RepeatPolicy::Made("/operator/did", |context, did| Box::pin(async move { made(&context, &did) })),
)];

async fn new(context: VerbContext<verb::NewOperator>) -> HandlerResult {
    context.answer(&context.engine.new_operator(&context.call, context.body()?).await?)
}

fn list(context: &VerbContext<verb::ListOperators>) -> HandlerResult {
    context.answer(&context.engine.list_operators(&context.call)?)
}

async fn revoke(context: VerbContext<verb::RevokeOperator>) -> HandlerResult {
    context.answer(&context.engine.revoke_operator(&context.call, context.segment("did")).await?)
}

fn made(context: &RequestContext, did: &str) -> HandlerResult {
    Answer::json(&context.engine.operator_again(&context.call, did)?)
}
