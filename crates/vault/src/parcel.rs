//! A file sealed with a passphrase, for taking it elsewhere: read and written piece by piece, so that it may be large.
//!
//! The first line says how the passphrase becomes the key. Then come a nonce and the pieces, each sealed under the nonce
//! with the piece's number added, and with the first line and whether it is the last piece as associated data; so pieces
//! can neither be swapped nor left out, and the end can't be cut off.

use std::io::{self, BufRead, Read, Write};

use crate::aead::{self, NONCE_BYTES, Nonce, TAG_BYTES};
use crate::key::Secret;
use crate::key_directory::{Derivation, Passphrase};
use crate::randomness::{Randomness, RandomnessError, random_bytes};

/// How every parcel begins.
pub const MARK: &str = "selfhood-sealed-1 ";
const PIECE: usize = 64 << 10;
/// The first line is no longer than this.
const LONGEST_HEAD: u64 = 200;

/// Why a parcel could not be sealed or opened.
#[derive(Debug, thiserror::Error)]
pub enum ParcelError {
    /// The bytes can't be had, or not be written.
    #[error("reading or writing failed: {0}")]
    Io(#[from] io::Error),
    /// No random bytes.
    #[error(transparent)]
    Randomness(#[from] RandomnessError),
    /// It is no parcel, or one of a later version.
    #[error("it is not sealed in a way that is known here")]
    Unknown,
    /// The machine lacks the memory that the passphrase needs.
    #[error("there is not enough memory to use the passphrase")]
    Memory,
    /// Another passphrase, or other bytes than were sealed.
    #[error("the passphrase is not the one it was sealed with, or the file was changed")]
    Refused,
}

/// Seals all of `from`.
pub fn seal(
    from: &mut dyn Read,
    to: &mut dyn Write,
    passphrase: &Passphrase,
    randomness: &dyn Randomness,
) -> Result<(), ParcelError> {
    let derivation = Derivation::new(randomness)?;
    let head = format!("{MARK}{derivation}\n");
    let key = derivation.derive(passphrase).ok_or(ParcelError::Memory)?;
    let nonce: Nonce = random_bytes(randomness)?;
    to.write_all(head.as_bytes())?;
    to.write_all(&nonce)?;
    let mut piece = read_piece(from, PIECE)?;
    for number in 0_u64.. {
        let next = read_piece(from, PIECE)?;
        let aad = associated(&head, &next);
        let sealed = aead::encrypt(key.expose(), &numbered(nonce, number), &aad, &piece);
        to.write_all(&sealed.ok_or(ParcelError::Memory)?)?;
        if next.is_empty() {
            break;
        }
        piece = next;
    }
    Ok(())
}

/// Opens a parcel. What was written before an error must not be used.
pub fn open(from: &mut dyn BufRead, to: &mut dyn Write, passphrase: &Passphrase) -> Result<(), ParcelError> {
    let mut head = Vec::new();
    (&mut *from).take(LONGEST_HEAD).read_until(b'\n', &mut head)?;
    let head = String::from_utf8(head).map_err(|_| ParcelError::Unknown)?;
    let derivation =
        head.strip_prefix(MARK).and_then(|rest| rest.strip_suffix('\n')).and_then(Derivation::read);
    let key: Secret =
        derivation.ok_or(ParcelError::Unknown)?.derive(passphrase).ok_or(ParcelError::Memory)?;
    let mut nonce: Nonce = [0; NONCE_BYTES];
    from.read_exact(&mut nonce)?;
    let mut piece = read_piece(from, PIECE + TAG_BYTES)?;
    for number in 0_u64.. {
        let next = read_piece(from, PIECE + TAG_BYTES)?;
        let aad = associated(&head, &next);
        let opened = aead::decrypt(key.expose(), &numbered(nonce, number), &aad, &piece);
        to.write_all(&opened.ok_or(ParcelError::Refused)?)?;
        if next.is_empty() {
            break;
        }
        piece = next;
    }
    Ok(())
}

fn read_piece(from: &mut dyn Read, most: usize) -> io::Result<Vec<u8>> {
    let mut piece = Vec::new();
    from.take(most as u64).read_to_end(&mut piece)?;
    Ok(piece)
}

/// The associated data of a piece: the head, and whether it is the last piece because `next` is empty.
fn associated(head: &str, next: &[u8]) -> Vec<u8> {
    [head.as_bytes(), &[u8::from(next.is_empty())]].concat()
}

/// The nonce of a piece: the last eight bytes plus its number.
fn numbered(mut nonce: Nonce, number: u64) -> Nonce {
    if let Some(end) = nonce.last_chunk_mut::<8>() {
        *end = u64::from_le_bytes(*end).wrapping_add(number).to_le_bytes();
    }
    nonce
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::randomness::SeededRandomness;

    fn opened(sealed: &[u8], passphrase: &str) -> Result<Vec<u8>, ParcelError> {
        let mut bytes = Vec::new();
        open(&mut &*sealed, &mut bytes, &Passphrase::new(passphrase.into())).map(|()| bytes)
    }

    #[test]
    fn only_the_whole_parcel_and_its_passphrase_give_the_bytes_back() {
        let content: Vec<u8> = (0..PIECE * 2 + 77).map(|n| u8::try_from(n % 251).unwrap()).collect();
        let mut sealed = Vec::new();
        let passphrase = Passphrase::new("firefly".into());
        seal(&mut content.as_slice(), &mut sealed, &passphrase, &SeededRandomness::new(3)).unwrap();
        assert_eq!(opened(&sealed, "firefly").unwrap(), content);
        assert!(matches!(opened(&sealed, "serenity"), Err(ParcelError::Refused)));
        let cut = sealed.len() - 77 - TAG_BYTES;
        assert!(
            matches!(opened(&sealed[..cut], "firefly"), Err(ParcelError::Refused)),
            "the end was cut off"
        );
        let mut changed = sealed.clone();
        *changed.last_mut().unwrap() ^= 1;
        assert!(matches!(opened(&changed, "firefly"), Err(ParcelError::Refused)));
        assert!(matches!(opened(b"PK\x03\x04", "firefly"), Err(ParcelError::Unknown)));
    }
}
