//! Whether a draft takes the place of a memory: a learnt comparison of the two.
//!
//! "No, half seven" has no word in common with the reminder it changes. What tells which memory is meant is how alike
//! both are, how long ago the memory was formed, whose words it is, and how surely the draft changes anything at all.
//! The weights are trained by `model/formation/train_revision.py`.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use domain::Kind;
use encoders::{Encoder, Encoders};

use crate::draft::{Draft, Replaces};
use crate::exchange::Author;
use crate::similarity::{Read, Reader, denies, share};

static WEIGHTS: &[u8] = include_bytes!("../../../model/formation/revision.bin");

/// How many numbers describe a pair; the last one is always 1, for the bias.
pub(crate) const COUNT: usize = 20;

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

/// A draft, ready to be compared with memories.
pub struct Revision<'a> {
    draft: &'a Draft,
    change: f32,
    encoders: &'a Encoders,
    reader: Reader,
    gist: Compared,
    /// The gist with the details.
    whole: Read,
}

/// One text of a pair.
struct Compared {
    read: Read,
    vector: Vec<f32>,
}

/// Beyond these many minutes nothing was said just now.
const JUST_NOW: f64 = 15.0;
const DAY: f64 = 1440.0;

impl<'a> Revision<'a> {
    /// A memory gives way to a draft above this score.
    pub const GIVES_WAY: f32 = 0.0;

    /// A draft that changes something less surely than this is compared with nothing.
    pub const LEAST_CHANGE: f32 = -2.5;

    /// Reads `draft`, unless it can hardly change anything.
    #[must_use]
    pub fn of(draft: &'a Draft, language: &str, encoders: &'a Encoders) -> Option<Self> {
        let Replaces::Perhaps(change) = draft.replaces else { return None };
        (change > Self::LEAST_CHANGE).then(|| Self::read(draft, change, language, encoders))
    }

    pub(crate) fn read(draft: &'a Draft, change: f32, language: &str, encoders: &'a Encoders) -> Self {
        let mut reader = Reader::new(language);
        let details: Vec<&str> = draft.details.iter().map(|(detail, _)| detail.as_str()).collect();
        let gist = compared(&mut reader, draft.gist.as_str(), encoders);
        let whole = reader.read(&joined(draft.gist.as_str(), &details));
        Self { draft, change, encoders, reader, gist, whole }
    }

    /// How surely the draft takes the place of `known`; above [`Self::GIVES_WAY`] it does.
    pub fn score(&mut self, known: &Remembered<'_>) -> f32 {
        static PARSED: OnceLock<Vec<f32>> = OnceLock::new();
        let read = || WEIGHTS.as_chunks().0.iter().map(|four| f32::from_le_bytes(*four)).collect();
        let weights = PARSED.get_or_init(read);
        self.features(known).iter().zip(weights).map(|(number, weight)| number * weight).sum()
    }

    /// What the comparison sees of a pair.
    pub(crate) fn features(&mut self, known: &Remembered<'_>) -> [f32; COUNT] {
        let old = compared(&mut self.reader, known.gist, self.encoders);
        let old_whole = self.reader.read(&joined(known.gist, known.details));
        let new = &self.gist.read;
        let change = (self.change / 3.0).clamp(-1.0, 1.0);
        let alike = cosine(&self.gist.vector, &old.vector);
        let of_old = ratio(share(&old.read.terms, &self.whole.terms));
        let shares_name = flag(new.names.intersection(&old_whole.names).next().is_some());
        let is_own_words = flag(self.draft.author == Author::Persona);
        [
            is_own_words,
            is_own_words * alike,
            is_own_words * of_old,
            is_own_words * change,
            change * alike,
            shares_name * alike,
            change,
            alike,
            ratio(share(&new.terms, &old_whole.terms)),
            of_old,
            shares_name,
            flag(is_at_odds(&new.figures, &old.read.figures)),
            flag(new.figures.is_empty() != old.read.figures.is_empty()),
            flag(denies(new, &old_whole) || denies(&old.read, new)),
            flag(known.author == self.draft.author),
            flag(known.author == Author::Persona),
            flag(known.kind == self.draft.kind),
            fading(known.minutes / JUST_NOW),
            fading(known.minutes / DAY),
            1.0,
        ]
    }
}

fn compared(reader: &mut Reader, text: &str, encoders: &Encoders) -> Compared {
    Compared { read: reader.read(text), vector: encoders.encode(Encoder::UseMultilingual, text) }
}

fn joined(gist: &str, details: &[&str]) -> String {
    [&[gist], details].concat().join(". ")
}

/// Whether both name figures, and other ones.
fn is_at_odds(new: &BTreeSet<String>, old: &BTreeSet<String>) -> bool {
    !new.is_empty() && !old.is_empty() && !new.is_subset(old)
}

fn cosine(one: &[f32], other: &[f32]) -> f32 {
    one.iter().zip(other).map(|(a, b)| a * b).sum()
}

fn flag(is_so: bool) -> f32 {
    if is_so { 1.0 } else { 0.0 }
}

#[expect(clippy::cast_possible_truncation, reason = "a number between 0 and 1")]
fn ratio(share: f64) -> f32 {
    share as f32
}

/// 1 for now, and less the longer ago.
fn fading(ago: f64) -> f32 {
    ratio((-ago.max(0.0)).exp())
}
