//! Whether a question asks for a number or a time, and whether a text holds one.
//!
//! "How old is she?" is not answered by a text without a number, however similar it is.

use text::folded;

use super::phrases::Language;
use super::question::bare_words;

/// What a question asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AskedKind {
    Number,
    Time,
}

/// A word that asks for something stands among the first words of a question; later it joins clauses.
const FIRST: usize = 4;

impl Language {
    /// What a question asks for, if its words say so.
    pub(super) fn asked_kind(&self, question: &str) -> Option<AskedKind> {
        let words = self.unframed_words(question);
        let stands_at = |at: usize, phrases: &[String]| {
            let rest = words.get(at..).unwrap_or_default();
            phrases.iter().any(|phrase| {
                phrase.split(' ').enumerate().all(|(n, word)| rest.get(n).is_some_and(|own| own == word))
            })
        };
        (0..FIRST).find_map(|at| {
            if stands_at(at, &self.asks_number) {
                Some(AskedKind::Number)
            } else {
                stands_at(at, &self.asks_time).then_some(AskedKind::Time)
            }
        })
    }

    /// Whether a text in `language` holds what is asked for.
    pub(super) fn holds(&self, asked_kind: AskedKind, text: &str, language: text::Language) -> bool {
        let words = bare_words(text);
        let mut parts = words.iter().flat_map(|word| word.split('-')).map(folded);
        let has_number = text.contains(|c: char| c.is_ascii_digit())
            || parts.any(|part| language.cardinal_named(&part).is_some_and(|value| value > 1));
        let is_time = |word: &String| {
            let word = folded(word);
            let named = |word: &str| language.month_named(word).or(language.weekday_named(word)).is_some();
            named(&word) || named(word.trim_end_matches('s')) || self.times.contains(&word)
        };
        match asked_kind {
            AskedKind::Number => has_number || words.iter().any(|word| self.amounts.contains(&folded(word))),
            AskedKind::Time => has_number || words.iter().any(is_time),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::phrases;
    use super::*;

    #[test]
    fn a_question_for_a_number_or_a_time_is_answered_by_a_text_that_holds_one() {
        for (language, question, text, other) in [
            ("en", "And how old is she now?", "Effie is twenty-one.", "Effie keeps goal."),
            (
                "en",
                "Do you remember when my train leaves?",
                "The train leaves on Fridays.",
                "Trains are late.",
            ),
            (
                "de",
                "Weißt du noch, wie viele Kinder ich habe?",
                "Ana hat drei Kinder.",
                "Ana hat einen Hund.",
            ),
            ("fr", "Quand est-ce que je pars ?", "Ana part en juin.", "Ana part pour Lyon."),
            ("es", "¿Cuántos gatos tengo?", "Ana tiene dos gatos.", "Ana tiene gatos."),
            ("ro", "Când plec la mare?", "Ana pleacă în iulie.", "Ana pleacă la mare."),
        ] {
            let (data, code) = (phrases::of(language), text::Language::of_tag(language).unwrap());
            let asked_kind = data.asked_kind(question).unwrap_or_else(|| panic!("{question}"));
            assert!(data.holds(asked_kind, text, code), "{question} {text}");
            assert!(!data.holds(asked_kind, other, code), "{question} {other}");
        }
        let english = phrases::of("en");
        assert_eq!(english.asked_kind("What did he want when he came?"), None);
        assert!(english.holds(AskedKind::Number, "A dozen eggs", text::Language::English));
    }
}
