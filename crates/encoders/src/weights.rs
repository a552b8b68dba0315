//! The weights file: a header, a table of named sections, and the sections, read in place.
//!
//! `model/scripts/weights_file.py` writes it and documents its format byte by byte.

use std::ops::{Deref, Range};
use std::sync::Arc;

use crate::{Encoder, EncoderError};

const MAGIC: &[u8; 8] = b"SLFHDENC";
const LAYOUT: u32 = 1;
const HEADER: usize = 64;

/// Bytes aligned to a cache line, like the sections within them.
#[repr(C, align(64))]
pub(crate) struct Aligned<T: ?Sized>(pub(crate) T);

/// The weights of one encoder: its name, and the position of each section.
pub(crate) struct Weights {
    bytes: Bytes,
    encoder: String,
    sections: Vec<(String, Range<usize>)>,
}

/// One section of the weights. It derefs to its bytes, and keeps them alive.
#[derive(Clone)]
pub(crate) struct Section {
    bytes: Bytes,
    range: Range<usize>,
}

#[derive(Clone)]
enum Bytes {
    BuiltIn(&'static [u8]),
    Opened(Arc<[u8]>),
}

impl Weights {
    /// Weights that are part of the program, of which only the header is read.
    pub(crate) fn built_in(bytes: &'static [u8]) -> Result<Self, EncoderError> {
        Self::parse(Bytes::BuiltIn(bytes))
    }

    /// Weights from a file, every byte of which is checked.
    pub(crate) fn verified(bytes: Vec<u8>) -> Result<Self, EncoderError> {
        let weights = Self::parse(Bytes::Opened(bytes.into()))?;
        weights.verify()?;
        Ok(weights)
    }

    /// Compares the checksum in the header with that of the bytes.
    pub(crate) fn verify(&self) -> Result<(), EncoderError> {
        let written = u32_at(&self.bytes, 24);
        let found = self.bytes.get(HEADER..).map(crc32);
        if written == found { Ok(()) } else { Err(EncoderError::Checksum) }
    }

    fn parse(bytes: Bytes) -> Result<Self, EncoderError> {
        if bytes.len() < HEADER || !bytes.starts_with(MAGIC) {
            return Err(EncoderError::NotWeights);
        }
        let layout = u32_at(&bytes, 8).unwrap_or_default();
        if layout != LAYOUT {
            return Err(EncoderError::Layout { found: layout, expected: LAYOUT });
        }
        let length = u64_at(&bytes, 16).unwrap_or_default();
        if length != bytes.len() as u64 {
            return Err(EncoderError::Length { found: bytes.len(), expected: length });
        }
        let encoder = text_at(&bytes, 28..HEADER);
        let count = u32_at(&bytes, 12).unwrap_or_default();
        let sections = (0..count).map(|number| section_entry(&bytes, number)).collect::<Option<_>>();
        let sections =
            sections.ok_or_else(|| EncoderError::Section { section: "table of sections".to_owned() })?;
        Ok(Self { bytes, encoder, sections })
    }

    /// Refuses weights of another encoder.
    pub(crate) fn check_encoder(&self, encoder: Encoder) -> Result<(), EncoderError> {
        if self.encoder == encoder.name() {
            return Ok(());
        }
        Err(EncoderError::OtherEncoder { found: self.encoder.clone(), expected: encoder.name() })
    }

    /// The section `name`, which must have `length` bytes.
    pub(crate) fn section(&self, name: &str, length: usize) -> Result<Section, EncoderError> {
        let section = self.any_section(name)?;
        if section.len() == length { Ok(section) } else { Err(unusable(name)) }
    }

    /// The section `name`, of any length.
    pub(crate) fn any_section(&self, name: &str) -> Result<Section, EncoderError> {
        let (_, range) =
            self.sections.iter().find(|(found, _)| found == name).ok_or_else(|| unusable(name))?;
        Ok(Section { bytes: self.bytes.clone(), range: range.clone() })
    }
}

impl Section {
    /// The bytes as numbers.
    pub(crate) fn floats(&self) -> impl Iterator<Item = f32> {
        self.as_chunks().0.iter().map(|four| f32::from_le_bytes(*four))
    }

    /// The number at an index.
    pub(crate) fn float(&self, at: usize) -> Option<f32> {
        self.as_chunks().0.get(at).map(|four| f32::from_le_bytes(*four))
    }

    /// The integer at an index.
    pub(crate) fn whole(&self, at: usize) -> Option<u32> {
        self.as_chunks().0.get(at).map(|four| u32::from_le_bytes(*four))
    }
}

impl Deref for Section {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.bytes.get(self.range.clone()).unwrap_or_default()
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::BuiltIn(bytes) => bytes,
            Self::Opened(bytes) => bytes,
        }
    }
}

pub(crate) fn unusable(section: &str) -> EncoderError {
    EncoderError::Section { section: section.to_owned() }
}

/// The entry of a section in the table, if it is within the bytes.
fn section_entry(bytes: &[u8], number: u32) -> Option<(String, Range<usize>)> {
    let at = HEADER + usize::try_from(number).ok()? * 32;
    let start = usize::try_from(u64_at(bytes, at + 16)?).ok()?;
    let end = start.checked_add(usize::try_from(u64_at(bytes, at + 24)?).ok()?)?;
    bytes.get(start..end)?;
    Some((text_at(bytes, at..at + 16), start..end))
}

/// A text padded with zeros.
fn text_at(bytes: &[u8], range: Range<usize>) -> String {
    let padded = String::from_utf8_lossy(bytes.get(range).unwrap_or_default());
    padded.trim_end_matches('\0').to_owned()
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|four| u32::from_le_bytes(*four))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk().map(|eight| u64::from_le_bytes(*eight))
}

/// The CRC-32 of zip files and Ethernet.
fn crc32(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = crc_table();
    let step = |crc: u32, byte: &u8| {
        let [lowest, ..] = (crc ^ u32::from(*byte)).to_le_bytes();
        TABLE.get(usize::from(lowest)).map_or(0, |entry| entry ^ (crc >> 8))
    };
    !bytes.iter().fold(u32::MAX, step)
}

#[expect(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "computed when the program is compiled, for numbers below 256"
)]
const fn crc_table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut number = 0;
    while number < 256 {
        let mut crc = number as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = (crc >> 1) ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 };
            bit += 1;
        }
        table[number] = crc;
        number += 1;
    }
    table
}

#[cfg(test)]
mod tests;
