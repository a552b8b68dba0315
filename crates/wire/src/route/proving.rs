//! What the logs say, whether they hold, and what is left of what should be gone.

use super::Route;
use crate::key::KeyScope;
use crate::{audit, residue, schema};

pub(super) const ROUTES: &[Route] = &[
    Route::new(
        "GET",
        "/v1/audit",
        "report_audit",
        KeyScope::Audit,
        "Counts what happened, memories by privacy class, and requests to be forgotten that are open.",
    )
    .asks(schema::of::<audit::AuditSpan>)
    .gives(200, schema::of::<audit::AuditReport>),
    Route::new(
        "POST",
        "/v1/audit/verify",
        "verify_audit",
        KeyScope::Audit,
        "Proves the logs from their first event on, also against a checkpoint kept elsewhere.",
    )
    .takes(schema::of::<audit::VerifyAudit>)
    .reads()
    .gives(200, schema::of::<audit::AuditProof>),
    Route::new(
        "GET",
        "/v1/audit/export",
        "export_audit",
        KeyScope::Audit,
        "Gives out a log as lines that anyone can verify, page by page.",
    )
    .asks(schema::of::<audit::ExportAudit>)
    .gives(200, schema::of::<audit::AuditExportPage>),
    Route::new(
        "POST",
        "/v1/residue",
        "seek_residue",
        KeyScope::Admin,
        "Opens every record and looks for what should be gone, at the machine itself.",
    )
    .takes(schema::of::<residue::SeekResidue>)
    .reads()
    .gives(200, schema::of::<residue::ResidueAnswer>),
];
