//! Backups, keys, models and the doctor.

use wire::doctor::UpdateDecay;

use super::handlers::Handler;
use super::idempotency::Repeated;
use super::request_context::{Answer, HandlerResult, RequestContext};

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    ("back_up", |visit| Box::pin(back_up(visit))),
    ("examine", |visit| Box::pin(examine(visit))),
    ("update_decay", |visit| Box::pin(update_decay(visit))),
    ("find_local_models", |visit| Box::pin(find_local_models(visit))),
    ("show_vault", |visit| Box::pin(show_vault(visit))),
    ("rotate_keys", |visit| Box::pin(rotate(visit))),
    ("verify_vault", |visit| Box::pin(verify(visit))),
    ("list_mirrors", |visit| Box::pin(async move { list_mirrors(&visit) })),
    ("add_mirror", |visit| Box::pin(async move { add_mirror(&visit) })),
    ("remove_mirror", |visit| Box::pin(async move { remove_mirror(&visit) })),
];

/// How repeated requests are answered.
pub(crate) const REPEATED: &[(&str, Repeated)] = &[
    ("back_up", Repeated::Rendered(|visit| Box::pin(async move { backed_up(&visit) }))),
    ("update_decay", Repeated::Rendered(|visit| Box::pin(decay_left(visit)))),
    ("rotate_keys", Repeated::Rendered(|visit| Box::pin(show_vault(visit)))),
    ("add_mirror", Repeated::Rendered(|visit| Box::pin(async move { list_mirrors(&visit) }))),
];

async fn back_up(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.back_up(&visit.call, visit.body()?).await?)
}

async fn examine(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.examine(&visit.call).await?)
}

async fn update_decay(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.update_decay(&visit.call, visit.body_or_default()?).await?)
}

/// What is left to change; nothing is changed again.
async fn decay_left(visit: RequestContext) -> HandlerResult {
    let asked = UpdateDecay { dry_run: true, ..visit.body_or_default()? };
    Answer::json(&visit.engine.update_decay(&visit.call, asked).await?)
}

async fn find_local_models(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.find_local_models(&visit.call).await?)
}

async fn show_vault(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.show_vault(&visit.call).await?)
}

async fn rotate(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.rotate_keys(&visit.call).await?)
}

async fn verify(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.verify_vault(&visit.call).await?)
}

fn list_mirrors(visit: &RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.list_mirrors(&visit.call)?)
}

fn add_mirror(visit: &RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.add_mirror(&visit.call, &visit.body()?)?)
}

fn remove_mirror(visit: &RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.remove_mirror(&visit.call, &visit.query()?)?)
}

fn backed_up(visit: &RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.backup_again(&visit.call, &visit.body()?)?)
}
