//! Memories and lives on their way in and out.

use wire::{Code, Problem};

use super::doors::Handler;
use super::visit::{Answer, Told, Visit};

pub(crate) const DOORS: &[(&str, Handler)] =
    &[("import", |visit| Box::pin(import(visit))), ("export", |visit| Box::pin(export(visit)))];

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
