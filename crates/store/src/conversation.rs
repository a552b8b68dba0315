//! The record of talk: sessions, and the turns in them.

use domain::{MemoryId, RecallId, SessionId, SubjectRef, Text, Timestamp};
use serde::{Deserialize, Serialize};

use crate::private::PrivateJson;

pub use domain::TurnId;

/// One conversation with one subject. All of it but its times is sealed under the subject's key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    /// As its client names it.
    pub id: SessionId,
    /// Whom it is with.
    pub subject: SubjectRef,
    /// When it began.
    pub started_at: Timestamp,
    /// When something was last said in it.
    pub last_at: Timestamp,
    /// What it is called in lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<Text>,
    /// What its older turns came to, once it grew long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checkpoint: Option<SessionCheckpoint>,
    /// What the engine keeps with it, such as which memory was told at which turn.
    #[serde(default, skip_serializing_if = "PrivateJson::is_null")]
    pub state: PrivateJson,
}

/// The older part of a long session in few words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionCheckpoint {
    /// The last turn it covers.
    pub through: u32,
    /// The words.
    pub text: Text,
}

/// One thing said in a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Turn {
    /// The turn.
    pub id: TurnId,
    /// The conversation it is part of.
    pub session: SessionId,
    /// What was asked; the same again is a retry.
    pub exchange: ExchangeId,
    /// The exchange before it; an edit has the same parent as what it replaces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<ExchangeId>,
    /// Its number in the conversation.
    pub index: u32,
    /// Who said it.
    pub speaker: Speaker,
    /// When.
    pub at: Timestamp,
    /// What.
    pub text: Text,
    /// Whether it was said to its end and still stands.
    pub state: TurnState,
    /// Whether memories are still to be formed from it.
    pub formation: Formation,
    /// The recall behind it, if it is a reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recall: Option<RecallId>,
    /// What formation made of it, once it has; sealed with its words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formed: Option<FormationResult>,
}

/// What formation made of a turn: ids and codes, never words, so that it tells nothing once the memories are gone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FormationResult {
    /// The memories that were created or extended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remembered: Vec<MemoryId>,
    /// What was not kept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_kept: Vec<NotKept>,
}

/// Why something that was said is not kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NotKept {
    /// The code of the rule.
    pub reason: String,
    /// The special category it told, if that is why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
}

/// A keyed hash of session, parent and what the subject said. It is sealed with the turn, because whoever
/// has the key could test guesses against it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ExchangeId(pub String);

/// Who said something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Speaker {
    /// The person the session is with.
    Subject,
    /// The persona.
    Persona,
}

/// Whether a turn was said to its end and still stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TurnState {
    /// It was, and does.
    Whole,
    /// The listener left, or the process ended, before its end.
    Interrupted,
    /// A newer reply or an edit took its place.
    Superseded,
}

/// Whether memories are still to be formed from a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Formation {
    /// None are to be formed.
    NotDue,
    /// They are; a worker does it, also after a crash.
    Pending,
    /// They were.
    Done,
}

/// What may change about a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TurnMark {
    /// Whether it stands.
    State(TurnState),
    /// Whether memories are to be formed from it.
    Formation(Formation),
    /// That memories were formed from it, and what came of it.
    Formed(FormationResult),
}

impl TurnMark {
    /// Sets this mark on `turn`.
    pub fn set(self, turn: &mut Turn) {
        match self {
            Self::State(state) => turn.state = state,
            Self::Formation(formation) => turn.formation = formation,
            Self::Formed(result) => {
                turn.formation = Formation::Done;
                turn.formed = Some(result);
            }
        }
    }
}
