//! One occasion told in two entries: the weather, the outcome, the place and who came can't have been both.
//!
//! Claims are compared clause by clause elsewhere; here two entries are first found to tell of the same
//! occasion as a whole, and then what each of them shows is held against the other.

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

/// Two entries of one day that mean as much the same as this tell of one occasion.
const ALIKE: f32 = 0.5;

/// Pairs of claims from two tellings of one occasion that can't both be true.
pub(crate) fn told_differently(claims: &[Claim<'_>], vocabulary: &Vocabulary) -> Vec<(usize, usize)> {
    let scenes = scenes(claims, vocabulary);
    let mut found = Vec::new();
    for (at, left) in scenes.iter().enumerate() {
        for right in scenes.iter().skip(at + 1).filter(|right| left.is_of_day_of(right)) {
            let one = left.is_of_occasion_of(right);
            let told = vocabulary.aspects().iter().filter(|aspect| one || aspect.needs_only_the_day);
            let sides = told.into_iter().find_map(|aspect| aspect.differs(left, right));
            found.extend(sides);
        }
    }
    found
}

/// An entry as the telling of an occasion.
struct Event<'c, 'a> {
    claims: &'c [Claim<'a>],
    /// The number of its first claim.
    first: usize,
    at: i64,
    year: i16,
    day: (i8, i8),
    /// The words and names special enough to tell one occasion from another.
    terms: BTreeSet<Term>,
    /// The years it names or counts back to.
    years: BTreeSet<i16>,
    looks_back: bool,
    meaning: Vector,
}

fn scenes<'c, 'a>(claims: &'c [Claim<'a>], vocabulary: &Vocabulary) -> Vec<Event<'c, 'a>> {
    let mut scenes = Vec::new();
    let mut first = 0;
    for claims in claims.chunk_by(|left, right| left.source == right.source) {
        let at = claims.first().and_then(|claim| claim.at);
        scenes.extend(at.map(|at| Event::read(claims, first, at, vocabulary)));
        first += claims.len();
    }
    scenes
}

impl<'c, 'a> Event<'c, 'a> {
    fn read(claims: &'c [Claim<'a>], first: usize, at: i64, vocabulary: &Vocabulary) -> Self {
        let special =
            |term: &Term| !vocabulary.is(WordList::Light, *term) && !vocabulary.is(WordList::Repeatable, *term);
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
            meaning: embed(&text(claims)),
        }
    }

    /// Whether both tell of one day, or one recalls the day of the other.
    fn is_of_day_of(&self, other: &Self) -> bool {
        (self.at - other.at).abs() < DAY || self.recalls(other) || other.recalls(self)
    }

    /// Whether two tellings of one day tell of one occasion: on one day and of nearly the same, or one recalls the other.
    fn is_of_occasion_of(&self, other: &Self) -> bool {
        let one_day = (self.at - other.at).abs() < DAY;
        let shared = self.terms.intersection(&other.terms).count();
        shared >= 2 || one_day && (shared >= 1 || self.meaning.cosine(&other.meaning) >= ALIKE)
    }

    /// Whether it names the year of an earlier one, or looks back on an anniversary of it.
    fn recalls(&self, other: &Self) -> bool {
        let anniversary = self.looks_back && self.day == other.day;
        self.at > other.at && (anniversary || self.years.contains(&other.year))
    }

    /// Whether the two tell of different parts of the day.
    fn is_at_another_hour_than(&self, other: &Self) -> bool {
        let daytime = |scene: &Self| scene.claims.first().map(|claim| claim.day_parts).unwrap_or_default();
        daytime(self).is_apart_from(daytime(other))
    }

}

/// Every sentence once, the label first.
fn text(claims: &[Claim<'_>]) -> String {
    let mut sentences: Vec<&str> = claims.iter().map(|claim| claim.sentence).collect();
    sentences.dedup_by(|left, right| std::ptr::eq(*left, *right));
    sentences.join(". ")
}
