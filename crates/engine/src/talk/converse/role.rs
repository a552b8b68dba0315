//! Who answers, and how: the roles of the configuration.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use domain::{Text, Tokens};
use llm::Backend;
use wire::{Code, Problem};

use crate::Engine;
use crate::talk::context::Clock;

/// The role that answers when none is named.
const CHAT: &str = "chat";
/// The role that says what to remember.
const FORMATION: &str = "formation";

/// The role that writes cues.
const CUES: &str = "cues";
/// The role that selects from the shortlist of a recall.
const RECALL: &str = "recall";
/// The role that says what in a life contradicts what.
const CONSISTENCY: &str = "consistency";

/// A way of answering.
#[derive(Clone, Debug)]
pub struct Role {
    /// Who speaks.
    pub backend: Arc<Backend>,
    /// The model's name, as answers tell it.
    pub model_name: String,
    /// Whether its prompts tell the time.
    pub clock: Clock,
    /// What it adds to the prompt.
    pub context: Option<Text>,
    /// How freely it speaks, if it says so.
    pub temperature: Option<f64>,
    /// The longest answer, if it says so.
    pub max_tokens: Option<u32>,
    /// Whether it may use the persona's tools.
    pub tools: Tools,
    /// How much fits into its window; absent, what the persona's document says.
    pub context_window: Option<Tokens>,
    /// How long a recall waits for it, if it reads shortlists and says so.
    pub timeout: Option<Duration>,
}

/// Whether a role may use the persona's tools.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tools {
    /// It may.
    #[default]
    Offered,
    /// It only talks.
    None,
}

impl Role {
    /// Answers from memory alone.
    #[must_use]
    pub fn offline() -> Self {
        Self {
            backend: Arc::new(Backend::Offline),
            model_name: "offline".to_owned(),
            clock: Clock::Told,
            context: None,
            temperature: None,
            max_tokens: None,
            tools: Tools::Offered,
            context_window: None,
            timeout: None,
        }
    }
}

/// The roles by name. There is always one that talks.
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
    /// These roles; without one named `chat`, that one answers from memory alone.
    #[must_use]
    pub fn new(mut roles: BTreeMap<String, Role>) -> Self {
        let chat = roles.remove(CHAT).unwrap_or_else(Role::offline);
        Self { chat, others: roles }
    }

    /// The role of this name, or the one that talks.
    #[must_use]
    pub fn get(&self, name: Option<&str>) -> Option<&Role> {
        match name {
            None | Some(CHAT) => Some(&self.chat),
            Some(name) => self.others.get(name),
        }
    }

    /// Whether a model answers in any role.
    pub(crate) fn has_model(&self) -> bool {
        std::iter::once(&self.chat)
            .chain(self.others.values())
            .any(|role| matches!(role.backend.as_ref(), Backend::Model(_)))
    }

    /// The role that says what to remember of what was said: the one that talks, unless another is named.
    #[must_use]
    pub fn forming(&self) -> &Role {
        self.others.get(FORMATION).unwrap_or(&self.chat)
    }

    /// The role that writes cues: the one that says what to remember, unless another is named.
    #[must_use]
    pub fn cueing(&self) -> &Role {
        self.others.get(CUES).unwrap_or_else(|| self.forming())
    }

    /// The role that reads the shortlist of a recall; it takes no other's place, so there may be none.
    #[must_use]
    pub fn reading(&self) -> Option<&Role> {
        self.others.get(RECALL)
    }

    /// The role that says what contradicts what: the one that talks, unless another is named.
    #[must_use]
    pub fn judging(&self) -> &Role {
        self.others.get(CONSISTENCY).unwrap_or(&self.chat)
    }

    /// The names of all roles.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(CHAT).chain(self.others.keys().map(String::as_str))
    }
}

impl Engine {
    /// The role of this name. Never another one silently.
    pub(crate) fn role(&self, name: Option<&str>) -> Result<&Role, Problem> {
        self.roles.get(name).ok_or_else(|| {
            let known: Vec<String> = self.roles.names().map(|name| format!("`{name}`")).collect();
            let name = name.unwrap_or_default();
            Problem::new(Code::RoleNotFound, format!("no role `{name}`; there is {}", known.join(", ")))
        })
    }
}
