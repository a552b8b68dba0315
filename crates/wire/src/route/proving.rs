//! Audit logs and residue scans.

use super::Route;
use crate::key::KeyScope;
use crate::verb;

pub(super) const ROUTES: &[Route] = &[
    Route::of::<verb::ReportAudit>(
        "GET",
        "/v1/audit",
        KeyScope::Audit,
        "Counts events, memories by privacy class, and open erasure requests.",
    ),
    Route::of::<verb::VerifyAudit>(
        "POST",
        "/v1/audit/verify",
        KeyScope::Audit,
        "Verifies the logs from their first event, also against a checkpoint stored elsewhere.",
    )
    .reads(),
    Route::of::<verb::ExportAudit>(
        "GET",
        "/v1/audit/export",
        KeyScope::Audit,
        "Exports a log as lines that anyone can verify, in pages.",
    ),
    Route::of::<verb::SeekResidue>(
        "POST",
        "/v1/residue",
        KeyScope::Admin,
        "Opens every record and searches for what should be gone (operators only).",
    )
    .reads(),
];
