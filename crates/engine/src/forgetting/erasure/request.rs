//! `POST /v1/erasures`, and reading requests: a person asks to be forgotten.

use std::collections::BTreeSet;

use domain::identifier::found_in;
use domain::{
    Deadlines, ErasureId, ErasureStatus, EventKind, ForgettingDeadlines, Identifier, ReasonCode, Text,
};
use serde_json::Value;
use store::{Deployment, DeploymentChange};
use vault::certificate::Opening;
use wire::erasure::{ErasureAnswer, ErasureList, PreviewAnswer, RequestErasure};
use wire::{Code, Problem};

use super::job::{Job, JobSecrets, Progress};
use crate::call::Call;
use crate::error::no_randomness;
use crate::{Engine, boxed};

impl Engine {
    /// Accepts a request: it is received, acknowledged, and everything about it is gathered.
    #[boxed]
    pub async fn request_erasure(
        &self,
        call: &Call,
        asked: RequestErasure,
    ) -> Result<ErasureAnswer, Problem> {
        Self::check_acts_for(call, &asked.subject)?;
        let tenant = &call.caller.tenant;
        let ticket = self.ticket(call)?;
        if let Some(ticket) = &ticket {
            let before = self.store.tenant_request(tenant, ticket.tag()).await?;
            if let Some(id) = ticket.resource(before)? {
                let id = id.parse().map_err(|error| crate::error::nothing_named(&error))?;
                return self.show_erasure(call, id).await;
            }
        }
        let joined = self.open_request_of(call, &asked).await?;
        let mut job = match joined {
            Some(open) => open,
            None => self.received(call, asked.clone()).await?,
        };
        // The name may be an alias of the owner.
        if let Some(owner) = job.private()?.references.iter().find(|reference| reference.is_owner()) {
            Self::check_acts_for(call, owner)?;
        }
        let mut changes = Vec::new();
        if let Some(ticket) = &ticket {
            changes.push(DeploymentChange::RecordRequest(ticket.answered(202, job.id.to_string(), call.now)));
        }
        let actor = &call.caller.actor;
        if job.status == ErasureStatus::Partial {
            // It is signed already: executing it again searches everything once more.
            self.keep_job(&job, call.now, &[], actor, changes).await?;
            return Ok(answer(&job, call));
        }
        if job.status != ErasureStatus::Received {
            self.join(&mut job, &asked)?;
            self.keep_job(&job, call.now, &[], actor, changes).await?;
            self.gather_again(call, &mut job).await?;
            return Ok(answer(&job, call));
        }
        self.keep_job(&job, call.now, &[EventKind::ErasureReceived], actor, changes).await?;
        // The answer to this request is the acknowledgement.
        job.status = ErasureStatus::Acknowledged;
        job.progress.acknowledged_at = Some(call.now);
        self.keep_job(&job, call.now, &[EventKind::ErasureAcknowledged], actor, Vec::new()).await?;
        self.gather_again(call, &mut job).await?;
        Ok(answer(&job, call))
    }

    /// An open request of the same person: not signed yet, or executed and not complete. It keeps its deadlines.
    async fn open_request_of(&self, call: &Call, asked: &RequestErasure) -> Result<Option<Job>, Problem> {
        let jobs = self.jobs(&call.caller.tenant).await?;
        let identifiers = parsed(&asked.identifiers)?;
        let knows_all = |job: &Job| {
            let known = job.private.as_ref().map(|private| &private.identifiers);
            known.is_some_and(|known| identifiers.iter().all(|identifier| known.contains(identifier)))
        };
        let is_open = |job: &Job| match job.status {
            ErasureStatus::Acknowledged | ErasureStatus::Gathered => true,
            ErasureStatus::Partial => knows_all(job),
            ErasureStatus::Received
            | ErasureStatus::Signed
            | ErasureStatus::Executing
            | ErasureStatus::Verifying
            | ErasureStatus::Done
            | ErasureStatus::Withdrawn => false,
        };
        let is_theirs = |job: &Job| {
            job.private.as_ref().is_some_and(|private| private.references.contains(&asked.subject))
        };
        Ok(jobs.into_iter().find(|job| is_open(job) && is_theirs(job)))
    }

    /// Adds the identifiers of a later request to an open one.
    fn join(&self, job: &mut Job, asked: &RequestErasure) -> Result<(), Problem> {
        let new: Vec<_> = parsed(&asked.identifiers)?;
        let private = job.private_mut()?;
        let before = private.identifiers.len();
        for identifier in new {
            if !private.identifiers.contains(&identifier) {
                private.identifiers.push(identifier);
            }
        }
        let (_, note) = reason_and_note(asked.reason.clone());
        private.note = private.note.take().or(note);
        refuse_named(private)?;
        if private.identifiers.len() > before {
            let names: Vec<String> =
                private.identifiers.iter().map(|known| known.as_str().to_owned()).collect();
            private.opening = Opening::draw(private.subject.as_str(), &names, self.randomness.as_ref())
                .map_err(|error| no_randomness(&error))?;
            let hashed = private.opening.hash();
            job.progress.subject_hash =
                hashed.map_err(|error| Problem::new(Code::Internal, error.to_string()))?.hash;
        }
        Ok(())
    }

    /// Gathers again for a job that isn't signed yet, so that newer records are included.
    pub(super) async fn gather_again(&self, call: &Call, job: &mut Job) -> Result<(), Problem> {
        self.gather(job).await?;
        job.status = ErasureStatus::Gathered;
        self.keep_job(job, call.now, &[], &call.caller.actor, Vec::new()).await
    }

    /// Shows what a request would reach, and stores nothing.
    #[boxed]
    pub async fn foresee_erasure(
        &self,
        call: &Call,
        asked: RequestErasure,
    ) -> Result<PreviewAnswer, Problem> {
        let mut job = self.received(call, asked).await?;
        self.gather(&mut job).await?;
        self.previewed(call, &job).await
    }

    /// The state of a request.
    #[boxed]
    pub async fn show_erasure(&self, call: &Call, id: ErasureId) -> Result<ErasureAnswer, Problem> {
        Ok(answer(&self.job(&call.caller.tenant, id).await?, call))
    }

    /// Every request of the tenant, oldest first.
    #[boxed]
    pub async fn list_erasures(&self, call: &Call) -> Result<ErasureList, Problem> {
        let jobs = self.jobs(&call.caller.tenant).await?;
        Ok(ErasureList { erasures: jobs.iter().map(|job| job.view(call.now)).collect() })
    }

    async fn received(&self, call: &Call, asked: RequestErasure) -> Result<Job, Problem> {
        let RequestErasure { subject, identifiers, reason } = asked;
        let identifiers = parsed(&identifiers)?;
        let (reason, note) = reason_and_note(reason);
        let names: Vec<String> = identifiers.iter().map(|known| known.as_str().to_owned()).collect();
        let opening = Opening::draw(subject.as_str(), &names, self.randomness.as_ref())
            .map_err(|error| no_randomness(&error))?;
        let subject_hash =
            opening.hash().map_err(|error| Problem::new(Code::Internal, error.to_string()))?.hash;
        let private = JobSecrets {
            references: BTreeSet::from([subject.clone()]),
            subject,
            identifiers,
            note,
            opening,
            items: Vec::new(),
            taken: BTreeSet::new(),
            manifest: None,
            vectors: Vec::new(),
        };
        refuse_named(&private)?;
        Ok(Job {
            id: ErasureId(self.new_uuid(call.now)?),
            tenant: call.caller.tenant.clone(),
            status: ErasureStatus::Received,
            deadlines: Deadlines::of(call.now, self.strictest_deadlines(call).await?),
            progress: Progress { reason, subject_hash, ..Progress::default() },
            private: Some(private),
        })
    }

    /// The shortest deadlines of any persona of the tenant.
    async fn strictest_deadlines(&self, call: &Call) -> Result<ForgettingDeadlines, Problem> {
        let mut strictest = ForgettingDeadlines::default();
        for persona in self.store.personas(&call.caller.tenant).await? {
            // An unreadable document sets no deadline.
            if let Ok(loaded) = self.load_document(&persona, call.now).await {
                let own = loaded.document.memory_policy.right_to_be_forgotten_sla;
                strictest.acknowledgment_hours = strictest.acknowledgment_hours.min(own.acknowledgment_hours);
                strictest.completion_hours = strictest.completion_hours.min(own.completion_hours);
            }
        }
        Ok(strictest)
    }
}

/// The state of a job, with the opening of its hash as long as that is known.
pub(super) fn answer(job: &Job, call: &Call) -> ErasureAnswer {
    let opening = job.private.as_ref().and_then(|private| serde_json::to_value(&private.opening).ok());
    ErasureAnswer { erasure: job.view(call.now), opening }
}

fn parsed(identifiers: &[Text]) -> Result<Vec<Identifier>, Problem> {
    let mut known: Vec<Identifier> = Vec::new();
    for text in identifiers {
        let invalid =
            |error: domain::InvalidIdentifier| Problem::new(Code::ValidationFailed, error.to_string());
        let identifier = text.as_str().parse().map_err(invalid)?;
        if !known.contains(&identifier) {
            known.push(identifier);
        }
    }
    Ok(known)
}

/// A reason code is for the log; any other text stays with the job.
fn reason_and_note(reason: Text) -> (ReasonCode, Option<Text>) {
    match serde_json::from_value(Value::from(reason.as_str())) {
        Ok(code) => (code, None),
        Err(_) => (ReasonCode::RightToBeForgotten, Some(reason)),
    }
}

/// Refuses a reason that names the subject, since it would remain visible to others.
fn refuse_named(private: &JobSecrets) -> Result<(), Problem> {
    let Some(note) = &private.note else { return Ok(()) };
    if found_in(&private.sought(), note.as_str()).is_empty() {
        return Ok(());
    }
    let detail = "the reason names the subject; give a code such as `right-to-be-forgotten`, or other words";
    Err(Problem::new(Code::ValidationFailed, detail))
}
