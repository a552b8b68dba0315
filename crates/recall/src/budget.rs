//! Third step of a recall: which of the ranked memories enter the prompt, and how much of them.
//!
//! A memory that was told a few turns ago rests. No more are taken than the policy allows, and the
//! section stays within its share of the context window: the faintest details go first, then the
//! lowest-ranked memories. A gist is never cut.

use std::collections::BTreeMap;

use domain::rehearsal::has_cooled_down;
use domain::{MemoryId, MemoryPolicy, Tokens};

use crate::index::Snapshot;
use crate::rank::{Ranked, Scored};
use crate::reconstruct::Told;

/// What has happened in a conversation so far, as far as recall needs to know.
#[derive(Clone, Debug, Default)]
pub struct SessionSoFar {
    /// The number of the turn that is being answered.
    pub turn: u32,
    /// The turn at which each memory was last rendered.
    pub rendered: BTreeMap<MemoryId, u32>,
    /// In how many earlier turns of the user the topic of a repressed event came up.
    pub pressure: BTreeMap<domain::TimelineId, u32>,
    /// Whether a proud event has been brought up unprompted.
    pub boasted: bool,
}

/// What became of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It was told.
    Told,
    /// It is less relevant than the policy asks for.
    Irrelevant,
    /// A memory that says nearly the same was told.
    Repeated,
    /// It was told a short while ago.
    Resting,
    /// Others ranked higher.
    Outranked,
    /// The reader of the shortlist left it out.
    NotSelected,
    /// It did not fit.
    OverBudget,
}

/// The share of the context window that memories may take, and again that the life story may take.
pub(crate) fn share(window: Tokens) -> Tokens {
    Tokens(window.0 / 10)
}

/// Decides for each ranked candidate whether it may be told, best first.
///
/// A memory that was told a few turns ago rests, unless the cue is clearly about it: what is asked for is there.
pub(crate) fn choose(
    ranked: &Ranked,
    memories: &Snapshot,
    policy: &MemoryPolicy,
    most: u32,
    session: &SessionSoFar,
) -> Vec<Outcome> {
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let mut told: Vec<&Scored> = Vec::new();
    let mut outcomes = Vec::with_capacity(ranked.best.len());
    for scored in &ranked.best {
        let last = session.rendered.get(&scored.id);
        let rested =
            last.is_none_or(|turn| has_cooled_down(*turn, session.turn, policy.rehearsal_cooldown_turns));
        outcomes.push(if !scored.surfaces {
            Outcome::Irrelevant
        } else if !rested && !scored.is_about {
            Outcome::Resting
        } else if told.len() >= most {
            Outcome::Outranked
        } else if told.iter().any(|other| says_the_same(memories, other.row, scored.row)) {
            Outcome::Repeated
        } else {
            told.push(scored);
            Outcome::Told
        });
    }
    outcomes
}

/// The cosine from which one gist says nearly the same as another.
const THE_SAME: f32 = 0.93;

/// Whether two memories say nearly the same, by their gists: in the same words, or by a sentence encoder.
fn says_the_same(memories: &Snapshot, one: usize, other: usize) -> bool {
    let same_words = memories.texts(one).next() == memories.texts(other).next();
    same_words || memories.gist_cosine(one, other).is_some_and(|cosine| cosine >= THE_SAME)
}

/// Shortens `told` until what `cost` says of it is within `budget`; gives the ids that had to go.
pub(crate) fn fit(told: &mut Vec<Told>, budget: Tokens, cost: impl Fn(&[Told]) -> Tokens) -> Vec<MemoryId> {
    let mut dropped = Vec::new();
    while !told.is_empty() && cost(told) > budget {
        if !drop_faintest_detail(told) {
            dropped.extend(told.pop().map(|memory| memory.id));
        }
    }
    dropped
}

/// Drops the faintest detail of all, the one of the lower-ranked memory and later place when equal.
fn drop_faintest_detail(told: &mut [Told]) -> bool {
    let all = told.iter().enumerate().flat_map(|(memory, told)| {
        told.details.iter().enumerate().map(move |(detail, which)| (which.brightness, memory, detail))
    });
    let faintest = all.min_by(|a, b| a.0.get().total_cmp(&b.0.get()).then(b.1.cmp(&a.1)).then(b.2.cmp(&a.2)));
    let Some((_, memory, detail)) = faintest else { return false };
    if let Some(told) = told.get_mut(memory) {
        told.details.remove(detail);
    }
    true
}
