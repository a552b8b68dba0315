//! Links between memories from neighbouring turns of a conversation.
//!
//! An answer is often next to the words that a question shares, so a memory borrows relevance from the turn
//! before and after it. Only a turn of the other side counts: where one side's turns are stored alone,
//! neighbours are merely two statements of the same person, and borrowing misleads.

use std::collections::BTreeMap;

use domain::MemoryId;

use crate::index::chunk::{NO_ROW, NeighbourRows};

/// One side of a conversation: the subject, and whether the persona spoke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Side {
    pub(crate) subject: u32,
    pub(crate) own_words: bool,
}

/// A turn of a conversation, by the conversation's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Turn {
    pub(crate) session: u32,
    pub(crate) index: u32,
}

/// The maximum number of linked memories of one turn, by id: a conversation rarely forms more, and an
/// import with thousands of memories in one turn must not link each of them to all the others.
const LINKED: usize = 8;

/// The neighbours of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) row: u32,
    pub(crate) around: NeighbourRows,
}

/// Every row by its turn.
#[derive(Default)]
pub(crate) struct Turns {
    rows: BTreeMap<(Turn, MemoryId), (u32, Side)>,
}

impl Turns {
    /// Adds a row and returns the links that change.
    pub(crate) fn insert(&mut self, turn: Turn, id: MemoryId, row: u32, side: Side) -> Vec<Link> {
        self.rows.insert((turn, id), (row, side));
        self.links_around(turn)
    }

    /// Removes a row and returns the links that change.
    pub(crate) fn remove(&mut self, turn: Turn, id: MemoryId) -> Vec<Link> {
        self.rows.remove(&(turn, id));
        self.links_around(turn)
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    fn links_around(&self, turn: Turn) -> Vec<Link> {
        let turns = (-2..=2).filter_map(|distance| turn.moved(distance));
        turns.flat_map(|turn| self.links_of(turn)).collect()
    }

    fn links_of(&self, turn: Turn) -> impl Iterator<Item = Link> {
        let crowded_out =
            self.at(turn).skip(LINKED).take(1).map(|(row, _)| Link { row, around: NeighbourRows::default() });
        let linked = self.at(turn).take(LINKED).map(move |(row, side)| Link {
            row,
            around: NeighbourRows { before: self.walk(turn, side, -1), after: self.walk(turn, side, 1) },
        });
        linked.chain(crowded_out)
    }

    /// The rows one and two turns away in one direction, alternating between the sides.
    fn walk(&self, turn: Turn, side: Side, direction: i64) -> [u32; 2] {
        let near = turn.moved(direction).and_then(|turn| self.other_side(turn, side));
        let far = near.and_then(|(_, side)| self.other_side(turn.moved(2 * direction)?, side));
        [near, far].map(|found| found.map_or(NO_ROW, |(row, _)| row))
    }

    /// The first memory, by id, that the other side formed at `turn`, independent of the order of
    /// insertion.
    fn other_side(&self, turn: Turn, side: Side) -> Option<(u32, Side)> {
        self.at(turn).take(LINKED).find(|(_, other)| *other != side)
    }

    fn at(&self, turn: Turn) -> impl Iterator<Item = (u32, Side)> {
        let (first, last) = (MemoryId::from_u64(0), MemoryId::from_u64(u64::MAX));
        self.rows.range((turn, first)..=(turn, last)).map(|(_, row)| *row)
    }
}

impl Turn {
    fn moved(self, distance: i64) -> Option<Self> {
        let index = u32::try_from(i64::from(self.index) + distance).ok()?;
        Some(Self { index, ..self })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANA: Side = Side { subject: 1, own_words: false };
    const PERSONA: Side = Side { subject: 1, own_words: true };

    fn turn(session: u32, index: u32) -> Turn {
        Turn { session, index }
    }

    fn link_of(turns: &Turns, at: Turn) -> Vec<(u32, [u32; 2], [u32; 2])> {
        turns.links_of(at).map(|link| (link.row, link.around.before, link.around.after)).collect()
    }

    #[test]
    fn the_two_sides_of_a_conversation_are_neighbours_in_any_order_of_insertion() {
        let entries =
            [(turn(1, 0), 10, ANA), (turn(1, 1), 11, PERSONA), (turn(1, 2), 12, ANA), (turn(2, 3), 13, ANA)];
        for order in [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2]] {
            let mut turns = Turns::default();
            for at in order {
                let (turn, row, side) = entries[at];
                turns.insert(turn, MemoryId::from_u64(u64::from(row)), row, side);
            }
            assert_eq!(link_of(&turns, turn(1, 1)), [(11, [10, NO_ROW], [12, NO_ROW])]);
            assert_eq!(
                link_of(&turns, turn(1, 2)),
                [(12, [11, 10], [NO_ROW; 2])],
                "another conversation is no neighbour"
            );
        }
    }

    #[test]
    fn one_persons_turns_alone_are_no_neighbours() {
        let mut turns = Turns::default();
        for index in 0..3 {
            turns.insert(turn(1, index), MemoryId::from_u64(u64::from(index)), index, ANA);
        }
        assert_eq!(link_of(&turns, turn(1, 1)), [(1, [NO_ROW; 2], [NO_ROW; 2])]);
    }

    #[test]
    fn only_the_first_memories_of_a_crowded_turn_take_part() {
        let mut turns = Turns::default();
        turns.insert(turn(1, 1), MemoryId::from_u64(99), 99, PERSONA);
        for n in (0..20_u32).rev() {
            turns.insert(turn(1, 0), MemoryId::from_u64(u64::from(n)), n, ANA);
        }
        let linked = link_of(&turns, turn(1, 0));
        assert_eq!(linked.iter().filter(|link| link.2[0] == 99).count(), LINKED);
        assert_eq!(
            linked.last(),
            Some(&(8, [NO_ROW; 2], [NO_ROW; 2])),
            "the one crowded out loses its neighbours"
        );
    }

    #[test]
    fn a_removed_memory_is_replaced_as_neighbour_by_the_next_of_its_turn() {
        let mut turns = Turns::default();
        turns.insert(turn(1, 0), MemoryId::from_u64(1), 1, ANA);
        turns.insert(turn(1, 0), MemoryId::from_u64(2), 2, ANA);
        turns.insert(turn(1, 1), MemoryId::from_u64(3), 3, PERSONA);
        let changed = turns.remove(turn(1, 0), MemoryId::from_u64(1));
        let around = NeighbourRows { before: [2, NO_ROW], ..NeighbourRows::default() };
        assert!(changed.contains(&Link { row: 3, around }));
    }
}
