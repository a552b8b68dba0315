//! API keys.

use super::doors::Handler;
use super::visit::{Answer, Told, Visit};

pub(crate) const DOORS: &[(&str, Handler)] = &[
    ("new_key", |visit| Box::pin(new(visit))),
    ("list_keys", |visit| Box::pin(list(visit))),
    ("revoke_key", |visit| Box::pin(revoke(visit))),
];

async fn new(visit: Visit) -> Told {
    Answer::json(&visit.engine.new_key(&visit.call, visit.body()?).await?)
}

async fn list(visit: Visit) -> Told {
    Answer::json(&visit.engine.list_keys(&visit.call).await?)
}

async fn revoke(visit: Visit) -> Told {
    Answer::json(&visit.engine.revoke_key(&visit.call, visit.segment("keyId")).await?)
}
