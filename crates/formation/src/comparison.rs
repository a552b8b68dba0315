//! How a passage compares with what was said before it.
//!
//! A changed fact is near an earlier sentence in meaning and names another value: another hour, day, place or person.

use std::cell::OnceCell;

use encoders::{Encoder, Encoders};

use crate::exchange::Exchange;
use crate::features::Features;
use crate::sentence::sentences;
use crate::word::{Word, words};

/// The sentences before a turn, with their vectors and values. They are encoded when the first memory asks for them.
pub(crate) struct EarlierSentences<'a> {
    exchange: &'a Exchange<'a>,
    encoded: OnceCell<Vec<EarlierSentence>>,
}

struct EarlierSentence {
    vector: Vec<f32>,
    values: Vec<String>,
}

/// How many turns back a passage is compared with: each sentence takes milliseconds.
const MOST_LINES: usize = 12;
const MOST_SENTENCES: usize = 24;

impl<'a> EarlierSentences<'a> {
    pub(crate) const fn new(exchange: &'a Exchange<'a>) -> Self {
        Self { exchange, encoded: OnceCell::new() }
    }

    /// The last sentences with values.
    fn encode(&self, encoders: &Encoders) -> Vec<EarlierSentence> {
        let lines = self.exchange.earlier.iter().rev().take(MOST_LINES);
        let texts = lines.flat_map(|line| sentences(line.text).into_iter().rev());
        let with_values = texts.filter_map(|text| {
            let values = values(&words(text));
            (!values.is_empty()).then_some((text, values))
        });
        let read = with_values.take(MOST_SENTENCES).map(|(text, values)| EarlierSentence {
            vector: encoders.encode(Encoder::UseMultilingual, text),
            values,
        });
        read.collect()
    }

    /// How near the nearest sentence is that names other values than `text`, from 0 to 1.
    pub(crate) fn similarity(&self, text: &str, features: &Features) -> f32 {
        let Some(encoders) = self.exchange.encoders else { return 0.0 };
        let earlier = self.encoded.get_or_init(|| self.encode(encoders));
        let own = values(&words(text));
        let differs = |values: &[String]| {
            own.iter().any(|value| !values.contains(value)) && values.iter().any(|value| !own.contains(value))
        };
        let differing = earlier.iter().filter(|earlier| differs(&earlier.values));
        differing.map(|earlier| features.similarity(&earlier.vector)).fold(0.0, f32::max)
    }
}

/// The numbers and names among `words`. The first word has a capital letter whatever it is.
fn values(words: &[Word]) -> Vec<String> {
    let is_value = |(at, word): &(usize, &Word)| word.is_number() || (*at > 0 && word.is_capital);
    words.iter().enumerate().filter(is_value).map(|(_, word)| word.folded.clone()).collect()
}
