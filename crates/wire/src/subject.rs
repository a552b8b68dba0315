//! The people known to a tenant's personas: their records, and what they can ask for.

use domain::{Atom, MemoryId, PersonaName, SubjectRef, Text, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::memory::MemoryView;
use crate::persona::BrokenPersona;

/// `GET /v1/subjects`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SubjectList {
    /// All people with records, by reference.
    pub data: Vec<SubjectSummary>,
    /// Personas that were left out because they can't be used, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub broken: Vec<BrokenPersona>,
}

/// A summary of one person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SubjectSummary {
    /// The main reference.
    pub subject: SubjectRef,
    /// Whether it is the tenant's owner or a guest.
    pub role: SubjectRole,
    /// Other references to the same person.
    pub aliases: Vec<SubjectRef>,
    /// When the first record was created.
    pub since: Timestamp,
    /// When a legal hold was set, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_since: Option<Timestamp>,
    /// The personas that have records.
    pub personas: Vec<PersonaName>,
    /// How many memories there are, in every status.
    pub memories: usize,
}

/// The role of a person in the tenant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SubjectRole {
    /// The owner.
    Owner,
    /// Everyone else.
    Guest,
}

/// `GET /v1/subjects/{s}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SubjectAnswer {
    /// The person.
    pub subject: SubjectSummary,
    /// What each persona knows.
    pub known: Vec<KnownByPersona>,
}

/// What one persona knows of a person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct KnownByPersona {
    /// The persona.
    pub persona: PersonaName,
    /// The person's memories, in every status.
    pub memories: Vec<KnownMemory>,
    /// Other people's memories that mention the person; erasing the person redacts them.
    pub mentioned_in: Vec<MemoryId>,
    /// How many conversations are recorded.
    pub sessions: usize,
    /// The person's sealed documents, by name.
    pub documents: Vec<String>,
    /// How many traces of recalls are stored.
    pub traces: usize,
}

/// A memory, and how long it may be kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct KnownMemory {
    /// The memory.
    pub memory: MemoryView,
    /// When it must be deleted, if ever.
    pub retention_ends_at: Option<Timestamp>,
}

/// `GET /v1/subjects/{s}/export`: all data of a person, for that person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SubjectExport {
    /// The person.
    pub subject: SubjectSummary,
    /// When it was created.
    pub exported_at: Timestamp,
    /// What each persona stores.
    pub personas: Vec<ExportedByPersona>,
}

/// What one persona stores of a person, completely.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ExportedByPersona {
    /// The persona.
    pub persona: PersonaName,
    /// The memories, in every status.
    pub memories: Vec<Atom>,
    /// The conversations with their turns.
    pub sessions: Vec<Value>,
    /// The documents, by name.
    pub documents: Vec<ExportedDocument>,
}

/// A sealed document of a person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ExportedDocument {
    /// Its name.
    pub name: String,
    /// Its text.
    pub content: Text,
}

/// `POST /v1/subjects/{s}/merge`: merges another reference of the same person.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MergeSubjects {
    /// The reference that becomes an alias.
    pub from: SubjectRef,
}

/// `POST /v1/subjects/{s}/aliases`: adds an alias.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AddAlias {
    /// The other reference.
    pub alias: SubjectRef,
}

/// `POST /v1/subjects/{s}/withdraw-consent`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WithdrawalAnswer {
    /// Memories that depended on explicit consent: hidden, and deleted by the next sweep.
    pub pending: Vec<MemoryId>,
    /// Of these, the ones under a legal hold.
    pub held: Vec<MemoryId>,
    /// Memories derived from them: hidden until the sweep derives them again or deletes them too.
    pub hidden: Vec<MemoryId>,
    /// How many memories stay, because they have another basis.
    pub kept: usize,
}

/// `POST /v1/subjects/{s}/hold`: sets or lifts a legal hold.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetHold {
    /// Whether to set or lift it; `set` when absent.
    #[serde(default)]
    pub hold: Hold,
}

/// A change of a legal hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Hold {
    /// Retention and erasure skip the records from now on.
    #[default]
    Set,
    /// They no longer do.
    Lift,
}
