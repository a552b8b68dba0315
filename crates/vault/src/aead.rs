//! XChaCha20-Poly1305, the only cipher of the crate.

use chacha20poly1305::aead::{Aead as _, Payload};
use chacha20poly1305::{KeyInit as _, XChaCha20Poly1305};
use zeroize::Zeroizing;

use crate::key::KEY_BYTES;

pub(crate) const NONCE_BYTES: usize = 24;
pub(crate) const TAG_BYTES: usize = 16;

pub(crate) type Nonce = [u8; NONCE_BYTES];

/// Encrypts `plaintext`; `None` only if it is longer than the cipher allows (256 GiB).
pub(crate) fn encrypt(key: &[u8; KEY_BYTES], nonce: &Nonce, aad: &[u8], plaintext: &[u8]) -> Option<Vec<u8>> {
    XChaCha20Poly1305::new(key.into()).encrypt(nonce.into(), Payload { msg: plaintext, aad }).ok()
}

/// Decrypts `ciphertext`; `None` if key, nonce, associated data or ciphertext differ from those used to
/// encrypt.
pub(crate) fn decrypt(
    key: &[u8; KEY_BYTES],
    nonce: &Nonce,
    aad: &[u8],
    ciphertext: &[u8],
) -> Option<Zeroizing<Vec<u8>>> {
    let payload = Payload { msg: ciphertext, aad };
    XChaCha20Poly1305::new(key.into()).decrypt(nonce.into(), payload).ok().map(Zeroizing::new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::{from_hex, hex};

    /// Appendix A.3.1 of draft-irtf-cfrg-xchacha-03.
    #[test]
    fn the_vector_of_the_xchacha_draft_holds() {
        let key: [u8; 32] =
            from_hex("808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f").unwrap();
        let nonce: Nonce = from_hex("404142434445464748494a4b4c4d4e4f5051525354555657").unwrap();
        let aad: [u8; 12] = from_hex("50515253c0c1c2c3c4c5c6c7").unwrap();
        let text = b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it.";
        let sealed = encrypt(&key, &nonce, &aad, text).unwrap();
        let (ciphertext, tag) = sealed.split_at(text.len());
        assert!(
            hex(ciphertext).starts_with("bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb")
        );
        assert_eq!(hex(tag), "c0875924c1c7987947deafd8780acf49");
        assert_eq!(decrypt(&key, &nonce, &aad, &sealed).unwrap().as_slice(), text);
    }
}
