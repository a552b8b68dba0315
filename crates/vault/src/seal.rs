//! Sealed records: one blob per record, readable only with its data key and only at its address.
//!
//! The blob starts with its format version and a commitment to its key, so that a wrong key is
//! distinguished from damage, and no blob can be made that opens under two keys. The record's identity
//! (tenant, persona, id, kind) is authenticated but not stored: a blob moved to another row does not open.
//! The format is published in `docs/formats/sealing.md`.

use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use crate::aead::{self, NONCE_BYTES, TAG_BYTES};
use crate::hash::length_prefixed;
use crate::key::{Dek, KeyCommitment};
use crate::randomness::{Randomness, RandomnessError, random_bytes};

const VERSION: u8 = 1;
const COMMITMENT_BYTES: usize = 32;

/// The number of bytes by which a sealed blob is longer than its text.
pub const OVERHEAD_BYTES: usize = 1 + COMMITMENT_BYTES + NONCE_BYTES + TAG_BYTES;

/// The identity of a record; a blob sealed for one address opens at no other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Address<'a> {
    /// The tenant that owns the persona.
    pub tenant: &'a str,
    /// The persona's id.
    pub persona: &'a str,
    /// The record's own id.
    pub id: &'a str,
    /// The kind of record.
    pub kind: &'a str,
}

/// Why a record could not be sealed or opened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SealError {
    /// Written by a newer release, or not by this program.
    #[error("sealed format {0} is unknown; a newer release may have written it")]
    UnknownVersion(u8),
    /// Sealed with another key than the one given.
    #[error("sealed with another key")]
    WrongKey,
    /// The bytes or their address differ from what was sealed.
    #[error("damaged, or moved from another address")]
    Damaged,
    /// The text is longer than the cipher allows.
    #[error("too long to be sealed")]
    TooLong,
    /// No random nonce is available.
    #[error(transparent)]
    Randomness(#[from] RandomnessError),
}

/// Seals `plaintext` for `address` under `dek`.
pub fn seal(
    dek: &Dek,
    address: &Address<'_>,
    plaintext: &[u8],
    randomness: &dyn Randomness,
) -> Result<Vec<u8>, SealError> {
    let nonce = random_bytes::<NONCE_BYTES>(randomness)?;
    let ciphertext = aead::encrypt(dek.expose(), &nonce, &address.associated_data(), plaintext)
        .ok_or(SealError::TooLong)?;
    Ok([&[VERSION], dek.commitment().as_slice(), &nonce, &ciphertext].concat())
}

/// Opens the output of [`seal`], if it was made with this key for this address.
pub fn open(dek: &Dek, address: &Address<'_>, blob: &[u8]) -> Result<Zeroizing<Vec<u8>>, SealError> {
    let parts = Parts::of(blob)?;
    let opened = || aead::decrypt(dek.expose(), parts.nonce, &address.associated_data(), parts.ciphertext);
    if dek.commitment().ct_eq(parts.commitment).into() {
        return opened().ok_or(SealError::Damaged);
    }
    // The commitment itself may be damaged: then the rest still opens. The text is not returned in that
    // case; it only decides which of the two errors is correct.
    Err(if opened().is_some() { SealError::Damaged } else { SealError::WrongKey })
}

impl Address<'_> {
    fn associated_data(&self) -> Vec<u8> {
        length_prefixed(&[
            b"v1",
            self.tenant.as_bytes(),
            self.persona.as_bytes(),
            self.id.as_bytes(),
            self.kind.as_bytes(),
        ])
    }
}

struct Parts<'a> {
    commitment: &'a KeyCommitment,
    nonce: &'a [u8; NONCE_BYTES],
    ciphertext: &'a [u8],
}

impl<'a> Parts<'a> {
    fn of(blob: &'a [u8]) -> Result<Self, SealError> {
        let (version, rest) = blob.split_first().ok_or(SealError::Damaged)?;
        if *version != VERSION {
            return Err(SealError::UnknownVersion(*version));
        }
        let (commitment, rest) = rest.split_first_chunk().ok_or(SealError::Damaged)?;
        let (nonce, ciphertext) = rest.split_first_chunk().ok_or(SealError::Damaged)?;
        Ok(Self { commitment, nonce, ciphertext })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::randomness::SeededRandomness;

    const ADDRESS: Address<'static> =
        Address { tenant: "scott", persona: "inara", id: "mem:7f3a8b000001", kind: "atom" };

    fn sealed(plaintext: &[u8]) -> (Dek, Vec<u8>) {
        let randomness = SeededRandomness::new(1);
        let dek = Dek::generate(&randomness).unwrap();
        let blob = seal(&dek, &ADDRESS, plaintext, &randomness).unwrap();
        (dek, blob)
    }

    #[test]
    fn what_is_sealed_opens_and_is_never_the_same_twice() {
        let (dek, blob) = sealed(b"a guest thanked me");
        assert_eq!(open(&dek, &ADDRESS, &blob).unwrap().as_slice(), b"a guest thanked me");
        assert_eq!(blob.len(), 18 + OVERHEAD_BYTES);
        assert_ne!(seal(&dek, &ADDRESS, b"a guest thanked me", &SeededRandomness::new(2)).unwrap(), blob);
    }

    #[test]
    fn a_blob_opens_at_no_other_address() {
        let (dek, blob) = sealed(b"text");
        let elsewhere = [
            Address { tenant: "alice", ..ADDRESS },
            Address { persona: "zoe", ..ADDRESS },
            Address { id: "mem:7f3a8b000002", ..ADDRESS },
            Address { kind: "turn", ..ADDRESS },
            Address { tenant: "scotti", persona: "nara", ..ADDRESS },
        ];
        for address in elsewhere {
            assert_eq!(open(&dek, &address, &blob), Err(SealError::Damaged), "{address:?}");
        }
    }

    #[test]
    fn another_key_is_distinguished_from_damage() {
        let (_, blob) = sealed(b"text");
        let other = Dek::generate(&SeededRandomness::new(9)).unwrap();
        assert_eq!(open(&other, &ADDRESS, &blob), Err(SealError::WrongKey));
    }

    #[test]
    fn every_flipped_bit_and_every_cut_is_noticed_as_damage() {
        let (dek, blob) = sealed(b"text");
        for (byte, bit) in (0..blob.len()).flat_map(|byte| (0..8).map(move |bit| (byte, bit))) {
            let mut damaged = blob.clone();
            damaged[byte] ^= 1 << bit;
            let expected = if byte == 0 { SealError::UnknownVersion(damaged[0]) } else { SealError::Damaged };
            assert_eq!(open(&dek, &ADDRESS, &damaged), Err(expected), "byte {byte} bit {bit}");
        }
        for length in 0..blob.len() {
            assert_eq!(open(&dek, &ADDRESS, &blob[..length]), Err(SealError::Damaged), "{length} bytes");
        }
    }
}
