//! API keys.

use super::doors::Handler;
use super::idempotency::Repeated;
use super::visit::{Answer, Told, Visit};

pub(crate) const DOORS: &[(&str, Handler)] = &[
    ("new_key", |visit| Box::pin(new(visit))),
    ("list_keys", |visit| Box::pin(list(visit))),
    ("revoke_key", |visit| Box::pin(revoke(visit))),
];

/// How repeated requests are answered.
pub(crate) const REPEATED: &[(&str, Repeated)] =
    &[("new_key", Repeated::Made("/key/id", |visit, id| Box::pin(made(visit, id))))];

async fn new(visit: Visit) -> Told {
    Answer::json(&visit.engine.new_key(&visit.call, visit.body()?).await?)
}

async fn list(visit: Visit) -> Told {
    Answer::json(&visit.engine.list_keys(&visit.call).await?)
}

async fn revoke(visit: Visit) -> Told {
    Answer::json(&visit.engine.revoke_key(&visit.call, visit.segment("keyId")).await?)
}

async fn made(visit: Visit, id: String) -> Told {
    Answer::json(&visit.engine.key_again(&visit.call, &id).await?)
}
