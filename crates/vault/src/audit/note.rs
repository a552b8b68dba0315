//! Signed notes as specified by C2SP: a text, an empty line, and signature lines.
//!
//! Public transparency logs use this format, so their tools can verify and countersign a checkpoint.
//! Signatures by unknown keys are kept and ignored.

use crate::encoding::{base64_standard, from_base64_standard};
use crate::hash::sha256;
use crate::signature::{PublicKey, SIGNATURE_BYTES, SigningKey};

const ED25519: u8 = 0x01;
const DASH: &str = "\u{2014} ";
const KEY_ID_BYTES: usize = 4;

/// Why a note is not valid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoteError {
    /// The text or the name is not allowed in a note.
    #[error("not a signed note: {0}")]
    Malformed(&'static str),
    /// None of the known signers signed it.
    #[error("no valid signer has signed the note as `{0}`")]
    NotSigned(String),
    /// A signature by a known signer is wrong.
    #[error("the signature of {0} on the note is wrong: it was changed after signing, or forged")]
    Forged(Box<PublicKey>),
}

/// Signs `text`, which ends with a newline, as `name`.
pub fn sign_note(text: &str, name: &str, key: &SigningKey) -> Result<String, NoteError> {
    check_text(text)?;
    check_name(name)?;
    let signature = [key_id(name, &key.public_key()).as_slice(), &key.sign(text.as_bytes())].concat();
    Ok(format!("{text}\n{DASH}{name} {}\n", base64_standard(&signature)))
}

/// The text of `note` and the signer, if it was signed as `name` by one of `signers`. A wrong signature by
/// one of them makes the note invalid, even if another one is right.
pub fn open_note<'a>(
    note: &'a str,
    name: &str,
    signers: &[PublicKey],
) -> Result<(&'a str, PublicKey), NoteError> {
    let (text, signatures) = split(note)?;
    check_text(text)?;
    let mut signed_by = None;
    for line in signatures.lines() {
        let (line_name, signature) = signature_line(line)?;
        let (id, signature) = signature
            .split_first_chunk::<KEY_ID_BYTES>()
            .ok_or(NoteError::Malformed("a signature is cut off"))?;
        let known = signers.iter().find(|signer| line_name == name && key_id(name, signer) == *id);
        match known {
            Some(signer) if signer.verifies(text.as_bytes(), signature) => {
                signed_by = signed_by.or(Some(*signer));
            }
            Some(signer) => return Err(NoteError::Forged(Box::new(*signer))),
            None => {}
        }
    }
    signed_by.map(|signer| (text, signer)).ok_or_else(|| NoteError::NotSigned(name.to_owned()))
}

fn split(note: &str) -> Result<(&str, &str), NoteError> {
    let cut = note.rfind("\n\n").ok_or(NoteError::Malformed("it has no signatures"))?;
    let (text, rest) = note.split_at_checked(cut + 1).ok_or(NoteError::Malformed("it has no signatures"))?;
    let signatures = rest.strip_prefix('\n').filter(|lines| lines.ends_with('\n'));
    Ok((text, signatures.ok_or(NoteError::Malformed("its last line is cut off"))?))
}

fn signature_line(line: &str) -> Result<(&str, Vec<u8>), NoteError> {
    let malformed = NoteError::Malformed("a line of signatures is unreadable");
    let (name, signature) =
        line.strip_prefix(DASH).and_then(|line| line.split_once(' ')).ok_or(malformed.clone())?;
    check_name(name)?;
    let signature = from_base64_standard(signature).ok_or(malformed.clone())?;
    if signature.len() < KEY_ID_BYTES + SIGNATURE_BYTES { Err(malformed) } else { Ok((name, signature)) }
}

fn key_id(name: &str, key: &PublicKey) -> [u8; KEY_ID_BYTES] {
    let hash = sha256(&[name.as_bytes(), b"\n", &[ED25519], key.as_bytes()]);
    hash.first_chunk().copied().unwrap_or_default()
}

fn check_text(text: &str) -> Result<(), NoteError> {
    let control = |character: char| character < ' ' && character != '\n';
    if text.is_empty() || !text.ends_with('\n') || text.contains(control) {
        return Err(NoteError::Malformed("its text has to be whole lines without control characters"));
    }
    Ok(())
}

fn check_name(name: &str) -> Result<(), NoteError> {
    if name.is_empty() || name.contains(|character: char| character.is_whitespace() || character == '+') {
        return Err(NoteError::Malformed("a name has to be without spaces and plus signs"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::Secret;

    fn key(byte: u8) -> SigningKey {
        SigningKey::from_seed(&Secret::from_bytes([byte; 32]))
    }

    /// The example in the documentation of Go's `sumdb/note` package.
    #[test]
    fn the_example_of_the_note_format_holds() {
        let seed = from_base64_standard("AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz").unwrap();
        let public = from_base64_standard("ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW").unwrap();
        let key = SigningKey::from_seed(&Secret::from_bytes(seed[1..].try_into().unwrap()));
        assert_eq!(key.public_key().as_bytes(), &public[1..]);
        let text = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
        let note = sign_note(text, "PeterNeumann", &key).unwrap();
        assert!(note.ends_with("\n\n— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"), "{note}");
        assert_eq!(open_note(&note, "PeterNeumann", &[key.public_key()]), Ok((text, key.public_key())));
    }

    #[test]
    fn signatures_of_others_are_carried_along_and_wrong_ones_of_ours_are_not() {
        let text = "log\n1\n";
        let ours = sign_note(text, "log", &key(1)).unwrap();
        let theirs = sign_note(text, "witness", &key(2)).unwrap();
        let both = format!("{ours}{}", theirs.strip_prefix("log\n1\n\n").unwrap());
        assert!(open_note(&both, "log", &[key(1).public_key()]).is_ok());
        assert_eq!(
            open_note(&theirs, "log", &[key(2).public_key()]),
            Err(NoteError::NotSigned("log".to_owned()))
        );
        let changed = both.replace("log\n1\n", "log\n2\n");
        assert_eq!(
            open_note(&changed, "log", &[key(1).public_key()]),
            Err(NoteError::Forged(Box::new(key(1).public_key())))
        );
    }

    #[test]
    fn what_is_no_note_is_refused() {
        let whole = sign_note("log\n1\n", "log", &key(1)).unwrap();
        for wrong in [
            "",
            "log\n1\n",
            "log\n1\n\n",
            &whole[..whole.len() - 1],
            &whole.replace("— ", "- "),
            &format!("{whole}x\n"),
        ] {
            assert!(open_note(wrong, "log", &[key(1).public_key()]).is_err(), "{wrong:?}");
        }
        assert!(sign_note("no newline", "log", &key(1)).is_err());
        assert!(sign_note("tab\t\n", "log", &key(1)).is_err());
        assert!(sign_note("log\n", "a b", &key(1)).is_err());
    }
}
