//! Sentence vectors of a cue, and whether the cue has a topic.
//!
//! Encoding takes milliseconds, so recent results are cached: one turn of a conversation uses the same cue
//! several times.

use std::sync::{Arc, Mutex, PoisonError};

use encoders::{Encoder, Encoders};

use crate::aboutness::AboutVectors;
use crate::general_vectors::GeneralVectors;
use crate::index::sentence_chunk::{MINILM, USE};
use crate::kernel::{self, Row};
use crate::sentences::quantised;
use crate::specificity::{knows_script, specificity};

/// Encodes cues. Clones share the weights and the cache.
#[derive(Clone)]
pub struct CueEncoder {
    encoders: Encoders,
    recent: Arc<Mutex<Recent<CueVectors>>>,
    /// Sentences that are not cues, by the published encoders.
    sentences: Arc<Mutex<Recent<GeneralVectors>>>,
}

/// The cached texts, the oldest first.
type Recent<V> = Vec<(String, Arc<V>)>;

/// The vectors of a cue.
pub(crate) struct CueVectors {
    pub(crate) minilm: Packed<MINILM>,
    pub(crate) use_multilingual: Packed<USE>,
    /// The same, moved for the question whether the cue is clearly about a memory.
    pub(crate) about: AboutVectors,
    /// From 0 for a greeting to 1 for a cue with a clear topic; `None` in a language the encoder can't read.
    pub(crate) specificity: Option<f32>,
}

/// A vector in bytes, and the value of one step of a byte.
pub(crate) struct Packed<const N: usize> {
    pub(crate) codes: Row<N>,
    pub(crate) step: f32,
}

/// The size of the cache: enough for the sentences of a conversation and of a persona's description.
const RECENT: usize = 256;

/// A longer cue is cut here; the encoders read only some 250 pieces anyway.
const LONGEST: usize = 4096;

impl CueEncoder {
    /// Encodes cues with `encoders`.
    #[must_use]
    pub fn new(encoders: Encoders) -> Self {
        Self { encoders, recent: Arc::default(), sentences: Arc::default() }
    }

    /// The encoders it uses.
    #[must_use]
    pub const fn encoders(&self) -> &Encoders {
        &self.encoders
    }

    /// Empties the cache, because a person who is being erased may have said one of the cues.
    pub fn forget(&self) {
        *self.recent.lock().unwrap_or_else(PoisonError::into_inner) = Vec::new();
        *self.sentences.lock().unwrap_or_else(PoisonError::into_inner) = Vec::new();
    }

    /// The vectors of `cue` for recall.
    pub(crate) fn encode(&self, cue: &str) -> Arc<CueVectors> {
        cached(&self.recent, cue, |cue| self.vectors_of(cue))
    }

    /// The vectors of `sentence` by the published encoders.
    pub(crate) fn encode_sentence(&self, sentence: &str) -> Arc<GeneralVectors> {
        cached(&self.sentences, sentence, |sentence| GeneralVectors::of(sentence, &self.encoders))
    }

    /// The vectors of `sentence` by the published encoders: the multilingual one's, then the English one's.
    #[must_use]
    pub fn sentence_vectors(&self, sentence: &str) -> (Vec<f32>, Vec<f32>) {
        let vectors = self.encode_sentence(sentence);
        (vectors.use_multilingual.numbers(), vectors.minilm.numbers())
    }

    /// The vectors of `text`, without caching them.
    pub(crate) fn vectors_of(&self, text: &str) -> CueVectors {
        let [general, recall] = self.encoders.encode_twice(text);
        let minilm = self.encoders.encode(Encoder::MiniLmRecall, text);
        CueVectors {
            about: AboutVectors::of(&minilm, &recall),
            minilm: packed(&minilm),
            specificity: knows_script(text).then(|| specificity(&general)).flatten(),
            use_multilingual: packed(&recall),
        }
    }
}

/// The vectors of `text` in `recent`, made and added if they are not there.
fn cached<V>(recent: &Mutex<Recent<V>>, text: &str, make: impl FnOnce(&str) -> V) -> Arc<V> {
    let end = (0..=LONGEST.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
    let text = text.get(..end.unwrap_or(0)).unwrap_or_default();
    let known = || {
        let recent = recent.lock().unwrap_or_else(PoisonError::into_inner);
        recent.iter().find(|(known, _)| known == text).map(|(_, vectors)| Arc::clone(vectors))
    };
    if let Some(known) = known() {
        return known;
    }
    let encoded = Arc::new(make(text));
    let mut recent = recent.lock().unwrap_or_else(PoisonError::into_inner);
    if recent.len() >= RECENT {
        recent.remove(0);
    }
    recent.push((text.to_owned(), Arc::clone(&encoded)));
    encoded
}

impl std::fmt::Debug for CueEncoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("CueEncoder").field(&self.encoders).finish()
    }
}

impl<const N: usize> Packed<N> {
    /// The numbers that the bytes stand for.
    fn numbers(&self) -> Vec<f32> {
        self.codes.codes().iter().map(|code| f32::from(*code) * self.step).collect()
    }

    /// The cosine of two vectors.
    pub(crate) fn cosine(&self, other: &Self) -> f32 {
        self.cosine_of_codes(&other.codes, other.step)
    }

    /// The cosine of this vector and the one with these codes.
    pub(crate) fn cosine_of_codes(&self, codes: &Row<N>, step: f32) -> f32 {
        let mut dots = [0_i32];
        kernel::dots(&self.codes, std::slice::from_ref(codes), &mut dots);
        let [dot] = dots;
        self.product(dot, step)
    }

    /// The value of a dot product of codes.
    #[expect(clippy::cast_precision_loss, reason = "a dot product of 512 bytes has 23 bits")]
    pub(crate) fn product(&self, dot: i32, step: f32) -> f32 {
        dot as f32 * (self.step * step)
    }
}

pub(crate) fn packed<const N: usize>(numbers: &[f32]) -> Packed<N> {
    let (codes, step) = quantised(numbers);
    Packed { codes: Row::from_fn(|at| codes.get(at).copied().unwrap_or(0)), step }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cue_that_comes_again_is_not_encoded_again_until_it_is_forgotten() {
        let encoder = CueEncoder::new(Encoders::built_in().unwrap());
        let first = encoder.encode("Where is the sauna?");
        assert!(Arc::ptr_eq(&first, &encoder.encode("Where is the sauna?")));
        encoder.forget();
        assert!(!Arc::ptr_eq(&first, &encoder.encode("Where is the sauna?")));
        for number in 0..2 * RECENT {
            encoder.encode(&format!("room {number}"));
        }
        assert_eq!(encoder.recent.lock().unwrap().len(), RECENT);
    }

    #[test]
    fn greetings_have_no_topic_in_any_of_five_languages_and_questions_have() {
        let encoder = CueEncoder::new(Encoders::built_in().unwrap());
        for greeting in [
            "Good morning!",
            "Guten Abend, da bin ich wieder.",
            "Hola, ¿qué tal?",
            "Bonjour, c'est moi",
            "Bună ziua!",
        ] {
            assert!(encoder.encode(greeting).specificity.unwrap() < 0.3, "{greeting}");
        }
        for question in [
            "Which pills do I take at night?",
            "Wann kommt meine Schwester?",
            "¿A qué hora es mi vuelo?",
            "Où est ma valise rouge ?",
            "Ce alergii am?",
        ] {
            assert!(encoder.encode(question).specificity.unwrap() > 0.6, "{question}");
        }
    }

    #[test]
    fn a_cue_of_megabytes_is_read_as_far_as_the_encoders_do() {
        let encoder = CueEncoder::new(Encoders::built_in().unwrap());
        encoder.encode(&"é".repeat(1_000_000));
        assert!(encoder.recent.lock().unwrap()[0].0.len() <= LONGEST);
    }
}
