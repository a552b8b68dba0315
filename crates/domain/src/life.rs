//! The order of a timeline: where a new event may be placed, and which entries are out of order.

use std::collections::BTreeMap;

use crate::{MemoryType, TimelineEntry, TimelineId, Timestamp};

/// The number of a life's first entry.
const FIRST_SEQUENCE: u64 = 1;

/// The part of an entry that its order depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryPosition {
    /// The entry's id.
    pub id: TimelineId,
    /// Its number.
    pub sequence: u64,
    /// When it happened.
    pub event_at: Timestamp,
    /// The entry it replaced.
    pub revises: Option<TimelineId>,
    /// Whether it is not superseded.
    pub is_active: bool,
}

impl From<&TimelineEntry> for EntryPosition {
    fn from(entry: &TimelineEntry) -> Self {
        Self {
            id: entry.id,
            sequence: entry.sequence,
            event_at: entry.event.event_at,
            revises: entry.revises_timeline_id,
            is_active: entry.superseded_at.is_none(),
        }
    }
}

/// Why an entry may not be placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TimelineRefusal {
    /// It would come before an earlier event, or after a later one.
    #[error("`eventAt` {given} is {side} {bound}, the time of its neighbour")]
    EventOutOfOrder {
        /// When the new event happened.
        given: Timestamp,
        /// Which neighbour it conflicts with.
        side: Side,
        /// The neighbour's time.
        bound: Timestamp,
    },
    /// `revisesTimelineId` and the type `revised` must be used together.
    #[error("`revisesTimelineId` and `memoryType: \"revised\"` go together; give both or neither")]
    RevisionFieldsIncomplete,
    /// A superseded entry can't be revised; its successor can.
    #[error("the entry was superseded or destroyed; revise one that stands, see `selfhood timeline list`")]
    AlreadySuperseded,
    /// The entry does not exist in this timeline.
    #[error("no such timeline entry")]
    EntryNotFound,
}

impl TimelineRefusal {
    /// The stable code clients match on.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::EventOutOfOrder { .. } => "event_out_of_order",
            Self::RevisionFieldsIncomplete => "revision_fields_incomplete",
            Self::AlreadySuperseded => "already_superseded",
            Self::EntryNotFound => "timeline_entry_not_found",
        }
    }
}

/// The neighbour an event conflicts with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Earlier than the neighbour before it.
    Before,
    /// Later than the neighbour after it.
    After,
}

impl std::fmt::Display for Side {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Before => "before",
            Self::After => "after",
        })
    }
}

/// All entries of a timeline, including superseded ones, by sequence.
#[derive(Clone, Debug, Default)]
pub struct Life {
    entries: Vec<EntryPosition>,
    /// For each entry, the sequence of the entry it ultimately replaces, through any number of revisions.
    places: BTreeMap<TimelineId, u64>,
}

impl Life {
    /// A timeline with these entries, in any order.
    #[must_use]
    pub fn new(mut entries: Vec<EntryPosition>) -> Self {
        entries.sort_by_key(|entry| entry.sequence);
        let mut places = BTreeMap::new();
        for entry in &entries {
            let original = entry.revises.and_then(|id| places.get(&id).copied());
            places.insert(entry.id, original.unwrap_or(entry.sequence));
        }
        Self { entries, places }
    }

    /// The number the next entry gets.
    #[must_use]
    pub fn next_sequence(&self) -> u64 {
        self.entries.last().map_or(FIRST_SEQUENCE, |entry| entry.sequence + 1)
    }

    /// Whether `sequence` is the number of an entry.
    #[must_use]
    pub fn has_number(&self, sequence: u64) -> bool {
        self.entries.binary_search_by_key(&sequence, |entry| entry.sequence).is_ok()
    }

    /// Whether an entry of this type, revising `revises`, may be placed at `event_at`.
    pub fn place(
        &self,
        event_at: Timestamp,
        kind: MemoryType,
        revises: Option<TimelineId>,
    ) -> Result<(), TimelineRefusal> {
        match (revises, kind == MemoryType::Revised) {
            (None, false) => self.check_at_end(event_at),
            (Some(original), true) => self.revise(event_at, original),
            (None, true) | (Some(_), false) => Err(TimelineRefusal::RevisionFieldsIncomplete),
        }
    }

    /// The same, where an event may stand before one that happened later. The consistency check reports it.
    pub fn place_out_of_order(
        &self,
        kind: MemoryType,
        revises: Option<TimelineId>,
    ) -> Result<(), TimelineRefusal> {
        match (revises, kind == MemoryType::Revised) {
            (None, false) => Ok(()),
            (Some(original), true) => {
                let known = self.entries.iter().find(|entry| entry.id == original);
                let is_active = known.ok_or(TimelineRefusal::EntryNotFound)?.is_active;
                if is_active { Ok(()) } else { Err(TimelineRefusal::AlreadySuperseded) }
            }
            (None, true) | (Some(_), false) => Err(TimelineRefusal::RevisionFieldsIncomplete),
        }
    }

    /// Adds an entry that [`Self::place`] allowed, by its number.
    pub fn append(&mut self, entry: EntryPosition) {
        self.places.insert(entry.id, entry.sequence);
        let at = self.entries.partition_point(|other| other.sequence < entry.sequence);
        self.entries.insert(at, entry);
    }

    /// The active entries in timeline order: a revision has the position of its original.
    #[must_use]
    pub fn active(&self) -> Vec<EntryPosition> {
        let mut active: Vec<EntryPosition> =
            self.entries.iter().filter(|entry| entry.is_active).copied().collect();
        active.sort_by_key(|entry| self.place_of(entry.id));
        active
    }

    /// Entries out of order: missing numbers, and active events that go back in time.
    #[must_use]
    pub fn disorder(&self) -> Vec<Disorder> {
        let gap = |place: usize, before: &EntryPosition| {
            let after = place.checked_sub(1).and_then(|place| self.entries.get(place)).copied();
            let expected = after.map_or(FIRST_SEQUENCE, |after| after.sequence + 1);
            (before.sequence > expected).then_some(Disorder::SequenceGap { after, before: *before })
        };
        let backward = |pair: &[EntryPosition]| match pair {
            [a, b] if b.event_at < a.event_at => {
                Some(Disorder::NonMonotonicEventTime { earlier: *a, later: *b })
            }
            _ => None,
        };
        let gaps = self.entries.iter().enumerate().filter_map(|(place, entry)| gap(place, entry));
        gaps.chain(self.active().windows(2).filter_map(backward)).collect()
    }

    fn check_at_end(&self, event_at: Timestamp) -> Result<(), TimelineRefusal> {
        let latest = self.entries.iter().filter(|entry| entry.is_active).map(|entry| entry.event_at).max();
        not_before(event_at, latest)
    }

    fn revise(&self, event_at: Timestamp, original: TimelineId) -> Result<(), TimelineRefusal> {
        let original =
            self.entries.iter().find(|entry| entry.id == original).ok_or(TimelineRefusal::EntryNotFound)?;
        if !original.is_active {
            return Err(TimelineRefusal::AlreadySuperseded);
        }
        let place = self.place_of(original.id);
        let active = self.active();
        let earlier = active.iter().rfind(|entry| self.place_of(entry.id) < place);
        let later = active.iter().find(|entry| self.place_of(entry.id) > place);
        not_before(event_at, earlier.map(|entry| entry.event_at))?;
        not_after(event_at, later.map(|entry| entry.event_at))
    }

    fn place_of(&self, id: TimelineId) -> u64 {
        self.places.get(&id).copied().unwrap_or(u64::MAX)
    }
}

/// An inconsistency in a timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disorder {
    /// Numbers between two neighbours, or before the first entry, are missing.
    SequenceGap {
        /// The last entry before the gap; none if the life begins with a gap.
        after: Option<EntryPosition>,
        /// The first entry after it.
        before: EntryPosition,
    },
    /// An event comes after one that happened later.
    NonMonotonicEventTime {
        /// The entry that comes first.
        earlier: EntryPosition,
        /// The one after it, with the earlier time.
        later: EntryPosition,
    },
}

fn not_before(given: Timestamp, earlier: Option<Timestamp>) -> Result<(), TimelineRefusal> {
    match earlier.filter(|bound| given < *bound) {
        Some(bound) => Err(TimelineRefusal::EventOutOfOrder { given, side: Side::Before, bound }),
        None => Ok(()),
    }
}

fn not_after(given: Timestamp, later: Option<Timestamp>) -> Result<(), TimelineRefusal> {
    match later.filter(|bound| given > *bound) {
        Some(bound) => Err(TimelineRefusal::EventOutOfOrder { given, side: Side::After, bound }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;

    /// `(sequence, day, revises, active)` for each entry; an entry's id is its sequence.
    fn life(entries: &[(u64, i64, Option<u64>, bool)]) -> Life {
        let placed = |&(sequence, day, revises, is_active): &(u64, i64, Option<u64>, bool)| EntryPosition {
            id: example::timeline_id(sequence),
            sequence,
            event_at: example::day(day),
            revises: revises.map(example::timeline_id),
            is_active,
        };
        Life::new(entries.iter().map(placed).collect())
    }

    fn code(result: Result<(), TimelineRefusal>) -> &'static str {
        result.map_or_else(TimelineRefusal::code, |()| "ok")
    }

    #[test]
    fn a_new_event_never_happens_before_the_last_one() {
        let life = life(&[(1, 0, None, true), (2, 10, None, true), (3, 30, None, false)]);
        for (day, expected) in [(9, "event_out_of_order"), (10, "ok"), (11, "ok")] {
            assert_eq!(code(life.place(example::day(day), MemoryType::Normal, None)), expected, "day {day}");
        }
        assert_eq!(life.next_sequence(), 4);
        let refused = life.place(example::day(9), MemoryType::Normal, None).unwrap_err().to_string();
        assert_eq!(
            refused,
            "`eventAt` 2026-05-01T12:00:00.000Z is before 2026-05-02T12:00:00.000Z, the time of its neighbour"
        );
    }

    #[test]
    fn a_revision_stands_between_its_originals_neighbours() {
        let life = life(&[(1, 0, None, true), (2, 10, None, true), (3, 20, None, true)]);
        let second = Some(example::timeline_id(2));
        for (day, expected) in [(-1, "event_out_of_order"), (0, "ok"), (20, "ok"), (21, "event_out_of_order")]
        {
            assert_eq!(
                code(life.place(example::day(day), MemoryType::Revised, second)),
                expected,
                "day {day}"
            );
        }
    }

    #[test]
    fn a_revision_of_a_revision_keeps_the_first_place() {
        let life = life(&[
            (1, 0, None, true),
            (2, 10, None, false),
            (3, 20, None, true),
            (4, 12, Some(2), false),
            (5, 14, Some(4), true),
        ]);
        let order: Vec<u64> = life.active().iter().map(|entry| entry.sequence).collect();
        assert_eq!(order, [1, 5, 3]);
        let again = Some(example::timeline_id(5));
        assert_eq!(code(life.place(example::day(21), MemoryType::Revised, again)), "event_out_of_order");
        assert_eq!(code(life.place(example::day(20), MemoryType::Revised, again)), "ok");
    }

    #[test]
    fn revising_needs_both_fields_an_existing_entry_and_one_that_still_stands() {
        let life = life(&[(1, 0, None, false), (2, 10, None, true)]);
        let id = |n| Some(example::timeline_id(n));
        for (kind, revises, expected) in [
            (MemoryType::Revised, None, "revision_fields_incomplete"),
            (MemoryType::Pride, id(2), "revision_fields_incomplete"),
            (MemoryType::Revised, id(1), "already_superseded"),
            (MemoryType::Revised, id(9), "timeline_entry_not_found"),
            (MemoryType::Revised, id(2), "ok"),
        ] {
            assert_eq!(code(life.place(example::day(10), kind, revises)), expected);
        }
    }

    #[test]
    fn gaps_are_found_in_all_entries_and_backward_steps_in_active_ones() {
        let sound =
            life(&[(1, 0, None, true), (2, 10, None, false), (3, 20, None, true), (4, 11, Some(2), true)]);
        assert_eq!(sound.disorder(), []);
        let broken = life(&[(1, 5, None, true), (3, 4, None, true), (4, 3, None, false)]);
        let found: Vec<(&str, u64, u64)> = broken
            .disorder()
            .iter()
            .map(|disorder| match disorder {
                Disorder::SequenceGap { after, before } => {
                    ("gap", after.map_or(0, |after| after.sequence), before.sequence)
                }
                Disorder::NonMonotonicEventTime { earlier, later } => {
                    ("time", earlier.sequence, later.sequence)
                }
            })
            .collect();
        assert_eq!(found, [("gap", 1, 3), ("time", 1, 3)]);
        let without_beginning = life(&[(3, 5, None, true), (4, 6, None, true)]);
        assert!(matches!(
            without_beginning.disorder().as_slice(),
            [Disorder::SequenceGap { after: None, before }] if before.sequence == 3
        ));
    }
}
