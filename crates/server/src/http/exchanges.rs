//! What was said and answered elsewhere, and what was remembered of something said.

use wire::session::BySubject;

use super::doors::Handler;
use super::idempotency::Repeated;
use super::visit::{Answer, Told, Visit};

pub(crate) const DOORS: &[(&str, Handler)] =
    &[("record_exchange", |visit| Box::pin(record(visit))), ("show_exchange", |visit| Box::pin(show(visit)))];

/// How repeated requests are answered.
pub(crate) const REPEATED: &[(&str, Repeated)] =
    &[("record_exchange", Repeated::Made("/exchangeId", |visit, id| Box::pin(recorded(visit, id))))];

async fn record(visit: Visit) -> Told {
    Answer::json(&visit.engine.record_exchange(&visit.call, &visit.persona()?, visit.body()?).await?)
}

async fn recorded(visit: Visit, id: String) -> Told {
    let asked: wire::exchange::RecordExchange = visit.body()?;
    Answer::json(&visit.engine.show_exchange(&visit.call, &id, asked.subject).await?)
}

async fn show(visit: Visit) -> Told {
    let BySubject { subject } = visit.query()?;
    Answer::json(&visit.engine.show_exchange(&visit.call, visit.segment("exchangeId"), subject).await?)
}
