//! Signed checkpoints of an audit log.

use domain::Timestamp;
use serde::{Deserialize, Serialize};

/// A signed state of one audit log. Anyone with a copy can check whether the log was rewritten since.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SignedCheckpoint {
    /// How many events it covers.
    pub size: u64,
    /// When it was signed.
    pub at: Timestamp,
    /// The tenant's keyring counter at that moment; an older keyring is refused from then on. `None` for
    /// the deployment's own log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keyring_counter: Option<u64>,
    /// The signed note as published.
    pub note: String,
}
