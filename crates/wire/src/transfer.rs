//! Memories, lives and conversations on their way in and out, one JSON object a line.

use std::collections::BTreeMap;

use domain::{ImportId, Kind, PrivacyClass, SubjectRef, Text, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::session::TurnSpeaker;

/// `POST /v1/personas/{p}/import`: some lines of a file. Asked again, what is there already is left alone.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Import {
    /// Memories (with a `gist`), events of a life (with an `eventLabel`), texts to remember (with a `text`) and
    /// conversations (with `turns`), in the order of the file.
    #[schemars(length(max = 5000))]
    pub lines: Vec<Value>,
    /// Only say what would happen.
    #[serde(default)]
    pub dry_run: bool,
    /// Keep the events of a life in the order of the file and with their numbers. Otherwise they are brought into order
    /// by `eventAt` and numbered anew.
    #[serde(default)]
    pub allow_out_of_order: bool,
    /// Whose the texts and conversations are that don't say so themselves; the owner's when absent and the key speaks
    /// for the owner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<SubjectRef>,
    /// What the import is known by; the same in all requests of one import. A new one when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub import_id: Option<ImportId>,
    /// Take lines as a whole persona's: redacted and archived memories, superseded events, and who vouches for what.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub moving: bool,
}

/// A line of an import with a text to remember, of which neither class nor weight is known.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("additionalProperties" = false, "patternProperties" = {"^x-": true}))]
pub struct TextLine {
    /// The words.
    #[schemars(length(min = 1, max = 200_000))]
    pub text: Text,
    /// When it was noted; the import's time, marked as unknown, when absent.
    #[serde(default)]
    pub created_at: Option<Timestamp>,
    /// What sort of memory it is; a fact when absent.
    #[serde(default)]
    pub kind: Option<Kind>,
    /// Labels.
    #[serde(default)]
    pub tags: Vec<Text>,
    /// What should bring it to mind.
    #[serde(default)]
    pub cues: Vec<Text>,
    /// Whose it is, if not the import's.
    #[serde(default)]
    pub subject: Option<SubjectRef>,
    /// Whether the author of the persona wrote it, so that it is about nobody.
    #[serde(default)]
    pub authored: bool,
    /// Properties of the source.
    #[serde(flatten)]
    #[schemars(skip)]
    pub extensions: domain::Extensions,
}

/// A line of an import with a conversation, or the next part of one.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ConversationLine {
    /// The same in every export of the same conversation.
    #[schemars(length(min = 1, max = 1000))]
    pub id: String,
    /// The program it comes from; `selfhood` for our own.
    #[schemars(length(min = 1, max = 64))]
    pub source: String,
    /// What it is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<Text>,
    /// Whose it is, if not the import's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<SubjectRef>,
    /// What was said, in order.
    #[schemars(length(min = 1))]
    pub turns: Vec<TurnLine>,
}

/// One thing said.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TurnLine {
    /// The same in every export of the same turn.
    #[schemars(length(min = 1, max = 1000))]
    pub id: String,
    /// Who said it.
    pub speaker: TurnSpeaker,
    /// When, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Timestamp>,
    /// What.
    #[schemars(length(min = 1))]
    pub text: Text,
    /// Its number in our own record, which memories refer to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<u32>,
}

/// What became of the lines.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ImportAnswer {
    /// How many memories are new.
    pub memories: usize,
    /// How many events are new.
    pub events: usize,
    /// How many conversations are new, or longer than they were.
    pub conversations: usize,
    /// How many turns are new.
    pub turns: usize,
    /// How many lines, and turns of conversations, were there already.
    pub duplicates: usize,
    /// How many of the new memories are of which class.
    pub classes: BTreeMap<PrivacyClass, usize>,
    /// How many of the new memories came from another deployment; that they are from here was written into them.
    pub rewritten: usize,
    /// How many of the new memories and turns have no known date.
    pub undated: usize,
    /// How many turns are too old to be kept.
    pub past_retention: usize,
    /// What the import is known by, if it changed anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub import_id: Option<ImportId>,
    /// Lines that were not taken, and why.
    pub refused: Vec<RefusedLine>,
}

/// A line that was not taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RefusedLine {
    /// Its place among the lines that were sent, from 0.
    pub line: usize,
    /// Which rule it breaks.
    pub code: String,
    /// What is wrong with it.
    pub detail: String,
}

/// `GET /v1/personas/{p}/imports`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ImportList {
    /// The imports of which something is still there, latest first.
    pub imports: Vec<ImportView>,
}

/// What is still there of an import.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportView {
    /// What it is known by.
    pub import_id: ImportId,
    /// When it was made.
    pub at: Timestamp,
    /// Memories.
    pub memories: usize,
    /// Events of the life.
    pub events: usize,
    /// Turns of conversations.
    pub turns: usize,
}

/// What an undone import took away.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ImportUndone {
    /// The import.
    pub undone: ImportView,
}

/// `GET /v1/personas/{p}/export`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Export {
    /// Memories that identify people too.
    pub include_pii: bool,
    /// Redacted and archived memories, and superseded events, too.
    pub include_redacted: bool,
    /// What a persona takes along when it moves: history too, but nothing that is past its time or waits to be deleted.
    pub moving: bool,
    /// Where to go on.
    pub cursor: Option<String>,
}

/// `GET /v1/personas/{p}/export/conversations`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ExportConversations {
    /// Where to go on.
    pub cursor: Option<usize>,
}

/// Some lines of an export: memories by id, then the life by sequence.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExportPage {
    /// One JSON object each, as `import` takes them.
    pub lines: Vec<Value>,
    /// How many memories that identify people are left out of the whole export; told on its first page.
    #[serde(default)]
    pub left_out: usize,
    /// Where the next page starts; `null` on the last one.
    pub next_cursor: Option<String>,
}

/// Some conversations of an export.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConversationPage {
    /// One conversation each, as `import` takes them.
    pub lines: Vec<ConversationLine>,
    /// Where the next page starts; `null` on the last one.
    pub next_cursor: Option<usize>,
}
