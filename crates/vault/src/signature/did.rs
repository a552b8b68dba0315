//! Public keys as `did:key:z6Mk…`: multicodec `ed25519-pub` (0xed 0x01) in base58btc.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::PublicKey;
use crate::encoding::{from_multibase58, multibase58};

const SCHEME: &str = "did:key:";
const ED25519_PUB: [u8; 2] = [0xed, 0x01];

/// The text is not an Ed25519 `did:key`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not an Ed25519 key of the form did:key:z6Mk…")]
pub struct DidError;

impl PublicKey {
    /// The key as multibase text, `z6Mk…`: the part of the DID after `did:key:`.
    #[must_use]
    pub fn multibase(&self) -> String {
        multibase58(&[&ED25519_PUB, self.as_bytes().as_slice()].concat())
    }

    /// The DID URL that names this key as a verification method, `did:key:z6Mk…#z6Mk…`.
    #[must_use]
    pub fn verification_method(&self) -> String {
        let multibase = self.multibase();
        format!("{SCHEME}{multibase}#{multibase}")
    }

    /// Parses the output of [`Self::verification_method`].
    pub fn from_verification_method(url: &str) -> Result<Self, DidError> {
        let key: Self = url.split_once('#').ok_or(DidError)?.0.parse()?;
        if key.verification_method() == url { Ok(key) } else { Err(DidError) }
    }

    /// Parses the output of [`Self::multibase`].
    pub fn from_multibase(text: &str) -> Result<Self, DidError> {
        let bytes = from_multibase58(text).ok_or(DidError)?;
        let key = bytes.strip_prefix(&ED25519_PUB).and_then(|key| key.try_into().ok());
        key.and_then(Self::from_bytes).ok_or(DidError)
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{SCHEME}{}", self.multibase())
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl FromStr for PublicKey {
    type Err = DidError;

    fn from_str(did: &str) -> Result<Self, DidError> {
        Self::from_multibase(did.strip_prefix(SCHEME).ok_or(DidError)?)
    }
}

impl Serialize for PublicKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for PublicKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::hex;

    #[test]
    fn the_key_of_the_did_key_specification_reads_and_writes() {
        let did = "did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp";
        let key: PublicKey = did.parse().unwrap();
        assert_eq!(hex(key.as_bytes()), "3b6a27bcceb6a42d62a3a8d02a6f0d73653215771de243a63ac048a18b59da29");
        assert_eq!(key.to_string(), did);
        assert_eq!(PublicKey::from_verification_method(&key.verification_method()), Ok(key));
    }

    #[test]
    fn what_is_no_ed25519_key_is_refused() {
        let wrong = [
            "",
            "did:key:",
            "z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp",
            "did:web:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp",
            "did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooW",
            "did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp#z6Mk",
            "did:key:z6LShs9GGnqk85isEBzzshkuVWrVKsRp24GnDuHk8QWkARMW",
            "did:key:zQ3shokFTS3brHcDQrn82RUDfCZESWL1ZdCEJwekUDPQiYBme",
        ];
        for text in wrong {
            assert_eq!(text.parse::<PublicKey>(), Err(DidError), "{text}");
        }
    }

    #[test]
    fn a_method_must_name_the_same_key_twice() {
        let did = "did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp";
        for url in [did.to_owned(), format!("{did}#key-1"), format!("{did}#")] {
            assert_eq!(PublicKey::from_verification_method(&url), Err(DidError), "{url}");
        }
    }
}
