//! Whether a draft takes the place of a memory: a learnt comparison of the draft with every memory it may mean.
//!
//! "No, half seven" has no word in common with the reminder it changes. Which memory is meant shows in how alike both
//! are, whether a word of the draft stands in that memory and in no other, whose words it is, how long ago it was
//! formed, and how surely the draft changes anything at all. A memory that gives way wrongly is hidden although it is
//! true, so in doubt none does. `model/formation/train_revision.py` trains the trees.

mod pair;
mod trees;

use domain::Kind;
use encoders::Encoders;

use crate::draft::{Draft, Replaces};
use crate::exchange::Author;
use crate::similarity::{Known, Similarity, similarity};

pub(crate) use pair::{Compared, Comparer, Pairs};

/// A memory that may have to give way.
#[derive(Clone, Copy, Debug)]
pub struct Remembered<'a> {
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

    /// The memory of `known` whose place the draft takes, by its number; `None` if it stands beside all of them.
    #[must_use]
    pub fn replaced(&self, known: &[Remembered<'_>]) -> Option<usize> {
        let mut comparer = Comparer::new(self.language, self.encoders);
        let new = comparer.read_draft(self.draft);
        let read: Vec<Compared> =
            known.iter().map(|known| comparer.read(known.gist, known.details)).collect();
        let pairs = Pairs::new(self.draft, &new, known.iter().zip(&read).collect());
        let scores: Vec<f32> = pairs.features(self.change).iter().map(trees::score).collect();
        trees::chosen(&scores).filter(|place| known.get(*place).is_some_and(|known| self.is_at_odds(known)))
    }

    /// Whether the draft says anything else than `known`: what only adds to a memory changes nothing of it.
    fn is_at_odds(&self, known: &Remembered<'_>) -> bool {
        let known = Known { gist: known.gist, details: known.details };
        similarity(&known, self.draft, self.language) == Similarity::Different
    }
}
