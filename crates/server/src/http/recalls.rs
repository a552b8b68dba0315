//! Recall, its explanation, the report of used memories, and the whole prompt.

use wire::recall::UsedAnswer;
use wire::verb::{self, Verb};

use super::handlers::Handler;
use super::idempotency::RepeatPolicy;
use super::request_context::{Answer, HandlerResult, RequestContext};

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    (verb::Recall::NAME, |context| Box::pin(recall(context))),
    (verb::ExplainRecall::NAME, |context| Box::pin(explain(context))),
    (verb::ReportUsed::NAME, |context| Box::pin(used(context))),
    (verb::PreviewContext::NAME, |context| Box::pin(preview(context))),
];

/// How repeated requests are answered.
pub(crate) const REPEATED: &[(&str, RepeatPolicy)] = &[(
    verb::ReportUsed::NAME,
    RepeatPolicy::Rendered(|_| Box::pin(async { Answer::json(&UsedAnswer { rehearsed: Vec::new() }) })),
)];

async fn recall(context: RequestContext) -> HandlerResult {
    let recalled = context.engine.recall(&context.call, &context.persona()?, context.body()?).await?;
    Ok(Answer::json(&recalled)?.with_notices(&recalled.notices))
}

async fn explain(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.explain_recall(&context.call, context.recall()?).await?)
}

async fn used(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.report_used(&context.call, context.recall()?, context.body()?).await?)
}

async fn preview(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.preview_context(&context.call, &context.persona()?, context.body()?).await?)
}
