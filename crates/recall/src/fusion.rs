//! How meaning, words and circumstances are weighed into one relevance.
//!
//! Every part is measured on a scale of its own that does not depend on the other memories, so that
//! "relevant" means the same in a persona with ten memories and in one with fifty thousand. How much a
//! cue tells then bounds what can speak for any of them; `docs/recall.md` says how this was calibrated.

use crate::telling::Telling;

/// The weights of relevance. The defaults are what the product uses; others serve only to measure them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fusion {
    /// Weight of meaning.
    pub meaning: f32,
    /// Weight of shared words.
    pub words: f32,
    /// Cosine that counts as no likeness at all.
    pub unlike: f32,
    /// What must speak for a memory to make it half relevant.
    pub half: f32,
    /// How many telling words a cue must have for half of what speaks for a memory to count.
    pub terse: f32,
    /// Part of a word that is taken off if no memory has it.
    pub unheard: f32,
    /// Part of the relevance of the turn before that a memory borrows.
    pub previous: f32,
    /// Part of the relevance of the turn after that a memory borrows.
    pub next: f32,
    /// Part of that which it also borrows from the turn beyond.
    pub farther: f32,
    /// What is added, in proportion to its relevance, to what a named person said.
    pub speaker: f32,
    /// What is added when the cue speaks of the day a memory was formed.
    pub date: f32,
}

impl Default for Fusion {
    fn default() -> Self {
        Self {
            meaning: 0.6,
            words: 0.75,
            unlike: 0.1,
            half: 0.65,
            terse: 4.0,
            unheard: 0.3,
            previous: 0.35,
            next: 0.15,
            farther: 0.5,
            speaker: 0.6,
            date: 0.3,
        }
    }
}

impl Fusion {
    /// The weights for a cue that tells so much, asked of `all` memories.
    #[must_use]
    pub(crate) fn of_cue(&self, telling: Telling, all: usize) -> Self {
        let share = telling.share(all, self.terse, self.unheard);
        Self { meaning: self.meaning * share, words: self.words * share, date: self.date * share, ..*self }
    }

    /// Meaning from 0 to 1.
    #[must_use]
    #[inline]
    pub fn likeness(&self, cosine: f32) -> f32 {
        ((cosine - self.unlike) / (1.0 - self.unlike)).max(0.0)
    }

    /// All that speaks for a memory, brought between 0 and 1 without ever losing a difference.
    #[must_use]
    #[expect(clippy::inline_always, reason = "so that it is compiled for the instruction set of its caller")]
    #[inline(always)]
    pub fn relevance(&self, evidence: f32) -> f32 {
        evidence / (evidence + self.half)
    }
}
