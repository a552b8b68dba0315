//! Finds statements of a life that can't both be true, without a language model.
//!
//! 1. Every text is cut into clauses ([`clause`]), and every clause is read into a [`claim`]: its subject, its
//!    topic, what it denies, and the numbers, dates, places and names it gives. There is no grammar; word lists
//!    in `lexicon/` and the words around decide. They are English: of other languages only numbers and dates
//!    are compared.
//! 2. Claims that share a rare word are candidates ([`candidates`]). The pair rules compare their wording and
//!    values; a difference counts only where it can't be a change ([`time_relation`]).
//! 3. The life rules look for what no shared word shows: deaths, ages, stays, states and what they exclude.
//!    [`rules`] lists all of them, one file each. A rule stays only while it finds something on pairs that its
//!    author has not read; `tests/contradictions.rs` measures that.
//!
//! Nothing is read or written, and the same life gives the same findings. The work grows with the square of the
//! text, so [`limits`] bounds it; what was left out is part of the result.

mod limits;
mod word_list;
mod vocabulary;
mod clause;
mod subject;
mod narrator;
mod number;
mod quantity;
mod date;
mod day_part;
mod names;
mod claim;
mod candidates;
mod time_relation;
mod overlap;
mod claim_pair;
mod pattern;
mod similarity;
mod rules;

use std::collections::BTreeMap;

use domain::{Text, TimelineEntry, TimelineId, Timestamp};

use claim::Claim;
use limits::{LimitedLife, MOST_PAIRS};
use narrator::Narrator;
use rules::{LIFE_RULES, compare};
use vocabulary::Vocabulary;

pub use limits::LeftOut;

/// What is read of a timeline entry.
#[derive(Clone, Copy)]
pub struct Entry<'a> {
    /// The entry.
    pub id: TimelineId,
    /// When it happened.
    pub event_at: Timestamp,
    /// Its short name.
    pub label: &'a str,
    /// What happened.
    pub facts: &'a str,
    /// The entry it corrects, which it may contradict.
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
    /// Different numbers for the same thing.
    Number,
    /// Different dates for the same thing, or ages that don't fit.
    Date,
    /// Different places for the same thing.
    Place,
    /// Different names for the same person or thing.
    Name,
    /// One states a condition in which the other can't happen.
    State,
}

/// Two texts that can't both be true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// In what they differ.
    pub conflict: Conflict,
    /// The later of the two entries.
    pub timeline_id: TimelineId,
    /// What it contradicts.
    pub against: Against,
    /// Both sentences, shortened, for a person to read.
    pub message: Text,
}

/// The result of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// The contradictions, at most one for two texts.
    pub contradictions: Vec<Contradiction>,
    /// What was not compared because there was too much of it.
    pub left_out: LeftOut,
}

impl<'a> From<&'a TimelineEntry> for Entry<'a> {
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

/// Finds the contradictions between active entries, given in the order of the timeline, and between them and the
/// text of IDENTITY.md. Stops early, with what it has found so far, as soon as `is_cancelled` says so.
#[must_use]
pub fn find_contradictions(
    entries: &[Entry<'_>],
    identity: Option<&str>,
    language: &str,
    is_cancelled: &dyn Fn() -> bool,
) -> Findings {
    let LimitedLife { entries, identity, mut left_out } = LimitedLife::new(entries, identity);
    let mut vocabulary = Vocabulary::new(language);
    let claims = read_claims(&entries, identity, &mut vocabulary);
    let conflicts = conflicting_claims(&claims, &mut vocabulary, &mut left_out, is_cancelled);
    let mut found = BTreeMap::new();
    for (left, right, conflict) in conflicts {
        let Some((left, right)) = claims.get(left).zip(claims.get(right)) else { continue };
        let (left, right) = if left.source <= right.source { (left, right) } else { (right, left) };
        if left.source != right.source {
            let (first, second) = (left.sentence, right.sentence);
            found.entry((left.source, right.source)).or_insert(Difference { conflict, first, second });
        }
    }
    let contradiction =
        |((left, right), difference)| contradiction(entries.get(left)?, entries.get(right), difference);
    Findings { contradictions: found.into_iter().filter_map(contradiction).collect(), left_out }
}

/// One text with its time: an entry, or IDENTITY.md, which is about the whole life.
struct Source<'a> {
    label: &'a str,
    facts: &'a str,
    at: Option<i64>,
}

/// The claims of all texts; those of IDENTITY.md come last.
fn read_claims<'a>(
    entries: &[Entry<'a>],
    identity: Option<&'a str>,
    vocabulary: &mut Vocabulary,
) -> Vec<Claim<'a>> {
    let texts = entries.iter().flat_map(|entry| [entry.label, entry.facts]);
    let narrator = Narrator::of(texts, vocabulary);
    let entries = entries.iter().map(|entry| Source {
        label: entry.label,
        facts: entry.facts,
        at: Some(entry.event_at.as_millis()),
    });
    let identity = identity.map(|facts| Source { label: "", facts, at: None });
    let sources = entries.chain(identity).enumerate();
    sources.flat_map(|(number, source)| claim::claims(number, &source, narrator, vocabulary)).collect()
}

/// The pairs of claims that can't both be true, by every rule.
fn conflicting_claims(
    claims: &[Claim<'_>],
    vocabulary: &mut Vocabulary,
    left_out: &mut LeftOut,
    is_cancelled: &dyn Fn() -> bool,
) -> Vec<(usize, usize, Conflict)> {
    let mut conflicts = Vec::new();
    let life_rules = if vocabulary.is_english() { LIFE_RULES } else { &[] };
    for (rule, conflict) in life_rules {
        if is_cancelled() {
            return conflicts;
        }
        let found = rule(claims, vocabulary);
        conflicts.extend(found.into_iter().map(|(left, right)| (left, right, *conflict)));
    }
    let candidates = candidates::candidate_pairs(claims, vocabulary);
    left_out.pairs = candidates.len().saturating_sub(MOST_PAIRS);
    for (left, right) in candidates.into_iter().take(MOST_PAIRS) {
        if is_cancelled() {
            return conflicts;
        }
        let pair = claims.get(left).zip(claims.get(right));
        let conflict = pair.and_then(|(left, right)| compare(left, right, vocabulary));
        conflicts.extend(conflict.map(|conflict| (left, right, conflict)));
    }
    conflicts
}

/// Two sentences that can't both be true, and the rule that says so.
struct Difference<'a> {
    conflict: Conflict,
    first: &'a str,
    second: &'a str,
}

/// A finding, unless one of the two entries was written to correct the other.
fn contradiction(
    earlier: &Entry<'_>,
    later: Option<&Entry<'_>>,
    Difference { conflict, first, second }: Difference<'_>,
) -> Option<Contradiction> {
    let (first, second) = (shortened(first), shortened(second));
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
