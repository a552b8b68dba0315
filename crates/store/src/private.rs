//! Structured personal data: JSON that is sealed like any other text and never printed by accident.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

/// JSON that may contain personal data. `Debug` prints none of it.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PrivateJson(pub Value);

impl PrivateJson {
    /// Whether it is JSON `null`.
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

/// The same for data that is written often and read rarely: it is kept as serialised JSON text.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct WrittenJson(Box<RawValue>);

impl WrittenJson {
    /// Serialises `value`.
    pub fn of(value: &impl Serialize) -> serde_json::Result<Self> {
        to_raw_value(value).map(Self)
    }

    /// Deserialises the value.
    pub fn read<T: DeserializeOwned>(&self) -> serde_json::Result<T> {
        serde_json::from_str(self.as_str())
    }

    /// The JSON text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.get()
    }
}

impl PartialEq for WrittenJson {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl std::fmt::Debug for WrittenJson {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("WrittenJson(…)")
    }
}
