//! The bytes of a keyring file: a header, then frames, each one durable change.
//!
//! Every frame is authenticated together with all frames before it, under a key derived from the tenant's
//! key. So no frame can be changed, dropped or moved, and the only damage a crash can leave is a last frame
//! that was never acknowledged.

use std::collections::BTreeMap;
use std::sync::Arc;

use subtle::ConstantTimeEq;

use super::{KeyRef, WrappedKey};
use crate::hash::hmac_sha256;
use crate::key::{Kek, Secret};

const MAGIC: &[u8] = b"selfhood-keyring\n";
const VERSION: u8 = 1;
const MAC_BYTES: usize = 32;
const SHORT_TAG_BYTES: usize = 16;
const FRAME_HEADER_BYTES: usize = 4 + 8 + SHORT_TAG_BYTES;
const CREATED: u8 = 1;
const DESTROYED: u8 = 2;

/// A run of zeros this long never occurs in valid data; it is a sector that was not written.
const UNWRITTEN: [u8; 32] = [0; 32];

/// The unencrypted header of a keyring file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyringHeader {
    /// The tenant of the keyring.
    pub tenant: String,
    /// The epoch of the key that wraps it.
    pub epoch: u64,
    /// The counter before the first frame of this file.
    pub counter: u64,
}

/// The combined content of all frames of a file.
#[derive(Debug)]
pub(super) struct Contents {
    pub(super) rows: Vec<WrappedKey>,
    pub(super) destroyed: BTreeMap<KeyRef, i64>,
    pub(super) chain: Chain,
    /// The number of bytes in complete frames; a torn frame may follow.
    pub(super) whole: usize,
}

/// Why the bytes are not a keyring.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum FrameError {
    NotAKeyring,
    OtherVersion,
    OtherKey,
    Damaged { offset: usize },
}

/// The state that authenticates the next frame.
#[derive(Debug, Clone)]
pub(super) struct Chain {
    key: Arc<Secret>,
    last: [u8; MAC_BYTES],
    pub(super) counter: u64,
}

impl KeyringHeader {
    /// Reads the header, which needs no key: it names the key that is needed.
    pub(super) fn read(bytes: &[u8]) -> Result<(Self, usize), FrameError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(FrameError::NotAKeyring)?;
        let (version, rest) = rest.split_first().ok_or(FrameError::NotAKeyring)?;
        if *version != VERSION {
            return Err(FrameError::OtherVersion);
        }
        let mut reader = Reader(rest);
        let header = reader.header().ok_or(FrameError::NotAKeyring)?;
        Ok((header, bytes.len() - reader.0.len()))
    }

    /// The header as bytes, and the chain that starts with it.
    pub(super) fn write(&self, kek: &Kek) -> (Vec<u8>, Chain) {
        let length = u16::try_from(self.tenant.len()).unwrap_or(u16::MAX);
        let mut bytes = [MAGIC, &[VERSION], &length.to_be_bytes(), self.tenant.as_bytes()].concat();
        bytes.extend_from_slice(&self.epoch.to_be_bytes());
        bytes.extend_from_slice(&self.counter.to_be_bytes());
        let chain = Chain::start(kek, &bytes, self.counter);
        bytes.extend_from_slice(&chain.last);
        (bytes, chain)
    }
}

impl Chain {
    fn start(kek: &Kek, header: &[u8], counter: u64) -> Self {
        let key = Secret::from_bytes(hmac_sha256(kek.expose(), &[b"selfhood/v1/keyring-mac"]));
        let last = hmac_sha256(key.expose(), &[b"header", header]);
        Self { key: Arc::new(key), last, counter }
    }

    /// The next frame with these records, and the chain after it.
    pub(super) fn frame<'a>(
        &self,
        created: impl Iterator<Item = &'a WrappedKey>,
        destroyed: impl Iterator<Item = (KeyRef, i64)>,
    ) -> (Vec<u8>, Self) {
        let mut body = Vec::new();
        for row in created {
            body.push(CREATED);
            body.extend_from_slice(&row.to_bytes());
        }
        for (key_ref, at) in destroyed {
            body.push(DESTROYED);
            body.extend_from_slice(key_ref.as_bytes());
            body.extend_from_slice(&at.to_be_bytes());
        }
        let counter = self.counter + 1;
        let length = u32::try_from(body.len()).unwrap_or(u32::MAX);
        let start = [length.to_be_bytes().as_slice(), &counter.to_be_bytes()].concat();
        let tag = self.start_tag(&start);
        let last = self.mac(&start, &body);
        ([start.as_slice(), &tag, &body, &last].concat(), Self { key: Arc::clone(&self.key), last, counter })
    }

    fn start_tag(&self, start: &[u8]) -> [u8; SHORT_TAG_BYTES] {
        let tag = hmac_sha256(self.key.expose(), &[b"start", &self.last, start]);
        tag.first_chunk().copied().unwrap_or_default()
    }

    fn mac(&self, start: &[u8], body: &[u8]) -> [u8; MAC_BYTES] {
        hmac_sha256(self.key.expose(), &[b"frame", &self.last, start, body])
    }
}

/// Reads a whole keyring file. A torn last frame is left out and visible in `whole`.
pub(super) fn read(bytes: &[u8], kek: &Kek) -> Result<(KeyringHeader, Contents), FrameError> {
    let (header, length) = KeyringHeader::read(bytes)?;
    let (written, chain) = header.write(kek);
    if header.epoch != kek.epoch() || bytes.get(..length) != Some(written.as_slice()) {
        return Err(FrameError::OtherKey);
    }
    let mut contents = Contents { rows: Vec::new(), destroyed: BTreeMap::new(), chain, whole: length };
    while let Some(rest) = bytes.get(contents.whole..).filter(|rest| !rest.is_empty()) {
        let damaged = FrameError::Damaged { offset: contents.whole };
        match contents.chain.next(rest) {
            Next::Frame { body, chain, length } => {
                contents.take(body, header.epoch).ok_or(damaged)?;
                contents.chain = chain;
                contents.whole += length;
            }
            Next::Torn => break,
            Next::Damaged => return Err(damaged),
        }
    }
    Ok((header, contents))
}

enum Next<'a> {
    Frame { body: &'a [u8], chain: Chain, length: usize },
    Torn,
    Damaged,
}

impl Chain {
    fn next<'a>(&self, rest: &'a [u8]) -> Next<'a> {
        let Some((start, after)) = rest.split_first_chunk::<12>() else { return Next::Torn };
        let Some((tag, after)) = after.split_first_chunk::<SHORT_TAG_BYTES>() else { return Next::Torn };
        if !bool::from(self.start_tag(start).ct_eq(tag)) {
            let is_torn = rest.ends_with(&UNWRITTEN) || rest.iter().all(|byte| *byte == 0);
            return if is_torn { Next::Torn } else { Next::Damaged };
        }
        let mut reader = Reader(start);
        let (Some(length), Some(counter)) = (reader.u32(), reader.u64()) else { return Next::Damaged };
        let body_bytes = usize::try_from(length).unwrap_or(usize::MAX);
        let Some((body, after)) = after.split_at_checked(body_bytes) else { return Next::Torn };
        let Some((mac, after)) = after.split_first_chunk::<MAC_BYTES>() else { return Next::Torn };
        let expected = self.mac(start, body);
        if bool::from(expected.ct_eq(mac)) && counter == self.counter + 1 {
            let chain = Self { key: Arc::clone(&self.key), last: expected, counter };
            return Next::Frame { body, chain, length: FRAME_HEADER_BYTES + body_bytes + MAC_BYTES };
        }
        let is_torn = after.is_empty() && rest.windows(UNWRITTEN.len()).any(|window| window == UNWRITTEN);
        if is_torn { Next::Torn } else { Next::Damaged }
    }
}

impl Contents {
    fn take(&mut self, body: &[u8], epoch: u64) -> Option<()> {
        let mut reader = Reader(body);
        while let Some(kind) = reader.take::<1>() {
            match kind {
                [CREATED] => self.rows.push(WrappedKey::from_bytes(epoch, reader.take()?)?),
                [DESTROYED] => {
                    let key_ref = KeyRef::from_bytes(*reader.take()?);
                    self.destroyed.insert(key_ref, i64::from_be_bytes(*reader.take()?));
                }
                _ => return None,
            }
        }
        Some(())
    }
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take<const N: usize>(&mut self) -> Option<&'a [u8; N]> {
        let (taken, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(taken)
    }

    fn u32(&mut self) -> Option<u32> {
        self.take().map(|bytes| u32::from_be_bytes(*bytes))
    }

    fn u64(&mut self) -> Option<u64> {
        self.take().map(|bytes| u64::from_be_bytes(*bytes))
    }

    fn header(&mut self) -> Option<KeyringHeader> {
        let length = u16::from_be_bytes(*self.take()?);
        let (tenant, rest) = self.0.split_at_checked(usize::from(length))?;
        self.0 = rest;
        let tenant = String::from_utf8(tenant.to_vec()).ok()?;
        let (epoch, counter) = (self.u64()?, self.u64()?);
        self.take::<MAC_BYTES>()?;
        Some(KeyringHeader { tenant, epoch, counter })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keyring::Keyring;
    use crate::randomness::SeededRandomness;

    fn kek() -> Kek {
        Kek::generate(3, &SeededRandomness::new(1)).unwrap()
    }

    /// A file of two frames (one key; two keys and a destroyed one), and where each frame ends.
    fn file() -> (Vec<u8>, [usize; 3]) {
        let randomness = SeededRandomness::new(2);
        let keyring = Keyring::empty("scott", kek());
        let header = KeyringHeader { tenant: "scott".to_owned(), epoch: 3, counter: 7 };
        let (mut bytes, chain) = header.write(&kek());
        let start = bytes.len();
        let change = keyring.create(1, &randomness).unwrap();
        let (frame, chain) = chain.frame(change.created(), std::iter::empty());
        bytes.extend_from_slice(&frame);
        let first = bytes.len();
        let change = keyring.create(2, &randomness).unwrap();
        let (frame, _) = chain.frame(change.created(), [(KeyRef::from_bytes([9; 16]), 5)].into_iter());
        bytes.extend_from_slice(&frame);
        let second = bytes.len();
        (bytes, [start, first, second])
    }

    #[test]
    fn what_is_written_reads_back() {
        let (bytes, [.., end]) = file();
        let (header, contents) = read(&bytes, &kek()).unwrap();
        assert_eq!(header, KeyringHeader { tenant: "scott".to_owned(), epoch: 3, counter: 7 });
        assert_eq!((contents.rows.len(), contents.destroyed.len()), (3, 1));
        assert_eq!((contents.chain.counter, contents.whole), (9, end));
    }

    #[test]
    fn a_file_cut_anywhere_keeps_every_whole_frame() {
        let (bytes, [start, first, second]) = file();
        for length in start..second {
            let (_, contents) = read(&bytes[..length], &kek()).unwrap();
            let whole = if length < first { start } else { first };
            assert_eq!(contents.whole, whole, "{length} bytes");
        }
    }

    #[test]
    fn a_last_frame_whose_sectors_were_not_written_is_torn() {
        let (bytes, [_, first, second]) = file();
        for from in first..second - 32 {
            let mut torn = bytes.clone();
            torn[from..].fill(0);
            assert_eq!(read(&torn, &kek()).unwrap().1.whole, first, "zeros from {from}");
        }
        let mut hole = bytes.clone();
        hole[first + 40..first + 80].fill(0);
        assert_eq!(read(&hole, &kek()).unwrap().1.whole, first);
    }

    #[test]
    fn a_flipped_bit_anywhere_is_damage_and_loses_nothing_silently() {
        let (bytes, [start, ..]) = file();
        for byte in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[byte] ^= 0x10;
            let error = read(&damaged, &kek()).unwrap_err();
            let in_header = byte < start;
            assert_eq!(!in_header, matches!(error, FrameError::Damaged { .. }), "byte {byte}: {error:?}");
        }
    }

    #[test]
    fn frames_dropped_swapped_or_repeated_are_damage() {
        let (bytes, [start, first, second]) = file();
        let (header, one, two) = (&bytes[..start], &bytes[start..first], &bytes[first..second]);
        for wrong in [[header, two].concat(), [header, two, one].concat(), [header, one, one].concat()] {
            assert!(matches!(read(&wrong, &kek()), Err(FrameError::Damaged { .. })));
        }
    }

    #[test]
    fn another_key_does_not_read_the_file() {
        let (bytes, _) = file();
        for other in [
            Kek::generate(3, &SeededRandomness::new(9)).unwrap(),
            Kek::generate(4, &SeededRandomness::new(1)).unwrap(),
        ] {
            assert_eq!(read(&bytes, &other).unwrap_err(), FrameError::OtherKey);
        }
    }
}
