//! Where the persona was: a whole span in one place excludes every other place.
//!
//! On an ordinary day one can travel, so only two kinds of claims exclude each other: a span described as whole
//! (`all of October`) and any other place in it, and two places on one day without a word of a journey.

mod whole_span;

use recall::words::Term;

use crate::claim::Claim;
use crate::clause::Word;
use crate::date::is_date_word;
use crate::subject::Subject;
use crate::time_relation::DAY;
use crate::vocabulary::Vocabulary;
use crate::word_list::WordList;
use whole_span::{WholeSpan, whole_spans};

/// Pairs of claims that put the persona in two places at one time.
pub(super) fn in_two_places(claims: &[Claim<'_>], vocabulary: &Vocabulary) -> Vec<(usize, usize)> {
    let stays = stays(claims, vocabulary);
    let mut found = Vec::new();
    for (at, stay) in stays.iter().enumerate().filter(|(_, stay)| !stay.places.is_empty()) {
        for (other_at, other) in stays.iter().enumerate().filter(|(other, _)| *other != at) {
            let one_day = other_at > at && stay.is_on_day_of(other) && stay.is_apart_from(other, vocabulary);
            let meanwhile = stay.covers(other) && stay.excludes_places_of(other, vocabulary);
            if one_day || meanwhile {
                found.push((stay.claim, other.claim));
            }
        }
    }
    found
}

/// Where one entry puts the persona.
struct Stay {
    at: i64,
    /// The claim that names the place, for the report.
    claim: usize,
    places: Vec<Term>,
    /// Every name in the entry.
    names: Vec<Term>,
    spans: Vec<WholeSpan>,
    /// Whether it tells of a journey, or of one part of the day.
    moves: bool,
}

impl Stay {
    fn read(claims: &[Claim<'_>], first: usize, vocabulary: &Vocabulary) -> Option<Self> {
        let at = claims.first()?.at?;
        let present = || claims.iter().filter(|claim| is_present(claim));
        let placed =
            claims.iter().position(|claim| is_present(claim) && !places(claim, vocabulary).is_empty());
        let known = claims.iter().filter(|claim| !claim.flags.negated || leaves(&claim.words));
        Some(Self {
            at,
            claim: first + placed.unwrap_or(0),
            places: present().flat_map(|claim| places(claim, vocabulary)).collect(),
            names: known.flat_map(|claim| names(&claim.words, vocabulary)).collect(),
            spans: present().flat_map(whole_spans).collect(),
            moves: claims
                .iter()
                .flat_map(|claim| &claim.words)
                .any(|word| vocabulary.is(WordList::Way, word.key)),
        })
    }

    /// Both on one day, with no word of a journey or of the hour.
    fn is_on_day_of(&self, other: &Self) -> bool {
        (self.at - other.at).abs() < DAY && !self.moves && !other.moves
    }

    fn is_apart_from(&self, other: &Self, vocabulary: &Vocabulary) -> bool {
        self.places.iter().any(|place| !other.knows(*place, vocabulary))
            && other.places.iter().any(|place| !self.knows(*place, vocabulary))
    }

    fn covers(&self, other: &Self) -> bool {
        self.spans.iter().any(|span| span.covers(self.at, other.at))
    }

    fn excludes_places_of(&self, other: &Self, vocabulary: &Vocabulary) -> bool {
        other.places.iter().any(|place| !self.knows(*place, vocabulary))
            && !other.places.iter().any(|place| self.places.contains(place))
    }

    /// Whether one of its names can be the place.
    fn knows(&self, place: Term, vocabulary: &Vocabulary) -> bool {
        self.names.iter().any(|name| vocabulary.may_be_one_place(*name, place))
    }
}

fn stays(claims: &[Claim<'_>], vocabulary: &Vocabulary) -> Vec<Stay> {
    let mut first = 0;
    let mut stays = Vec::new();
    for claims in claims.chunk_by(|left, right| left.source == right.source) {
        stays.extend(Stay::read(claims, first, vocabulary));
        first += claims.len();
    }
    stays
}

/// Whether the claim says where the persona is, not where another person is or where it would like to be.
fn is_present(claim: &Claim<'_>) -> bool {
    let mine = !matches!(claim.subject, Subject::Person(_) | Subject::Unknown);
    mine && !claim.flags.unreal && !claim.flags.reported
}

/// `I never left Galway` names where one was; `I did not get home to Cairo`, where one was not.
fn leaves(words: &[Word]) -> bool {
    words.iter().any(|word| matches!(word.lower.as_str(), "leave" | "left" | "outside"))
}

/// The names after a preposition of place, or said to be home, unless another person is there: `my parents in Sendai`.
fn places(claim: &Claim<'_>, vocabulary: &Vocabulary) -> Vec<Term> {
    let words = &claim.words;
    let is_home = ["home", "been"].iter().all(|said| words.iter().any(|word| word.lower == *said));
    let is_there = |(at, word): &(usize, &Word)| {
        let titled = claim.flags.title && vocabulary.is_place(word.key);
        is_name(word, vocabulary) && (is_home || titled || follows_place_preposition(words, *at, vocabulary))
    };
    words.iter().enumerate().filter(is_there).map(|(_, word)| word.key).collect()
}

/// Every name, except where only another person is.
fn names(words: &[Word], vocabulary: &Vocabulary) -> Vec<Term> {
    let named = words.iter().enumerate().filter(|(_, word)| is_name(word, vocabulary));
    named.filter(|(at, _)| !is_with_others(words, *at, vocabulary)).map(|(_, word)| word.key).collect()
}

/// `my parents in Sendai`, whom I called.
fn is_with_others(words: &[Word], at: usize, vocabulary: &Vocabulary) -> bool {
    let kin = at.checked_sub(2).and_then(|kin| words.get(kin));
    kin.is_some_and(|kin| vocabulary.is(WordList::Kin, kin.key)) && is_far(words)
}

fn follows_place_preposition(words: &[Word], at: usize, vocabulary: &Vocabulary) -> bool {
    let mut before =
        words.iter().take(at).rev().skip_while(|word| vocabulary.is(WordList::Article, word.key));
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

/// Whether a person is contacted from afar.
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
        && !vocabulary.is(WordList::NotName, word.key)
        && !is_date_word(&word.lower)
}
