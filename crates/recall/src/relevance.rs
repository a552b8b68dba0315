//! The relevance of each row to a cue: words and semantic similarity of all rows, exactly, in one dense
//! array.

use crate::arithmetic::count;
use crate::bm25::{Posting, Weighing, rarity};
use crate::candidates::{Candidates, verdict};
use crate::embed::Row;
use crate::fusion::{Cosines, Fusion};
use crate::index::Snapshot;
use crate::index::chunk::ROWS;
use crate::index::segment::Segment;
use crate::kernel;
use crate::matters::matters;
use crate::parallel;
use crate::query::Query;
use crate::similarity::{Similarity, row_similarities};
use crate::words::Term;

/// Words and semantic similarity of every row, and their combination.
pub(crate) struct Relevance {
    words: Words,
    row_similarities: Vec<Similarity>,
    /// How much each row matters now; empty if the cue has a topic.
    matters: Vec<f32>,
    /// The combined relevance, zero for excluded rows.
    pub(crate) own: Vec<f32>,
}

/// BM25 of every row, and the score of a text with all of the cue's words.
pub(crate) struct Words {
    sums: Vec<f32>,
    all: f32,
}

impl Relevance {
    /// The row's share of the cue's words, from 0 to 1.
    pub(crate) fn words_of(&self, row: usize) -> Option<f32> {
        self.words.share_of(row)
    }

    /// How much the row matters now, if the cue leaves open what it is about.
    pub(crate) fn matters_of(&self, row: usize) -> f32 {
        self.matters.get(row).copied().unwrap_or(0.0)
    }

    pub(crate) fn similarity_of(&self, row: usize) -> Similarity {
        self.row_similarities.get(row).copied().unwrap_or_default()
    }
}

impl Words {
    /// The row's share of the cue's words, from 0 to 1.
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
    let mut own = table_cosines(snapshot, query);
    let sentences = query.sentences.as_deref().filter(|_| fusion.has_topic());
    let row_similarities = row_similarities(snapshot, sentences, candidates, fusion);
    fuse(&mut own, &row_similarities, &words, fusion);
    let matters = matters(snapshot, fusion.matters);
    for (own, matters) in own.iter_mut().zip(&matters) {
        *own += matters;
    }
    if !candidates.all_pass() {
        for (own, row) in own.iter_mut().zip(&candidates.verdicts) {
            *own = if *row == verdict::CANDIDATE { *own } else { 0.0 };
        }
    }
    Relevance { words, row_similarities, matters, own }
}

/// The cosine of every row by the built-in table.
fn table_cosines(snapshot: &Snapshot, query: &Query) -> Vec<f32> {
    let mut cosines = vec![0.0; snapshot.rows()];
    let runs = runs(snapshot, &mut cosines).into_iter();
    parallel::run_shared(snapshot.rows(), runs, |runs| runs.for_each(|run| run.score(query)));
    cosines
}

/// Consecutive rows that are compared together, and the output for their cosines.
struct Run<'r> {
    vectors: &'r [Row],
    steps: &'r [f32],
    out: &'r mut [f32],
}

/// All rows of `snapshot`, split into pieces of a chunk.
fn runs<'r>(snapshot: &'r Snapshot, mut out: &'r mut [f32]) -> Vec<Run<'r>> {
    let mut runs = Vec::with_capacity(snapshot.rows() / ROWS + 1);
    for (_, segment) in snapshot.segments() {
        for (at, vectors) in segment.vectors.chunks(ROWS).enumerate() {
            let steps = segment.steps.get(at * ROWS..).unwrap_or_default();
            let (these, rest) = out.split_at_mut_checked(vectors.len()).unwrap_or_default();
            out = rest;
            runs.push(Run { vectors, steps, out: these });
        }
    }
    runs
}

impl Run<'_> {
    #[expect(clippy::cast_precision_loss, reason = "a dot product of 256 bytes has 22 bits")]
    fn score(self, query: &Query) {
        let mut dots = [0_i32; ROWS];
        kernel::dots(&query.packed, self.vectors, &mut dots);
        for ((out, dot), step) in self.out.iter_mut().zip(&dots).zip(self.steps) {
            *out = *dot as f32 * (step * query.step);
        }
    }
}

/// Combines the table's cosines, the encoders' and the words into relevance.
fn fuse(own: &mut [f32], row_similarities: &[Similarity], words: &Words, fusion: &Fusion) {
    let share = fusion.words / words.all;
    if row_similarities.is_empty() {
        for (own, sum) in own.iter_mut().zip(&words.sums) {
            *own = fusion.meaning(Cosines { table: *own, ..Cosines::default() }) + share * sum;
        }
        return;
    }
    for ((own, similarity), sum) in own.iter_mut().zip(row_similarities).zip(&words.sums) {
        *own = fusion.meaning(similarity.with_table(*own)) + share * sum;
    }
}

/// The share of the words of `query` in each row.
pub(crate) fn shared_words(
    snapshot: &Snapshot,
    query: &Query,
    candidates: &Candidates,
    fusion: &Fusion,
) -> Words {
    let weighing = Weighing::of_average(average_length(snapshot, candidates));
    let mut words = Words { sums: vec![0.0; snapshot.rows()], all: 0.0 };
    for term in &query.terms {
        let rarity = rarity(candidates.count, containing(snapshot, *term, candidates));
        words.all += rarity;
        words.add(*term, rarity, snapshot, weighing);
    }
    for term in &query.related {
        let rarity = rarity(candidates.count, containing(snapshot, *term, candidates));
        words.add(*term, rarity * fusion.relation, snapshot, weighing);
    }
    words.all = if words.all > 0.0 { words.all } else { 1.0 };
    words.count_cues(&query.terms, snapshot, candidates, fusion);
    words
}

impl Words {
    fn add(&mut self, term: Term, weight: f32, snapshot: &Snapshot, weighing: Weighing) {
        for (base, segment) in snapshot.segments() {
            let rows = self.sums.get_mut(base..base + segment.rows()).unwrap_or_default();
            accumulate(segment.words.find(term), segment, weighing, weight, rows);
        }
    }

    /// Counts the words of each memory's cues, if their score is higher than that of its own words.
    fn count_cues(&mut self, terms: &[Term], snapshot: &Snapshot, candidates: &Candidates, fusion: &Fusion) {
        if snapshot.segments().all(|(_, segment)| segment.cue_words.is_empty()) {
            return;
        }
        let mut sums = vec![0.0; self.sums.len()];
        for term in terms {
            let weight = rarity(candidates.count, containing(snapshot, *term, candidates)) * fusion.cue_words;
            for (base, segment) in snapshot.segments() {
                for row in segment.cue_words.find(*term).rows {
                    if let Some(sum) = sums.get_mut(base + usize::from(*row)) {
                        *sum += weight;
                    }
                }
            }
        }
        for (own, cues) in self.sums.iter_mut().zip(sums) {
            *own = own.max(cues);
        }
    }
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
