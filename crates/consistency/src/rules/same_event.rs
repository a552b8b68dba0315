//! Two entries about the same event that describe it in ways that exclude each other: won and lost, full and empty.
//!
//! Other rules compare single claims. This one first finds that two entries as a whole are about the same event,
//! and then compares each aspect of it (`lexicon/events.txt`).

mod aspect;

pub(crate) use aspect::Aspect;

use std::collections::BTreeSet;

use recall::embed::{Vector, embed};
use recall::words::Term;

use crate::claim::Claim;
use crate::date::{day_of_year, year_of};
use crate::time_relation::DAY;
use crate::vocabulary::Vocabulary;
use crate::word_list::WordList;

/// Two entries of one day whose texts are at least this similar are about one event.
const ALIKE: f32 = 0.5;

/// Pairs of claims from two entries about one event that can't both be true.
pub(crate) fn differing_accounts(claims: &[Claim<'_>], vocabulary: &Vocabulary) -> Vec<(usize, usize)> {
    let events = events(claims, vocabulary);
    let mut found = Vec::new();
    for (at, left) in events.iter().enumerate() {
        for right in events.iter().skip(at + 1).filter(|right| left.is_of_day_of(right)) {
            let same = left.is_same_event_as(right);
            let mut aspects = vocabulary.aspects().iter().filter(|aspect| same || aspect.needs_only_the_day);
            found.extend(aspects.find_map(|aspect| aspect.differs(left, right)));
        }
    }
    found
}

/// An entry as the description of an event.
struct Event<'c, 'a> {
    claims: &'c [Claim<'a>],
    /// The number of its first claim.
    first: usize,
    at: i64,
    year: i16,
    day: (i8, i8),
    /// The words and names special enough to distinguish one event from another.
    terms: BTreeSet<Term>,
    /// The years it names.
    years: BTreeSet<i16>,
    looks_back: bool,
    vector: Vector,
}

fn events<'c, 'a>(claims: &'c [Claim<'a>], vocabulary: &Vocabulary) -> Vec<Event<'c, 'a>> {
    let mut events = Vec::new();
    let mut first = 0;
    for claims in claims.chunk_by(|left, right| left.source == right.source) {
        let at = claims.first().and_then(|claim| claim.at);
        events.extend(at.map(|at| Event::read(claims, first, at, vocabulary)));
        first += claims.len();
    }
    events
}

impl<'c, 'a> Event<'c, 'a> {
    fn read(claims: &'c [Claim<'a>], first: usize, at: i64, vocabulary: &Vocabulary) -> Self {
        let special = |term: &Term| {
            !vocabulary.is(WordList::Light, *term) && !vocabulary.is(WordList::Repeatable, *term)
        };
        let names = |claim: &'c Claim<'a>| claim.names.people.iter().chain(&claim.names.places).copied();
        let topics = claims.iter().flat_map(|claim| claim.topic.iter().chain(&claim.context).copied());
        let years = claims.iter().filter_map(|claim| claim.date.year);
        Self {
            claims,
            first,
            at,
            year: year_of(at),
            day: day_of_year(at),
            terms: topics.chain(claims.iter().flat_map(names)).filter(special).collect(),
            years: years.collect(),
            looks_back: claims.iter().any(|claim| claim.flags.looks_back),
            vector: embed(&text(claims)),
        }
    }

    /// Whether both are about one day, or one recalls the day of the other.
    fn is_of_day_of(&self, other: &Self) -> bool {
        (self.at - other.at).abs() < DAY || self.recalls(other) || other.recalls(self)
    }

    /// Whether two entries about one day are about one event, by the words they share or by similarity.
    fn is_same_event_as(&self, other: &Self) -> bool {
        let one_day = (self.at - other.at).abs() < DAY;
        let shared = self.terms.intersection(&other.terms).count();
        shared >= 2 || one_day && (shared >= 1 || self.vector.cosine(&other.vector) >= ALIKE)
    }

    /// Whether it names the year of an earlier one, or looks back on an anniversary of it.
    fn recalls(&self, other: &Self) -> bool {
        let anniversary = self.looks_back && self.day == other.day;
        self.at > other.at && (anniversary || self.years.contains(&other.year))
    }

    /// Whether the two are about different parts of the day.
    fn is_at_another_hour_than(&self, other: &Self) -> bool {
        let parts = |event: &Self| event.claims.first().map(|claim| claim.day_parts).unwrap_or_default();
        parts(self).is_apart_from(parts(other))
    }
}

/// Every sentence once, the label first.
fn text(claims: &[Claim<'_>]) -> String {
    let mut sentences: Vec<&str> = claims.iter().map(|claim| claim.sentence).collect();
    sentences.dedup_by(|left, right| std::ptr::eq(*left, *right));
    sentences.join(". ")
}
