//! Finds the members of an object, or the items of an array, in a text.

use std::ops::Range;

use super::NotJson;

/// An object or an array of the text.
pub(super) struct Block {
    /// The position of `{` or `[`.
    pub(super) open: usize,
    /// The end of its last member, comma or comment.
    pub(super) content_end: usize,
    /// The position of `}` or `]`.
    pub(super) close: usize,
    pub(super) members: Vec<Member>,
}

/// The kind of a block.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Object,
    Array,
}

impl Kind {
    const fn brackets(self) -> (u8, u8) {
        match self {
            Self::Object => (b'{', b'}'),
            Self::Array => (b'[', b']'),
        }
    }
}

/// A member of an object, or an item of an array.
#[derive(Clone)]
pub(super) struct Member {
    /// Its name; an item has none.
    pub(super) name: Option<String>,
    /// The position of its key; of an item, that of its value.
    pub(super) key: usize,
    /// The range of its value.
    pub(super) value: Range<usize>,
    /// The position of the comma after it, if there is one.
    pub(super) comma: Option<usize>,
}

impl Block {
    pub(super) fn member(&self, name: &str) -> Option<&Member> {
        self.members.iter().find(|member| member.name.as_deref() == Some(name))
    }
}

impl Member {
    pub(super) fn is(&self, kind: Kind, text: &str) -> bool {
        text.as_bytes().get(self.value.start) == Some(&kind.brackets().0)
    }
}

/// Scans a text.
pub(super) struct Scanner<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    /// The object of the whole text.
    pub(super) fn root(&mut self) -> Result<Block, NotJson> {
        self.skip_gaps()?;
        self.block(Kind::Object, self.at)
    }

    /// The block that begins at `open`.
    pub(super) fn block(&mut self, kind: Kind, open: usize) -> Result<Block, NotJson> {
        let (opening, closing) = kind.brackets();
        self.at = open;
        self.expect(opening)?;
        let (mut members, mut content_end) = (Vec::new(), self.at);
        loop {
            self.skip_gaps_to(&mut content_end)?;
            if self.peek() == Some(closing) {
                return Ok(Block { open, content_end, close: self.at, members });
            }
            let (key, name) = (self.at, self.name(kind)?);
            let start = self.at;
            self.value()?;
            let value = start..self.at;
            content_end = self.at;
            self.skip_gaps_to(&mut content_end)?;
            let comma = (self.peek() == Some(b',')).then_some(self.at);
            if comma.is_some() {
                self.at += 1;
                content_end = self.at;
            } else if self.peek() != Some(closing) {
                return Err(self.fault());
            }
            members.push(Member { name, key, value, comma });
        }
    }

    /// The name before a value, with its colon.
    fn name(&mut self, kind: Kind) -> Result<Option<String>, NotJson> {
        if kind == Kind::Array {
            return Ok(None);
        }
        let name = self.string()?;
        self.skip_gaps()?;
        self.expect(b':')?;
        self.skip_gaps()?;
        Ok(Some(name))
    }

    fn value(&mut self) -> Result<(), NotJson> {
        match self.peek() {
            Some(b'"') => self.string().map(drop),
            Some(b'{') => self.skip_block(Kind::Object),
            Some(b'[') => self.skip_block(Kind::Array),
            Some(_) => {
                let rest = self.text.get(self.at..).unwrap_or_default();
                let length = rest.find([',', '}', ']', ' ', '\t', '\r', '\n', '/']).unwrap_or(rest.len());
                self.at += length;
                if length == 0 { Err(self.fault()) } else { Ok(()) }
            }
            None => Err(self.fault()),
        }
    }

    fn skip_block(&mut self, kind: Kind) -> Result<(), NotJson> {
        self.at = self.block(kind, self.at)?.close + 1;
        Ok(())
    }

    fn string(&mut self) -> Result<String, NotJson> {
        let start = self.at;
        self.expect(b'"')?;
        loop {
            match self.peek() {
                Some(b'\\') => self.at += 2,
                Some(b'"') => break,
                Some(_) => self.at += 1,
                None => return Err(self.fault()),
            }
        }
        self.at += 1;
        let quoted = self.text.get(start..self.at).ok_or_else(|| self.fault())?;
        serde_json::from_str(quoted).map_err(|_| self.fault())
    }

    /// Skips white space and comments, and records where the last comment ends.
    fn skip_gaps_to(&mut self, end: &mut usize) -> Result<(), NotJson> {
        loop {
            let rest = self.text.get(self.at..).unwrap_or_default();
            if rest.starts_with([' ', '\t', '\r', '\n', '\u{feff}']) {
                self.at += rest.chars().next().map_or(1, char::len_utf8);
            } else if rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
                *end = self.at;
            } else if rest.starts_with("/*") {
                let length = rest.find("*/").ok_or_else(|| self.fault())?;
                self.at += length + 2;
                *end = self.at;
            } else {
                return Ok(());
            }
        }
    }

    fn skip_gaps(&mut self) -> Result<(), NotJson> {
        self.skip_gaps_to(&mut 0)
    }

    fn expect(&mut self, byte: u8) -> Result<(), NotJson> {
        if self.peek() == Some(byte) {
            self.at += 1;
            return Ok(());
        }
        Err(self.fault())
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn fault(&self) -> NotJson {
        let head = self.text.get(..self.at.min(self.text.len())).unwrap_or_default();
        NotJson { line: head.matches('\n').count() + 1 }
    }
}

/// `text` without comments and trailing commas; line numbers stay the same.
pub(super) fn plain(text: &str) -> Result<String, NotJson> {
    let mut plain = String::with_capacity(text.len());
    let mut scanner = Scanner::new(text);
    let mut comma: Option<usize> = None;
    while scanner.at < text.len() {
        let (before, mut end) = (scanner.at, 0);
        scanner.skip_gaps_to(&mut end)?;
        let gap = text.get(before..scanner.at).unwrap_or_default();
        plain.extend(gap.chars().filter(|c| *c == '\n'));
        plain.push(' ');
        match scanner.peek() {
            None => break,
            Some(b'"') => {
                let start = scanner.at;
                scanner.string()?;
                comma = None;
                plain.push_str(text.get(start..scanner.at).unwrap_or_default());
            }
            Some(byte) => {
                if matches!(byte, b'}' | b']')
                    && let Some(comma) = comma.take()
                {
                    plain.replace_range(comma..=comma, " ");
                }
                comma = (byte == b',').then_some(plain.len());
                let rest = text.get(scanner.at..).unwrap_or_default();
                let next = rest.chars().next().ok_or_else(|| scanner.fault())?;
                plain.push(next);
                scanner.at += next.len_utf8();
                // Numbers and literals must not be split by a space.
                if !matches!(byte, b'{' | b'}' | b'[' | b']' | b',' | b':') {
                    let rest = text.get(scanner.at..).unwrap_or_default();
                    let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && !"+-.".contains(c));
                    let piece = rest.get(..length.unwrap_or(rest.len())).unwrap_or_default();
                    plain.push_str(piece);
                    scanner.at += piece.len();
                }
            }
        }
    }
    Ok(plain)
}
