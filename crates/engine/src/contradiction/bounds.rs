//! How much of a life is compared.
//!
//! The bounds are far above what people write, and low enough that the whole search takes seconds at worst.
//! Texts are cut at a character, from the end, so the same life is always cut in the same way.

use super::Told;

/// No more of one entry's facts is compared, in characters.
const LONGEST_FACTS: usize = 2_000;
/// No more of IDENTITY.md is compared, in characters.
const LONGEST_IDENTITY: usize = 10_000;
/// No more of all facts together is compared, in characters: with many long entries each gets its equal part.
const MOST_TEXT: usize = 60_000;
/// Every entry is compared by at least so many characters of its facts, however many entries there are.
const LEAST_FACTS: usize = 60;
/// No more entries are compared; the latest are.
const MOST_ENTRIES: usize = 1_000;
/// No more pairs of claims with a common topic are compared.
pub(super) const MOST_PAIRS: usize = 100_000;

/// What was not compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Entries that were not compared at all.
    pub entries: usize,
    /// Texts of which only the beginning was compared.
    pub shortened: usize,
    /// Pairs of claims.
    pub pairs: usize,
}

/// A life within the bounds.
pub(super) struct Shortened<'a> {
    pub(super) entries: Vec<Told<'a>>,
    pub(super) identity: Option<&'a str>,
    pub(super) left_out: LeftOut,
}

impl<'a> Shortened<'a> {
    pub(super) fn of(entries: &[Told<'a>], identity: Option<&'a str>) -> Self {
        let mut left_out = LeftOut { entries: entries.len().saturating_sub(MOST_ENTRIES), ..LeftOut::default() };
        let mut shorten = |text: &'a str, most: usize| {
            let cut = beginning(text, most);
            left_out.shortened += usize::from(cut.len() < text.len());
            cut
        };
        let longest = longest_facts(entries);
        let latest = entries.iter().skip(entries.len().saturating_sub(MOST_ENTRIES));
        let entries =
            latest.map(|entry| Told { facts: shorten(entry.facts, longest), ..*entry }).collect();
        let identity = identity.map(|identity| shorten(identity, LONGEST_IDENTITY));
        Self { entries, identity, left_out }
    }
}

/// How many characters of each entry's facts fit into all that is compared.
fn longest_facts(entries: &[Told<'_>]) -> usize {
    let all: usize = entries.iter().map(|entry| entry.facts.len().min(LONGEST_FACTS)).sum();
    if all <= MOST_TEXT {
        return LONGEST_FACTS;
    }
    (MOST_TEXT / entries.len().max(1)).clamp(LEAST_FACTS, LONGEST_FACTS)
}

fn beginning(text: &str, most: usize) -> &str {
    text.char_indices().nth(most).and_then(|(end, _)| text.get(..end)).unwrap_or(text)
}
