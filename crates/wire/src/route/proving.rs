//! Audit logs and residue scans.

use super::Route;
use crate::key::KeyScope;
use crate::{audit, residue, schema, verb};

pub(super) const ROUTES: &[Route] = &[
    Route::of::<verb::ReportAudit>(
        "GET",
        "/v1/audit",
        KeyScope::Audit,
        "Counts events, memories by privacy class, and open erasure requests.",
    )
    .asks(schema::of::<audit::AuditSpan>),
    Route::of::<verb::VerifyAudit>(
        "POST",
        "/v1/audit/verify",
        KeyScope::Audit,
        "Verifies the logs from their first event, also against a checkpoint stored elsewhere.",
    )
    .takes(schema::of::<audit::VerifyAudit>)
    .reads(),
    Route::of::<verb::ExportAudit>(
        "GET",
        "/v1/audit/export",
        KeyScope::Audit,
        "Exports a log as lines that anyone can verify, in pages.",
    )
    .asks(schema::of::<audit::ExportAudit>),
    Route::of::<verb::SeekResidue>(
        "POST",
        "/v1/residue",
        KeyScope::Admin,
        "Opens every record and searches for what should be gone (operators only).",
    )
    .takes(schema::of::<residue::SeekResidue>)
    .reads(),
];
