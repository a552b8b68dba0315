//! The people a persona has met, as far as it has records of them.

use domain::{SubjectRef, Timestamp};
use serde::{Deserialize, Serialize};

/// A person with records here. Sealed under the person's own key, so that the name dies with the records.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Subject {
    /// How the person is referred to.
    pub subject: SubjectRef,
    /// Other references to the same person.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<SubjectRef>,
    /// When the first record was made.
    pub since: Timestamp,
    /// Since when a legal hold keeps the records, if one does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_since: Option<Timestamp>,
}
