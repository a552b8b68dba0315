//! What a person should know of something that was destroyed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A note: a code for programs, which may have a sentence of their own for it, and the message.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Note {
    /// A stable name for programs.
    pub code: NoteCode,
    /// The message, with what to do.
    pub text: String,
    /// What it is about: a file, a record or a persona.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub what: Option<String>,
    /// How many there are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
}

impl Note {
    /// A note with its message.
    #[must_use]
    pub fn new(code: NoteCode, text: impl Into<String>) -> Self {
        Self { code, text: text.into(), what: None, count: None }
    }

    /// Says what it is about.
    #[must_use]
    pub fn about(self, what: &impl ToString) -> Self {
        Self { what: Some(what.to_string()), ..self }
    }

    /// Says how many there are.
    #[must_use]
    pub fn counting(self, count: u64) -> Self {
        Self { count: Some(count), ..self }
    }

    /// The messages of `notes`.
    #[must_use]
    pub fn texts(notes: &[Self]) -> Vec<String> {
        notes.iter().map(|note| note.text.clone()).collect()
    }
}

/// What a note is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NoteCode {
    /// A memory referred to a forgotten one; the reference was replaced by `[forgotten]`.
    MemoryReworded,
    /// An event of the persona's life refers to a forgotten memory and has to be revised.
    EventRefers,
    /// A memory was derived from what was forgotten; a legal hold keeps it, hidden.
    DerivedHeld,
    /// A file referred to a forgotten memory; the reference was replaced by `[forgotten]`.
    FileReworded,
    /// A guest's file referred to a forgotten memory; the reference was replaced by `[forgotten]`.
    GuestFileReworded,
    /// Conversation turns that tell the memory are destroyed too.
    TurnsDestroyed,
    /// Registered copies of the keys could not be reached.
    KeyCopiesUnreached,
    /// A persona could not be searched.
    PersonaLeftOut,
    /// `channels.json` names the person and has to be edited.
    ChannelsNamePerson,
    /// `persona.json` names the person and has to be edited and signed.
    DocumentNamesPerson,
    /// A file still names the person.
    StillNamed,
    /// A file could not be read, so it was not searched.
    NotSearched,
    /// Every identifier also matches other people, so nothing could be searched for.
    NothingSought,
    /// Noted by an earlier release, without a code.
    Other,
}
