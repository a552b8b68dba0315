//! Recall, its explanation, the report of used memories, and the whole prompt.

use wire::recall::UsedAnswer;
use wire::verb::{self, Verb};

use super::handlers::{Handler, verb_handler};
use super::idempotency::RepeatPolicy;
use super::request_context::{Answer, HandlerResult, VerbContext};

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    verb_handler!(verb::Recall, |context| recall(context)),
    verb_handler!(verb::ExplainRecall, |context| explain(context)),
    verb_handler!(verb::ReportUsed, |context| used(context)),
    verb_handler!(verb::PreviewContext, |context| preview(context)),
];

/// How repeated requests are answered.
pub(crate) const REPEATED: &[(&str, RepeatPolicy)] = &[(
    verb::ReportUsed::NAME,
    RepeatPolicy::Rendered(|_| Box::pin(async { Answer::json(&UsedAnswer { rehearsed: Vec::new() }) })),
)];

async fn recall(context: VerbContext<verb::Recall>) -> HandlerResult {
    let recalled = context.engine.recall(&context.call, &context.persona()?, context.body()?).await?;
    Ok(context.answer(&recalled)?.with_notices(&recalled.notices))
}

async fn explain(context: VerbContext<verb::ExplainRecall>) -> HandlerResult {
    context.answer(&context.engine.explain_recall(&context.call, context.recall()?).await?)
}

async fn used(context: VerbContext<verb::ReportUsed>) -> HandlerResult {
    context.answer(&context.engine.report_used(&context.call, context.recall()?, context.body()?).await?)
}

async fn preview(context: VerbContext<verb::PreviewContext>) -> HandlerResult {
    context
        .answer(&context.engine.preview_context(&context.call, &context.persona()?, context.body()?).await?)
}
