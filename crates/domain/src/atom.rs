//! The memory atom: one episode, fact or skill that a persona has stored.
//!
//! Stored `salience` and `brightness` are baselines. Decay never overwrites them: the weight of a memory at
//! a given time is computed from them on every read.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Brightness, ConsentBasis, Days, DecayProfile, DeploymentDid, EventDate, MemoryId, PrivacyClass, Salience,
    SessionId, SubjectRef, Text, Timestamp, Valence, Vividness,
};

/// One stored episode, fact or skill.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "Memory atom")]
#[schemars(extend("additionalProperties" = false, "patternProperties" = {"^x-": true}))]
pub struct Atom {
    /// Unique within the persona.
    pub id: MemoryId,
    /// The kind of memory.
    pub kind: Kind,
    /// When it was first formed.
    pub created_at: Timestamp,
    /// When it was last recalled or re-encoded; initially the same as `createdAt`.
    pub last_rehearsed_at: Timestamp,
    /// How often it was rehearsed.
    pub rehearsal_count: u32,
    /// The sentence that is kept complete as long as the memory is remembered.
    #[schemars(length(min = 1, max = 280))]
    pub gist: Text,
    /// Details that fade one by one.
    pub details: Vec<Detail>,
    /// Phrases that should bring this memory to mind; matched, never rendered.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 8), inner(length(min = 1, max = 80)))]
    pub cues: Vec<Text>,
    /// Its weight without any rehearsal, before any decay.
    pub salience: Salience,
    /// Its emotional valence.
    pub emotional_valence: Valence,
    /// Its decay profile.
    pub decay_profile: DecayProfile,
    /// How private it is.
    pub privacy_class: PrivacyClass,
    /// The legal basis for storing it.
    pub consent_basis: ConsentBasis,
    /// Whether it may be recalled.
    pub redaction_status: RedactionStatus,
    /// Where it came from.
    pub provenance: Provenance,
    /// Free labels.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<Text>,
    /// The atoms it was derived from; required on what the engine derives.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub derived_from: Vec<MemoryId>,
    /// The subject it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<SubjectRef>,
    /// Other subjects mentioned in it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mentions: Vec<SubjectRef>,
    /// The source that vouches for it.
    #[serde(default)]
    pub trust: Trust,
    /// Whether its weight stays what it was at its last rehearsal; its details fade all the same.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pinned: bool,
    /// When it was pinned; if absent, at its creation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pinned_at: Option<Timestamp>,
    /// When it happened or is planned, if that was said: a year, a month or a day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event_date: Option<EventDate>,
    /// The language of its text, if it isn't the persona's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$"))]
    pub language: Option<String>,
    /// The speaker, if the text is stored as it was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 80))]
    pub said_by: Option<Text>,
    /// When it was moved to cold storage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub archived_at: Option<Timestamp>,
    /// The atom this one corrects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revises: Option<MemoryId>,
    /// When an operator allowed it to reach others than its subject.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub released_at: Option<Timestamp>,
    /// Why a person should review it, if at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review: Option<Review>,
    /// Whether an audit obligation keeps it from being destroyed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub audit_hold: bool,
    /// Extension properties, preserved unchanged; their names start with `x-`.
    #[serde(flatten)]
    #[schemars(skip)]
    pub extensions: Extensions,
}

impl Atom {
    /// The same memory with all texts trimmed, as their lengths are counted.
    #[must_use]
    pub fn trimmed(mut self) -> Self {
        self.gist = self.gist.trimmed();
        self.cues = self.cues.iter().map(Text::trimmed).collect();
        self.said_by = self.said_by.map(|name| name.trimmed());
        for detail in &mut self.details {
            detail.content = detail.content.trimmed();
        }
        self
    }

    /// The maximum number of cues of a memory.
    pub const MOST_CUES: usize = 8;
    /// The maximum length of a cue in characters.
    pub const CUE_LENGTH: usize = 80;

    /// The property of a memory whose date nobody knows: its `createdAt` is only when it was imported.
    pub const DATE_UNKNOWN: &str = "x-dateUnknown";

    /// Whether `createdAt` says when the memory was formed.
    #[must_use]
    pub fn is_dated(&self) -> bool {
        self.extensions.get(Self::DATE_UNKNOWN) != Some(&serde_json::Value::Bool(true))
    }

    /// The weight of the memory at `now`. A pinned one keeps the weight of its last rehearsal.
    #[must_use]
    pub fn salience_at(&self, now: Timestamp) -> Salience {
        let elapsed = if self.pinned { Days(0.0) } else { now.since(self.last_rehearsed_at) };
        self.decay_profile.salience(self.salience, self.rehearsal_count, self.emotional_valence, elapsed)
    }

    /// How vividly it is remembered at `now`.
    #[must_use]
    pub fn vividness_at(&self, now: Timestamp) -> Vividness {
        self.salience_at(now).into()
    }

    /// How clearly `detail`, one of this atom's own, is remembered at `now`.
    #[must_use]
    pub fn brightness_at(&self, detail: &Detail, now: Timestamp) -> Brightness {
        let since = detail.brightened_at.unwrap_or(self.created_at);
        self.decay_profile.brightness(detail.brightness, now.since(since))
    }
}

/// A detail of a memory, with a brightness of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Detail {
    /// The detail's text.
    #[schemars(length(min = 1, max = 200))]
    pub content: Text,
    /// How clear it was at `brightenedAt`, or at the atom's creation.
    pub brightness: Brightness,
    /// When it was last spoken of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub brightened_at: Option<Timestamp>,
}

/// The origin of a memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Provenance {
    /// The conversation it was formed in.
    pub session_id: SessionId,
    /// The turn of that conversation.
    pub turn_index: u32,
    /// The deployment it was formed in; memories are never moved between deployments.
    pub deployment_did: DeploymentDid,
}

/// The kind of a memory atom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A remembered event.
    Episodic,
    /// A derived fact.
    Semantic,
    /// A learned how-to.
    Procedural,
}

/// Whether a memory may be recalled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RedactionStatus {
    /// It may be recalled.
    Active,
    /// It was redacted, and can be restored.
    Redacted,
    /// Its legal basis is gone; it is to be destroyed.
    PendingDeletion,
}

/// The source that vouches for a memory.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Trust {
    /// An operator wrote it.
    #[default]
    Operator,
    /// The persona formed it itself.
    Persona,
    /// It was formed from a subject's message.
    User,
    /// It was imported.
    Import,
}

impl Trust {
    /// Whether the memory was formed from a conversation, so that it belongs to its subject.
    #[must_use]
    pub const fn is_from_conversation(self) -> bool {
        match self {
            Self::Persona | Self::User => true,
            Self::Operator | Self::Import => false,
        }
    }
}

/// Why a person should review a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Review {
    /// A memory it was derived from was destroyed; it is not recalled until it has been derived again.
    SourceForgotten,
    /// It is sensitive and half of its half-life is over; it may still be recalled.
    SensitiveRetention,
}

/// Properties this schema does not define, preserved so that a round trip loses nothing.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "BTreeMap<String, serde_json::Value>", into = "BTreeMap<String, serde_json::Value>")]
pub struct Extensions(BTreeMap<String, serde_json::Value>);

impl Extensions {
    /// The property of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&serde_json::Value> {
        self.0.get(name)
    }

    /// Sets a property whose name starts with `x-`, or removes it. Any other name changes nothing.
    pub fn set(&mut self, name: &str, value: Option<serde_json::Value>) {
        match value.filter(|_| name.starts_with("x-")) {
            Some(value) => drop(self.0.insert(name.to_owned(), value)),
            None => drop(self.0.remove(name)),
        }
    }

    /// The same with one more property; a name that doesn't start with `x-` is given it.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<serde_json::Value>) -> Self {
        let name = if name.starts_with("x-") { name.to_owned() } else { format!("x-{name}") };
        self.0.insert(name, value.into());
        self
    }
}

impl fmt::Debug for Extensions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Extensions({} properties)", self.0.len())
    }
}

impl TryFrom<BTreeMap<String, serde_json::Value>> for Extensions {
    type Error = String;

    fn try_from(properties: BTreeMap<String, serde_json::Value>) -> Result<Self, String> {
        match properties.keys().find(|name| !name.starts_with("x-")) {
            None => Ok(Self(properties)),
            Some(name) => Err(format!("unknown property `{name}`; names of your own start with `x-`")),
        }
    }
}

impl From<Extensions> for BTreeMap<String, serde_json::Value> {
    fn from(extensions: Extensions) -> Self {
        extensions.0
    }
}
