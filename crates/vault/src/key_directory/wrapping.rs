//! Passphrase protection of key files: the passphrase wraps the key, and is not the key itself.
//!
//! So a weak passphrase does not weaken the sealed data, and the passphrase can be changed without
//! re-sealing anything.

use std::fmt;

use argon2::{Algorithm, Argon2, Params, Version};
use zeroize::Zeroizing;

use crate::aead::{self, NONCE_BYTES, Nonce};
use crate::encoding::{base64url, from_base64url};
use crate::key::{KEY_BYTES, Secret};
use crate::randomness::{Randomness, RandomnessError, random_bytes};

const SALT_BYTES: usize = 16;
const MEMORY_KIB: u32 = 65_536;
const PASSES: u32 = 3;
const LANES: u32 = 1;
/// A file with a higher memory cost is refused before memory is allocated.
const MOST_MEMORY_KIB: u32 = 1 << 20;
const MOST_PASSES: u32 = 64;

/// The passphrase of wrapped key files: typed by a person, or read from the environment by the caller.
/// Zeroed when dropped, never printed.
#[derive(Clone)]
pub struct Passphrase(Zeroizing<String>);

impl Passphrase {
    /// A passphrase with this text.
    #[must_use]
    pub fn new(text: String) -> Self {
        Self(Zeroizing::new(text))
    }
}

impl fmt::Debug for Passphrase {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Passphrase(…)")
    }
}

/// The parameters that derive a wrapping key from a passphrase: the text after `wrapping:` in the file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Derivation {
    memory_kib: u32,
    passes: u32,
    lanes: u32,
    salt: [u8; SALT_BYTES],
}

impl Derivation {
    pub(crate) fn new(randomness: &dyn Randomness) -> Result<Self, RandomnessError> {
        let salt = random_bytes(randomness)?;
        Ok(Self { memory_kib: MEMORY_KIB, passes: PASSES, lanes: LANES, salt })
    }

    /// Parses the output of `Display`; `None` for anything else, and for costs out of bounds.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let mut words = text.strip_prefix("argon2id ")?.split(' ');
        let mut value = |name: &str| words.next()?.strip_prefix(name)?.strip_prefix('=');
        let derivation = Self {
            memory_kib: value("m")?.parse().ok()?,
            passes: value("t")?.parse().ok()?,
            lanes: value("p")?.parse().ok()?,
            salt: from_base64url(value("salt")?)?.try_into().ok()?,
        };
        let affordable = derivation.memory_kib <= MOST_MEMORY_KIB && derivation.passes <= MOST_PASSES;
        (affordable && derivation.to_string() == text).then_some(derivation)
    }

    pub(crate) fn derive(&self, passphrase: &Passphrase) -> Option<Secret> {
        let params = Params::new(self.memory_kib, self.passes, self.lanes, Some(KEY_BYTES)).ok()?;
        let mut key = Zeroizing::new([0; KEY_BYTES]);
        Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
            .hash_password_into(passphrase.0.as_bytes(), &self.salt, key.as_mut())
            .ok()?;
        Some(Secret::from_bytes(*key))
    }

    /// Nonce and ciphertext of `secret`; `None` only if the machine lacks the memory.
    pub(super) fn wrap(
        &self,
        passphrase: &Passphrase,
        aad: &[u8],
        secret: &Secret,
        nonce: &Nonce,
    ) -> Option<Vec<u8>> {
        let key = self.derive(passphrase)?;
        let ciphertext = aead::encrypt(key.expose(), nonce, aad, secret.expose())?;
        Some([nonce.as_slice(), &ciphertext].concat())
    }

    /// The secret, if the passphrase is right.
    pub(super) fn unwrap(&self, passphrase: &Passphrase, aad: &[u8], wrapped: &[u8]) -> Option<Secret> {
        let key = self.derive(passphrase)?;
        let (nonce, ciphertext) = wrapped.split_first_chunk::<NONCE_BYTES>()?;
        let bytes = aead::decrypt(key.expose(), nonce, aad, ciphertext)?;
        bytes.as_slice().try_into().ok().map(Secret::from_bytes)
    }
}

impl fmt::Display for Derivation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { memory_kib, passes, lanes, salt } = self;
        write!(formatter, "argon2id m={memory_kib} t={passes} p={lanes} salt={}", base64url(salt))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_derivation_reads_as_it_is_written_and_within_bounds() {
        let salt = base64url(&[7; 16]);
        let text = format!("argon2id m=65536 t=3 p=1 salt={salt}");
        assert_eq!(Derivation::read(&text).unwrap().to_string(), text);
        for wrong in [
            "none".to_owned(),
            format!("argon2id m=4000000 t=3 p=1 salt={salt}"),
            format!("argon2id m=65536 t=65 p=1 salt={salt}"),
            format!("argon2id m=65536 t=3 p=1 salt={salt} x=1"),
            format!("argon2id m=+65536 t=3 p=1 salt={salt}"),
            "argon2id m=65536 t=3 p=1 salt=AA".to_owned(),
        ] {
            assert_eq!(Derivation::read(&wrong), None, "{wrong}");
        }
    }

    #[test]
    fn only_the_passphrase_unwraps() {
        let derivation = Derivation { memory_kib: 64, passes: 1, lanes: 1, salt: [1; 16] };
        let (right, wrong) = (Passphrase::new("firefly".into()), Passphrase::new("serenity".into()));
        let secret = Secret::from_bytes([5; 32]);
        let wrapped = derivation.wrap(&right, b"kek scott 1", &secret, &[2; 24]).unwrap();
        assert_eq!(derivation.unwrap(&right, b"kek scott 1", &wrapped), Some(secret));
        assert_eq!(derivation.unwrap(&wrong, b"kek scott 1", &wrapped), None);
        assert_eq!(derivation.unwrap(&right, b"kek scott 2", &wrapped), None);
        assert_eq!(format!("{right:?}"), "Passphrase(…)");
    }
}
