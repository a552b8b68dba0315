//! `GET /v1/audit/export`: a log in a format that anyone can verify without us.

use wire::Problem;
use wire::audit::{AuditExportPage, ExportAudit};

use super::Log;
use crate::call::Call;
use crate::{Engine, boxed};

/// How many events one page holds.
const PAGE: u64 = 5000;

impl Engine {
    /// A page of a log; its end is signed first, so that the whole export verifies.
    #[boxed]
    pub async fn export_audit(&self, call: &Call, asked: ExportAudit) -> Result<AuditExportPage, Problem> {
        let log = if let Some(name) = &asked.persona {
            Log::Persona(self.persona_named(call, name).await?)
        } else {
            call.demand_operator()?;
            Log::Deployment
        };
        let first = asked.cursor.unwrap_or(0);
        if first == 0 {
            self.sign_the_end(call, &log).await?;
        }
        // Events after the last checkpoint are not covered yet, and come with the next export.
        let covered = self.log_checkpoints(&log).await?.iter().map(|signed| signed.size).max().unwrap_or(0);
        let end = covered.min(first.saturating_add(PAGE));
        let lines = self.lines(&log, first..end).await?;
        let lines = lines.into_iter().map(|line| String::from_utf8_lossy(&line).into_owned()).collect();
        Ok(AuditExportPage { origin: log.origin(), lines, next_cursor: (end < covered).then_some(end) })
    }
}
