//! How meaning, words and circumstances are weighed into one relevance.
//!
//! Every part is measured on a scale of its own that does not depend on the other memories, so that
//! "relevant" means the same in a persona with ten memories and in one with fifty thousand.

/// The weights of relevance. The defaults are what the product uses; others serve only to measure them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fusion {
    /// Weight of meaning.
    pub meaning: f32,
    /// Weight of shared words.
    pub words: f32,
    /// Cosine that counts as no likeness at all.
    pub unlike: f32,
    /// Cosine that counts as full likeness.
    pub alike: f32,
    /// Share of the cue's telling words that counts as full agreement.
    pub agreement: f32,
    /// Part of the relevance of the turn before that a memory borrows.
    pub previous: f32,
    /// Part of the relevance of the turn after that a memory borrows.
    pub next: f32,
    /// What is added, in proportion to its relevance, to what a named person said.
    pub speaker: f32,
    /// What is added when the cue speaks of the day a memory was formed.
    pub date: f32,
    /// Weight, among the best, of comparing word by word instead of sentence by sentence.
    pub late: f32,
}

impl Default for Fusion {
    fn default() -> Self {
        Self {
            meaning: 0.6,
            words: 0.4,
            unlike: 0.0,
            alike: 0.8,
            agreement: 0.6,
            previous: 0.3,
            next: 0.1,
            speaker: 0.4,
            date: 0.3,
            late: 0.0,
        }
    }
}

impl Fusion {
    /// Meaning from 0 to 1.
    #[must_use]
    #[inline]
    pub fn likeness(&self, cosine: f32) -> f32 {
        ((cosine - self.unlike) / (self.alike - self.unlike)).clamp(0.0, 1.0)
    }

    /// Meaning and words together, from 0 to 1.
    #[must_use]
    #[inline]
    pub fn fuse(&self, likeness: f32, words: f32) -> f32 {
        self.meaning * likeness + self.words * words.min(1.0)
    }
}
