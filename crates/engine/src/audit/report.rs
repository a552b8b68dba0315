//! `GET /v1/audit`: what happened in a span of time, and how things stand.

use std::collections::BTreeMap;

use domain::{AuditEvent, EventKind, PrivacyClass, RedactionStatus};
use store::Records;
use wire::Problem;
use wire::audit::{AuditReport, AuditSpan, ClassCount, LogView};

use super::Log;
use crate::Engine;
use crate::call::Call;
use crate::failure::told;

impl Engine {
    /// Counts events, classes and open erasures of the caller's tenant.
    pub async fn report_audit(&self, call: &Call, asked: AuditSpan) -> Result<AuditReport, Problem> {
        let mut logs = self.logs(call, asked.persona.as_deref()).await?;
        // The deployment's log is about every tenant; its lines about this one are this one's to count.
        if asked.persona.is_none() && !call.is_operator() {
            logs.push(Log::Deployment);
        }
        let to = asked.to.unwrap_or(call.now);
        let mut report = AuditReport {
            tenant: call.caller.tenant.clone(),
            from: asked.from,
            to,
            logs: Vec::new(),
            events: BTreeMap::new(),
            refused: BTreeMap::new(),
            classes: BTreeMap::new(),
            sensitive_pii: 0,
            open_erasures: Vec::new(),
        };
        for log in &logs {
            let events = self.log_events(log, 0..u64::MAX).await?;
            report.logs.extend(self.log_view(call, log, events.len() as u64).await?);
            let own = events.iter().filter(|event| event.tenant == call.caller.tenant);
            let own: Vec<&AuditEvent> = own.collect();
            let in_span = |event: &&&AuditEvent| {
                asked.from.is_none_or(|from| event.at() >= from) && (asked.to.is_none() || event.at() < to)
            };
            own.iter().filter(in_span).for_each(|event| count(&mut report, event));
            if let Log::Persona(entry) = log {
                let loaded = self.store.load(&entry.scope()).await.map_err(told)?;
                loaded.atoms.iter().for_each(|stored| classify(&mut report.classes, &stored.atom));
            }
        }
        if asked.persona.is_none() {
            report.open_erasures = self.owed_erasures(call).await?;
        }
        let sensitive = report.classes.get(&PrivacyClass::SensitivePii).copied().unwrap_or_default();
        report.sensitive_pii = sensitive.active + sensitive.archived + sensitive.redacted;
        Ok(report)
    }

    /// A log as the caller may see it; the deployment's own is an operator's.
    async fn log_view(&self, call: &Call, log: &Log, size: u64) -> Result<Option<LogView>, Problem> {
        let persona = match log {
            Log::Persona(entry) => Some(entry.id),
            Log::Deployment if call.is_operator() => None,
            Log::Deployment => return Ok(None),
        };
        let checkpoint = self.log_checkpoints(log).await?.pop().map(|signed| signed.note);
        Ok(Some(LogView { origin: log.origin(), persona, name: log.name(), size, checkpoint }))
    }
}

fn count(report: &mut AuditReport, event: &AuditEvent) {
    *report.events.entry(event.kind).or_default() += 1;
    if event.kind == EventKind::MemoryRefused {
        *report.refused.entry(event.id.clone().unwrap_or_default()).or_default() += 1;
    }
}

fn classify(classes: &mut BTreeMap<PrivacyClass, ClassCount>, atom: &domain::Atom) {
    let count = classes.entry(atom.privacy_class).or_default();
    if atom.redaction_status != RedactionStatus::Active {
        count.redacted += 1;
    } else if atom.archived_at.is_some() {
        count.archived += 1;
    } else {
        count.active += 1;
    }
}
