//! A turn as it is read: its sentences, and which of them are about the speaker and may be kept.

use encoders::Encoders;
use text::sentences;

use crate::cue::Cue;
use crate::language::language;
use crate::lexicon::{Hit, Lexicon};
use crate::proposal::Refusal;
use crate::sensitivity::Sensitivity;
use crate::sentence::Sentence;
use crate::special::{SpecialCategory, special_category};
use crate::statement::hands_over;
use crate::word::words;

/// An answer is short: longer turns speak for themselves.
pub(crate) const LONGEST_ANSWER: usize = 8;

/// A turn that is meant as it is said.
pub(crate) struct Turn<'a> {
    /// Its sentences, up to where a text begins that is handed over to be worked on.
    pub(crate) sentences: Vec<Sentence<'a>>,
    /// The sentences between them that steer the persona, tell a story or give back another's words, and why each is
    /// dropped.
    pub(crate) dropped: Vec<(Refusal, Sentence<'a>)>,
    /// The list it is read with.
    pub(crate) lexicon: &'static Lexicon,
    /// The language it is in.
    pub(crate) language: &'static str,
}

impl<'a> Turn<'a> {
    /// Reads `said`. What is taken back and what is asked not to be kept spoil their whole turn: nothing of it is
    /// read.
    pub(crate) fn read(said: &'a str, declared: &str) -> Option<Self> {
        let language = language(&words(said), declared);
        let lexicon = Lexicon::of(language)?;
        let mut all: Vec<Sentence<'_>> =
            sentences(said).into_iter().map(|sentence| Sentence::read(sentence, lexicon)).collect();
        if all.iter().any(is_taken_back) {
            return None;
        }
        let end = all.iter().position(hands_over).unwrap_or(all.len());
        all.truncate(end);
        let (sentences, dropped) = divided(all);
        Some(Self { sentences, dropped, lexicon, language })
    }

    /// The sentences of it that may be kept.
    pub(crate) fn harmless(&self, encoders: Option<&Encoders>) -> Vec<&Sentence<'a>> {
        harmless(&self.sentences, &self.sensitivity(encoders), goes_on)
    }

    /// How it is judged whether it tells of a special category.
    pub(crate) fn sensitivity<'e>(&self, encoders: Option<&'e Encoders>) -> Sensitivity<'e> {
        Sensitivity { lexicon: self.lexicon, language: self.language, encoders }
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

/// Whether memories are formed from the whole of `text`: not from a joke, nor from what is asked not to be kept, and not
/// where a part is dropped.
#[must_use]
pub fn is_read(text: &str, declared: &str) -> bool {
    Turn::read(text, declared).is_some_and(|turn| turn.dropped.is_empty())
}

/// The sentences of `text` that say nothing of a special category about a person, and don't go on about it.
#[must_use]
pub fn harmless_sentences<'t>(text: &'t str, declared: &str) -> Vec<&'t str> {
    let language = language(&words(text), declared);
    let Some(lexicon) = Lexicon::of(language) else { return vec![text] };
    let all: Vec<Sentence<'_>> =
        sentences(text).into_iter().map(|sentence| Sentence::read(sentence, lexicon)).collect();
    let sensitivity = Sensitivity { lexicon, language, encoders: None };
    harmless(&all, &sensitivity, goes_on).into_iter().map(|sentence| sentence.text).collect()
}

/// The sentences that are about no special category, nor go on about one as `goes_on` says, and had no card or account
/// in them.
pub(crate) fn harmless<'s, 'a>(
    sentences: &'s [Sentence<'a>],
    sensitivity: &Sensitivity<'_>,
    goes_on: fn(&Sentence<'_>) -> bool,
) -> Vec<&'s Sentence<'a>> {
    let mut is_refused = false;
    let mut harmless = Vec::new();
    for (sentence, category) in sentences.iter().zip(sensitivity.listed(sentences)) {
        is_refused = category.is_some() || (is_refused && goes_on(sentence));
        let is_withheld = sentence.is_withheld(&(0..sentence.words.len()));
        harmless.extend((!is_refused && !is_withheld).then_some(sentence));
    }
    harmless
}

/// The sentences that are meant as they are said, and those that are dropped with the reason. What follows a dropped one
/// goes on about it until the speaker speaks of themselves again.
fn divided(all: Vec<Sentence<'_>>) -> (Vec<Sentence<'_>>, Vec<(Refusal, Sentence<'_>)>) {
    let (mut meant, mut dropped) = (Vec::new(), Vec::new());
    let mut before = None;
    for sentence in all {
        before = unmeant(&sentence).or(before.filter(|_| !speaks_of_self(&sentence)));
        match before {
            Some(reason) => dropped.push((reason, sentence)),
            None => meant.push(sentence),
        }
    }
    (meant, dropped)
}

/// Why a sentence is not meant as said of the speaker: it steers the persona, tells a story, or gives back the words of
/// another.
fn unmeant(sentence: &Sentence<'_>) -> Option<Refusal> {
    let has = |cue| sentence.hits.iter().any(|hit| hit.cue == cue);
    if has(Cue::Injection) { Some(Refusal::Steering) } else { has(Cue::Fiction).then_some(Refusal::Quoted) }
}

fn speaks_of_self(sentence: &Sentence<'_>) -> bool {
    sentence.hits.iter().any(|hit| matches!(hit.cue, Cue::Myself | Cue::Singular | Cue::Remember))
}

fn is_taken_back(sentence: &Sentence<'_>) -> bool {
    let is_asked_for =
        |at: usize| sentence.hits.iter().any(|hit| hit.cue == Cue::Remember && hit.words.contains(&at));
    // "Don't forget that" asks for the opposite of "forget that".
    sentence.hits.iter().any(|hit| {
        (hit.cue == Cue::Joke && takes_back(sentence, hit))
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

/// Whether it begins as what goes on about the sentence before: "it", "she", "that".
fn goes_on(sentence: &Sentence<'_>) -> bool {
    sentence.hits.iter().any(|hit| hit.cue == Cue::Anaphora && hit.words.start == 0)
}
