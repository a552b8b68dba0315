//! The text format of a key file. It names its key, so that a file in the wrong place is recognised,
//! and has a checksum and a commitment, so that a damaged or foreign one is recognised too.
//!
//! ```text
//! selfhood-key-file 1
//! holds: kek scott 3
//! created: 1776867522000
//! wrapping: none
//! key: <base64url of the 32 bytes, of nonce and ciphertext, or of what a service made of them>
//! commitment: <hex of HMAC-SHA-256(key, "selfhood/v1/key-file" and what it holds)>
//! checksum: <hex of SHA-256 of all lines above>
//! ```

use std::path::Path;

use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use super::service::{KeyService, KeyWrapping};
use super::wrapping::{Derivation, Passphrase};
use super::{KeyCreation, KeyDirectoryError};
use crate::encoding::{base64url, from_base64url, from_hex, hex};
use crate::hash::{hmac_sha256, length_prefixed, sha256};
use crate::key::Secret;
use crate::randomness::random_bytes;

const FIRST_LINE: &str = "selfhood-key-file 1";
const COMMITMENT: &[u8] = b"selfhood/v1/key-file";
/// How the line `wrapping:` begins for a key that a service wraps.
const SERVICE: &str = "service ";

/// The key that a file contains. Built only from names that are safe in a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct KeyName {
    holds: String,
    file_name: String,
}

impl KeyName {
    /// The wrapping key of a tenant's epoch.
    pub(super) fn kek(tenant: &str, epoch: u64) -> Result<Self, KeyDirectoryError> {
        let tenant = super::checked(tenant)?;
        Ok(Self { holds: format!("kek {tenant} {epoch}"), file_name: format!("{tenant}/kek-{epoch}.key") })
    }

    /// An operator's signing key.
    pub(super) fn operator(name: &str) -> Result<Self, KeyDirectoryError> {
        let name = super::checked(name)?;
        Ok(Self { holds: format!("operator {name}"), file_name: format!("operator-{name}.key") })
    }

    /// A secret for keyed hashes.
    pub(super) fn secret(name: &str) -> Result<Self, KeyDirectoryError> {
        let name = super::checked(name)?;
        Ok(Self { holds: format!("secret {name}"), file_name: format!("secret-{name}.key") })
    }

    /// The file's path inside the key directory.
    pub(super) fn file_name(&self) -> &str {
        &self.file_name
    }

    pub(super) fn what(&self) -> String {
        format!("the key `{}`", self.holds)
    }

    fn commitment(&self, secret: &Secret) -> [u8; 32] {
        hmac_sha256(secret.expose(), &[&length_prefixed(&[COMMITMENT, self.holds.as_bytes()])])
    }
}

/// Whether `name` may name a tenant or a key, and so become part of a path.
pub(super) fn is_name(name: &str) -> bool {
    let follows = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-');
    (1..=64).contains(&name.len()) && name.bytes().all(follows) && !name.starts_with('-')
}

pub(super) fn write(
    name: &KeyName,
    secret: &Secret,
    wrapping: &KeyWrapping,
    making: KeyCreation<'_>,
) -> Result<Zeroizing<String>, KeyDirectoryError> {
    let (wrapping, key) = match (&wrapping.service, &wrapping.passphrase) {
        (None, None) => ("none".to_owned(), base64url(secret.expose())),
        (None, Some(passphrase)) => wrapped(name, secret, passphrase, making)?,
        (Some(service), _) => wrapped_by_service(name, secret, service.as_ref())?,
    };
    let key = Zeroizing::new(key);
    let lines = Zeroizing::new(format!(
        "{FIRST_LINE}\nholds: {}\ncreated: {}\nwrapping: {wrapping}\nkey: {}\ncommitment: {}\n",
        name.holds,
        making.now,
        *key,
        hex(&name.commitment(secret)),
    ));
    let checksum = hex(&sha256(&[lines.as_bytes()]));
    Ok(Zeroizing::new(format!("{}checksum: {checksum}\n", *lines)))
}

fn wrapped(
    name: &KeyName,
    secret: &Secret,
    passphrase: &Passphrase,
    making: KeyCreation<'_>,
) -> Result<(String, String), KeyDirectoryError> {
    let derivation = Derivation::new(making.randomness)?;
    let nonce = random_bytes(making.randomness)?;
    let wrapped = derivation.wrap(passphrase, name.holds.as_bytes(), secret, &nonce).ok_or_else(|| {
        let source = std::io::Error::from(std::io::ErrorKind::OutOfMemory);
        KeyDirectoryError::Io { action: "wrap", path: name.file_name.clone().into(), source }
    })?;
    Ok((derivation.to_string(), base64url(&wrapped)))
}

fn wrapped_by_service(
    name: &KeyName,
    secret: &Secret,
    service: &dyn KeyService,
) -> Result<(String, String), KeyDirectoryError> {
    let label = service.label();
    let wrapped = service.wrap(&name.holds, secret.expose()).map_err(|source| {
        let (path, label) = (name.file_name.clone().into(), label.clone());
        KeyDirectoryError::Service { path, label, source }
    })?;
    Ok((format!("{SERVICE}{label}"), base64url(&wrapped)))
}

pub(super) fn read(
    name: &KeyName,
    path: &Path,
    text: &str,
    wrapping: &KeyWrapping,
) -> Result<Secret, KeyDirectoryError> {
    let damaged = |reason| KeyDirectoryError::Damaged { path: path.to_owned(), reason };
    let lines = Lines::of(text, path)?;
    if lines.holds != name.holds {
        let (wanted, found) = (name.holds.clone(), lines.holds.to_owned());
        return Err(KeyDirectoryError::Misplaced { path: path.to_owned(), wanted, found });
    }
    let secret = unwrapped(name, path, &lines, wrapping)?;
    let commitment: [u8; 32] =
        from_hex(lines.commitment).ok_or_else(|| damaged("its commitment is unreadable"))?;
    if bool::from(name.commitment(&secret).ct_eq(&commitment)) {
        Ok(secret)
    } else {
        Err(damaged("its key is another than the one committed to"))
    }
}

fn unwrapped(
    name: &KeyName,
    path: &Path,
    lines: &Lines<'_>,
    wrapping: &KeyWrapping,
) -> Result<Secret, KeyDirectoryError> {
    let damaged = |reason| KeyDirectoryError::Damaged { path: path.to_owned(), reason };
    let key = Zeroizing::new(from_base64url(lines.key).ok_or_else(|| damaged("its key is unreadable"))?);
    if lines.wrapping == "none" {
        return of_bytes(&key).ok_or_else(|| damaged("its key has another length"));
    }
    if let Some(label) = lines.wrapping.strip_prefix(SERVICE) {
        return unwrapped_by_service(name, path, label, &key, wrapping.service.as_deref());
    }
    let derivation = Derivation::read(lines.wrapping).ok_or_else(|| damaged("its wrapping is unknown"))?;
    let passphrase = wrapping.passphrase.as_ref();
    let passphrase =
        passphrase.ok_or_else(|| KeyDirectoryError::PassphraseNeeded { path: path.to_owned() })?;
    derivation
        .unwrap(passphrase, name.holds.as_bytes(), &key)
        .ok_or_else(|| KeyDirectoryError::WrongPassphrase { path: path.to_owned() })
}

fn unwrapped_by_service(
    name: &KeyName,
    path: &Path,
    label: &str,
    wrapped: &[u8],
    service: Option<&dyn KeyService>,
) -> Result<Secret, KeyDirectoryError> {
    let (path, label) = (path.to_owned(), label.to_owned());
    let Some(service) = service else { return Err(KeyDirectoryError::ServiceNeeded { path, label }) };
    match service.unwrap(&name.holds, wrapped) {
        Err(source) => Err(KeyDirectoryError::Service { path, label, source }),
        Ok(bytes) => of_bytes(&bytes)
            .ok_or(KeyDirectoryError::Damaged { path, reason: "its service gives a key of another length" }),
    }
}

fn of_bytes(bytes: &[u8]) -> Option<Secret> {
    bytes.try_into().ok().map(Secret::from_bytes)
}

struct Lines<'a> {
    holds: &'a str,
    wrapping: &'a str,
    key: &'a str,
    commitment: &'a str,
}

impl<'a> Lines<'a> {
    fn of(text: &'a str, path: &Path) -> Result<Self, KeyDirectoryError> {
        let damaged = |reason| KeyDirectoryError::Damaged { path: path.to_owned(), reason };
        let first = text.lines().next().unwrap_or_default();
        if first != FIRST_LINE {
            let newer = first.strip_prefix("selfhood-key-file ").is_some_and(|v| v.parse::<u32>().is_ok());
            return Err(if newer {
                KeyDirectoryError::NewerVersion { path: path.to_owned() }
            } else {
                damaged("not a key file")
            });
        }
        let (covered, checksum) =
            text.rsplit_once("checksum: ").ok_or_else(|| damaged("its end is missing"))?;
        if checksum != format!("{}\n", hex(&sha256(&[covered.as_bytes()]))) {
            return Err(damaged("its checksum does not match"));
        }
        Self::split(covered).ok_or_else(|| damaged("its lines are not those of a key file"))
    }

    fn split(covered: &'a str) -> Option<Self> {
        let mut lines = covered.lines().skip(1);
        let mut value = |name: &str| lines.next()?.strip_prefix(name)?.strip_prefix(": ");
        let holds = value("holds")?;
        value("created")?;
        Some(Self {
            holds,
            wrapping: value("wrapping")?,
            key: value("key")?,
            commitment: value("commitment")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::randomness::SeededRandomness;

    fn text(name: &KeyName, passphrase: Option<&Passphrase>) -> String {
        let making = KeyCreation { now: 1, randomness: &SeededRandomness::new(1) };
        write(name, &Secret::from_bytes([7; 32]), &passphrase.cloned().into(), making).unwrap().to_string()
    }

    #[test]
    fn a_key_file_reads_as_it_was_written() {
        let name = KeyName::kek("scott", 3).unwrap();
        assert_eq!(name.file_name(), "scott/kek-3.key");
        let secret =
            read(&name, Path::new("kek-3.key"), &text(&name, None), &KeyWrapping::default()).unwrap();
        assert_eq!(secret, Secret::from_bytes([7; 32]));
    }

    #[test]
    fn a_wrapped_key_file_needs_its_passphrase_and_does_not_hold_the_key() {
        let name = KeyName::operator("scott").unwrap();
        let passphrase = Passphrase::new("firefly".into());
        let text = text(&name, Some(&passphrase));
        assert!(!text.contains(&base64url(&[7; 32])));
        let path = Path::new("operator-scott.key");
        assert_eq!(
            read(&name, path, &text, &Some(passphrase.clone()).into()).unwrap(),
            Secret::from_bytes([7; 32])
        );
        let wrong = Passphrase::new("serenity".into());
        assert!(matches!(
            read(&name, path, &text, &Some(wrong.clone()).into()),
            Err(KeyDirectoryError::WrongPassphrase { .. })
        ));
        assert!(matches!(
            read(&name, path, &text, &KeyWrapping::default()),
            Err(KeyDirectoryError::PassphraseNeeded { .. })
        ));
    }

    #[test]
    fn damage_and_foreign_files_are_named() {
        let name = KeyName::kek("scott", 3).unwrap();
        let whole = text(&name, None);
        let message = |text: &str| {
            read(&name, Path::new("kek-3.key"), text, &KeyWrapping::default()).unwrap_err().to_string()
        };
        assert!(
            message(&text(&KeyName::kek("scott", 2).unwrap(), None))
                .contains("should hold kek scott 3, but holds kek scott 2")
        );
        assert!(message("").contains("not a key file"));
        assert!(message(&whole.replace("file 1", "file 2")).contains("newer release"));
        for (position, character) in whole.char_indices().skip(FIRST_LINE.len()) {
            let mut damaged = whole.clone();
            let other = if character == 'A' { "B" } else { "A" };
            damaged.replace_range(position..=position, other);
            assert!(message(&damaged).contains("is damaged"), "at {position}");
            assert!(message(&whole[..position]).contains("is damaged"), "cut at {position}");
        }
    }

    #[test]
    fn names_that_could_leave_the_directory_are_refused() {
        for name in ["", "..", "a/b", "a.b", "Scott", "-a", "é", &"a".repeat(65)] {
            assert!(matches!(KeyName::kek(name, 1), Err(KeyDirectoryError::InvalidName(_))), "{name}");
        }
        assert!(KeyName::kek("0198c0de-0000-7000-8000-000000000000", 1).is_ok(), "a tenant may be a UUID");
    }
}
