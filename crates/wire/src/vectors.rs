//! How far the sentence vectors of a persona have come.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `GET /v1/personas/{p}/vectors`: memories and events are kept at once; what they mean to the sentence encoders is
/// computed behind, and until then they are found by their words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct VectorProgress {
    /// How many memories and events have their vectors.
    pub made: usize,
    /// How many there are.
    pub of: usize,
}

impl VectorProgress {
    /// How many are still to come.
    #[must_use]
    pub const fn left(&self) -> usize {
        self.of.saturating_sub(self.made)
    }
}
