//! Splitting a text into word pieces, those of `MiniLM` and of the static embedding table.
//!
//! The rules are those both were trained with: control characters dropped, accents removed, lower case,
//! ideographs and punctuation as separate words, then the longest known piece first. Almost every text is
//! mostly ASCII, so ASCII bytes take a fast path that never decodes a character.

mod vocabulary;

use unicode_general_category::{GeneralCategory as Category, get_general_category};
use unicode_normalization::char::decompose_canonical;

use vocabulary::{LONGEST_PIECE, PiecePosition, PrefixHash, Vocabulary, vocabulary};

/// One word piece, as its number in the vocabulary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece(pub u16);

impl Piece {
    /// The piece for a word that can't be split into known pieces. Its row is zero.
    pub const UNKNOWN: Self = Self(100);
}

/// Words with more characters than this are not split.
const LONGEST_WORD: usize = 100;

/// The word pieces of `text`, in order.
#[must_use]
pub fn pieces(text: &str) -> Vec<Piece> {
    let mut splitter = Splitter {
        vocabulary: vocabulary(),
        word: Vec::with_capacity(32),
        characters: 0,
        found: Vec::with_capacity(text.len() / 4 + 2),
    };
    let mut rest = text;
    while let Some(character) = splitter.take_ascii(rest) {
        splitter.take_character(character.0);
        rest = character.1;
    }
    splitter.end_word();
    splitter.found
}

/// The word being collected and the pieces found so far.
struct Splitter {
    vocabulary: &'static Vocabulary,
    word: Vec<u8>,
    characters: usize,
    found: Vec<Piece>,
}

impl Splitter {
    /// Processes the ASCII characters at the start of `text`; returns the first other one and the text
    /// after it.
    fn take_ascii<'t>(&mut self, text: &'t str) -> Option<(char, &'t str)> {
        for (at, byte) in text.bytes().enumerate() {
            match byte {
                b'a'..=b'z' | b'0'..=b'9' => self.push_ascii(byte),
                b'A'..=b'Z' => self.push_ascii(byte.to_ascii_lowercase()),
                b' ' | b'\t' | b'\n' | b'\r' => self.end_word(),
                b'!'..=b'~' => self.stand_alone(char::from(byte)),
                0..=0x1f | 0x7f => {}
                0x80.. => return split_first(text.get(at..)?),
            }
        }
        None
    }

    fn push_ascii(&mut self, byte: u8) {
        self.word.push(byte);
        self.characters += 1;
    }

    fn take_character(&mut self, character: char) {
        if is_dropped(character) {
            return;
        }
        let ideograph = is_ideograph(character);
        if ideograph {
            self.end_word();
        }
        decompose_canonical(character, |part| {
            if get_general_category(part) != Category::NonspacingMark {
                part.to_lowercase().for_each(|lower| self.take_normalised(lower));
            }
        });
        if ideograph {
            self.end_word();
        }
    }

    fn take_normalised(&mut self, character: char) {
        if character.is_whitespace() {
            self.end_word();
        } else if is_punctuation(character) {
            self.stand_alone(character);
        } else {
            let mut utf8 = [0; 4];
            self.word.extend_from_slice(character.encode_utf8(&mut utf8).as_bytes());
            self.characters += 1;
        }
    }

    fn stand_alone(&mut self, character: char) {
        self.end_word();
        let mut utf8 = [0; 4];
        self.word.extend_from_slice(character.encode_utf8(&mut utf8).as_bytes());
        self.characters = 1;
        self.end_word();
    }

    /// Splits the collected word into the longest known pieces, or marks it unknown as a whole.
    fn end_word(&mut self) {
        if self.word.is_empty() {
            return;
        }
        let before = self.found.len();
        if self.characters > LONGEST_WORD || !self.spell() {
            self.found.truncate(before);
            self.found.push(Piece::UNKNOWN);
        }
        self.word.clear();
        self.characters = 0;
    }

    fn spell(&mut self) -> bool {
        let mut place = PiecePosition::Start;
        let mut rest = self.word.as_slice();
        while !rest.is_empty() {
            let Some((piece, length)) = longest_piece(self.vocabulary, rest, place) else { return false };
            self.found.push(piece);
            rest = rest.get(length..).unwrap_or_default();
            place = PiecePosition::Continuation;
        }
        true
    }
}

/// The longest piece that is a prefix of `bytes`, and its length.
fn longest_piece(vocabulary: &Vocabulary, bytes: &[u8], place: PiecePosition) -> Option<(Piece, usize)> {
    let mut hashes = [PrefixHash::at(place); LONGEST_PIECE];
    let mut hash = PrefixHash::at(place);
    for (slot, byte) in hashes.iter_mut().zip(bytes) {
        hash = hash.with(*byte);
        *slot = hash;
    }
    let longest = bytes.len().min(LONGEST_PIECE);
    (1..=longest).rev().zip(hashes.iter().rev().skip(LONGEST_PIECE - longest)).find_map(|(length, hash)| {
        let piece = vocabulary.find(bytes.get(..length)?, place, *hash)?;
        Some((piece, length))
    })
}

fn split_first(text: &str) -> Option<(char, &str)> {
    let mut characters = text.chars();
    Some((characters.next()?, characters.as_str()))
}

/// Control, format, private and unassigned characters are not part of words.
fn is_dropped(character: char) -> bool {
    character == char::REPLACEMENT_CHARACTER
        || matches!(
            get_general_category(character),
            Category::Control
                | Category::Format
                | Category::PrivateUse
                | Category::Unassigned
                | Category::Surrogate
        )
}

fn is_punctuation(character: char) -> bool {
    character.is_ascii_punctuation()
        || matches!(
            get_general_category(character),
            Category::ConnectorPunctuation
                | Category::DashPunctuation
                | Category::OpenPunctuation
                | Category::ClosePunctuation
                | Category::InitialPunctuation
                | Category::FinalPunctuation
                | Category::OtherPunctuation
        )
}

/// The ideographs that the table's tokenizer separates; kana and hangul are written in words.
fn is_ideograph(character: char) -> bool {
    matches!(character,
        '\u{4e00}'..='\u{9fff}' | '\u{3400}'..='\u{4dbf}' | '\u{20000}'..='\u{2a6df}' | '\u{2a700}'..='\u{2b73f}'
        | '\u{2b740}'..='\u{2b81f}' | '\u{2b820}'..='\u{2ceaf}' | '\u{f900}'..='\u{faff}' | '\u{2f800}'..='\u{2fa1f}')
}
