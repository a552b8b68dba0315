//! What readers hand over: conversations, notes, and what was left out.

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::broken::OTHER_FILE;

/// One thing that was read.
#[derive(Clone, Debug, PartialEq)]
pub enum Record {
    /// A conversation, or the next part of one: parts have the same id.
    Conversation(Conversation),
    /// Something to remember.
    Note(Note),
    /// A line that is in our own shape already, with its number.
    Line(usize, Value),
    /// Something that is left out on purpose.
    Skipped(Skipped),
    /// Something that can't be used.
    Refused(UnusableRecord),
}

/// Some turns of a conversation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conversation {
    /// The same in every export of the same conversation.
    pub id: String,
    /// What it is called.
    pub title: Option<String>,
    /// The turns, in the order they were said.
    pub turns: Vec<Turn>,
}

/// Something said.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// The same in every export of the same turn.
    pub id: String,
    /// Who said it.
    pub speaker: Speaker,
    /// When, if the source says.
    pub at: Option<Timestamp>,
    /// What.
    pub text: String,
}

/// Who said something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// The person.
    Subject,
    /// The persona.
    Persona,
}

/// Something to remember.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Note {
    /// The words.
    pub text: String,
    /// When it was noted, if the source says.
    pub at: Option<Timestamp>,
    /// Labels.
    pub tags: Vec<String>,
    /// What should bring it to mind.
    pub cues: Vec<String>,
    /// What sort of note it is.
    pub kind: NoteKind,
    /// What else the source says of it; names start with `x-`.
    pub extra: Map<String, Value>,
}

/// What sort of note it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NoteKind {
    /// About a person, or unknown.
    #[default]
    Personal,
    /// How a person wants things done.
    Instruction,
    /// Written by the author of a persona or a world; about nobody.
    Authored,
}

/// Something that was left out on purpose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// Where it stands.
    pub place: String,
    /// Why.
    pub why: Why,
}

/// Why something was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Why {
    /// Its owner marked it as not to be remembered.
    DoNotRemember,
    /// It is switched off.
    Disabled,
    /// It says nothing.
    Empty,
    /// It is in the record already.
    OurOwn,
}

impl Why {
    /// The reason in a few words.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::DoNotRemember => "marked as not to be remembered",
            Self::Disabled => "switched off",
            Self::Empty => "without words",
            Self::OurOwn => "in the record already",
        }
    }
}

/// Something that can't be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnusableRecord {
    /// Where it stands.
    pub place: String,
    /// What is wrong with it; never its words.
    pub what: String,
    /// What to do about it.
    pub way_out: &'static str,
}

impl Record {
    /// Something at `place` that was left out.
    pub(crate) fn skipped(place: impl Into<String>, why: Why) -> Self {
        Self::Skipped(Skipped { place: place.into(), why })
    }

    /// Something at `place` that can't be used.
    pub(crate) fn refused(place: impl Into<String>, what: impl Into<String>, way_out: &'static str) -> Self {
        Self::Refused(UnusableRecord { place: place.into(), what: what.into(), way_out })
    }

    /// A file in which nothing is what its format has.
    pub(crate) fn other_file(what: impl Into<String>) -> Self {
        Self::refused("the file", what, OTHER_FILE)
    }
}

impl Conversation {
    /// The conversation as a line of an import, of a source called `source`.
    #[must_use]
    pub fn to_line(&self, source: &str) -> Value {
        let turns: Vec<Value> = self.turns.iter().map(Turn::to_value).collect();
        let mut line = json!({ "id": self.id, "source": source, "turns": turns });
        if let (Some(title), Some(line)) = (&self.title, line.as_object_mut()) {
            line.insert("title".to_owned(), Value::from(title.as_str()));
        }
        line
    }
}

impl Turn {
    fn to_value(&self) -> Value {
        let speaker = match self.speaker {
            Speaker::Subject => "subject",
            Speaker::Persona => "persona",
        };
        let mut turn = json!({ "id": self.id, "speaker": speaker, "text": self.text });
        if let (Some(at), Some(turn)) = (self.at, turn.as_object_mut()) {
            turn.insert("at".to_owned(), Value::from(written(at)));
        }
        turn
    }
}

impl Note {
    /// A note that says `text`.
    pub(crate) fn of(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// The note as a line of an import, of a source called `source`.
    #[must_use]
    pub fn to_line(&self, source: &str) -> Value {
        let mut line = self.extra.clone();
        line.insert("text".to_owned(), Value::from(self.text.as_str()));
        line.insert("x-source".to_owned(), Value::from(source));
        if let Some(at) = self.at {
            line.insert("createdAt".to_owned(), Value::from(written(at)));
        }
        if !self.tags.is_empty() {
            line.insert("tags".to_owned(), json!(self.tags));
        }
        if !self.cues.is_empty() {
            line.insert("cues".to_owned(), json!(self.cues));
        }
        match self.kind {
            NoteKind::Personal => {}
            NoteKind::Instruction => drop(line.insert("kind".to_owned(), json!("procedural"))),
            NoteKind::Authored => drop(line.insert("authored".to_owned(), json!(true))),
        }
        Value::Object(line)
    }
}

/// A moment as requests write it.
fn written(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string()
}
