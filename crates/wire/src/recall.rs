//! Recall, its explanation, and the report of what was used.

use domain::short_id::with_whole_ids;
use domain::{
    Kind, MemoryId, MemoryType, RecallId, Rehearsal, SessionId, SubjectRef, Text, TimelineId, Timestamp,
    Vividness,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::persona::Notice;

/// `POST /v1/personas/{p}/recall`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Recall {
    /// The cue.
    #[schemars(length(max = 100_000))]
    pub cue: Text,
    /// The listener.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<SubjectRef>,
    /// The conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
    /// Its topics; the words of the cue when absent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 50))]
    pub topics: Vec<Text>,
    /// The most memories; the policy's number when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 50))]
    pub max_memories: Option<u32>,
    /// Store nothing: no rehearsal, no trace.
    #[serde(default)]
    pub off_record: bool,
    /// As remembered at this time; never rehearses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Timestamp>,
}

/// The result of a recall.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecallAnswer {
    /// The id of the recall, for its explanation.
    pub recall_id: RecallId,
    /// What is remembered, best first: atoms, then timeline entries.
    pub memories: Vec<Recalled>,
    /// The text for the prompt. Ids are shortened in it as far as they stay unique in it.
    pub rendered: Text,
    /// What did not work, if anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub degraded: Option<String>,
    /// Says that memory is paused or off, and how to resume it; then only the timeline is recalled.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<Notice>,
}

impl RecallAnswer {
    /// The text for the prompt of an agent, which calls verbs by id: with whole ids, after the notices.
    #[must_use]
    pub fn rendered_for_agents(&self) -> String {
        let ids: Vec<MemoryId> = self.memories.iter().filter_map(Recalled::atom).collect();
        let notices = self.notices.iter().map(|notice| format!("Note: {}.", notice.text));
        let parts: Vec<String> = notices.chain([with_whole_ids(self.rendered.as_str(), &ids)]).collect();
        parts.join("\n\n")
    }
}

/// One recalled item.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Recalled {
    /// A memory atom.
    Atom(RecalledAtom),
    /// A timeline entry.
    Entry(RecalledEntry),
}

impl Recalled {
    /// The id, if it is an atom.
    fn atom(&self) -> Option<MemoryId> {
        match self {
            Self::Atom(atom) => Some(atom.id),
            Self::Entry(_) => None,
        }
    }
}

/// A recalled atom.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RecalledAtom {
    /// The atom.
    pub id: MemoryId,
    /// Its kind.
    pub kind: Kind,
    /// How vividly it is remembered.
    pub vividness: Vividness,
    /// Its score.
    pub score: f32,
    /// The parts of the score.
    pub parts: ScoreParts,
    /// The sentence that stays whole as long as the memory is remembered.
    pub gist: Text,
    /// The details that are still remembered.
    pub details: Vec<Text>,
}

/// A recalled timeline entry.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RecalledEntry {
    /// The entry.
    pub id: TimelineId,
    /// Its memory type.
    #[serde(rename = "type")]
    pub memory_type: MemoryType,
    /// How vividly it is remembered.
    pub vividness: Vividness,
    /// Its score.
    pub score: f32,
    /// The parts of the score.
    pub parts: ScoreParts,
    /// Its label.
    pub gist: Text,
    /// What may be said of it.
    pub details: Vec<Text>,
}

/// The parts of a score, each from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ScoreParts {
    /// Its current weight.
    pub salience: f32,
    /// Its relevance to the cue.
    pub relevance: f32,
    /// How recently it was rehearsed.
    pub recency: f32,
    /// The share of labels it has in common with the topics.
    pub topical: f32,
}

/// `POST /v1/recalls/{id}/used`: what the reply used.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Used {
    /// The used memories.
    #[schemars(length(max = 200))]
    pub ids: Vec<MemoryId>,
    /// Or the reply itself, in which mentions are found.
    pub reply: Option<Text>,
}

/// Which memories counted as used.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UsedAnswer {
    /// Those rehearsed by this.
    pub rehearsed: Vec<MemoryId>,
}

/// `GET /v1/recalls/{id}`: why a recall returned what it did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecallTrace {
    /// The recall.
    pub recall_id: RecallId,
    /// When it was requested.
    pub at: Timestamp,
    /// Candidates with the parts of their scores, counts of the rejected, and the injected text.
    pub trace: serde_json::Value,
    /// Later rehearsals of the memories it shows.
    pub rehearsed_since: Vec<RehearsedMemory>,
}

/// One rehearsal of a memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RehearsedMemory {
    /// The memory.
    pub id: MemoryId,
    /// When and how.
    #[serde(flatten)]
    pub rehearsal: Rehearsal,
}
