//! The vocabulary of word pieces: an open-addressing table over the vocabulary file, built once in about a
//! millisecond and queried several times per word.

use std::sync::OnceLock;

use super::Piece;

static VOCABULARY: &str = include_str!("../../../../model/vocab.txt");

/// The longest piece in bytes; nothing longer needs to be looked up.
pub(super) const LONGEST_PIECE: usize = 18;

const SLOTS: usize = 1 << 16;
const EMPTY: u16 = u16::MAX;

/// Whether a piece is at the start of a word or continues one (`##` in the vocabulary file).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum PiecePosition {
    Start,
    Continuation,
}

/// A hash that is extended one byte at a time, so that all prefixes cost one pass.
#[derive(Clone, Copy)]
pub(super) struct PrefixHash(u64);

impl PrefixHash {
    pub(super) const fn at(place: PiecePosition) -> Self {
        match place {
            PiecePosition::Start => Self(0xcbf2_9ce4_8422_2325),
            PiecePosition::Continuation => Self(0x9e37_79b9_7f4a_7c15),
        }
    }

    pub(super) const fn with(self, byte: u8) -> Self {
        Self((self.0 ^ byte as u64).wrapping_mul(0x0100_0000_01b3))
    }

    const fn slot(self) -> usize {
        ((self.0 ^ (self.0 >> 29)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48) as usize
    }
}

pub(super) struct Vocabulary {
    slots: Vec<u16>,
    words: Vec<(&'static str, PiecePosition)>,
}

/// The vocabulary of the compiled-in table.
pub(super) fn vocabulary() -> &'static Vocabulary {
    static BUILT: OnceLock<Vocabulary> = OnceLock::new();
    BUILT.get_or_init(|| Vocabulary::of(VOCABULARY))
}

impl Vocabulary {
    fn of(file: &'static str) -> Self {
        let words = file.lines().map(placed).collect();
        let mut vocabulary = Self { slots: vec![EMPTY; SLOTS], words };
        for number in 0..vocabulary.words.len() {
            vocabulary.insert(number);
        }
        vocabulary
    }

    fn insert(&mut self, number: usize) {
        let (Some((word, place)), Ok(id)) = (self.words.get(number), u16::try_from(number)) else { return };
        let mut at = hash(word.as_bytes(), *place).slot();
        while self.slots.get(at).is_some_and(|taken| *taken != EMPTY) {
            at = (at + 1) % SLOTS;
        }
        if let Some(slot) = self.slots.get_mut(at) {
            *slot = id;
        }
    }

    /// The piece with these `bytes`, whose hash the caller has computed.
    pub(super) fn find(&self, bytes: &[u8], place: PiecePosition, hash: PrefixHash) -> Option<Piece> {
        let mut at = hash.slot();
        loop {
            let id = *self.slots.get(at)?;
            let (word, at_place) = self.words.get(usize::from(id))?;
            if *at_place == place && word.as_bytes() == bytes {
                return Some(Piece(id));
            }
            at = (at + 1) % SLOTS;
        }
    }
}

fn placed(line: &'static str) -> (&'static str, PiecePosition) {
    match line.strip_prefix("##") {
        Some(rest) if !rest.is_empty() => (rest, PiecePosition::Continuation),
        _ => (line, PiecePosition::Start),
    }
}

fn hash(bytes: &[u8], place: PiecePosition) -> PrefixHash {
    bytes.iter().fold(PrefixHash::at(place), |hash, byte| hash.with(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_is_found_by_its_spelling_and_none_is_longer_than_the_limit() {
        let vocabulary = vocabulary();
        assert_eq!(vocabulary.words.len(), 30_522);
        for (number, (word, place)) in vocabulary.words.iter().enumerate() {
            let found = vocabulary.find(word.as_bytes(), *place, hash(word.as_bytes(), *place));
            assert_eq!(found.map(|piece| usize::from(piece.0)), Some(number), "{word}");
            assert!(word.len() <= LONGEST_PIECE || word.starts_with('['), "{word}");
        }
    }

    #[test]
    fn what_is_not_in_the_vocabulary_is_not_found() {
        for word in ["", "zoomzoomzoom", "Zoo"] {
            assert_eq!(
                vocabulary().find(
                    word.as_bytes(),
                    PiecePosition::Start,
                    hash(word.as_bytes(), PiecePosition::Start)
                ),
                None
            );
        }
    }
}
