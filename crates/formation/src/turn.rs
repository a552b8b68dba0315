//! A turn as it is read: its sentences, and which of them are about the speaker and may be kept.

use text::sentences;

use crate::cue::Cue;
use crate::language::language;
use crate::lexicon::{Hit, Lexicon};
use crate::sentence::Sentence;
use crate::special::{SpecialCategory, special_category};
use crate::statement::hands_over;
use crate::word::words;

/// An answer is short: longer turns speak for themselves.
pub(crate) const LONGEST_ANSWER: usize = 8;

/// A turn that is meant as it is said.
pub(crate) struct Turn<'a> {
    /// Its sentences, up to where a story or another person's text begins.
    pub(crate) sentences: Vec<Sentence<'a>>,
    /// The list it is read with.
    pub(crate) lexicon: &'static Lexicon,
    /// The language it is in.
    pub(crate) language: &'static str,
}

impl<'a> Turn<'a> {
    /// Reads `said`. Jokes, attempts to steer the persona, and what is asked not to be kept spoil their
    /// whole turn: nothing of it is read.
    pub(crate) fn read(said: &'a str, declared: &str) -> Option<Self> {
        let language = language(&words(said), declared);
        let lexicon = Lexicon::of(language)?;
        let mut sentences: Vec<Sentence<'_>> =
            sentences(said).into_iter().map(|sentence| Sentence::read(sentence, lexicon)).collect();
        if sentences.iter().any(is_not_meant) {
            return None;
        }
        let end = sentences.iter().position(is_others).unwrap_or(sentences.len());
        sentences.truncate(end);
        Some(Self { sentences, lexicon, language })
    }

    /// The sentences of it that may be kept.
    pub(crate) fn harmless(&self) -> Vec<&Sentence<'a>> {
        harmless(&self.sentences, goes_on)
    }

    /// The persona's question that this turn begins to answer: its first sentence is short and asks nothing.
    pub(crate) fn question_answered<'q>(&self, before: Option<&'q str>) -> Option<&'q str> {
        let first = self.sentences.first().filter(|first| !first.is_question)?;
        let asked =
            sentences(before?).into_iter().next_back().filter(|last| last.trim_end().ends_with('?'))?;
        let asked_sentence = Sentence::read(asked, self.lexicon);
        let is_harmless = special_category(&asked_sentence).is_none();
        (is_harmless && first.words.len() <= LONGEST_ANSWER).then_some(asked)
    }

    /// The special category of which a short first sentence tells only with the question before it: `Peanuts`
    /// after "any allergies?".
    pub(crate) fn answers_special(&self, before: Option<&str>) -> Option<SpecialCategory> {
        let first = self.sentences.first().filter(|first| !first.is_question)?;
        let asked = sentences(before?).last().map(|last| Sentence::read(last, self.lexicon))?;
        let is_answer = asked.is_question && first.words.len() <= LONGEST_ANSWER;
        special_category(&asked).filter(|_| is_answer)
    }
}

/// Whether memories are formed from `text` at all: not from a joke, nor from what is asked not to be kept.
#[must_use]
pub fn is_read(text: &str, declared: &str) -> bool {
    Turn::read(text, declared).is_some()
}

/// The sentences of `text` that say nothing of a special category about a person, and don't go on about it.
#[must_use]
pub fn harmless_sentences<'t>(text: &'t str, declared: &str) -> Vec<&'t str> {
    let Some(lexicon) = Lexicon::of(language(&words(text), declared)) else { return vec![text] };
    let all: Vec<Sentence<'_>> =
        sentences(text).into_iter().map(|sentence| Sentence::read(sentence, lexicon)).collect();
    harmless(&all, goes_on).into_iter().map(|sentence| sentence.text).collect()
}

/// The sentences that are about no special category, nor go on about one as `goes_on` says, and had no card or account
/// in them.
pub(crate) fn harmless<'s, 'a>(
    sentences: &'s [Sentence<'a>],
    goes_on: fn(&Sentence<'_>) -> bool,
) -> Vec<&'s Sentence<'a>> {
    let mut is_refused = false;
    let mut harmless = Vec::new();
    for sentence in sentences {
        is_refused = special_category(sentence).is_some() || (is_refused && goes_on(sentence));
        let is_withheld = sentence.is_withheld(&(0..sentence.words.len()));
        harmless.extend((!is_refused && !is_withheld).then_some(sentence));
    }
    harmless
}

fn is_not_meant(sentence: &Sentence<'_>) -> bool {
    let is_asked_for =
        |at: usize| sentence.hits.iter().any(|hit| hit.cue == Cue::Remember && hit.words.contains(&at));
    // "Don't forget that" asks for the opposite of "forget that".
    sentence.hits.iter().any(|hit| {
        hit.cue == Cue::Injection
            || (hit.cue == Cue::Joke && takes_back(sentence, hit))
            || (hit.cue == Cue::Forget && !is_asked_for(hit.words.start))
    })
}

/// Whether a phrase takes back what was said ("just kidding"); laughter and the word "joke" alone don't.
fn takes_back(sentence: &Sentence<'_>, joke: &Hit) -> bool {
    let words = sentence.words.get(joke.words.clone()).unwrap_or_default();
    words.len() > 1 || words.iter().any(|word| TAKES_BACK.contains(&word.folded.as_str()))
}

const TAKES_BACK: [&str; 8] =
    ["kidding", "joking", "scherz", "bromeo", "bromeaba", "glumesc", "glumeam", "jk"];

/// A story, or a text handed over to be worked on: what follows is not about the speaker.
fn is_others(sentence: &Sentence<'_>) -> bool {
    sentence.hits.iter().any(|hit| hit.cue == Cue::Fiction) || hands_over(sentence)
}

/// Whether it begins as what goes on about the sentence before: "it", "she", "that".
fn goes_on(sentence: &Sentence<'_>) -> bool {
    sentence.hits.iter().any(|hit| hit.cue == Cue::Anaphora && hit.words.start == 0)
}
