//! Linear models over a sentence, trained by `model/intents`: what a message wants, and whether a sentence about the
//! persona is a rule of its conduct.
//!
//! They read the words, pairs of words and parts of words, a few plain traits, and the vectors of both encoders. Where
//! the encoders can't be used, a second model decides by words alone.

use std::collections::BTreeMap;

use recall::CueEncoder;

use super::intent::Intent;

static WEIGHTS: &[u8] = include_bytes!("../../../../../../model/intents/weights.bin");

/// The places of words and their parts.
const BUCKETS: usize = 4096;
const LANGUAGES: [&str; 5] = ["en", "de", "fr", "es", "ro"];
/// The plain traits: five, and the language.
const TRAITS: usize = 5 + LANGUAGES.len();
const USE: usize = 512;
const MINILM: usize = 384;
/// The vectors count this much more than the words.
const VECTORS: f32 = 2.5;
/// The step and the bias before the weights of a class.
const HEAD: usize = 8;
/// The letters of a part of a word.
const PART: usize = 4;

/// A row of weights: the step and the bias as little-endian `f32`, then each weight as a number of steps.
const WORDS_ROW: usize = HEAD + BUCKETS + TRAITS;
const CONDUCT_ROW: usize = WORDS_ROW + USE;
const BOTH_ROW: usize = CONDUCT_ROW + MINILM;
const CLASSES: usize = Intent::ALL.len();

/// How likely each intent is; the chances of a sentence sum up to 1.
#[derive(Clone, Debug)]
pub(super) struct Chances([f32; CLASSES]);

impl Chances {
    /// The chances of a sentence in `language`.
    pub(super) fn of(sentence: &str, language: &str, encoder: Option<&CueEncoder>) -> Self {
        let features = Features::of(sentence, language, encoder);
        let (skipped, row) = if encoder.is_some() { (0, BOTH_ROW) } else { (CLASSES * BOTH_ROW, WORDS_ROW) };
        let scores: [f32; CLASSES] =
            std::array::from_fn(|class| features.score(weights(skipped + class * row, row)));
        let most = scores.iter().copied().fold(f32::MIN, f32::max);
        let odds = scores.map(|score| (score - most).exp());
        let sum: f32 = odds.iter().sum();
        Self(odds.map(|odds| odds / sum))
    }

    pub(super) fn of_intent(&self, intent: Intent) -> f32 {
        self.0.get(intent as usize).copied().unwrap_or(0.0)
    }

    /// The chance that it is one of `intents`.
    pub(super) fn of_any(&self, intents: impl Fn(Intent) -> bool) -> f32 {
        Intent::ALL.into_iter().filter(|intent| intents(*intent)).map(|intent| self.of_intent(intent)).sum()
    }

    /// The most likely intent and its chance.
    pub(super) fn best(&self) -> (Intent, f32) {
        let pairs = Intent::ALL.into_iter().zip(self.0);
        pairs.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((Intent::Statement, 0.0))
    }
}

/// The chance that a sentence about the persona is a rule of its conduct ("You never pass on what a visitor tells
/// you") and not a fact of its life.
pub(super) fn chance_of_rule(sentence: &str, language: &str, encoder: Option<&CueEncoder>) -> f32 {
    let features = Features::of(sentence, language, encoder);
    let score = features.score(weights(CLASSES * (BOTH_ROW + WORDS_ROW), CONDUCT_ROW));
    1.0 / (1.0 + (-score).exp())
}

fn weights(from: usize, length: usize) -> &'static [u8] {
    WEIGHTS.get(from..from + length).unwrap_or_default()
}

/// What the models read of a sentence.
struct Features {
    /// The bucket and the weight of each word and part of a word.
    grams: BTreeMap<usize, f32>,
    /// The traits, then the vectors, if there are any.
    numbers: Vec<f32>,
}

impl Features {
    fn of(text: &str, language: &str, encoder: Option<&CueEncoder>) -> Self {
        let words = plain_words(text);
        let mut numbers = traits(text, words.len(), language);
        if let Some(encoder) = encoder {
            let (use_multilingual, minilm) = encoder.sentence_vectors(text);
            numbers.extend(scaled(&use_multilingual, VECTORS));
            numbers.extend(scaled(&minilm, if language == "en" { VECTORS } else { 0.0 }));
        }
        Self { grams: grams(&words), numbers }
    }

    /// The score by one row of weights. A row may be shorter than what is known, or longer.
    fn score(&self, row: &[u8]) -> f32 {
        let Some((step, rest)) = row.split_first_chunk::<4>() else { return 0.0 };
        let Some((bias, codes)) = rest.split_first_chunk::<4>() else { return 0.0 };
        let code = |code: &u8| f32::from(code.cast_signed());
        let words = self
            .grams
            .iter()
            .map(|(bucket, value)| codes.get(*bucket).map_or(0.0, code) * value)
            .sum::<f32>();
        let rest = codes.get(BUCKETS..).unwrap_or_default();
        let numbers: f32 = rest.iter().zip(&self.numbers).map(|(own, number)| code(own) * number).sum();
        f32::from_le_bytes(*bias) + f32::from_le_bytes(*step) * (words + numbers)
    }
}

fn scaled(vector: &[f32], length: f32) -> Vec<f32> {
    let norm = vector.iter().map(|number| number * number).sum::<f32>().sqrt().max(1e-9);
    vector.iter().map(|number| number * length / norm).collect()
}

fn traits(text: &str, words: usize, language: &str) -> Vec<f32> {
    let flag = |is: bool| if is { 1.0 } else { 0.0 };
    let end = text.trim_end_matches([' ', '"', '”', '»', ')']);
    let length = f32::from(u8::try_from(words.min(30)).unwrap_or(30)) / 10.0;
    let plain = [
        flag(end.ends_with('?')),
        flag(text.contains('?')),
        flag(end.ends_with('!')),
        length,
        flag(words <= 2),
    ];
    plain.into_iter().chain(LANGUAGES.map(|code| flag(code == language))).collect()
}

/// The words in lower case, without accents and apostrophes, each digit as 0.
fn plain_words(text: &str) -> Vec<String> {
    let letters = text::without_accents(text).flat_map(char::to_lowercase).filter(|c| !"'’".contains(*c));
    let plain: String = letters.map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    let words = plain.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

/// Words, pairs of words and parts of words, each kind together of length 1.
fn grams(words: &[String]) -> BTreeMap<usize, f32> {
    let framed: Vec<&str> =
        std::iter::once("<").chain(words.iter().map(String::as_str)).chain([">"]).collect();
    let kinds: [Vec<usize>; 3] = [
        words.iter().map(|word| bucket("w", word)).collect(),
        framed.iter().zip(framed.iter().skip(1)).map(|(a, b)| bucket("p", &format!("{a} {b}"))).collect(),
        words.iter().flat_map(|word| parts(word)).map(|part| bucket("c", &part)).collect(),
    ];
    let mut all: BTreeMap<usize, f32> = BTreeMap::new();
    for kind in kinds {
        let mut counts: BTreeMap<usize, f32> = BTreeMap::new();
        for bucket in kind {
            *counts.entry(bucket).or_default() += 1.0;
        }
        let norm = counts.values().map(|count| count * count).sum::<f32>().sqrt().max(1e-9);
        for (bucket, count) in counts {
            *all.entry(bucket).or_default() += count / norm;
        }
    }
    all
}

fn parts(word: &str) -> Vec<String> {
    let letters: Vec<char> = format!("_{word}_").chars().collect();
    if letters.len() <= PART {
        return vec![letters.into_iter().collect()];
    }
    letters.windows(PART).map(|part| part.iter().collect()).collect()
}

/// The bucket of a word or part (FNV-1a, folded).
fn bucket(kind: &str, gram: &str) -> usize {
    let bytes = kind.bytes().chain(gram.bytes());
    let key = bytes.fold(0x811c_9dc5_u32, |key, byte| (key ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    usize::try_from(key ^ (key >> 15)).unwrap_or(0) % BUCKETS
}

#[cfg(test)]
mod tests {
    use recall::sentences::Encoders;
    use serde_json::Value;

    use super::*;

    #[test]
    fn the_models_say_what_their_trainer_says() {
        let reference = include_str!("../../../../../../model/intents/reference.json");
        let reference: Value = serde_json::from_str(reference).unwrap();
        let encoder = CueEncoder::new(Encoders::built_in().unwrap());
        let check = |line: &Value, said: f32, expected: &Value| {
            let expected = expected.as_f64().unwrap();
            assert!((f64::from(said) - expected).abs() < 0.02, "{line}: {said} instead of {expected}");
        };
        assert_eq!(WEIGHTS.len(), CLASSES * (BOTH_ROW + WORDS_ROW) + CONDUCT_ROW);
        let text = |line: &Value, key: &str| line[key].as_str().unwrap().to_owned();
        for line in reference["messages"].as_array().unwrap() {
            for (name, encoder) in [("both", Some(&encoder)), ("words", None)] {
                let chances = Chances::of(&text(line, "text"), &text(line, "language"), encoder);
                let intent: Intent = serde_json::from_value(line[name][0].clone()).unwrap();
                check(line, chances.of_intent(intent), &line[name][1]);
                assert_eq!(chances.best().0, intent, "{line}");
            }
        }
        for line in reference["conduct"].as_array().unwrap() {
            let chance = chance_of_rule(&text(line, "text"), &text(line, "language"), Some(&encoder));
            check(line, chance, &line["rule"]);
        }
    }

    #[test]
    fn careless_questions_are_distinguished_from_statements_that_begin_like_one() {
        let encoder = CueEncoder::new(Encoders::built_in().unwrap());
        for (said, language, asks) in [
            ("whats the name of my dentist agian", "en", true),
            ("cant think where i left the car, any clue", "en", true),
            ("What a lovely morning that was.", "en", false),
            ("When we were young we had no car.", "en", false),
            ("wie hieß nochmal mein chef", "de", true),
            ("Was für ein Tag!", "de", false),
        ] {
            let chances = Chances::of(said, language, Some(&encoder));
            assert_eq!(chances.of_any(Intent::asks) > 0.5, asks, "{said}: {:?}", chances.best());
        }
    }

    #[test]
    fn rules_of_conduct_are_distinguished_from_facts() {
        let encoder = CueEncoder::new(Encoders::built_in().unwrap());
        for (said, language, is_rule) in [
            ("You never repeat what one passenger told you to another.", "en", true),
            ("If you can't recall a thing, you say that you can't.", "en", true),
            ("You have never been abroad.", "en", false),
            ("You paint the boats every spring.", "en", false),
            ("Du erzählst niemandem, was andere dir anvertrauen.", "de", true),
            ("Du wohnst in einem Turm am Hafen.", "de", false),
        ] {
            assert_eq!(chance_of_rule(said, language, Some(&encoder)) > 0.5, is_rule, "{said}");
        }
    }
}
