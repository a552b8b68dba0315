//! A change of a property that may be absent (RFC 7396): left out it stays, `null` removes it.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What happens to a property that may be absent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Change<T> {
    /// It stays as it is.
    #[default]
    Keep,
    /// It is removed.
    Remove,
    /// It takes this value.
    Set(T),
}

impl<T> Change<T> {
    /// Whether nothing is to change.
    #[must_use]
    pub const fn is_keep(&self) -> bool {
        matches!(self, Self::Keep)
    }
}

impl<T> From<Option<T>> for Change<T> {
    fn from(given: Option<T>) -> Self {
        given.map_or(Self::Keep, Self::Set)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Change<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Option::deserialize(deserializer)?.map_or(Self::Remove, Self::Set))
    }
}

impl<T: Serialize> Serialize for Change<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Keep | Self::Remove => serializer.serialize_none(),
            Self::Set(value) => serializer.serialize_some(value),
        }
    }
}

impl<T: JsonSchema> JsonSchema for Change<T> {
    fn schema_name() -> Cow<'static, str> {
        Option::<T>::schema_name()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Option::<T>::json_schema(generator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Default, PartialEq, Deserialize, Serialize)]
    #[serde(default)]
    struct Patch {
        #[serde(skip_serializing_if = "Change::is_keep")]
        emoji: Change<String>,
    }

    #[test]
    fn absent_stays_null_removes_and_a_value_is_set() {
        for (written, expected) in [
            ("{}", Change::Keep),
            (r#"{"emoji":null}"#, Change::Remove),
            (r#"{"emoji":"x"}"#, Change::Set("x".to_owned())),
        ] {
            let patch: Patch = serde_json::from_str(written).unwrap();
            assert_eq!(patch.emoji, expected);
            assert_eq!(serde_json::to_string(&patch).unwrap(), written);
        }
    }
}
