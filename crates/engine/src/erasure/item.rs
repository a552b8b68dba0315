//! One thing that has to go, or may have to.

use domain::{MemoryId, PersonaId, RecallId, SessionId, SubjectRef, Text, TimelineId};
use serde::{Deserialize, Serialize};
use store::{DocumentName, TurnId};

/// One thing that has to go, or may have to.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Item {
    /// Its number in the job.
    pub(super) number: u32,
    pub(super) persona: PersonaId,
    pub(super) what: What,
    pub(super) claim: Claim,
}

/// What it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum What {
    /// Everything sealed under the key of this reference, with the number of each kind.
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
    /// Title, checkpoint or state of somebody else's session.
    Session(SessionId),
    /// A sealed document of somebody else.
    SubjectDocument(SubjectRef, String),
    /// A plain file of the persona.
    Document(String),
}

/// Why it has to go.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Claim {
    /// It is the subject's own, or names the subject by reference.
    Own,
    /// Its words name the subject; an operator decides.
    Proposed {
        excerpt: Text,
        /// Whether the match can hardly mean anyone else.
        telling: bool,
    },
}

impl Item {
    pub(super) fn is_own(&self) -> bool {
        self.claim == Claim::Own
    }

    /// The Place of the register, how many records, and what happens there.
    pub(super) fn places(&self) -> Vec<(&'static str, u64, Method)> {
        match &self.what {
            What::Subject { sessions, turns, traces, documents, .. } => vec![
                ("memory.db:keys", 1, Method::Destroyed),
                ("memory.db:sessions", *sessions, Method::Destroyed),
                ("memory.db:turns", *turns, Method::Destroyed),
                ("memory.db:traces", *traces, Method::Destroyed),
                ("memory.db:documents", *documents, Method::Destroyed),
            ],
            What::Atom(_) => vec![("memory.db:payloads", 1, Method::Destroyed)],
            What::Entry(_) => vec![("memory.db:timeline", 1, Method::Destroyed)],
            What::Turn(_) => vec![("memory.db:turns", 1, Method::Destroyed)],
            What::Trace(_) => vec![("memory.db:traces", 1, Method::Destroyed)],
            What::Session(_) => vec![("memory.db:sessions", 1, Method::Rewritten)],
            What::SubjectDocument(..) => vec![("memory.db:documents", 1, Method::Rewritten)],
            What::Document(name) => {
                let place = if name.starts_with("sessions/") { "sessions/*.md" } else { "documents" };
                let removed = self.is_own() || is_old_digest(name);
                vec![(place, 1, if removed { Method::Removed } else { Method::Rewritten })]
            }
        }
    }

    /// What it is called where nobody may be named: a reference is told by its hash under the job's id.
    pub(super) fn name(&self, hashed: impl Fn(&str) -> String) -> String {
        match &self.what {
            What::Subject { reference, .. } => hashed(reference.as_str()),
            What::Atom(id) => id.to_string(),
            What::Entry(id) => id.to_string(),
            What::Turn(id) => id.to_string(),
            What::Trace(id) => id.to_string(),
            What::Session(id) => hashed(id.as_str()),
            What::SubjectDocument(reference, name) => format!("{name} of {}", hashed(reference.as_str())),
            What::Document(name) => name.clone(),
        }
    }

    /// The file it is, if it is one of those the engine writes.
    pub(super) fn document(&self) -> Option<DocumentName> {
        match &self.what {
            What::Document(name) => name.parse().ok(),
            What::Subject { .. }
            | What::Atom(_)
            | What::Entry(_)
            | What::Turn(_)
            | What::Trace(_)
            | What::Session(_)
            | What::SubjectDocument(..) => None,
        }
    }
}

/// What happens to something.
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

/// Whether a file is the rolling backup of a digest, which is dropped rather than rewritten.
pub(super) fn is_old_digest(name: &str) -> bool {
    matches!(name.rsplit_once('.'), Some((_, "bak1" | "bak2")))
}
