//! The opening of a subject's hash, which only the requester has.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::SubjectHash;
use crate::audit::commitment;
use crate::canonical::CanonicalError;
use crate::encoding::{from_hex, hex};
use crate::key::Secret;
use crate::randomness::{Randomness, RandomnessError};

/// The salt, and the identifiers it hides. Given to the requester, and stored nowhere.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opening {
    salt: String,
    subject: String,
    identifiers: Vec<String>,
}

impl Opening {
    /// Draws a salt for `subject` and all its identifiers.
    pub fn draw(
        subject: &str,
        identifiers: &[String],
        randomness: &dyn Randomness,
    ) -> Result<Self, RandomnessError> {
        let salt = hex(Secret::generate(randomness)?.expose());
        let mut identifiers = identifiers.to_vec();
        identifiers.sort_unstable();
        identifiers.dedup();
        Ok(Self { salt, subject: subject.to_owned(), identifiers })
    }

    /// The hash in the certificate.
    pub fn hash(&self) -> Result<SubjectHash, CanonicalError> {
        // An invalid salt can't open anything; its hash differs from that of every salt we draw.
        let salt = Secret::from_bytes(from_hex(&self.salt).unwrap_or_default());
        let named = json!({ "identifiers": self.identifiers, "subject": self.subject });
        Ok(SubjectHash { hash: hex(&commitment(&salt, &named)?) })
    }

    /// The reference of the subject.
    #[must_use]
    pub fn subject(&self) -> &str {
        &self.subject
    }
}

impl std::fmt::Debug for Opening {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Opening({} identifiers)", self.identifiers.len())
    }
}

/// The requester's copy: the signed certificate, together with the opening of the subject's hash.
#[must_use]
pub fn requesters_copy(certificate: &Value, opening: &Opening) -> Value {
    json!({ "certificate": certificate, "opening": opening })
}
