//! Text of prompts and responses.

use std::fmt;

/// Text of a prompt or a response. `Debug` prints only its length, and there is no `Display`, so no log
/// line and no error can leak it by accident.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Words(String);

impl Words {
    /// Wraps text so that it can't be printed by accident.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text itself, for sending and showing.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text itself, by value.
    #[must_use]
    pub fn into_string(self) -> String {
        self.0
    }

    /// Whether the text is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn append(&mut self, more: &Self) {
        self.0.push_str(&more.0);
    }

    pub(crate) fn bytes(&self) -> usize {
        self.0.len()
    }
}

impl fmt::Debug for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Words({} characters)", self.0.chars().count())
    }
}

impl From<&str> for Words {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_prints_the_length_and_nothing_else() {
        assert_eq!(format!("{:?}", Words::new("Ștefania's room is 412")), "Words(22 characters)");
    }
}
