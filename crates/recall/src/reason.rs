//! The main reason why a memory was rendered or left out, for explanations to people.

use serde::{Deserialize, Serialize};
use unicode_segmentation::UnicodeSegmentation;

use crate::budget::Outcome;
use crate::index::Snapshot;
use crate::rank::{Ranked, Scored};
use crate::sentences::Part;
use crate::words::{Lexicon, Term};

/// The main reason for the outcome of a memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Rendered: the cue is clearly about it.
    AskedFor = 0,
    /// Rendered: the cue is very similar to one of its cues.
    CameToMind = 1,
    /// Rendered by its gist alone although it has faded: the cue is clearly about it.
    BroughtBack = 2,
    /// Rendered: it is related to the cue.
    Related = 3,
    /// Rendered: the cue has no topic, and this is among the most important memories now.
    MattersMost = 4,
    /// Rendered: it is hardly related to the cue, but there was room.
    PlaceFree = 5,
    /// Left out: it was rendered a few turns ago.
    Resting = 6,
    /// Left out: a memory with nearly the same content was rendered.
    Repeated = 7,
    /// Left out although the cue is clearly about it: others ranked higher.
    OutrankedThoughAskedFor = 8,
    /// Left out: others ranked higher.
    #[default]
    Outranked = 9,
    /// Left out: the model that read the shortlist did not select it.
    NotSelected = 10,
    /// Left out: it did not fit into the token budget.
    OverBudget = 11,
    /// Left out: it is below the policy's minimum relevance.
    Irrelevant = 12,
}

impl Reason {
    /// All reasons by their number, which stored traces contain.
    pub(crate) const BY_NUMBER: [Self; 13] = [
        Self::AskedFor,
        Self::CameToMind,
        Self::BroughtBack,
        Self::Related,
        Self::MattersMost,
        Self::PlaceFree,
        Self::Resting,
        Self::Repeated,
        Self::OutrankedThoughAskedFor,
        Self::Outranked,
        Self::NotSelected,
        Self::OverBudget,
        Self::Irrelevant,
    ];
}

/// A cue below this specificity has no topic.
const NO_TOPIC: f32 = 0.3;
/// The relevance from which a memory counts as related.
const RELATED: f32 = 0.29;

impl Reason {
    /// The reason for `outcome`.
    pub(crate) fn of(scored: &Scored, outcome: Outcome, ranked: &Ranked) -> Self {
        match outcome {
            Outcome::Rendered => Self::of_rendered(scored, ranked),
            Outcome::Resting => Self::Resting,
            Outcome::Repeated => Self::Repeated,
            Outcome::Outranked if scored.is_about => Self::OutrankedThoughAskedFor,
            Outcome::Outranked => Self::Outranked,
            Outcome::NotSelected => Self::NotSelected,
            Outcome::OverBudget => Self::OverBudget,
            Outcome::Irrelevant => Self::Irrelevant,
        }
    }

    fn of_rendered(scored: &Scored, ranked: &Ranked) -> Self {
        let is_related = scored.parts.relevance >= RELATED;
        match scored.closest {
            _ if scored.is_faded => Self::BroughtBack,
            Part::Cue(_) if is_related => Self::CameToMind,
            Part::Gist | Part::Detail(_) | Part::Cue(_) if scored.is_about => Self::AskedFor,
            Part::Gist | Part::Detail(_) | Part::Cue(_) if is_related => Self::Related,
            Part::Gist | Part::Detail(_) | Part::Cue(_) if ranked.specificity < NO_TOPIC => Self::MattersMost,
            Part::Gist | Part::Detail(_) | Part::Cue(_) => Self::PlaceFree,
        }
    }
}

/// The words of a cue, each with its index term.
pub(crate) struct CueWords<'c>(Vec<(&'c str, Term)>);

impl<'c> CueWords<'c> {
    /// The words of `cue` in `language`.
    pub(crate) fn of(cue: &'c str, language: &str) -> Self {
        let mut lexicon = Lexicon::new(language);
        let words = cue.unicode_words().take(MOST_WORDS);
        Self(words.filter_map(|word| Some((word, lexicon.term(word)?))).collect())
    }

    /// Those that also occur in the memory of `row`, as written in the cue.
    pub(crate) fn shared_with(&self, row: usize, memories: &Snapshot) -> Vec<String> {
        let shared = self.0.iter().filter(|(_, term)| memories.has_term(row, *term));
        let mut words: Vec<String> = shared.map(|(word, _)| (*word).to_owned()).collect();
        words.dedup();
        words
    }
}

/// A longer cue is a document, and its words explain nothing.
const MOST_WORDS: usize = 200;
