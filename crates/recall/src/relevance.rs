//! How relevant each row is to a cue: words and meaning of all rows, exactly, into one dense array.

use crate::arithmetic::count;
use crate::bm25::{Posting, Weighing, rarity};
use crate::candidates::{Candidates, verdict};
use crate::fusion::Fusion;
use crate::hands;
use crate::index::Snapshot;
use crate::index::chunk::ROWS;
use crate::index::segment::Segment;
use crate::kernel::{self, Row};
use crate::query::Query;
use crate::telling::Telling;
use crate::words::Term;

/// Words and meaning of every row, each from 0 to 1, and what they come to together.
pub(crate) struct Relevance {
    words: Words,
    /// Words and meaning together, zero where the row may not be told.
    pub(crate) own: Vec<f32>,
}

/// BM25 of every row, and what a text with all of the cue's words would reach.
pub(crate) struct Words {
    sums: Vec<f32>,
    all: f32,
    /// What the cue tells by its words, people and days.
    pub(crate) telling: Telling,
}

impl Relevance {
    /// The row's share of the cue's telling words, from 0 to 1.
    pub(crate) fn words_of(&self, row: usize) -> Option<f32> {
        self.words.share_of(row)
    }
}

impl Words {
    /// The row's share of the cue's telling words, from 0 to 1.
    pub(crate) fn share_of(&self, row: usize) -> Option<f32> {
        Some(self.sums.get(row)? / self.all)
    }
}

/// Computes the relevance of every row of `snapshot` that passed.
pub(crate) fn relevance(
    snapshot: &Snapshot,
    query: &Query,
    candidates: &Candidates,
    words: Words,
    fusion: &Fusion,
) -> Relevance {
    let mut own = vec![0.0; snapshot.rows()];
    let runs = runs(snapshot, &words.sums, &mut own).into_iter();
    hands::share(snapshot.rows(), runs, |runs| runs.for_each(|run| run.score(query, words.all, fusion)));
    if !candidates.all_pass() {
        for (own, row) in own.iter_mut().zip(&candidates.verdicts) {
            *own = if *row == verdict::CANDIDATE { *own } else { 0.0 };
        }
    }
    Relevance { words, own }
}

/// Consecutive rows that are scored together, and where their relevance goes.
struct Run<'r> {
    vectors: &'r [Row],
    steps: &'r [f32],
    sums: &'r [f32],
    own: &'r mut [f32],
}

/// All rows of `snapshot`, a chunk's worth at a time.
fn runs<'r>(snapshot: &'r Snapshot, sums: &'r [f32], mut own: &'r mut [f32]) -> Vec<Run<'r>> {
    let mut runs = Vec::with_capacity(snapshot.rows() / ROWS + 1);
    for (base, segment) in snapshot.segments() {
        for (at, vectors) in segment.vectors.chunks(ROWS).enumerate() {
            let steps = segment.steps.get(at * ROWS..).unwrap_or_default();
            let sums = sums.get(base + at * ROWS..).unwrap_or_default();
            let (these, rest) = own.split_at_mut_checked(vectors.len()).unwrap_or_default();
            own = rest;
            runs.push(Run { vectors, steps, sums, own: these });
        }
    }
    runs
}

impl Run<'_> {
    fn score(self, query: &Query, all: f32, fusion: &Fusion) {
        let mut dots = [0_i32; ROWS];
        kernel::dots(&query.packed, self.vectors, &mut dots);
        let Self { steps, sums, own, .. } = self;
        kernel::widest(Fuse { fusion, query_step: query.step, dots: &dots, steps, sums, all, out: own });
    }
}

/// Brings meaning and words of consecutive rows together.
struct Fuse<'w> {
    fusion: &'w Fusion,
    query_step: f32,
    dots: &'w [i32],
    steps: &'w [f32],
    sums: &'w [f32],
    all: f32,
    out: &'w mut [f32],
}

impl kernel::Arithmetic for Fuse<'_> {
    type Result = ();

    #[expect(clippy::inline_always, reason = "so that it is compiled for the instruction set of its caller")]
    #[inline(always)]
    #[expect(clippy::cast_precision_loss, reason = "a dot product of 256 bytes has 22 bits")]
    fn compute(self) {
        let (scale, shift) = (self.fusion.meaning / (1.0 - self.fusion.unlike), self.fusion.unlike);
        for (((dot, step), sum), out) in self.dots.iter().zip(self.steps).zip(self.sums).zip(self.out) {
            let cosine = *dot as f32 * (step * self.query_step);
            *out = ((cosine - shift) * scale).max(0.0) + self.fusion.words * (sum / self.all);
        }
    }
}

/// How much each row shares of the words of `query`.
pub(crate) fn shared_words(snapshot: &Snapshot, query: &Query, candidates: &Candidates) -> Words {
    let mut sums = vec![0.0; snapshot.rows()];
    let weighing = Weighing::of_average(average_length(snapshot, candidates));
    let (mut all, mut telling) = (0.0, query.named());
    for term in &query.terms {
        let containing = containing(snapshot, *term, candidates);
        let rarity = rarity(candidates.count, containing);
        telling.add_word(candidates.count, containing);
        all += rarity;
        for (base, segment) in snapshot.segments() {
            let rows = sums.get_mut(base..base + segment.rows()).unwrap_or_default();
            accumulate(segment.words.find(*term), segment, weighing, rarity, rows);
        }
    }
    Words { sums, all: if all > 0.0 { all } else { 1.0 }, telling }
}

fn accumulate(posting: Posting<'_>, segment: &Segment, weighing: Weighing, rarity: f32, rows: &mut [f32]) {
    for (row, times) in posting.rows.iter().zip(posting.counts) {
        let row = usize::from(*row);
        if let (Some(sum), Some(length)) = (rows.get_mut(row), segment.lengths.get(row)) {
            *sum += rarity * weighing.weigh(*times, *length);
        }
    }
}

/// How many candidates contain `term`.
fn containing(snapshot: &Snapshot, term: Term, candidates: &Candidates) -> usize {
    let in_segment = |(base, segment): (usize, &Segment)| {
        let rows = segment.words.find(term).rows;
        if candidates.all_pass() {
            return rows.len();
        }
        let verdicts = candidates.verdicts.get(base..).unwrap_or_default();
        rows.iter().filter(|row| verdicts.get(usize::from(**row)) == Some(&verdict::CANDIDATE)).count()
    };
    snapshot.segments().map(in_segment).sum()
}

fn average_length(snapshot: &Snapshot, candidates: &Candidates) -> f32 {
    let of_segment = |(base, segment): (usize, &Segment)| -> u64 {
        if candidates.all_pass() {
            return segment.total_length;
        }
        let verdicts = candidates.verdicts.get(base..).unwrap_or_default();
        let rows = segment.lengths.iter().zip(verdicts);
        rows.map(|(length, row)| if *row == verdict::CANDIDATE { u64::from(*length) } else { 0 }).sum()
    };
    let total: u64 = snapshot.segments().map(of_segment).sum();
    count(usize::try_from(total).unwrap_or(usize::MAX)) / count(candidates.count.max(1))
}
