//! What the voice says to a statement, and about what was kept of it.

use super::phrases::{Language, addressed};

/// Why something that was said is not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotKept {
    /// It is sensitive, and the speaker may consent to its being kept.
    ConsentMissing,
    /// It is sensitive, and the persona's policy does not allow it.
    Forbidden,
}

/// What becomes of something said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// Whether something of it is remembered.
    pub(crate) is_remembered: bool,
    /// Whether that is because it was asked for: "could you remember that …?" wants no answer but a yes.
    pub(crate) is_asked_for: bool,
    /// Why something of it is not kept.
    pub(crate) not_kept: Option<NotKept>,
}

/// Answers a `statement`: says that something of it is remembered, what is not kept, or that it was heard.
pub(super) fn acknowledge(statement: &str, outcome: Outcome, language: &Language) -> String {
    let phrases = &language.phrases;
    let noted = outcome.is_remembered.then(|| phrases.noted.clone());
    let refused = outcome.not_kept.map(|reason| match reason {
        NotKept::ConsentMissing => phrases.not_kept_consent.clone(),
        NotKept::Forbidden => phrases.not_kept_forbidden.clone(),
    });
    let said: Vec<String> = noted.into_iter().chain(refused).collect();
    if said.is_empty() { addressed(&phrases.heard, statement, None) } else { said.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::super::phrases;
    use super::*;

    #[test]
    fn a_statement_is_answered_with_what_became_of_it() {
        let english = phrases::of("en");
        let heard = acknowledge("It rains.", Outcome::default(), english);
        assert!(english.phrases.heard.contains(&heard), "{heard}");
        let kept = acknowledge("I moved.", Outcome { is_remembered: true, ..Outcome::default() }, english);
        assert_eq!(kept, "I'll remember that.");
        for (reason, word) in
            [(NotKept::ConsentMissing, "tell me that I may"), (NotKept::Forbidden, "not allowed")]
        {
            let said =
                acknowledge("I have …", Outcome { not_kept: Some(reason), ..Outcome::default() }, english);
            assert!(said.contains(word), "{said}");
        }
    }
}
