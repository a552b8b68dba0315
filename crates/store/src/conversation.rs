//! Conversation records: sessions and their turns.

use domain::creation::CreationRefusal;
use domain::{MemoryId, RecallId, SessionId, SubjectRef, Text, Timestamp};
use serde::{Deserialize, Serialize};

use crate::private::PrivateJson;

pub use domain::TurnId;

/// One conversation with one subject. Everything but its times is sealed under the subject's key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    /// The id its client gave it.
    pub id: SessionId,
    /// The subject it is with.
    pub subject: SubjectRef,
    /// When it began.
    pub started_at: Timestamp,
    /// When its last turn was added.
    pub last_at: Timestamp,
    /// Its title in lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<Text>,
    /// A summary of its older turns, once it has grown long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checkpoint: Option<SessionCheckpoint>,
    /// Engine state stored with it, such as which memory was recalled at which turn.
    #[serde(default, skip_serializing_if = "PrivateJson::is_null")]
    pub state: PrivateJson,
}

/// A short summary of the older part of a long session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionCheckpoint {
    /// The last turn it covers.
    pub through: u32,
    /// The summary.
    pub text: Text,
}

/// One message in a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Turn {
    /// The turn.
    pub id: TurnId,
    /// The conversation it is part of.
    pub session: SessionId,
    /// The exchange it belongs to; a message with the same exchange id is a retry.
    pub exchange: ExchangeId,
    /// The exchange before it; an edit has the same parent as the exchange it replaces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<ExchangeId>,
    /// Its number in the session.
    pub index: u32,
    /// Who said it.
    pub speaker: Speaker,
    /// When it was said.
    pub at: Timestamp,
    /// The message text.
    pub text: Text,
    /// Whether it is complete and current.
    pub state: TurnState,
    /// Whether memories are still to be formed from it.
    pub formation: Formation,
    /// The recall behind it, if it is a reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recall: Option<RecallId>,
    /// The model that gave it, if it is a reply of ours; sealed with its text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The result of forming memories from it, if that was done; sealed with its text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formed: Option<FormationResult>,
}

/// The result of forming memories from a turn: ids and codes, never text, so it reveals nothing once the
/// memories are destroyed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FormationResult {
    /// The memories that were created or extended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remembered: Vec<MemoryId>,
    /// What was not stored, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_kept: Vec<NotKept>,
    /// What of the text was refused as sensitive. It stays in the record, and out of digests and search.
    #[serde(default, skip_serializing_if = "Withheld::is_nothing")]
    pub withheld: Withheld,
}

/// The part of a turn that only the record has.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Withheld {
    #[default]
    /// None of it.
    Nothing,
    /// These parts of its text.
    Passages(Vec<Passage>),
    /// All of it.
    Everything,
}

/// A part of a text, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Passage {
    /// Its first byte.
    pub start: usize,
    /// The byte after its last.
    pub end: usize,
}

impl Withheld {
    fn is_nothing(&self) -> bool {
        *self == Self::Nothing
    }

    /// Withholds `words` of `text` too, wherever they stand; all of it if they are not known, or are not in it.
    pub fn add(&mut self, words: Option<&str>, text: &str) {
        let found = |words| text.match_indices(words).map(|(start, words)| (start, start + words.len()));
        let new: Vec<Passage> =
            words.into_iter().flat_map(found).map(|(start, end)| Passage { start, end }).collect();
        match self {
            _ if new.is_empty() => *self = Self::Everything,
            Self::Nothing => *self = Self::Passages(new),
            Self::Passages(passages) => passages.extend(new),
            Self::Everything => {}
        }
    }
}

impl Turn {
    /// What of it only the record has. Of a turn formed before passages were noted, that is all of it.
    #[must_use]
    pub fn withheld(&self) -> Withheld {
        let Some(formed) = &self.formed else { return Withheld::Nothing };
        let is_sensitive = formed.not_kept.iter().any(NotKept::is_sensitive);
        if is_sensitive && formed.withheld.is_nothing() {
            Withheld::Everything
        } else {
            formed.withheld.clone()
        }
    }
}

/// Why a statement was not stored as a memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NotKept {
    /// The code of the rule.
    pub reason: String,
    /// The special category it falls into, if that is the reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
}

impl NotKept {
    /// Whether it was too sensitive to be kept.
    #[must_use]
    pub fn is_sensitive(&self) -> bool {
        self.category.is_some() || SENSITIVE.contains(&self.reason.as_str())
    }
}

/// The codes of refusals of what is sensitive.
const SENSITIVE: [&str; 2] =
    [CreationRefusal::SensitiveForbidden.code(), CreationRefusal::ConsentNotOnRecord.code()];

/// A keyed hash of session, parent and the subject's message. It is sealed with the turn, because anyone
/// with the key could test guesses against it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ExchangeId(pub String);

/// The speaker of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Speaker {
    /// The person the session is with.
    Subject,
    /// The persona.
    Persona,
}

/// Whether a turn is complete and current.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TurnState {
    /// Complete and current.
    Whole,
    /// Cut off: the client disconnected, or the process ended.
    Interrupted,
    /// Replaced by a newer reply or an edit.
    Superseded,
}

/// Whether memories are still to be formed from a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Formation {
    /// No memories are to be formed.
    NotDue,
    /// Memories are to be formed; a worker does so, also after a crash.
    Pending,
    /// Memories were formed.
    Done,
}

/// A field of a turn that may change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TurnMark {
    /// Whether it is complete and current.
    State(TurnState),
    /// Whether memories are to be formed from it.
    Formation(Formation),
    /// Memories were formed from it, with this result.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refused_words_are_withheld_wherever_they_stand_and_unknown_ones_withhold_all() {
        let text = "Da, sunt bolnavă. Zău. Da, sunt bolnavă. Îmi plac lalelele.";
        let mut withheld = Withheld::default();
        withheld.add(Some("Da, sunt bolnavă."), text);
        let Withheld::Passages(passages) = &withheld else { panic!("{withheld:?}") };
        let parts: Vec<_> = passages.iter().map(|passage| text.get(passage.start..passage.end)).collect();
        assert_eq!(parts, [Some("Da, sunt bolnavă."); 2]);
        withheld.add(Some("something else"), text);
        assert_eq!(withheld, Withheld::Everything);
        withheld.add(Some("Zău."), text);
        assert_eq!(withheld, Withheld::Everything);
    }
}
