//! Checkpoints: what a log was at one size, signed.
//!
//! ```text
//! selfhood/scott/0192…            the origin: which log
//! 20852163                        how many events
//! CsUYapGGPo4dkMgIAUqom/Xajj…=    the root over them
//! keyring 57                      the keyring's counter, so that an older keyring is recognised
//!
//! — selfhood/scott/0192… Az3grlgtzPICa5OS8npV…
//! ```

use super::note::{NoteError, open_note, sign_note};
use super::tree::TreeHash;
use crate::encoding::{base64_standard, from_base64_standard};
use crate::signature::{PublicKey, SigningKey};

const KEYRING: &str = "keyring ";

/// The state of a log at one size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    /// The log's name; also the name it is signed with.
    pub origin: String,
    /// The number of events.
    pub size: u64,
    /// The root over them.
    pub root: TreeHash,
    /// The counter of the tenant's keyring at that time.
    pub keyring: Option<u64>,
}

/// Why a checkpoint is not valid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CheckpointError {
    /// The signed note is not valid.
    #[error(transparent)]
    Note(#[from] NoteError),
    /// The signed text is not a checkpoint.
    #[error("the signed text is not a checkpoint")]
    Malformed,
    /// It belongs to another log.
    #[error("a checkpoint of the log `{found}`, where one of `{expected}` was expected")]
    OtherLog {
        /// The expected log.
        expected: String,
        /// The log it belongs to.
        found: String,
    },
}

impl Checkpoint {
    /// The checkpoint as a signed note.
    pub fn sign(&self, key: &SigningKey) -> Result<String, CheckpointError> {
        Ok(sign_note(&self.text(), &self.origin, key)?)
    }

    /// Reads a checkpoint of the log `origin`, signed by one of `signers`.
    pub fn open(
        note: &str,
        origin: &str,
        signers: &[PublicKey],
    ) -> Result<(Self, PublicKey), CheckpointError> {
        let found = note.lines().next().unwrap_or_default();
        if found != origin {
            let (expected, found) = (origin.to_owned(), found.to_owned());
            return Err(CheckpointError::OtherLog { expected, found });
        }
        let (text, signer) = open_note(note, origin, signers)?;
        Self::read(text).map(|checkpoint| (checkpoint, signer)).ok_or(CheckpointError::Malformed)
    }

    fn text(&self) -> String {
        let Self { origin, size, root, keyring } = self;
        let keyring = keyring.map(|counter| format!("{KEYRING}{counter}\n")).unwrap_or_default();
        format!("{origin}\n{size}\n{}\n{keyring}", base64_standard(root))
    }

    /// Lines that a later release may add after these are ignored, as the format demands.
    fn read(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let origin = lines.next()?.to_owned();
        let size = lines.next().and_then(decimal)?;
        let root = from_base64_standard(lines.next()?)?.try_into().ok()?;
        let keyring = lines.find_map(|line| line.strip_prefix(KEYRING)).map(decimal);
        let keyring = if let Some(counter) = keyring { Some(counter?) } else { None };
        Some(Self { origin, size, root, keyring })
    }
}

/// Parses a number that must be in canonical notation.
fn decimal(text: &str) -> Option<u64> {
    text.parse::<u64>().ok().filter(|number| number.to_string() == text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::Secret;

    fn key(byte: u8) -> SigningKey {
        SigningKey::from_seed(&Secret::from_bytes([byte; 32]))
    }

    fn checkpoint() -> Checkpoint {
        Checkpoint { origin: "selfhood/scott/inara".to_owned(), size: 3, root: [7; 32], keyring: Some(57) }
    }

    /// The example of c2sp.org/tlog-checkpoint, except for its signature.
    #[test]
    fn the_text_is_that_of_the_published_format() {
        let root = from_base64_standard("CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=").unwrap();
        let text = "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n";
        let checkpoint = Checkpoint {
            origin: "example.com/behind-the-sofa".to_owned(),
            size: 20_852_163,
            root: root.try_into().unwrap(),
            keyring: None,
        };
        assert_eq!(checkpoint.text(), text);
        assert_eq!(Checkpoint::read(text), Some(checkpoint));
    }

    #[test]
    fn a_checkpoint_reads_as_it_was_signed() {
        let note = checkpoint().sign(&key(1)).unwrap();
        let opened = Checkpoint::open(&note, "selfhood/scott/inara", &[key(1).public_key()]);
        assert_eq!(opened, Ok((checkpoint(), key(1).public_key())));
    }

    #[test]
    fn another_log_another_signer_and_another_text_are_refused() {
        let note = checkpoint().sign(&key(1)).unwrap();
        let open = |note: &str, origin, signer| Checkpoint::open(note, origin, &[key(signer).public_key()]);
        assert!(matches!(open(&note, "selfhood/scott/zoe", 1), Err(CheckpointError::OtherLog { .. })));
        assert!(matches!(
            open(&note, "selfhood/scott/inara", 2),
            Err(CheckpointError::Note(NoteError::NotSigned(_)))
        ));
        for byte in 0..note.len() {
            let mut changed = note.clone().into_bytes();
            changed[byte] ^= 1;
            let Ok(changed) = String::from_utf8(changed) else { continue };
            assert!(open(&changed, "selfhood/scott/inara", 1).is_err(), "byte {byte}");
        }
    }

    #[test]
    fn numbers_have_one_spelling() {
        for size in ["03", "+3", "-3", "3 ", "", "18446744073709551616"] {
            let text = format!("log\n{size}\n{}\n", base64_standard(&[7; 32]));
            assert_eq!(Checkpoint::read(&text), None, "{size}");
        }
        let with = |line: &str| Checkpoint::read(&format!("log\n3\n{}\n{line}\n", base64_standard(&[7; 32])));
        assert_eq!(with("keyring 05"), None);
        assert_eq!(with("later 1\nkeyring 5").unwrap().keyring, Some(5));
    }
}
