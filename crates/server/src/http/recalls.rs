//! Recall, its explanation, the report of used memories, and the whole prompt.

use wire::recall::UsedAnswer;

use super::handlers::Handler;
use super::idempotency::Repeated;
use super::request_context::{Answer, HandlerResult, RequestContext};

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    ("recall", |visit| Box::pin(recall(visit))),
    ("explain_recall", |visit| Box::pin(explain(visit))),
    ("report_used", |visit| Box::pin(used(visit))),
    ("preview_context", |visit| Box::pin(preview(visit))),
];

/// How repeated requests are answered.
pub(crate) const REPEATED: &[(&str, Repeated)] = &[(
    "report_used",
    Repeated::Rendered(|_| Box::pin(async { Answer::json(&UsedAnswer { rehearsed: Vec::new() }) })),
)];

async fn recall(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.recall(&visit.call, &visit.persona()?, visit.body()?).await?)
}

async fn explain(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.explain_recall(&visit.call, visit.recall()?).await?)
}

async fn used(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.report_used(&visit.call, visit.recall()?, visit.body()?).await?)
}

async fn preview(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.preview_context(&visit.call, &visit.persona()?, visit.body()?).await?)
}
