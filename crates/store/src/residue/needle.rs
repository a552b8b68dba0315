//! The texts to search for, and every form in which each may be stored.

use std::collections::BTreeMap;
use std::fmt;

use domain::Text;
use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization as _;
use vault::encoding::{base64_standard, hex};

use super::ResidueError;

/// Texts with fewer characters than this occur by chance; they are searched for only as whole words of a
/// text.
pub const SHORT: usize = 6;
/// The longest text that can be searched for.
pub const MAX_WORDS_BYTES: usize = 4096;
/// How many numbers of a vector make a window: enough that no other bytes match by chance.
const FLOATS: usize = 8;
const CODES: usize = 16;
/// A window with fewer different bytes than this, such as one of zeros, proves nothing.
const MIN_DISTINCT_BYTES: usize = 6;

/// Data that should have been erased.
#[derive(Clone, Debug, PartialEq)]
pub enum SearchTarget {
    /// A name, an address, a sentence.
    Words(Text),
    /// An embedding, as numbers.
    Floats(Vec<f32>),
    /// An embedding, packed into one signed byte a number.
    Codes(Vec<u8>),
}

/// The form in which a text was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// As given, in composed Unicode form.
    Utf8,
    /// In decomposed Unicode form.
    Nfd,
    /// In lower case.
    Lower,
    /// In upper case.
    Upper,
    /// As UTF-16, little-endian.
    Utf16,
    /// With JSON escapes.
    Json,
    /// Percent-encoded.
    Url,
    /// In base64, starting at a group of three bytes.
    Base64,
    /// In base64, one byte into a group.
    Base64Second,
    /// In base64, two bytes into a group.
    Base64Third,
    /// In hexadecimal.
    Hex,
    /// In hexadecimal with capitals.
    HexUpper,
    /// As a whole word of a text.
    Word,
    /// Part of a vector, as numbers.
    Floats,
    /// Part of a vector, packed.
    Codes,
}

impl Form {
    /// Every form of a text that is long enough.
    pub const OF_WORDS: [Self; 12] = [
        Self::Utf8,
        Self::Nfd,
        Self::Lower,
        Self::Upper,
        Self::Utf16,
        Self::Json,
        Self::Url,
        Self::Base64,
        Self::Base64Second,
        Self::Base64Third,
        Self::Hex,
        Self::HexUpper,
    ];

    /// The name in reports.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::Nfd => "nfd",
            Self::Lower => "lower case",
            Self::Upper => "upper case",
            Self::Utf16 => "utf-16",
            Self::Json => "json",
            Self::Url => "url",
            Self::Base64 => "base64",
            Self::Base64Second => "base64, second byte",
            Self::Base64Third => "base64, third byte",
            Self::Hex => "hex",
            Self::HexUpper => "hex, capitals",
            Self::Word => "word",
            Self::Floats => "vector",
            Self::Codes => "packed vector",
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The byte patterns to search for, each with the first form that has it.
#[derive(Default)]
pub(super) struct Needles {
    /// Searched for in all bytes.
    pub(super) anywhere: BTreeMap<Vec<u8>, Form>,
    /// Searched for as whole words of texts.
    pub(super) words: BTreeMap<Vec<u8>, Form>,
}

impl Needles {
    /// Adds every form of `sought`.
    pub(super) fn add(&mut self, sought: &SearchTarget) -> Result<(), ResidueError> {
        match sought {
            SearchTarget::Words(words) => return self.add_words(words.as_str().trim()),
            SearchTarget::Floats(numbers) => {
                let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
                self.add_windows(&bytes, FLOATS * size_of::<f32>(), Form::Floats);
            }
            SearchTarget::Codes(bytes) => self.add_windows(bytes, CODES, Form::Codes),
        }
        Ok(())
    }

    fn add_words(&mut self, words: &str) -> Result<(), ResidueError> {
        match words.len() {
            0 => return Err(ResidueError::Nothing),
            length if length > MAX_WORDS_BYTES => return Err(ResidueError::TooLong(length)),
            _ if words.chars().count() < SHORT => {
                self.words.extend(spellings(words).map(|(_, spelt)| (spelt.into_bytes(), Form::Word)));
            }
            _ => {
                for (form, bytes) in forms_of(words) {
                    self.anywhere.entry(bytes).or_insert(form);
                }
            }
        }
        Ok(())
    }

    fn add_windows(&mut self, bytes: &[u8], length: usize, form: Form) {
        for window in bytes.chunks_exact(length).filter(|window| is_distinctive(window)) {
            self.anywhere.entry(window.to_vec()).or_insert(form);
        }
    }
}

/// Every form of `words` as bytes. Each spelling is included in each encoding.
pub(super) fn forms_of(words: &str) -> Vec<(Form, Vec<u8>)> {
    let mut forms: Vec<(Form, Vec<u8>)> =
        spellings(words).map(|(form, spelt)| (form, spelt.into_bytes())).collect();
    for (_, spelt) in spellings(words) {
        forms.push((Form::Utf16, spelt.encode_utf16().flat_map(u16::to_le_bytes).collect()));
        forms.extend(json_escaped(&spelt).map(|text| (Form::Json, text.into_bytes())));
        forms.extend(url_encoded(&spelt).map(|text| (Form::Url, text.into_bytes())));
        forms.extend(base64_forms(spelt.as_bytes()));
        forms.push((Form::Hex, hex(spelt.as_bytes()).into_bytes()));
        forms.push((Form::HexUpper, hex(spelt.as_bytes()).to_uppercase().into_bytes()));
    }
    forms
}

/// The spellings of the same text.
fn spellings(words: &str) -> impl Iterator<Item = (Form, String)> {
    let composed: String = words.nfc().collect();
    let (lower, upper) = (composed.to_lowercase(), composed.to_uppercase());
    let (decomposed, titled) = (words.nfd().collect(), titled(&lower));
    let cased = [(Form::Nfd, decomposed), (Form::Lower, lower), (Form::Upper, upper), (Form::Utf8, titled)];
    std::iter::once((Form::Utf8, composed)).chain(cased)
}

/// Every word capitalised, as names are written.
fn titled(lower: &str) -> String {
    let mut begins = true;
    let mut text = String::new();
    for character in lower.chars() {
        if begins {
            text.extend(character.to_uppercase());
        } else {
            text.push(character);
        }
        begins = character.is_whitespace() || character == '-';
    }
    text
}

/// JSON escapes of everything that is not plain ASCII, with lower-case and upper-case digits.
fn json_escaped(words: &str) -> impl Iterator<Item = String> {
    let escaped = |upper: bool| {
        let mut text = String::new();
        for character in words.chars() {
            match character {
                '"' => text.push_str("\\\""),
                '\\' => text.push_str("\\\\"),
                '\n' => text.push_str("\\n"),
                '\t' => text.push_str("\\t"),
                ' '..='~' => text.push(character),
                _ => {
                    for unit in character.encode_utf16(&mut [0; 2]) {
                        let digits = format!("{unit:04x}");
                        text.push_str("\\u");
                        text.push_str(&if upper { digits.to_uppercase() } else { digits });
                    }
                }
            }
        }
        text
    };
    // A writer may also escape only what it must, and leave letters as they are.
    let sparing = words.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\t', "\\t");
    [escaped(false), escaped(true), sparing].into_iter()
}

/// Percent-encoding with lower-case and upper-case digits, and with a plus for a space.
fn url_encoded(words: &str) -> impl Iterator<Item = String> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let encode = |byte: u8| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    let upper: String = words.bytes().map(encode).collect();
    let lower = words.bytes().map(|byte| if plain(byte) { encode(byte) } else { format!("%{byte:02x}") });
    let form = upper.replace("%20", "+");
    [lower.collect(), form, upper].into_iter()
}

/// The base64 digits that depend on `bytes` alone, for each offset in a group where they may begin.
fn base64_forms(bytes: &[u8]) -> impl Iterator<Item = (Form, Vec<u8>)> {
    let forms = [Form::Base64, Form::Base64Second, Form::Base64Third];
    forms.into_iter().enumerate().flat_map(move |(before, form)| {
        let padded = [vec![0; before], bytes.to_vec()].concat();
        let digits = base64_standard(&padded);
        // A digit has six bits: digits shared with a neighbouring byte are left out.
        let (first, end) = ((before * 8).div_ceil(6), padded.len() * 8 / 6);
        let own = digits.get(first..end).unwrap_or_default().to_owned();
        let for_addresses = own.replace('+', "-").replace('/', "_");
        [(form, own.into_bytes()), (form, for_addresses.into_bytes())]
    })
}

fn is_distinctive(window: &[u8]) -> bool {
    let mut seen = [false; 256];
    for byte in window {
        if let Some(slot) = seen.get_mut(usize::from(*byte)) {
            *slot = true;
        }
    }
    seen.iter().filter(|slot| **slot).count() >= MIN_DISTINCT_BYTES
}
