//! A text normalised for comparing words: lower case, no diacritics, no compatibility forms.
//!
//! It is not `text::folded`, because an erasure must find a name however it is typed: in an encoded address, with
//! invisible characters in it, or in a script without spaces.

use std::ops::Range;

use unicode_normalization::char::{decompose_compatible, is_combining_mark};

/// The normalised words of a text, with the position of each.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) struct Folded {
    letters: String,
    signs: String,
    words: Vec<Word>,
}

#[derive(Clone, PartialEq, Eq)]
struct Word {
    /// The range of its letters in `letters`.
    letters: Range<usize>,
    /// The range of the signs before it in `signs`.
    signs: Range<usize>,
    /// Its position in the text.
    place: Range<usize>,
}

impl Folded {
    pub(super) fn new(text: &str) -> Self {
        let mut folding = Folding { folded: Self::default(), open: false, signs_from: 0 };
        let mut rest = text.char_indices();
        while let Some((at, letter)) = rest.next() {
            let written = text.get(at + 1..at + 3).filter(|_| letter == '%').and_then(percent_encoded);
            if let Some(sign) = written {
                folding.sign(sign);
                rest.nth(1);
            } else {
                folding.take(letter, at..at + letter.len_utf8());
            }
        }
        folding.folded
    }

    /// The number of words.
    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    /// The letters of a word; empty after the last one.
    pub(super) fn word(&self, n: usize) -> &str {
        self.words.get(n).and_then(|word| self.letters.get(word.letters.clone())).unwrap_or_default()
    }

    /// The letters of all words, in order.
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|n| self.word(n))
    }

    /// The signs between a word and the one before it, white space as plain spaces.
    pub(super) fn signs_before(&self, n: usize) -> &str {
        self.words.get(n).and_then(|word| self.signs.get(word.signs.clone())).unwrap_or_default()
    }

    /// The position of these words in the text.
    pub(super) fn place(&self, words: Range<usize>) -> Range<usize> {
        let within = self.words.get(words).unwrap_or_default();
        let start = within.first().map_or(0, |word| word.place.start);
        start..within.last().map_or(start, |word| word.place.end)
    }
}

struct Folding {
    folded: Folded,
    /// Whether the last word may still grow.
    open: bool,
    signs_from: usize,
}

impl Folding {
    fn take(&mut self, letter: char, place: Range<usize>) {
        if letter.is_ascii() {
            return self.put(letter.to_ascii_lowercase(), place);
        }
        if is_invisible(letter) || is_combining_mark(letter) {
            return self.stretch(place.end);
        }
        if !letter.is_alphanumeric() {
            let mut signs = String::new();
            decompose_compatible(letter, |sign| signs.push(sign));
            return signs.chars().for_each(|sign| self.sign(sign));
        }
        let mut parts = String::new();
        for lower in letter.to_lowercase() {
            decompose_compatible(lower, |part| spell_out(part, &mut parts));
        }
        parts.chars().for_each(|part| self.put(part, place.clone()));
    }

    fn put(&mut self, letter: char, place: Range<usize>) {
        if !letter.is_alphanumeric() {
            return self.sign(letter);
        }
        let Folded { letters, signs, words } = &mut self.folded;
        let alone = is_unspaced(letter);
        let from = letters.len();
        letters.push(letter);
        match words.last_mut().filter(|_| self.open && !alone) {
            Some(word) => {
                word.letters.end = letters.len();
                word.place.end = place.end;
            }
            None => {
                words.push(Word { letters: from..letters.len(), signs: self.signs_from..signs.len(), place });
            }
        }
        self.signs_from = signs.len();
        self.open = !alone;
    }

    fn sign(&mut self, sign: char) {
        self.open = false;
        self.folded.signs.push(if sign.is_whitespace() { ' ' } else { sign });
    }

    /// Extends the last word by a mark that does not change it.
    fn stretch(&mut self, end: usize) {
        if let Some(word) =
            self.folded.words.last_mut().filter(|_| self.signs_from == self.folded.signs.len())
        {
            word.place.end = end;
        }
    }
}

/// Spells out letters without a decomposition, the way people without them on the keyboard do.
fn spell_out(part: char, into: &mut String) {
    match part {
        mark if is_combining_mark(mark) => {}
        'ß' => into.push_str("ss"),
        'æ' => into.push_str("ae"),
        'œ' => into.push_str("oe"),
        'þ' => into.push_str("th"),
        'ø' => into.push('o'),
        'ł' => into.push('l'),
        'đ' | 'ð' => into.push('d'),
        'ħ' => into.push('h'),
        'ı' => into.push('i'),
        'ς' => into.push('σ'),
        other => into.push(other),
    }
}

/// The sign encoded by two hexadecimal digits after a `%`; letters and digits are not decoded.
fn percent_encoded(digits: &str) -> Option<char> {
    let sign = u8::from_str_radix(digits, 16).ok().map(char::from)?;
    (sign == ' ' || sign.is_ascii_punctuation()).then_some(sign)
}

/// Invisible characters: soft hyphen, joiners, directions, the byte order mark.
fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Letters of scripts without spaces between words: each is matched as a word of its own.
fn is_unspaced(letter: char) -> bool {
    matches!(letter,
        '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
        | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}
