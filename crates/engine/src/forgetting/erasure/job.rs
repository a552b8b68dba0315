//! An erasure request as the engine processes it.

use std::collections::{BTreeMap, BTreeSet};

use domain::{
    Actor, Alarm, Deadlines, ErasureId, ErasureStatus, EventKind, Identifier, PersonaId, ReasonCode,
    SubjectRef, TenantName, Text, Timestamp,
};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use store::{Decision, Deployment, DeploymentChange, ErasureRecord, EventDraft};
use vault::certificate::Opening;
use wire::erasure::{ErasureCounts, ErasureView};
use wire::note::{Note, NoteCode};
use wire::persona::BrokenPersona;
use wire::{Code, Problem};

use super::item::Item;
use crate::Engine;
use crate::persona::each::left_out;

/// A job: its progress and, while it is open, its subject.
#[derive(Clone, Debug)]
pub(super) struct Job {
    pub(super) id: ErasureId,
    pub(super) tenant: TenantName,
    pub(super) status: ErasureStatus,
    pub(super) deadlines: Deadlines,
    pub(super) progress: Progress,
    /// `None` once the job is done.
    pub(super) private: Option<JobSecrets>,
}

/// The progress of a job, without anything about a person.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Progress {
    pub(super) reason: ReasonCode,
    /// The subject's hash in the certificate.
    pub(super) subject_hash: String,
    pub(super) acknowledged_at: Option<Timestamp>,
    /// The log time of everything that is destroyed, so that a resumed run recognises what it destroyed
    /// before.
    pub(super) executing_at: Option<Timestamp>,
    pub(super) completed_at: Option<Timestamp>,
    pub(super) counts: ErasureCounts,
    /// The proof of the signed manifest; it is accepted once.
    pub(super) proof: Option<String>,
    pub(super) operator: Option<Actor>,
    /// Personas in which everything is destroyed.
    pub(super) finished: BTreeSet<PersonaId>,
    /// The state before anything was destroyed.
    pub(super) before: Option<StateBefore>,
    pub(super) derived: DerivedCounts,
    pub(super) identifiers: u64,
    pub(super) scan: Option<Value>,
    /// The key epoch after the keys were destroyed.
    pub(super) epoch_after: Option<u64>,
    pub(super) stale_mirrors: Vec<String>,
    /// Notes for the person who looks after it; earlier releases wrote them without codes.
    #[serde(alias = "warnings", deserialize_with = "notes")]
    pub(super) notes: Vec<Note>,
    pub(super) certificate: Option<Value>,
}

impl Default for Progress {
    fn default() -> Self {
        Self {
            reason: ReasonCode::RightToBeForgotten,
            subject_hash: String::new(),
            acknowledged_at: None,
            executing_at: None,
            completed_at: None,
            counts: ErasureCounts::default(),
            proof: None,
            operator: None,
            finished: BTreeSet::new(),
            before: None,
            derived: DerivedCounts::default(),
            identifiers: 0,
            scan: None,
            epoch_after: None,
            stale_mirrors: Vec::new(),
            notes: Vec::new(),
            certificate: None,
        }
    }
}

/// A note as this release or an earlier one wrote it.
#[derive(Deserialize)]
#[serde(untagged)]
enum WrittenNote {
    Note(Note),
    Text(String),
}

fn notes<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Note>, D::Error> {
    let note = |written| match written {
        WrittenNote::Note(note) => note,
        WrittenNote::Text(text) => Note::new(NoteCode::Other, text.clone()).about(&text),
    };
    Ok(Vec::deserialize(from)?.into_iter().map(note).collect())
}

/// The state before anything was destroyed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct StateBefore {
    pub(super) epoch: u64,
    pub(super) destroyed_keys: u64,
    /// The signed states of the logs, by log name.
    pub(super) logs: BTreeMap<String, Head>,
}

/// The signed state of a log.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Head {
    pub(super) size: u64,
    pub(super) note: String,
}

/// What happened to memories derived from the destroyed ones.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct DerivedCounts {
    pub(super) rederived: u64,
    pub(super) redacted: u64,
}

/// The subject of a job, and what has to be destroyed. Sealed under the job's own key.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct JobSecrets {
    /// As given in the request.
    pub(super) subject: SubjectRef,
    /// All references of the subject.
    pub(super) references: BTreeSet<SubjectRef>,
    /// Identifiers given with the request.
    pub(super) identifiers: Vec<Identifier>,
    /// The reason as free text, if given.
    pub(super) note: Option<Text>,
    pub(super) opening: Opening,
    pub(super) items: Vec<Item>,
    /// The accepted proposals, by number.
    pub(super) taken: BTreeSet<u32>,
    /// The signed manifest.
    pub(super) manifest: Option<Value>,
    /// A piece of each destroyed sentence vector: text can be recovered from vectors, so they are searched
    /// for afterwards too.
    #[serde(default)]
    pub(super) vectors: Vec<Vec<u8>>,
}

impl JobSecrets {
    /// All search terms: the given identifiers, and every reference.
    pub(super) fn sought(&self) -> Vec<Identifier> {
        let references = self.references.iter().filter_map(|known| known.as_str().parse().ok());
        let mut sought = self.identifiers.clone();
        for identifier in references {
            if !sought.contains(&identifier) {
                sought.push(identifier);
            }
        }
        sought
    }

    /// What has to be destroyed: everything of the subject's own, and the accepted proposals.
    pub(super) fn to_destroy(&self) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(|item| item.is_own() || self.taken.contains(&item.number))
    }
}

impl Job {
    /// Replaces the list of personas that could not be searched.
    pub(super) fn note_left_out(&mut self, broken: &[BrokenPersona]) {
        self.progress.notes.retain(|note| note.code != NoteCode::PersonaLeftOut);
        self.progress.notes.extend(broken.iter().map(left_out));
    }

    /// The job in a stored record.
    pub(super) fn read(erasure: ErasureRecord) -> Result<Self, Problem> {
        let ErasureRecord { id, tenant, status, deadlines, progress, private, .. } = erasure;
        let broken = |error: serde_json::Error| {
            Problem::new(Code::RecordDamaged, format!("the erasure {id} can't be read: {error}"))
        };
        let progress = serde_json::from_value(progress).map_err(broken)?;
        let private = private.map(|private| serde_json::from_value(private.0)).transpose().map_err(broken)?;
        Ok(Self { id, tenant, status, deadlines, progress, private })
    }

    /// The secrets of an open job; a finished job has none.
    pub(super) fn private(&self) -> Result<&JobSecrets, Problem> {
        self.private.as_ref().ok_or_else(|| self.over())
    }

    pub(super) fn private_mut(&mut self) -> Result<&mut JobSecrets, Problem> {
        let over = self.over();
        self.private.as_mut().ok_or(over)
    }

    /// The refusal for a finished job.
    pub(super) fn over(&self) -> Problem {
        let detail =
            format!("the erasure {} is {}; its subject is no longer stored", self.id, self.status.as_str());
        Problem::new(Code::Conflict, detail)
    }

    /// The state of the job at `now`, without anything about a person.
    pub(super) fn view(&self, now: Timestamp) -> ErasureView {
        let Self { id, status, deadlines, progress, .. } = self;
        let alarm = match deadlines.alarm(*status, now) {
            Alarm::None => None,
            Alarm::Half => Some("half"),
            Alarm::Urgent => Some("urgent"),
            Alarm::Overdue => Some("overdue"),
        };
        ErasureView {
            id: *id,
            status: *status,
            reason: progress.reason,
            received_at: deadlines.received_at,
            ack_due_at: deadlines.acknowledge_by,
            due_at: deadlines.complete_by,
            acknowledged_at: progress.acknowledged_at,
            completed_at: progress.completed_at,
            alarm: alarm.map(str::to_owned),
            counts: progress.counts.clone(),
            warnings: Note::texts(&progress.notes),
            notes: progress.notes.clone(),
        }
    }

    fn record(&self, now: Timestamp) -> Result<ErasureRecord, Problem> {
        let internal = |error: serde_json::Error| Problem::new(Code::Internal, error.to_string());
        let private = self.private.as_ref().map(serde_json::to_value).transpose().map_err(internal)?;
        Ok(ErasureRecord {
            id: self.id,
            tenant: self.tenant.clone(),
            status: self.status,
            deadlines: self.deadlines,
            changed_at: now,
            progress: serde_json::to_value(&self.progress).map_err(internal)?,
            private: private.map(Into::into),
        })
    }
}

impl Engine {
    /// Stores the job, with its audit events and other changes of the same transaction.
    pub(super) async fn keep_job(
        &self,
        job: &Job,
        now: Timestamp,
        kinds: &[EventKind],
        actor: &Actor,
        mut changes: Vec<DeploymentChange>,
    ) -> Result<(), Problem> {
        changes.push(DeploymentChange::PutErasure(Box::new(job.record(now)?)));
        let event = |kind: &EventKind| EventDraft {
            batch: Some(job.id.to_string()),
            ..EventDraft::new(*kind, actor.clone()).about(job.id)
        };
        let events = kinds.iter().map(event).collect();
        let decision = Decision { now, tenant: job.tenant.clone(), changes, events };
        self.store.decide(decision).await.map(drop).map_err(Problem::from)
    }

    /// The job with this id in `tenant`.
    pub(super) async fn job(&self, tenant: &TenantName, id: ErasureId) -> Result<Job, Problem> {
        let found = self.store.erasure(tenant, id).await?;
        let missing = || Problem::new(Code::NotFound, format!("no erasure {id} in this tenant"));
        Job::read(found.ok_or_else(missing)?)
    }

    /// All jobs of `tenant`, oldest first.
    pub(super) async fn jobs(&self, tenant: &TenantName) -> Result<Vec<Job>, Problem> {
        self.store.erasures(tenant).await?.into_iter().map(Job::read).collect()
    }
}
