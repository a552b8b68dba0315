//! Measuring recall on conversations with known answers.
//!
//! Nothing here ranks: a conversation becomes memories, the memories an [`Index`], and each question
//! is asked of [`rank`] with the product's defaults. Rehearsal plays no part.

mod locomo;
mod longmemeval;
mod metrics;
mod spoken;

pub use metrics::{Measured, Metrics};

use std::collections::BTreeMap;

use domain::{Atom, DecayFunction, Listener, MemoryId, MemoryPolicy, Timestamp};

use crate::index::{Entry, Index, meaning_of};
use crate::{Fusion, Question, rank_with};

/// A conversation, remembered, and what can be asked about it.
pub struct Conversation {
    /// Its name in the file.
    pub name: String,
    /// One memory for each turn.
    pub memories: Vec<Atom>,
    /// The questions.
    pub questions: Vec<Asked>,
}

/// A question and the memories that answer it.
pub struct Asked {
    /// The question.
    pub cue: String,
    /// Its kind.
    pub category: String,
    /// When it is asked.
    pub at: Timestamp,
    /// The memories that answer it; never empty.
    pub answers: Vec<MemoryId>,
}

/// A file that is not what it should be.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// It is not JSON at all.
    #[error("not a JSON file: {0}")]
    Json(#[from] serde_json::Error),
    /// Something is missing from it.
    #[error("`{name}` has no {what}; is this a file of the benchmark?")]
    Missing {
        /// The conversation or question.
        name: String,
        /// What it lacks.
        what: &'static str,
    },
}

/// Whether memories fade while they are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fading {
    /// They do not.
    Off,
    /// They do, by the default profile.
    On,
}

/// Reads a LoCoMo file: turns of two people, questions of categories 1 to 4.
pub fn read_locomo(file: &[u8]) -> Result<Vec<Conversation>, Unreadable> {
    locomo::read(&serde_json::from_slice(file)?)
}

/// Reads a LongMemEval file: sessions of a user with an assistant, one question for each haystack.
pub fn read_longmemeval(file: &[u8]) -> Result<Vec<Conversation>, Unreadable> {
    longmemeval::read(&serde_json::from_slice(file)?)
}

/// Asks every question of `conversation`, and measures where its answers stand, by category.
#[must_use]
pub fn measure(conversation: &Conversation, fading: Fading) -> BTreeMap<String, Measured> {
    measure_with(conversation, fading, &Fusion::default(), &MemoryPolicy::default())
}

/// As [`measure`], with other weights than the product's.
#[must_use]
pub fn measure_with(
    conversation: &Conversation,
    fading: Fading,
    fusion: &Fusion,
    policy: &MemoryPolicy,
) -> BTreeMap<String, Measured> {
    let index = index_of(conversation, fading);
    let snapshot = index.snapshot();
    let mut measured: BTreeMap<String, Measured> = BTreeMap::new();
    for asked in &conversation.questions {
        let listener = Listener::default();
        let question = Question { cue: &asked.cue, topics: &[], listener: &listener, policy, now: asked.at };
        let ranked = rank_with(&snapshot, &question, fusion);
        let order: Vec<MemoryId> = ranked.best.iter().map(|scored| scored.id).collect();
        measured.entry(asked.category.clone()).or_default().add(&Metrics::of(&order, &asked.answers));
    }
    measured
}

fn index_of(conversation: &Conversation, fading: Fading) -> Index {
    let mut memories = conversation.memories.clone();
    for atom in &mut memories {
        match fading {
            Fading::Off => atom.decay_profile.function = DecayFunction::None,
            Fading::On => {}
        }
    }
    let mut index = Index::new("en");
    index.put(memories.iter().map(|atom| Entry { atom, meaning: meaning_of(atom), sentences: None }));
    index
}

#[cfg(test)]
mod tests;
