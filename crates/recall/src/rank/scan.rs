//! The first pass: every row is scored, and the best are kept.
//!
//! It works on one chunk at a time, column by column, in loops without branches that the compiler turns
//! into vector instructions.

use domain::MemoryPolicy;

use super::{Parts, Question, RECENCY_PER_SECOND, f32_seconds};
use crate::aboutness::ABOUTNESS;
use crate::arithmetic::{exp2, single};
use crate::candidates::{Candidates, ExcludedCounts, verdict};
use crate::circumstance::Circumstances;
use crate::fusion::Fusion;
use crate::index::Snapshot;
use crate::index::chunk::{Chunk, ROWS, seconds};
use crate::kernel;
use crate::parallel;
use crate::rank::BEST;
use crate::relevance::Relevance;
use crate::top::{Hit, Top};

/// Candidates below the minimum relevance are sorted after all others.
const BEHIND: f32 = 4.0;

/// The scan has less precision than the exact formula; rows this close to a limit are checked again.
const CLOSE: f32 = 1e-4;

/// The relevance below which a cue is about no faded memory; from here on it is judged by its vectors.
const MAY_BE_ABOUT: f32 = 0.24;

/// Below every threshold, even one of zero.
const LIGHTEST: f32 = -1.0;

/// How many rows are checked together before any is checked alone.
const STRIDE: usize = 16;

/// The weights and limits of the policy in the form the scan needs.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    salience: f32,
    relevance: f32,
    recency: f32,
    topical: f32,
    threshold: f32,
    /// The minimum relevance.
    pub(super) min_relevance: f32,
    /// The aboutness from which a cue is clearly about a memory.
    about: f32,
    /// The relevance from which a faded memory may be recalled; unreachable without cued recall.
    may_recall_faded: f32,
}

impl Limits {
    pub(super) fn of(policy: &MemoryPolicy) -> Self {
        let about = policy.ranking.aboutness.unwrap_or(ABOUTNESS);
        Self {
            salience: single(policy.ranking.salience_weight),
            relevance: single(policy.ranking.relevance_weight),
            recency: single(policy.ranking.recency_weight),
            topical: single(policy.ranking.topical_weight),
            threshold: single(policy.retrieval_threshold.get()),
            min_relevance: single(policy.ranking.relevance_floor()),
            about: single(about),
            may_recall_faded: if policy.ranking.cued_recall { MAY_BE_ABOUT } else { f32::INFINITY },
        }
    }

    pub(super) fn is_about(&self, aboutness: f32) -> bool {
        aboutness >= self.about
    }

    /// Whether a memory of this relevance may be recalled although it has faded.
    pub(super) fn may_recall_faded(&self, relevance: f32) -> bool {
        relevance >= self.may_recall_faded
    }

    pub(super) fn score(&self, parts: &Parts) -> f32 {
        self.salience * parts.salience
            + self.relevance * parts.relevance
            + self.recency * parts.recency
            + self.topical * parts.topical
    }
}

pub(super) struct Scan<'s> {
    pub(super) snapshot: &'s Snapshot,
    pub(super) question: &'s Question<'s>,
    pub(super) candidates: &'s Candidates,
    pub(super) relevance: &'s Relevance,
    pub(super) circumstances: &'s Circumstances<'s>,
}

impl Scan<'_> {
    /// The best rows in no particular order, and how many were excluded, by reason.
    pub(super) fn run(&self) -> (Vec<Hit>, ExcludedCounts) {
        let partial_scans = parallel::run_shared(self.snapshot.rows(), self.snapshot.chunks(), |chunks| {
            self.scan_chunks(chunks)
        });
        let mut rejected = self.candidates.rejected;
        let mut top = Top::new(BEST);
        for partial_scan in partial_scans {
            top.join(partial_scan.top);
            rejected.faded += partial_scan.faded;
            rejected.irrelevant += partial_scan.irrelevant;
        }
        let candidates = self.candidates.count;
        rejected.faded = rejected.faded.saturating_sub(self.snapshot.chunks().count() * ROWS - candidates);
        (top.into_hits(), rejected)
    }

    fn scan_chunks<'c>(&self, chunks: impl Iterator<Item = (usize, &'c Chunk)>) -> PartialScan {
        let (limits, now) = (Limits::of(self.question.policy), seconds(self.question.now));
        let mut partial_scan = PartialScan { top: Top::new(BEST), faded: 0, irrelevant: 0 };
        let mut columns = Columns::default();
        for (base, chunk) in chunks {
            self.circumstances.apply(base, chunk, &self.relevance.own, &mut columns.relevance);
            self.circumstances.topical(base, chunk.rows(), &mut columns.topical);
            let verdicts = self.candidates.unless_all_pass(base..base + chunk.rows());
            let fusion = self.circumstances.fusion();
            let (limits, bar) = (&limits, partial_scan.top.bar());
            let looked = kernel::widest(ScanChunk {
                chunk,
                verdicts,
                now,
                fusion,
                limits,
                bar,
                columns: &mut columns,
            });
            partial_scan.faded += looked.faded as usize;
            partial_scan.irrelevant += looked.irrelevant as usize;
            for stride in looked.reaching() {
                let keys = columns.keys.as_chunks::<STRIDE>().0.get(stride);
                partial_scan.top.offer(base + stride * STRIDE, keys.map_or(&[], <[f32; STRIDE]>::as_slice));
            }
        }
        partial_scan
    }
}

/// The result of scanning some of the chunks.
struct PartialScan {
    top: Top,
    faded: usize,
    irrelevant: usize,
}

/// The columns of one chunk while it is scored; rows past its end are below any threshold.
struct Columns {
    salience: [f32; ROWS],
    recency: [f32; ROWS],
    relevance: [f32; ROWS],
    topical: [f32; ROWS],
    keys: [f32; ROWS],
}

impl Default for Columns {
    fn default() -> Self {
        let zeros = [0.0; ROWS];
        Self { salience: zeros, recency: zeros, relevance: zeros, topical: zeros, keys: zeros }
    }
}

/// The result of scanning a chunk.
struct ChunkScan {
    faded: u32,
    irrelevant: u32,
    /// One bit for each stride with a row that reaches the bar.
    strides: u64,
}

impl ChunkScan {
    /// The numbers of the strides with a row that reaches the bar.
    fn reaching(&self) -> impl Iterator<Item = usize> {
        let mut left = self.strides;
        std::iter::from_fn(move || {
            let stride = left.trailing_zeros();
            left &= left.wrapping_sub(1);
            (stride < u64::BITS).then_some(stride as usize)
        })
    }
}

/// Fills the columns of one chunk, and finds the rows that reach `bar`.
struct ScanChunk<'w> {
    chunk: &'w Chunk,
    verdicts: &'w [u8],
    now: i32,
    fusion: &'w Fusion,
    limits: &'w Limits,
    bar: f32,
    columns: &'w mut Columns,
}

impl kernel::Arithmetic for ScanChunk<'_> {
    type Result = ChunkScan;

    #[expect(clippy::inline_always, reason = "so that it is compiled for the instruction set of its caller")]
    #[inline(always)]
    fn compute(self) -> ChunkScan {
        fade(self.chunk, self.now, &mut self.columns.salience, &mut self.columns.recency);
        exclude(self.verdicts, self.chunk.rows(), &mut self.columns.salience);
        for evidence in &mut self.columns.relevance {
            *evidence = self.fusion.relevance(*evidence);
        }
        let (faded, irrelevant) = self.columns.sort_keys(self.limits);
        ChunkScan { faded, irrelevant, strides: self.columns.reaching(self.bar) }
    }
}

impl Columns {
    /// Computes the sort key of each row; returns how many have faded and how many are irrelevant.
    #[expect(clippy::inline_always, reason = "so that it is compiled for the instruction set of its caller")]
    #[inline(always)]
    #[expect(clippy::needless_bitwise_bool, reason = "a lazy operator is a branch")]
    fn sort_keys(&mut self, limits: &Limits) -> (u32, u32) {
        let (mut faded, mut irrelevant) = (0_u32, 0_u32);
        let (threshold, may_recall) = (limits.threshold - CLOSE, limits.may_recall_faded - CLOSE);
        let parts = self.salience.iter().zip(&self.relevance).zip(&self.recency).zip(&self.topical);
        for ((((salience, relevance), recency), topical), key) in parts.zip(&mut self.keys) {
            let score = limits.salience * salience
                + limits.relevance * relevance
                + limits.recency * recency
                + limits.topical * topical;
            let cued = (*relevance >= may_recall) & (*salience > LIGHTEST);
            let fresh = (*salience >= threshold) | cued;
            let surfaces = *relevance >= limits.min_relevance;
            faded += u32::from(!fresh);
            irrelevant += u32::from(fresh & !surfaces);
            let sorted = if surfaces { score } else { score - BEHIND };
            *key = if fresh { sorted } else { f32::NEG_INFINITY };
        }
        (faded, irrelevant)
    }

    /// One bit for each stride with a key that reaches `bar`.
    #[expect(clippy::inline_always, reason = "so that it is compiled for the instruction set of its caller")]
    #[inline(always)]
    fn reaching(&self, bar: f32) -> u64 {
        let mut strides = 0;
        for (at, keys) in self.keys.as_chunks::<STRIDE>().0.iter().enumerate() {
            let reaches = keys.iter().fold(0, |any, key| any | u32::from(*key >= bar));
            strides |= u64::from(reaches) << at;
        }
        strides
    }
}

/// Sets the weight of excluded rows, and of those past the end, below any threshold.
#[expect(clippy::inline_always, reason = "so that it is compiled for the instruction set of its caller")]
#[inline(always)]
fn exclude(verdicts: &[u8], rows: usize, salience: &mut [f32; ROWS]) {
    for (salience, row) in salience.iter_mut().zip(verdicts) {
        *salience = if *row == verdict::CANDIDATE { *salience } else { LIGHTEST };
    }
    salience.iter_mut().skip(rows).for_each(|salience| *salience = LIGHTEST);
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
