//! Looking for what should be gone, in records that only the engine can open.

use domain::{SubjectRef, TenantName, Text};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `POST /v1/residue`, for whoever sits at the machine: a person, or some words.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SeekResidue {
    /// Everything this person is known by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<SubjectRef>,
    /// These words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 4096))]
    pub text: Option<Text>,
}

/// What was found in opened records, and what to look for in everything else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ResidueAnswer {
    /// What was looked for: the words, or everything the person is known by.
    pub identifiers: Vec<Text>,
    /// What was found, by persona and place.
    pub records: Vec<RecordResidue>,
    /// How many records could not be opened, so that nothing is known of them.
    pub unreadable: u64,
}

/// What the records of one persona hold in one place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecordResidue {
    /// Whose persona.
    pub tenant: TenantName,
    /// Which.
    pub persona: String,
    /// The place, by its name in the register.
    pub place: String,
    /// How many records were opened.
    pub opened: u64,
    /// How often something sought was found.
    pub hits: u64,
    /// In which records, where their ids say nothing about anybody.
    pub ids: Vec<String>,
}
