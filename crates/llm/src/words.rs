//! What people and models say.

use std::fmt;

/// Text of a prompt or an answer. `Debug` tells only how long it is, and there is no `Display`, so no
/// log line and no error can spill it by accident.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Words(String);

impl Words {
    /// Wraps text so that it can no longer be printed by accident.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text itself, for sending and for telling.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text itself, given away.
    #[must_use]
    pub fn into_string(self) -> String {
        self.0
    }

    /// Whether nothing is said.
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
    fn debug_tells_the_length_and_nothing_else() {
        assert_eq!(format!("{:?}", Words::new("Ștefania's room is 412")), "Words(22 characters)");
    }
}
