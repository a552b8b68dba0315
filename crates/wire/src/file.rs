//! The files of a persona's folder.

use domain::{TenantName, Text, Tokens};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The persona, in the query of all file routes.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OfPersona {
    /// The persona, by name or id.
    pub persona: String,
    /// The tenant; must be the key's own.
    #[serde(default)]
    pub user: Option<TenantName>,
}

/// The files of a persona's folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileList {
    /// The files in a fixed order, day logs last and latest first.
    pub files: Vec<FileEntry>,
    /// The tokens of all files.
    pub tokens: Tokens,
}

/// One file of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileEntry {
    /// Its name, such as `IDENTITY.md` or `sessions/2026-04-22.md`.
    pub name: String,
    /// Its tokens in a prompt.
    pub tokens: Tokens,
    /// The lowest context tier that loads it, if any does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tier: Option<u8>,
    /// Whether it may be written.
    pub writable: bool,
    /// The value of `If-Match` for a write.
    pub etag: String,
}

/// One file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileAnswer {
    /// The file.
    pub file: FileContent,
}

/// A file with its content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileContent {
    /// Its entry in `GET /files`.
    #[serde(flatten)]
    pub entry: FileEntry,
    /// Its text.
    pub content: Text,
}

/// `PUT /files/{name}`, with `If-Match`, or `If-None-Match: *` for a new file.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WriteFile {
    /// The new content.
    #[schemars(length(max = 1_000_000))]
    pub content: Text,
}
