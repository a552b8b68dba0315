//! Errors of the store. They contain ids and the way out, and never text of a memory.

use std::io;
use std::path::PathBuf;

use domain::{MemoryId, PersonaName, RedactionStatus, TenantName, TimelineId};
use vault::key_directory::KeyDirectoryError;
use vault::keyring::KeyringError;
use vault::rotation::RotationError;

use crate::conversation::TurnId;
use crate::document::DocumentName;
use crate::freshness::{Cause, RecordKind};
use crate::job::JobKey;
use crate::scope::Scope;

/// Why an operation failed. Nothing of a refused batch was written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The persona does not exist.
    #[error("no persona {0}; see `selfhood persona list`")]
    NoPersona(Scope),
    /// The tenant does not exist.
    #[error("no tenant `{0}`")]
    NoTenant(TenantName),
    /// The record does not exist.
    #[error("no {} {id}", kind.as_str())]
    NotFound {
        /// The kind of record.
        kind: RecordKind,
        /// Its id.
        id: String,
    },
    /// A precondition of the batch does not hold.
    #[error(transparent)]
    Conflict(#[from] Conflict),
    /// A change that must be in the audit log came without its event.
    #[error("the change of {id} needs a `{event}` event in the same batch")]
    Unaudited {
        /// The record that was to change.
        id: String,
        /// The missing event.
        event: &'static str,
    },
    /// A record exists and can't be opened.
    #[error("{} {id} can't be read: {}; see `selfhood doctor`", kind.as_str(), cause.as_str())]
    Unreadable {
        /// The kind of record.
        kind: RecordKind,
        /// Its id.
        id: String,
        /// The cause.
        cause: Cause,
    },
    /// The disk is full or failing, so nothing is written until it recovers.
    #[error("the store is read-only: {reason}; it resumes by itself once the disk takes writes again")]
    ReadOnly {
        /// The error of the disk.
        reason: String,
    },
    /// The database does not respond, so no request is served until it does.
    #[error("the database is unavailable: {reason}; try again in a moment")]
    Unavailable {
        /// The reason, as far as known.
        reason: String,
    },
    /// The home can't be used.
    #[error(transparent)]
    Home(#[from] crate::home::HomeError),
    /// A later release wrote the database.
    #[error(
        "{path} has schema {found}, but this release knows only {known}; update this program, nothing was changed"
    )]
    Newer {
        /// The database file or address.
        path: PathBuf,
        /// Its schema version.
        found: u32,
        /// The newest schema version this release knows.
        known: u32,
    },
    /// The database reported an error.
    #[error("the database {path} refused to {action}: {source}")]
    Database {
        /// The database file or address.
        path: PathBuf,
        /// The operation that failed.
        action: &'static str,
        /// The database's error.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A value in the database was not written by this program.
    #[error("{what} in {path} was not written by this program; see `selfhood doctor`")]
    Malformed {
        /// The database file or address.
        path: PathBuf,
        /// The value.
        what: &'static str,
    },
    /// A document can't be read or written.
    #[error("the document {name} {problem}")]
    Document {
        /// The document's name.
        name: DocumentName,
        /// The problem, and the way out.
        problem: &'static str,
    },
    /// The file system reported an error.
    #[error("could not {action} {path}: {source}")]
    Io {
        /// The operation that failed.
        action: &'static str,
        /// The file concerned.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The wrapping keys can't be read or created.
    #[error(transparent)]
    Keys(#[from] KeyDirectoryError),
    /// The keyring can't be read or changed.
    #[error(transparent)]
    Keyring(#[from] KeyringError),
    /// The keys could not be rotated.
    #[error(transparent)]
    Rotation(#[from] RotationError),
    /// The batch was part of a group commit that failed.
    #[error("nothing was written: {0}")]
    NotKept(String),
    /// The copy differs from its source.
    #[error("the copy differs in {what}; the source is unchanged, empty the target and copy again")]
    CopyDiffers {
        /// What differs.
        what: String,
    },
    /// Sealing, signing or hashing failed.
    #[error("a cryptographic operation failed: {0}")]
    Vault(String),
    /// The store was closed.
    #[error("the store is closed")]
    Closed,
}

/// A precondition of a batch that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Conflict {
    /// The timeline was appended to.
    #[error("the timeline is at {found}, not at {expected}; read it again")]
    TimelineMoved {
        /// The number the batch expected.
        expected: u64,
        /// The current number.
        found: u64,
    },
    /// The entry was superseded.
    #[error("timeline entry {0} was superseded")]
    EntrySuperseded(TimelineId),
    /// An entry with this id exists.
    #[error("timeline entry {0} exists already")]
    EntryExists(TimelineId),
    /// An atom with this id exists.
    #[error("memory {0} exists already; use another id")]
    AtomExists(MemoryId),
    /// The id belongs to a destroyed atom.
    #[error("memory {0} was forgotten; its id can't be used again")]
    AtomForgotten(MemoryId),
    /// The atom has another status.
    #[error("memory {id} is {found:?} by now")]
    AtomStatus {
        /// The atom's id.
        id: MemoryId,
        /// Its current status.
        found: RedactionStatus,
    },
    /// The atom changed.
    #[error("memory {id} changed at revision {found}; read it again")]
    AtomChanged {
        /// The atom's id.
        id: MemoryId,
        /// The revision that last changed it.
        found: u64,
    },
    /// A turn was added in between.
    #[error("the session has {found} turns by now, not {expected}; read it again")]
    SessionMoved {
        /// The length the batch expected.
        expected: u32,
        /// The current length.
        found: u32,
    },
    /// A turn was edited or deleted in between.
    #[error("turn {0} was edited or deleted meanwhile; read the conversation again")]
    TurnReplaced(TurnId),
    /// A session can't change its subject, and a turn can't be stored twice.
    #[error("the {} exists already, with other content", kind.as_str())]
    RecordDiffers {
        /// The kind of record.
        kind: RecordKind,
    },
    /// The document was changed in between, perhaps by hand.
    #[error("the document {0} changed since it was read; read it again")]
    DocumentChanged(DocumentName),
    /// Both subjects have a document with this name.
    #[error("both subjects have a document {0}; write one from both and remove the other first")]
    DocumentsCollide(DocumentName),
    /// The request was answered already.
    #[error("a request with this key was answered already")]
    RequestAnswered,
    /// The persona changed.
    #[error("the persona is at revision {found}, not {expected}; read it again")]
    RevisionMoved {
        /// The revision the batch expected.
        expected: u64,
        /// The current revision.
        found: u64,
    },
    /// The name is taken.
    #[error("tenant `{tenant}` already has a persona `{name}`; choose another name")]
    NameTaken {
        /// The tenant.
        tenant: TenantName,
        /// The name.
        name: PersonaName,
    },
    /// The id is taken.
    #[error("persona {0} exists already")]
    PersonaExists(Scope),
    /// Another process runs the job, or has run it.
    #[error("another process runs the job {0}, or has run it")]
    JobTaken(JobKey),
    /// An API key with this public id exists.
    #[error("an API key with public id {0} exists already; use another")]
    KeyExists(String),
}
