//! The chunks of a PNG picture: texts are read from it and put into it, the picture itself is passed on as it is.

use std::io::{Read, Write};

use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};

use crate::Broken;

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
const DAMAGED: &str = "download the picture again; programs that convert pictures drop the card in them";
/// The longest text that a chunk may unpack to.
const LONGEST_TEXT: u64 = 32 << 20;

/// A picture as its chunks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Png(Vec<Chunk>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Chunk {
    kind: [u8; 4],
    data: Vec<u8>,
}

impl Png {
    /// Whether `bytes` begin as every PNG does.
    #[must_use]
    pub fn is_png(bytes: &[u8]) -> bool {
        bytes.starts_with(SIGNATURE)
    }

    /// Reads a picture up to its end; what follows is not part of it.
    pub fn read(bytes: &[u8]) -> Result<Self, Broken> {
        let mut rest = bytes.strip_prefix(SIGNATURE).ok_or_else(|| wrong(0, "this is not a PNG picture"))?;
        let mut chunks = Vec::new();
        loop {
            let number = chunks.len() + 1;
            let (chunk, after) = chunk(rest).map_err(|what| wrong(number, what))?;
            let is_end = &chunk.kind == b"IEND";
            chunks.push(chunk);
            rest = after;
            if is_end {
                return Ok(Self(chunks));
            }
        }
    }

    /// A grey picture, for a card without one.
    pub fn blank() -> std::io::Result<Self> {
        let (width, height) = (64_u32, 96_u32);
        let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 0, 0, 0, 0]].concat();
        let row = [vec![0], vec![200; width as usize]].concat();
        let mut pixels = ZlibEncoder::new(Vec::new(), Compression::default());
        for _ in 0..height {
            pixels.write_all(&row)?;
        }
        let chunk = |kind: &[u8; 4], data| Chunk { kind: *kind, data };
        Ok(Self(vec![chunk(b"IHDR", header), chunk(b"IDAT", pixels.finish()?), chunk(b"IEND", Vec::new())]))
    }

    /// The texts in it whose keyword `is_wanted`, in order. Other programs leave texts in a picture too, and whether
    /// those can be read doesn't matter.
    pub fn texts(&self, is_wanted: impl Fn(&str) -> bool) -> Result<Vec<(String, String)>, Broken> {
        let mut texts = Vec::new();
        for (number, chunk) in self.0.iter().enumerate() {
            let keyword = chunk.data.split(|byte| *byte == 0).next().unwrap_or_default();
            if !is_wanted(&String::from_utf8_lossy(keyword)) {
                continue;
            }
            let text = match &chunk.kind {
                b"tEXt" => plain(&chunk.data),
                b"zTXt" => packed(&chunk.data),
                b"iTXt" => international(&chunk.data),
                _ => continue,
            };
            let (keyword, text) = text.ok_or_else(|| wrong(number + 1, "the text in it can't be read"))?;
            let latin = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            texts.push((latin(&keyword), latin(&text)));
        }
        Ok(texts)
    }

    /// The same picture without the texts whose keyword `is_dropped`.
    #[must_use]
    pub fn without_texts(mut self, is_dropped: impl Fn(&str) -> bool) -> Self {
        self.0.retain(|chunk| {
            let is_text = matches!(&chunk.kind, b"tEXt" | b"zTXt" | b"iTXt");
            let keyword = chunk.data.split(|byte| *byte == 0).next().unwrap_or_default();
            !(is_text && is_dropped(&String::from_utf8_lossy(keyword)))
        });
        self
    }

    /// The same picture with one more text, which must be Latin-1.
    #[must_use]
    pub fn with_text(mut self, keyword: &str, text: &str) -> Self {
        let data = [keyword.as_bytes(), &[0], text.as_bytes()].concat();
        let end = self.0.iter().position(|chunk| &chunk.kind == b"IEND").unwrap_or(self.0.len());
        self.0.insert(end, Chunk { kind: *b"tEXt", data });
        self
    }

    /// The picture as bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = SIGNATURE.to_vec();
        for Chunk { kind, data } in &self.0 {
            bytes.extend(u32::try_from(data.len()).unwrap_or(u32::MAX).to_be_bytes());
            bytes.extend(kind);
            bytes.extend(data);
            bytes.extend(checksum(*kind, data).to_be_bytes());
        }
        bytes
    }
}

fn wrong(chunk: usize, what: &str) -> Broken {
    let place = if chunk == 0 { "the picture".to_owned() } else { format!("chunk {chunk} of the picture") };
    Broken::at(place, what, DAMAGED)
}

fn chunk(bytes: &[u8]) -> Result<(Chunk, &[u8]), &'static str> {
    let early = "the picture ends too early";
    let (length, rest) = bytes.split_first_chunk::<4>().ok_or(early)?;
    let (kind, rest) = rest.split_first_chunk::<4>().ok_or(early)?;
    let (data, rest) = rest.split_at_checked(u32::from_be_bytes(*length) as usize).ok_or(early)?;
    let (sum, rest) = rest.split_first_chunk::<4>().ok_or(early)?;
    if u32::from_be_bytes(*sum) != checksum(*kind, data) {
        return Err("its checksum is wrong");
    }
    Ok((Chunk { kind: *kind, data: data.to_vec() }, rest))
}

fn checksum(kind: [u8; 4], data: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(&kind);
    crc.update(data);
    crc.sum()
}

type KeyedText = (Vec<u8>, Vec<u8>);

fn plain(data: &[u8]) -> Option<KeyedText> {
    let (keyword, text) = at_zero(data)?;
    Some((keyword.to_vec(), text.to_vec()))
}

fn packed(data: &[u8]) -> Option<KeyedText> {
    let (keyword, rest) = at_zero(data)?;
    let (method, text) = rest.split_first()?;
    (*method == 0).then(|| Some((keyword.to_vec(), unpacked(text)?)))?
}

fn international(data: &[u8]) -> Option<KeyedText> {
    let (keyword, rest) = at_zero(data)?;
    let ([is_packed, _method], rest) = rest.split_first_chunk::<2>()?;
    let (_language, rest) = at_zero(rest)?;
    let (_translated, text) = at_zero(rest)?;
    let text = if *is_packed == 1 { unpacked(text)? } else { text.to_vec() };
    Some((keyword.to_vec(), text))
}

fn at_zero(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = bytes.iter().position(|byte| *byte == 0)?;
    Some((bytes.get(..at)?, bytes.get(at + 1..)?))
}

fn unpacked(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    ZlibDecoder::new(bytes).take(LONGEST_TEXT + 1).read_to_end(&mut text).ok()?;
    (text.len() as u64 <= LONGEST_TEXT).then_some(text)
}
