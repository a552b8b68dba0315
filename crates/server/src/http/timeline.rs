//! The timeline.

use wire::persona::OfTenant;
use wire::redaction::RedactEntry;

use super::handlers::Handler;
use super::idempotency::Repeated;
use super::request_context::{Answer, HandlerResult, RequestContext};

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    ("append_entry", |visit| Box::pin(append(visit))),
    ("list_timeline", |visit| Box::pin(list(visit))),
    ("supersede_entry", |visit| Box::pin(supersede(visit))),
    ("check_consistency", |visit| Box::pin(check(visit))),
    ("redact_entry", |visit| Box::pin(redact(visit))),
];

/// How repeated requests are answered.
pub(crate) const REPEATED: &[(&str, Repeated)] = &[
    ("append_entry", Repeated::ByVerb),
    ("supersede_entry", Repeated::Rendered(|visit| Box::pin(superseded(visit)))),
    ("redact_entry", Repeated::Rendered(|visit| Box::pin(redacted(visit)))),
];

async fn append(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.append_entry(&visit.call, &visit.persona()?, visit.body()?).await?)
}

async fn list(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.list_timeline(&visit.call, &visit.persona()?, visit.query()?).await?)
}

async fn supersede(visit: RequestContext) -> HandlerResult {
    let (persona, entry) = (visit.persona()?, visit.entry()?);
    Answer::json(&visit.engine.supersede_entry(&visit.call, &persona, entry, visit.body()?).await?)
}

async fn check(visit: RequestContext) -> HandlerResult {
    visit.check_tenant(visit.query::<OfTenant>()?.tenant_id.as_ref()).await?;
    Answer::json(&visit.engine.check_consistency(&visit.call, &visit.persona()?).await?)
}

async fn redact(visit: RequestContext) -> HandlerResult {
    let (persona, entry) = (visit.persona()?, visit.entry()?);
    Answer::json(&visit.engine.redact_entry(&visit.call, &persona, entry, visit.body()?).await?)
}

async fn superseded(visit: RequestContext) -> HandlerResult {
    let (persona, entry) = (visit.persona()?, visit.entry()?);
    Answer::json(&visit.engine.show_entry(&visit.call, &persona, entry).await?)
}

/// A preview is computed again.
async fn redacted(visit: RequestContext) -> HandlerResult {
    if visit.body::<RedactEntry>()?.dry_run {
        return redact(visit).await;
    }
    let (persona, entry) = (visit.persona()?, visit.entry()?);
    Answer::json(&visit.engine.redacted_entry_again(&visit.call, &persona, entry).await?)
}
