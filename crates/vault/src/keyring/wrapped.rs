//! Stored data keys: wrapped by the tenant's key of one epoch, under a random reference.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::KeyringError;
use crate::aead::{self, NONCE_BYTES, TAG_BYTES};
use crate::encoding::{from_hex, hex};
use crate::hash::length_prefixed;
use crate::key::{Dek, KEY_BYTES, Kek, Secret};
use crate::randomness::{Randomness, RandomnessError, random_bytes};

const KEY_REF_BYTES: usize = 16;
const CIPHERTEXT_BYTES: usize = KEY_BYTES + TAG_BYTES;

/// The reference of a data key: 16 random bytes, so that it reveals nothing about its owner. Printed and
/// stored as 32 hex digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KeyRef([u8; KEY_REF_BYTES]);

/// A data key wrapped by the key of `epoch`: one row of the keyring, in a file or in a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrappedKey {
    /// The reference of the key.
    pub key_ref: KeyRef,
    /// The epoch of the key that wraps it.
    pub epoch: u64,
    nonce: [u8; NONCE_BYTES],
    ciphertext: [u8; CIPHERTEXT_BYTES],
}

impl KeyRef {
    /// Generates a new reference.
    pub fn generate(randomness: &dyn Randomness) -> Result<Self, RandomnessError> {
        random_bytes(randomness).map(Self)
    }

    /// The reference with these bytes.
    #[must_use]
    pub fn from_bytes(bytes: [u8; KEY_REF_BYTES]) -> Self {
        Self(bytes)
    }

    /// The bytes of the reference.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; KEY_REF_BYTES] {
        &self.0
    }
}

impl WrappedKey {
    /// The number of bytes [`Self::to_bytes`] writes.
    pub const BYTES: usize = KEY_REF_BYTES + NONCE_BYTES + CIPHERTEXT_BYTES;

    /// Wraps `dek` for `tenant` under `kek`.
    pub fn wrap(
        kek: &Kek,
        tenant: &str,
        key_ref: KeyRef,
        dek: &Dek,
        randomness: &dyn Randomness,
    ) -> Result<Self, KeyringError> {
        let (epoch, nonce) = (kek.epoch(), random_bytes(randomness)?);
        let aad = associated_data(tenant, key_ref, epoch);
        let ciphertext = aead::encrypt(kek.expose(), &nonce, &aad, dek.expose())
            .and_then(|ciphertext| ciphertext.try_into().ok())
            .ok_or(KeyringError::DamagedKey { key_ref, epoch })?;
        Ok(Self { key_ref, epoch, nonce, ciphertext })
    }

    /// Unwraps the data key; only the tenant's key of the same epoch can.
    pub fn unwrap(&self, kek: &Kek, tenant: &str) -> Result<Dek, KeyringError> {
        let aad = associated_data(tenant, self.key_ref, self.epoch);
        aead::decrypt(kek.expose(), &self.nonce, &aad, &self.ciphertext)
            .and_then(|bytes| bytes.as_slice().try_into().ok())
            .map(|bytes| Dek::new(Secret::from_bytes(bytes)))
            .ok_or(KeyringError::DamagedKey { key_ref: self.key_ref, epoch: self.epoch })
    }

    /// The row as bytes, without its epoch: reference, nonce, ciphertext.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        let parts = self.key_ref.0.iter().chain(&self.nonce).chain(&self.ciphertext);
        bytes.iter_mut().zip(parts).for_each(|(byte, part)| *byte = *part);
        bytes
    }

    /// Parses the output of [`Self::to_bytes`].
    #[must_use]
    pub fn from_bytes(epoch: u64, bytes: &[u8; Self::BYTES]) -> Option<Self> {
        let (key_ref, rest) = bytes.split_first_chunk()?;
        let (nonce, ciphertext) = rest.split_first_chunk()?;
        let ciphertext = ciphertext.try_into().ok()?;
        Some(Self { key_ref: KeyRef(*key_ref), epoch, nonce: *nonce, ciphertext })
    }
}

fn associated_data(tenant: &str, key_ref: KeyRef, epoch: u64) -> Vec<u8> {
    length_prefixed(&[tenant.as_bytes(), &key_ref.0, &epoch.to_be_bytes()])
}

impl fmt::Display for KeyRef {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&hex(&self.0))
    }
}

impl fmt::Debug for KeyRef {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl FromStr for KeyRef {
    type Err = KeyringError;

    fn from_str(text: &str) -> Result<Self, KeyringError> {
        from_hex(text).map(Self).ok_or(KeyringError::NotAKeyRef)
    }
}

impl Serialize for KeyRef {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for KeyRef {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::randomness::SeededRandomness;

    #[test]
    fn a_wrapped_key_opens_only_for_its_tenant_name_and_epoch() {
        let randomness = SeededRandomness::new(1);
        let kek = Kek::generate(1, &randomness).unwrap();
        let dek = Dek::generate(&randomness).unwrap();
        let key_ref = KeyRef::generate(&randomness).unwrap();
        let wrapped = WrappedKey::wrap(&kek, "scott", key_ref, &dek, &randomness).unwrap();
        let read = WrappedKey::from_bytes(1, &wrapped.to_bytes()).unwrap();
        assert!(read.unwrap(&kek, "scott").unwrap() == dek);

        let renamed = WrappedKey { key_ref: KeyRef([0; 16]), ..wrapped.clone() };
        let moved = WrappedKey { epoch: 2, ..wrapped.clone() };
        let other = Kek::generate(1, &randomness).unwrap();
        for (row, kek, tenant) in [
            (&wrapped, &kek, "alice"),
            (&renamed, &kek, "scott"),
            (&moved, &kek, "scott"),
            (&wrapped, &other, "scott"),
        ] {
            assert!(matches!(row.unwrap(kek, tenant), Err(KeyringError::DamagedKey { .. })));
        }
    }

    #[test]
    fn a_name_reads_as_it_is_written() {
        let key_ref = KeyRef::generate(&SeededRandomness::new(1)).unwrap();
        assert_eq!(key_ref.to_string().parse::<KeyRef>().unwrap(), key_ref);
        assert!("scott".parse::<KeyRef>().is_err());
    }
}
