//! Memories and lives on their way in and out, one JSON object a line.

use std::collections::BTreeMap;

use domain::PrivacyClass;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// `POST /v1/personas/{p}/import`: some lines of a file. Asked again, what is there already is left alone.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Import {
    /// Memories (with a `gist`) and events of a life (with an `eventLabel`), in the order of the file.
    #[schemars(length(max = 5000))]
    pub lines: Vec<Value>,
    /// Only say what would happen.
    #[serde(default)]
    pub dry_run: bool,
    /// Keep the events of a life in the order of the file and with their numbers. Otherwise they are brought into order
    /// by `eventAt` and numbered anew.
    #[serde(default)]
    pub allow_out_of_order: bool,
}

/// What became of the lines.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportAnswer {
    /// How many memories are new.
    pub memories: usize,
    /// How many events are new.
    pub events: usize,
    /// How many lines were there already.
    pub duplicates: usize,
    /// How many of the new memories are of which class.
    pub classes: BTreeMap<PrivacyClass, usize>,
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

/// `GET /v1/personas/{p}/export`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Export {
    /// Memories that identify people too.
    pub include_pii: bool,
    /// Redacted and archived memories, and superseded events, too.
    pub include_redacted: bool,
    /// Where to go on.
    pub cursor: Option<String>,
}

/// Some lines of an export: memories by id, then the life by sequence.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExportPage {
    /// One JSON object each, as `import` takes them.
    pub lines: Vec<Value>,
    /// Where the next page starts; `null` on the last one.
    pub next_cursor: Option<String>,
}
