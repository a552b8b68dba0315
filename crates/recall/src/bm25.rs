//! An inverted index over terms, and BM25 weights.
//!
//! Postings are flat arrays sorted by term, three bytes a posting, so that two segments merge in one pass.

use crate::arithmetic::{count, log2, single};
use crate::words::Term;

/// How quickly further occurrences of a word stop counting.
pub const K1: f32 = 0.9;
/// How much longer texts are penalised.
pub const B: f32 = 0.4;

/// Which rows contain which terms, and how often.
#[derive(Clone, Debug, Default)]
pub struct Postings {
    terms: Vec<u64>,
    ends: Vec<u32>,
    rows: Vec<u16>,
    counts: Vec<u8>,
}

/// One occurrence of a term in a row, the input for building postings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Occurrence {
    /// The term.
    pub term: Term,
    /// The row within the segment.
    pub row: u16,
    /// How often it occurs there.
    pub count: u8,
}

/// The rows a term occurs in, and how often in each.
#[derive(Clone, Copy, Debug, Default)]
pub struct Posting<'p> {
    /// Rows within the segment, ascending.
    pub rows: &'p [u16],
    /// The number of occurrences in the row at the same position.
    pub counts: &'p [u8],
}

impl Postings {
    /// Sorts `occurrences` into postings.
    #[must_use]
    pub fn of(mut occurrences: Vec<Occurrence>) -> Self {
        occurrences.sort_unstable();
        let mut postings = Self::default();
        for occurrence in occurrences {
            postings.push(occurrence.term.0, occurrence.row, occurrence.count);
        }
        postings.shrink();
        postings
    }

    /// The postings of two segments, where the second follows the first from row `offset` on.
    #[must_use]
    pub fn merged(first: &Self, second: &Self, offset: u16) -> Self {
        let mut merged = Self::default();
        let (mut left, mut right) = (first.iter().peekable(), second.iter().peekable());
        loop {
            let next = match (left.peek(), right.peek()) {
                (Some(a), Some(b)) => a.0.min(b.0),
                (Some(a), None) => a.0,
                (None, Some(b)) => b.0,
                (None, None) => break,
            };
            if let Some((term, posting)) = left.next_if(|entry| entry.0 == next) {
                merged.extend(term, posting, 0);
            }
            if let Some((term, posting)) = right.next_if(|entry| entry.0 == next) {
                merged.extend(term, posting, offset);
            }
        }
        merged.shrink();
        merged
    }

    /// The postings of the rows with a new number in `numbers`; the others are dropped.
    #[must_use]
    pub fn renumbered(&self, numbers: &[Option<u16>]) -> Self {
        let mut kept = Self::default();
        for (term, posting) in self.iter() {
            for (row, count) in posting.rows.iter().zip(posting.counts) {
                if let Some(Some(number)) = numbers.get(usize::from(*row)) {
                    kept.push(term, *number, *count);
                }
            }
        }
        kept.shrink();
        kept
    }

    /// The postings of `term`.
    #[must_use]
    pub fn find(&self, term: Term) -> Posting<'_> {
        self.terms.binary_search(&term.0).map_or(Posting::default(), |place| self.at(place))
    }

    /// Whether there are no postings.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// The bytes these postings occupy.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.terms.capacity() * 8
            + self.ends.capacity() * 4
            + self.rows.capacity() * 2
            + self.counts.capacity()
    }

    fn at(&self, place: usize) -> Posting<'_> {
        let end = |place: usize| self.ends.get(place).map_or(0, |end| *end as usize);
        let range = place.checked_sub(1).map_or(0, end)..end(place);
        Posting {
            rows: self.rows.get(range.clone()).unwrap_or_default(),
            counts: self.counts.get(range).unwrap_or_default(),
        }
    }

    fn iter(&self) -> impl Iterator<Item = (u64, Posting<'_>)> {
        self.terms.iter().enumerate().map(|(place, term)| (*term, self.at(place)))
    }

    fn push(&mut self, term: u64, row: u16, count: u8) {
        self.rows.push(row);
        self.counts.push(count);
        let end = u32::try_from(self.rows.len()).unwrap_or(u32::MAX);
        if self.terms.last() == Some(&term) {
            if let Some(last) = self.ends.last_mut() {
                *last = end;
            }
        } else {
            self.terms.push(term);
            self.ends.push(end);
        }
    }

    fn extend(&mut self, term: u64, posting: Posting<'_>, offset: u16) {
        for (row, count) in posting.rows.iter().zip(posting.counts) {
            self.push(term, row + offset, *count);
        }
    }

    fn shrink(&mut self) {
        self.terms.shrink_to_fit();
        self.ends.shrink_to_fit();
        self.rows.shrink_to_fit();
        self.counts.shrink_to_fit();
    }
}

/// The part of BM25 that is the same for every match of one request.
#[derive(Clone, Copy, Debug)]
pub struct Weighing {
    base: f32,
    per_word: f32,
}

impl Weighing {
    /// The constants for texts with `average` words.
    #[must_use]
    pub fn of_average(average: f32) -> Self {
        Self { base: K1 * (1.0 - B), per_word: K1 * B / average.max(1.0) }
    }

    /// The weight of `count` occurrences in a text of `length` words: from 0 up to but not including 1.
    #[must_use]
    #[inline]
    pub fn weigh(self, count: u8, length: u16) -> f32 {
        let count = f32::from(count);
        count / (count + self.base + self.per_word * f32::from(length))
    }
}

/// The assumed minimum size of a collection. In a collection of one memory its own words would have the
/// lowest weight; among a thousand texts they have their usual weight.
const BACKGROUND: usize = 1000;

/// The weight of a term that occurs in `containing` of `all` texts.
#[must_use]
pub fn rarity(all: usize, containing: usize) -> f32 {
    single(inverse_frequency(all.max(BACKGROUND), containing))
}

/// The logarithm of the number of texts per text that contains a term, without the assumed minimum.
pub(crate) fn inverse_frequency(all: usize, containing: usize) -> f64 {
    let (all, containing) = (f64::from(count(all)), f64::from(count(containing)));
    log2(1.0 + (all - containing + 0.5).max(0.0) / (containing + 0.5)) * std::f64::consts::LN_2
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn occurrence(term: u64, row: u16, count: u8) -> Occurrence {
        Occurrence { term: Term(term), row, count }
    }

    fn listed(postings: &Postings) -> BTreeMap<u64, Vec<(u16, u8)>> {
        let pairs =
            |posting: Posting<'_>| posting.rows.iter().copied().zip(posting.counts.iter().copied()).collect();
        postings.iter().map(|(term, posting)| (term, pairs(posting))).collect()
    }

    #[test]
    fn rare_words_weigh_more_and_no_word_weighs_less_than_zero() {
        assert!(rarity(1000, 1) > rarity(1000, 10) && rarity(1000, 10) > rarity(1000, 900));
        assert!(rarity(1000, 1000) > 0.0 && rarity(0, 0) > 0.0);
        assert!(
            rarity(1, 1) > 0.8 * rarity(1, 0),
            "the words of a persona's only memory tell nearly all they can"
        );
    }

    #[test]
    fn a_match_weighs_more_in_a_short_text_and_less_each_time_it_is_repeated() {
        let weighing = Weighing::of_average(10.0);
        assert!(weighing.weigh(1, 5) > weighing.weigh(1, 50));
        let gain = |n| weighing.weigh(n + 1, 10) - weighing.weigh(n, 10);
        assert!(gain(1) > gain(2) && gain(2) > gain(3));
        assert!(weighing.weigh(255, 1) < 1.0);
    }

    proptest! {
        #[test]
        fn every_term_is_found_with_its_rows_and_no_other(
            entries in proptest::collection::btree_map((any::<u64>(), 0_u16..500), 1_u8..9, 0..300),
            absent in any::<u64>(),
        ) {
            let postings = Postings::of(entries.iter().map(|((term, row), count)| occurrence(*term, *row, *count)).collect());
            for ((term, row), count) in &entries {
                let posting = postings.find(Term(*term));
                let place = posting.rows.binary_search(row).unwrap();
                prop_assert_eq!(posting.counts[place], *count);
            }
            let known = entries.keys().any(|(term, _)| *term == absent);
            prop_assert_eq!(postings.find(Term(absent)).rows.is_empty(), !known);
        }

        #[test]
        fn merging_two_segments_is_indexing_them_together(
            first in proptest::collection::btree_map((0_u64..40, 0_u16..50), 1_u8..9, 0..200),
            second in proptest::collection::btree_map((0_u64..40, 0_u16..50), 1_u8..9, 0..200),
        ) {
            let build = |entries: &BTreeMap<(u64, u16), u8>, offset: u16| entries.iter()
                .map(|((term, row), count)| occurrence(*term, row + offset, *count)).collect::<Vec<_>>();
            let merged = Postings::merged(&Postings::of(build(&first, 0)), &Postings::of(build(&second, 0)), 50);
            let together = Postings::of([build(&first, 0), build(&second, 50)].concat());
            prop_assert_eq!(listed(&merged), listed(&together));
        }
    }
}
