//! What a caller of the API learns of an error of the store: the one mapping to a code.

use wire::{Code, Problem};

use crate::home::HomeError;
use crate::{Conflict, RecordKind, StoreError};

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        Self::new(code(&error), error.to_string())
    }
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
        StoreError::Keys(_) | StoreError::Keyring(_) | StoreError::Rotation(_) => Code::KeyMissing,
        StoreError::Unreadable { .. } | StoreError::Malformed { .. } => Code::RecordDamaged,
        StoreError::Document { .. } => Code::ValidationFailed,
        StoreError::Unaudited { .. } | StoreError::Vault(_) => Code::Internal,
        StoreError::CopyDiffers { .. } => Code::Conflict,
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
