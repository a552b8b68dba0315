//! What the learnt models see of a passage: its sentence vector, and a few plain traits.

use encoders::{Encoder, Encoders};

use crate::cue::Cue;
use crate::lexicon::Hit;
use crate::word::Word;

/// How many numbers the sentence vector has.
const VECTOR: usize = 512;
/// The phrases whose presence is a trait, in the order of the weights.
const CUES: [Cue; 40] = [
    Cue::Myself,
    Cue::Singular,
    Cue::Person,
    Cue::Kin,
    Cue::Fact,
    Cue::Called,
    Cue::Preference,
    Cue::Standing,
    Cue::Plan,
    Cue::Decision,
    Cue::Correction,
    Cue::Event,
    Cue::Past,
    Cue::Property,
    Cue::Work,
    Cue::Staff,
    Cue::Confidential,
    Cue::Commercial,
    Cue::Insider,
    Cue::HowTo,
    Cue::Tip,
    Cue::Positive,
    Cue::Negative,
    Cue::SmallTalk,
    Cue::Thanks,
    Cue::Filler,
    Cue::Need,
    Cue::Mood,
    Cue::Weather,
    Cue::Announce,
    Cue::Request,
    Cue::Question,
    Cue::Hypothetical,
    Cue::Hedge,
    Cue::Joke,
    Cue::Fiction,
    Cue::Name,
    Cue::Negation,
    Cue::Anaphora,
    Cue::Remember,
];
/// The traits besides vector and phrases.
const PLAIN: usize = 10;
/// How many numbers there are in all; the last one is always 1, for the bias.
pub(crate) const COUNT: usize = VECTOR + CUES.len() + PLAIN + 1;

/// A passage as the models see it.
#[derive(Clone, Debug)]
pub(crate) struct Features(pub(crate) Vec<f32>);

/// What features are made of.
pub(crate) struct FeatureInput<'a> {
    /// The words, with the question before them if they answer one.
    pub(crate) text: &'a str,
    pub(crate) words: &'a [&'a Word],
    pub(crate) hits: &'a [Hit],
    pub(crate) language: &'a str,
    pub(crate) asks: bool,
    pub(crate) answers: bool,
    /// What the word lists alone think it is worth.
    pub(crate) listed: f64,
}

impl Features {
    pub(crate) fn of(observed: &FeatureInput<'_>, encoders: &Encoders) -> Self {
        let mut numbers = encoders.encode(Encoder::UseMultilingual, longest_part(observed.text));
        numbers.resize(VECTOR, 0.0);
        // A unit vector's numbers are small beside flags of 1.
        for number in &mut numbers {
            *number *= SCALE;
        }
        let has = |cue: &Cue| f32::from(observed.hits.iter().any(|hit| hit.cue == *cue));
        numbers.extend(CUES.iter().map(has));
        numbers.extend(plain(observed));
        numbers.push(1.0);
        Self(numbers)
    }
}

/// How much the vector is stretched.
const SCALE: f32 = 4.0;
/// The encoder reads no more of a text than this, in bytes.
const LONGEST: usize = 1200;

pub(crate) fn longest_part(text: &str) -> &str {
    let end = (0..=LONGEST.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
    text.get(..end.unwrap_or(0)).unwrap_or_default()
}

fn plain(observed: &FeatureInput<'_>) -> [f32; PLAIN] {
    let words = observed.words;
    let is_name = |word: &&&Word| word.is_capital && word.folded.len() > 1;
    let names = if observed.language == "de" { 0 } else { words.iter().skip(1).filter(is_name).count() };
    let is_dated =
        |hit: &Hit| matches!(hit.cue, Cue::Weekday(_) | Cue::Month(_) | Cue::Tomorrow | Cue::Yesterday);
    [
        f32::from(observed.asks),
        f32::from(observed.answers),
        f32::from(words.iter().any(|word| word.is_number())),
        share(names, 3),
        share(words.len(), 30),
        f32::from(words.len() < 4),
        f32::from(observed.text.contains('!')),
        f32::from(observed.text.contains('?')),
        f32::from(observed.hits.iter().any(is_dated)),
        clamped(observed.listed),
    ]
}

/// How much `count` is of `all`, at most 1.
#[expect(clippy::cast_precision_loss, reason = "small counts")]
fn share(count: usize, all: usize) -> f32 {
    count.min(all) as f32 / all as f32
}

#[expect(clippy::cast_possible_truncation, reason = "a number between -1 and 1")]
fn clamped(listed: f64) -> f32 {
    (listed / 4.0).clamp(-1.0, 1.0) as f32
}
