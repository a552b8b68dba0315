//! The right to be forgotten.
use wire::verb::{self, Verb};

use super::handlers::Handler;
use super::idempotency::RepeatPolicy;
use super::request_context::{Answer, HandlerResult, RequestContext};

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    (verb::RequestErasure::NAME, |context| Box::pin(request(context))),
    (verb::ForeseeErasure::NAME, |context| Box::pin(foresee(context))),
    (verb::ListErasures::NAME, |context| Box::pin(list(context))),
    (verb::ShowErasure::NAME, |context| Box::pin(show(context))),
    (verb::PreviewErasure::NAME, |context| Box::pin(preview(context))),
    (verb::WithdrawErasure::NAME, |context| Box::pin(withdraw(context))),
    (verb::SignErasure::NAME, |context| Box::pin(sign(context))),
    (verb::ExecuteErasure::NAME, |context| Box::pin(execute(context))),
    (verb::ErasureCertificate::NAME, |context| Box::pin(certificate(context))),
];

/// How repeated requests are answered.
pub(crate) const REPEATED: &[(&str, RepeatPolicy)] = &[
    (verb::RequestErasure::NAME, RepeatPolicy::ByVerb),
    (verb::SignErasure::NAME, RepeatPolicy::Rendered(|context| Box::pin(show(context)))),
    (verb::ExecuteErasure::NAME, RepeatPolicy::Rendered(|context| Box::pin(show(context)))),
];

async fn request(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.request_erasure(&context.call, context.body()?).await?)
}

async fn foresee(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.foresee_erasure(&context.call, context.body()?).await?)
}

async fn list(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.list_erasures(&context.call).await?)
}

async fn show(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.show_erasure(&context.call, context.erasure()?).await?)
}

async fn withdraw(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.withdraw_erasure(&context.call, context.erasure()?).await?)
}

async fn preview(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.preview_erasure(&context.call, context.erasure()?).await?)
}

async fn sign(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.sign_erasure(&context.call, context.erasure()?, context.body()?).await?)
}

async fn execute(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.execute_erasure(&context.call, context.erasure()?).await?)
}

async fn certificate(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.erasure_certificate(&context.call, context.erasure()?).await?)
}
