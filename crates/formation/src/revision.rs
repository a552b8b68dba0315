//! Whether a draft replaces a memory: a learnt comparison of the draft with every memory it may mean.
//!
//! "No, half seven" has no word in common with the reminder it changes. Which memory is meant shows in how alike both
//! are, whether a word of the draft stands in that memory and in no other, whose words it is, how long ago it was
//! formed, and how surely the draft changes anything at all. A memory that gives way wrongly is hidden although it is
//! true, so in doubt none does. `model/formation/train_revision.py` trains the trees.

mod pair;
mod trees;

use std::sync::Arc;

use domain::Kind;
use encoders::Encoders;

use crate::draft::{Draft, Replaces};
use crate::exchange::Author;
use crate::similarity::{KnownMemory, Similarity, similarity};

pub use pair::ReadMemory;
pub(crate) use pair::{Comparer, Pairs};

/// A memory that may have to give way.
#[derive(Clone, Copy, Debug)]
pub struct RevisableMemory<'a> {
    /// Its gist.
    pub gist: &'a str,
    /// Its details.
    pub details: &'a [&'a str],
    /// What sort of memory it is.
    pub kind: Kind,
    /// Whose words it rests on.
    pub author: Author,
    /// How many minutes ago it was formed.
    pub minutes: f64,
}

/// A draft that may change something.
pub struct Revision<'a> {
    draft: &'a Draft,
    change: f32,
    language: &'a str,
    encoders: &'a Encoders,
}

impl<'a> Revision<'a> {
    /// A draft that changes something less surely than this is compared with nothing.
    pub const LEAST_CHANGE: f32 = -2.5;

    /// Reads `draft`, unless it can hardly change anything.
    #[must_use]
    pub fn of(draft: &'a Draft, language: &'a str, encoders: &'a Encoders) -> Option<Self> {
        let Replaces::Perhaps(change) = draft.replaces else { return None };
        (change > Self::LEAST_CHANGE).then_some(Self { draft, change, language, encoders })
    }

    /// The language in which memories are read.
    #[must_use]
    pub const fn language(&self) -> &str {
        self.language
    }

    /// Reads a memory that the draft may change. It takes three encodings, and the result can be used again as long as
    /// the memory and the language are the same.
    #[must_use]
    pub fn read(&self, known: &RevisableMemory<'_>) -> ReadMemory {
        Comparer::new(self.language, self.encoders).read(known.gist, known.details)
    }

    /// The memory of `known` whose place the draft takes, by its number; `None` if it stands beside all of them.
    #[must_use]
    pub fn replaced(&self, known: &[(RevisableMemory<'_>, Arc<ReadMemory>)]) -> Option<usize> {
        let new = Comparer::new(self.language, self.encoders).read_draft(self.draft);
        let pairs = known.iter().map(|(known, read)| (known, read.as_ref())).collect();
        let features = Pairs::new(self.draft, &new, pairs).features(self.change);
        let scores: Vec<f32> = features.iter().map(trees::score).collect();
        trees::chosen(&scores)
            .filter(|place| known.get(*place).is_some_and(|(known, _)| self.is_at_odds(known)))
    }

    /// Whether the draft says anything else than `known`: what only adds to a memory changes nothing of it.
    fn is_at_odds(&self, known: &RevisableMemory<'_>) -> bool {
        let known = KnownMemory { gist: known.gist, details: known.details };
        similarity(&known, self.draft, self.language) == Similarity::Different
    }
}
