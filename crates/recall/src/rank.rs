//! Second step of a recall: the score of every candidate, and the best of them with their reasons.
//!
//! `score = w1·salience + w2·relevance + w3·recency + w4·topical`. All rows are scored, none is cut
//! beforehand: a memory may win by its weight alone. The best are then scored again with the full query
//! vector and the exact decay formula.

mod scan;

use domain::{Listener, MemoryId, MemoryPolicy, Salience, Text, Timestamp, Vividness};
use serde::{Deserialize, Serialize};

use crate::aboutness;
use crate::arithmetic::{exp2, single};
use crate::candidates::{Candidates, ExcludedCounts, candidates};
use crate::circumstance::{Circumstances, SECONDS_PER_DAY};
use crate::cue_encoder::CueEncoder;
use crate::dates::{ByEvent, Days};
use crate::fusion::Fusion;
use crate::index::Snapshot;
use crate::index::chunk::seconds;
use crate::query::Query;
use crate::rank::scan::{Limits, Scan};
use crate::relevance::{Relevance, relevance, shared_words};
use crate::sentences::Part;
use crate::top::Hit;

/// How many of the most relevant are judged by how clearly the cue is about them.
const JUDGED: usize = 32;

/// How many of the best are returned with their reasons.
pub const BEST: usize = 200;

/// The input of a ranking.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// The text that memories are matched with.
    pub cue: &'a str,
    /// The topics of the request; without any, the words of the cue.
    pub topics: &'a [Text],
    /// The listener.
    pub listener: &'a Listener,
    /// The persona's memory policy.
    pub policy: &'a MemoryPolicy,
    /// The current time.
    pub now: Timestamp,
    /// Makes sentence vectors of the cue; without it, words and the built-in table are used.
    pub encoder: Option<&'a CueEncoder>,
}

/// The components of a score, each from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Parts {
    /// The current weight of the memory.
    pub salience: f32,
    /// Its relevance to the cue.
    pub relevance: f32,
    /// How recently it was rehearsed.
    pub recency: f32,
    /// The share of tags it has in common with the topics.
    pub topical: f32,
}

/// The components of relevance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RelevanceParts {
    /// Semantic similarity.
    pub meaning: f32,
    /// Shared words.
    pub words: f32,
    /// Borrowed from the neighbouring turns, and from the people and dates the cue names.
    pub circumstances: f32,
}

/// A candidate with its score and the reasons for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scored {
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
    pub closest: Part,
    /// How clearly the cue is about it, from 0 to 1; 0 for all but the most relevant.
    pub about: f32,
    /// Whether the cue is clearly about it.
    pub is_about: bool,
    /// Whether it has faded, and is recalled only because the cue is clearly about it.
    pub is_faded: bool,
    /// Whether it reaches the policy's minimum relevance.
    pub surfaces: bool,
    pub(crate) created: i64,
    pub(crate) row: usize,
}

/// The best candidates, best first, and how many of the others were excluded, by reason.
#[derive(Clone, Debug, Default)]
pub struct Ranked {
    /// The best; those that reach the minimum relevance come first.
    pub best: Vec<Scored>,
    /// The others.
    pub rejected: ExcludedCounts,
    /// How specific the cue is, from 0 for a greeting to 1.
    pub specificity: f32,
}

/// Ranks the memories of `snapshot`.
#[must_use]
pub fn rank(snapshot: &Snapshot, question: &Question<'_>) -> Ranked {
    let fusion = &Fusion::default();
    let candidates = candidates(snapshot, question.policy.scope, question.listener);
    if candidates.count == 0 {
        return Ranked { rejected: candidates.rejected, ..Ranked::default() };
    }
    let mut query = Query::of(question, snapshot, &candidates);
    query.days.extend(days_by_event(snapshot, question, &candidates, fusion));
    let words = shared_words(snapshot, &query, &candidates, fusion);
    let specificity = query.specificity();
    let fusion = &fusion.of_cue(specificity, query.language);
    let relevance = relevance(snapshot, &query, &candidates, words, fusion);
    let circumstances = Circumstances::of(snapshot, &query, &candidates, fusion);
    let scan = Scan {
        snapshot,
        question,
        candidates: &candidates,
        relevance: &relevance,
        circumstances: &circumstances,
    };
    let (mut hits, mut rejected) = scan.run();
    let look = ExactScoring {
        snapshot,
        question,
        query: &query,
        relevance: &relevance,
        circumstances: &circumstances,
    };
    let mut best = look.at(&mut hits);
    rejected.faded += hits.len() - best.len();
    best.sort_unstable_by(Scored::order);
    best.truncate(BEST);
    Ranked { best, rejected, specificity }
}

/// The days that a cue names by an event, if a memory knows its date.
fn days_by_event(
    snapshot: &Snapshot,
    question: &Question<'_>,
    candidates: &Candidates,
    fusion: &Fusion,
) -> Option<Days> {
    let named = ByEvent::in_cue(question.cue)?;
    let query = Query::of_words(named.event, snapshot.language(), question.encoder);
    let words = shared_words(snapshot, &query, candidates, fusion);
    let own = relevance(snapshot, &query, candidates, words, &fusion.of_cue(1.0, query.language)).own;
    let (row, most) = own.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1))?;
    let bar = aboutness::relevance_bar(question.policy.ranking.aboutness);
    if f64::from(fusion.relevance(*most)) < bar {
        return None;
    }
    let (chunk, at) = snapshot.chunk(row)?;
    let stated = chunk.days(at).first().map(|days| days.first);
    let formed = chunk.created.get(at).map(|created| created.div_euclid(SECONDS_PER_DAY));
    named.days_around(stated.or(formed)?)
}

impl Scored {
    fn order(&self, other: &Self) -> std::cmp::Ordering {
        let newer = other.created.cmp(&self.created);
        let score = other.score.total_cmp(&self.score);
        other.surfaces.cmp(&self.surfaces).then(score).then(newer).then(self.id.cmp(&other.id))
    }
}

/// 0.995 for each hour, as a power of two.
pub(crate) const RECENCY_PER_HOUR: f32 = -0.007_231_569;
const RECENCY_PER_SECOND: f32 = RECENCY_PER_HOUR / 3600.0;

/// The state for scoring the best candidates again.
struct ExactScoring<'s> {
    snapshot: &'s Snapshot,
    question: &'s Question<'s>,
    query: &'s Query,
    relevance: &'s Relevance,
    circumstances: &'s Circumstances<'s>,
}

impl ExactScoring<'_> {
    /// The exact scores of `hits`, without those that turn out to have faded.
    ///
    /// The rows are far apart in memory, so all of them are prefetched before the first is used.
    fn at(&self, hits: &mut [Hit]) -> Vec<Scored> {
        hits.sort_unstable_by_key(|hit| hit.row);
        for hit in &*hits {
            self.snapshot.fetch_ahead(hit.row as usize);
        }
        let mut scored: Vec<Scored> = hits.iter().filter_map(|hit| self.exact(hit.row as usize)).collect();
        self.judge(&mut scored);
        scored.retain(|scored| !scored.is_faded || scored.is_about);
        scored
    }

    /// Finds out how clearly the cue is about the most relevant of `scored`.
    fn judge(&self, scored: &mut [Scored]) {
        let limits = Limits::of(self.question.policy);
        scored.sort_unstable_by(|a, b| b.parts.relevance.total_cmp(&a.parts.relevance).then(a.id.cmp(&b.id)));
        for scored in scored.iter_mut().take(JUDGED) {
            scored.about = self.aboutness(scored);
            scored.is_about = limits.is_about(scored.about);
        }
    }

    /// How clearly the cue is about a memory. A greeting is about none.
    fn aboutness(&self, scored: &Scored) -> f32 {
        if !self.circumstances.fusion().has_topic() {
            return 0.0;
        }
        let cue = self.query.sentences.as_ref().zip(self.snapshot.sentences_of(scored.row));
        let learnt = cue.and_then(|(cue, (sentences, row))| {
            cue.about.aboutness(sentences, row, scored.closest, self.query.language)
        });
        learnt.unwrap_or_else(|| aboutness::of_relevance(scored.parts.relevance))
    }

    fn exact(&self, row: usize) -> Option<Scored> {
        let (question, limits) = (self.question, Limits::of(self.question.policy));
        let (weight, profile) = self.snapshot.weight(row)?;
        let salience: Salience = weight.salience_at(profile, question.now);
        let is_faded = salience < question.policy.retrieval_threshold;
        let grounds = self.grounds(row)?;
        let evidence = grounds.meaning + grounds.words + grounds.circumstances;
        let elapsed = f32_seconds(seconds(question.now), seconds(weight.rehearsed_at));
        let parts = Parts {
            salience: single(salience.get()),
            relevance: self.circumstances.fusion().relevance(evidence),
            recency: exp2(elapsed * RECENCY_PER_SECOND),
            topical: self.circumstances.topical_of(row),
        };
        if is_faded && !limits.may_recall_faded(parts.relevance) {
            return None;
        }
        Some(Scored {
            id: self.snapshot.id(row)?,
            score: limits.score(&parts),
            parts,
            grounds,
            vividness: Vividness::from(salience),
            closest: self.relevance.similarity_of(row).best,
            about: 0.0,
            is_about: false,
            is_faded,
            surfaces: parts.relevance >= limits.min_relevance,
            created: weight.created_at.as_millis(),
            row,
        })
    }

    fn grounds(&self, row: usize) -> Option<RelevanceParts> {
        let fusion = self.circumstances.fusion();
        let (codes, step) = self.snapshot.vector(row)?;
        let table = self.query.meaning.dot_codes(codes) * step;
        let own = *self.relevance.own.get(row)?;
        Some(RelevanceParts {
            meaning: fusion.meaning(self.relevance.similarity_of(row).with_table(table))
                + self.relevance.matters_of(row),
            words: fusion.words * self.relevance.words_of(row)?,
            circumstances: self.circumstances.of_row(row, &self.relevance.own) - own,
        })
    }
}

#[expect(clippy::inline_always, reason = "so that it is compiled for the instruction set of its caller")]
#[inline(always)]
#[expect(clippy::cast_precision_loss, reason = "after half a year a rounding of seconds is nothing")]
fn f32_seconds(now: i32, then: i32) -> f32 {
    // Fewer instructions than a saturating subtraction, which no vector unit has for this width.
    now.max(then).abs_diff(then).min(i32::MAX.cast_unsigned()).cast_signed() as f32
}

#[cfg(test)]
mod tests;
