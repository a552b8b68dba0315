//! How relevant each row is to a cue: words and meaning of all rows, exactly, into one dense array.

use crate::arithmetic::count;
use crate::bm25::{Posting, Weighing, rarity};
use crate::candidates::{Candidates, verdict};
use crate::cue_encoder::{CueVectors, Packed};
use crate::embed::Row;
use crate::fusion::{Cosines, Fusion};
use crate::hands;
use crate::index::Snapshot;
use crate::index::chunk::ROWS;
use crate::index::segment::Segment;
use crate::index::sentence_chunk::{Encoded, SentenceChunk};
use crate::kernel;
use crate::query::Query;
use crate::sentences::Part;
use crate::words::Term;

/// Words and meaning of every row, and what they come to together.
pub(crate) struct Relevance {
    words: Words,
    likenesses: Vec<Likeness>,
    /// Words and meaning together, zero where the row may not be told.
    pub(crate) own: Vec<f32>,
}

/// How alike the sentence vectors of a row and of the cue are, and which text of the row is most like it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Likeness {
    pub(crate) minilm: f32,
    pub(crate) use_multilingual: f32,
    pub(crate) best: Part,
    pub(crate) is_encoded: bool,
}

impl Default for Likeness {
    fn default() -> Self {
        Self { minilm: 0.0, use_multilingual: 0.0, best: Part::Gist, is_encoded: false }
    }
}

/// BM25 of every row, and what a text with all of the cue's words would reach.
pub(crate) struct Words {
    sums: Vec<f32>,
    all: f32,
}

impl Relevance {
    /// The row's share of the cue's words, from 0 to 1.
    pub(crate) fn words_of(&self, row: usize) -> Option<f32> {
        self.words.share_of(row)
    }

    pub(crate) fn likeness_of(&self, row: usize) -> Likeness {
        self.likenesses.get(row).copied().unwrap_or_default()
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
    let likenesses = likenesses(snapshot, query.sentences.as_deref(), fusion);
    fuse(&mut own, &likenesses, &words, fusion);
    if !candidates.all_pass() {
        for (own, row) in own.iter_mut().zip(&candidates.verdicts) {
            *own = if *row == verdict::CANDIDATE { *own } else { 0.0 };
        }
    }
    Relevance { words, likenesses, own }
}

/// The likeness of every row's sentence vectors to those of the cue; empty where neither has any.
pub(crate) fn likenesses(snapshot: &Snapshot, cue: Option<&CueVectors>, fusion: &Fusion) -> Vec<Likeness> {
    let Some(cue) = cue else { return Vec::new() };
    let mut likenesses = vec![Likeness::default(); snapshot.rows()];
    let blocks = snapshot.sentences().zip(likenesses.chunks_mut(ROWS));
    let blocks = blocks.filter(|((_, sentences), _)| !sentences.is_empty());
    hands::share(snapshot.rows(), blocks, |blocks| {
        for ((_, sentences), rows) in blocks {
            compare(sentences, cue, fusion, rows);
        }
    });
    likenesses
}

/// The likeness of the only row of `sentences`.
pub(crate) fn likeness_of_one(sentences: &SentenceChunk, cue: &CueVectors, fusion: &Fusion) -> Likeness {
    let mut row = [Likeness::default()];
    compare(sentences, cue, fusion, &mut row);
    let [likeness] = row;
    likeness
}

/// Compares the sentence vectors of a chunk with those of the cue.
fn compare(sentences: &SentenceChunk, cue: &CueVectors, fusion: &Fusion, rows: &mut [Likeness]) {
    let mut minilm = Best::new(rows.len());
    minilm.compare(&sentences.minilm, &cue.minilm, fusion);
    let mut multilingual = Best::new(rows.len());
    multilingual.compare(&sentences.use_multilingual, &cue.use_multilingual, fusion);
    let both =
        minilm.cosines.iter().zip(&minilm.parts).zip(multilingual.cosines.iter().zip(&multilingual.parts));
    for ((row, ((minilm, minilm_part), (multilingual, multilingual_part))), at) in
        rows.iter_mut().zip(both).zip(0..)
    {
        let steps = [sentences.minilm.gist_steps.get(at), sentences.use_multilingual.gist_steps.get(at)];
        *row = Likeness {
            minilm: *minilm,
            use_multilingual: *multilingual,
            // Details and cues are encoded by one encoder only: whichever has another part than the gist knows.
            best: if *minilm_part == Part::Gist { *multilingual_part } else { *minilm_part },
            is_encoded: steps.into_iter().flatten().any(|step| *step > 0.0),
        };
    }
}

/// The most alike text of each row, by one encoder.
struct Best {
    cosines: Vec<f32>,
    parts: Vec<Part>,
}

impl Best {
    fn new(rows: usize) -> Self {
        Self { cosines: vec![0.0; rows], parts: vec![Part::Gist; rows] }
    }

    #[expect(clippy::cast_precision_loss, reason = "a dot product of 512 bytes has 23 bits")]
    fn compare<const N: usize>(&mut self, encoded: &Encoded<N>, cue: &Packed<N>, fusion: &Fusion) {
        let mut dots = [0_i32; ROWS];
        kernel::dots(&cue.codes, &encoded.gists, &mut dots);
        for ((cosine, dot), step) in self.cosines.iter_mut().zip(&dots).zip(&encoded.gist_steps) {
            *cosine = *dot as f32 * (step * cue.step);
        }
        let parts = encoded.parts.chunks(ROWS).zip(encoded.part_steps.chunks(ROWS));
        for ((rows, steps), owners) in parts.zip(encoded.owners.chunks(ROWS)) {
            kernel::dots(&cue.codes, rows, &mut dots);
            for ((dot, step), (owner, part)) in dots.iter().zip(steps).zip(owners) {
                let share = match part {
                    Part::Gist => 1.0,
                    Part::Detail(_) => fusion.detail,
                    Part::Cue(_) => fusion.cue,
                };
                self.offer(usize::from(*owner), *part, *dot as f32 * (step * cue.step) * share);
            }
        }
    }

    fn offer(&mut self, row: usize, part: Part, cosine: f32) {
        if let (Some(best), Some(best_part)) = (self.cosines.get_mut(row), self.parts.get_mut(row))
            && cosine > *best
        {
            (*best, *best_part) = (cosine, part);
        }
    }
}

/// The cosine of every row by the built-in table.
fn table_cosines(snapshot: &Snapshot, query: &Query) -> Vec<f32> {
    let mut cosines = vec![0.0; snapshot.rows()];
    let runs = runs(snapshot, &mut cosines).into_iter();
    hands::share(snapshot.rows(), runs, |runs| runs.for_each(|run| run.score(query)));
    cosines
}

/// Consecutive rows that are compared together, and where their cosines go.
struct Run<'r> {
    vectors: &'r [Row],
    steps: &'r [f32],
    out: &'r mut [f32],
}

/// All rows of `snapshot`, a chunk's worth at a time.
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

/// Makes relevance out of the table's cosines, the encoders' and the words.
fn fuse(own: &mut [f32], likenesses: &[Likeness], words: &Words, fusion: &Fusion) {
    let share = fusion.words / words.all;
    if likenesses.is_empty() {
        for (own, sum) in own.iter_mut().zip(&words.sums) {
            *own = fusion.meaning(Cosines { table: *own, ..Cosines::default() }) + share * sum;
        }
        return;
    }
    for ((own, likeness), sum) in own.iter_mut().zip(likenesses).zip(&words.sums) {
        *own = fusion.meaning(likeness.with_table(*own)) + share * sum;
    }
}

impl Likeness {
    #[inline]
    pub(crate) fn with_table(self, table: f32) -> Cosines {
        let Self { minilm, use_multilingual, is_encoded, .. } = self;
        Cosines { table, minilm, use_multilingual, is_encoded }
    }
}

/// How much each row shares of the words of `query`.
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

    /// Counts the words of each memory's cues, where they say more for it than its own words.
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
