//! The pieces as a tree of bytes, its nodes in breadth-first order.

use crate::EncoderError;
use crate::weights::{Section, Weights, unusable};

const NO_PIECE: u32 = u32::MAX;

/// The tree. The children of a node are contiguous and begin where those of the node before it end.
pub(super) struct Trie {
    labels: Section,
    first_children: Section,
    pieces: Section,
}

impl Trie {
    pub(super) fn new(weights: &Weights) -> Result<Self, EncoderError> {
        let labels = weights.any_section("trie.label")?;
        if labels.is_empty() {
            return Err(unusable("trie.label"));
        }
        Ok(Self {
            first_children: weights.section("trie.first", (labels.len() + 1) * 4)?,
            pieces: weights.section("trie.piece", labels.len() * 4)?,
            labels,
        })
    }

    /// The pieces that are prefixes of `bytes`, the shortest first, each with its length.
    pub(super) fn prefixes(&self, bytes: &[u8]) -> impl Iterator<Item = (usize, u32)> {
        let mut node = 0;
        let walk = bytes.iter().map_while(move |byte| {
            node = self.child(node, *byte)?;
            Some(self.pieces.whole(node).unwrap_or(NO_PIECE))
        });
        walk.enumerate().filter(|(_, piece)| *piece != NO_PIECE).map(|(before, piece)| (before + 1, piece))
    }

    fn child(&self, node: usize, label: u8) -> Option<usize> {
        let start = usize::try_from(self.first_children.whole(node)?).ok()?;
        let end = usize::try_from(self.first_children.whole(node + 1)?).ok()?;
        self.labels.get(start..end)?.iter().position(|found| *found == label).map(|at| start + at)
    }
}
