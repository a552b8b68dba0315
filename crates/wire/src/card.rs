//! Import and export of character cards.

use domain::{PersonaName, Text};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::persona::PersonaView;

/// `POST /v1/cards`: creates a persona from a card.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ImportCard {
    /// The file, base64: a PNG picture, JSON or a CHARX archive.
    #[schemars(length(min = 4))]
    pub file: String,
    /// The name of the persona's folder; derived from the character's name when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<PersonaName>,
    /// Only show what would happen.
    #[serde(default)]
    pub dry_run: bool,
}

/// The result of importing a card.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportedCard {
    /// The persona; absent in a dry run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub persona: Option<PersonaView>,
    /// The character's name.
    pub display_name: String,
    /// The name of the persona's folder.
    pub name: PersonaName,
    /// Who the character is, as the card says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<Text>,
    /// What it says first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub greeting: Option<Text>,
    /// The version of the card format.
    pub version: String,
    /// How many entries of its lorebook became memories.
    pub memories: usize,
    /// How many are disabled or empty; they stay in the card.
    pub left_out: usize,
    /// Entries that were refused, and why.
    pub refused: Vec<String>,
    /// How many files came with it; they are exported with it again.
    pub assets: usize,
    /// Whether a picture came with it.
    pub picture: bool,
    /// Warnings.
    pub warnings: Vec<String>,
}

/// The query of `GET /v1/personas/{p}/card`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ExportCard {
    /// The format; `png` when absent.
    pub format: CardFormat,
}

/// The formats of a card.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CardFormat {
    /// A picture with the card in it.
    #[default]
    Png,
    /// JSON alone.
    Json,
    /// A zip archive with all files.
    Charx,
}

/// A card as a file.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CardFile {
    /// A suggested file name.
    pub file_name: String,
    /// Its bytes, base64.
    pub file: String,
}
