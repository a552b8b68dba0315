//! Finds entries of a life that can't both be true, without a language model.
//!
//! Every text is read clause by clause into claims: who it is about, what it says, and the numbers,
//! dates, places and names it gives. Claims that share a topic are compared; a difference counts
//! only where it can't be a change. Nothing is read or written, and the same life gives the same
//! findings. The modules below stand in reading order: words, clauses and their values, what is compared
//! with what, and the rules.
//!
//! The rules compare claims pair by pair, so the work grows with the square of the text. [`bounds`] says how
//! much text and how many pairs are compared; what was left out is part of the result.

mod bounds;
mod list;
mod vocabulary;
mod sentences;
mod subject;
mod narration;
mod numeral;
mod quantity;
mod moment;
mod daytime;
mod proper;
mod claim;
mod topic;
mod occasion;
mod overlap;
mod pair;
mod wording;
mod values;
mod judge;
mod pattern;
mod exclusion;
mod meaning;
mod denial;
mod scene;
mod presence;
mod mortality;
mod origin;
mod age;
mod allergy;
mod language;

use std::collections::BTreeMap;

use domain::{Text, TimelineEntry, TimelineId, Timestamp};

use bounds::{MOST_PAIRS, Shortened};
use claim::Claim;
use narration::Narration;
use vocabulary::Vocabulary;

pub use bounds::LeftOut;

/// The code under which findings are reported.
pub const CODE: &str = "possible_contradiction";

/// What the detector reads of a timeline entry.
#[derive(Clone, Copy)]
pub struct Told<'a> {
    /// The entry.
    pub id: TimelineId,
    /// When it happened.
    pub event_at: Timestamp,
    /// Its short name.
    pub label: &'a str,
    /// What happened.
    pub facts: &'a str,
    /// The entry whose place it took, which it may contradict.
    pub revises: Option<TimelineId>,
}

/// What an entry is contradicted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Against {
    /// Another entry.
    Entry(TimelineId),
    /// The persona's IDENTITY.md.
    Identity,
}

/// In what two texts differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conflict {
    /// One denies what the other says.
    Negation,
    /// They use opposite words.
    Opposites,
    /// They use different words of one kind: left and right, red and green.
    Kind,
    /// Different numbers for the same thing.
    Number,
    /// Different dates for the same thing, or ages that don't fit.
    Date,
    /// Different places for the same thing.
    Place,
    /// Different names for the same person or thing.
    Name,
    /// One tells of a state in which the other can't happen.
    State,
}

/// Two texts that can't both be true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// In what they differ.
    pub conflict: Conflict,
    /// The later of the two entries.
    pub timeline_id: TimelineId,
    /// What it is held against.
    pub against: Against,
    /// Both sentences, shortened, for a person to read.
    pub message: Text,
}

impl<'a> From<&'a TimelineEntry> for Told<'a> {
    fn from(entry: &'a TimelineEntry) -> Self {
        Self {
            id: entry.id,
            event_at: entry.event.event_at,
            label: entry.event.event_label.as_str(),
            facts: entry.event.facts.as_str(),
            revises: entry.revises_timeline_id,
        }
    }
}

/// What a search for contradictions came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// Those it found.
    pub contradictions: Vec<Contradiction>,
    /// What was not compared because there was too much of it.
    pub left_out: LeftOut,
}

/// Finds the contradictions between active entries, given in the order of the timeline, and between
/// them and the text of IDENTITY.md. At most one is reported for two texts.
#[must_use]
pub fn contradictions(entries: &[Told<'_>], identity: Option<&str>, language: &str) -> Vec<Contradiction> {
    search(entries, identity, language, &|| false).contradictions
}

/// The same, within bounds that are reported, and given up as soon as `cancellation` says so.
#[must_use]
pub fn search(
    entries: &[Told<'_>],
    identity: Option<&str>,
    language: &str,
    cancellation: &dyn Fn() -> bool,
) -> Findings {
    let Shortened { entries, identity, mut left_out } = Shortened::of(entries, identity);
    let mut search = Search { cancellation, left_out: &mut left_out };
    let contradictions = search.contradictions(&entries, identity, language);
    Findings { contradictions, left_out }
}

/// A search on its way.
struct Search<'s> {
    cancellation: &'s dyn Fn() -> bool,
    left_out: &'s mut LeftOut,
}

impl Search<'_> {
    fn contradictions(
        &mut self,
        entries: &[Told<'_>],
        identity: Option<&str>,
        language: &str,
    ) -> Vec<Contradiction> {
        let mut vocabulary = Vocabulary::new(language);
        let texts = || entries.iter().flat_map(|entry| [entry.label, entry.facts]);
        let names: Vec<String> =
            texts().chain(identity).flat_map(|text| sentences::names(text, &vocabulary)).collect();
        vocabulary.learn_names(names);
        let narration =
            Narration::of(entries.iter().flat_map(|entry| [entry.label, entry.facts]), &mut vocabulary);
        let sources = entries.iter().map(Source::from).chain(identity.map(Source::from));
        let claims: Vec<Claim<'_>> = sources
            .enumerate()
            .flat_map(|(at, source)| claim::claims(at, &source, narration, &mut vocabulary))
            .collect();
        let mut found = BTreeMap::new();
        for (left, right, conflict) in self.opposed(&claims, &mut vocabulary) {
            let Some((left, right)) = claims.get(left).zip(claims.get(right)) else { continue };
            let (left, right) = if left.source <= right.source { (left, right) } else { (right, left) };
            if left.source != right.source {
                found.entry((left.source, right.source)).or_insert((conflict, left.sentence, right.sentence));
            }
        }
        let reported =
            |((left, right), difference)| report(entries.get(left)?, entries.get(right), difference);
        found.into_iter().filter_map(reported).collect()
    }

    /// The pairs of claims that can't both be true, by every rule.
    fn opposed(
        &mut self,
        claims: &[Claim<'_>],
        vocabulary: &mut Vocabulary,
    ) -> Vec<(usize, usize, Conflict)> {
        let mut opposed = Vec::new();
        if vocabulary.is_english() {
            for (rule, conflict) in RULES {
                if (self.cancellation)() {
                    return opposed;
                }
                opposed.extend(
                    rule(claims, vocabulary).into_iter().map(|(left, right)| (left, right, *conflict)),
                );
            }
        }
        opposed.extend(scene::told_otherwise(claims, vocabulary));
        let related = topic::related(claims, vocabulary);
        self.left_out.pairs = related.len().saturating_sub(MOST_PAIRS);
        for (left, right) in related.into_iter().take(MOST_PAIRS) {
            if (self.cancellation)() {
                return opposed;
            }
            let pair = claims.get(left).zip(claims.get(right));
            let conflict = pair.and_then(|(left, right)| judge::conflict(left, right, vocabulary));
            opposed.extend(conflict.map(|conflict| (left, right, conflict)));
        }
        opposed
    }
}

/// Finds pairs of claims, by their numbers, that can't both be true.
type Rule = fn(&[Claim<'_>], &mut Vocabulary) -> Vec<(usize, usize)>;

/// The rules for English, each with what it finds.
const RULES: &[(Rule, Conflict)] = &[
    (|claims, words| mortality::signs_of_life_after_death(claims, words), Conflict::State),
    (|claims, words| mortality::things_after_their_end(claims, words), Conflict::State),
    (|claims, words| origin::two_birthplaces(claims, words), Conflict::Place),
    (|claims, words| age::impossible_ages(claims, words), Conflict::Date),
    (|claims, words| presence::elsewhere_meanwhile(claims, words), Conflict::Place),
    (|claims, words| exclusion::excluded(claims, words), Conflict::State),
    (|claims, words| denial::told_before(claims, words), Conflict::Negation),
    (|claims, words| allergy::enjoyed_aversions(claims, words), Conflict::State),
    (|claims, words| language::beyond_the_only(claims, words), Conflict::State),
];

/// One text with its time: an entry, or IDENTITY.md, which is about the whole life.
struct Source<'a> {
    label: &'a str,
    facts: &'a str,
    at: Option<i64>,
}

impl<'a> From<&Told<'a>> for Source<'a> {
    fn from(entry: &Told<'a>) -> Self {
        Self { label: entry.label, facts: entry.facts, at: Some(entry.event_at.as_millis()) }
    }
}

impl<'a> From<&'a str> for Source<'a> {
    fn from(identity: &'a str) -> Self {
        Self { label: "", facts: identity, at: None }
    }
}

/// A finding, unless one of the two entries was written to correct the other.
fn report(
    earlier: &Told<'_>,
    later: Option<&Told<'_>>,
    difference: (Conflict, &str, &str),
) -> Option<Contradiction> {
    let (conflict, first, second) = (difference.0, shortened(difference.1), shortened(difference.2));
    let Some(later) = later else {
        let message = Text::new(format!("Potential contradiction: {first} <-> IDENTITY.md: {second}"));
        return Some(Contradiction {
            conflict,
            timeline_id: earlier.id,
            against: Against::Identity,
            message,
        });
    };
    if earlier.revises == Some(later.id) || later.revises == Some(earlier.id) {
        return None;
    }
    let message = Text::new(format!("Potential contradiction: {second} <-> {first}"));
    Some(Contradiction { conflict, timeline_id: later.id, against: Against::Entry(earlier.id), message })
}

/// As much of a sentence as fits in a line, ending with a whole word.
fn shortened(sentence: &str) -> String {
    const LONGEST: usize = 60;
    let bare = sentence.trim_start_matches(['#', '*', '-', '>', ' ']);
    if bare.chars().count() <= LONGEST {
        return bare.to_owned();
    }
    let clipped: String = bare.chars().take(LONGEST).collect();
    let whole = clipped.rsplit_once(' ').map_or(clipped.as_str(), |(whole, _)| whole);
    format!("{}…", whole.trim_end_matches([',', ':', ' ']))
}
