//! Identifiers of a person in a text: a name, an e-mail address, a telephone number, any reference.
//!
//! Erasure finds a person's data by these, so a match must not depend on how the text was typed: case,
//! diacritics, compatibility forms and invisible characters make no difference, and addresses and numbers
//! are recognised in all usual forms. Only whole words match: `Ana` is not in `banana`.

mod email;
mod folded;
mod phone;

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;

use crate::Text;
use crate::coherence::FORGOTTEN;
use email::Email;
use folded::Folded;
use phone::Phone;

/// The text can't be an identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not an identifier: 1 to 256 characters with at least one letter or digit, no control characters")]
pub struct InvalidIdentifier;

/// An identifier of a person. It is kept out of logs like other personal data.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Identifier {
    written: Text,
    form: Form,
}

/// How an identifier is matched.
#[derive(Clone, PartialEq, Eq)]
enum Form {
    Email(Email),
    Phone(Phone),
    /// The words in this order, with little between them.
    Words(Folded),
}

/// The maximum number of signs between two words of one identifier: `Ana (Popescu`, `Ana — Popescu`.
const SIGNS_BETWEEN: usize = 3;

impl Identifier {
    const LONGEST: usize = 256;
    /// A shorter identifier may match other people's text by chance, unless it is an address or a number.
    pub const DISTINCTIVE_LENGTH: usize = 6;

    /// The identifier as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.written.as_str()
    }

    /// Whether it is an e-mail address or a telephone number.
    #[must_use]
    pub fn is_address(&self) -> bool {
        match self.form {
            Form::Email(_) | Form::Phone(_) => true,
            Form::Words(_) => false,
        }
    }

    /// Whether a match is almost certainly this person: an address, a number, or anything long enough.
    #[must_use]
    pub fn is_distinctive(&self) -> bool {
        self.is_address() || self.written.length() >= Self::DISTINCTIVE_LENGTH
    }

    /// The same text for every spelling of the same identifier.
    #[must_use]
    pub fn canonical(&self) -> String {
        match &self.form {
            Form::Email(email) => email.canonical(),
            Form::Phone(phone) => phone.canonical().to_owned(),
            Form::Words(words) => words.words().collect::<Vec<_>>().join(" "),
        }
    }

    fn places(&self, text: &Folded) -> Vec<Range<usize>> {
        match &self.form {
            Form::Email(email) => email.places(text),
            Form::Phone(phone) => phone.places(text),
            Form::Words(words) => places_of_words(words, text),
        }
    }
}

impl FromStr for Identifier {
    type Err = InvalidIdentifier;

    fn from_str(text: &str) -> Result<Self, InvalidIdentifier> {
        let written = Text::new(text).trimmed();
        let fits = (1..=Self::LONGEST).contains(&written.length());
        if !fits || written.as_str().chars().any(char::is_control) {
            return Err(InvalidIdentifier);
        }
        let plain: String = written.as_str().nfkc().collect();
        let form = Email::parse(&plain).map(Form::Email).or_else(|| Phone::parse(&plain).map(Form::Phone));
        let form = form.unwrap_or_else(|| Form::Words(Folded::new(written.as_str())));
        match &form {
            Form::Words(words) if words.len() == 0 => Err(InvalidIdentifier),
            Form::Words(_) | Form::Email(_) | Form::Phone(_) => Ok(Self { written, form }),
        }
    }
}

impl TryFrom<String> for Identifier {
    type Error = InvalidIdentifier;

    fn try_from(text: String) -> Result<Self, InvalidIdentifier> {
        text.parse()
    }
}

impl From<Identifier> for String {
    fn from(identifier: Identifier) -> Self {
        identifier.as_str().to_owned()
    }
}

impl fmt::Debug for Identifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Identifier({} characters)", self.written.length())
    }
}

/// Where `text` contains one of `identifiers`: byte ranges in order, with overlapping or adjacent ones
/// merged.
#[must_use]
pub fn find(identifiers: &[Identifier], text: &str) -> Vec<Range<usize>> {
    let folded = Folded::new(text);
    let mut places: Vec<Range<usize>> =
        identifiers.iter().flat_map(|identifier| identifier.places(&folded)).collect();
    places.sort_by_key(|place| (place.start, place.end));
    let mut joined: Vec<Range<usize>> = Vec::with_capacity(places.len());
    for place in places {
        match joined.last_mut() {
            Some(last) if place.start < last.end => last.end = last.end.max(place.end),
            Some(_) | None => joined.push(place),
        }
    }
    joined
}

/// The `identifiers` that occur in `text`, in their order.
#[must_use]
pub fn found_in<'i>(identifiers: &'i [Identifier], text: &str) -> Vec<&'i Identifier> {
    let folded = Folded::new(text);
    identifiers.iter().filter(|identifier| !identifier.places(&folded).is_empty()).collect()
}

/// The canonical form of everything in `text` that may be a distinctive identifier: each address and number, and every
/// run of words that is long enough. Identifiers of which only hashes are kept are found by these.
#[must_use]
pub fn canonical_forms(text: &str) -> BTreeSet<String> {
    let is_edge = |c: char| !c.is_alphanumeric() && c != '+';
    let written: Vec<&str> = text.split_whitespace().map(|word| word.trim_matches(is_edge)).collect();
    // Most runs can't be an address or a number, and parsing each of them would slow down imports.
    let is_possible = |run: &&[&str]| {
        run.iter().any(|word| word.contains(|c: char| c.is_numeric() || c == '@' || c == '＠'))
    };
    let addresses = runs(&written)
        .filter(is_possible)
        .filter_map(|run| run.join(" ").parse::<Identifier>().ok())
        .filter(Identifier::is_address)
        .map(|address| address.canonical());
    let folded = Folded::new(text);
    let words: Vec<&str> = folded.words().collect();
    let is_long = |run: &String| run.chars().count() >= Identifier::DISTINCTIVE_LENGTH;
    let names = runs(&words).map(|run| run.join(" ")).filter(is_long);
    addresses.chain(names).collect()
}

/// Every run of at most [`MOST_WORDS`] words.
fn runs<'w>(words: &'w [&'w str]) -> impl Iterator<Item = &'w [&'w str]> {
    (1..=MOST_WORDS).flat_map(move |length| words.windows(length))
}

/// A name or a written telephone number of more words than this is not looked for by its hash.
const MOST_WORDS: usize = 6;

/// `text` with `[forgotten]` in place of every one of `identifiers`; `None` if it contains none.
#[must_use]
pub fn replace_identifiers(identifiers: &[Identifier], text: &str) -> Option<String> {
    let places = find(identifiers, text);
    if places.is_empty() {
        return None;
    }
    let mut replaced = text.to_owned();
    for place in places.into_iter().rev() {
        replaced.replace_range(place, FORGOTTEN);
    }
    Some(replaced)
}

fn places_of_words(words: &Folded, text: &Folded) -> Vec<Range<usize>> {
    let count = words.len();
    let most = |n: usize| words.signs_before(n).chars().count().max(SIGNS_BETWEEN);
    let matches_at = |start: usize| {
        (0..count).all(|n| {
            let near = n == 0 || text.signs_before(start + n).chars().count() <= most(n);
            near && text.word(start + n) == words.word(n)
        })
    };
    let starts = 0..(text.len() + 1).saturating_sub(count);
    starts.filter(|start| matches_at(*start)).map(|start| text.place(start..start + count)).collect()
}

#[cfg(test)]
mod tests;
