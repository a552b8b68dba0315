//! Import and export.

use wire::card::ImportCard;
use wire::transfer::{Import, ImportAnswer};
use wire::verb::{self, Verb};
use wire::{Code, Problem};

use super::handlers::{Handler, verb_handler};
use super::idempotency::RepeatPolicy;
use super::request_context::{Answer, HandlerResult, RequestContext, VerbContext};

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    verb_handler!(verb::Import, |context| import(context)),
    verb_handler!(verb::ReadImport, |context| read_import(context)),
    verb_handler!(verb::ListImports, |context| list_imports(context)),
    verb_handler!(verb::UndoImport, |context| undo_import(context)),
    verb_handler!(verb::Export, |context| export(context)),
    verb_handler!(verb::ExportConversations, |context| export_conversations(context)),
    verb_handler!(verb::SignBundle, |context| sign_bundle(context)),
    verb_handler!(verb::ImportPersona, |context| import_persona(context)),
    verb_handler!(verb::ImportCard, |context| import_card(context)),
    verb_handler!(verb::ExportCard, |context| export_card(context)),
];

/// How repeated requests are answered.
pub(crate) const REPEATED: &[(&str, RepeatPolicy)] = &[
    (verb::Import::NAME, RepeatPolicy::Rendered(|context| Box::pin(imported(context)))),
    (verb::SignBundle::NAME, RepeatPolicy::Rendered(|context| Box::pin(sign_bundle(context.of_verb())))),
    (verb::ImportPersona::NAME, RepeatPolicy::Made("/persona/id", |context, id| Box::pin(made(context, id)))),
    (verb::ImportCard::NAME, RepeatPolicy::Rendered(|context| Box::pin(card_again(context)))),
];

async fn import(context: VerbContext<verb::Import>) -> HandlerResult {
    // A large import would keep an async worker busy for seconds just by parsing. It needs no slot on the CPU
    // pool, where the previous part is being indexed: `limits.body_bytes_at_once` bounds it.
    let body = context.body.clone();
    let reading = tokio::task::spawn_blocking(move || wire::read::read(&body));
    let broke_off = |_| Problem::new(Code::Internal, "reading the import failed; see the log");
    let asked = reading.await.map_err(broke_off)??;
    context.answer(&context.engine.import(&context.call, &context.persona()?, asked).await?)
}

async fn read_import(context: VerbContext<verb::ReadImport>) -> HandlerResult {
    context.answer(&context.engine.read_import(&context.call, &context.persona()?, context.body()?).await?)
}

async fn export(context: VerbContext<verb::Export>) -> HandlerResult {
    context.answer(&context.engine.export(&context.call, &context.persona()?, context.query()?).await?)
}

async fn list_imports(context: VerbContext<verb::ListImports>) -> HandlerResult {
    context.answer(&context.engine.list_imports(&context.call, &context.persona()?).await?)
}

async fn undo_import(context: VerbContext<verb::UndoImport>) -> HandlerResult {
    let import = context.named("importId", Code::NotFound)?;
    context.answer(&context.engine.undo_import(&context.call, &context.persona()?, import).await?)
}

async fn export_conversations(context: VerbContext<verb::ExportConversations>) -> HandlerResult {
    context.answer(
        &context.engine.export_conversations(&context.call, &context.persona()?, context.query()?).await?,
    )
}

async fn sign_bundle(context: VerbContext<verb::SignBundle>) -> HandlerResult {
    context.answer(&context.engine.sign_bundle(&context.call, &context.persona()?, context.body()?).await?)
}

async fn import_persona(context: VerbContext<verb::ImportPersona>) -> HandlerResult {
    context.answer(&context.engine.import_persona(&context.call, context.body()?).await?)
}

async fn made(context: RequestContext, id: String) -> HandlerResult {
    Answer::json(&context.engine.persona_again(&context.call, &id).await?)
}

async fn import_card(context: VerbContext<verb::ImportCard>) -> HandlerResult {
    context.answer(&context.engine.import_card(&context.call, context.body()?).await?)
}

/// The card is read again, and the persona it created is found by the same name.
async fn card_again(context: RequestContext) -> HandlerResult {
    let asked: ImportCard = context.body()?;
    Answer::json(&context.engine.import_card(&context.call, ImportCard { dry_run: true, ..asked }).await?)
}

async fn export_card(context: VerbContext<verb::ExportCard>) -> HandlerResult {
    context.answer(&context.engine.export_card(&context.call, &context.persona()?, context.query()?).await?)
}

/// A preview is computed again; otherwise every line counts as known.
async fn imported(context: RequestContext) -> HandlerResult {
    let asked: Import = context.body()?;
    if asked.dry_run {
        return import(context.of_verb()).await;
    }
    Answer::json(&ImportAnswer { duplicates: asked.lines.len(), ..ImportAnswer::default() })
}
