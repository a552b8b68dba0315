//! SHA-256 and HMAC-SHA-256 in the few forms the crate needs.

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use crate::key::Secret;

/// The size of a SHA-256 digest and of an HMAC-SHA-256 tag.
pub const HASH_BYTES: usize = 32;

/// SHA-256 of the concatenated parts.
#[must_use]
pub fn sha256(parts: &[&[u8]]) -> [u8; HASH_BYTES] {
    parts.iter().fold(Sha256::new(), Digest::chain_update).finalize().into()
}

/// HMAC-SHA-256 of the concatenated parts. Parts of varying length must be prefixed with their length (see
/// [`length_prefixed`]), or two splits of one text would have the same hash.
#[must_use]
pub(crate) fn hmac_sha256(key: &[u8; 32], parts: &[&[u8]]) -> [u8; HASH_BYTES] {
    let mut block = Zeroizing::new([0; 64]);
    block.iter_mut().zip(key).for_each(|(padded, byte)| *padded = *byte);
    let mac = Hmac::<Sha256>::new((&*block).into());
    parts.iter().fold(mac, Mac::chain_update).finalize().into_bytes().into()
}

/// Joins fields so that they can be split in only one way: each is preceded by its length as four bytes,
/// big-endian.
#[must_use]
pub fn length_prefixed(fields: &[&[u8]]) -> Vec<u8> {
    let mut joined = Vec::with_capacity(fields.iter().map(|field| field.len() + 4).sum());
    for field in fields {
        let length = u32::try_from(field.len()).unwrap_or(u32::MAX);
        joined.extend_from_slice(&length.to_be_bytes());
        joined.extend_from_slice(field);
    }
    joined
}

/// Keyed hashes: API keys under the deployment's pepper, session and exchange ids under the tenant's key,
/// sampling decisions. Without the secret nobody can test a guess.
#[derive(Debug)]
pub struct KeyedHash(Secret);

impl KeyedHash {
    /// Hashes under `secret`.
    #[must_use]
    pub fn new(secret: Secret) -> Self {
        Self(secret)
    }

    /// The tag of `fields` for one `purpose`; the same fields have different tags for different purposes.
    #[must_use]
    pub fn tag(&self, purpose: &str, fields: &[&[u8]]) -> [u8; HASH_BYTES] {
        let message = length_prefixed(fields);
        hmac_sha256(self.0.expose(), &[&length_prefixed(&[purpose.as_bytes()]), &message])
    }

    /// Whether `tag` is the tag of `fields`, compared in constant time.
    #[must_use]
    pub fn matches(&self, purpose: &str, fields: &[&[u8]], tag: &[u8]) -> bool {
        self.tag(purpose, fields).ct_eq(tag).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hmac_gives_the_answer_of_rfc_4231() {
        let mut key = [0; 32];
        key[..4].copy_from_slice(b"Jefe");
        let tag = hmac_sha256(&key, &[b"what do ya want ", b"for nothing?"]);
        assert_eq!(
            crate::encoding::hex(&tag),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        );
    }

    #[test]
    fn fields_split_differently_have_different_tags() {
        let hash = KeyedHash::new(Secret::from_bytes([1; 32]));
        let tag = hash.tag("session", &[b"ab", b"c"]);
        assert!(hash.matches("session", &[b"ab", b"c"], &tag));
        assert!(!hash.matches("session", &[b"a", b"bc"], &tag));
        assert!(!hash.matches("exchange", &[b"ab", b"c"], &tag));
        assert!(!hash.matches("session", &[b"ab", b"c"], &tag[..31]));
    }

    #[test]
    fn another_pepper_gives_another_tag() {
        let tag = |byte| KeyedHash::new(Secret::from_bytes([byte; 32])).tag("api-key", &[b"secret"]);
        assert_ne!(tag(1), tag(2));
    }
}
