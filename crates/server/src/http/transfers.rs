//! Memories and lives on their way in and out.

use wire::transfer::{Import, ImportAnswer};
use wire::{Code, Problem};

use super::doors::Handler;
use super::idempotency::Repeated;
use super::visit::{Answer, Told, Visit};

pub(crate) const DOORS: &[(&str, Handler)] =
    &[("import", |visit| Box::pin(import(visit))), ("export", |visit| Box::pin(export(visit)))];

/// How repeated requests are answered.
pub(crate) const REPEATED: &[(&str, Repeated)] =
    &[("import", Repeated::Rendered(|visit| Box::pin(imported(visit))))];

async fn import(visit: Visit) -> Told {
    // An import may be large enough that reading it alone would keep an async worker busy for seconds. It needs no
    // place on the CPU pool, where the part before it is being indexed: `limits.body_bytes_at_once` bounds it.
    let body = visit.body.clone();
    let reading = tokio::task::spawn_blocking(move || wire::read::read(&body));
    let broke_off = |_| Problem::new(Code::Internal, "reading the import broke off; the log says where");
    let asked = reading.await.map_err(broke_off)??;
    Answer::json(&visit.engine.import(&visit.call, &visit.persona()?, asked).await?)
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
