//! Memories and lives on their way in and out.

use wire::transfer::{Import, ImportAnswer};

use super::doors::Handler;
use super::idempotency::Repeated;
use super::visit::{Answer, Told, Visit};

pub(crate) const DOORS: &[(&str, Handler)] =
    &[("import", |visit| Box::pin(import(visit))), ("export", |visit| Box::pin(export(visit)))];

/// How repeated requests are answered.
pub(crate) const REPEATED: &[(&str, Repeated)] =
    &[("import", Repeated::Rendered(|visit| Box::pin(imported(visit))))];

async fn import(visit: Visit) -> Told {
    Answer::json(&visit.engine.import(&visit.call, &visit.persona()?, visit.body()?).await?)
}

async fn export(visit: Visit) -> Told {
    Answer::json(&visit.engine.export(&visit.call, &visit.persona()?, visit.query()?).await?)
}

/// A preview is made anew; otherwise every line was there before.
async fn imported(visit: Visit) -> Told {
    let asked: Import = visit.body()?;
    if asked.dry_run {
        return import(visit).await;
    }
    Answer::json(&ImportAnswer { duplicates: asked.lines.len(), ..ImportAnswer::default() })
}
