//! The timeline.

use wire::persona::OfTenant;
use wire::redaction::RedactEntry;
use wire::verb::{self, Verb};

use super::handlers::Handler;
use super::idempotency::RepeatPolicy;
use super::request_context::{Answer, HandlerResult, RequestContext};

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    (verb::AppendEntry::NAME, |context| Box::pin(append(context))),
    (verb::ListTimeline::NAME, |context| Box::pin(list(context))),
    (verb::SupersedeEntry::NAME, |context| Box::pin(supersede(context))),
    (verb::CheckConsistency::NAME, |context| Box::pin(check(context))),
    (verb::RedactEntry::NAME, |context| Box::pin(redact(context))),
];

/// How repeated requests are answered.
pub(crate) const REPEATED: &[(&str, RepeatPolicy)] = &[
    (verb::AppendEntry::NAME, RepeatPolicy::ByVerb),
    (verb::SupersedeEntry::NAME, RepeatPolicy::Rendered(|context| Box::pin(superseded(context)))),
    (verb::RedactEntry::NAME, RepeatPolicy::Rendered(|context| Box::pin(redacted(context)))),
];

async fn append(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.append_entry(&context.call, &context.persona()?, context.body()?).await?)
}

async fn list(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.list_timeline(&context.call, &context.persona()?, context.query()?).await?)
}

async fn supersede(context: RequestContext) -> HandlerResult {
    let (persona, entry) = (context.persona()?, context.entry()?);
    Answer::json(&context.engine.supersede_entry(&context.call, &persona, entry, context.body()?).await?)
}

async fn check(context: RequestContext) -> HandlerResult {
    context.check_tenant(context.query::<OfTenant>()?.tenant_id.as_ref()).await?;
    Answer::json(&context.engine.check_consistency(&context.call, &context.persona()?).await?)
}

async fn redact(context: RequestContext) -> HandlerResult {
    let (persona, entry) = (context.persona()?, context.entry()?);
    Answer::json(&context.engine.redact_entry(&context.call, &persona, entry, context.body()?).await?)
}

async fn superseded(context: RequestContext) -> HandlerResult {
    let (persona, entry) = (context.persona()?, context.entry()?);
    Answer::json(&context.engine.show_entry(&context.call, &persona, entry).await?)
}

/// A preview is computed again.
async fn redacted(context: RequestContext) -> HandlerResult {
    if context.body::<RedactEntry>()?.dry_run {
        return redact(context).await;
    }
    let (persona, entry) = (context.persona()?, context.entry()?);
    Answer::json(&context.engine.redacted_entry_again(&context.call, &persona, entry).await?)
}
