//! Comparison of sentences that are not memories: earlier messages of the conversation, sentences in a
//! persona's files, and examples of user messages.

use std::collections::BTreeMap;

use crate::arithmetic::count;
use crate::bm25::{Weighing, rarity};
use crate::cue_encoder::CueEncoder;
use crate::embed::embed;
use crate::fusion::{Cosines, Fusion};
use crate::general_vectors::GeneralVectors;
use crate::query::Query;
use crate::words::{Lexicon, Term};

/// The relevance of each of `sentences` to `cue`, from 0 to 1, on the scale of a memory's relevance.
///
/// The cue counts as specific, since it is known to be about one of them. Words are weighted among the
/// given sentences, and without an encoder they and the built-in table decide.
#[must_use]
pub fn sentence_relevance(
    cue: &str,
    sentences: &[&str],
    language: &str,
    encoder: Option<&CueEncoder>,
) -> Vec<f32> {
    let query = Query::of_words(cue, language, encoder);
    let fusion = Fusion::of_sentences().of_cue(1.0, query.language);
    let cue = encoder.map(|encoder| encoder.encode_sentence(cue));
    let words = shared_words(&query.terms, sentences, language);
    let evidence = sentences.iter().zip(words).map(|(sentence, share)| {
        let table = embed(sentence).cosine(&query.meaning);
        let cosines = match (encoder, &cue) {
            (Some(encoder), Some(cue)) => encoder.encode_sentence(sentence).cosines(cue, table),
            (Some(_) | None, _) => Cosines { table, ..Cosines::default() },
        };
        fusion.meaning(cosines) + fusion.words * share
    });
    evidence.map(|evidence| fusion.relevance(evidence)).collect()
}

/// The share of the words in `terms` that each sentence contains, from 0 to 1, rare ones counting more.
fn shared_words(terms: &[Term], sentences: &[&str], language: &str) -> Vec<f32> {
    let mut lexicon = Lexicon::new(language);
    let counted = |sentence: &&str| {
        let mut counts: BTreeMap<Term, u8> = BTreeMap::new();
        for term in lexicon.terms(sentence) {
            let times = counts.entry(term).or_default();
            *times = times.saturating_add(1);
        }
        counts
    };
    let counts: Vec<BTreeMap<Term, u8>> = sentences.iter().map(counted).collect();
    let length =
        |counts: &BTreeMap<Term, u8>| counts.values().map(|times| usize::from(*times)).sum::<usize>();
    let total: usize = counts.iter().map(length).sum();
    let weighing = Weighing::of_average(count(total) / count(sentences.len().max(1)));
    let containing = |term: &Term| counts.iter().filter(|sentence| sentence.contains_key(term)).count();
    let rarities: Vec<(Term, f32)> =
        terms.iter().map(|term| (*term, rarity(sentences.len(), containing(term)))).collect();
    let all: f32 = rarities.iter().map(|(_, rarity)| rarity).sum();
    let share = |sentence: &BTreeMap<Term, u8>| {
        let length = u16::try_from(length(sentence)).unwrap_or(u16::MAX);
        let shared = |(term, rarity): &(Term, f32)| {
            sentence.get(term).map_or(0.0, |times| rarity * weighing.weigh(*times, length))
        };
        if all > 0.0 { rarities.iter().map(shared).sum::<f32>() / all } else { 0.0 }
    };
    counts.iter().map(share).collect()
}

impl GeneralVectors {
    fn cosines(&self, cue: &Self, table: f32) -> Cosines {
        Cosines {
            table,
            minilm: self.minilm.cosine(&cue.minilm),
            use_multilingual: self.use_multilingual.cosine(&cue.use_multilingual),
            is_encoded: true,
        }
    }
}

#[cfg(test)]
mod tests {
    use encoders::Encoders;

    use super::*;

    fn best<'s>(cue: &str, sentences: &[&'s str], encoder: Option<&CueEncoder>) -> &'s str {
        let relevance = sentence_relevance(cue, sentences, "en", encoder);
        let best = relevance.iter().zip(sentences).max_by(|a, b| a.0.total_cmp(b.0));
        best.unwrap().1
    }

    #[test]
    fn the_sentence_that_answers_is_the_most_relevant_with_and_without_encoders() {
        let encoder = CueEncoder::new(Encoders::built_in().unwrap());
        let sentences =
            ["My detective is called Ilse Brandt.", "It rains in Hamburg.", "I bought a red bicycle."];
        for encoder in [Some(&encoder), None] {
            assert_eq!(best("What is the name of my detective?", &sentences, encoder), sentences[0]);
            assert_eq!(best("Which colour has my bicycle?", &sentences, encoder), sentences[2]);
        }
        assert!(sentence_relevance("anything", &[], "en", None).is_empty());
    }
}
