//! Second step of a recall: the score of every candidate, and the best of them with its reasons.
//!
//! `score = w1·salience + w2·relevance + w3·recency + w4·topical`. All rows are scored, none is cut
//! beforehand: a memory may win by its weight alone. The best are then looked at again with the full
//! query vector and the exact law of decay.

use domain::{Listener, MemoryId, MemoryPolicy, Salience, Text, Timestamp, Vividness};
use serde::{Deserialize, Serialize};

use crate::arithmetic::{exp2, single};
use crate::candidates::{Candidates, Rejected, candidates, verdict};
use crate::circumstance::Circumstances;
use crate::fusion::Fusion;
use crate::index::Snapshot;
use crate::index::chunk::{Chunk, ROWS, seconds};
use crate::kernel;
use crate::query::Query;
use crate::relevance::{Relevance, relevance};
use crate::top::{Hit, Top};

/// How many of the best are kept with their reasons.
pub const BEST: usize = 200;

/// What is asked, by whom, and when.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// The words that may bring something back.
    pub cue: &'a str,
    /// What the request says it is about; without any, the words of the cue.
    pub topics: &'a [Text],
    /// Who listens.
    pub listener: &'a Listener,
    /// The persona's rules.
    pub policy: &'a MemoryPolicy,
    /// The moment.
    pub now: Timestamp,
}

/// The parts of a score, each from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Parts {
    /// What the memory weighs now.
    pub salience: f32,
    /// How much it has to do with the cue.
    pub relevance: f32,
    /// How lately it was rehearsed.
    pub recency: f32,
    /// How many tags it shares with the topics.
    pub topical: f32,
}

/// What relevance was made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Grounds {
    /// Likeness of meaning.
    pub meaning: f32,
    /// Shared words.
    pub words: f32,
    /// Borrowed from the turns before and after, and from the people and days the cue names.
    pub circumstances: f32,
}

/// A candidate with its score and the reasons for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scored {
    /// The memory.
    pub id: MemoryId,
    /// The weighted sum of the parts.
    pub score: f32,
    /// The parts.
    pub parts: Parts,
    /// What its relevance was made of.
    pub grounds: Grounds,
    /// How vividly it is remembered.
    pub vividness: Vividness,
    /// Whether it may surface: it is relevant enough, or vivid.
    pub surfaces: bool,
    pub(crate) created: i64,
    pub(crate) row: usize,
}

/// The best candidates, best first, and how many of the others were left aside for which reason.
#[derive(Clone, Debug, Default)]
pub struct Ranked {
    /// Those that may surface come first.
    pub best: Vec<Scored>,
    /// The others.
    pub rejected: Rejected,
}

/// Ranks the memories of `snapshot`.
#[must_use]
pub fn rank(snapshot: &Snapshot, question: &Question<'_>) -> Ranked {
    rank_with(snapshot, question, &Fusion::default())
}

/// As [`rank`], with other weights of relevance, to measure what they do.
#[must_use]
pub fn rank_with(snapshot: &Snapshot, question: &Question<'_>, fusion: &Fusion) -> Ranked {
    let candidates = candidates(snapshot, question.policy.scope, question.listener);
    if candidates.count == 0 {
        return Ranked { best: Vec::new(), rejected: candidates.rejected };
    }
    let query = Query::of(question.cue, question.topics, question.now, snapshot, &candidates);
    let relevance = relevance(snapshot, &query, &candidates, fusion);
    let circumstances = Circumstances::of(snapshot, &query, fusion);
    let scan = Scan {
        snapshot,
        question,
        candidates: &candidates,
        relevance: &relevance,
        circumstances: &circumstances,
    };
    let (hits, mut rejected) = scan.run();
    let mut best: Vec<Scored> =
        hits.iter().filter_map(|hit| scan.exact(hit.row as usize, &query, fusion)).collect();
    rejected.faded += hits.len() - best.len();
    best.sort_unstable_by(Scored::order);
    best.truncate(BEST);
    Ranked { best, rejected }
}

impl Scored {
    fn order(&self, other: &Self) -> std::cmp::Ordering {
        let newer = other.created.cmp(&self.created);
        let score = other.score.total_cmp(&self.score);
        other.surfaces.cmp(&self.surfaces).then(score).then(newer).then(self.id.cmp(&other.id))
    }
}

/// Candidates that may not surface are kept behind all that may.
const BEHIND: f32 = 4.0;

/// The scan computes with fewer digits than the law; what is this close to a limit is looked at again.
const CLOSE: f32 = 1e-4;

/// Below every threshold, also one of zero.
const LIGHTEST: f32 = -1.0;

/// 0.995 for each hour, as a power of two.
pub(crate) const RECENCY_PER_HOUR: f32 = -0.007_231_569;
const RECENCY_PER_SECOND: f32 = RECENCY_PER_HOUR / 3600.0;

struct Scan<'s> {
    snapshot: &'s Snapshot,
    question: &'s Question<'s>,
    candidates: &'s Candidates,
    relevance: &'s Relevance,
    circumstances: &'s Circumstances<'s>,
}

/// The weights and limits of the policy as the scan needs them.
#[derive(Clone, Copy)]
struct Limits {
    salience: f32,
    relevance: f32,
    recency: f32,
    topical: f32,
    threshold: f32,
    min_relevance: f32,
    vivid: f32,
}

impl Limits {
    fn of(policy: &MemoryPolicy) -> Self {
        Self {
            salience: single(policy.ranking.salience_weight),
            relevance: single(policy.ranking.relevance_weight),
            recency: single(policy.ranking.recency_weight),
            topical: single(policy.ranking.topical_weight),
            threshold: single(policy.retrieval_threshold.get()),
            min_relevance: single(policy.ranking.min_relevance),
            vivid: 0.75,
        }
    }

    fn score(&self, parts: &Parts) -> f32 {
        self.salience * parts.salience
            + self.relevance * parts.relevance
            + self.recency * parts.recency
            + self.topical * parts.topical
    }
}

/// The columns of one chunk while it is scored.
struct Columns {
    salience: [f32; ROWS],
    recency: [f32; ROWS],
    relevance: [f32; ROWS],
    topical: [f32; ROWS],
    keys: [f32; ROWS],
}

/// Fills the columns of one chunk and works out what its rows are sorted by.
struct ScoreChunk<'w> {
    chunk: &'w Chunk,
    verdicts: &'w [u8],
    now: i32,
    fusion: &'w Fusion,
    limits: &'w Limits,
    columns: &'w mut Columns,
}

impl kernel::Arithmetic for ScoreChunk<'_> {
    /// How many have faded, and how many are irrelevant.
    type Result = (usize, usize);

    #[expect(clippy::inline_always, reason = "so that it is compiled for the instruction set of its caller")]
    #[inline(always)]
    fn compute(self) -> (usize, usize) {
        fade(self.chunk, self.now, &mut self.columns.salience, &mut self.columns.recency);
        leave_out(self.verdicts, &mut self.columns.salience);
        for evidence in &mut self.columns.relevance {
            *evidence = self.fusion.relevance(*evidence);
        }
        self.columns.sort_keys(self.limits)
    }
}

impl Columns {
    /// Works out what each row is sorted by; gives how many have faded and how many are irrelevant.
    #[expect(clippy::inline_always, reason = "so that it is compiled for the instruction set of its caller")]
    #[inline(always)]
    #[expect(clippy::needless_bitwise_bool, reason = "a lazy operator is a branch")]
    fn sort_keys(&mut self, limits: &Limits) -> (usize, usize) {
        let (mut faded, mut irrelevant) = (0_u32, 0_u32);
        let (threshold, vivid) = (limits.threshold - CLOSE, limits.vivid - CLOSE);
        let parts = self.salience.iter().zip(&self.relevance).zip(&self.recency).zip(&self.topical);
        for ((((salience, relevance), recency), topical), key) in parts.zip(&mut self.keys) {
            let score = limits.salience * salience
                + limits.relevance * relevance
                + limits.recency * recency
                + limits.topical * topical;
            let fresh = *salience >= threshold;
            let surfaces = (*relevance >= limits.min_relevance) | (*salience >= vivid);
            faded += u32::from(!fresh);
            irrelevant += u32::from(fresh & !surfaces);
            let sorted = if surfaces { score } else { score - BEHIND };
            *key = if fresh { sorted } else { f32::NEG_INFINITY };
        }
        (faded as usize, irrelevant as usize)
    }
}

/// Makes the rows that may not be told, and those past the end, lighter than any threshold.
#[expect(clippy::inline_always, reason = "so that it is compiled for the instruction set of its caller")]
#[inline(always)]
fn leave_out(verdicts: &[u8], salience: &mut [f32; ROWS]) {
    for (salience, row) in salience.iter_mut().zip(verdicts) {
        *salience = if *row == verdict::CANDIDATE { *salience } else { LIGHTEST };
    }
    salience.iter_mut().skip(verdicts.len()).for_each(|salience| *salience = LIGHTEST);
}

impl Scan<'_> {
    fn run(&self) -> (Vec<Hit>, Rejected) {
        let limits = Limits::of(self.question.policy);
        let mut rejected = self.candidates.rejected;
        let mut top = Top::new(BEST);
        let mut columns = Columns {
            salience: [0.0; ROWS],
            recency: [0.0; ROWS],
            relevance: [0.0; ROWS],
            topical: [0.0; ROWS],
            keys: [0.0; ROWS],
        };
        for (base, chunk) in self.snapshot.chunks() {
            self.circumstances.apply(base, chunk, &self.relevance.own, &mut columns.relevance);
            self.circumstances.topical(base, chunk.rows(), &mut columns.topical);
            let (now, fusion) = (seconds(self.question.now), self.circumstances.fusion());
            let verdicts = self.candidates.verdicts.get(base..base + chunk.rows()).unwrap_or_default();
            let work = ScoreChunk { chunk, verdicts, now, fusion, limits: &limits, columns: &mut columns };
            let (faded, irrelevant) = kernel::widest(work);
            rejected.faded += faded;
            rejected.irrelevant += irrelevant;
            top.offer(base, columns.keys.get(..chunk.rows()).unwrap_or_default());
        }
        let told = self.candidates.count;
        rejected.faded = rejected.faded.saturating_sub(self.snapshot.chunks().count() * ROWS - told);
        (top.into_hits(), rejected)
    }

    fn exact(&self, row: usize, query: &Query, fusion: &Fusion) -> Option<Scored> {
        let (question, limits) = (self.question, Limits::of(self.question.policy));
        let (weight, profile) = self.snapshot.weight(row)?;
        let salience: Salience = weight.salience_at(profile, question.now);
        if salience < question.policy.retrieval_threshold {
            return None;
        }
        let grounds = self.grounds(row, query, fusion)?;
        let elapsed = f32_seconds(seconds(question.now), seconds(weight.rehearsed_at));
        let parts = Parts {
            salience: single(salience.get()),
            relevance: fusion.relevance(grounds.meaning + grounds.words + grounds.circumstances),
            recency: exp2(elapsed * RECENCY_PER_SECOND),
            topical: self.circumstances.topical_of(row),
        };
        let vividness = Vividness::from(salience);
        let surfaces = f64::from(parts.relevance) >= question.policy.ranking.min_relevance
            || vividness == Vividness::Vivid;
        let (id, created) = (self.snapshot.id(row)?, weight.created_at.as_millis());
        Some(Scored { id, score: limits.score(&parts), parts, grounds, vividness, surfaces, created, row })
    }

    fn grounds(&self, row: usize, query: &Query, fusion: &Fusion) -> Option<Grounds> {
        let (codes, step) = self.snapshot.vector(row)?;
        let cosine = crate::embed::dot(query.meaning.as_array(), &codes.codes().map(f32::from)) * step;
        let own = *self.relevance.own.get(row)?;
        Some(Grounds {
            meaning: fusion.meaning * fusion.likeness(cosine),
            words: fusion.words * self.relevance.words.get(row)?,
            circumstances: self.circumstances.of_row(row, &self.relevance.own) - own,
        })
    }
}

/// Salience and recency of every row of a chunk.
#[expect(clippy::inline_always, reason = "so that it is compiled for the instruction set of its caller")]
#[inline(always)]
fn fade(chunk: &Chunk, now: i32, salience: &mut [f32; ROWS], recency: &mut [f32; ROWS]) {
    let weights = chunk.strength.iter().zip(&chunk.fade).zip(&chunk.floor).zip(&chunk.rehearsed);
    for ((((strength, fade), floor), rehearsed), (salience, recency)) in
        weights.zip(salience.iter_mut().zip(recency.iter_mut()))
    {
        let elapsed = f32_seconds(now, *rehearsed);
        *salience = (exp2(strength - fade * elapsed) + floor).min(1.0);
        *recency = exp2(elapsed * RECENCY_PER_SECOND);
    }
    for row in chunk.power_law.iter().map(|row| usize::from(*row)) {
        let values =
            (chunk.strength.get(row), chunk.fade.get(row), chunk.floor.get(row), chunk.rehearsed.get(row));
        if let ((Some(strength), Some(fade), Some(floor), Some(rehearsed)), Some(salience)) =
            (values, salience.get_mut(row))
        {
            let slower = 1.0 / (1.0 + 3.0 * fade * f32_seconds(now, *rehearsed)).sqrt();
            *salience = (exp2(*strength) * slower + floor).min(1.0);
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "after half a year a rounding of seconds is nothing")]
fn f32_seconds(now: i32, then: i32) -> f32 {
    now.saturating_sub(then).max(0) as f32
}

#[cfg(test)]
mod tests;
