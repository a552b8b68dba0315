//! Whether a text is about a special category, by the word lists and by the learnt kernel.
//!
//! The lists know the words of illness, faith and party; the kernel also knows "he carries his injection with him", and
//! that "my son Christian" is no faith. Without encoders the lists decide alone.

use encoders::Encoders;
use text::sentences;

use crate::lexicon::Lexicon;
use crate::passage::{MOST_CLAUSES, Passage, clauses};
use crate::sentence::Sentence;
use crate::special::{Listing, SpecialCategory, SpecialInput, special_category};

/// How texts of one conversation are judged.
#[derive(Clone, Copy)]
pub(crate) struct Sensitivity<'a> {
    pub(crate) lexicon: &'static Lexicon,
    pub(crate) language: &'static str,
    /// Without them the lists alone decide.
    pub(crate) encoders: Option<&'a Encoders>,
}

/// The kernel reads no more sentences of a turn that the lists find, since each takes milliseconds; the others are
/// special, as the lists say.
const MOST_READ: usize = 12;

impl Sensitivity<'_> {
    /// Whether one of the sentences of `text` is about a special category.
    pub(crate) fn tells_special(&self, text: &str) -> bool {
        let is_special = |sentence: &str| match self.encoders {
            Some(encoders) => self.input(sentence, encoders).is_special(),
            None => special_category(&Sentence::read(sentence, self.lexicon)).is_some(),
        };
        sentences(text).into_iter().any(is_special)
    }

    /// The special category of each sentence that the lists find and the kernel does not reject.
    pub(crate) fn listed(&self, sentences: &[Sentence<'_>]) -> Vec<Option<SpecialCategory>> {
        let mut read = 0;
        let category = |sentence: &Sentence<'_>| {
            let listed = special_category(sentence)?;
            read += 1;
            let encoders = self.encoders.filter(|_| read <= MOST_READ);
            encoders.is_none_or(|it| self.input(sentence.text, it).is_special()).then_some(listed)
        };
        sentences.iter().map(category).collect()
    }

    /// Whether the kernel finds a special category in a passage, or clearly in one of its clauses: what one of many
    /// clauses tells hardly shows in the whole.
    pub(crate) fn passage_tells_special(&self, passage: &Passage<'_>) -> bool {
        let Some(encoders) = self.encoders else { return false };
        let text = passage.text();
        let in_clauses = || {
            let clauses = clauses(&text);
            // The only clause is the passage itself.
            let clauses = if clauses.len() > 1 { clauses } else { Vec::new() };
            clauses.into_iter().take(MOST_CLAUSES).any(|it| self.input(it, encoders).is_clearly_special())
        };
        self.input(&text, encoders).is_special() || in_clauses()
    }

    /// What the kernel sees of `text`.
    pub(crate) fn input(&self, text: &str, encoders: &Encoders) -> SpecialInput {
        let is_listed = |sentence| special_category(&Sentence::read(sentence, self.lexicon)).is_some();
        let listing =
            if sentences(text).into_iter().any(is_listed) { Listing::Found } else { Listing::Nothing };
        SpecialInput::of(text, self.language, listing, encoders)
    }
}
