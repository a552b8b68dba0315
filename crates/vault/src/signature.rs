//! Ed25519 keys and signatures: on persona documents, and as proofs on other documents.
//!
//! A public key is written as a `did:key`, which contains the key itself and needs no registry.
//! Verification is always strict: weak keys and malleable signatures are refused.

mod did;
mod persona;
mod proof;

use std::fmt;

use ed25519_dalek::{Signature, Signer as _, VerifyingKey};
use zeroize::Zeroizing;

use crate::canonical::CanonicalError;
use crate::key::Secret;
use crate::randomness::{Randomness, RandomnessError};

pub use did::DidError;
pub use persona::{ContentHash, Verdict, content_hash, sign_persona, verify_persona};
pub use proof::{ProofError, ProofTerms, VerifiedProof, add_proof, verify_proof};

/// The size of an Ed25519 signature.
pub const SIGNATURE_BYTES: usize = 64;

/// Why a document could not be signed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SignError {
    /// Only JSON objects can carry a signature.
    #[error("only a JSON object can be signed")]
    NotAnObject,
    /// The document has no canonical form.
    #[error(transparent)]
    Canonical(#[from] CanonicalError),
    /// The text is not a content hash.
    #[error("not a content hash of the form sha256:… with 64 hex digits")]
    NotAContentHash,
    /// A time lies outside the years 1 to 9999.
    #[error("{0} milliseconds is outside the range of times a proof can contain")]
    Time(i64),
}

/// The public half of a signing key. Printed and stored as `did:key:z6Mk…`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PublicKey(VerifyingKey);

impl PublicKey {
    /// A raw Ed25519 key; `None` if the bytes are not a point or a weak one.
    #[must_use]
    pub fn from_bytes(bytes: &[u8; 32]) -> Option<Self> {
        VerifyingKey::from_bytes(bytes).ok().filter(|key| !key.is_weak()).map(Self)
    }

    /// The raw Ed25519 key.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 32] {
        self.0.as_bytes()
    }

    /// Whether `signature` over `message` was made by the private half.
    #[must_use]
    pub fn verifies(&self, message: &[u8], signature: &[u8]) -> bool {
        Signature::from_slice(signature)
            .is_ok_and(|signature| self.0.verify_strict(message, &signature).is_ok())
    }
}

/// A private signing key. Zeroed when dropped; `Debug` prints only the public half.
pub struct SigningKey(ed25519_dalek::SigningKey);

impl SigningKey {
    /// Generates a new key.
    pub fn generate(randomness: &dyn Randomness) -> Result<Self, RandomnessError> {
        Secret::generate(randomness).map(|seed| Self::from_seed(&seed))
    }

    /// The key that belongs to a 32-byte seed (RFC 8032).
    #[must_use]
    pub fn from_seed(seed: &Secret) -> Self {
        Self(ed25519_dalek::SigningKey::from_bytes(seed.expose()))
    }

    /// The public half.
    #[must_use]
    pub fn public_key(&self) -> PublicKey {
        PublicKey(self.0.verifying_key())
    }

    /// Signs `message`.
    #[must_use]
    pub fn sign(&self, message: &[u8]) -> [u8; SIGNATURE_BYTES] {
        self.0.sign(message).to_bytes()
    }

    /// The seed, for writing the key to its file.
    #[must_use]
    pub fn seed(&self) -> Secret {
        let seed = Zeroizing::new(self.0.to_bytes());
        Secret::from_bytes(*seed)
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "SigningKey({}, …)", self.public_key())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::{from_hex, hex};
    use crate::randomness::SeededRandomness;

    #[test]
    fn the_second_test_of_rfc_8032_holds() {
        let seed = from_hex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb").unwrap();
        let key = SigningKey::from_seed(&Secret::from_bytes(seed));
        assert_eq!(
            hex(key.public_key().as_bytes()),
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"
        );
        assert_eq!(
            hex(&key.sign(&[0x72])),
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da\
             085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        );
    }

    #[test]
    fn a_signature_holds_for_its_message_and_key_only() {
        let randomness = SeededRandomness::new(1);
        let [key, other] = [(); 2].map(|()| SigningKey::generate(&randomness).unwrap());
        let signature = key.sign(b"message");
        assert!(key.public_key().verifies(b"message", &signature));
        assert!(!key.public_key().verifies(b"massage", &signature));
        assert!(!other.public_key().verifies(b"message", &signature));
        assert!(!key.public_key().verifies(b"message", &signature[..63]));
    }

    #[test]
    fn weak_keys_are_no_keys() {
        let mut identity = [0; 32];
        identity[0] = 1;
        assert_eq!(PublicKey::from_bytes(&identity), None);
        assert_eq!(PublicKey::from_bytes(&[0; 32]), None);
    }

    #[test]
    fn a_signing_key_prints_only_its_public_half() {
        let key = SigningKey::from_seed(&Secret::from_bytes([9; 32]));
        assert_eq!(format!("{key:?}"), format!("SigningKey({}, …)", key.public_key()));
        assert_eq!(key.seed().expose(), &[9; 32]);
    }
}
