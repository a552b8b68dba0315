//! What the comparison sees of a draft and each of the memories it may change.

use std::collections::{BTreeMap, BTreeSet};

use encoders::{Encoder, Encoders};
use recall::words::Term;

use super::RevisableMemory;
use crate::draft::Draft;
use crate::exchange::Author;
use crate::similarity::{Read, Reader, denies, share};

/// How many numbers describe a pair.
pub(crate) const COUNT: usize = 36;

/// Beyond these many minutes nothing was said just now.
const JUST_NOW: f64 = 15.0;
const DAY: f64 = 1440.0;
/// A draft of many more words than this has a topic of its own.
const BRIEF: f64 = 4.0;

/// A memory, read so that it can be compared: its gist, and the gist with the details.
pub struct ReadMemory {
    gist: Read,
    whole: Read,
    vectors: Vectors,
}

struct Vectors {
    /// By the multilingual encoder, of the gist.
    gist: Vec<f32>,
    /// The same, trained for recall.
    recall: Vec<f32>,
    /// By the English encoder, of the gist.
    english: Vec<f32>,
    /// By the multilingual encoder, of the gist with the details.
    whole: Vec<f32>,
}

/// A draft beside the memories it may change.
pub(crate) struct Pairs<'a> {
    draft: &'a Draft,
    new: &'a ReadMemory,
    known: Vec<(&'a RevisableMemory<'a>, &'a ReadMemory)>,
    /// In how many of the memories a word stands.
    spread: BTreeMap<Term, f32>,
}

/// Reads memories so that they can be compared with each other.
pub(crate) struct Comparer<'a> {
    reader: Reader,
    encoders: &'a Encoders,
}

impl<'a> Comparer<'a> {
    pub(crate) fn new(language: &str, encoders: &'a Encoders) -> Self {
        Self { reader: Reader::new(language), encoders }
    }

    pub(crate) fn read_draft(&mut self, draft: &Draft) -> ReadMemory {
        let details: Vec<&str> = draft.details.iter().map(|(detail, _)| detail.as_str()).collect();
        self.read(draft.gist.as_str(), &details)
    }

    pub(crate) fn read(&mut self, gist: &str, details: &[&str]) -> ReadMemory {
        let joined = [&[gist], details].concat().join(". ");
        let [own, recall] = self.encoders.encode_twice(gist);
        let whole = if details.is_empty() {
            own.clone()
        } else {
            self.encoders.encode(Encoder::UseMultilingual, &joined)
        };
        let english = self.encoders.encode(Encoder::MiniLm, gist);
        let vectors = Vectors { gist: own, recall, english, whole };
        ReadMemory { gist: self.reader.read(gist), whole: self.reader.read(&joined), vectors }
    }
}

impl<'a> Pairs<'a> {
    pub(crate) fn new(
        draft: &'a Draft,
        new: &'a ReadMemory,
        known: Vec<(&'a RevisableMemory<'a>, &'a ReadMemory)>,
    ) -> Self {
        let mut spread = BTreeMap::new();
        for term in known.iter().flat_map(|(_, compared)| &compared.whole.terms) {
            *spread.entry(*term).or_insert(0.0) += 1.0;
        }
        Self { draft, new, known, spread }
    }

    /// The numbers of each pair, for a draft that changes something as surely as `change`.
    pub(crate) fn features(&self, change: f32) -> Vec<[f32; COUNT]> {
        let likeness: Vec<[f32; LIKENESS]> = self.known.iter().map(|(_, old)| self.likeness(old)).collect();
        let of_pair = |place: usize, (known, old): (&RevisableMemory<'_>, &ReadMemory)| {
            let own = likeness.get(place).copied().unwrap_or_default();
            let others: Vec<_> =
                likeness.iter().enumerate().filter(|(at, _)| *at != place).map(|(_, it)| *it).collect();
            let leads = std::array::from_fn::<_, LIKENESS, _>(|at| lead(&own, &others, at));
            let mut numbers = [0.0; COUNT];
            let all = own.into_iter().chain(leads).chain(self.plain(change, known, old));
            numbers.iter_mut().zip(all).for_each(|(number, value)| *number = value);
            numbers
        };
        self.known.iter().enumerate().map(|(place, pair)| of_pair(place, *pair)).collect()
    }

    /// How alike the draft and a memory are, by encoders and by words.
    fn likeness(&self, old: &ReadMemory) -> [f32; LIKENESS] {
        let (new, vectors) = (&self.new.vectors, &old.vectors);
        [
            cosine(&new.gist, &vectors.gist),
            cosine(&new.recall, &vectors.recall),
            cosine(&new.english, &vectors.english),
            cosine(&new.whole, &vectors.whole),
            self.pointing(&self.new.gist.terms, old),
            self.pointing(&self.new.whole.terms, old),
        ]
    }

    /// How much of what the draft shares with any memory points to this one; a word that stands in few memories points
    /// more than one that stands in many.
    fn pointing(&self, terms: &BTreeSet<Term>, old: &ReadMemory) -> f32 {
        let weight = |term: &Term| self.spread.get(term).map_or(0.0, |count| 1.0 / count);
        let all: f32 = terms.iter().map(weight).sum();
        let shared: f32 = terms.intersection(&old.whole.terms).map(weight).sum();
        if all > 0.0 { shared / all } else { 0.0 }
    }

    fn plain(&self, change: f32, known: &RevisableMemory<'_>, old: &ReadMemory) -> [f32; PLAIN] {
        let new = self.new;
        let (kin, old_kin) = (&new.gist.kin, &old.whole.kin);
        let (names, old_names) = (&new.gist.names, &old.whole.names);
        let (figures, old_figures) = (&new.gist.figures, &old.gist.figures);
        let rarest = new.whole.terms.intersection(&old.whole.terms);
        let rarest = rarest.filter_map(|term| self.spread.get(term)).fold(f32::MAX, |a, b| a.min(*b));
        let later = self.known.iter().filter(|(other, _)| other.minutes < known.minutes).count();
        [
            (change / 3.0).clamp(-1.0, 1.0),
            f32::from(self.draft.author == Author::Persona),
            f32::from(known.author == Author::Persona),
            f32::from(known.author == self.draft.author),
            f32::from(known.kind == self.draft.kind),
            ratio(share(&new.gist.terms, &old.whole.terms)),
            ratio(share(&old.gist.terms, &new.whole.terms)),
            1.0 / rarest.max(1.0),
            f32::from(!names.is_disjoint(old_names)),
            f32::from(!names.is_empty() && !old_names.is_empty() && names.is_disjoint(old_names)),
            f32::from(!figures.is_empty() && !old_figures.is_empty() && !figures.is_subset(old_figures)),
            f32::from(!figures.is_disjoint(old_figures)),
            f32::from(!figures.is_empty() && old_figures.is_empty()),
            f32::from(figures.is_empty() && !old_figures.is_empty()),
            f32::from(denies(&new.gist, &old.whole) || denies(&old.gist, &new.gist)),
            f32::from(!kin.is_disjoint(old_kin)),
            f32::from(!kin.is_empty() && !old_kin.is_empty() && kin.is_disjoint(old_kin)),
            f32::from(kin.is_empty() != old_kin.is_empty()),
            fading(known.minutes / JUST_NOW),
            fading(known.minutes / DAY),
            1.0 / (1.0 + count(later)),
            fading(f64::from(count(new.gist.terms.len())) / BRIEF),
            f32::from(new.gist.corrects),
            f32::from(!new.gist.denied.is_empty()),
        ]
    }
}

/// How many numbers say how alike two texts are.
const LIKENESS: usize = 6;
/// How many say anything else.
const PLAIN: usize = COUNT - 2 * LIKENESS;

/// How far a memory is ahead of the best of the `others`.
fn lead(own: &[f32; LIKENESS], others: &[[f32; LIKENESS]], at: usize) -> f32 {
    let of = |numbers: &[f32; LIKENESS]| numbers.get(at).copied().unwrap_or_default();
    of(own) - others.iter().map(of).fold(0.0, f32::max)
}

fn cosine(one: &[f32], other: &[f32]) -> f32 {
    one.iter().zip(other).map(|(a, b)| a * b).sum()
}

#[expect(clippy::cast_precision_loss, reason = "small counts")]
fn count(number: usize) -> f32 {
    number as f32
}

#[expect(clippy::cast_possible_truncation, reason = "a number between 0 and 1")]
fn ratio(share: f64) -> f32 {
    share as f32
}

/// 1 for now, and less the longer ago.
fn fading(ago: f64) -> f32 {
    ratio((-ago.max(0.0)).exp())
}
