//! How much of a life is compared.
//!
//! The bounds are far above what people write, and low enough that the whole search takes seconds at worst.
//! Texts are cut at a character, from the end, so the same life is always cut in the same way.

use crate::Entry;

/// No more of one entry's facts is compared, in characters.
const LONGEST_FACTS: usize = 2_000;
/// No more of IDENTITY.md is compared, in characters.
const LONGEST_IDENTITY: usize = 10_000;
/// No more of all facts together is compared, in characters: the longest ones are cut.
const MOST_TEXT: usize = 60_000;
/// Every entry is compared by at least so many characters of its facts, however many entries there are.
const LEAST_FACTS: usize = 60;
/// No more entries are compared; the latest are.
const MOST_ENTRIES: usize = 1_000;
/// No more pairs of claims with a common topic are compared.
pub(crate) const MOST_PAIRS: usize = 100_000;

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
pub(crate) struct LimitedLife<'a> {
    pub(crate) entries: Vec<Entry<'a>>,
    pub(crate) identity: Option<&'a str>,
    pub(crate) left_out: LeftOut,
}

impl<'a> LimitedLife<'a> {
    pub(crate) fn new(entries: &[Entry<'a>], identity: Option<&'a str>) -> Self {
        let mut left_out =
            LeftOut { entries: entries.len().saturating_sub(MOST_ENTRIES), ..LeftOut::default() };
        let mut shorten = |text: &'a str, most: usize| {
            let cut = beginning(text, most);
            left_out.shortened += usize::from(cut.len() < text.len());
            cut
        };
        let latest = entries.get(entries.len().saturating_sub(MOST_ENTRIES)..).unwrap_or_default();
        let longest = longest_facts(latest);
        let entries =
            latest.iter().map(|entry| Entry { facts: shorten(entry.facts, longest), ..*entry }).collect();
        let identity = identity.map(|identity| shorten(identity, LONGEST_IDENTITY));
        Self { entries, identity, left_out }
    }
}

/// The length to which long facts are cut, so that all together fit; short ones stay whole.
fn longest_facts(entries: &[Entry<'_>]) -> usize {
    let mut lengths: Vec<usize> = entries.iter().map(|entry| entry.facts.chars().count()).collect();
    lengths.sort_unstable();
    let (mut room, mut left) = (MOST_TEXT, lengths.len());
    for length in lengths {
        let share = room / left.max(1);
        if length > share {
            return share.clamp(LEAST_FACTS, LONGEST_FACTS);
        }
        (room, left) = (room - length, left - 1);
    }
    LONGEST_FACTS
}

fn beginning(text: &str, most: usize) -> &str {
    text.char_indices().nth(most).and_then(|(end, _)| text.get(..end)).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use domain::{TimelineId, Timestamp};

    use super::*;

    fn life(texts: &[String]) -> Vec<Entry<'_>> {
        let number = |number: usize| u128::try_from(number).unwrap();
        let entry = |at: usize, facts| Entry {
            id: TimelineId(uuid::Uuid::from_u128(number(at))),
            event_at: Timestamp::from_millis(0),
            label: "",
            facts,
            revises: None,
        };
        texts.iter().enumerate().map(|(at, facts)| entry(at, facts.as_str())).collect()
    }

    #[test]
    fn an_ordinary_life_is_compared_whole() {
        let texts = vec!["ă".repeat(500); 100];
        let LimitedLife { entries, identity, left_out } = LimitedLife::new(&life(&texts), Some("I am Maya."));
        assert_eq!((entries.len(), identity), (100, Some("I am Maya.")));
        assert!(entries.iter().all(|entry| entry.facts.chars().count() == 500));
        assert_eq!(left_out, LeftOut::default());
    }

    #[test]
    fn long_texts_are_cut_and_short_ones_stay_whole() {
        let texts: Vec<String> =
            (0..100).map(|at| "a".repeat(if at % 2 == 0 { 5_000 } else { 100 })).collect();
        let LimitedLife { entries, left_out, .. } = LimitedLife::new(&life(&texts), None);
        let all: usize = entries.iter().map(|entry| entry.facts.len()).sum();
        assert!(entries.iter().skip(1).step_by(2).all(|entry| entry.facts.len() == 100));
        assert!(all <= MOST_TEXT && all > MOST_TEXT / 2, "{all}");
        assert_eq!(left_out, LeftOut { entries: 0, shortened: 50, pairs: 0 });
    }

    #[test]
    fn of_very_many_entries_the_latest_are_compared() {
        let texts = vec!["a".repeat(10); MOST_ENTRIES + 7];
        let LimitedLife { entries, left_out, .. } = LimitedLife::new(&life(&texts), None);
        assert_eq!(entries.len(), MOST_ENTRIES);
        assert_eq!(left_out, LeftOut { entries: 7, shortened: 0, pairs: 0 });
    }
}
