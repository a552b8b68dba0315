//! The sentence vectors of one record: the output of the sentence encoders for its texts, one byte a
//! dimension.
//!
//! The gist of a memory is encoded by both encoders. Details and cues are many, so each is encoded once, by
//! the better encoder for its language. Encoding takes milliseconds a text, so vectors are made after a
//! record was written and stored next to it; a fingerprint of the texts shows whether they are still
//! current.

use domain::{Atom, MemoryType, TimelineEntry};
pub use encoders::{Encoder, Encoders};
use serde::{Deserialize, Serialize};

use crate::embed::nearest_code;
use crate::language::{is_english, language_of};

/// The encoders that made the vectors; vectors of other encoders are not compared and are made again.
pub const MAKER: &str = "minilm-recall.1 use-recall.1";

/// The vectors of a record's texts.
#[derive(Clone, PartialEq)]
pub struct SentenceVectors {
    fingerprint: u64,
    vectors: Vec<SentenceVector>,
}

/// The vector of one text of a record by one encoder.
#[derive(Clone, PartialEq)]
pub struct SentenceVector {
    /// Which of the record's texts it is.
    pub part: Part,
    /// The encoder.
    pub encoder: Encoder,
    /// The value of one step of a code.
    pub step: f32,
    /// One code a dimension, never −128.
    pub codes: Box<[i8]>,
}

/// One of the texts of a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Part {
    /// The main sentence of the record: a gist, or the label of an event.
    #[default]
    Gist,
    /// The detail with this number; of an event, its facts, its feelings and its interpretation.
    Detail(u8),
    /// The cue with this number.
    Cue(u8),
}

impl SentenceVectors {
    /// Encodes the texts of `atom`; `language` is the persona's, used if the atom neither names nor shows
    /// another.
    #[must_use]
    pub fn of_atom(atom: &Atom, language: &str, encoders: &Encoders) -> Self {
        let language = match &atom.language {
            Some(language) => language,
            None => language_of(atom.gist.as_str(), language),
        };
        Self::of_texts(&atom_texts(atom), language, encoders)
    }

    /// Encodes the texts of `entry`, which are in `language`.
    #[must_use]
    pub fn of_entry(entry: &TimelineEntry, language: &str, encoders: &Encoders) -> Self {
        Self::of_texts(&entry_texts(entry), language, encoders)
    }

    /// Whether the vectors were made from the current texts of `atom`.
    #[must_use]
    pub fn are_of_atom(&self, atom: &Atom) -> bool {
        self.fingerprint == fingerprint(&atom_texts(atom))
    }

    /// Whether the vectors were made from the current texts of `entry`.
    #[must_use]
    pub fn are_of_entry(&self, entry: &TimelineEntry) -> bool {
        self.fingerprint == fingerprint(&entry_texts(entry))
    }

    /// The vectors, in the order of the texts.
    #[must_use]
    pub fn vectors(&self) -> &[SentenceVector] {
        &self.vectors
    }

    /// The bytes to store, which [`Self::from_bytes`] reads.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![FORMAT];
        bytes.extend(self.fingerprint.to_le_bytes());
        for vector in &self.vectors {
            let (kind, number) = vector.part.to_bytes();
            bytes.extend([kind, number, encoder_number(vector.encoder)]);
            bytes.extend(vector.step.to_le_bytes());
            bytes.extend(vector.codes.iter().map(|code| code.cast_unsigned()));
        }
        bytes
    }

    /// Parses stored bytes; `None` if they are damaged or in another format.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (format, rest) = bytes.split_first()?;
        let (fingerprint, mut rest) = rest.split_first_chunk()?;
        let mut vectors = Vec::new();
        while let Some((head, after)) = rest.split_first_chunk::<3>() {
            let [kind, number, encoder] = *head;
            let encoder = encoder_numbered(encoder)?;
            let (step, after) = after.split_first_chunk()?;
            let (codes, after) = after.split_at_checked(encoder.dimensions())?;
            let codes = codes.iter().map(|code| code.cast_signed().max(-i8::MAX)).collect();
            let (part, step) = (Part::from_bytes(kind, number)?, f32::from_le_bytes(*step));
            vectors.push(SentenceVector { part, encoder, step, codes });
            rest = after;
        }
        let is_whole = *format == FORMAT && rest.is_empty();
        is_whole.then_some(Self { fingerprint: u64::from_le_bytes(*fingerprint), vectors })
    }

    fn of_texts(texts: &[(Part, &str)], language: &str, encoders: &Encoders) -> Self {
        let mut vectors = Vec::new();
        for (part, text) in texts {
            for encoder in encoders_of(*part, language) {
                let (codes, step) = quantised(&encoders.encode(*encoder, text));
                vectors.push(SentenceVector { part: *part, encoder: *encoder, step, codes });
            }
        }
        Self { fingerprint: fingerprint(texts), vectors }
    }
}

impl std::fmt::Debug for SentenceVectors {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Text can be recovered from vectors, so they are never printed.
        write!(f, "SentenceVectors({} of them)", self.vectors.len())
    }
}

/// Packs each number into a byte, and returns the value of one step of a byte.
#[must_use]
pub fn quantised(numbers: &[f32]) -> (Box<[i8]>, f32) {
    let largest = numbers.iter().fold(0.0_f32, |most, number| most.max(number.abs()));
    let steps = if largest > 0.0 { 127.0 / largest } else { 0.0 };
    (numbers.iter().map(|number| nearest_code(number * steps)).collect(), largest / 127.0)
}

const FORMAT: u8 = 1;

const BOTH: &[Encoder] = &[Encoder::MiniLmRecall, Encoder::UseRecall];
const MINILM: &[Encoder] = &[Encoder::MiniLmRecall];
const USE: &[Encoder] = &[Encoder::UseRecall];

fn encoders_of(part: Part, language: &str) -> &'static [Encoder] {
    match part {
        Part::Gist => BOTH,
        Part::Detail(_) | Part::Cue(_) if is_english(language) => MINILM,
        Part::Detail(_) | Part::Cue(_) => USE,
    }
}

fn atom_texts(atom: &Atom) -> Vec<(Part, &str)> {
    let details = atom.details.iter().map(|detail| detail.content.as_str());
    let details = (0..=u8::MAX).map(Part::Detail).zip(details);
    let cues = (0..=u8::MAX).map(Part::Cue).zip(atom.cues.iter().map(domain::Text::as_str));
    std::iter::once((Part::Gist, atom.gist.as_str())).chain(details).chain(cues).collect()
}

fn entry_texts(entry: &TimelineEntry) -> Vec<(Part, &str)> {
    let event = &entry.event;
    let details = [&event.facts, &event.feelings, &event.interpretation].map(domain::Text::as_str);
    let details = (0..=u8::MAX).map(Part::Detail).zip(details.into_iter().chain(attitude(event.memory_type)));
    let cues = (0..=u8::MAX).map(Part::Cue).zip(event.cues());
    std::iter::once((Part::Gist, event.event_label.as_str())).chain(details).chain(cues).collect()
}

/// A phrase for events of this type, so that "What are you proud of?" finds one.
fn attitude(memory_type: MemoryType) -> Option<&'static str> {
    match memory_type {
        MemoryType::Pride => Some("something I am proud of"),
        MemoryType::Shame => Some("something I am ashamed of and regret"),
        MemoryType::Normal | MemoryType::Repressed | MemoryType::Revised | MemoryType::Exaggerated => None,
    }
}

fn fingerprint(texts: &[(Part, &str)]) -> u64 {
    let bytes = texts.iter().flat_map(|(part, text)| {
        let (kind, number) = part.to_bytes();
        [kind, number].into_iter().chain(text.bytes()).chain([0])
    });
    crate::words::hash(bytes)
}

impl Part {
    const fn to_bytes(self) -> (u8, u8) {
        match self {
            Self::Gist => (0, 0),
            Self::Detail(number) => (1, number),
            Self::Cue(number) => (2, number),
        }
    }

    const fn from_bytes(kind: u8, number: u8) -> Option<Self> {
        match kind {
            0 => Some(Self::Gist),
            1 => Some(Self::Detail(number)),
            2 => Some(Self::Cue(number)),
            _ => None,
        }
    }
}

const fn encoder_number(encoder: Encoder) -> u8 {
    match encoder {
        Encoder::MiniLm => 0,
        Encoder::UseMultilingual => 1,
        Encoder::UseRecall => 2,
        Encoder::MiniLmRecall => 3,
    }
}

const fn encoder_numbered(number: u8) -> Option<Encoder> {
    match number {
        0 => Some(Encoder::MiniLm),
        1 => Some(Encoder::UseMultilingual),
        2 => Some(Encoder::UseRecall),
        3 => Some(Encoder::MiniLmRecall),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use domain::example;

    use super::*;

    fn encoded(language: &str) -> (Atom, SentenceVectors) {
        let mut atom = example::guest_atom();
        atom.language = Some(language.to_owned());
        atom.cues = vec!["dinner tonight".into()];
        let encoders = Encoders::built_in().unwrap();
        let vectors = SentenceVectors::of_atom(&atom, language, &encoders);
        (atom, vectors)
    }

    #[test]
    fn the_gist_is_encoded_twice_and_every_other_text_once_by_the_encoder_of_its_language() {
        for (language, other) in
            [("en", Encoder::MiniLmRecall), ("en-GB", Encoder::MiniLmRecall), ("de", Encoder::UseRecall)]
        {
            let (atom, vectors) = encoded(language);
            let parts = vectors.vectors();
            assert_eq!(parts.len(), 2 + atom.details.len() + 1);
            assert!(parts.iter().skip(2).all(|vector| vector.encoder == other), "{language}");
        }
    }

    #[test]
    fn kept_bytes_read_as_they_were_written_and_damaged_ones_are_refused() {
        let (_, vectors) = encoded("en");
        let bytes = vectors.to_bytes();
        assert!(SentenceVectors::from_bytes(&bytes) == Some(vectors));
        assert!(SentenceVectors::from_bytes(&bytes[..bytes.len() - 1]).is_none());
        assert!(SentenceVectors::from_bytes(&[&[9], &bytes[1..]].concat()).is_none());
        assert!(SentenceVectors::from_bytes(&[]).is_none());
    }

    #[test]
    fn vectors_belong_to_the_texts_they_were_made_from() {
        let (mut atom, vectors) = encoded("en");
        assert!(vectors.are_of_atom(&atom));
        atom.cues.clear();
        assert!(!vectors.are_of_atom(&atom));
    }
}
