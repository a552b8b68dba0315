//! The files of a persona's home, read and written through the doors.

use domain::{TenantName, Text, Tokens};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Whose files, in the query of every route about them.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OfPersona {
    /// The persona, by name or id.
    pub persona: String,
    /// The tenant; the key's own.
    #[serde(default)]
    pub user: Option<TenantName>,
}

/// The files of a persona's home.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileList {
    /// They, in the order of the home, day logs last and latest first.
    pub files: Vec<FileEntry>,
    /// All of them together.
    pub tokens: Tokens,
}

/// One file of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileEntry {
    /// Its name, such as `IDENTITY.md` or `sessions/2026-04-22.md`.
    pub name: String,
    /// How many tokens it would take in a prompt.
    pub tokens: Tokens,
    /// The lowest context tier that loads it, if any does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tier: Option<u8>,
    /// Whether it may be written.
    pub writable: bool,
    /// What `If-Match` must say to write it.
    pub etag: String,
}

/// One file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileAnswer {
    /// It.
    pub file: FileContent,
}

/// A file with what it says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileContent {
    /// What `GET /files` lists of it.
    #[serde(flatten)]
    pub entry: FileEntry,
    /// What it says.
    pub content: Text,
}

/// `PUT /files/{name}`, with `If-Match`, or `If-None-Match: *` for a file that is not there yet.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WriteFile {
    /// What it is to say.
    #[schemars(length(max = 1_000_000))]
    pub content: Text,
}
