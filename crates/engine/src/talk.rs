//! Conversations: from a message to a recorded reply, with the context, rules and tools given to a model.

pub mod converse;
pub(crate) mod context;
pub(crate) mod chat_model;
pub(crate) mod local_models;
pub(crate) mod preview_context;
pub(crate) mod guard;
pub(crate) mod tools;
pub(crate) mod session;
pub(crate) mod sessions;
pub(crate) mod without_refused;
pub(crate) mod search;
pub(crate) mod compact;
pub(crate) mod edit_turns;
pub(crate) mod files;
pub(crate) mod day_log;
pub(crate) mod prompt_jobs;
pub(crate) mod export_conversations;

use std::sync::Arc;

use domain::{Listener, PersonaId};
use llm::{LocalServer, Provider};
use tokio_util::task::TaskTracker;

use crate::persona::registry::PersonaContext;
use chat_model::TenantRoles;
use converse::{OffRecord, Roles, WaitingCalls};
use prompt_jobs::PromptJobs;

/// The models that talk, and the conversations held in memory. Its fields are visible in this room only.
pub(crate) struct TalkState {
    roles: Arc<Roles>,
    tenant_roles: TenantRoles,
    local_servers: Vec<LocalServer>,
    model_providers: Vec<Provider>,
    off_record: OffRecord,
    waiting_calls: WaitingCalls,
    prompt_jobs: PromptJobs,
    /// Replies in progress, and their follow-up work.
    replies: TaskTracker,
}

impl TalkState {
    /// The state at the start, with the configured `roles`.
    pub(crate) fn new(roles: Roles) -> Self {
        Self {
            roles: Arc::new(roles),
            tenant_roles: TenantRoles::default(),
            local_servers: LocalServer::USUAL.into(),
            model_providers: Provider::known(),
            off_record: OffRecord::default(),
            waiting_calls: WaitingCalls::default(),
            prompt_jobs: PromptJobs::default(),
            replies: TaskTracker::new(),
        }
    }

    /// The roles of the configuration, without the models that tenants connected.
    pub(crate) fn roles(&self) -> &Roles {
        &self.roles
    }

    /// Runs work that a shutdown waits for.
    pub(crate) fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        self.replies.spawn(work);
    }

    /// Waits for replies in progress; no new one is waited for.
    pub(crate) async fn finish(&self) {
        self.replies.close();
        self.replies.wait().await;
    }

    /// Whether the listener's conversation is another person's, off the record.
    pub(crate) fn is_of_another(&self, persona: &PersonaContext, listener: &Listener) -> bool {
        self.off_record.is_of_another(&persona.entry.tenant, persona.entry.id, listener)
    }

    /// Drops the conversations of a persona that are held in memory only.
    pub(crate) fn evict(&self, persona: PersonaId) {
        self.off_record.forget(persona);
        self.waiting_calls.forget(persona);
        self.prompt_jobs.forget(persona);
    }

    /// Drops all conversations that are held in memory only.
    pub(crate) fn evict_all(&self) {
        self.off_record.forget_all();
        self.waiting_calls.forget_all();
        self.prompt_jobs.forget_all();
    }
}
