//! What was said before a passage, as far as the passage can't be understood without it.

use domain::Text;

use crate::cue::Cue;
use crate::draft::Draft;
use crate::exchange::{Author, Exchange};
use crate::lexicon::{Hit, Lexicon};
use crate::passage::Passage;
use crate::sentence::{Sentence, sentences};
use crate::special::special_category;

/// The turns before.
pub(crate) struct Context<'a> {
    exchange: &'a Exchange<'a>,
    lexicon: &'static Lexicon,
}

/// How many turns back somebody may have been named.
const FARTHEST: usize = 6;
/// A passage with fewer content words is noted with what it replies to.
const BRIEF: usize = 6;
const CONTEXT: f64 = 0.5;
const QUESTION: f64 = 0.9;

impl<'a> Context<'a> {
    pub(crate) const fn new(exchange: &'a Exchange<'a>, lexicon: &'static Lexicon) -> Self {
        Self { exchange, lexicon }
    }

    /// Adds to `draft` what the passage leaves open. False if it speaks of somebody who was never named.
    pub(crate) fn complete(&self, passage: &Passage<'_>, draft: &mut Draft) -> bool {
        if let Some(asked) = passage.asked {
            draft.answering(asked);
            draft.add(asked, QUESTION);
            return true;
        }
        if begins_with_pronoun(passage) {
            let Some(named) = self.last_named() else {
                return passage.is_asked_for() || passage.has(&[Cue::Myself, Cue::Kin, Cue::Name]);
            };
            draft.led_by(&named);
            return true;
        }
        if passage.content() < BRIEF
            && let Some(line) = self.replied_to()
        {
            draft.add(&line, CONTEXT);
        }
        true
    }

    /// The latest sentence of the speaker that named somebody.
    fn last_named(&self) -> Option<String> {
        let lines = self.exchange.earlier.iter().rev().take(FARTHEST);
        let mut own = lines.filter(|line| line.author == Author::Speaker);
        own.find_map(|line| self.harmless(line.text).into_iter().rev().find(|text| self.names_somebody(text)))
    }

    /// The last sentence of what the persona said before.
    fn replied_to(&self) -> Option<String> {
        self.exchange.before.and_then(|before| self.harmless(before).pop())
    }

    fn names_somebody(&self, text: &str) -> bool {
        let sentence = Sentence::read(text, self.lexicon);
        let is_somebody = |hit: &Hit| matches!(hit.cue, Cue::Kin | Cue::Name);
        !sentence.is_question && sentence.hits.iter().any(is_somebody)
    }

    /// The sentences of `text` that may be kept.
    fn harmless(&self, text: &str) -> Vec<String> {
        let text = crate::number::without_payment(text);
        let read = sentences(&text).into_iter().map(|text| Sentence::read(text, self.lexicon));
        let kept = read.filter(|sentence| {
            special_category(sentence).is_none() && !sentence.is_withheld(&(0..sentence.words.len()))
        });
        kept.map(|sentence| sentence.text.to_owned()).collect()
    }
}

fn begins_with_pronoun(passage: &Passage<'_>) -> bool {
    let first = passage.statements.first().and_then(|statement| statement.words.first());
    first.is_some_and(|word| PRONOUNS.contains(&word.folded.as_str()))
}

/// The pronouns that always stand for somebody; "sie" and "il" often don't.
const PRONOUNS: [&str; 20] = [
    "he", "she", "they", "hes", "shes", "theyre", "her", "his", "er", "elle", "elles", "ils", "ella",
    "ellos", "ellas", "ea", "ei", "ele", "him", "hers",
];

/// The words of `text` that say something, for comparing.
pub(crate) fn content_words(text: &str, lexicon: &Lexicon) -> Vec<Text> {
    let words = crate::word::words(text);
    let hits = lexicon.hits(&words);
    let is_function = |at: usize| hits.iter().any(|hit| hit.cue == Cue::Function && hit.words.contains(&at));
    let content =
        words.iter().enumerate().filter(|(at, word)| word.folded.chars().count() > 3 && !is_function(*at));
    content.map(|(_, word)| Text::new(word.folded.as_str())).collect()
}
