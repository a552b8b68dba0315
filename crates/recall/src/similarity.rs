//! The similarity of the sentence vectors of memories and of a cue.
//!
//! Up to some twenty thousand vectors, all are compared. Beyond that, their signs, which take a twelfth of
//! the memory, select the nearest of each chunk, and only those are compared: the rest count as dissimilar,
//! which most of them are. Only memories that may reach the listener take part in that selection.

use crate::candidates::{Candidates, verdict};
use crate::cue_encoder::{CueVectors, Packed};
use crate::fusion::{Cosines, Fusion};
use crate::index::Snapshot;
use crate::index::chunk::ROWS;
use crate::index::sentence_chunk::{Encoded, SentenceChunk};
use crate::kernel::{self, Row, Signs};
use crate::parallel;
use crate::sentences::Part;

/// Up to this many vectors, all are compared with the cue.
const ALL_COMPARED: usize = 20_000;
/// Beyond that, one gist in this many of a chunk is compared.
const ONE_GIST_IN: usize = 32;
/// And one detail or cue in this many.
const ONE_PART_IN: usize = 128;
/// But no fewer than this per chunk.
const FEWEST: usize = 32;

/// The similarity of the sentence vectors of a row and of the cue, and the row's most similar text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Similarity {
    pub(crate) minilm: f32,
    pub(crate) use_multilingual: f32,
    pub(crate) best: Part,
    pub(crate) is_encoded: bool,
}

impl Default for Similarity {
    fn default() -> Self {
        Self { minilm: 0.0, use_multilingual: 0.0, best: Part::Gist, is_encoded: false }
    }
}

impl Similarity {
    #[inline]
    pub(crate) fn with_table(self, table: f32) -> Cosines {
        let Self { minilm, use_multilingual, is_encoded, .. } = self;
        Cosines { table, minilm, use_multilingual, is_encoded }
    }
}

/// The similarity of every row's sentence vectors to those of the cue; empty if either has none.
pub(crate) fn row_similarities(
    snapshot: &Snapshot,
    cue: Option<&CueVectors>,
    candidates: &Candidates,
    fusion: &Fusion,
) -> Vec<Similarity> {
    let Some(cue) = cue else { return Vec::new() };
    let mut row_similarities = vec![Similarity::default(); snapshot.rows()];
    let vectors: usize = snapshot.sentences().map(|(_, sentences)| sentences.count()).sum();
    let blocks = snapshot.sentences().zip(row_similarities.chunks_mut(ROWS));
    let blocks = blocks.filter(|((_, sentences), _)| !sentences.is_empty());
    parallel::run_shared(snapshot.rows(), blocks, |blocks| {
        for ((base, sentences), rows) in blocks {
            let verdicts = candidates.verdicts.get(base..).unwrap_or_default();
            if vectors <= ALL_COMPARED {
                compare(sentences, cue, fusion, rows);
            } else {
                compare_nearest(sentences, cue, verdicts, fusion, rows);
            }
        }
    });
    row_similarities
}

/// The similarity of the only row of `sentences`.
pub(crate) fn single_row_similarity(
    sentences: &SentenceChunk,
    cue: &CueVectors,
    fusion: &Fusion,
) -> Similarity {
    let mut row = [Similarity::default()];
    compare(sentences, cue, fusion, &mut row);
    let [similarity] = row;
    similarity
}

/// Compares all sentence vectors of a chunk with those of the cue.
fn compare(sentences: &SentenceChunk, cue: &CueVectors, fusion: &Fusion, rows: &mut [Similarity]) {
    let mut minilm = Best::new(rows.len());
    minilm.compare_all(&sentences.minilm, &cue.minilm, fusion);
    let mut multilingual = Best::new(rows.len());
    multilingual.compare_all(&sentences.use_multilingual, &cue.use_multilingual, fusion);
    join(sentences, &minilm, &multilingual, rows);
}

/// Compares the nearest sentence vectors of a chunk with those of the cue.
fn compare_nearest(
    sentences: &SentenceChunk,
    cue: &CueVectors,
    verdicts: &[u8],
    fusion: &Fusion,
    rows: &mut [Similarity],
) {
    // A memory that is near by one encoder is compared by both, because its relevance combines the two.
    let mut near = nearest_gists(&sentences.minilm, &cue.minilm, verdicts);
    near.extend(nearest_gists(&sentences.use_multilingual, &cue.use_multilingual, verdicts));
    near.sort_unstable();
    near.dedup();
    let mut minilm = Best::new(rows.len());
    minilm.compare_nearest(&sentences.minilm, &cue.minilm, &near, verdicts, fusion);
    let mut multilingual = Best::new(rows.len());
    multilingual.compare_nearest(&sentences.use_multilingual, &cue.use_multilingual, &near, verdicts, fusion);
    join(sentences, &minilm, &multilingual, rows);
}

fn join(sentences: &SentenceChunk, minilm: &Best, multilingual: &Best, rows: &mut [Similarity]) {
    let both =
        minilm.cosines.iter().zip(&minilm.parts).zip(multilingual.cosines.iter().zip(&multilingual.parts));
    for ((row, ((minilm, minilm_part), (multilingual, multilingual_part))), at) in
        rows.iter_mut().zip(both).zip(0..)
    {
        let steps = [sentences.minilm.gist_steps.get(at), sentences.use_multilingual.gist_steps.get(at)];
        *row = Similarity {
            minilm: *minilm,
            use_multilingual: *multilingual,
            // Details and cues have a vector of one encoder only, so a part other than the gist decides.
            best: if *minilm_part == Part::Gist { *multilingual_part } else { *minilm_part },
            is_encoded: steps.into_iter().flatten().any(|step| *step > 0.0),
        };
    }
}

fn nearest_gists<const N: usize>(encoded: &Encoded<N>, cue: &Packed<N>, verdicts: &[u8]) -> Vec<usize> {
    nearest(&encoded.gist_signs, cue, ONE_GIST_IN, |row| verdicts.get(row) == Some(&verdict::CANDIDATE))
}

/// One in `one_in` of the passing `vectors`: those whose signs differ least from the cue's.
fn nearest<const N: usize>(
    vectors: &[Signs],
    cue: &Packed<N>,
    one_in: usize,
    passes: impl Fn(usize) -> bool,
) -> Vec<usize> {
    let mut differing = vec![0_u16; vectors.len()];
    kernel::differing_signs(&Signs::of(&cue.codes), vectors, &mut differing);
    let mut counts = [0_usize; Signs::BITS + 1];
    for (differing, at) in differing.iter_mut().zip(0..) {
        if !passes(at) {
            *differing = u16::MAX;
        } else if let Some(count) = counts.get_mut(usize::from(*differing)) {
            *count += 1;
        }
    }
    let wanted = (vectors.len() / one_in).max(FEWEST);
    let mut so_far = 0;
    let enough = counts.iter().position(|count| {
        so_far += count;
        so_far >= wanted
    });
    let most = enough.unwrap_or(counts.len());
    let is_near = |(at, differing): (usize, &u16)| (usize::from(*differing) <= most).then_some(at);
    differing.iter().enumerate().filter_map(is_near).collect()
}

/// The most similar text of each row, by one encoder.
struct Best {
    cosines: Vec<f32>,
    parts: Vec<Part>,
}

impl Best {
    fn new(rows: usize) -> Self {
        Self { cosines: vec![0.0; rows], parts: vec![Part::Gist; rows] }
    }

    fn compare_all<const N: usize>(&mut self, encoded: &Encoded<N>, cue: &Packed<N>, fusion: &Fusion) {
        let mut dots = [0_i32; ROWS];
        kernel::dots(&cue.codes, &encoded.gists, &mut dots);
        for ((cosine, dot), step) in self.cosines.iter_mut().zip(&dots).zip(&encoded.gist_steps) {
            *cosine = cosine_of(*dot, *step, cue.step);
        }
        self.compare_parts(&encoded.parts, &encoded.part_steps, &encoded.owners, cue, fusion);
    }

    fn compare_nearest<const N: usize>(
        &mut self,
        encoded: &Encoded<N>,
        cue: &Packed<N>,
        near: &[usize],
        verdicts: &[u8],
        fusion: &Fusion,
    ) {
        let mut dots = [0_i32; ROWS];
        // Copied together first: one row at a time, each dot product would wait for its own memory.
        kernel::dots(&cue.codes, &picked(&encoded.gists, near), &mut dots);
        for (dot, row) in dots.iter().zip(near) {
            if let (Some(cosine), Some(step)) = (self.cosines.get_mut(*row), encoded.gist_steps.get(*row)) {
                *cosine = cosine_of(*dot, *step, cue.step);
            }
        }
        let passes = |at: usize| {
            let owner = encoded.owners.get(at).map(|(row, _)| usize::from(*row));
            owner.and_then(|row| verdicts.get(row)) == Some(&verdict::CANDIDATE)
        };
        let near = nearest(&encoded.part_signs, cue, ONE_PART_IN, passes);
        let rows: Vec<Row<N>> = picked(&encoded.parts, &near);
        let (steps, owners) = (picked(&encoded.part_steps, &near), picked(&encoded.owners, &near));
        self.compare_parts(&rows, &steps, &owners, cue, fusion);
    }

    fn compare_parts<const N: usize>(
        &mut self,
        rows: &[Row<N>],
        steps: &[f32],
        owners: &[(u16, Part)],
        cue: &Packed<N>,
        fusion: &Fusion,
    ) {
        let mut dots = [0_i32; ROWS];
        for ((rows, steps), owners) in rows.chunks(ROWS).zip(steps.chunks(ROWS)).zip(owners.chunks(ROWS)) {
            kernel::dots(&cue.codes, rows, &mut dots);
            for ((dot, step), (owner, part)) in dots.iter().zip(steps).zip(owners) {
                let cosine = cosine_of(*dot, *step, cue.step);
                self.offer(usize::from(*owner), *part, cosine * fusion.share_of(*part));
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

fn picked<T: Copy>(all: &[T], places: &[usize]) -> Vec<T> {
    places.iter().filter_map(|at| all.get(*at)).copied().collect()
}

#[expect(clippy::cast_precision_loss, reason = "a dot product of 512 bytes has 23 bits")]
fn cosine_of(dot: i32, step: f32, cue_step: f32) -> f32 {
    dot as f32 * (step * cue_step)
}

#[cfg(test)]
mod tests;
