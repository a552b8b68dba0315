//! Tokens signed with a secret shared with another program: JSON Web Tokens with HMAC-SHA-256 (`HS256` of
//! RFC 7518), and no other kind.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use serde::Deserialize;
use sha2::Sha256;
use zeroize::Zeroizing;

use crate::encoding::from_base64url;

/// The maximum length of a token.
const LONGEST: usize = 8192;

/// A secret that another program signs with.
#[derive(Clone)]
pub struct SharedSecret(Zeroizing<Vec<u8>>);

/// Why a token is not valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// It is not three parts of base64url, the first of which is a header.
    #[error("is not a JSON Web Token")]
    Malformed,
    /// Its header names another algorithm, for example `none`.
    #[error("is not signed with HS256")]
    OtherAlgorithm,
    /// It was signed with another secret, or changed.
    #[error("has an invalid signature")]
    Forged,
}

#[derive(Deserialize)]
struct Header {
    alg: String,
}

impl SharedSecret {
    /// A secret of any length.
    #[must_use]
    pub fn new(secret: impl Into<Vec<u8>>) -> Self {
        Self(Zeroizing::new(secret.into()))
    }

    /// The payload of `token`, if it was signed with this secret. The caller must check its expiry, because
    /// it knows the time.
    pub fn verify(&self, token: &str) -> Result<Vec<u8>, TokenError> {
        let (signed, signature) =
            token.rsplit_once('.').filter(|_| token.len() <= LONGEST).ok_or(TokenError::Malformed)?;
        let (header, claims) = signed.split_once('.').ok_or(TokenError::Malformed)?;
        let part = |text: &str| from_base64url(text).ok_or(TokenError::Malformed);
        let header: Header = serde_json::from_slice(&part(header)?).map_err(|_| TokenError::Malformed)?;
        if header.alg != "HS256" {
            return Err(TokenError::OtherAlgorithm);
        }
        let mac = Hmac::<Sha256>::new_from_slice(&self.0).map_err(|_| TokenError::Forged)?;
        let mac = mac.chain_update(signed.as_bytes());
        mac.verify_slice(&part(signature)?).map_err(|_| TokenError::Forged)?;
        part(claims)
    }

    /// HMAC-SHA-256 of the concatenated parts, as protocols of other programs require.
    #[must_use]
    pub fn sign(&self, parts: &[&[u8]]) -> [u8; 32] {
        // HMAC accepts a key of any length, so this can't fail.
        let mac = Hmac::<Sha256>::new_from_slice(&self.0)
            .map(|mac| parts.iter().fold(mac, Mac::chain_update).finalize().into_bytes().into());
        mac.unwrap_or_default()
    }
}

impl fmt::Debug for SharedSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SharedSecret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::base64url;

    /// The example of RFC 7515, appendix A.1.
    const TOKEN: &str = "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.\
        eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.\
        dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    const KEY: &str =
        "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow";

    fn secret() -> SharedSecret {
        SharedSecret::new(from_base64url(KEY).unwrap())
    }

    #[test]
    fn the_example_of_the_standard_is_read() {
        let claims = secret().verify(TOKEN).unwrap();
        assert!(String::from_utf8(claims).unwrap().starts_with("{\"iss\":\"joe\""));
    }

    #[test]
    fn what_is_not_signed_with_the_secret_says_nothing() {
        let (signed, signature) = TOKEN.rsplit_once('.').unwrap();
        let (header, claims) = signed.split_once('.').unwrap();
        let none = base64url(br#"{"alg":"none"}"#);
        let changed = base64url(br#"{"iss":"eve"}"#);
        for (token, why) in [
            (format!("{header}.{changed}.{signature}"), TokenError::Forged),
            (format!("{header}.{claims}."), TokenError::Forged),
            (format!("{none}.{claims}."), TokenError::OtherAlgorithm),
            (format!("{none}.{claims}.{signature}"), TokenError::OtherAlgorithm),
            (format!("{header}.{claims}"), TokenError::Malformed),
            (String::new(), TokenError::Malformed),
            ("a.b.c".to_owned(), TokenError::Malformed),
            (format!("{TOKEN}{}", "A".repeat(LONGEST)), TokenError::Malformed),
        ] {
            assert_eq!(secret().verify(&token), Err(why), "{token}");
        }
        assert_eq!(SharedSecret::new("other").verify(TOKEN), Err(TokenError::Forged));
    }

    #[test]
    fn a_signature_is_that_of_rfc_4231() {
        let signature = SharedSecret::new("Jefe").sign(&[b"what do ya want ", b"for nothing?"]);
        assert_eq!(
            crate::encoding::hex(&signature),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        );
    }

    #[test]
    fn the_secret_is_never_printed() {
        assert_eq!(format!("{:?}", SharedSecret::new("hunter2")), "SharedSecret(…)");
    }
}
