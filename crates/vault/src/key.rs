//! Secret keys: 32 random bytes that are zeroed when dropped and never printed.
//!
//! Each kind of key has its own type, so that a wrapping key can't seal and a sealing key can't wrap.

use std::fmt;

use subtle::ConstantTimeEq;
use zeroize::{Zeroize, ZeroizeOnDrop};

use crate::hash::hmac_sha256;
use crate::randomness::{Randomness, RandomnessError};

/// The size of every symmetric key.
pub const KEY_BYTES: usize = 32;

const DEK_COMMITMENT: &[u8] = b"selfhood/v1/dek-commitment";

/// A public value that identifies one key and reveals nothing about it.
pub type KeyCommitment = [u8; 32];

/// 32 secret bytes. `Debug` prints none of them; they are zeroed when dropped.
#[derive(Zeroize, ZeroizeOnDrop)]
pub struct Secret([u8; KEY_BYTES]);

impl Secret {
    /// A secret with bytes from a key file or a wrapped key.
    #[must_use]
    pub fn from_bytes(bytes: [u8; KEY_BYTES]) -> Self {
        Self(bytes)
    }

    /// Generates a new secret.
    pub fn generate(randomness: &dyn Randomness) -> Result<Self, RandomnessError> {
        let mut secret = Self([0; KEY_BYTES]);
        randomness.fill(&mut secret.0)?;
        Ok(secret)
    }

    /// The bytes, for a cryptographic primitive.
    #[must_use]
    pub fn expose(&self) -> &[u8; KEY_BYTES] {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret(…)")
    }
}

impl PartialEq for Secret {
    fn eq(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl Eq for Secret {}

/// A data key: seals the records of one person with one persona (or of one month).
#[derive(PartialEq, Eq)]
pub struct Dek {
    secret: Secret,
    commitment: KeyCommitment,
}

impl Dek {
    /// A data key with existing bytes.
    #[must_use]
    pub fn new(secret: Secret) -> Self {
        let commitment = hmac_sha256(secret.expose(), &[DEK_COMMITMENT]);
        Self { secret, commitment }
    }

    /// Generates a new data key.
    pub fn generate(randomness: &dyn Randomness) -> Result<Self, RandomnessError> {
        Secret::generate(randomness).map(Self::new)
    }

    /// The prefix of every record sealed with this key, so that no other key opens it.
    #[must_use]
    pub fn commitment(&self) -> &KeyCommitment {
        &self.commitment
    }

    pub(crate) fn expose(&self) -> &[u8; KEY_BYTES] {
        self.secret.expose()
    }
}

impl fmt::Debug for Dek {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Dek(…)")
    }
}

/// A key-encryption key: wraps the data keys of one tenant during one epoch.
#[derive(PartialEq, Eq)]
pub struct Kek {
    secret: Secret,
    epoch: u64,
}

impl Kek {
    /// The wrapping key of `epoch` with existing bytes.
    #[must_use]
    pub fn new(epoch: u64, secret: Secret) -> Self {
        Self { secret, epoch }
    }

    /// Generates a new wrapping key for `epoch`.
    pub fn generate(epoch: u64, randomness: &dyn Randomness) -> Result<Self, RandomnessError> {
        Secret::generate(randomness).map(|secret| Self::new(epoch, secret))
    }

    /// The epoch this key belongs to.
    #[must_use]
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    pub(crate) fn expose(&self) -> &[u8; KEY_BYTES] {
        self.secret.expose()
    }
}

impl fmt::Debug for Kek {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Kek(epoch {}, …)", self.epoch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::randomness::SeededRandomness;

    #[test]
    fn no_key_prints_its_bytes() {
        let printed = format!(
            "{:?} {:?} {:?}",
            Secret::from_bytes([7; 32]),
            Dek::new(Secret::from_bytes([7; 32])),
            Kek::new(3, Secret::from_bytes([7; 32]))
        );
        assert_eq!(printed, "Secret(…) Dek(…) Kek(epoch 3, …)");
    }

    #[test]
    fn a_commitment_follows_the_key() {
        let randomness = SeededRandomness::new(1);
        let [one, other] = [(); 2].map(|()| Dek::generate(&randomness).unwrap());
        assert_ne!(one.commitment(), other.commitment());
        assert_eq!(one.commitment(), Dek::new(Secret::from_bytes(*one.expose())).commitment());
    }
}
