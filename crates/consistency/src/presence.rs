//! Where the persona was: whoever stayed in one place all that time was in no other.
//!
//! On an ordinary day one can travel. Only a stay told as whole (`all of October`, `without a single night away`)
//! excludes any other place; one told as lasting (`since January`, `my fifth year in`) excludes living elsewhere, and
//! being elsewhere on the day it is told.

mod span;

use recall::words::Term;

use super::claim::Claim;
use super::moment::is_date_word;
use super::occasion::DAY;
use super::sentences::Word;
use super::subject::Subject;
use super::vocabulary::{List, Vocabulary};
use span::{Hold, Span};

/// Pairs of claims that put the persona in two places at one time.
pub(super) fn elsewhere_meanwhile(claims: &[Claim<'_>], vocabulary: &Vocabulary) -> Vec<(usize, usize)> {
    let entries = entries(claims, vocabulary);
    let mut found = Vec::new();
    for (at, stay) in entries.iter().enumerate().filter(|(_, entry)| !entry.places.is_empty()) {
        for (other_at, other) in entries.iter().enumerate().filter(|(other, _)| *other != at) {
            let one_day = other_at > at && stay.is_day_of(other) && stay.is_apart_from(other, vocabulary);
            let meanwhile = stay.holds_during(other) && stay.is_without(other, vocabulary);
            if one_day || meanwhile {
                found.push((stay.claim, other.claim));
            }
        }
    }
    found
}

/// An entry as far as it tells where the persona was.
struct Entry {
    at: i64,
    /// The claim that names the place, for the report.
    claim: usize,
    places: Vec<Term>,
    /// The places it tells of going to, which whoever never left his own did not.
    reached: Vec<Term>,
    /// Every name in the entry.
    names: Vec<Term>,
    hold: Option<Hold>,
    spans: Vec<Span>,
    /// Whether it tells of never having left a place, in which a place that is not listed may lie.
    never_left: bool,
    /// Whether it tells of living or working somewhere.
    settled: bool,
    /// Whether it tells of a way, or of one part of the day.
    moves: bool,
}

impl Entry {
    fn read(claims: &[Claim<'_>], first: usize, vocabulary: &Vocabulary) -> Option<Self> {
        let at = claims.first()?.at?;
        let present = || claims.iter().filter(|claim| is_present(claim));
        let placed =
            claims.iter().position(|claim| is_present(claim) && !places(claim, vocabulary).is_empty());
        let words = || claims.iter().flat_map(|claim| &claim.words);
        let known = claims.iter().filter(|claim| !claim.tone.negated || leaves(&claim.words));
        let names = known.flat_map(|claim| names(&claim.words, vocabulary));
        Some(Self {
            at,
            claim: first + placed.unwrap_or(0),
            places: present().flat_map(|claim| places(claim, vocabulary)).collect(),
            reached: present().flat_map(|claim| reached(&claim.words, vocabulary)).collect(),
            names: names.collect(),
            hold: present().filter_map(|claim| span::hold(&claim.words)).max(),
            spans: present().flat_map(span::spans).collect(),
            never_left: present().any(|claim| span::is_never_left(&claim.words)),
            settled: present().any(|claim| is_settled(&claim.words)),
            moves: words().any(|word| vocabulary.is(List::Way, word.key)),
        })
    }

    /// Both on one day, with no word of a way between them or of the hour.
    fn is_day_of(&self, other: &Self) -> bool {
        (self.at - other.at).abs() < DAY && !self.moves && !other.moves
    }

    fn is_apart_from(&self, other: &Self, vocabulary: &Vocabulary) -> bool {
        let unknown = |place: &Term, names: &[Term]| {
            !names.iter().any(|name| vocabulary.may_be_one_place(*name, *place))
        };
        self.places.iter().any(|place| unknown(place, &other.names))
            && other.places.iter().any(|place| unknown(place, &self.names))
    }

    /// Whether the stay is told to go on at the time of the other entry, firmly enough to exclude it.
    fn holds_during(&self, other: &Self) -> bool {
        let one_day = (self.at - other.at).abs() < DAY;
        let covers = |span: &Span| {
            let firm = span.is_whole() || self.hold == Some(Hold::Whole);
            let lives = self.hold == Some(Hold::Lasting) && (other.settled || one_day);
            (firm || lives) && span.covers(self.at, other.at)
        };
        self.spans.iter().any(covers)
    }

    fn is_without(&self, other: &Self, vocabulary: &Vocabulary) -> bool {
        let wide = self.never_left && self.places.iter().any(|place| vocabulary.is_whole(*place));
        let apart = |place: &Term| {
            let known = !wide || vocabulary.is_place(*place);
            known && !self.names.iter().any(|name| vocabulary.may_be_one_place(*name, *place))
        };
        let whole = self.hold == Some(Hold::Whole);
        let reached = || other.reached.iter().filter(|_| whole).any(apart);
        (other.places.iter().any(apart) || reached())
            && !other.places.iter().any(|place| self.places.contains(place))
    }
}

fn entries(claims: &[Claim<'_>], vocabulary: &Vocabulary) -> Vec<Entry> {
    let mut first = 0;
    let mut entries = Vec::new();
    for claims in claims.chunk_by(|left, right| left.source == right.source) {
        entries.extend(Entry::read(claims, first, vocabulary));
        first += claims.len();
    }
    entries
}

/// Whether the claim tells where the persona is, not where somebody else is or where it would like to be.
fn is_present(claim: &Claim<'_>) -> bool {
    let mine = !matches!(claim.subject, Subject::Person(_) | Subject::Unknown);
    mine && !claim.tone.unreal && !claim.tone.reported
}

/// `I never left Galway` names where one was; `I did not get home to Cairo`, where one was not.
fn leaves(words: &[Word]) -> bool {
    words.iter().any(|word| matches!(word.lower.as_str(), "leave" | "left" | "outside"))
}

fn is_settled(words: &[Word]) -> bool {
    let lives = |word: &Word| matches!(word.lower.as_str(), "live" | "lived" | "living" | "rented" | "moved");
    span::hold(words).is_some() || words.iter().any(lives)
}

/// The names after a preposition of place, or said to be home, unless somebody else is there: `my parents in Sendai`.
fn places(claim: &Claim<'_>, vocabulary: &Vocabulary) -> Vec<Term> {
    let words = &claim.words;
    let is_home = ["home", "been"].iter().all(|said| words.iter().any(|word| word.lower == *said));
    let never_left = span::is_never_left(words);
    let is_there = |(at, word): &(usize, &Word)| {
        let left = at.checked_sub(1).and_then(|at| words.get(at)).is_some_and(|word| word.lower == "left");
        let titled = claim.tone.title && vocabulary.is_place(word.key);
        is_name(word, vocabulary)
            && (is_home || titled || never_left && left || follows_place_preposition(words, *at, vocabulary))
    };
    words.iter().enumerate().filter(is_there).map(|(_, word)| word.key).collect()
}

/// `I flew to Rome`, `we took the train to London`.
fn reached(words: &[Word], vocabulary: &Vocabulary) -> Vec<Term> {
    let to = |at: usize| {
        at.checked_sub(1)
            .and_then(|to| words.get(to))
            .is_some_and(|to| matches!(to.lower.as_str(), "to" | "for"))
    };
    let travels = words.iter().any(|word| vocabulary.is(List::Way, word.key) || word.lower == "went");
    let named = words.iter().enumerate().filter(|(at, word)| travels && to(*at) && is_name(word, vocabulary));
    named.map(|(_, word)| word.key).collect()
}

/// Every name, but for where only somebody else is.
fn names(words: &[Word], vocabulary: &Vocabulary) -> Vec<Term> {
    let named = words.iter().enumerate().filter(|(_, word)| is_name(word, vocabulary));
    named.filter(|(at, _)| !is_with_others(words, *at, vocabulary)).map(|(_, word)| word.key).collect()
}

/// `my parents in Sendai`, whom I called.
fn is_with_others(words: &[Word], at: usize, vocabulary: &Vocabulary) -> bool {
    let kin = at.checked_sub(2).and_then(|kin| words.get(kin));
    kin.is_some_and(|kin| vocabulary.is(List::Kin, kin.key)) && is_far(words)
}

fn follows_place_preposition(words: &[Word], at: usize, vocabulary: &Vocabulary) -> bool {
    let mut before = words.iter().take(at).rev().skip_while(|word| vocabulary.is(List::Article, word.key));
    let (preposition, noun) = (before.next(), before.next());
    let direction =
        noun.is_some_and(|noun| matches!(noun.lower.as_str(), "east" | "west" | "north" | "south"));
    let owner = words.get(at).is_some_and(|word| word.owner);
    !is_with_others(words, at, vocabulary)
        && preposition.is_some_and(|word| match word.lower.as_str() {
            "in" | "at" | "near" | "above" | "off" | "outside" | "through" => true,
            "from" => noun.is_some_and(|noun| noun.lower == "back"),
            "on" => !owner,
            "of" => direction || words.get(at).is_some_and(|word| vocabulary.is_place(word.key)),
            _ => false,
        })
}

/// Whether somebody is reached from afar.
fn is_far(words: &[Word]) -> bool {
    let reaches = [
        "dialled",
        "dialed",
        "rang",
        "called",
        "phoned",
        "telephoned",
        "wrote",
        "wired",
        "texted",
        "letter",
        "postcard",
        "card",
        "parcel",
        "telegram",
        "news",
        "phone",
        "call",
    ];
    words.iter().any(|word| reaches.contains(&word.lower.as_str()))
}

fn is_name(word: &Word, vocabulary: &Vocabulary) -> bool {
    (word.capital || vocabulary.is_place(word.key))
        && !vocabulary.is(List::NotName, word.key)
        && !is_date_word(&word.lower)
}
