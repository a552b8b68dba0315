//! What a caller of the API learns of an error of the store: the one mapping to a code.

use vault::key_directory::KeyDirectoryError;
use vault::keyring::KeyringError;
use vault::rotation::RotationError;
use wire::{Code, Problem};

use crate::home::HomeError;
use crate::{Conflict, RecordKind, StoreError};

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        Self::new(code(&error), error.to_string())
    }
}

/// The problem for an error of the key directory.
#[must_use]
pub fn key_problem(error: KeyDirectoryError) -> Problem {
    Problem::from(StoreError::from(error))
}

fn code(error: &StoreError) -> Code {
    match error {
        StoreError::NoPersona(_) | StoreError::NoTenant(_) => Code::PersonaNotFound,
        StoreError::NotFound { kind, .. } => not_found(*kind),
        StoreError::Conflict(conflict) => conflicting(conflict),
        StoreError::Home(HomeError::Owned { .. }) => Code::HomeLocked,
        StoreError::Home(HomeError::Io { .. })
        | StoreError::ReadOnly { .. }
        | StoreError::Io { .. }
        | StoreError::Database { .. }
        | StoreError::NotKept(_)
        | StoreError::Closed => Code::IoFailed,
        StoreError::Unavailable { .. } => Code::NotReady,
        StoreError::Home(
            HomeError::ForeignOwner { .. }
            | HomeError::NetworkFileSystem { .. }
            | HomeError::WritableByAll { .. },
        )
        | StoreError::Newer { .. } => Code::HomeUnusable,
        StoreError::Keys(error) | StoreError::Rotation(RotationError::Keys(error)) => of_keys(error),
        StoreError::Keyring(error) | StoreError::Rotation(RotationError::Keyring(error)) => of_keyring(error),
        StoreError::Unreadable { .. } | StoreError::Malformed { .. } => Code::RecordDamaged,
        StoreError::Document { .. } => Code::ValidationFailed,
        StoreError::Unaudited { .. } | StoreError::Vault(_) => Code::Internal,
        StoreError::CopyDiffers { .. } => Code::Conflict,
    }
}

/// The only mapping of an error of the key directory to a code.
const fn of_keys(error: &KeyDirectoryError) -> Code {
    match error {
        KeyDirectoryError::Io { .. } | KeyDirectoryError::Randomness(_) => Code::IoFailed,
        KeyDirectoryError::InvalidName(_) => Code::ValidationFailed,
        KeyDirectoryError::NoSuchSigner(_) => Code::NotFound,
        KeyDirectoryError::Exists { .. } => Code::NameTaken,
        KeyDirectoryError::NewestKek { .. }
        | KeyDirectoryError::Listed(_)
        | KeyDirectoryError::MirrorDiffers { .. } => Code::Conflict,
        KeyDirectoryError::LoosePermissions { .. }
        | KeyDirectoryError::ForeignOwner { .. }
        | KeyDirectoryError::Missing { .. }
        | KeyDirectoryError::MissingEpoch { .. }
        | KeyDirectoryError::Damaged { .. }
        | KeyDirectoryError::NewerVersion { .. }
        | KeyDirectoryError::Misplaced { .. }
        | KeyDirectoryError::PassphraseNeeded { .. }
        | KeyDirectoryError::WrongPassphrase { .. }
        | KeyDirectoryError::ServiceNeeded { .. }
        | KeyDirectoryError::Service { .. } => Code::KeyMissing,
    }
}

const fn of_keyring(error: &KeyringError) -> Code {
    match error {
        KeyringError::Io { .. } | KeyringError::Randomness(_) => Code::IoFailed,
        KeyringError::Unreadable { .. }
        | KeyringError::OtherKey { .. }
        | KeyringError::Damaged { .. }
        | KeyringError::RolledBack { .. }
        | KeyringError::DamagedKey { .. }
        | KeyringError::NoSuchKey(_)
        | KeyringError::NotAKeyRef => Code::KeyMissing,
    }
}

const fn not_found(kind: RecordKind) -> Code {
    match kind {
        RecordKind::Atom | RecordKind::AtomVectors => Code::MemoryNotFound,
        RecordKind::Entry | RecordKind::EntryReason | RecordKind::EntryVectors => Code::TimelineEntryNotFound,
        RecordKind::Subject
        | RecordKind::Session
        | RecordKind::Turn
        | RecordKind::Trace
        | RecordKind::Document
        | RecordKind::Event
        | RecordKind::Erasure
        | RecordKind::Job => Code::NotFound,
    }
}

fn conflicting(conflict: &Conflict) -> Code {
    match conflict {
        Conflict::NameTaken { .. } => Code::NameTaken,
        Conflict::AtomForgotten(_) => Code::IdTombstoned,
        Conflict::EntrySuperseded(_) => Code::AlreadySuperseded,
        Conflict::TimelineMoved { .. }
        | Conflict::EntryExists(_)
        | Conflict::AtomExists(_)
        | Conflict::AtomStatus { .. }
        | Conflict::AtomChanged { .. }
        | Conflict::SessionMoved { .. }
        | Conflict::TurnReplaced(_)
        | Conflict::RecordDiffers { .. }
        | Conflict::DocumentChanged(_)
        | Conflict::DocumentsCollide(_)
        | Conflict::RequestAnswered
        | Conflict::RevisionMoved { .. }
        | Conflict::PersonaExists(_)
        | Conflict::JobTaken(_)
        | Conflict::KeyExists(_) => Code::Conflict,
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[test]
    fn a_disk_that_fails_is_not_reported_as_a_missing_key() {
        let failed = || io::Error::other("no space left on device");
        let (action, path) = ("write", std::path::PathBuf::from("keys/inn"));
        let keys = KeyDirectoryError::Io { action, path: path.clone(), source: failed() };
        assert_eq!(key_problem(keys).code, Code::IoFailed);
        let keyring = KeyringError::Io { action, path: path.clone(), source: failed() };
        assert_eq!(Problem::from(StoreError::from(keyring)).code, Code::IoFailed);
        let keys = KeyDirectoryError::Io { action, path: path.clone(), source: failed() };
        assert_eq!(Problem::from(StoreError::from(RotationError::from(keys))).code, Code::IoFailed);
        let missing = KeyDirectoryError::Missing { what: "the key".to_owned(), path };
        assert_eq!(key_problem(missing).code, Code::KeyMissing);
    }
}
