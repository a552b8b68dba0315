//! Memories and lives on their way in and out.

use super::doors::Handler;
use super::visit::{Answer, Told, Visit};

pub(crate) const DOORS: &[(&str, Handler)] =
    &[("import", |visit| Box::pin(import(visit))), ("export", |visit| Box::pin(export(visit)))];

async fn import(visit: Visit) -> Told {
    Answer::json(&visit.engine.import(&visit.call, &visit.persona()?, visit.body()?).await?)
}

async fn export(visit: Visit) -> Told {
    Answer::json(&visit.engine.export(&visit.call, &visit.persona()?, visit.query()?).await?)
}
