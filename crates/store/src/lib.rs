//! Sealed, durable storage for personas.
//!
//! A write is a [`Batch`]: preconditions, changes and audit events, committed as a whole or refused as a
//! whole. The store knows nothing of ranking, and every call names a tenant and a persona. Read in this
//! order: [`Scope`], [`Batch`] and [`Destruction`], then the four traits [`Records`], [`Deployment`],
//! [`Documents`] and [`Upkeep`], then `sql.rs` with what is the
//! same in both databases, then the databases. Only `sqlite/` and `postgres/` contain SQL.

mod scope;
mod broken;
mod private;
mod atom;
mod conversation;
mod trace;
mod subject;
mod request;
mod tombstone;
mod erasure;
mod job;
mod document;
mod checkpoint;
mod batch;
mod destruction;
mod freshness;
mod error;
mod problem;
mod records;
mod deployment;
mod documents;
mod upkeep;
mod audit;
pub mod home;
mod code;
mod payload;
mod row;
mod sealing;
mod sql;
mod memory;
mod sqlite;
mod postgres;
mod store;
mod dump;
mod copy;
mod place;
pub mod residue;

pub use atom::{Mark, NewVectors, Rewording, StoredAtom, Vector};
pub use audit::log_origin;
pub use batch::{Batch, Change, EventDraft, Expect, Expiry, NewAtom, Receipt, Superseding};
pub use checkpoint::SignedCheckpoint;
pub use conversation::{
    ExchangeId, Formation, FormationResult, NotKept, Passage, Session, SessionCheckpoint, Speaker, Turn,
    TurnId, TurnMark, TurnState, Withheld,
};
pub use copy::{CopyProgress, CopyReport, copy};
pub use deployment::{
    ApiKey, Decision, Deletion, Deployment, DeploymentChange, KeyBounds, NewPersona, PersonaEntry, Tenant,
};
pub use destruction::{Destruction, Merge, Remains, Target};
pub use document::{Day, Document, DocumentClass, DocumentHash, DocumentName, NotADocument};
pub use documents::Documents;
pub use dump::dump;
pub use erasure::ErasureRecord;
pub use error::{Conflict, StoreError};
pub use freshness::{Cause, Freshness, LoadedRecords, RecordKind, Revisions, Unreadable};
pub use job::{Job, JobKey, JobLease, JobName, JobOutcome, JobPause, JobRun, NotAJob};
pub use memory::Memory;
pub use place::{Content, Erasure, Holds, Place, Scan, database_places, home_places, place_of_file};
pub use postgres::{Eviction, Partitions, Postgres, PostgresOptions, ServerSettings};
pub use private::{PrivateJson, WrittenJson};
pub use problem::key_problem;
pub use records::{LoggedEvent, Records, Stored};
pub use request::{AnsweredRequest, RequestTag};
pub use scope::Scope;
pub use sqlite::{Adoption, Folder, FolderState, Sqlite, SqliteOptions, check_schemas};
pub use store::Store;
pub use subject::Subject;
pub use tombstone::{EntryTombstone, RecordId, Tombstone};
pub use trace::Trace;
pub use upkeep::{Due, Health, Integrity, KeyStatus, Upkeep};
