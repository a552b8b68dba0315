//! What was remembered of something said.

use wire::session::BySubject;

use super::doors::Handler;
use super::visit::{Answer, Told, Visit};

pub(crate) const DOORS: &[(&str, Handler)] = &[("show_exchange", |visit| Box::pin(show(visit)))];

async fn show(visit: Visit) -> Told {
    let BySubject { subject } = visit.query()?;
    Answer::json(&visit.engine.show_exchange(&visit.call, visit.segment("exchangeId"), subject).await?)
}
