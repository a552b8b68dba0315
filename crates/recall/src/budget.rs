//! Third step of a recall: selects the ranked memories that enter the prompt, and how much of each.
//!
//! A memory that was rendered a few turns ago is skipped. No more memories are selected than the policy
//! allows, and the section stays within its share of the context window: the faintest details are dropped
//! first, then the lowest-ranked memories. A gist is never cut.

use std::collections::BTreeMap;

use domain::rehearsal::has_cooled_down;
use domain::{MemoryId, MemoryPolicy, Text, Tokens};

use crate::index::Snapshot;
use crate::rank::{Ranked, Scored};
use crate::reconstruct::RenderedMemory;

/// The state of a conversation that recall depends on.
#[derive(Clone, Debug, Default)]
pub struct SessionSoFar {
    /// The number of the current turn.
    pub turn: u32,
    /// The turn at which each memory was last rendered.
    pub rendered: BTreeMap<MemoryId, u32>,
    /// In how many earlier turns of the user the topic of a repressed event occurred.
    pub pressure: BTreeMap<domain::TimelineId, u32>,
    /// Whether a proud event has already been mentioned unprompted.
    pub boasted: bool,
}

/// The outcome for a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It was rendered.
    #[serde(rename = "told")]
    Rendered = 0,
    /// It is below the policy's minimum relevance.
    Irrelevant = 1,
    /// A memory with nearly the same content was rendered.
    Repeated = 2,
    /// It was rendered a few turns ago.
    Resting = 3,
    /// Others ranked higher.
    Outranked = 4,
    /// The model that read the shortlist did not select it.
    NotSelected = 5,
    /// It did not fit into the token budget.
    OverBudget = 6,
}

impl Outcome {
    /// All outcomes by their number, which stored traces contain.
    pub(crate) const BY_NUMBER: [Self; 7] = [
        Self::Rendered,
        Self::Irrelevant,
        Self::Repeated,
        Self::Resting,
        Self::Outranked,
        Self::NotSelected,
        Self::OverBudget,
    ];
}

/// The share of the context window for memories; the timeline gets the same share again.
pub(crate) fn share(window: Tokens) -> Tokens {
    Tokens(window.0 / 10)
}

/// Decides for each ranked candidate, best first, whether it may be rendered.
///
/// A memory that was rendered a few turns ago is skipped, unless the cue is clearly about it.
pub(crate) fn choose(
    ranked: &Ranked,
    memories: &Snapshot,
    policy: &MemoryPolicy,
    most: u32,
    session: &SessionSoFar,
) -> Vec<Outcome> {
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let mut rendered: Vec<&Scored> = Vec::new();
    let mut outcomes = Vec::with_capacity(ranked.best.len());
    for scored in &ranked.best {
        let last = session.rendered.get(&scored.id);
        let rested =
            last.is_none_or(|turn| has_cooled_down(*turn, session.turn, policy.rehearsal_cooldown_turns));
        outcomes.push(if !scored.surfaces {
            Outcome::Irrelevant
        } else if !rested && !scored.is_about {
            Outcome::Resting
        } else if rendered.len() >= most {
            Outcome::Outranked
        } else if rendered.iter().any(|other| is_duplicate(memories, other.row, scored.row)) {
            Outcome::Repeated
        } else {
            rendered.push(scored);
            Outcome::Rendered
        });
    }
    outcomes
}

/// The cosine from which two gists count as nearly the same.
const DUPLICATE_COSINE: f32 = 0.93;

/// Whether two memories have nearly the same content, by the words of their gists or by a sentence encoder.
fn is_duplicate(memories: &Snapshot, one: usize, other: usize) -> bool {
    let same_words = memories.texts(one).next() == memories.texts(other).next();
    same_words || memories.gist_cosine(one, other).is_some_and(|cosine| cosine >= DUPLICATE_COSINE)
}

/// Drops every detail that repeats the gist of another rendered memory: a memory derived again quotes its sources.
pub(crate) fn drop_repeated_details(rendered: &mut [RenderedMemory]) {
    let gists: Vec<(MemoryId, Text)> =
        rendered.iter().map(|memory| (memory.id, memory.gist.clone())).collect();
    for memory in rendered {
        let id = memory.id;
        let repeats = |detail: &Text| gists.iter().any(|(other, gist)| *other != id && quotes(detail, gist));
        memory.details.retain(|detail| !repeats(&detail.content));
    }
}

/// Whether `detail` is `gist`, or its beginning where it was too long for a detail.
fn quotes(detail: &Text, gist: &Text) -> bool {
    let (detail, gist) = (detail.as_str(), gist.as_str());
    detail == gist || detail.strip_suffix('…').is_some_and(|beginning| gist.starts_with(beginning))
}

/// Shortens `rendered` until its `cost` is within `budget`; returns the ids that were dropped.
pub(crate) fn fit(
    rendered: &mut Vec<RenderedMemory>,
    budget: Tokens,
    cost: impl Fn(&[RenderedMemory]) -> Tokens,
) -> Vec<MemoryId> {
    let mut dropped = Vec::new();
    while !rendered.is_empty() && cost(rendered) > budget {
        if !drop_faintest_detail(rendered) {
            dropped.extend(rendered.pop().map(|memory| memory.id));
        }
    }
    dropped
}

/// Drops the faintest of all details; among equals, that of the lower-ranked memory and later position.
fn drop_faintest_detail(rendered: &mut [RenderedMemory]) -> bool {
    let all = rendered.iter().enumerate().flat_map(|(memory, rendered)| {
        rendered.details.iter().enumerate().map(move |(detail, which)| (which.brightness, memory, detail))
    });
    let faintest = all.min_by(|a, b| a.0.get().total_cmp(&b.0.get()).then(b.1.cmp(&a.1)).then(b.2.cmp(&a.2)));
    let Some((_, memory, detail)) = faintest else { return false };
    if let Some(rendered) = rendered.get_mut(memory) {
        rendered.details.remove(detail);
    }
    true
}
