//! Finds the members of an object in a text.

use std::ops::Range;

use super::NotJson;

/// An object of the text.
pub(super) struct Object {
    /// The position of `{`.
    pub(super) open: usize,
    /// The end of its last member, comma or comment.
    pub(super) content_end: usize,
    /// The position of `}`.
    pub(super) close: usize,
    pub(super) members: Vec<Member>,
}

/// A member of an object.
#[derive(Clone)]
pub(super) struct Member {
    pub(super) name: String,
    /// The position of its key.
    pub(super) key: usize,
    /// The range of its value.
    pub(super) value: Range<usize>,
    /// The position of the comma after it, if there is one.
    pub(super) comma: Option<usize>,
}

impl Object {
    pub(super) fn member(&self, name: &str) -> Option<&Member> {
        self.members.iter().find(|member| member.name == name)
    }
}

impl Member {
    pub(super) fn is_object(&self, text: &str) -> bool {
        text.as_bytes().get(self.value.start) == Some(&b'{')
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
    pub(super) fn root(&mut self) -> Result<Object, NotJson> {
        self.skip_gaps()?;
        self.object(self.at)
    }

    /// The object that begins at `open`.
    pub(super) fn object(&mut self, open: usize) -> Result<Object, NotJson> {
        self.at = open;
        self.expect(b'{')?;
        let (mut members, mut content_end) = (Vec::new(), self.at);
        loop {
            self.skip_gaps_to(&mut content_end)?;
            if self.peek() == Some(b'}') {
                return Ok(Object { open, content_end, close: self.at, members });
            }
            let key = self.at;
            let name = self.string()?;
            self.skip_gaps()?;
            self.expect(b':')?;
            self.skip_gaps()?;
            let start = self.at;
            self.value()?;
            let value = start..self.at;
            content_end = self.at;
            self.skip_gaps_to(&mut content_end)?;
            let comma = (self.peek() == Some(b',')).then_some(self.at);
            if comma.is_some() {
                self.at += 1;
                content_end = self.at;
            } else if self.peek() != Some(b'}') {
                return Err(self.fault());
            }
            members.push(Member { name, key, value, comma });
        }
    }

    fn value(&mut self) -> Result<(), NotJson> {
        match self.peek() {
            Some(b'"') => self.string().map(drop),
            Some(b'{') => {
                let object = self.object(self.at)?;
                self.at = object.close + 1;
                Ok(())
            }
            Some(b'[') => self.array(),
            Some(_) => {
                let rest = self.text.get(self.at..).unwrap_or_default();
                let length = rest.find([',', '}', ']', ' ', '\t', '\r', '\n', '/']).unwrap_or(rest.len());
                self.at += length;
                if length == 0 { Err(self.fault()) } else { Ok(()) }
            }
            None => Err(self.fault()),
        }
    }

    fn array(&mut self) -> Result<(), NotJson> {
        self.expect(b'[')?;
        loop {
            self.skip_gaps()?;
            match self.peek() {
                Some(b']') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b',') => self.at += 1,
                Some(_) => self.value()?,
                None => return Err(self.fault()),
            }
        }
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
