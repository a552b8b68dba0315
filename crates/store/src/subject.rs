//! The subjects a persona has records of.

use domain::{SubjectRef, Timestamp};
use serde::{Deserialize, Serialize};

/// A person with records here. Sealed under the person's own key, so that the name becomes unreadable when
/// the records are erased.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Subject {
    /// The reference to the person.
    pub subject: SubjectRef,
    /// Other references to the same person.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<SubjectRef>,
    /// When the first record was created.
    pub since: Timestamp,
    /// When a legal hold on the records began, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_since: Option<Timestamp>,
}
