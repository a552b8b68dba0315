//! One item that has to be destroyed, or may have to.

use domain::{MemoryId, PersonaId, RecallId, SessionId, SubjectRef, Text, TimelineId};
use serde::{Deserialize, Serialize};
use store::{Content, DocumentName, Store, TurnId};

/// One item that has to be destroyed, or may have to.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Item {
    /// Its number in the job.
    pub(super) number: u32,
    pub(super) persona: PersonaId,
    pub(super) what: ItemKind,
    pub(super) claim: Claim,
}

/// What it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum ItemKind {
    /// Everything sealed under the key of this reference, with the count of each kind.
    Subject {
        reference: SubjectRef,
        sessions: u64,
        turns: u64,
        traces: u64,
        documents: u64,
    },
    Atom(MemoryId),
    Entry(TimelineId),
    Turn(TurnId),
    Trace(RecallId),
    /// Title, checkpoint or state of another person's session.
    Session(SessionId),
    /// A sealed document of another person.
    SubjectDocument(SubjectRef, String),
    /// A plain file of the persona.
    Document(String),
}

/// Why it is on the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Claim {
    /// It is the subject's own, or refers to the subject.
    Own,
    /// Its text names the subject; an operator decides.
    Proposed {
        excerpt: Text,
        /// Whether the match is distinctive.
        telling: bool,
    },
}

impl Item {
    pub(super) fn is_own(&self) -> bool {
        self.claim == Claim::Own
    }

    /// The kinds of content, how many records, and what happens to them.
    fn contents(&self) -> Vec<(Content, u64, Method)> {
        match &self.what {
            ItemKind::Subject { sessions, turns, traces, documents, .. } => vec![
                (Content::Keys, 1, Method::Destroyed),
                (Content::Sessions, *sessions, Method::Destroyed),
                (Content::Turns, *turns, Method::Destroyed),
                (Content::Traces, *traces, Method::Destroyed),
                (Content::SubjectDocuments, *documents, Method::Destroyed),
            ],
            ItemKind::Atom(_) => vec![(Content::Memories, 1, Method::Destroyed)],
            ItemKind::Entry(_) => vec![(Content::Timeline, 1, Method::Destroyed)],
            ItemKind::Turn(_) => vec![(Content::Turns, 1, Method::Destroyed)],
            ItemKind::Trace(_) => vec![(Content::Traces, 1, Method::Destroyed)],
            ItemKind::Session(_) => vec![(Content::Sessions, 1, Method::Rewritten)],
            ItemKind::SubjectDocument(..) => vec![(Content::SubjectDocuments, 1, Method::Rewritten)],
            ItemKind::Document(name) => {
                let content = if name.starts_with("sessions/") { Content::DayLogs } else { Content::Files };
                let removed = self.is_own() || is_old_digest(name);
                vec![(content, 1, if removed { Method::Removed } else { Method::Rewritten })]
            }
        }
    }

    /// The registered place, how many records, and what happens there.
    pub(super) fn places(&self, store: &Store) -> Vec<(&'static str, u64, Method)> {
        let placed = |(content, number, method)| (store.place_of(content), number, method);
        self.contents().into_iter().map(placed).collect()
    }

    /// A label without anyone's name: a reference is shown as its hash under the job's id.
    pub(super) fn name(&self, hashed: impl Fn(&str) -> String) -> String {
        match &self.what {
            ItemKind::Subject { reference, .. } => hashed(reference.as_str()),
            ItemKind::Atom(id) => id.to_string(),
            ItemKind::Entry(id) => id.to_string(),
            ItemKind::Turn(id) => id.to_string(),
            ItemKind::Trace(id) => id.to_string(),
            ItemKind::Session(id) => hashed(id.as_str()),
            ItemKind::SubjectDocument(reference, name) => format!("{name} of {}", hashed(reference.as_str())),
            ItemKind::Document(name) => name.clone(),
        }
    }

    /// The file, if it is one of those the engine writes.
    pub(super) fn document(&self) -> Option<DocumentName> {
        match &self.what {
            ItemKind::Document(name) => name.parse().ok(),
            ItemKind::Subject { .. }
            | ItemKind::Atom(_)
            | ItemKind::Entry(_)
            | ItemKind::Turn(_)
            | ItemKind::Trace(_)
            | ItemKind::Session(_)
            | ItemKind::SubjectDocument(..) => None,
        }
    }
}

/// What happens to an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    Destroyed,
    Rewritten,
    Removed,
}

impl Method {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Destroyed => "destroyed",
            Self::Rewritten => "rewritten",
            Self::Removed => "removed",
        }
    }
}

/// Whether a file is the rolling backup of a digest, which is deleted and not rewritten.
pub(super) fn is_old_digest(name: &str) -> bool {
    matches!(name.rsplit_once('.'), Some((_, "bak1" | "bak2")))
}
