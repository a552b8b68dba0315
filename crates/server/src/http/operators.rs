//! Operator keys.

use super::doors::Handler;
use super::idempotency::Repeated;
use super::visit::{Answer, Told, Visit};

pub(crate) const DOORS: &[(&str, Handler)] = &[
    ("new_operator", |visit| Box::pin(new(visit))),
    ("list_operators", |visit| Box::pin(async move { list(&visit) })),
    ("revoke_operator", |visit| Box::pin(revoke(visit))),
];

/// How repeated requests are answered.
pub(crate) const REPEATED: &[(&str, Repeated)] = &[(
    "new_operator",
    Repeated::Made("/operator/did", |visit, did| Box::pin(async move { made(&visit, &did) })),
)];

async fn new(visit: Visit) -> Told {
    Answer::json(&visit.engine.new_operator(&visit.call, visit.body()?).await?)
}

fn list(visit: &Visit) -> Told {
    Answer::json(&visit.engine.list_operators(&visit.call)?)
}

async fn revoke(visit: Visit) -> Told {
    Answer::json(&visit.engine.revoke_operator(&visit.call, visit.segment("did")).await?)
}

fn made(visit: &Visit, did: &str) -> Told {
    Answer::json(&visit.engine.operator_again(&visit.call, did)?)
}
