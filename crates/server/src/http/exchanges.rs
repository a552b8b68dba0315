//! Recording exchanges from elsewhere, and what was learnt from an exchange.

use wire::session::BySubject;

use super::handlers::Handler;
use super::idempotency::Repeated;
use super::request_context::{Answer, HandlerResult, RequestContext};

pub(crate) const HANDLERS: &[(&str, Handler)] =
    &[("record_exchange", |visit| Box::pin(record(visit))), ("show_exchange", |visit| Box::pin(show(visit)))];

/// How repeated requests are answered.
pub(crate) const REPEATED: &[(&str, Repeated)] =
    &[("record_exchange", Repeated::Made("/exchangeId", |visit, id| Box::pin(recorded(visit, id))))];

async fn record(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.record_exchange(&visit.call, &visit.persona()?, visit.body()?).await?)
}

async fn recorded(visit: RequestContext, id: String) -> HandlerResult {
    let asked: wire::exchange::RecordExchange = visit.body()?;
    Answer::json(&visit.engine.show_exchange(&visit.call, &id, asked.subject).await?)
}

async fn show(visit: RequestContext) -> HandlerResult {
    let BySubject { subject } = visit.query()?;
    Answer::json(&visit.engine.show_exchange(&visit.call, visit.segment("exchangeId"), subject).await?)
}
