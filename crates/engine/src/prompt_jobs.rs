//! Prompts that are answered later: started now, fetched by the name of their job.
//!
//! Jobs live in the memory of this process for an hour. What was said and answered is in the record
//! like any other exchange, so a job that is lost with its process loses no words.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use domain::{Reach, SessionId, SubjectRef, TenantName, Text, Timestamp};
use wire::chat::{PromptAnswer, PromptJob, PromptJobAnswer, PromptJobStatus};
use wire::{Code, Problem};

use crate::Engine;
use crate::call::{Call, PersonaKey};
use crate::converse::{Conversation, Utterance};

/// How many jobs are kept.
const MOST: usize = 1_000;
/// For how long.
const KEPT_MILLIS: i64 = 3_600_000;

/// The jobs of this process.
#[derive(Default)]
pub(crate) struct PromptJobs(Mutex<HashMap<String, Kept>>);

struct Kept {
    tenant: TenantName,
    persona: PersonaKey,
    /// Who asked; nothing for an unnamed speaker, who is known by the job's id alone.
    subject: Option<SubjectRef>,
    since: Timestamp,
    job: PromptJob,
}

impl PromptJobs {
    fn jobs(&self) -> MutexGuard<'_, HashMap<String, Kept>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn start(&self, kept: Kept) {
        let now = kept.since;
        let mut jobs = self.jobs();
        jobs.retain(|_, kept| now.as_millis() - kept.since.as_millis() < KEPT_MILLIS);
        if jobs.len() >= MOST
            && let Some(oldest) = jobs.iter().min_by_key(|(_, kept)| kept.since).map(|(id, _)| id.clone())
        {
            jobs.remove(&oldest);
        }
        jobs.insert(kept.job.id.clone(), kept);
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
    }

    /// Lets go of what was said in a conversation, because some of it is being taken back.
    pub(crate) fn forget_session(&self, session: &SessionId) {
        let is_of =
            |kept: &Kept| kept.job.result.as_ref().is_some_and(|answer| answer.session_id == *session);
        self.jobs().retain(|_, kept| !is_of(kept));
    }

    /// Lets go of everything said, because somebody is being forgotten.
    pub(crate) fn forget(&self) {
        self.jobs().clear();
    }
}

impl Engine {
    /// Says something to a persona and gives the job that will have the answer.
    pub async fn start_prompt_job(
        self: &Arc<Self>,
        call: &Call,
        key: &PersonaKey,
        said: Utterance,
    ) -> Result<PromptJobAnswer, Problem> {
        let prompt = said.message.clone();
        let found = self.find(call, key).await?;
        let subject = self.speaker(call, &found, said.subject.clone(), said.session.clone()).await?.subject;
        let conversation = self.converse(call, key, said).await?;
        let id = self.random_uuid()?.to_string();
        let job = PromptJob { id: id.clone(), status: PromptJobStatus::Running, result: None, error: None };
        let (tenant, persona) = (call.caller.tenant.clone(), key.clone());
        self.prompt_jobs.start(Kept { tenant, persona, subject, since: call.now, job: job.clone() });
        let engine = Arc::clone(self);
        tokio::spawn(async move {
            let ended = whole(conversation, prompt).await;
            engine.prompt_jobs.end(&id, ended);
        });
        Ok(PromptJobAnswer { job })
    }

    /// Says something to a persona and waits for the answer.
    pub async fn prompt(
        self: &Arc<Self>,
        call: &Call,
        key: &PersonaKey,
        said: Utterance,
    ) -> Result<PromptAnswer, Problem> {
        let prompt = said.message.clone();
        whole(self.converse(call, key, said).await?, prompt).await
    }

    /// How far a job is. Another tenant's, and another subject's, is not found.
    pub async fn prompt_job(&self, call: &Call, id: &str) -> Result<PromptJobAnswer, Problem> {
        let missing = || {
            let detail = format!("no job {id}; jobs are kept for an hour by the process they ran in");
            Problem::new(Code::NotFound, detail)
        };
        let (persona, subject, job) = {
            let jobs = self.prompt_jobs.jobs();
            let kept = jobs.get(id).filter(|kept| kept.tenant == call.caller.tenant).ok_or_else(missing)?;
            (kept.persona.clone(), kept.subject.clone(), kept.job.clone())
        };
        if subject.is_some() {
            let found = self.find(call, &persona).await?;
            let access = self.access(call, &found, None).await?;
            if access.reach == Reach::Subject && access.listener.subject != subject {
                return Err(missing());
            }
        }
        Ok(PromptJobAnswer { job })
    }
}

/// Waits for the whole of an answer to `prompt`.
async fn whole(conversation: Conversation, prompt: Text) -> Result<PromptAnswer, Problem> {
    let started = tokio::time::Instant::now();
    let (session_id, recall_id) = (conversation.session.clone(), conversation.recall);
    let (model_name, escalation) = (conversation.model.clone(), conversation.escalation.clone());
    let reply = conversation.whole().await?;
    Ok(PromptAnswer {
        session_id,
        prompt,
        response: reply.text,
        model_name,
        tokens_in: reply.usage.prompt_tokens,
        tokens_out: reply.usage.completion_tokens,
        latency_ms: u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
        recall_id,
        escalation,
    })
}
