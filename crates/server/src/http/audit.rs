//! Audit logs and residue scans.
use wire::verb;

use super::handlers::{Handler, verb_handler};
use super::request_context::{HandlerResult, VerbContext};

pub(crate) const HANDLERS: &[(&str, Handler)] = &[
    verb_handler!(verb::ReportAudit, |context| report(context)),
    verb_handler!(verb::VerifyAudit, |context| verify(context)),
    verb_handler!(verb::ExportAudit, |context| export(context)),
    verb_handler!(verb::SeekResidue, |context| seek(context)),
];

async fn report(context: VerbContext<verb::ReportAudit>) -> HandlerResult {
    context.answer(&context.engine.report_audit(&context.call, context.query()?).await?)
}

async fn verify(context: VerbContext<verb::VerifyAudit>) -> HandlerResult {
    context.answer(&context.engine.verify_audit(&context.call, context.body()?).await?)
}

async fn export(context: VerbContext<verb::ExportAudit>) -> HandlerResult {
    context.answer(&context.engine.export_audit(&context.call, context.query()?).await?)
}

async fn seek(context: VerbContext<verb::SeekResidue>) -> HandlerResult {
    context.answer(&context.engine.seek_residue(&context.call, context.body()?).await?)
}
