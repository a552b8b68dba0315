//! Why something was recalled: kept for thirty days, sealed under the speaker's key.

use domain::{MemoryId, RecallId, SubjectRef, Timestamp};
use serde::{Deserialize, Serialize};

use crate::private::WrittenJson;

/// The reasons behind one recall.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Trace {
    /// The recall.
    pub recall: RecallId,
    /// When it was asked for.
    pub at: Timestamp,
    /// Who was listening; nobody known is sealed under the month's key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<SubjectRef>,
    /// The memories it shows; it is destroyed with any of them.
    pub shown: Vec<MemoryId>,
    /// Candidates, parts of their scores, the text that was injected.
    pub body: WrittenJson,
}
