//! Searches for what should be gone, in records that only the engine can open.

use domain::{SubjectRef, TenantName, Text};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `POST /v1/residue`, for operators only: a person, or some words.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SeekResidue {
    /// All identifiers of this person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<SubjectRef>,
    /// These words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 4096))]
    pub text: Option<Text>,
}

/// What was found in opened records, and what to search for elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ResidueAnswer {
    /// What was searched for: the words, or the person's identifiers.
    pub identifiers: Vec<Text>,
    /// What was found, by persona and place.
    pub records: Vec<RecordResidue>,
    /// How many records could not be opened and searched.
    pub unreadable: u64,
}

/// The matches in one place of one persona.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecordResidue {
    /// The tenant.
    pub tenant: TenantName,
    /// The persona.
    pub persona: String,
    /// The place, as registered.
    pub place: String,
    /// How many records were opened.
    pub opened: u64,
    /// How many matches were found.
    pub hits: u64,
    /// The ids of the records, if these say nothing about a person.
    pub ids: Vec<String>,
}
