//! Backups, keys, models and the doctor.

use wire::doctor::UpdateDecay;
use wire::verb::{self, Verb};

use super::handlers::{Handler, verb_handler};
use super::idempotency::RepeatPolicy;
use super::request_context::{Answer, HandlerResult, RequestContext, VerbContext};

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    verb_handler!(verb::BackUp, |context| back_up(context)),
    verb_handler!(verb::Examine, |context| examine(context)),
    verb_handler!(verb::UpdateDecay, |context| update_decay(context)),
    verb_handler!(verb::FindLocalModels, |context| find_local_models(context)),
    verb_handler!(verb::ShowVault, |context| show_vault(context)),
    verb_handler!(verb::RotateKeys, |context| rotate(context)),
    verb_handler!(verb::VerifyVault, |context| verify(context)),
    verb_handler!(verb::ListMirrors, |context| async move { list_mirrors(&context) }),
    verb_handler!(verb::AddMirror, |context| async move { add_mirror(&context) }),
    verb_handler!(verb::RemoveMirror, |context| async move { remove_mirror(&context) }),
];

/// How repeated requests are answered.
pub(crate) const REPEATED: &[(&str, RepeatPolicy)] = &[
    (verb::BackUp::NAME, RepeatPolicy::Rendered(|context| Box::pin(async move { backed_up(&context) }))),
    (verb::UpdateDecay::NAME, RepeatPolicy::Rendered(|context| Box::pin(decay_left(context)))),
    (verb::RotateKeys::NAME, RepeatPolicy::Rendered(|context| Box::pin(show_vault(context.of_verb())))),
    (
        verb::AddMirror::NAME,
        RepeatPolicy::Rendered(|context| Box::pin(async move { list_mirrors(&context.of_verb()) })),
    ),
];

async fn back_up(context: VerbContext<verb::BackUp>) -> HandlerResult {
    context.answer(&context.engine.back_up(&context.call, context.body()?).await?)
}

async fn examine(context: VerbContext<verb::Examine>) -> HandlerResult {
    context.answer(&context.engine.examine(&context.call).await?)
}

async fn update_decay(context: VerbContext<verb::UpdateDecay>) -> HandlerResult {
    context.answer(&context.engine.update_decay(&context.call, context.body_or_default()?).await?)
}

/// What is left to change; nothing is changed again.
async fn decay_left(context: RequestContext) -> HandlerResult {
    let asked = UpdateDecay { dry_run: true, ..context.body_or_default()? };
    Answer::json(&context.engine.update_decay(&context.call, asked).await?)
}

async fn find_local_models(context: VerbContext<verb::FindLocalModels>) -> HandlerResult {
    context.answer(&context.engine.find_local_models(&context.call).await?)
}

async fn show_vault(context: VerbContext<verb::ShowVault>) -> HandlerResult {
    context.answer(&context.engine.show_vault(&context.call).await?)
}

async fn rotate(context: VerbContext<verb::RotateKeys>) -> HandlerResult {
    context.answer(&context.engine.rotate_keys(&context.call).await?)
}

async fn verify(context: VerbContext<verb::VerifyVault>) -> HandlerResult {
    context.answer(&context.engine.verify_vault(&context.call).await?)
}

fn list_mirrors(context: &VerbContext<verb::ListMirrors>) -> HandlerResult {
    context.answer(&context.engine.list_mirrors(&context.call)?)
}

fn add_mirror(context: &VerbContext<verb::AddMirror>) -> HandlerResult {
    context.answer(&context.engine.add_mirror(&context.call, &context.body()?)?)
}

fn remove_mirror(context: &VerbContext<verb::RemoveMirror>) -> HandlerResult {
    context.answer(&context.engine.remove_mirror(&context.call, &context.query()?)?)
}

fn backed_up(context: &RequestContext) -> HandlerResult {
    Answer::json(&context.engine.backup_again(&context.call, &context.body()?)?)
}
