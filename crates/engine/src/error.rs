//! Maps errors of the lower crates to problems.

use domain::InvalidId;
use store::{Conflict, RecordKind, StoreError};
use wire::{Code, Problem};

/// The problem for an error of the store.
#[expect(clippy::needless_pass_by_value, reason = "it stands in `map_err`, which gives the error away")]
pub(crate) fn store_problem(error: StoreError) -> Problem {
    let code = match &error {
        StoreError::NoPersona(_) | StoreError::NoTenant(_) => Code::PersonaNotFound,
        StoreError::NotFound { kind, .. } => not_found(*kind),
        StoreError::Conflict(conflict) => conflicting(conflict),
        StoreError::ReadOnly { .. }
        | StoreError::Io { .. }
        | StoreError::Database { .. }
        | StoreError::NotKept(_)
        | StoreError::Closed => Code::IoFailed,
        StoreError::Unavailable { .. } => Code::NotReady,
        StoreError::Home(_) | StoreError::Newer { .. } => Code::HomeUnusable,
        StoreError::Keys(_) | StoreError::Keyring(_) | StoreError::Rotation(_) => Code::KeyMissing,
        StoreError::Unreadable { .. } | StoreError::Malformed { .. } => Code::RecordDamaged,
        StoreError::Document { .. } => Code::ValidationFailed,
        StoreError::Unaudited { .. } | StoreError::Vault(_) => Code::Internal,
        StoreError::CopyDiffers { .. } => Code::Conflict,
    };
    Problem::new(code, error.to_string())
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

/// The problem for a path with an invalid id.
pub(crate) fn nothing_named(error: &InvalidId) -> Problem {
    Problem::new(Code::NotFound, error.to_string())
}

/// The problem when the system gives no random bytes.
pub(crate) fn no_randomness(error: &vault::randomness::RandomnessError) -> Problem {
    Problem::new(Code::Internal, format!("the system gave no random bytes: {error}"))
}
