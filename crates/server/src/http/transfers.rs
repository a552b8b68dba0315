//! Import and export.

use wire::card::ImportCard;
use wire::transfer::{Import, ImportAnswer};
use wire::verb::{self, Verb};
use wire::{Code, Problem};

use super::handlers::Handler;
use super::idempotency::RepeatPolicy;
use super::request_context::{Answer, HandlerResult, RequestContext};

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    (verb::Import::NAME, |context| Box::pin(import(context))),
    (verb::ReadImport::NAME, |context| Box::pin(read_import(context))),
    (verb::ListImports::NAME, |context| Box::pin(list_imports(context))),
    (verb::UndoImport::NAME, |context| Box::pin(undo_import(context))),
    (verb::Export::NAME, |context| Box::pin(export(context))),
    (verb::ExportConversations::NAME, |context| Box::pin(export_conversations(context))),
    (verb::SignBundle::NAME, |context| Box::pin(sign_bundle(context))),
    (verb::ImportPersona::NAME, |context| Box::pin(import_persona(context))),
    (verb::ImportCard::NAME, |context| Box::pin(import_card(context))),
    (verb::ExportCard::NAME, |context| Box::pin(export_card(context))),
];

/// How repeated requests are answered.
pub(crate) const REPEATED: &[(&str, RepeatPolicy)] = &[
    (verb::Import::NAME, RepeatPolicy::Rendered(|context| Box::pin(imported(context)))),
    (verb::SignBundle::NAME, RepeatPolicy::Rendered(|context| Box::pin(sign_bundle(context)))),
    (verb::ImportPersona::NAME, RepeatPolicy::Made("/persona/id", |context, id| Box::pin(made(context, id)))),
    (verb::ImportCard::NAME, RepeatPolicy::Rendered(|context| Box::pin(card_again(context)))),
];

async fn import(context: RequestContext) -> HandlerResult {
    // A large import would keep an async worker busy for seconds just by parsing. It needs no slot on the CPU
    // pool, where the previous part is being indexed: `limits.body_bytes_at_once` bounds it.
    let body = context.body.clone();
    let reading = tokio::task::spawn_blocking(move || wire::read::read(&body));
    let broke_off = |_| Problem::new(Code::Internal, "reading the import failed; see the log");
    let asked = reading.await.map_err(broke_off)??;
    Answer::json(&context.engine.import(&context.call, &context.persona()?, asked).await?)
}

async fn read_import(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.read_import(&context.call, &context.persona()?, context.body()?).await?)
}

async fn export(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.export(&context.call, &context.persona()?, context.query()?).await?)
}

async fn list_imports(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.list_imports(&context.call, &context.persona()?).await?)
}

async fn undo_import(context: RequestContext) -> HandlerResult {
    let import = context.named("importId", Code::NotFound)?;
    Answer::json(&context.engine.undo_import(&context.call, &context.persona()?, import).await?)
}

async fn export_conversations(context: RequestContext) -> HandlerResult {
    Answer::json(
        &context.engine.export_conversations(&context.call, &context.persona()?, context.query()?).await?,
    )
}

async fn sign_bundle(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.sign_bundle(&context.call, &context.persona()?, context.body()?).await?)
}

async fn import_persona(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.import_persona(&context.call, context.body()?).await?)
}

async fn made(context: RequestContext, id: String) -> HandlerResult {
    Answer::json(&context.engine.persona_again(&context.call, &id).await?)
}

async fn import_card(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.import_card(&context.call, context.body()?).await?)
}

/// The card is read again, and the persona it created is found by the same name.
async fn card_again(context: RequestContext) -> HandlerResult {
    let asked: ImportCard = context.body()?;
    Answer::json(&context.engine.import_card(&context.call, ImportCard { dry_run: true, ..asked }).await?)
}

async fn export_card(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.export_card(&context.call, &context.persona()?, context.query()?).await?)
}

/// A preview is computed again; otherwise every line counts as known.
async fn imported(context: RequestContext) -> HandlerResult {
    let asked: Import = context.body()?;
    if asked.dry_run {
        return import(context).await;
    }
    Answer::json(&ImportAnswer { duplicates: asked.lines.len(), ..ImportAnswer::default() })
}
