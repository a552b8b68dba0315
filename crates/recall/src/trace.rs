//! The trace of a recall: everything needed to explain it afterwards.

mod packed;

use domain::{MemoryId, TimelineId, Vividness};
use serde::{Deserialize, Serialize};

use crate::budget::Outcome;
use crate::candidates::ExcludedCounts;
use crate::index::Snapshot;
use crate::life_events::Considered;
use crate::rank::{Parts, Ranked, RelevanceParts};
use crate::reason::{CueWords, Reason};
use crate::sentences::Part;

/// The reasons behind one recall.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Trace {
    /// The best candidates, best first.
    pub candidates: Vec<TracedMemory>,
    /// How many memories were excluded, by reason.
    pub rejected: ExcludedCounts,
    /// The events of the persona's timeline, best first.
    pub life: Vec<TracedEvent>,
    /// The text for the prompt.
    pub rendered: String,
    /// How specific the cue is, from 0 for a greeting to 1.
    #[serde(default)]
    pub specificity: f32,
}

/// A memory that was considered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TracedMemory {
    /// The memory.
    pub id: MemoryId,
    /// The weighted sum of the components.
    pub score: f32,
    /// The components.
    pub parts: Parts,
    /// The components of its relevance.
    pub grounds: RelevanceParts,
    /// How vividly it is remembered.
    pub vividness: Vividness,
    /// Which of its texts is most similar to the cue.
    #[serde(default)]
    pub closest: Part,
    /// The words of the cue that it contains, for rendered memories and a few more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<String>,
    /// Its outcome.
    pub outcome: Outcome,
    /// The main reason for the outcome.
    #[serde(default)]
    pub reason: Reason,
}

/// An event that was considered.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TracedEvent {
    /// The event.
    pub id: TimelineId,
    /// The weighted sum of the components.
    pub score: f32,
    /// The components.
    pub parts: Parts,
    /// Its outcome.
    pub outcome: Outcome,
}

/// The candidates as bytes, without their words; see [`unpack`].
#[must_use]
pub fn pack(candidates: &[TracedMemory]) -> Vec<u8> {
    packed::pack(candidates)
}

/// The candidates that [`pack`] made these bytes of; `None` if the bytes are something else.
#[must_use]
pub fn unpack(bytes: &[u8]) -> Option<Vec<TracedMemory>> {
    packed::unpack(bytes)
}

/// For how many of the best the shared words are recorded.
const EXPLAINED: usize = 20;

/// The number of events recorded with their reasons.
const MOST_EVENTS: usize = 50;

impl Trace {
    pub(crate) fn of(
        ranked: &Ranked,
        outcomes: &[Outcome],
        considered: &[Considered],
        rendered: &str,
        cue: &str,
        memories: &Snapshot,
    ) -> Self {
        let cue_words = CueWords::of(cue, memories.language());
        let words = |place: usize, row: usize, outcome: Outcome| {
            let is_explained = outcome == Outcome::Rendered || place < EXPLAINED;
            if is_explained { cue_words.shared_with(row, memories) } else { Vec::new() }
        };
        let traced =
            ranked.best.iter().zip(outcomes).enumerate().map(|(place, (scored, outcome))| TracedMemory {
                id: scored.id,
                score: scored.score,
                parts: scored.parts,
                grounds: scored.grounds,
                vividness: scored.vividness,
                closest: scored.closest,
                words: words(place, scored.row, *outcome),
                reason: Reason::of(scored, *outcome, ranked),
                outcome: *outcome,
            });
        let event = |considered: &Considered| TracedEvent {
            id: considered.id,
            score: considered.score,
            parts: considered.parts,
            outcome: considered.outcome,
        };
        Self {
            candidates: traced.collect(),
            rejected: tally(ranked.rejected, outcomes),
            life: considered.iter().take(MOST_EVENTS).map(event).collect(),
            rendered: rendered.to_owned(),
            specificity: ranked.specificity,
        }
    }
}

/// Adds the outcomes of the candidates to the counts; irrelevant ones were counted among all rows.
fn tally(mut rejected: ExcludedCounts, outcomes: &[Outcome]) -> ExcludedCounts {
    for outcome in outcomes {
        match outcome {
            Outcome::Rendered | Outcome::Irrelevant => {}
            Outcome::Resting => rejected.resting += 1,
            Outcome::Repeated => rejected.repeated += 1,
            Outcome::Outranked => rejected.outranked += 1,
            Outcome::NotSelected => rejected.not_selected += 1,
            Outcome::OverBudget => rejected.over_budget += 1,
        }
    }
    rejected
}
