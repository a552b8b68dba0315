//! `GET /v1/audit`: events in a period, and the state at its end.

use std::collections::BTreeMap;

use domain::{AuditEvent, EventKind, PrivacyClass, RedactionStatus, Timestamp};
use store::{PersonaEntry, Records, StoredAtom};
use wire::audit::{AuditReport, AuditSpan, ClassCount, LogView};
use wire::{Code, Problem};

use super::Log;
use crate::call::Call;
use crate::memory::card::Card;
use crate::memory::retention::Expired;
use crate::{Engine, boxed};

impl Engine {
    /// Counts events, classes and open erasures of the caller's tenant.
    #[boxed]
    pub async fn report_audit(&self, call: &Call, asked: AuditSpan) -> Result<AuditReport, Problem> {
        let mut logs = self.logs(call, asked.persona.as_deref()).await?;
        // The deployment's log covers every tenant; only its events about this one are counted.
        if asked.persona.is_none() && !call.is_operator() {
            logs.push(Log::Deployment);
        }
        let to = asked.to.unwrap_or(call.now);
        check_span(&asked)?;
        let past = asked.to.filter(|to| *to < call.now);
        let mut report = AuditReport {
            tenant: call.caller.tenant.clone(),
            from: asked.from,
            to,
            logs: Vec::new(),
            events: BTreeMap::new(),
            refused: BTreeMap::new(),
            classes: BTreeMap::new(),
            unclassified: None,
            sensitive_pii: 0,
            open_erasures: Vec::new(),
            broken: Vec::new(),
        };
        if asked.persona.is_none() {
            report.broken = self.visible_with_records(call).await?.broken;
        }
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
                let loaded = self.store.load(&entry.scope()).await?;
                match past {
                    None => count_present(&mut report, &self.as_retained(call, entry, loaded.atoms).await?),
                    Some(to) => count_past(&mut report, &own, to, &loaded.atoms),
                }
            }
            if let (Log::Deployment, Some(to)) = (log, past) {
                report.open_erasures = self.owed_erasures_at(call, &own, to).await?;
            }
        }
        if asked.persona.is_none() && past.is_none() {
            report.open_erasures = self.owed_erasures(call).await?;
        }
        let sensitive = report.classes.get(&PrivacyClass::SensitivePii).copied().unwrap_or_default();
        report.sensitive_pii = sensitive.active + sensitive.archived + sensitive.redacted;
        Ok(report)
    }

    /// Memories with those past their retention marked as such, whether or not a sweep has run.
    async fn as_retained(
        &self,
        call: &Call,
        entry: &PersonaEntry,
        atoms: Vec<StoredAtom>,
    ) -> Result<Vec<StoredAtom>, Problem> {
        let Some(policy) = self.signed_policy(entry).await? else { return Ok(atoms) };
        let contacts = self.last_contacts(&entry.scope()).await?;
        let cards: Vec<Card> = atoms.iter().map(|stored| Card::of(&stored.atom)).collect();
        let expired = Expired::among(&cards, &policy.retention_policy, &contacts, call.now);
        let marked = |stored: StoredAtom| StoredAtom { atom: expired.mark(stored.atom), ..stored };
        Ok(atoms.into_iter().map(marked).collect())
    }

    /// A log as the caller may see it; the deployment's own is for operators only.
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

/// Refuses a period that ends before it begins.
fn check_span(asked: &AuditSpan) -> Result<(), Problem> {
    let (Some(from), Some(to)) = (asked.from, asked.to) else { return Ok(()) };
    if from <= to {
        return Ok(());
    }
    let detail = format!("the period begins at {from}, after its end at {to}; exchange `from` and `to`");
    Err(Problem::new(Code::Usage, detail))
}

/// Counts memories in the state they have now.
fn count_present(report: &mut AuditReport, atoms: &[StoredAtom]) {
    for StoredAtom { atom, .. } in atoms {
        add(report.classes.entry(atom.privacy_class).or_default(), state(atom));
    }
}

/// Counts the memories there were at `to`.
fn count_past(report: &mut AuditReport, events: &[&AuditEvent], to: Timestamp, atoms: &[StoredAtom]) {
    let stored = atoms.iter().map(|stored| (stored.atom.id.to_string(), stored.atom.privacy_class));
    let stored: BTreeMap<String, PrivacyClass> = stored.collect();
    for (id, LoggedMemory { state, class }) in memories_at(events, to) {
        if state == State::Absent {
            continue;
        }
        match class.or_else(|| stored.get(id).copied()) {
            Some(class) => add(report.classes.entry(class).or_default(), state),
            None => add(report.unclassified.get_or_insert_default(), state),
        }
    }
}

fn count(report: &mut AuditReport, event: &AuditEvent) {
    *report.events.entry(event.kind).or_default() += 1;
    if event.kind == EventKind::MemoryRefused {
        *report.refused.entry(event.id.clone().unwrap_or_default()).or_default() += 1;
    }
}

/// The state of a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Absent,
    Active,
    Archived,
    Redacted,
}

/// A memory as the log shows it.
struct LoggedMemory {
    state: State,
    /// `None` if it was created before the log recorded classes.
    class: Option<PrivacyClass>,
}

/// The memories at the end of a period, read from the log: those destroyed since are in it, and those created
/// since are not.
fn memories_at<'e>(events: &[&'e AuditEvent], to: Timestamp) -> BTreeMap<&'e str, LoggedMemory> {
    let mut memories: BTreeMap<&str, LoggedMemory> = BTreeMap::new();
    for event in events.iter().filter(|event| event.at() < to) {
        let (Some(id), Some(state)) = (&event.id, state_after(event.kind)) else { continue };
        match memories.get_mut(id.as_str()) {
            Some(memory) => memory.state = state,
            // A consent has an id too, but no memory of that id was created.
            None if event.kind == EventKind::ConsentWithdrawn => {}
            None => {
                memories.insert(id, LoggedMemory { state, class: event.class });
            }
        }
    }
    memories
}

/// The state of a memory after an event, if the event changes it.
const fn state_after(kind: EventKind) -> Option<State> {
    match kind {
        EventKind::MemoryCreated | EventKind::MemoryRestored => Some(State::Active),
        EventKind::MemoryRedactedSoft | EventKind::ConsentWithdrawn => Some(State::Redacted),
        EventKind::MemoryArchived => Some(State::Archived),
        EventKind::MemoryRedactedHard | EventKind::MemoryDeleted => Some(State::Absent),
        EventKind::PersonaCreated
        | EventKind::PersonaSigned
        | EventKind::PolicyChanged
        | EventKind::PersonaDeleted
        | EventKind::PersonaExported
        | EventKind::PersonaImported
        | EventKind::ImportUndone
        | EventKind::MemoryRefused
        | EventKind::MemoryRetrieved
        | EventKind::MemoryRehearsed
        | EventKind::MemoryFlagged
        | EventKind::MemoryReleased
        | EventKind::MemoryHeld
        | EventKind::MemoryPinned
        | EventKind::MemoryUnpinned
        | EventKind::MemoryCued
        | EventKind::MemoryDecayChanged
        | EventKind::TimelineAppended
        | EventKind::TimelineRevised
        | EventKind::TimelineSuperseded
        | EventKind::TimelineCued
        | EventKind::TimelineRedacted
        | EventKind::ConsentGiven
        | EventKind::SubjectMerged
        | EventKind::SubjectAliased
        | EventKind::KeyCreated
        | EventKind::KeyRevoked
        | EventKind::SignInOffered
        | EventKind::ModelConnected
        | EventKind::ModelDisconnected
        | EventKind::EpochRotated
        | EventKind::TenantMismatch
        | EventKind::ErasureReceived
        | EventKind::ErasureAcknowledged
        | EventKind::ErasureSigned
        | EventKind::ErasureCompleted
        | EventKind::ErasurePartial
        | EventKind::ErasureWithdrawn
        | EventKind::Checkpoint => None,
    }
}

fn state(atom: &domain::Atom) -> State {
    if atom.redaction_status != RedactionStatus::Active {
        State::Redacted
    } else if atom.archived_at.is_some() {
        State::Archived
    } else {
        State::Active
    }
}

fn add(count: &mut ClassCount, state: State) {
    match state {
        State::Absent => {}
        State::Active => count.active += 1,
        State::Archived => count.archived += 1,
        State::Redacted => count.redacted += 1,
    }
}
