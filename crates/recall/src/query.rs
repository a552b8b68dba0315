//! A parsed cue: its embedding, its words, and the people and dates it names.

use unicode_segmentation::UnicodeSegmentation;

use std::sync::Arc;

use crate::candidates::Candidates;
use crate::cue_encoder::{CueEncoder, CueVectors};
use crate::dates::{Days, days_in};
use crate::embed::Row;
use crate::embed::{Vector, embed};
use crate::index::Snapshot;
use crate::language::{CueLanguage, language_of};
use crate::rank::Question;
use crate::relations::related;
use crate::words::{Lexicon, Term, tag_term};

/// A parsed cue.
pub(crate) struct Query {
    pub(crate) meaning: Vector,
    pub(crate) packed: Row,
    pub(crate) step: f32,
    /// The cue's sentence vectors, if there are encoders.
    pub(crate) sentences: Option<Arc<CueVectors>>,
    /// Its language.
    pub(crate) language: CueLanguage,
    /// The distinct words, in the order of the cue.
    pub(crate) terms: Vec<Term>,
    /// Names and relations that the memories connect with those words.
    pub(crate) related: Vec<Term>,
    pub(crate) topics: Vec<Term>,
    /// Numbers of the people named.
    pub(crate) speakers: Vec<u32>,
    pub(crate) days: Vec<Days>,
}

impl Query {
    /// Parses a cue using only the candidates: names that the listener may not hear are unknown.
    pub(crate) fn of(question: &Question<'_>, snapshot: &Snapshot, candidates: &Candidates) -> Self {
        let Question { cue, topics, .. } = *question;
        let (speakers, nameless) = without_names(cue, snapshot, candidates);
        let words = Self::of_words(&nameless, snapshot.language(), question.encoder);
        let topics = if topics.is_empty() {
            terms_as_tags(cue)
        } else {
            in_order(topics.iter().map(|t| tag_term(t.as_str())).collect())
        };
        let related = related(&words.terms, snapshot, candidates);
        Self { related, topics, speakers, days: days_in(cue, question.now), ..words }
    }

    /// A query for exactly these words, including names.
    pub(crate) fn of_words(words: &str, language: &str, encoder: Option<&CueEncoder>) -> Self {
        let meaning = embed(words);
        let (packed, step) = meaning.quantised();
        Self {
            meaning,
            packed,
            step,
            sentences: encoder.map(|encoder| encoder.encode(words)),
            language: CueLanguage::of(language_of(words, language)),
            terms: in_order(Lexicon::new(language).terms(words)),
            related: Vec::new(),
            topics: Vec::new(),
            speakers: Vec::new(),
            days: Vec::new(),
        }
    }

    /// How specific the cue is, from 0 for a greeting to 1.
    ///
    /// Without encoders, and in a language they don't know, only a cue without content words has no topic.
    pub(crate) fn specificity(&self) -> f32 {
        let is_named = !self.days.is_empty();
        let by_words = if self.terms.is_empty() { 0.0 } else { 1.0 };
        let specificity = self.sentences.as_ref().and_then(|cue| cue.specificity).unwrap_or(by_words);
        if is_named { specificity.max(0.5) } else { specificity }
    }
}

/// The people `cue` names, and the cue without those names: a person is matched as a field, not by the
/// embedding.
fn without_names(cue: &str, snapshot: &Snapshot, candidates: &Candidates) -> (Vec<u32>, String) {
    let (mut named, mut rest) = (Vec::new(), String::with_capacity(cue.len()));
    for word in cue.split_word_bounds() {
        let people = called(word, snapshot, candidates);
        if people.is_empty() {
            rest.push_str(word);
        }
        named.extend(people);
    }
    (in_order(named), rest)
}

fn called(word: &str, snapshot: &Snapshot, candidates: &Candidates) -> Vec<u32> {
    if !word.starts_with(char::is_alphabetic) || word.len() > 64 {
        return Vec::new();
    }
    let lower = word.to_lowercase();
    let bare = lower.strip_suffix("'s").or_else(|| lower.strip_suffix("\u{2019}s")).unwrap_or(&lower);
    let people = snapshot.people().called(bare).iter().copied();
    people.filter(|subject| candidates.include_subject(snapshot, *subject)).collect()
}

fn terms_as_tags(cue: &str) -> Vec<Term> {
    in_order(cue.unicode_words().map(tag_term).collect())
}

/// The distinct items, in the order of their first occurrence.
fn in_order<T: Copy + Ord>(items: Vec<T>) -> Vec<T> {
    let mut seen = std::collections::BTreeSet::new();
    items.into_iter().filter(|item| seen.insert(*item)).collect()
}
