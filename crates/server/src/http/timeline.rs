//! The timeline.

use wire::redaction::RedactEntry;
use wire::verb::{self, Verb};

use super::handlers::{Handler, verb_handler};
use super::idempotency::RepeatPolicy;
use super::request_context::{Answer, HandlerResult, RequestContext, VerbContext};

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    verb_handler!(verb::AppendEntry, |context| append(context)),
    verb_handler!(verb::ListTimeline, |context| list(context)),
    verb_handler!(verb::SupersedeEntry, |context| supersede(context)),
    verb_handler!(verb::CheckConsistency, |context| check(context)),
    verb_handler!(verb::RedactEntry, |context| redact(context)),
];

/// How repeated requests are answered.
pub(crate) const REPEATED: &[(&str, RepeatPolicy)] = &[
    (verb::AppendEntry::NAME, RepeatPolicy::ByVerb),
    (verb::SupersedeEntry::NAME, RepeatPolicy::Rendered(|context| Box::pin(superseded(context)))),
    (verb::RedactEntry::NAME, RepeatPolicy::Rendered(|context| Box::pin(redacted(context)))),
];

async fn append(context: VerbContext<verb::AppendEntry>) -> HandlerResult {
    context.answer(&context.engine.append_entry(&context.call, &context.persona()?, context.body()?).await?)
}

async fn list(context: VerbContext<verb::ListTimeline>) -> HandlerResult {
    context.answer(&context.engine.list_timeline(&context.call, &context.persona()?, context.query()?).await?)
}

async fn supersede(context: VerbContext<verb::SupersedeEntry>) -> HandlerResult {
    let (persona, entry) = (context.persona()?, context.entry()?);
    context.answer(&context.engine.supersede_entry(&context.call, &persona, entry, context.body()?).await?)
}

async fn check(context: VerbContext<verb::CheckConsistency>) -> HandlerResult {
    context.check_tenant(context.query()?.tenant_id.as_ref()).await?;
    context.answer(&context.engine.check_consistency(&context.call, &context.persona()?).await?)
}

async fn redact(context: VerbContext<verb::RedactEntry>) -> HandlerResult {
    let (persona, entry) = (context.persona()?, context.entry()?);
    context.answer(&context.engine.redact_entry(&context.call, &persona, entry, context.body()?).await?)
}

async fn superseded(context: RequestContext) -> HandlerResult {
    let (persona, entry) = (context.persona()?, context.entry()?);
    Answer::json(&context.engine.show_entry(&context.call, &persona, entry).await?)
}

/// A preview is computed again.
async fn redacted(context: RequestContext) -> HandlerResult {
    if context.body::<RedactEntry>()?.dry_run {
        return redact(context.of_verb()).await;
    }
    let (persona, entry) = (context.persona()?, context.entry()?);
    Answer::json(&context.engine.redacted_entry_again(&context.call, &persona, entry).await?)
}
