//! Import and export of memories, timelines and conversations, one JSON object per line.

use std::collections::BTreeMap;

use domain::{ImportId, Kind, PrivacyClass, SubjectRef, Text, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::session::TurnSpeaker;

/// `POST /v1/personas/{p}/import`: some lines of a file. What is already stored is skipped.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Import {
    /// Memories (with a `gist`), timeline events (with an `eventLabel`), texts to remember (with a `text`)
    /// and conversations (with `turns`), in file order.
    #[schemars(length(max = 5000))]
    pub lines: Vec<Value>,
    /// Only show what would happen.
    #[serde(default)]
    pub dry_run: bool,
    /// Keep timeline events in file order and with their numbers; an event whose number is taken is refused.
    /// Otherwise they are sorted by `eventAt` and numbered again.
    #[serde(default)]
    pub allow_out_of_order: bool,
    /// The person of texts and conversations that name none; the owner when absent and the key speaks for the
    /// owner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<SubjectRef>,
    /// The id of the import; the same in all its requests. A new one when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub import_id: Option<ImportId>,
    /// Import the lines of a moved persona: redacted and archived memories, superseded events, and each
    /// memory's trust.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub moving: bool,
}

/// A line with a text to remember, without class or weight.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("additionalProperties" = false, "patternProperties" = {"^x-": true}))]
pub struct TextLine {
    /// The text.
    #[schemars(length(min = 1, max = 200_000))]
    pub text: Text,
    /// When it was noted; when absent, the time of the import, marked as unknown.
    #[serde(default)]
    pub created_at: Option<Timestamp>,
    /// Its kind; a fact when absent.
    #[serde(default)]
    pub kind: Option<Kind>,
    /// Labels.
    #[serde(default)]
    pub tags: Vec<Text>,
    /// Its cues.
    #[serde(default)]
    pub cues: Vec<Text>,
    /// Its person, if not the import's.
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

/// A line with a conversation, or the next part of one.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ConversationLine {
    /// The same id in every export of the same conversation.
    #[schemars(length(min = 1, max = 1000))]
    pub id: String,
    /// The program it comes from; `selfhood` for our own.
    #[schemars(length(min = 1, max = 64))]
    pub source: String,
    /// Its title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<Text>,
    /// Its person, if not the import's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<SubjectRef>,
    /// The turns, in order.
    #[schemars(length(min = 1))]
    pub turns: Vec<TurnLine>,
}

/// One turn.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TurnLine {
    /// The same id in every export of the same turn.
    #[schemars(length(min = 1, max = 1000))]
    pub id: String,
    /// Its speaker.
    pub speaker: TurnSpeaker,
    /// Its time, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Timestamp>,
    /// The text.
    #[schemars(length(min = 1))]
    pub text: Text,
    /// Its number in our own record, which memories refer to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<u32>,
}

/// `POST /v1/personas/{p}/import/read`: a file of another program, to be read and not stored.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReadImport {
    /// What the file is called; its ending helps to recognise it.
    #[schemars(length(min = 1, max = 1000))]
    pub name: String,
    /// The file, base64: one file, or a zip archive of several.
    #[schemars(length(min = 4))]
    pub file: String,
}

/// What a file holds, as lines that `import` takes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ReadImportAnswer {
    /// The formats that were recognised.
    pub formats: Vec<String>,
    /// Memories, events, texts and conversations, to be sent to `import` as they are, or only some of them.
    pub lines: Vec<Value>,
    /// What is left out on purpose, by reason: marked as not to be remembered, switched off, without words.
    pub skipped: BTreeMap<String, usize>,
    /// How many parts can't be read.
    pub unread: usize,
    /// The first of them.
    pub unread_parts: Vec<UnreadPart>,
    /// The first files of an archive that are of no known format.
    pub unknown_files: Vec<String>,
}

/// A part of a file that can't be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UnreadPart {
    /// Where it stands.
    pub place: String,
    /// What is wrong with it.
    pub detail: String,
}

/// The result of the import.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ImportAnswer {
    /// How many memories are new.
    pub memories: usize,
    /// How many events are new.
    pub events: usize,
    /// How many conversations are new or longer.
    pub conversations: usize,
    /// How many turns are new.
    pub turns: usize,
    /// How many lines and turns were already stored.
    pub duplicates: usize,
    /// The new memories by class.
    pub classes: BTreeMap<PrivacyClass, usize>,
    /// How many of the new memories came from another deployment; this deployment was written into them.
    pub rewritten: usize,
    /// How many of the new memories and turns have no known date.
    pub undated: usize,
    /// How many turns are past their retention.
    pub past_retention: usize,
    /// The id of the import, if it changed anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub import_id: Option<ImportId>,
    /// Lines that were refused, and why.
    pub refused: Vec<RefusedLine>,
}

/// A refused line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RefusedLine {
    /// Its index among the lines of the request.
    pub line: usize,
    /// The code of the rule.
    pub code: String,
    /// The message.
    pub detail: String,
}

/// `GET /v1/personas/{p}/imports`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ImportList {
    /// The imports with remaining records, latest first.
    pub imports: Vec<ImportView>,
}

/// The remaining records of an import.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportView {
    /// Its id.
    pub import_id: ImportId,
    /// When it was made.
    pub at: Timestamp,
    /// Memories.
    pub memories: usize,
    /// Timeline events.
    pub events: usize,
    /// Turns of conversations.
    pub turns: usize,
}

/// What undoing an import removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ImportUndone {
    /// The import.
    pub undone: ImportView,
}

/// `GET /v1/personas/{p}/export`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Export {
    /// Include memories that identify people.
    pub include_pii: bool,
    /// Include redacted and archived memories, and superseded events.
    pub include_redacted: bool,
    /// Export for a move: with history, but without records that are expired or pending deletion.
    pub moving: bool,
    /// Where to continue.
    pub cursor: Option<String>,
}

/// `GET /v1/personas/{p}/export/conversations`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ExportConversations {
    /// Where to continue.
    pub cursor: Option<usize>,
}

/// Some lines of an export: memories by id, then the timeline by sequence.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExportPage {
    /// One JSON object each, in the format of `import`.
    pub lines: Vec<Value>,
    /// How many memories that identify people are left out of the whole export; on its first page.
    #[serde(default)]
    pub left_out: usize,
    /// The start of the next page; `null` on the last one.
    pub next_cursor: Option<String>,
}

/// Some conversations of an export.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConversationPage {
    /// One conversation each, in the format of `import`.
    pub lines: Vec<ConversationLine>,
    /// The start of the next page; `null` on the last one.
    pub next_cursor: Option<usize>,
}
