//! What a cue asks for: its meaning, its words, the people and the days it names.

use domain::{Text, Timestamp};
use unicode_segmentation::UnicodeSegmentation;

use crate::candidates::Candidates;
use crate::dates::{Days, days_in};
use crate::embed::{Vector, embed};
use crate::index::Snapshot;
use crate::kernel::Row;
use crate::telling::Telling;
use crate::words::{Lexicon, Term, tag_term};

/// A cue, taken apart.
pub(crate) struct Query {
    pub(crate) meaning: Vector,
    pub(crate) packed: Row,
    pub(crate) step: f32,
    /// The distinct words, in the order of the cue.
    pub(crate) terms: Vec<Term>,
    pub(crate) topics: Vec<Term>,
    /// Numbers of the people named.
    pub(crate) speakers: Vec<u32>,
    pub(crate) days: Vec<Days>,
}

impl Query {
    /// Takes `cue` apart as far as the candidates allow: only names the listener may hear are known.
    pub(crate) fn of(
        cue: &str,
        topics: &[Text],
        now: Timestamp,
        snapshot: &Snapshot,
        candidates: &Candidates,
    ) -> Self {
        let (speakers, nameless) = without_names(cue, snapshot, candidates);
        let mut lexicon = Lexicon::new(snapshot.language());
        let meaning = embed(&nameless);
        let (packed, step) = meaning.quantised();
        let terms = in_order(lexicon.terms(&nameless));
        let topics = if topics.is_empty() {
            terms_as_tags(cue)
        } else {
            in_order(topics.iter().map(|t| tag_term(t.as_str())).collect())
        };
        Self { meaning, packed, step, terms, topics, speakers, days: days_in(cue, now) }
    }

    /// What the cue tells by naming people and days.
    pub(crate) fn named(&self) -> Telling {
        let mut telling = Telling::default();
        let kinds = [self.speakers.is_empty(), self.days.is_empty()];
        kinds.iter().filter(|is_empty| !**is_empty).for_each(|_| telling.add_named());
        telling
    }

    /// Words that are looked for as they stand, names included.
    pub(crate) fn of_words(words: &str, language: &str) -> Self {
        let meaning = embed(words);
        let (packed, step) = meaning.quantised();
        let terms = in_order(Lexicon::new(language).terms(words));
        Self { meaning, packed, step, terms, topics: Vec::new(), speakers: Vec::new(), days: Vec::new() }
    }
}

/// The people `cue` names, and the cue without those names: who is meant is a field, not a meaning.
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

/// The distinct items, each where it first stood.
fn in_order<T: Copy + Ord>(items: Vec<T>) -> Vec<T> {
    let mut seen = std::collections::BTreeSet::new();
    items.into_iter().filter(|item| seen.insert(*item)).collect()
}
