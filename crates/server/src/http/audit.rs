//! Audit logs and residue scans.
use wire::verb::{self, Verb};

use super::handlers::Handler;
use super::request_context::{Answer, HandlerResult, RequestContext};

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    (verb::ReportAudit::NAME, |context| Box::pin(report(context))),
    (verb::VerifyAudit::NAME, |context| Box::pin(verify(context))),
    (verb::ExportAudit::NAME, |context| Box::pin(export(context))),
    (verb::SeekResidue::NAME, |context| Box::pin(seek(context))),
];

async fn report(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.report_audit(&context.call, context.query()?).await?)
}

async fn verify(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.verify_audit(&context.call, context.body()?).await?)
}

async fn export(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.export_audit(&context.call, context.query()?).await?)
}

async fn seek(context: RequestContext) -> HandlerResult {
    Answer::json(&context.engine.seek_residue(&context.call, context.body()?).await?)
}
