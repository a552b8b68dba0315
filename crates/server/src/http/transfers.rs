//! Import and export.

use wire::card::ImportCard;
use wire::transfer::{Import, ImportAnswer};
use wire::{Code, Problem};

use super::handlers::Handler;
use super::idempotency::Repeated;
use super::request_context::{Answer, HandlerResult, RequestContext};

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    ("import", |visit| Box::pin(import(visit))),
    ("read_import", |visit| Box::pin(read_import(visit))),
    ("list_imports", |visit| Box::pin(list_imports(visit))),
    ("undo_import", |visit| Box::pin(undo_import(visit))),
    ("export", |visit| Box::pin(export(visit))),
    ("export_conversations", |visit| Box::pin(export_conversations(visit))),
    ("sign_bundle", |visit| Box::pin(sign_bundle(visit))),
    ("import_persona", |visit| Box::pin(import_persona(visit))),
    ("import_card", |visit| Box::pin(import_card(visit))),
    ("export_card", |visit| Box::pin(export_card(visit))),
];

/// How repeated requests are answered.
pub(crate) const REPEATED: &[(&str, Repeated)] = &[
    ("import", Repeated::Rendered(|visit| Box::pin(imported(visit)))),
    ("sign_bundle", Repeated::Rendered(|visit| Box::pin(sign_bundle(visit)))),
    ("import_persona", Repeated::Made("/persona/id", |visit, id| Box::pin(made(visit, id)))),
    ("import_card", Repeated::Rendered(|visit| Box::pin(card_again(visit)))),
];

async fn import(visit: RequestContext) -> HandlerResult {
    // A large import would keep an async worker busy for seconds just by parsing. It needs no slot on the CPU
    // pool, where the previous part is being indexed: `limits.body_bytes_at_once` bounds it.
    let body = visit.body.clone();
    let reading = tokio::task::spawn_blocking(move || wire::read::read(&body));
    let broke_off = |_| Problem::new(Code::Internal, "reading the import failed; see the log");
    let asked = reading.await.map_err(broke_off)??;
    Answer::json(&visit.engine.import(&visit.call, &visit.persona()?, asked).await?)
}

async fn read_import(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.read_import(&visit.call, &visit.persona()?, visit.body()?).await?)
}

async fn export(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.export(&visit.call, &visit.persona()?, visit.query()?).await?)
}

async fn list_imports(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.list_imports(&visit.call, &visit.persona()?).await?)
}

async fn undo_import(visit: RequestContext) -> HandlerResult {
    let import = visit.named("importId", Code::NotFound)?;
    Answer::json(&visit.engine.undo_import(&visit.call, &visit.persona()?, import).await?)
}

async fn export_conversations(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.export_conversations(&visit.call, &visit.persona()?, visit.query()?).await?)
}

async fn sign_bundle(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.sign_bundle(&visit.call, &visit.persona()?, visit.body()?).await?)
}

async fn import_persona(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.import_persona(&visit.call, visit.body()?).await?)
}

async fn made(visit: RequestContext, id: String) -> HandlerResult {
    Answer::json(&visit.engine.persona_again(&visit.call, &id).await?)
}

async fn import_card(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.import_card(&visit.call, visit.body()?).await?)
}

/// The card is read again, and the persona it created is found by the same name.
async fn card_again(visit: RequestContext) -> HandlerResult {
    let asked: ImportCard = visit.body()?;
    Answer::json(&visit.engine.import_card(&visit.call, ImportCard { dry_run: true, ..asked }).await?)
}

async fn export_card(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.export_card(&visit.call, &visit.persona()?, visit.query()?).await?)
}

/// A preview is computed again; otherwise every line counts as known.
async fn imported(visit: RequestContext) -> HandlerResult {
    let asked: Import = visit.body()?;
    if asked.dry_run {
        return import(visit).await;
    }
    Answer::json(&ImportAnswer { duplicates: asked.lines.len(), ..ImportAnswer::default() })
}
