//! Personal text.
//!
//! Every piece of free text in a memory is a [`Text`]. It can be read explicitly, with [`Text::as_str`],
//! but no log line, error or panic message can leak it by accident.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// Free text that never prints its content: `Debug` prints only its length, and there is no `Display`.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Text(String);

impl Text {
    /// Wraps text so that it can't be printed by accident.
    pub fn new(words: impl Into<String>) -> Self {
        Self(words.into())
    }

    /// The text itself, for rendering, sealing and matching.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The length in Unicode scalar values.
    #[must_use]
    pub fn length(&self) -> usize {
        self.0.chars().count()
    }

    /// The text without leading and trailing white space, as every bound in the schema counts it.
    #[must_use]
    pub fn trimmed(&self) -> Self {
        Self(self.0.trim().to_owned())
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Text({} characters)", self.length())
    }
}

/// Inline, so that the bounds of each field are in the schema next to it.
impl JsonSchema for Text {
    fn schema_name() -> Cow<'static, str> {
        "Text".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string" })
    }
}

impl From<&str> for Text {
    fn from(words: &str) -> Self {
        Self::new(words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_prints_the_length_and_nothing_else() {
        let secret = Text::new("Ștefania's room is 412");
        assert_eq!(format!("{secret:?}"), "Text(22 characters)");
    }
}
