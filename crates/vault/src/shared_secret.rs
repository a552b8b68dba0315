//! A secret shared with another program, which vouches with it for what it says: JSON Web Tokens signed
//! by HMAC-SHA-256 (`HS256` of RFC 7518), and no other kind.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use serde::Deserialize;
use sha2::Sha256;
use zeroize::Zeroizing;

use crate::encoding::from_base64url;

/// The longest token that is looked at.
const LONGEST: usize = 8192;

/// A secret that another program signs with.
#[derive(Clone)]
pub struct SharedSecret(Zeroizing<Vec<u8>>);

/// Why a token says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsigned {
    /// It is not three parts of base64url, the first of which is a header.
    #[error("is not a JSON Web Token")]
    Malformed,
    /// Its header names another algorithm; `none` is another one too.
    #[error("is not signed with HS256")]
    OtherAlgorithm,
    /// Somebody else signed it, or it was changed.
    #[error("has a signature that does not hold")]
    Forged,
}

#[derive(Deserialize)]
struct Header {
    alg: String,
}

impl SharedSecret {
    /// This secret, however long.
    #[must_use]
    pub fn new(secret: impl Into<Vec<u8>>) -> Self {
        Self(Zeroizing::new(secret.into()))
    }

    /// What `token` says, if it was signed with this secret. Whether it still holds is for whoever
    /// knows the time to say.
    pub fn verify(&self, token: &str) -> Result<Vec<u8>, Unsigned> {
        let (signed, signature) =
            token.rsplit_once('.').filter(|_| token.len() <= LONGEST).ok_or(Unsigned::Malformed)?;
        let (header, claims) = signed.split_once('.').ok_or(Unsigned::Malformed)?;
        let part = |text: &str| from_base64url(text).ok_or(Unsigned::Malformed);
        let header: Header = serde_json::from_slice(&part(header)?).map_err(|_| Unsigned::Malformed)?;
        if header.alg != "HS256" {
            return Err(Unsigned::OtherAlgorithm);
        }
        let mac = Hmac::<Sha256>::new_from_slice(&self.0).map_err(|_| Unsigned::Forged)?;
        let mac = mac.chain_update(signed.as_bytes());
        mac.verify_slice(&part(signature)?).map_err(|_| Unsigned::Forged)?;
        part(claims)
    }

    /// HMAC-SHA-256 of the parts, one after the other, as other programs' protocols ask for it.
    #[must_use]
    pub fn sign(&self, parts: &[&[u8]]) -> [u8; 32] {
        // A key of any length is taken, so there is nothing to refuse.
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
            (format!("{header}.{changed}.{signature}"), Unsigned::Forged),
            (format!("{header}.{claims}."), Unsigned::Forged),
            (format!("{none}.{claims}."), Unsigned::OtherAlgorithm),
            (format!("{none}.{claims}.{signature}"), Unsigned::OtherAlgorithm),
            (format!("{header}.{claims}"), Unsigned::Malformed),
            (String::new(), Unsigned::Malformed),
            ("a.b.c".to_owned(), Unsigned::Malformed),
            (format!("{TOKEN}{}", "A".repeat(LONGEST)), Unsigned::Malformed),
        ] {
            assert_eq!(secret().verify(&token), Err(why), "{token}");
        }
        assert_eq!(SharedSecret::new("other").verify(TOKEN), Err(Unsigned::Forged));
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
