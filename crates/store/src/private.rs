//! Structured words: JSON that is sealed like any other text and never printed by accident.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// JSON that may hold anyone's words. `Debug` prints none of it.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PrivateJson(pub Value);

impl PrivateJson {
    /// Whether there is nothing in it.
    #[must_use]
    pub fn is_null(&self) -> bool {
        self.0.is_null()
    }
}

impl std::fmt::Debug for PrivateJson {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("PrivateJson(…)")
    }
}

impl From<Value> for PrivateJson {
    fn from(value: Value) -> Self {
        Self(value)
    }
}
