//! Prompts that are answered later: started now, fetched by their job id.
//!
//! Jobs live in the memory of this process for an hour. Message and reply are recorded like any other
//! exchange, so a job lost with its process loses no text. Each tenant has its own limits.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use domain::{PersonaId, Reach, SessionId, SubjectRef, TenantName, Text, Timestamp};
use wire::chat::{PromptAnswer, PromptJob, PromptJobAnswer, PromptJobStatus};
use wire::{Code, Problem};

use crate::call::{Call, PersonaKey};
use crate::talk::context::Record;
use crate::talk::converse::{Conversation, Utterance};
use crate::{Engine, boxed};

/// How many jobs are kept per tenant; then the oldest finished ones are dropped.
const MOST: usize = 1_000;
/// How many bytes of prompts and answers are kept per tenant; then the oldest finished jobs are dropped.
const MOST_BYTES: usize = 16 * 1024 * 1024;
/// How many jobs of one tenant may run at once: the request that starts one ends at once, so the limit on
/// requests doesn't bound them.
const MOST_RUNNING: usize = 64;
/// How long a job is kept.
const KEPT_MILLIS: i64 = 3_600_000;

/// The jobs of this process.
#[derive(Default)]
pub(crate) struct PromptJobs(Mutex<HashMap<String, StoredJob>>);

struct StoredJob {
    tenant: TenantName,
    persona: PersonaId,
    /// Who asked; `None` for an unnamed speaker, who is identified by the job's id alone.
    subject: Option<SubjectRef>,
    since: Timestamp,
    job: PromptJob,
}

impl StoredJob {
    fn is_running(&self) -> bool {
        self.job.status == PromptJobStatus::Running
    }

    fn bytes(&self) -> usize {
        let said = |answer: &PromptAnswer| answer.prompt.as_str().len() + answer.response.as_str().len();
        let text = self.job.result.as_ref().map_or(0, said) + self.job.error.as_ref().map_or(0, String::len);
        size_of::<Self>() + text
    }
}

impl PromptJobs {
    fn jobs(&self) -> MutexGuard<'_, HashMap<String, StoredJob>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Refuses a tenant that has too many running jobs.
    fn demand_room(&self, tenant: &TenantName) -> Result<(), Problem> {
        let running = self.jobs().values().filter(|kept| kept.tenant == *tenant && kept.is_running()).count();
        if running < MOST_RUNNING {
            return Ok(());
        }
        let detail = format!("{running} prompts of this tenant are being answered; retry when one has ended");
        Err(Problem::new(Code::Busy, detail))
    }

    fn start(&self, kept: StoredJob) {
        let (now, tenant) = (kept.since, kept.tenant.clone());
        let mut jobs = self.jobs();
        jobs.retain(|_, kept| now.as_millis() - kept.since.as_millis() < KEPT_MILLIS);
        jobs.insert(kept.job.id.clone(), kept);
        make_room(&mut jobs, &tenant);
    }

    fn end(&self, id: &str, ended: Result<PromptAnswer, Problem>) {
        let mut jobs = self.jobs();
        let Some(kept) = jobs.get_mut(id) else { return };
        match ended {
            Ok(answer) => {
                kept.job.status = PromptJobStatus::Completed;
                kept.job.result = Some(answer);
            }
            Err(problem) => {
                kept.job.status = PromptJobStatus::Failed;
                kept.job.error = Some(problem.detail);
            }
        }
        let tenant = kept.tenant.clone();
        make_room(&mut jobs, &tenant);
    }

    /// Drops the jobs of a conversation, because some of its turns are being deleted.
    pub(crate) fn forget_session(&self, session: &SessionId) {
        let is_of =
            |kept: &StoredJob| kept.job.result.as_ref().is_some_and(|answer| answer.session_id == *session);
        self.jobs().retain(|_, kept| !is_of(kept));
    }

    /// Drops all jobs of a persona, because a person is being forgotten.
    pub(crate) fn forget(&self, persona: PersonaId) {
        self.jobs().retain(|_, kept| kept.persona != persona);
    }

    /// Drops all jobs.
    pub(crate) fn forget_all(&self) {
        self.jobs().clear();
    }
}

impl Engine {
    /// Sends a message to a persona and returns the job that will have the reply.
    pub async fn start_prompt_job(
        self: &Arc<Self>,
        call: &Call,
        key: &PersonaKey,
        utterance: Utterance,
    ) -> Result<PromptJobAnswer, Problem> {
        if call.caller.recorded(utterance.record) == Record::Off {
            let detail = "off the record nothing is stored, and a job keeps its answer until it is fetched; \
                leave `mode` out to wait for the answer";
            return Err(Problem::new(Code::Usage, detail));
        }
        self.talk_state.prompt_jobs.demand_room(&call.caller.tenant)?;
        let prompt = utterance.message.clone();
        let persona = self.find(call, key).await?;
        let subject =
            self.speaker(call, &persona, utterance.subject.clone(), utterance.session.clone()).await?.subject;
        let conversation = self.converse(call, key, utterance).await?;
        let id = self.random_uuid()?.to_string();
        let job = PromptJob { id: id.clone(), status: PromptJobStatus::Running, result: None, error: None };
        self.talk_state.prompt_jobs.start(StoredJob {
            tenant: call.caller.tenant.clone(),
            persona: persona.entry.id,
            subject,
            since: call.now,
            job: job.clone(),
        });
        let engine = Arc::clone(self);
        tokio::spawn(async move {
            let ended = whole(conversation, prompt).await;
            engine.talk_state.prompt_jobs.end(&id, ended);
        });
        Ok(PromptJobAnswer { job })
    }

    /// Sends a message to a persona and waits for the reply.
    pub async fn prompt(
        self: &Arc<Self>,
        call: &Call,
        key: &PersonaKey,
        utterance: Utterance,
    ) -> Result<PromptAnswer, Problem> {
        let prompt = utterance.message.clone();
        whole(self.converse(call, key, utterance).await?, prompt).await
    }

    /// The state of a job. Jobs of other tenants and subjects are not found.
    #[boxed]
    pub async fn prompt_job(&self, call: &Call, id: &str) -> Result<PromptJobAnswer, Problem> {
        let missing = || {
            let detail = format!("no job {id}; jobs are kept for an hour by the process they ran in");
            Problem::new(Code::NotFound, detail)
        };
        let (key, subject, job) = {
            let jobs = self.talk_state.prompt_jobs.jobs();
            let kept = jobs.get(id).filter(|kept| kept.tenant == call.caller.tenant).ok_or_else(missing)?;
            (PersonaKey::Id(kept.persona), kept.subject.clone(), kept.job.clone())
        };
        if subject.is_some() {
            let persona = self.find(call, &key).await?;
            let access = self.access(call, &persona, None).await?;
            if access.reach == Reach::Subject && access.listener.subject != subject {
                return Err(missing());
            }
        }
        Ok(PromptJobAnswer { job })
    }
}

/// Drops finished jobs of `tenant`, the oldest first, until the rest fits.
fn make_room(jobs: &mut HashMap<String, StoredJob>, tenant: &TenantName) {
    let mut own: Vec<(String, Timestamp, usize, bool)> = jobs
        .iter()
        .filter(|(_, kept)| kept.tenant == *tenant)
        .map(|(id, kept)| (id.clone(), kept.since, kept.bytes(), kept.is_running()))
        .collect();
    own.sort_by_key(|(_, since, ..)| *since);
    let (mut count, mut bytes) = (own.len(), own.iter().map(|(_, _, bytes, _)| bytes).sum::<usize>());
    for (id, _, size, _) in own.iter().filter(|(.., is_running)| !is_running) {
        if count <= MOST && bytes <= MOST_BYTES {
            return;
        }
        jobs.remove(id);
        (count, bytes) = (count - 1, bytes - size);
    }
}

/// Waits for the whole reply to `prompt`.
async fn whole(conversation: Conversation, prompt: Text) -> Result<PromptAnswer, Problem> {
    let started = tokio::time::Instant::now();
    let (session_id, recall_id) = (conversation.session.clone(), conversation.recall);
    let exchange_id = conversation.exchange.clone();
    let (model_name, escalation) = (conversation.model.clone(), conversation.escalation.clone());
    let notices = conversation.notices.clone();
    let reply = conversation.whole().await?;
    Ok(PromptAnswer {
        session_id,
        exchange_id,
        prompt,
        response: reply.text,
        model_name,
        tokens_in: reply.usage.prompt_tokens,
        tokens_out: reply.usage.completion_tokens,
        latency_ms: u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
        recall_id,
        escalation,
        notices,
        formed: reply.formed,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PERSONA: PersonaId = PersonaId(uuid::Uuid::nil());

    fn start(jobs: &PromptJobs, tenant: &str, id: &str, at: i64) {
        let job =
            PromptJob { id: id.to_owned(), status: PromptJobStatus::Running, result: None, error: None };
        let (tenant, since) = (tenant.parse().unwrap(), Timestamp::from_millis(at));
        jobs.start(StoredJob { tenant, persona: PERSONA, subject: None, since, job });
    }

    fn fail(jobs: &PromptJobs, id: &str, length: usize) {
        jobs.end(id, Err(Problem::new(Code::ModelFailed, "x".repeat(length))));
    }

    fn of(jobs: &PromptJobs, tenant: &str) -> usize {
        jobs.jobs().values().filter(|kept| kept.tenant.as_str() == tenant).count()
    }

    #[test]
    fn a_tenant_with_too_many_jobs_loses_its_own_oldest_and_nobody_elses() {
        let jobs = PromptJobs::default();
        start(&jobs, "ben", "ben-1", 0);
        fail(&jobs, "ben-1", 1);
        start(&jobs, "ana", "running", 1);
        for number in 0..=MOST {
            start(&jobs, "ana", &format!("{number}"), 2 + i64::try_from(number).unwrap());
            fail(&jobs, &format!("{number}"), 1);
        }
        assert_eq!((of(&jobs, "ana"), of(&jobs, "ben")), (MOST, 1));
        assert!(jobs.jobs().contains_key("running"), "what runs is kept");
    }

    #[test]
    fn the_answers_kept_for_a_tenant_are_bounded_in_bytes() {
        let jobs = PromptJobs::default();
        for number in 0..40 {
            start(&jobs, "ana", &format!("{number}"), number);
            fail(&jobs, &format!("{number}"), 1_000_000);
        }
        let bytes: usize = jobs.jobs().values().map(StoredJob::bytes).sum();
        assert!((MOST_BYTES / 2..=MOST_BYTES).contains(&bytes), "{bytes} bytes");
    }

    #[test]
    fn a_tenant_may_have_so_many_jobs_running_and_another_is_not_concerned() {
        let jobs = PromptJobs::default();
        let (ana, ben): (TenantName, TenantName) = ("ana".parse().unwrap(), "ben".parse().unwrap());
        for number in 0..MOST_RUNNING {
            assert!(jobs.demand_room(&ana).is_ok());
            start(&jobs, "ana", &format!("{number}"), 0);
        }
        assert_eq!(jobs.demand_room(&ana).unwrap_err().code, Code::Busy);
        assert!(jobs.demand_room(&ben).is_ok());
    }
}
