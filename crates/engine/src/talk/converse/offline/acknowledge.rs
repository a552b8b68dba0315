//! Replies to statements, and says what was stored of them.

use wire::persona::MemoryState;

use super::phrases::{Language, addressed};

/// Why part of a message is not stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotKept {
    /// It is sensitive, and the speaker may consent to storing it.
    ConsentMissing,
    /// It is sensitive, and the persona's policy does not allow it.
    Forbidden,
    /// Memory is paused.
    Paused,
    /// Memory is off.
    Off,
}

impl NotKept {
    /// Why nothing is stored in this state; `None` while memory is on.
    pub(crate) const fn without_memory(memory: MemoryState) -> Option<Self> {
        match memory {
            MemoryState::On => None,
            MemoryState::Paused => Some(Self::Paused),
            MemoryState::Off => Some(Self::Off),
        }
    }
}

/// What will be stored of a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// Whether something is remembered.
    pub(crate) is_remembered: bool,
    /// Whether the speaker asked for that: "could you remember that …?" needs only a yes.
    pub(crate) is_asked_for: bool,
    /// Why something is not stored.
    pub(crate) not_kept: Option<NotKept>,
    /// How long the record has what is too sensitive to be kept.
    pub(crate) record: Option<RecordEnd>,
}

/// How long the record of a conversation is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RecordEnd {
    On(jiff::civil::Date),
    Never,
}

/// Answers a `statement`: says that it is remembered, what is not stored, or that it was heard.
pub(super) fn acknowledge(statement: &str, outcome: Outcome, language: &Language) -> String {
    let phrases = &language.phrases;
    let noted = outcome.is_remembered.then(|| phrases.noted.clone());
    let refused = outcome.not_kept.map(|reason| match reason {
        NotKept::ConsentMissing => phrases.not_kept_consent.clone(),
        NotKept::Forbidden => phrases.not_kept_forbidden.clone(),
        NotKept::Paused => phrases.not_kept_paused.clone(),
        NotKept::Off => phrases.not_kept_off.clone(),
    });
    let record = outcome.record.map(|end| match end {
        RecordEnd::On(date) => phrases.record_until.replace("{date}", &date.to_string()),
        RecordEnd::Never => phrases.record_stays.clone(),
    });
    let said: Vec<String> = noted.into_iter().chain(refused).chain(record).collect();
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
        for (reason, word) in [
            (NotKept::ConsentMissing, "tell me that I may"),
            (NotKept::Forbidden, "not allowed"),
            (NotKept::Paused, "my memory is paused"),
            (NotKept::Off, "my memory is switched off"),
        ] {
            let said =
                acknowledge("I have …", Outcome { not_kept: Some(reason), ..Outcome::default() }, english);
            assert!(said.contains(word), "{said}");
        }
    }
}
