//! The sentence vectors of 1,024 rows: of each gist by both encoders, of details and cues by one.
//!
//! They are made after their memories were written, so they arrive later than the words of a row and are
//! stored separately. A row without vectors has the zero row, whose similarity to anything is zero.

use encoders::Encoder;

use crate::index::chunk::ROWS;
use crate::kernel::{self, Row, Signs};
use crate::sentences::{Part, SentenceVector, SentenceVectors};

/// The number of dimensions of `MiniLM`.
pub(crate) const MINILM: usize = 384;
/// The number of dimensions of USE.
pub(crate) const USE: usize = 512;

/// How many details and cues are allocated at a time.
const PARTS_AT_ONCE: usize = 256;

/// The vectors of up to [`ROWS`] rows.
#[derive(Clone, Default)]
pub(crate) struct SentenceChunk {
    pub(crate) minilm: Encoded<MINILM>,
    pub(crate) use_multilingual: Encoded<USE>,
}

/// The vectors of one encoder.
#[derive(Clone)]
pub(crate) struct Encoded<const N: usize> {
    /// One row for each gist that is encoded.
    pub(crate) gists: Vec<Row<N>>,
    pub(crate) gist_steps: Vec<f32>,
    /// The signs of each gist, for a fast first comparison in a large index.
    pub(crate) gist_signs: Vec<Signs>,
    /// Details and cues of all rows, in no particular order.
    pub(crate) parts: Vec<Row<N>>,
    pub(crate) part_steps: Vec<f32>,
    /// The signs of each of them.
    pub(crate) part_signs: Vec<Signs>,
    /// The row each of them belongs to, and which of its texts it is.
    pub(crate) owners: Vec<(u16, Part)>,
}

impl<const N: usize> Default for Encoded<N> {
    fn default() -> Self {
        Self {
            gists: Vec::new(),
            gist_steps: Vec::new(),
            gist_signs: Vec::new(),
            parts: Vec::new(),
            part_steps: Vec::new(),
            part_signs: Vec::new(),
            owners: Vec::new(),
        }
    }
}

impl SentenceChunk {
    /// Replaces the vectors of a row.
    pub(crate) fn set(&mut self, row: usize, sentences: &SentenceVectors) {
        self.clear(row);
        for vector in sentences.vectors() {
            match vector.encoder {
                Encoder::MiniLmRecall => self.minilm.put(row, vector),
                Encoder::UseRecall => self.use_multilingual.put(row, vector),
                // Recall has encoders of its own, and never compares vectors of two encoders.
                Encoder::MiniLm | Encoder::UseMultilingual => {}
            }
        }
    }

    /// Removes the vectors of a row.
    pub(crate) fn clear(&mut self, row: usize) {
        self.minilm.clear(row);
        self.use_multilingual.clear(row);
    }

    /// Copies the vectors of a row of another chunk.
    pub(crate) fn copy_row(&mut self, here: usize, other: &Self, row: usize) {
        self.minilm.copy_row(here, &other.minilm, row);
        self.use_multilingual.copy_row(here, &other.use_multilingual, row);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.minilm.gists.is_empty() && self.use_multilingual.gists.is_empty()
    }

    /// The number of vectors.
    pub(crate) fn count(&self) -> usize {
        self.minilm.count() + self.use_multilingual.count()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.minilm.bytes() + self.use_multilingual.bytes()
    }
}

impl<const N: usize> Encoded<N> {
    fn count(&self) -> usize {
        self.gists.len() + self.parts.len()
    }

    /// The cosine of two gists; `None` unless both are encoded.
    #[expect(clippy::cast_precision_loss, reason = "a dot product of 512 bytes has 23 bits")]
    pub(crate) fn gist_cosine(&self, row: usize, other: &Self, other_row: usize) -> Option<f32> {
        let encoded = |of: &Self, row: usize| Some((*of.gists.get(row)?, *of.gist_steps.get(row)?));
        let ((codes, step), (other_codes, other_step)) = (encoded(self, row)?, encoded(other, other_row)?);
        let mut dot = [0];
        kernel::dots(&codes, &[other_codes], &mut dot);
        (step > 0.0 && other_step > 0.0).then_some(dot[0] as f32 * step * other_step)
    }

    fn put(&mut self, row: usize, vector: &SentenceVector) {
        let codes = Row::from_fn(|at| vector.codes.get(at).copied().unwrap_or(0));
        match vector.part {
            Part::Gist => self.put_gist(row, codes, vector.step),
            Part::Detail(_) | Part::Cue(_) => {
                let owner = u16::try_from(row).unwrap_or(u16::MAX);
                self.put_part(codes, vector.step, owner, vector.part);
            }
        }
    }

    fn put_gist(&mut self, row: usize, codes: Row<N>, step: f32) {
        if row >= ROWS {
            return;
        }
        if self.gists.len() <= row {
            self.gists.resize(row + 1, Row::ZERO);
            self.gist_steps.resize(row + 1, 0.0);
            self.gist_signs.resize(row + 1, Signs::default());
        }
        if let (Some(place), Some(place_of_step)) = (self.gists.get_mut(row), self.gist_steps.get_mut(row)) {
            (*place, *place_of_step) = (codes, step);
        }
        if let Some(signs) = self.gist_signs.get_mut(row) {
            *signs = Signs::of(&codes);
        }
    }

    fn put_part(&mut self, codes: Row<N>, step: f32, owner: u16, part: Part) {
        // There may be five times as many as rows, so the memory that doubling would leave unused is worth
        // saving.
        if self.parts.len() == self.parts.capacity() {
            self.parts.reserve_exact(PARTS_AT_ONCE);
            self.part_signs.reserve_exact(PARTS_AT_ONCE);
        }
        self.part_signs.push(Signs::of(&codes));
        self.parts.push(codes);
        self.part_steps.push(step);
        self.owners.push((owner, part));
    }

    fn clear(&mut self, row: usize) {
        if let (Some(codes), Some(step)) = (self.gists.get_mut(row), self.gist_steps.get_mut(row)) {
            (*codes, *step) = (Row::ZERO, 0.0);
        }
        if let Some(signs) = self.gist_signs.get_mut(row) {
            *signs = Signs::default();
        }
        let mut at = 0;
        while let Some((owner, _)) = self.owners.get(at) {
            if usize::from(*owner) == row {
                self.owners.swap_remove(at);
                self.part_steps.swap_remove(at);
                self.part_signs.swap_remove(at);
                self.parts.swap_remove(at);
            } else {
                at += 1;
            }
        }
    }

    fn copy_row(&mut self, here: usize, other: &Self, row: usize) {
        if let (Some(codes), Some(step)) = (other.gists.get(row), other.gist_steps.get(row))
            && *step > 0.0
        {
            self.put_gist(here, *codes, *step);
        }
        let place = u16::try_from(here).unwrap_or(u16::MAX);
        for ((codes, step), (owner, part)) in other.parts.iter().zip(&other.part_steps).zip(&other.owners) {
            if usize::from(*owner) == row {
                self.put_part(*codes, *step, place, *part);
            }
        }
    }

    fn bytes(&self) -> usize {
        (self.gists.capacity() + self.parts.capacity()) * size_of::<Row<N>>()
            + (self.gist_steps.capacity() + self.part_steps.capacity()) * 4
            + (self.gist_signs.capacity() + self.part_signs.capacity()) * size_of::<Signs>()
            + self.owners.capacity() * size_of::<(u16, Part)>()
    }
}

#[cfg(test)]
mod tests {
    use domain::example;
    use encoders::Encoders;

    use super::*;

    fn sentences(gist: &str, cues: &[&str]) -> SentenceVectors {
        let mut atom = example::plain_atom(gist);
        atom.cues = cues.iter().map(|cue| (*cue).into()).collect();
        SentenceVectors::of_atom(&atom, "en", &Encoders::built_in().unwrap())
    }

    #[test]
    fn vectors_are_replaced_and_taken_away_without_touching_other_rows() {
        let mut chunk = SentenceChunk::default();
        chunk.set(0, &sentences("The sauna opens at seven.", &["a swim", "my back hurts"]));
        chunk.set(2, &sentences("Breakfast is at eight.", &["I am hungry"]));
        let breakfast = chunk.minilm.gists[2];
        chunk.set(0, &sentences("The sauna opens at six.", &["a swim"]));
        assert_eq!((chunk.minilm.parts.len(), chunk.minilm.gists[1]), (2, Row::ZERO));
        chunk.clear(0);
        assert_eq!((chunk.minilm.gists[0], chunk.minilm.gists[2]), (Row::ZERO, breakfast));
        assert_eq!(chunk.minilm.owners, [(2, Part::Cue(0))]);
        let mut copy = SentenceChunk::default();
        copy.copy_row(5, &chunk, 2);
        assert_eq!(
            (copy.minilm.gists[5], copy.minilm.owners.as_slice()),
            (breakfast, &[(5, Part::Cue(0))][..])
        );
    }
}
