//! Recalling, asking why, and telling what was used.

use domain::{
    Kind, MemoryId, MemoryType, RecallId, Rehearsal, SessionId, SubjectRef, Text, TimelineId, Timestamp,
    Vividness,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `POST /v1/personas/{p}/recall`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Recall {
    /// The words that may bring something back.
    #[schemars(length(max = 100_000))]
    pub cue: Text,
    /// Who is listening.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<SubjectRef>,
    /// In which conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
    /// What it is about; the words of the cue when absent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 50))]
    pub topics: Vec<Text>,
    /// At most so many memories; the policy's number when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 50))]
    pub max_memories: Option<u32>,
    /// Leave nothing behind: no rehearsal, no trace.
    #[serde(default)]
    pub off_record: bool,
    /// As remembered at this time; never rehearses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Timestamp>,
}

/// What came back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecallAnswer {
    /// Leads to the reasons afterwards.
    pub recall_id: RecallId,
    /// What is remembered, best first: atoms, then entries of the persona's own life.
    pub memories: Vec<Recalled>,
    /// The text for the prompt.
    pub rendered: Text,
    /// What did not work as it should, if anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub degraded: Option<String>,
}

/// One thing remembered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Recalled {
    /// A memory atom.
    Atom(RecalledAtom),
    /// An entry of the persona's own life.
    Entry(RecalledEntry),
}

/// A memory atom as it came back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RecalledAtom {
    /// The atom.
    pub id: MemoryId,
    /// What sort it is.
    pub kind: Kind,
    /// How vividly it is remembered.
    pub vividness: Vividness,
    /// What it was ranked by.
    pub score: f32,
    /// The parts of that.
    pub parts: ScoreParts,
    /// The sentence that is kept whole as long as the memory is remembered.
    pub gist: Text,
    /// The details that can still be told.
    pub details: Vec<Text>,
}

/// An entry of the persona's life as it came back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RecalledEntry {
    /// The entry.
    pub id: TimelineId,
    /// How the persona relates to it.
    #[serde(rename = "type")]
    pub memory_type: MemoryType,
    /// How vividly it is remembered.
    pub vividness: Vividness,
    /// What it was ranked by.
    pub score: f32,
    /// The parts of that.
    pub parts: ScoreParts,
    /// Its label.
    pub gist: Text,
    /// What of it can be told.
    pub details: Vec<Text>,
}

/// The parts of a score, each from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ScoreParts {
    /// What it weighs now.
    pub salience: f32,
    /// How much it has to do with the cue.
    pub relevance: f32,
    /// How lately it was rehearsed.
    pub recency: f32,
    /// How many labels it shares with the topics.
    pub topical: f32,
}

/// `POST /v1/recalls/{id}/used`: what the reply told.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Used {
    /// The memories that were told.
    #[schemars(length(max = 200))]
    pub ids: Vec<MemoryId>,
    /// Or the reply itself, in which the mentioned ones are found.
    pub reply: Option<Text>,
}

/// Which memories counted as told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UsedAnswer {
    /// Those rehearsed by this.
    pub rehearsed: Vec<MemoryId>,
}

/// `GET /v1/recalls/{id}`: why a recall brought back what it did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecallTrace {
    /// The recall.
    pub recall_id: RecallId,
    /// When it was asked for.
    pub at: Timestamp,
    /// Candidates with the parts of their scores, counts of the rejected, and the text that was injected.
    pub trace: serde_json::Value,
    /// When the memories it shows were told since.
    pub rehearsed_since: Vec<RehearsedMemory>,
}

/// One telling of a memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RehearsedMemory {
    /// The memory.
    pub id: MemoryId,
    /// When and how it was told.
    #[serde(flatten)]
    pub rehearsal: Rehearsal,
}
