//! The right to be forgotten.
use wire::verb::{self, Verb};

use super::handlers::{Handler, verb_handler};
use super::idempotency::RepeatPolicy;
use super::request_context::{HandlerResult, VerbContext};

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    verb_handler!(verb::RequestErasure, |context| request(context)),
    verb_handler!(verb::ForeseeErasure, |context| foresee(context)),
    verb_handler!(verb::ListErasures, |context| list(context)),
    verb_handler!(verb::ShowErasure, |context| show(context)),
    verb_handler!(verb::PreviewErasure, |context| preview(context)),
    verb_handler!(verb::WithdrawErasure, |context| withdraw(context)),
    verb_handler!(verb::SignErasure, |context| sign(context)),
    verb_handler!(verb::ExecuteErasure, |context| execute(context)),
    verb_handler!(verb::ErasureCertificate, |context| certificate(context)),
];

/// How repeated requests are answered.
pub(crate) const REPEATED: &[(&str, RepeatPolicy)] = &[
    (verb::RequestErasure::NAME, RepeatPolicy::ByVerb),
    (verb::SignErasure::NAME, RepeatPolicy::Rendered(|context| Box::pin(show(context.of_verb())))),
    (verb::ExecuteErasure::NAME, RepeatPolicy::Rendered(|context| Box::pin(show(context.of_verb())))),
];

async fn request(context: VerbContext<verb::RequestErasure>) -> HandlerResult {
    context.answer(&context.engine.request_erasure(&context.call, context.body()?).await?)
}

async fn foresee(context: VerbContext<verb::ForeseeErasure>) -> HandlerResult {
    context.answer(&context.engine.foresee_erasure(&context.call, context.body()?).await?)
}

async fn list(context: VerbContext<verb::ListErasures>) -> HandlerResult {
    context.answer(&context.engine.list_erasures(&context.call).await?)
}

async fn show(context: VerbContext<verb::ShowErasure>) -> HandlerResult {
    context.answer(&context.engine.show_erasure(&context.call, context.erasure()?).await?)
}

async fn withdraw(context: VerbContext<verb::WithdrawErasure>) -> HandlerResult {
    context.answer(&context.engine.withdraw_erasure(&context.call, context.erasure()?).await?)
}

async fn preview(context: VerbContext<verb::PreviewErasure>) -> HandlerResult {
    context.answer(&context.engine.preview_erasure(&context.call, context.erasure()?).await?)
}

async fn sign(context: VerbContext<verb::SignErasure>) -> HandlerResult {
    context.answer(&context.engine.sign_erasure(&context.call, context.erasure()?, context.body()?).await?)
}

async fn execute(context: VerbContext<verb::ExecuteErasure>) -> HandlerResult {
    context.answer(&context.engine.execute_erasure(&context.call, context.erasure()?).await?)
}

async fn certificate(context: VerbContext<verb::ErasureCertificate>) -> HandlerResult {
    context.answer(&context.engine.erasure_certificate(&context.call, context.erasure()?).await?)
}
