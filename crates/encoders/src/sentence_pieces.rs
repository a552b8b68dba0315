//! Splitting a text into sentence pieces: the most likely of all segmentations into known pieces.
//!
//! The rules are those of `SentencePiece` with a unigram model. Characters are normalised, spaces become
//! `▁`, and the score of a segmentation is the sum of its pieces' scores.

mod normalise;
mod trie;

use crate::EncoderError;
use crate::weights::{Section, Weights};
use normalise::Normaliser;
use trie::Trie;

/// The piece for a character that no piece contains.
const UNKNOWN: u32 = 0;
/// How much lower the score of an unknown character is than that of the rarest piece.
const UNKNOWN_PENALTY: f64 = 10.0;
/// No piece has more characters, so a text needs no more than this many for each of its pieces.
const LONGEST_PIECE: usize = 16;

/// The pieces and their scores.
pub(crate) struct SentencePieces {
    normaliser: Normaliser,
    trie: Trie,
    scores: Section,
    unknown_score: f64,
    space: Option<u32>,
}

/// The best segmentation of a text up to a position: its score, and its last piece with its start.
#[derive(Clone, Copy)]
struct Best {
    score: f64,
    piece: u32,
    start: usize,
}

impl SentencePieces {
    pub(crate) fn new(weights: &Weights) -> Result<Self, EncoderError> {
        let scores = weights.any_section("score")?;
        let least = weights.any_section("score.least")?.float(0).unwrap_or_default();
        let trie = Trie::new(weights)?;
        Ok(Self {
            normaliser: Normaliser::new(weights)?,
            space: trie.prefixes(normalise::SPACE.as_bytes()).last().map(|(_, piece)| piece),
            trie,
            scores,
            unknown_score: f64::from(least) - UNKNOWN_PENALTY,
        })
    }

    /// The first `most` pieces of `text`.
    pub(crate) fn split(&self, text: &str, most: usize) -> Vec<u32> {
        let text = self.normaliser.normalise(text, most * LONGEST_PIECE);
        let best = self.best_to_each_place(&text);
        let mut pieces = Vec::new();
        let mut place = text.len();
        while let Some(Best { piece, start, .. }) = best.get(place).filter(|best| best.start < place) {
            pieces.push(*piece);
            place = *start;
        }
        pieces.reverse();
        pieces.truncate(most);
        pieces
    }

    /// Whether a piece is neither unknown nor a space alone.
    pub(crate) fn is_word(&self, piece: u32) -> bool {
        piece != UNKNOWN && Some(piece) != self.space
    }

    /// For each position of the text, the best segmentation of the text before it.
    fn best_to_each_place(&self, text: &str) -> Vec<Best> {
        let nothing = Best { score: f64::NEG_INFINITY, piece: UNKNOWN, start: usize::MAX };
        let mut best = vec![nothing; text.len() + 1];
        if let Some(first) = best.first_mut() {
            first.score = 0.0;
        }
        for (start, character) in text.char_indices() {
            let so_far = best.get(start).map_or(f64::NEG_INFINITY, |best| best.score);
            let mut spelt_alone = false;
            let rest = text.as_bytes().get(start..).unwrap_or_default();
            for (length, piece) in self.trie.prefixes(rest) {
                spelt_alone |= length == character.len_utf8();
                improve(&mut best, start + length, Best { score: so_far + self.score(piece), piece, start });
            }
            if !spelt_alone {
                let score = so_far + self.unknown_score;
                improve(&mut best, start + character.len_utf8(), Best { score, piece: UNKNOWN, start });
            }
        }
        best
    }

    fn score(&self, piece: u32) -> f64 {
        let number = usize::try_from(piece).ok();
        f64::from(number.and_then(|number| self.scores.float(number)).unwrap_or_default())
    }
}

fn improve(best: &mut [Best], place: usize, other: Best) {
    if let Some(best) = best.get_mut(place).filter(|best| other.score > best.score) {
        *best = other;
    }
}

#[cfg(test)]
mod tests;
