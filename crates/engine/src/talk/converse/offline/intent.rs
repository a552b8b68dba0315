//! The intent of a sentence, by the most similar example.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use recall::{CueEncoder, EncodedTexts};
use serde::Deserialize;

use super::phrases;

/// The intent of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Intent {
    Greeting,
    HowAreYou,
    Thanks,
    Goodbye,
    Goodnight,
    AsksPermission,
    AsksName,
    /// The speaker's name.
    AsksSpeakerName,
    AsksIntroduction,
    AsksAge,
    AsksHome,
    AsksWork,
    AsksPastimes,
    AsksPride,
    AsksChildhood,
    AsksAi,
    /// What the persona knows about the speaker.
    AsksKnowledge,
    /// Whether and how long messages are stored.
    AsksKeeping,
    /// Allows sensitive details to be remembered.
    GivesConsent,
    AsksForgetOne,
    AsksForgetAll,
    /// What other people said.
    AsksOthers,
    /// Begs for what was refused.
    Insists,
    AsksAbilities,
    Statement,
    QuestionAboutSpeaker,
    QuestionAboutPersona,
    QuestionAboutWorld,
}

impl Intent {
    #[cfg(test)]
    pub(super) const ALL: [Self; 28] = [
        Self::Greeting,
        Self::HowAreYou,
        Self::Thanks,
        Self::Goodbye,
        Self::Goodnight,
        Self::AsksPermission,
        Self::AsksName,
        Self::AsksSpeakerName,
        Self::AsksIntroduction,
        Self::AsksAge,
        Self::AsksHome,
        Self::AsksWork,
        Self::AsksPastimes,
        Self::AsksPride,
        Self::AsksChildhood,
        Self::AsksAi,
        Self::AsksKnowledge,
        Self::AsksKeeping,
        Self::GivesConsent,
        Self::AsksForgetOne,
        Self::AsksForgetAll,
        Self::AsksOthers,
        Self::Insists,
        Self::AsksAbilities,
        Self::Statement,
        Self::QuestionAboutSpeaker,
        Self::QuestionAboutPersona,
        Self::QuestionAboutWorld,
    ];

    /// Whether it is about the persona itself.
    pub(super) const fn is_about_persona(self) -> bool {
        matches!(
            self,
            Self::AsksIntroduction
                | Self::AsksAge
                | Self::AsksHome
                | Self::AsksWork
                | Self::AsksPastimes
                | Self::AsksPride
                | Self::AsksChildhood
                | Self::AsksAbilities
        )
    }

    /// Whether it is a greeting or the like, which asks for no knowledge.
    pub(super) const fn is_courtesy(self) -> bool {
        matches!(self, Self::Greeting | Self::HowAreYou | Self::Thanks | Self::Goodbye | Self::Goodnight)
    }
}

/// An intent, and the similarity of a sentence to its nearest example.
pub(super) type Likely = (Intent, f32);

/// The vectors of all examples, so that the first message doesn't wait for encoding; a test keeps them
/// complete and says how to write them again.
const EXAMPLE_VECTORS: &[u8] = include_bytes!("vectors.bin");

/// The encoded examples of the languages used so far.
#[derive(Default)]
pub(crate) struct IntentExamples(Mutex<BTreeMap<&'static str, Arc<Examples>>>);

struct Examples {
    intents: Vec<Intent>,
    encoded: EncodedTexts,
}

impl IntentExamples {
    /// The examples of a language with their vectors.
    fn of(&self, language: &str, encoder: &CueEncoder) -> Arc<Examples> {
        let code = phrases::code(language);
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(known.entry(code).or_insert_with(|| Arc::new(Examples::of(code, encoder))))
    }

    /// The intents similar to `sentence`, most similar first. Without an encoder, by shared words.
    pub(super) fn rank(&self, sentence: &str, language: &str, encoder: Option<&CueEncoder>) -> Vec<Likely> {
        let mut best: BTreeMap<Intent, f32> = BTreeMap::new();
        let mut offer = |intent: Intent, similarity: f32| {
            let known = best.entry(intent).or_insert(similarity);
            *known = known.max(similarity);
        };
        if let Some(encoder) = encoder {
            let examples = self.of(language, encoder);
            let similarities = examples.encoded.similarities(sentence, language, encoder);
            examples
                .intents
                .iter()
                .zip(similarities)
                .for_each(|(intent, similarity)| offer(*intent, similarity));
        } else {
            let bare = super::question::bare_words(sentence);
            for (intent, examples) in &phrases::of(language).intents {
                let share = |example: &String| shared(&bare, &super::question::bare_words(example));
                examples.iter().map(share).for_each(|similarity| offer(*intent, similarity));
            }
        }
        let mut ranked: Vec<Likely> = best.into_iter().collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
        ranked
    }
}

impl Examples {
    fn of(code: &str, encoder: &CueEncoder) -> Self {
        let pairs = || {
            let intents = phrases::of(code).intents.iter();
            intents.flat_map(|(intent, examples)| examples.iter().map(|text| (*intent, text.as_str())))
        };
        let texts: Vec<&str> = pairs().map(|(_, text)| text).collect();
        Self {
            intents: pairs().map(|(intent, _)| intent).collect(),
            encoded: EncodedTexts::of(&texts, EXAMPLE_VECTORS, encoder),
        }
    }
}

/// The share of words that two texts have in common.
fn shared(one: &[String], other: &[String]) -> f32 {
    let both = one.iter().filter(|word| other.contains(word)).count();
    let all = one.len() + other.len() - both;
    let count = |number: usize| f32::from(u16::try_from(number).unwrap_or(u16::MAX));
    if all == 0 { 0.0 } else { count(both) / count(all) }
}

#[cfg(test)]
mod tests {
    use std::env;
    use std::fs;

    use recall::sentences::Encoders;

    use super::*;

    #[test]
    fn all_examples_come_with_their_vectors() {
        let encoder = CueEncoder::new(Encoders::built_in().unwrap());
        let intents = ["en", "de", "fr", "es", "ro"].map(|code| &phrases::of(code).intents);
        let texts: Vec<&str> =
            intents.into_iter().flat_map(BTreeMap::values).flatten().map(String::as_str).collect();
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/talk/converse/offline/vectors.bin");
        if env::var_os("UPDATE_VECTORS").is_some() {
            fs::write(path, EncodedTexts::to_file(&texts, &encoder)).unwrap();
        }
        let missing = EncodedTexts::missing(&texts, &fs::read(path).unwrap());
        assert!(missing.is_empty(), "no vectors of {missing:?}: run this test with UPDATE_VECTORS=1");
    }
}
