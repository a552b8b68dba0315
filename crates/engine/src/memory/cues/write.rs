//! The nightly job `cues`: a model writes cues for memories and timeline entries that have none.

use std::collections::{BTreeMap, BTreeSet};

use domain::{
    Atom, Brightness, EventKind, MemoryId, RedactionStatus, Text, TimelineEntry, TimelineId, Timestamp,
    Tokens,
};
use llm::Backend;
use store::{
    Batch, Change, EventDraft, Expect, JobOutcome, JobRun, PersonaEntry, Records, Scope, StoreError,
};
use wire::Problem;
use wire::cues::{CuesAnswer, CuesOutcome, CuesReport, WriteCues};

use super::ask::{NoCueAnswer, Question};
use super::law::lawful;
use crate::call::Call;
use crate::jobs::scheduler::{JobResult, JobWork};
use crate::persona::registry::PersonaContext;
use crate::talk::converse::Role;
use crate::{Engine, boxed};

/// How many notes go into one request.
const NOTES_AT_ONCE: usize = 8;
/// After this many failures in a row the model is not asked again until the next run.
const MOST_FAILURES: u32 = 3;

/// Settings of the automatic cue job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CueWriting {
    /// Whether the nightly job runs.
    pub auto: bool,
    /// How many tokens it may cost a persona in a day.
    pub tokens_per_day: Tokens,
}

impl Default for CueWriting {
    fn default() -> Self {
        Self { auto: true, tokens_per_day: Tokens(50_000) }
    }
}

/// A memory or timeline entry without cues.
struct Note {
    target: Target,
    words: String,
}

enum Target {
    Memory(MemoryId),
    Entry(TimelineId),
}

impl Engine {
    /// Writes cues for the memories and timeline entries of the caller's personas that have none; or only says how
    /// many there are.
    #[boxed]
    pub async fn write_cues(&self, call: &Call, asked: WriteCues) -> Result<CuesAnswer, Problem> {
        if let Some(user) = &asked.user {
            self.check_tenant(call, user).await?;
        }
        let mut cues = Vec::new();
        for entry in self.chosen_personas(call, asked.persona.as_ref()).await? {
            cues.push(if asked.dry_run {
                self.preview_cues(call, &self.persona_context(call, &entry).await?).await?
            } else {
                let ran = self.run_by_hand(call, &entry, JobWork::Cues).await?;
                report_in(&ran.report, &entry)
            });
        }
        Ok(CuesAnswer { cues })
    }

    /// One run of the job.
    pub(crate) async fn run_cues(&self, call: &Call, entry: &PersonaEntry) -> Result<JobResult, Problem> {
        let persona = self.persona_context(call, entry).await?;
        let spent = self.spent_today(entry, call.now).await?;
        let report = self.write_cues_of(call, &persona, spent).await?;
        let outcome = match report.outcome {
            CuesOutcome::Written | CuesOutcome::Previewed => JobOutcome::Done,
            CuesOutcome::Nothing => JobOutcome::Nothing,
            CuesOutcome::Refused => JobOutcome::Refused,
            CuesOutcome::Failed => JobOutcome::Failed,
        };
        let report = serde_json::to_value(report).unwrap_or_default();
        Ok(JobResult { outcome, report, distilled: Vec::new() })
    }

    async fn preview_cues(&self, call: &Call, persona: &PersonaContext) -> Result<CuesReport, Problem> {
        let notes = self.notes_without_cues(persona, call.now).await?;
        let identity = &persona.loaded.document.identity;
        let asked = notes.chunks(NOTES_AT_ONCE).map(|some| question(identity, some).estimate());
        let mut report =
            self.empty_report(persona, self.spent_today(&persona.entry, call.now).await?).await?;
        report.waiting = notes.len();
        report.tokens = asked.sum();
        report.outcome = if notes.is_empty() { CuesOutcome::Nothing } else { CuesOutcome::Previewed };
        if self.cue_writer(persona).await?.is_none() {
            report.reason = Some("no-model".to_owned());
        }
        Ok(report)
    }

    async fn write_cues_of(
        &self,
        call: &Call,
        persona: &PersonaContext,
        spent: u64,
    ) -> Result<CuesReport, Problem> {
        let mut report = self.empty_report(persona, spent).await?;
        let refused = |report: CuesReport, reason: &str| CuesReport {
            outcome: CuesOutcome::Refused,
            reason: Some(reason.to_owned()),
            ..report
        };
        if let Some(reason) = persona.loaded.without_memory() {
            return Ok(refused(report, reason));
        }
        let Some(role) = self.cue_writer(persona).await? else { return Ok(refused(report, "no-model")) };
        let Backend::Model(model) = role.backend.as_ref() else { return Ok(refused(report, "no-model")) };
        let mut notes = self.notes_without_cues(persona, call.now).await?;
        report.waiting = notes.len();
        self.shuffle(&mut notes, call.now);
        let budget = u64::from(self.distillation.cues.tokens_per_day.0);
        let mut failures = 0;
        for some in notes.chunks(NOTES_AT_ONCE) {
            let question = question(&persona.loaded.document.identity, some);
            if report.tokens_today + question.estimate() > budget {
                report.reason = Some("budget-spent".to_owned());
                break;
            }
            match question.ask(model, &role).await {
                Ok(answered) => {
                    failures = 0;
                    report.spend(answered.tokens);
                    self.keep_lawful(call, persona, some, answered.cues, &mut report).await?;
                }
                Err(NoCueAnswer { tokens, reason }) => {
                    report.spend(tokens);
                    report.reason = Some(reason.to_owned());
                    failures += 1;
                    if failures == MOST_FAILURES {
                        break;
                    }
                }
            }
        }
        report.waiting -= report.written;
        report.outcome = match (report.written, failures) {
            (0, 0) => CuesOutcome::Nothing,
            (0, _) => CuesOutcome::Failed,
            (_, _) => CuesOutcome::Written,
        };
        Ok(report)
    }

    /// Stores those of the proposed cues that may be kept, and counts them.
    async fn keep_lawful(
        &self,
        call: &Call,
        persona: &PersonaContext,
        notes: &[Note],
        proposed: BTreeMap<usize, Vec<String>>,
        report: &mut CuesReport,
    ) -> Result<(), Problem> {
        for (position, proposed) in proposed {
            let Some(note) = notes.get(position) else { continue };
            let lawful = lawful(&note.words, &proposed);
            report.refused += lawful.refused;
            if !lawful.cues.is_empty() && self.keep_cues(call, persona, note, lawful.cues).await? {
                report.written += 1;
            }
        }
        Ok(())
    }

    /// Stores the cues of one note, unless it was changed, deleted or given cues in the meantime.
    async fn keep_cues(
        &self,
        call: &Call,
        persona: &PersonaContext,
        note: &Note,
        cues: Vec<Text>,
    ) -> Result<bool, Problem> {
        // Erasure takes the same lock, so nothing about a forgotten person is written after it.
        let _alone = self.learning_state.lock(persona.entry.id).await;
        let scope = persona.entry.scope();
        let batch = match &note.target {
            Target::Memory(id) => self.cueing_memory(call, persona, *id, &note.words, cues).await?,
            Target::Entry(id) => self.cueing_entry(call, &scope, *id, &note.words, cues).await?,
        };
        let Some(batch) = batch else { return Ok(false) };
        match self.store.commit(&scope, batch).await {
            Ok(_) => Ok(true),
            Err(StoreError::Conflict(_) | StoreError::NotFound { .. }) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    async fn cueing_memory(
        &self,
        call: &Call,
        persona: &PersonaContext,
        id: MemoryId,
        words: &str,
        cues: Vec<Text>,
    ) -> Result<Option<Batch>, Problem> {
        let stored = self.store.atoms(&persona.entry.scope(), &[id]).await?.pop();
        let Some(stored) = stored.filter(|stored| needs_cues(&stored.atom)) else { return Ok(None) };
        if words_of(&stored.atom, call.now) != words {
            return Ok(None);
        }
        let atom = Atom { cues, ..stored.atom };
        let event = EventDraft::new(EventKind::MemoryCued, call.caller.actor.clone()).about(id);
        Ok(Some(
            Batch::at(call.now)
                .expecting(Expect::AtomRevision(id, stored.revision))
                .with(Change::RewordAtom(Box::new(super::rewording(&atom))))
                .with_event(event),
        ))
    }

    async fn cueing_entry(
        &self,
        call: &Call,
        scope: &Scope,
        id: TimelineId,
        words: &str,
        cues: Vec<Text>,
    ) -> Result<Option<Batch>, Problem> {
        let (timeline, _) = self.store.timeline(scope).await?;
        let entry = timeline.iter().find(|entry| entry.id == id).filter(|entry| entry_needs_cues(entry));
        if entry.is_none_or(|entry| words_of_entry(entry) != words) {
            return Ok(None);
        }
        let event = EventDraft::new(EventKind::TimelineCued, call.caller.actor.clone()).about(id);
        let batch = Batch::at(call.now).expecting(Expect::EntryActive(id));
        Ok(Some(batch.with(Change::CueEntry(id, cues)).with_event(event)))
    }

    /// Memories and timeline entries that have no cues and may be recalled.
    async fn notes_without_cues(
        &self,
        persona: &PersonaContext,
        now: Timestamp,
    ) -> Result<Vec<Note>, Problem> {
        let scope = persona.entry.scope();
        self.flush_writes(&scope).await?;
        let open = self.open(persona).await?;
        open.refresh_cards(&self.store).await?;
        let expired: BTreeSet<MemoryId> = self.expired(persona, &open, now).await?.memories;
        let loaded = self.store.load(&scope).await?;
        let atoms = loaded.atoms.iter().map(|stored| &stored.atom);
        let memories = atoms
            .filter(|atom| needs_cues(atom) && !expired.contains(&atom.id))
            .map(|atom| Note { target: Target::Memory(atom.id), words: words_of(atom, now) });
        let entries = loaded
            .timeline
            .iter()
            .filter(|entry| entry_needs_cues(entry))
            .map(|entry| Note { target: Target::Entry(entry.id), words: words_of_entry(entry) });
        Ok(memories.chain(entries).collect())
    }

    /// A different order each day, so that notes for which no model finds an allowed cue don't use up
    /// every day's budget.
    fn shuffle(&self, notes: &mut [Note], now: Timestamp) {
        let day = now.as_millis().div_euclid(86_400_000);
        notes.sort_by_cached_key(|note| {
            let id = match &note.target {
                Target::Memory(id) => id.to_string(),
                Target::Entry(id) => id.to_string(),
            };
            self.pepper.tag("cues", &[id.as_bytes(), &day.to_be_bytes()])
        });
    }

    /// The model that writes cues, if one is configured.
    async fn cue_writer(&self, persona: &PersonaContext) -> Result<Option<Role>, Problem> {
        let roles = self.roles_of(&persona.entry.tenant).await?;
        let role = roles.cueing();
        Ok(match role.backend.as_ref() {
            Backend::Offline => None,
            Backend::Model(_) => Some(role.clone()),
        })
    }

    /// What earlier runs of the same day cost, by the persona's time zone.
    async fn spent_today(&self, entry: &PersonaEntry, now: Timestamp) -> Result<u64, Problem> {
        let zone = self.zone(entry, now).await;
        let day = |at: Timestamp| at.to_jiff().to_zoned(zone.clone()).date();
        let name = JobWork::Cues.name();
        let jobs = self.jobs_of(entry).await?;
        let last: Option<&JobRun> =
            jobs.iter().find(|job| job.key.name.as_str() == name).and_then(|job| job.last.as_ref());
        let today = last.filter(|run| day(run.started_at) == day(now));
        let spent = today.and_then(|run| run.report.get("tokensToday")).and_then(serde_json::Value::as_u64);
        Ok(spent.unwrap_or(0))
    }

    async fn empty_report(&self, persona: &PersonaContext, spent: u64) -> Result<CuesReport, Problem> {
        let writer = self.cue_writer(persona).await?;
        Ok(CuesReport {
            persona: persona.entry.name.clone(),
            outcome: CuesOutcome::Nothing,
            reason: None,
            model: writer.map_or_else(|| "none".to_owned(), |role| role.model_name),
            waiting: 0,
            written: 0,
            refused: 0,
            tokens: 0,
            tokens_today: spent,
            budget: self.distillation.cues.tokens_per_day,
        })
    }
}

fn question<'a>(identity: &'a domain::Identity, notes: &'a [Note]) -> Question<'a> {
    Question {
        persona: &identity.display_name,
        language: &identity.language,
        notes: notes.iter().map(|note| note.words.as_str()).collect(),
    }
}

fn needs_cues(atom: &Atom) -> bool {
    atom.cues.is_empty()
        && atom.redaction_status == RedactionStatus::Active
        && atom.archived_at.is_none()
        && atom.review != Some(domain::Review::SourceForgotten)
}

fn entry_needs_cues(entry: &TimelineEntry) -> bool {
    entry.superseded_at.is_none() && entry.event.cues().next().is_none()
}

/// The gist and the details that are still remembered: cues must not bring back what has faded.
fn words_of(atom: &Atom, now: Timestamp) -> String {
    let details =
        atom.details.iter().filter(|detail| atom.brightness_at(detail, now) >= Brightness::RENDERED);
    let texts = std::iter::once(&atom.gist).chain(details.map(|detail| &detail.content));
    texts.map(Text::as_str).collect::<Vec<_>>().join("; ")
}

fn words_of_entry(entry: &TimelineEntry) -> String {
    let event = &entry.event;
    [&event.event_label, &event.facts].map(Text::as_str).join(": ")
}

/// The report of a run as it is stored with the job.
fn report_in(report: &serde_json::Value, entry: &PersonaEntry) -> CuesReport {
    serde_json::from_value(report.clone()).unwrap_or_else(|_| CuesReport::failed(entry.name.clone()))
}
