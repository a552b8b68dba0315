//! The people a tenant's personas have met: what is known of them, and what they can ask for.

use domain::{Atom, MemoryId, PersonaName, SubjectRef, Text, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::memory::MemoryView;
use crate::persona::BrokenPersona;

/// `GET /v1/subjects`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SubjectList {
    /// Everyone with records, by reference.
    pub data: Vec<SubjectSummary>,
    /// Personas that were left out because they can't be used, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub broken: Vec<BrokenPersona>,
}

/// One person in few words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SubjectSummary {
    /// How the person is referred to.
    pub subject: SubjectRef,
    /// Whether it is the tenant's own person or a guest.
    pub role: SubjectRole,
    /// Other references to the same person.
    pub aliases: Vec<SubjectRef>,
    /// When the first record was made.
    pub since: Timestamp,
    /// Since when a legal hold keeps the records, if one does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_since: Option<Timestamp>,
    /// The personas that have records.
    pub personas: Vec<PersonaName>,
    /// How many memories there are, in every status.
    pub memories: usize,
}

/// Who somebody is to the tenant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SubjectRole {
    /// The tenant's own person.
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
    /// How many conversations are on record.
    pub sessions: usize,
    /// The person's sealed documents, by name.
    pub documents: Vec<String>,
    /// How many explained recalls are kept.
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

/// `GET /v1/subjects/{s}/export`: all of a person's data, to be handed over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SubjectExport {
    /// The person.
    pub subject: SubjectSummary,
    /// When it was made.
    pub exported_at: Timestamp,
    /// What each persona holds.
    pub personas: Vec<ExportedByPersona>,
}

/// What one persona holds of a person, whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ExportedByPersona {
    /// The persona.
    pub persona: PersonaName,
    /// The memories, in every status.
    pub memories: Vec<Atom>,
    /// The conversations with what was said in them.
    pub sessions: Vec<Value>,
    /// The documents, by name.
    pub documents: Vec<ExportedDocument>,
}

/// A sealed document of a person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ExportedDocument {
    /// Its name.
    pub name: String,
    /// What it says.
    pub content: Text,
}

/// `POST /v1/subjects/{s}/merge`: another reference turns out to be the same person.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MergeSubjects {
    /// Who is no longer a person of their own; kept as an alias.
    pub from: SubjectRef,
}

/// `POST /v1/subjects/{s}/aliases`: the person is also known as this.
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
    /// Memories that rested on explicit consent: told no more, and deleted by the next sweep.
    pub pending: Vec<MemoryId>,
    /// Of these, the ones a legal hold keeps until it is lifted.
    pub held: Vec<MemoryId>,
    /// Memories that came from them: hidden until the sweep derives them anew or deletes them too.
    pub hidden: Vec<MemoryId>,
    /// How many memories stay, because they rest on another ground.
    pub kept: usize,
}

/// `POST /v1/subjects/{s}/hold`: an obligation keeps a person's records, or no longer does.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetHold {
    /// What happens to the hold; `set` when absent.
    #[serde(default)]
    pub hold: Hold,
}

/// What happens to a legal hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Hold {
    /// Retention and erasure leave the records from now on.
    #[default]
    Set,
    /// They no longer do.
    Lift,
}
