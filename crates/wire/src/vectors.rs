//! The progress of a persona's sentence vectors.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `GET /v1/personas/{p}/vectors`: memories and events are stored at once; their sentence vectors are
/// computed afterwards, and until then they are found by their words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct VectorProgress {
    /// How many memories and events have vectors.
    pub made: usize,
    /// How many there are.
    pub of: usize,
}

impl VectorProgress {
    /// How many are missing.
    #[must_use]
    pub const fn left(&self) -> usize {
        self.of.saturating_sub(self.made)
    }
}
