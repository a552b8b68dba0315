//! `POST /v1/sweeps`: archives faded memories, and destroys records past their retention.
//!
//! Rehearsal never extends a retention; a legal hold suspends it, and the report says where it did.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use domain::lifecycle::{archive_is_due, deletion_is_due, review_is_due};
use domain::{
    Atom, Days, EventKind, MemoryId, MemoryPolicy, PersonaName, ReasonCode, Review, SubjectRef, Timestamp,
    TurnId,
};
use store::{
    Batch, Change, Decision, Deployment, DeploymentChange, Destruction, EventDraft, Expiry, LoadedRecords,
    Mark, Records, Remains, Scope, Session, Target, Tombstone, Turn,
};
use wire::Problem;
use wire::note::Note;
use wire::persona::BrokenPersona;
use wire::sweep::{Sweep, SweepAnswer, SweepReport, SweptPersona};

use crate::call::{Call, PersonaKey};
use crate::forgetting::destroy::{Forgetting, unreached};
use crate::memory::redact::{demand_erasing, derived};
use crate::memory::retention::Contacts;
use crate::persona::document::LoadedDocument;
use crate::persona::each::{Sorted, left_out};
use crate::persona::registry::PersonaContext;
use crate::{Engine, boxed};

/// How long traces of recalls, answered requests and removal notices are kept.
const TRACES: Days = Days(30.0);
const REQUESTS: Days = Days(1.0);
/// Identifiers of forgotten people are kept at least as long as tombstones usually are.
const TOMBSTONES: Days = Days(2190.0);

/// What is due in one persona.
#[derive(Default)]
struct SweepPlan {
    archived: Vec<MemoryId>,
    deleted: Vec<MemoryId>,
    held: Vec<MemoryId>,
    flagged: Vec<MemoryId>,
}

impl Engine {
    /// Sweeps the personas of the caller's tenant, and reports the result.
    #[boxed]
    pub async fn sweep(&self, call: &Call, asked: Sweep) -> Result<SweepAnswer, Problem> {
        demand_erasing(call)?;
        let mut sweep = SweepReport {
            at: call.now,
            dry_run: asked.dry_run,
            personas: Vec::new(),
            epoch: None,
            partial: false,
            warnings: Vec::new(),
        };
        let (mut destroyed, mut longest): (Vec<Scope>, f64) = (Vec::new(), TOMBSTONES.0);
        let Sorted { whole, broken } = self.usable_personas(call).await?;
        let is_asked = |name: &PersonaName| asked.persona.as_ref().is_none_or(|only| only == name);
        if let Some(only) = &asked.persona
            && !whole.iter().any(|persona| persona.entry.name == *only)
            && !broken.iter().any(|broken| broken.persona == *only)
        {
            return Err(self.unknown_persona(call, &PersonaKey::Name(only.clone())).await);
        }
        for broken in broken.iter().filter(|broken| is_asked(&broken.persona)) {
            sweep.warnings.push(left_out(broken).text);
            sweep.partial = true;
        }
        for persona in whole.into_iter().filter(|persona| is_asked(&persona.entry.name)) {
            let Some(persona) = self.under_signed_policy(persona, &mut sweep).await? else { continue };
            let entry = &persona.entry;
            longest = longest.max(tombstone_days(&persona.loaded.document.memory_policy).0);
            let swept = match self.sweep_persona(call, &persona, &mut sweep).await {
                Ok(swept) => swept,
                Err(problem) => {
                    sweep.warnings.push(left_out(&BrokenPersona::new(&entry.name, &problem)).text);
                    sweep.partial = true;
                    continue;
                }
            };
            if !asked.dry_run && (!swept.deleted.is_empty() || swept.turns > 0) {
                destroyed.push(entry.scope());
            }
            sweep.personas.push(swept);
        }
        if !asked.dry_run {
            self.expire_bars(call, longest).await?;
        }
        if !destroyed.is_empty() {
            let status = self.rewrite_and_rotate(call, &destroyed).await?;
            sweep.epoch = Some(status.epoch);
            sweep.partial |= !status.stale_mirrors.is_empty();
            sweep.warnings.extend(unreached(&status).map(|note| note.text));
        }
        if !asked.dry_run && asked.persona.is_none() {
            self.record_sweep(&call.caller.tenant, call.now).await?;
        }
        Ok(SweepAnswer { sweep })
    }

    /// Deletes the identifier hashes of people who were forgotten long ago.
    async fn expire_bars(&self, call: &Call, days: f64) -> Result<(), Problem> {
        let tenant = call.caller.tenant.clone();
        let changes = vec![DeploymentChange::ExpireErasedTags(before(call.now, Days(days)))];
        let decision = Decision { now: call.now, tenant, changes, events: Vec::new() };
        self.store.decide(decision).await.map(drop).map_err(Problem::from)
    }

    /// The persona under the policy that an operator signed last: what was edited by hand and is not signed neither
    /// lengthens a retention nor shortens it. `None` if no signed policy is known.
    async fn under_signed_policy(
        &self,
        mut persona: PersonaContext,
        sweep: &mut SweepReport,
    ) -> Result<Option<PersonaContext>, Problem> {
        if persona.loaded.is_signed {
            return Ok(Some(persona));
        }
        let name = &persona.entry.name;
        let Some(policy) = self.signed_policy(&persona.entry).await? else {
            let detail = "is not signed and never was, so its policy deletes nothing";
            sweep.warnings.push(format!("`{name}` {detail}; `selfhood persona sign` resumes"));
            return Ok(None);
        };
        let detail = "was edited by hand and is not signed, so the policy signed before decides";
        sweep
            .warnings
            .push(format!("`{name}` {detail}; `selfhood persona sign` puts the new one into force"));
        let mut loaded = LoadedDocument::clone(&persona.loaded);
        loaded.document.memory_policy = policy;
        persona.loaded = Arc::new(loaded);
        Ok(Some(persona))
    }

    async fn sweep_persona(
        &self,
        call: &Call,
        persona: &PersonaContext,
        sweep: &mut SweepReport,
    ) -> Result<SweptPersona, Problem> {
        let scope = persona.entry.scope();
        self.flush_writes(&scope).await?;
        let policy = &persona.loaded.document.memory_policy;
        let loaded = self.store.load(&scope).await?;
        let people =
            People { held: self.held_subjects(&scope).await?, contacts: self.last_contacts(&scope).await? };
        let due = due(&loaded, &people, policy, call.now);
        let old = self.outdated(&scope, policy, &loaded, call.now).await?;
        let mut swept = SweptPersona {
            persona: persona.entry.name.clone(),
            archived: due.archived,
            deleted: due.deleted,
            held: due.held,
            flagged: due.flagged,
            derived: Vec::new(),
            turns: old.turns.len(),
            traces: old.traces,
            tombstones: old.tombstones,
        };
        if sweep.dry_run {
            let cascade = self.plan_cascade(&loaded, &swept.deleted.iter().copied().collect(), call.now)?;
            swept.derived = derived(&cascade);
            return Ok(swept);
        }
        self.store.commit(&scope, changes(call, &swept, policy)).await?;
        if !old.turns.is_empty() {
            self.remove_from_digests(&scope, &old.said, call.now).await?;
            for (session, turns) in &old.shortened {
                self.drop_checkpoint_of(call, &scope, session, turns).await?;
            }
            let what = Destruction { now: call.now, targets: old.turns, events: Vec::new() };
            self.store.destroy(&scope, what).await?;
        }
        if !swept.deleted.is_empty() {
            let forgotten = self.forget(call, &scope, deleting(call, &swept.deleted)).await?;
            swept.derived = derived(&forgotten.cascade);
            sweep.warnings.extend(Note::texts(&forgotten.notes));
        }
        Ok(swept)
    }

    /// The people whose records are under a legal hold.
    pub(crate) async fn held_subjects(&self, scope: &Scope) -> Result<Vec<SubjectRef>, Problem> {
        let subjects = self.store.subjects(scope).await?;
        let held = subjects.into_iter().filter(|subject| subject.held_since.is_some());
        Ok(held.map(|subject| subject.subject).collect())
    }

    async fn outdated(
        &self,
        scope: &Scope,
        policy: &MemoryPolicy,
        loaded: &LoadedRecords,
        now: Timestamp,
    ) -> Result<ExpiredRecords, Problem> {
        let held = self.held_subjects(scope).await?;
        let (mut turns, mut said, mut shortened) = (Vec::new(), BTreeSet::new(), Vec::new());
        for session in self.store.sessions(scope, None).await? {
            let days = policy.retention_policy.record_days_of(&session.subject);
            let Some(days) = days.filter(|_| !held.contains(&session.subject)) else { continue };
            let limit = before(now, Days(f64::from(days)));
            if session.last_at < limit {
                let said_in = self.store.turns(scope, &session.id).await?;
                said.extend(said_in.iter().map(|turn| turn.id));
                turns.push(Target::Session(session.id));
            } else if session.started_at < limit {
                let said_in = self.store.turns(scope, &session.id).await?;
                let old: Vec<Turn> = said_in.into_iter().filter(|turn| turn.at < limit).collect();
                said.extend(old.iter().map(|turn| turn.id));
                turns.extend(old.iter().map(|turn| Target::Turn(turn.id)));
                shortened.push((session, old));
            }
        }
        let traces = self.store.traces(scope).await?;
        let buried = before(now, tombstone_days(policy));
        let is_old = |tombstone: &&Tombstone| match tombstone {
            Tombstone::Atom(tombstone) => tombstone.at < buried,
            Tombstone::Entry(_) => false,
        };
        Ok(ExpiredRecords {
            turns,
            said,
            shortened,
            traces: traces.iter().filter(|trace| trace.at < before(now, TRACES)).count(),
            tombstones: loaded.tombstones.iter().filter(is_old).count(),
        })
    }
}

/// Expired records other than memories.
struct ExpiredRecords {
    turns: Vec<Target>,
    /// Every turn that is deleted with them.
    said: BTreeSet<TurnId>,
    /// The conversations that go on without their oldest turns.
    shortened: Vec<(Session, Vec<Turn>)>,
    traces: usize,
    tombstones: usize,
}

/// What a sweep needs to know about people.
struct People {
    /// Those whose records are under a legal hold.
    held: Vec<SubjectRef>,
    contacts: Contacts,
}

/// What is due in `loaded`. A deleted record is neither archived nor flagged as well.
fn due(loaded: &LoadedRecords, people: &People, policy: &MemoryPolicy, now: Timestamp) -> SweepPlan {
    let mut due = SweepPlan::default();
    for atom in loaded.atoms.iter().map(|stored| &stored.atom) {
        let free = Atom { audit_hold: false, ..atom.clone() };
        let is_held =
            atom.audit_hold || atom.subject.as_ref().is_some_and(|subject| people.held.contains(subject));
        let contact = people.contacts.with(atom.subject.as_ref());
        match deletion_is_due(&free, policy, contact, now) {
            true if is_held => due.held.push(atom.id),
            true => due.deleted.push(atom.id),
            false => {
                due.archived.extend(archive_is_due(atom, now).then_some(atom.id));
                due.flagged.extend(review_is_due(atom, now).then_some(atom.id));
            }
        }
    }
    due
}

/// All changes of a sweep that destroy no memory.
fn changes(call: &Call, swept: &SweptPersona, policy: &MemoryPolicy) -> Batch {
    let actor = &call.caller.actor;
    let mut batch = Batch::at(call.now)
        .with(Change::Expire(Expiry::Traces(before(call.now, TRACES))))
        .with(Change::Expire(Expiry::Requests(before(call.now, REQUESTS))))
        .with(Change::Expire(Expiry::Removals(before(call.now, REQUESTS))))
        .with(Change::Expire(Expiry::Tombstones(before(call.now, tombstone_days(policy)))));
    for id in &swept.archived {
        batch = batch.with(Change::MarkAtom(*id, Mark::Archived(Some(call.now)))).with_event(
            EventDraft::new(EventKind::MemoryArchived, actor.clone()).about(id).because(ReasonCode::Faded),
        );
    }
    for id in &swept.flagged {
        batch = batch
            .with(Change::MarkAtom(*id, Mark::Review(Some(Review::SensitiveRetention))))
            .with_event(EventDraft::new(EventKind::MemoryFlagged, actor.clone()).about(id));
    }
    batch
}

fn deleting(call: &Call, ids: &[MemoryId]) -> Forgetting {
    let memories: BTreeMap<MemoryId, Remains> = ids.iter().map(|id| (*id, Remains::Nothing)).collect();
    let event = |id: &MemoryId| {
        EventDraft::new(EventKind::MemoryDeleted, call.caller.actor.clone())
            .about(id)
            .because(ReasonCode::Retention)
    };
    Forgetting { memories, events: ids.iter().map(event).collect() }
}

fn tombstone_days(policy: &MemoryPolicy) -> Days {
    Days(f64::from(policy.right_to_be_forgotten_sla.tombstone_retention_days))
}

fn before(now: Timestamp, days: Days) -> Timestamp {
    now.plus(Days(-days.0))
}
