//! Audit logs and residue scans.

use super::Route;
use crate::key::KeyScope;
use crate::{audit, residue, schema};

pub(super) const ROUTES: &[Route] = &[
    Route::new(
        "GET",
        "/v1/audit",
        "report_audit",
        KeyScope::Audit,
        "Counts events, memories by privacy class, and open erasure requests.",
    )
    .asks(schema::of::<audit::AuditSpan>)
    .gives(200, schema::of::<audit::AuditReport>),
    Route::new(
        "POST",
        "/v1/audit/verify",
        "verify_audit",
        KeyScope::Audit,
        "Verifies the logs from their first event, also against a checkpoint stored elsewhere.",
    )
    .takes(schema::of::<audit::VerifyAudit>)
    .reads()
    .gives(200, schema::of::<audit::AuditProof>),
    Route::new(
        "GET",
        "/v1/audit/export",
        "export_audit",
        KeyScope::Audit,
        "Exports a log as lines that anyone can verify, in pages.",
    )
    .asks(schema::of::<audit::ExportAudit>)
    .gives(200, schema::of::<audit::AuditExportPage>),
    Route::new(
        "POST",
        "/v1/residue",
        "seek_residue",
        KeyScope::Admin,
        "Opens every record and searches for what should be gone (operators only).",
    )
    .takes(schema::of::<residue::SeekResidue>)
    .reads()
    .gives(200, schema::of::<residue::ResidueAnswer>),
];
