//! Evaluation of recall on conversations with known answers.
//!
//! Nothing here ranks: a conversation becomes memories, the memories an [`Index`], and each question is
//! passed to [`rank`] with the product's defaults. Rehearsal is not simulated.

mod everyday;
mod locomo;
mod longmemeval;
mod metrics;
mod spoken;

pub use everyday::{Age, Answer, Person, Reader, ask_everyday, known_from_unknown, pooled, read_everyday};
pub use metrics::{Measured, Metrics};

use std::collections::BTreeMap;

use domain::{Atom, DecayFunction, Listener, MemoryId, MemoryPolicy, Timestamp};

use crate::index::{Entry, Index, meaning_of};
use crate::sentences::{Encoders, SentenceVectors};
use crate::{CueEncoder, Question, rank};

/// A conversation as memories, and the questions about it.
pub struct Conversation {
    /// Its name in the file.
    pub name: String,
    /// One memory for each turn.
    pub memories: Vec<Atom>,
    /// The questions.
    pub questions: Vec<EvalQuestion>,
}

/// A question and the memories that answer it.
pub struct EvalQuestion {
    /// The question.
    pub cue: String,
    /// Its kind.
    pub category: String,
    /// When it is asked.
    pub at: Timestamp,
    /// The memories that answer it; never empty.
    pub answers: Vec<MemoryId>,
}

/// Why a file can't be read.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// It is not JSON.
    #[error("not a JSON file: {0}")]
    Json(#[from] serde_json::Error),
    /// A part is missing.
    #[error("`{name}` has no {what}; is this a file of the benchmark?")]
    Missing {
        /// The conversation or question.
        name: String,
        /// The missing part.
        what: &'static str,
    },
}

/// Whether memories fade during the evaluation.
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

/// Asks every question of `conversation`, and measures the ranks of its answers, by category.
#[must_use]
pub fn measure(
    conversation: &Conversation,
    fading: Fading,
    encoders: Option<&Encoders>,
) -> BTreeMap<String, Measured> {
    let index = index_of(conversation, fading, encoders);
    let snapshot = index.snapshot();
    let encoder = encoders.cloned().map(CueEncoder::new);
    let (listener, policy) = (Listener::default(), MemoryPolicy::default());
    let mut measured: BTreeMap<String, Measured> = BTreeMap::new();
    for asked in &conversation.questions {
        let question = Question {
            cue: &asked.cue,
            topics: &[],
            listener: &listener,
            policy: &policy,
            now: asked.at,
            encoder: encoder.as_ref(),
        };
        let ranked = rank(&snapshot, &question);
        let order: Vec<MemoryId> = ranked.best.iter().map(|scored| scored.id).collect();
        measured.entry(asked.category.clone()).or_default().add(&Metrics::of(&order, &asked.answers));
    }
    measured
}

fn index_of(conversation: &Conversation, fading: Fading, encoders: Option<&Encoders>) -> Index {
    let mut memories = conversation.memories.clone();
    for atom in &mut memories {
        match fading {
            Fading::Off => atom.decay_profile.function = DecayFunction::None,
            Fading::On => {}
        }
    }
    let vectors = encode_all(&memories, "en", encoders);
    let mut index = Index::new("en");
    let entries = memories.iter().zip(vectors);
    index.put(entries.map(|(atom, sentences)| Entry { atom, meaning: meaning_of(atom), sentences }));
    index
}

/// The sentence vectors of `memories`, made by two threads.
fn encode_all(
    memories: &[Atom],
    language: &str,
    encoders: Option<&Encoders>,
) -> Vec<Option<SentenceVectors>> {
    let Some(encoders) = encoders else { return vec![None; memories.len()] };
    let encode = |atoms: &[Atom]| -> Vec<Option<SentenceVectors>> {
        atoms.iter().map(|atom| Some(SentenceVectors::of_atom(atom, language, encoders))).collect()
    };
    let (first, second) = memories.split_at(memories.len() / 2);
    std::thread::scope(|scope| {
        let second = scope.spawn(|| encode(second));
        let mut all = encode(first);
        all.extend(second.join().unwrap_or_else(|error| std::panic::resume_unwind(error)));
        all
    })
}

#[cfg(test)]
mod tests;
