//! What was said before a passage, as far as the passage can't be understood without it.

use domain::Text;
use text::sentences;

use crate::cue::Cue;
use crate::draft::Draft;
use crate::exchange::{Author, Exchange};
use crate::lexicon::{Hit, Lexicon};
use crate::number::{WITHHELD, without_payment};
use crate::passage::Passage;
use crate::sensitivity::Sensitivity;
use crate::sentence::Sentence;

/// The turns before.
pub(crate) struct Context<'a> {
    exchange: &'a Exchange<'a>,
    sensitivity: Sensitivity<'a>,
}

/// How many turns back a person may have been named.
const FARTHEST: usize = 6;
/// A passage with fewer content words is noted with what it replies to.
const BRIEF: usize = 6;
const CONTEXT: f64 = 0.5;
const QUESTION: f64 = 0.9;

impl<'a> Context<'a> {
    pub(crate) const fn new(exchange: &'a Exchange<'a>, sensitivity: Sensitivity<'a>) -> Self {
        Self { exchange, sensitivity }
    }

    /// Adds to `draft` what the passage leaves open. False if it is about a person who was never named.
    pub(crate) fn complete(&self, passage: &Passage<'_>, draft: &mut Draft) -> bool {
        if let Some(asked) = passage.asked {
            if self.may_be_kept(asked) {
                draft.answering(asked);
                draft.add(asked, QUESTION);
            }
            return true;
        }
        if begins_with_pronoun(passage) {
            let Some(named) = self.last_named() else {
                return passage.is_asked_for() || passage.has(&[Cue::Myself, Cue::Kin, Cue::Name]);
            };
            match self.subject_of(&named, passage) {
                Some((pronoun, subject)) => draft.naming(&pronoun, &subject),
                None => draft.led_by(&named),
            }
            return true;
        }
        if passage.content() < BRIEF
            && let Some(line) = self.replied_to()
        {
            draft.add(&line, CONTEXT);
        }
        true
    }

    /// The speaker's latest sentence that named a person.
    fn last_named(&self) -> Option<String> {
        let lines = self.exchange.earlier.iter().rev().take(FARTHEST);
        let mut own = lines.filter(|line| line.author == Author::Speaker);
        own.find_map(|line| {
            let named = sentences(line.text).into_iter().rev().find(|text| self.names_person(text))?;
            Some(without_payment(named)).filter(|text| self.may_be_kept(text))
        })
    }

    /// The last sentence of what the persona said before.
    fn replied_to(&self) -> Option<String> {
        let before = without_payment(sentences(self.exchange.before?).pop()?);
        Some(before).filter(|text| self.may_be_kept(text))
    }

    /// The pronoun a passage begins with and the subject of `named` that it stands for, if that sentence begins with one
    /// person and ends its subject there: "My mother-in-law arrives …", "Ana is …".
    fn subject_of(&self, named: &str, passage: &Passage<'_>) -> Option<(String, String)> {
        let pronoun = passage.statements.first()?.words.first()?;
        if !SUBJECTS.contains(&pronoun.folded.as_str()) {
            return None;
        }
        let sentence = Sentence::read(named, self.sensitivity.lexicon);
        let is_person = |hit: &&Hit| matches!(hit.cue, Cue::Kin | Cue::Name) && hit.words.start <= 1;
        let end = sentence.hits.iter().filter(is_person).map(|hit| hit.words.end).max()?;
        let (last, next) = (sentence.words.get(end - 1)?, sentence.words.get(end)?);
        // "My sister Ada and I", "My son, who …": the subject goes on.
        let gap = named.get(last.range.end..next.range.start)?;
        let is_whole = gap == " " && !next.is_capital && !sentence.begins_clause(end);
        let subject = named.get(..last.range.end)?.to_owned();
        let length = pronoun.range.len();
        is_whole.then(|| (passage.text().get(..length).unwrap_or_default().to_owned(), subject))
    }

    fn names_person(&self, text: &str) -> bool {
        let sentence = Sentence::read(text, self.sensitivity.lexicon);
        let is_person = |hit: &Hit| matches!(hit.cue, Cue::Kin | Cue::Name);
        !sentence.is_question && sentence.hits.iter().any(is_person)
    }

    /// Whether a sentence may be kept beside what was said.
    fn may_be_kept(&self, text: &str) -> bool {
        let is_private = || self.sensitivity.tells_special(text) && !self.exchange.may_keep_sensitive;
        !text.contains(WITHHELD) && !is_private()
    }
}

fn begins_with_pronoun(passage: &Passage<'_>) -> bool {
    let first = passage.statements.first().and_then(|statement| statement.words.first());
    first.is_some_and(|word| PRONOUNS.contains(&word.folded.as_str()))
}

/// The pronouns that always stand for a person; "sie" and "il" often don't.
const PRONOUNS: [&str; 20] = [
    "he", "she", "they", "hes", "shes", "theyre", "her", "his", "er", "elle", "elles", "ils", "ella",
    "ellos", "ellas", "ea", "ei", "ele", "him", "hers",
];

/// Those of them that are a subject, and can be replaced by whom they mean.
const SUBJECTS: [&str; 7] = ["he", "she", "er", "elle", "ella", "ea", "el"];

/// The words of `text` that say something, for comparing.
pub(crate) fn content_words(text: &str, lexicon: &Lexicon) -> Vec<Text> {
    let words = crate::word::words(text);
    let hits = lexicon.hits(&words);
    let is_function = |at: usize| hits.iter().any(|hit| hit.cue == Cue::Function && hit.words.contains(&at));
    let content =
        words.iter().enumerate().filter(|(at, word)| word.folded.chars().count() > 3 && !is_function(*at));
    content.map(|(_, word)| Text::new(word.folded.as_str())).collect()
}
