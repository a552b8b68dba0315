//! What the logs say, whether they hold, and what is left of what should be gone.

use super::doors::Handler;
use super::visit::{Answer, Told, Visit};

pub(crate) const DOORS: &[(&str, Handler)] = &[
    ("report_audit", |visit| Box::pin(report(visit))),
    ("verify_audit", |visit| Box::pin(verify(visit))),
    ("export_audit", |visit| Box::pin(export(visit))),
    ("seek_residue", |visit| Box::pin(seek(visit))),
];

async fn report(visit: Visit) -> Told {
    Answer::json(&visit.engine.report_audit(&visit.call, visit.query()?).await?)
}

async fn verify(visit: Visit) -> Told {
    Answer::json(&visit.engine.verify_audit(&visit.call, visit.body()?).await?)
}

async fn export(visit: Visit) -> Told {
    Answer::json(&visit.engine.export_audit(&visit.call, visit.query()?).await?)
}

async fn seek(visit: Visit) -> Told {
    Answer::json(&visit.engine.seek_residue(&visit.call, visit.body()?).await?)
}
