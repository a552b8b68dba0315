//! What can go wrong, with ids and the way out, and never a word of a memory.

use std::io;
use std::path::PathBuf;

use domain::{MemoryId, PersonaName, RedactionStatus, TenantName, TimelineId};
use vault::key_directory::KeyDirectoryError;
use vault::keyring::KeyringError;
use vault::rotation::RotationError;

use crate::document::DocumentName;
use crate::freshness::{Cause, RecordKind};
use crate::job::JobKey;
use crate::scope::Scope;

/// Why the store did not do what it was asked. Nothing of a refused batch was kept.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is no such persona.
    #[error("no persona {0}; see `selfhood persona list`")]
    NoPersona(Scope),
    /// There is no such tenant.
    #[error("no tenant `{0}`")]
    NoTenant(TenantName),
    /// There is no such record.
    #[error("no {} {id}", kind.as_str())]
    NotFound {
        /// What sort of record.
        kind: RecordKind,
        /// Which.
        id: String,
    },
    /// What the decision rests on no longer holds.
    #[error(transparent)]
    Conflict(#[from] Conflict),
    /// A change that the audit log must tell of came without its event.
    #[error("the change of {id} needs a `{event}` event in the same batch")]
    Unaudited {
        /// What was to change.
        id: String,
        /// The event that is missing.
        event: &'static str,
    },
    /// A record is there and can't be opened.
    #[error("{} {id} can't be read: {}; see `selfhood doctor`", kind.as_str(), cause.as_str())]
    Unreadable {
        /// What sort of record.
        kind: RecordKind,
        /// Which.
        id: String,
        /// Why.
        cause: Cause,
    },
    /// The disk is full or failing, so nothing is written until it is well again.
    #[error("the store is read-only: {reason}; it resumes by itself once the disk takes writes again")]
    ReadOnly {
        /// What the disk said.
        reason: String,
    },
    /// The database does not answer, so nothing is answered until it does.
    #[error("the database is away: {reason}; try again in a moment")]
    Unavailable {
        /// What is known of it.
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
        /// Which database.
        path: PathBuf,
        /// Its schema.
        found: u32,
        /// The newest schema known here.
        known: u32,
    },
    /// The database refused.
    #[error("the database {path} refused to {action}: {source}")]
    Database {
        /// Which database.
        path: PathBuf,
        /// What was tried.
        action: &'static str,
        /// What it said.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// Something in the database is not what this program writes.
    #[error("{what} in {path} is not what this program writes; see `selfhood doctor`")]
    Malformed {
        /// Which database.
        path: PathBuf,
        /// What.
        what: &'static str,
    },
    /// A document can't be read or written.
    #[error("the document {name} {problem}")]
    Document {
        /// Which.
        name: DocumentName,
        /// What is wrong with it, and what to do.
        problem: &'static str,
    },
    /// The file system refused.
    #[error("could not {action} {path}: {source}")]
    Io {
        /// What was tried.
        action: &'static str,
        /// On which file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The keys can't be read or made.
    #[error(transparent)]
    Keys(#[from] KeyDirectoryError),
    /// The keyring can't be read or changed.
    #[error(transparent)]
    Keyring(#[from] KeyringError),
    /// The keys could not be rotated.
    #[error(transparent)]
    Rotation(#[from] RotationError),
    /// The batch was to be committed together with others, and that commit failed.
    #[error("nothing was kept: {0}")]
    NotKept(String),
    /// What was copied is not what there was to copy.
    #[error(
        "the copy differs in {what}; nothing was removed from where it came, make the target anew and copy again"
    )]
    CopyDiffers {
        /// In what.
        what: String,
    },
    /// Something could not be sealed, signed or hashed.
    #[error("the vault refused: {0}")]
    Vault(String),
    /// The store was closed.
    #[error("the store is closed")]
    Closed,
}

/// What a decision rests on, and no longer holds.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Conflict {
    /// Somebody appended to the timeline.
    #[error("the timeline is at {found}, not at {expected}; read it again")]
    TimelineMoved {
        /// The number the decision rests on.
        expected: u64,
        /// The number it is at.
        found: u64,
    },
    /// The entry was superseded.
    #[error("timeline entry {0} was superseded")]
    EntrySuperseded(TimelineId),
    /// The entry is there already.
    #[error("timeline entry {0} exists already")]
    EntryExists(TimelineId),
    /// The id is taken.
    #[error("memory {0} exists already; draw another id")]
    AtomExists(MemoryId),
    /// The id is that of something forgotten.
    #[error("memory {0} was forgotten and can't come back")]
    AtomForgotten(MemoryId),
    /// The atom has another status.
    #[error("memory {id} is {found:?} by now")]
    AtomStatus {
        /// Which atom.
        id: MemoryId,
        /// The status it has.
        found: RedactionStatus,
    },
    /// The atom changed.
    #[error("memory {id} changed at revision {found}; read it again")]
    AtomChanged {
        /// Which atom.
        id: MemoryId,
        /// When it last changed.
        found: u64,
    },
    /// Something was said in between.
    #[error("the session has {found} turns by now, not {expected}; read it again")]
    SessionMoved {
        /// The length the decision rests on.
        expected: u32,
        /// The length it has.
        found: u32,
    },
    /// A session can't change hands, or a turn be kept twice.
    #[error("the {} exists already, and is another one", kind.as_str())]
    RecordDiffers {
        /// What sort of record.
        kind: RecordKind,
    },
    /// The document was written in between, perhaps by hand.
    #[error("the document {0} changed since it was read; read it again")]
    DocumentChanged(DocumentName),
    /// Both people have a document of this name.
    #[error("both subjects have a document {0}; write one from both and remove the other first")]
    DocumentsCollide(DocumentName),
    /// The request was answered before.
    #[error("a request with this key was answered already")]
    RequestAnswered,
    /// Something changed.
    #[error("the persona is at revision {found}, not {expected}; read it again")]
    RevisionMoved {
        /// The revision the decision rests on.
        expected: u64,
        /// The revision it is at.
        found: u64,
    },
    /// The name is taken.
    #[error("tenant `{tenant}` already has a persona `{name}`; choose another name")]
    NameTaken {
        /// Whose persona.
        tenant: TenantName,
        /// Which name.
        name: PersonaName,
    },
    /// The id is taken.
    #[error("persona {0} exists already")]
    PersonaExists(Scope),
    /// Somebody else runs the job, or has run it.
    #[error("the job {0} is being run by somebody else, or was")]
    JobTaken(JobKey),
    /// The key's public id is taken.
    #[error("an API key with public id {0} exists already; draw another")]
    KeyExists(String),
}
