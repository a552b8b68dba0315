//! Traces of recalls: kept for thirty days, sealed under the speaker's key.

use domain::{MemoryId, RecallId, SubjectRef, Timestamp};
use serde::{Deserialize, Serialize};

use crate::private::WrittenJson;

/// The trace of one recall.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Trace {
    /// The recall's id.
    pub recall: RecallId,
    /// When it was requested.
    pub at: Timestamp,
    /// The listener; without one, the trace is sealed under the month's key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<SubjectRef>,
    /// The memories it shows; it is destroyed with any of them.
    pub shown: Vec<MemoryId>,
    /// Candidates, score components, and the injected text.
    pub body: WrittenJson,
}
