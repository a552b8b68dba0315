//! Backups, keys, models and the doctor.

use wire::doctor::UpdateDecay;
use wire::verb::{self, Verb};

use super::handlers::Handler;
use super::idempotency::RepeatPolicy;
use super::request_context::{Answer, HandlerResult, RequestContext};

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    (verb::BackUp::NAME, |context| Box::pin(back_up(context))),
    (verb::Examine::NAME, |context| Box::pin(examine(context))),
    (verb::UpdateDecay::NAME, |context| Box::pin(update_decay(context))),
    (verb::FindLocalModels::NAME, |context| Box::pin(find_local_models(context))),
    (verb::ShowVault::NAME, |context| Box::pin(show_vault(context))),
    (verb::RotateKeys::NAME, |context| Box::pin(rotate(context))),
    (verb::VerifyVault::NAME, |context| Box::pin(verify(context))),
    (verb::ListMirrors::NAME, |context| Box::pin(async move { list_mirrors(&context) })),
    (verb::AddMirror::NAME, |context| Box::pin(async move { add_mirror(&context) })),
    (verb::RemoveMirror::NAME, |context| Box::pin(async move { remove_mirror(&context) })),
];

/// How repeated requests are answered.
pub(crate) const REPEATED: &[(&str, RepeatPolicy)] = &[
    (verb::BackUp::NAME, RepeatPolicy::Rendered(|context| Box::pin(async move { backed_up(&context) }))),
    (verb::UpdateDecay::NAME, RepeatPolicy::Rendered(|context| Box::pin(decay_left(context)))),
    (verb::RotateKeys::NAME, RepeatPolicy::Rendered(|context| Box::pin(show_vault(context)))),
    (
        verb::AddMirror::NAME,
        RepeatPolicy::Rendered(|context| Box::pin(async move { list_mirrors(&context) })),
    ),
];

async fn back_up(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.back_up(&context.call, context.body()?).await?)
}

async fn examine(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.examine(&context.call).await?)
}

async fn update_decay(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.update_decay(&context.call, context.body_or_default()?).await?)
}

/// What is left to change; nothing is changed again.
async fn decay_left(context: RequestContext) -> HandlerResult {
    let asked = UpdateDecay { dry_run: true, ..context.body_or_default()? };
    Answer::json(&context.engine.update_decay(&context.call, asked).await?)
}

async fn find_local_models(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.find_local_models(&context.call).await?)
}

async fn show_vault(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.show_vault(&context.call).await?)
}

async fn rotate(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.rotate_keys(&context.call).await?)
}

async fn verify(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.verify_vault(&context.call).await?)
}

fn list_mirrors(context: &RequestContext) -> HandlerResult {
    Answer::json(&context.engine.list_mirrors(&context.call)?)
}

fn add_mirror(context: &RequestContext) -> HandlerResult {
    Answer::json(&context.engine.add_mirror(&context.call, &context.body()?)?)
}

fn remove_mirror(context: &RequestContext) -> HandlerResult {
    Answer::json(&context.engine.remove_mirror(&context.call, &context.query()?)?)
}

fn backed_up(context: &RequestContext) -> HandlerResult {
    Answer::json(&context.engine.backup_again(&context.call, &context.body()?)?)
}
