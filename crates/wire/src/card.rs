//! Character cards on their way in and out.

use domain::PersonaName;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::persona::PersonaView;

/// `POST /v1/cards`: makes a persona of a card.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ImportCard {
    /// The file, base64: a PNG picture, JSON or a CHARX archive.
    #[schemars(length(min = 4))]
    pub file: String,
    /// The name of the persona's folder; made from the character's name when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<PersonaName>,
    /// Only say what would happen.
    #[serde(default)]
    pub dry_run: bool,
}

/// What became of a card.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportedCard {
    /// The persona, unless this only says what would happen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub persona: Option<PersonaView>,
    /// What the character is called.
    pub display_name: String,
    /// The name of the persona's folder.
    pub name: PersonaName,
    /// The version of the format.
    pub version: String,
    /// How many entries of its lorebook became memories.
    pub memories: usize,
    /// How many are switched off or empty; they stay in the card.
    pub left_out: usize,
    /// Entries that were not taken, and why.
    pub refused: Vec<String>,
    /// How many files came with it; they go out with it again.
    pub assets: usize,
    /// Whether a picture came with it.
    pub picture: bool,
    /// What somebody should know.
    pub warnings: Vec<String>,
}

/// The query of `GET /v1/personas/{p}/card`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ExportCard {
    /// In which shape; a picture when absent.
    pub format: CardFormat,
}

/// The shapes of a card.
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
    /// What it may be called.
    pub file_name: String,
    /// Its bytes, base64.
    pub file: String,
}
