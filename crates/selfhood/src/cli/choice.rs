//! Values to choose from, offered by completions and refused with a suggestion when misspelt.

use clap::builder::PossibleValuesParser;
use domain::{KeyScope, PrivacyClass};

/// The kinds of memories.
pub(super) fn kind() -> PossibleValuesParser {
    PossibleValuesParser::new(["episodic", "semantic", "procedural"])
}

/// The privacy classes.
pub(super) fn privacy_class() -> PossibleValuesParser {
    PossibleValuesParser::new(PrivacyClass::ALL.map(PrivacyClass::as_str))
}

/// The types of timeline entries; `revised` is only set by revising.
pub(super) fn memory_type() -> PossibleValuesParser {
    PossibleValuesParser::new(["normal", "pride", "shame", "repressed", "exaggerated"])
}

/// The scopes of a key.
pub(super) fn scope() -> PossibleValuesParser {
    PossibleValuesParser::new(KeyScope::ALL.map(KeyScope::as_str))
}

/// Whom a key speaks for.
pub(super) fn speaks() -> PossibleValuesParser {
    PossibleValuesParser::new(["owner", "forwarded"])
}

/// The redaction modes of the command line.
pub(super) fn redaction_mode() -> PossibleValuesParser {
    PossibleValuesParser::new(["soft", "hard", "archive"])
}

#[cfg(test)]
mod tests {
    use clap::builder::{PossibleValuesParser, TypedValueParser};
    use serde::de::DeserializeOwned;

    fn check<T: DeserializeOwned>(choice: &PossibleValuesParser) {
        for value in choice.possible_values().unwrap() {
            let name = serde_json::Value::from(value.get_name());
            assert!(serde_json::from_value::<T>(name.clone()).is_ok(), "{name}");
        }
    }

    #[test]
    fn every_word_offered_is_a_word_of_the_domain() {
        check::<domain::Kind>(&super::kind());
        check::<domain::PrivacyClass>(&super::privacy_class());
        check::<domain::MemoryType>(&super::memory_type());
        check::<domain::KeyScope>(&super::scope());
        check::<domain::Speaks>(&super::speaks());
        check::<domain::RedactionMode>(&super::redaction_mode());
    }
}
