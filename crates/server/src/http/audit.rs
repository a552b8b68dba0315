//! Audit logs and residue scans.

use super::handlers::Handler;
use super::request_context::{Answer, HandlerResult, RequestContext};

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    ("report_audit", |visit| Box::pin(report(visit))),
    ("verify_audit", |visit| Box::pin(verify(visit))),
    ("export_audit", |visit| Box::pin(export(visit))),
    ("seek_residue", |visit| Box::pin(seek(visit))),
];

async fn report(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.report_audit(&visit.call, visit.query()?).await?)
}

async fn verify(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.verify_audit(&visit.call, visit.body()?).await?)
}

async fn export(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.export_audit(&visit.call, visit.query()?).await?)
}

async fn seek(visit: RequestContext) -> HandlerResult {
    Answer::json(&visit.engine.seek_residue(&visit.call, visit.body()?).await?)
}
