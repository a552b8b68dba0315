//! `POST /v1/erasures/{erasureId}/execute`: destroys what was signed, persona by persona.
//!
//! Everything gets the same log time, the start of the job, so that an interrupted run recognises what it has
//! done. What is already gone is skipped.

use std::collections::{BTreeMap, BTreeSet};

use domain::{Actor, ErasureId, ErasureStatus, EventKind, MemoryId, ReasonCode, Timestamp};
use recall::sentences::SentenceVectors;
use store::{
    Deployment, Destruction, Documents, Due, EventDraft, LoadedRecords, PersonaEntry, RecordId, Records,
    Remains, Scope, SignedCheckpoint, StoreError, Target, Upkeep,
};
use wire::erasure::ErasureAnswer;
use wire::note::{Note, NoteCode};
use wire::{Code, Problem};

use super::gather::{Findings, wanted};
use super::item::{Item, ItemKind};
use super::job::{Head, Job, StateBefore};
use super::request::answer;
use super::sign::refuse_held;
use crate::call::Call;
use crate::forgetting::destroy::notes;
use crate::{Engine, boxed};

/// How often a persona is searched again because something was written during its erasure.
const ROUNDS: usize = 5;

/// How many bytes of a vector are searched for: two of the scan's windows.
const PIECE: usize = 32;
/// More pieces make a scan slow and prove no more.
const MOST_PIECES: usize = 4_000;

impl Engine {
    /// Executes what was signed, or resumes it, and verifies the result.
    #[boxed]
    pub async fn execute_erasure(&self, call: &Call, id: ErasureId) -> Result<ErasureAnswer, Problem> {
        let _erasing = self.forgetting_state.erasing.lock(call.caller.tenant.clone()).await;
        let mut job = self.job(&call.caller.tenant, id).await?;
        match job.status {
            ErasureStatus::Received | ErasureStatus::Acknowledged | ErasureStatus::Gathered => {
                let detail = format!("the erasure {id} is not signed; read its preview and sign it first");
                return Err(Problem::new(Code::Conflict, detail));
            }
            ErasureStatus::Signed => self.begin_erasure(call, &mut job).await?,
            ErasureStatus::Partial => {
                // Every persona is searched again: one may open now that didn't, and something may be new. What is
                // gone already is skipped.
                let is_known = job.private.is_some();
                job.status = if is_known { ErasureStatus::Executing } else { ErasureStatus::Verifying };
                job.progress.finished.clear();
                job.progress.epoch_after = None;
            }
            ErasureStatus::Executing | ErasureStatus::Verifying | ErasureStatus::Done => {}
            ErasureStatus::Withdrawn => return Err(job.over()),
        }
        self.finish_job(call, &mut job).await?;
        Ok(answer(&job, call))
    }

    /// Does the remaining steps of a started job.
    pub(super) async fn finish_job(&self, call: &Call, job: &mut Job) -> Result<(), Problem> {
        if job.status == ErasureStatus::Executing {
            self.destroy_everything(call, job).await?;
        }
        if job.status == ErasureStatus::Verifying {
            self.prove(call, job).await?;
        }
        Ok(())
    }

    /// Checks the signature once more, and records the state before anything changes.
    async fn begin_erasure(&self, call: &Call, job: &mut Job) -> Result<(), Problem> {
        refuse_held(job)?;
        let manifest = job.private()?.manifest.clone().unwrap_or_default();
        self.check_manifest(job, &manifest, call.now)?;
        job.private_mut()?.vectors = self.pieces_of_vectors(job).await?;
        let keys = self.store.keys(&job.tenant).await?;
        let mut logs = BTreeMap::new();
        for persona in self.personas_with_records(&job.tenant).await?.whole {
            let scope = persona.scope();
            self.store.checkpoint(&scope, call.now, Due::AtOnce).await?;
            let last = self.store.checkpoints(&scope).await?.pop();
            logs.extend(last.map(|signed| (store::log_origin(Some(&scope)), head(signed))));
        }
        self.store.checkpoint_deployment(call.now).await?;
        let last = self.store.deployment_checkpoints().await?.pop();
        logs.extend(last.map(|signed| (store::log_origin(None), head(signed))));
        let destroyed_keys = keys.destroyed as u64;
        job.progress.before = Some(StateBefore { epoch: keys.epoch, destroyed_keys, logs });
        job.progress.executing_at = Some(call.now);
        job.status = ErasureStatus::Executing;
        self.keep_job(job, call.now, &[], &call.caller.actor, Vec::new()).await
    }

    /// A piece of each sentence vector of the memories and entries to be destroyed.
    async fn pieces_of_vectors(&self, job: &Job) -> Result<Vec<Vec<u8>>, Problem> {
        let mut pieces = Vec::new();
        for persona in self.personas_with_records(&job.tenant).await?.whole {
            let to_destroy = job.private()?.to_destroy().filter(|item| item.persona == persona.id);
            let records: Vec<RecordId> = to_destroy.filter_map(encoded_record).collect();
            let vectors = self.store.vectors(&persona.scope(), &records).await?;
            let opened = vectors.iter().filter_map(|(_, vector)| SentenceVectors::from_bytes(&vector.bytes));
            pieces.extend(opened.flat_map(|vectors| pieces_of(&vectors)));
        }
        pieces.truncate(MOST_PIECES);
        Ok(pieces)
    }

    async fn destroy_everything(&self, call: &Call, job: &mut Job) -> Result<(), Problem> {
        let at = job.progress.executing_at.unwrap_or(call.now);
        let personas = self.personas_with_records(&job.tenant).await?.whole;
        for persona in &personas {
            if job.progress.finished.contains(&persona.id) {
                continue;
            }
            // Nothing is formed from the subject's messages to this persona while they are destroyed.
            let _forming = self.learning_state.lock(persona.id).await;
            let (notes, rederived) = self.erase_in(call, job, persona, at).await?;
            job.progress.derived.rederived += rederived;
            self.store.scrub(&persona.scope()).await?;
            job.progress.notes.extend(notes);
            job.progress.finished.insert(persona.id);
            self.keep_job(job, call.now, &[], &call.caller.actor, Vec::new()).await?;
        }
        let named = self.named_in_channels(job).await?;
        job.progress.notes.extend(named);
        job.status = ErasureStatus::Verifying;
        self.keep_job(job, call.now, &[], &call.caller.actor, Vec::new()).await
    }

    /// Whether `channels.json` names the subject. Removing part of an address or secret would break it, so a
    /// person has to edit it.
    async fn named_in_channels(&self, job: &Job) -> Result<Option<Note>, Problem> {
        let Some(channels) = self.store.channels(&job.tenant).await? else {
            return Ok(None);
        };
        let claim = wanted(job.private()?).claim([channels.content.as_str()]);
        let text = "channels.json names the subject; edit it by hand and execute the erasure again";
        Ok(claim.map(|_| Note::new(NoteCode::ChannelsNamePerson, text)))
    }

    /// Destroys the items in one persona until nothing is left. Returns notes and the number of memories
    /// derived again.
    async fn erase_in(
        &self,
        call: &Call,
        job: &Job,
        persona: &PersonaEntry,
        at: Timestamp,
    ) -> Result<(Vec<Note>, u64), Problem> {
        let (scope, private) = (persona.scope(), job.private()?);
        let wanted = wanted(private);
        let to_destroy: Vec<&Item> = private.to_destroy().filter(|item| item.persona == persona.id).collect();
        let mut gone: BTreeSet<MemoryId> = to_destroy.iter().filter_map(|item| atom(item)).collect();
        let (mut noted, mut rederived) = (Vec::new(), 0);
        self.flush_writes(&scope).await?;
        for round in 0..=ROUNDS {
            let mut findings = Findings::new(persona.id, &private.references, &wanted);
            findings.find_own_sessions(&self.store, &scope).await?;
            let loaded = self.store.load(&scope).await?;
            gone.extend(findings.own_memories(&loaded));
            let cascade = self.plan_cascade(&loaded, &gone, at)?;
            self.hide_and_rederive(&scope, &cascade, &call.caller.actor, at).await?;
            let mut targets = self.rewrite_records(&scope, &to_destroy, &wanted, at).await?;
            targets.extend(targets_of(job, &to_destroy, &loaded, &gone, self.known(&scope, job).await?));
            targets.extend(cascade.targets());
            noted.extend(notes(&cascade));
            rederived += cascade.rederived.len() as u64;
            gone.extend(cascade.also_destroyed());
            if targets.is_empty() {
                break;
            }
            if round == ROUNDS {
                let detail = "records of the person are still being written; execute the erasure again";
                return Err(Problem::new(Code::Conflict, detail));
            }
            let events = events_of(job, &targets, &loaded, &call.caller.actor);
            let what = Destruction { now: at, targets, events };
            let revision = match self.store.destroy(&scope, what).await {
                Ok(receipt) => Some(receipt.revision),
                // A memory of the subject was written in between; the next round finds it.
                Err(StoreError::Unaudited { .. }) => None,
                Err(error) => return Err(error.into()),
            };
            self.wait_for_recalls(&scope).await?;
            self.evict_persona(persona.id);
            if revision == Some(self.store.revision(&scope).await?) {
                break;
            }
        }
        noted.extend(self.remove_from_documents(&scope, &gone, at).await?);
        noted.extend(self.rewrite_files(&scope, &to_destroy, &wanted, at).await?);
        Ok((noted, rederived))
    }

    /// The subject's references of which a persona still has records.
    async fn known(&self, scope: &Scope, job: &Job) -> Result<Vec<Target>, Problem> {
        let references = &job.private()?.references;
        let people = self.store.subjects(scope).await?;
        let theirs =
            people.into_iter().map(|person| person.subject).filter(|known| references.contains(known));
        Ok(theirs.map(|known| Target::Subject(known, job.progress.reason)).collect())
    }
}

fn head(signed: SignedCheckpoint) -> Head {
    Head { size: signed.size, note: signed.note }
}

fn atom(item: &Item) -> Option<MemoryId> {
    match item.what {
        ItemKind::Atom(id) => Some(id),
        ItemKind::Subject { .. }
        | ItemKind::Entry(_)
        | ItemKind::Turn(_)
        | ItemKind::Trace(_)
        | ItemKind::Session(_)
        | ItemKind::SubjectDocument(..)
        | ItemKind::Document(_) => None,
    }
}

/// The items that still exist.
fn targets_of(
    job: &Job,
    to_destroy: &[&Item],
    loaded: &LoadedRecords,
    gone: &BTreeSet<MemoryId>,
    subjects: Vec<Target>,
) -> Vec<Target> {
    let reason = job.progress.reason;
    let atoms = loaded.atoms.iter().map(|stored| stored.atom.id).filter(|id| gone.contains(id));
    let atoms = atoms.map(|id| Target::Atom(id, Remains::Tombstone(reason)));
    let others = to_destroy.iter().filter_map(|item| match &item.what {
        ItemKind::Entry(id) if loaded.timeline.iter().any(|entry| entry.id == *id) => {
            Some(Target::Entry(*id, reason))
        }
        ItemKind::Turn(id) => Some(Target::Turn(*id)),
        ItemKind::Trace(id) => Some(Target::Trace(*id)),
        ItemKind::Entry(_)
        | ItemKind::Atom(_)
        | ItemKind::Subject { .. }
        | ItemKind::Session(_)
        | ItemKind::SubjectDocument(..)
        | ItemKind::Document(_) => None,
    });
    atoms.chain(others).chain(subjects).collect()
}

/// One audit event for each memory and each timeline event to be destroyed.
fn events_of(job: &Job, targets: &[Target], loaded: &LoadedRecords, actor: &Actor) -> Vec<EventDraft> {
    let there: BTreeSet<MemoryId> = loaded.atoms.iter().map(|stored| stored.atom.id).collect();
    let line = |id: String| EventDraft {
        batch: Some(job.id.to_string()),
        ..EventDraft::new(EventKind::MemoryRedactedHard, actor.clone())
            .about(id)
            .because(ReasonCode::RightToBeForgotten)
    };
    let named = targets.iter().filter_map(|target| match target {
        Target::Atom(id, _) if there.contains(id) => Some(id.to_string()),
        Target::Entry(id, _) => Some(id.to_string()),
        Target::Atom(..)
        | Target::Turn(_)
        | Target::Session(_)
        | Target::Trace(_)
        | Target::Document(..)
        | Target::Subject(..)
        | Target::Renew(_) => None,
    });
    named.collect::<BTreeSet<_>>().into_iter().map(line).collect()
}

fn encoded_record(item: &Item) -> Option<RecordId> {
    match &item.what {
        ItemKind::Atom(id) => Some(RecordId::Atom(*id)),
        ItemKind::Entry(id) => Some(RecordId::Entry(*id)),
        ItemKind::Subject { .. }
        | ItemKind::Turn(_)
        | ItemKind::Trace(_)
        | ItemKind::Session(_)
        | ItemKind::SubjectDocument(..)
        | ItemKind::Document(_) => None,
    }
}

fn pieces_of(vectors: &SentenceVectors) -> Vec<Vec<u8>> {
    let piece = |codes: &[i8]| codes.iter().take(PIECE).map(|code| code.cast_unsigned()).collect();
    vectors.vectors().iter().map(|vector| piece(&vector.codes)).collect()
}
