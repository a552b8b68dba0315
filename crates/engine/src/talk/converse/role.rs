//! The configured roles: which model answers, and how.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use domain::{TenantName, Text, Tokens};
use llm::Backend;
use wire::{Code, Problem};

use crate::Engine;
use crate::talk::context::Clock;

/// The default role.
const CHAT: &str = "chat";
/// The role that proposes memories.
const FORMATION: &str = "formation";

/// The role that writes cues.
const CUES: &str = "cues";
/// The role that selects from the shortlist of a recall.
const RECALL: &str = "recall";
/// The role that finds contradictions in a timeline.
const CONSISTENCY: &str = "consistency";

/// A configured model with its parameters.
#[derive(Clone, Debug)]
pub struct Role {
    /// The model.
    pub backend: Arc<Backend>,
    /// The model's name, as shown in answers.
    pub model_name: String,
    /// Whether its prompts state the time.
    pub clock: Clock,
    /// Its addition to the prompt.
    pub context: Option<Text>,
    /// The sampling temperature, if configured.
    pub temperature: Option<f64>,
    /// The longest answer, if configured.
    pub max_tokens: Option<u32>,
    /// Whether it may use the persona's tools.
    pub tools: Tools,
    /// The size of its window; if absent, the persona's document decides.
    pub context_window: Option<Tokens>,
    /// The time limit for reading a shortlist, if configured.
    pub timeout: Option<Duration>,
}

/// Whether a role may use the persona's tools.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tools {
    /// They are offered to the model.
    #[default]
    Offered,
    /// They are not.
    None,
}

impl Role {
    /// Answers without a model.
    #[must_use]
    pub fn offline() -> Self {
        Self {
            backend: Arc::new(Backend::Offline),
            model_name: "offline".to_owned(),
            clock: Clock::Stated,
            context: None,
            temperature: None,
            max_tokens: None,
            tools: Tools::Offered,
            context_window: None,
            timeout: None,
        }
    }
}

/// The roles by name. There is always a chat role.
#[derive(Clone, Debug)]
pub struct Roles {
    chat: Role,
    others: BTreeMap<String, Role>,
}

impl Default for Roles {
    fn default() -> Self {
        Self { chat: Role::offline(), others: BTreeMap::new() }
    }
}

impl Roles {
    /// These roles; without one named `chat`, that one answers without a model.
    #[must_use]
    pub fn new(mut roles: BTreeMap<String, Role>) -> Self {
        let chat = roles.remove(CHAT).unwrap_or_else(Role::offline);
        Self { chat, others: roles }
    }

    /// The role of this name, or the chat role.
    #[must_use]
    pub fn get(&self, name: Option<&str>) -> Option<&Role> {
        match name {
            None | Some(CHAT) => Some(&self.chat),
            Some(name) => self.others.get(name),
        }
    }

    /// Whether any role has a model.
    pub(crate) fn has_model(&self) -> bool {
        std::iter::once(&self.chat)
            .chain(self.others.values())
            .any(|role| matches!(role.backend.as_ref(), Backend::Model(_)))
    }

    /// The role that proposes memories; the chat role by default.
    #[must_use]
    pub fn forming(&self) -> &Role {
        self.others.get(FORMATION).unwrap_or(&self.chat)
    }

    /// The role that writes cues; the formation role by default.
    #[must_use]
    pub fn cueing(&self) -> &Role {
        self.others.get(CUES).unwrap_or_else(|| self.forming())
    }

    /// The role that reads the shortlist of a recall; no other role replaces it, so there may be none.
    #[must_use]
    pub fn reading(&self) -> Option<&Role> {
        self.others.get(RECALL)
    }

    /// The role that finds contradictions; the chat role by default.
    #[must_use]
    pub fn judging(&self) -> &Role {
        self.others.get(CONSISTENCY).unwrap_or(&self.chat)
    }

    /// The same roles, with another model wherever the one that talks answered. Reading shortlists is never part of it:
    /// that is off unless a model is named for it.
    pub(crate) fn answered_by(&self, backend: &Arc<Backend>, model_name: &str) -> Self {
        let answered = |role: &Role| Role {
            backend: Arc::clone(backend),
            model_name: model_name.to_owned(),
            ..role.clone()
        };
        let follows = |name: &str, role: &Role| name != RECALL && role.model_name == self.chat.model_name;
        let others = self.others.iter().map(|(name, role)| {
            let role = if follows(name, role) { answered(role) } else { role.clone() };
            (name.clone(), role)
        });
        Self { chat: answered(&self.chat), others: others.collect() }
    }

    /// The names of all roles.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(CHAT).chain(self.others.keys().map(String::as_str))
    }
}

impl Engine {
    /// The role of this name; an unknown name is an error, never another role.
    pub(crate) async fn role(&self, tenant: &TenantName, name: Option<&str>) -> Result<Role, Problem> {
        let roles = self.roles_of(tenant).await?;
        roles.get(name).cloned().ok_or_else(|| {
            let known: Vec<String> = roles.names().map(|name| format!("`{name}`")).collect();
            let name = name.unwrap_or_default();
            Problem::new(Code::RoleNotFound, format!("no role `{name}`; there is {}", known.join(", ")))
        })
    }
}
