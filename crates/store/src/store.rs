//! The store of a deployment: one of several, chosen when the program starts.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::pin::Pin;

use domain::{
    ErasureId, MemoryId, PersonaId, PersonaName, RecallId, Rehearsal, SessionId, SubjectRef, TenantName,
    Text, TimelineEntry, Timestamp,
};

use crate::atom::{StoredAtom, Vector};
use crate::batch::{Batch, Receipt};
use crate::checkpoint::SignedCheckpoint;
use crate::conversation::{Session, Turn, TurnId};
use crate::deployment::{ApiKey, Decision, Deletion, Deployment, NewPersona, PersonaEntry, Tenant};
use crate::destruction::{Destruction, Merge};
use crate::document::{Document, DocumentHash, DocumentName};
use crate::documents::Documents;
use crate::erasure::ErasureRecord;
use crate::freshness::{Freshness, LoadedRecords, Revisions};
use crate::job::Job;
use crate::memory::Memory;
use crate::place::{Content, Place, database_places, home_places};
use crate::postgres::Postgres;
use crate::records::{LoggedEvent, Records, Stored};
use crate::request::{AnsweredRequest, RequestTag};
use crate::scope::Scope;
use crate::sqlite::Sqlite;
use crate::subject::Subject;
use crate::tombstone::{RecordId, Tombstone};
use crate::trace::Trace;
use crate::upkeep::{Due, Health, Integrity, KeyStatus, Upkeep};
use vault::key_directory::KeyDirectory;

/// A store. Which kind it is, is decided once; its users need not know.
#[derive(Clone, Debug)]
pub enum Store {
    /// A home on disk: a database per persona, documents as files.
    Sqlite(Sqlite),
    /// Rows in a database shared by many nodes.
    Postgres(Postgres),
    /// Plain maps, for tests.
    Memory(Memory),
}

impl Store {
    /// The key directory; the in-memory reference has none.
    #[must_use]
    pub fn key_directory(&self) -> Option<&KeyDirectory> {
        match self {
            Self::Sqlite(store) => Some(store.key_directory()),
            Self::Postgres(store) => Some(store.key_directory()),
            Self::Memory(_) => None,
        }
    }

    /// The register of every place where personal data is stored.
    #[must_use]
    pub fn places(&self) -> Vec<&'static Place> {
        match self {
            Self::Postgres(_) => database_places().collect(),
            Self::Sqlite(_) | Self::Memory(_) => home_places().collect(),
        }
    }

    /// The place where this content is stored, by its name in the register.
    #[must_use]
    pub const fn place_of(&self, content: Content) -> &'static str {
        match self {
            Self::Postgres(_) => content.in_database(),
            Self::Sqlite(_) | Self::Memory(_) => content.in_home(),
        }
    }

    /// Whether other nodes change the same records, so that a cache must be checked before use.
    #[must_use]
    pub const fn is_shared(&self) -> bool {
        match self {
            Self::Postgres(_) => true,
            Self::Sqlite(_) | Self::Memory(_) => false,
        }
    }
}

/// Implements a trait by dispatching to the store's kind.
///
/// The future is boxed here and not by `async fn`, so that the code of a store is compiled in this crate only:
/// the body of an `async fn` is compiled again in every crate that awaits it.
macro_rules! ask_either {
    ($life:lifetime $trait:ident { $(fn $verb:ident(&self $(, $argument:ident: $kind:ty)*) -> $answer:ty;)+ }) => {
        impl $trait for Store {
            $(fn $verb<$life>(&$life self $(, $argument: $kind)*) -> impl Future<Output = $answer> + Send + $life {
                let answer: Pin<Box<dyn Future<Output = $answer> + Send + $life>> = match self {
                    Self::Sqlite(store) => Box::pin(store.$verb($($argument),*)),
                    Self::Postgres(store) => Box::pin(store.$verb($($argument),*)),
                    Self::Memory(store) => Box::pin(store.$verb($($argument),*)),
                };
                answer
            })+
        }
    };
}

ask_either! { 'a Records {
    fn commit(&self, scope: &'a Scope, batch: Batch) -> Stored<Receipt>;
    fn destroy(&self, scope: &'a Scope, what: Destruction) -> Stored<Receipt>;
    fn merge(&self, scope: &'a Scope, merge: Merge) -> Stored<Receipt>;
    fn revision(&self, scope: &'a Scope) -> Stored<u64>;
    fn revisions(&self, scope: &'a Scope) -> Stored<Revisions>;
    fn load(&self, scope: &'a Scope) -> Stored<LoadedRecords>;
    fn timeline(&self, scope: &'a Scope) -> Stored<(Vec<TimelineEntry>, Vec<Tombstone>)>;
    fn changes_since(&self, scope: &'a Scope, revision: u64) -> Stored<Freshness>;
    fn atoms(&self, scope: &'a Scope, ids: &'a [MemoryId]) -> Stored<Vec<StoredAtom>>;
    fn all_vectors(&self, scope: &'a Scope) -> Stored<Vec<(RecordId, Vector)>>;
    fn vectors(&self, scope: &'a Scope, records: &'a [RecordId]) -> Stored<Vec<(RecordId, Vector)>>;
    fn rehearsals(&self, scope: &'a Scope, id: MemoryId) -> Stored<Vec<Rehearsal>>;
    fn subjects(&self, scope: &'a Scope) -> Stored<Vec<Subject>>;
    fn sessions(&self, scope: &'a Scope, subject: Option<&'a SubjectRef>) -> Stored<Vec<Session>>;
    fn session(&self, scope: &'a Scope, id: &'a SessionId) -> Stored<Option<Session>>;
    fn turns(&self, scope: &'a Scope, session: &'a SessionId) -> Stored<Vec<Turn>>;
    fn unformed_turns(&self, scope: &'a Scope) -> Stored<Vec<Turn>>;
    fn turn(&self, scope: &'a Scope, id: TurnId) -> Stored<Option<Turn>>;
    fn trace(&self, scope: &'a Scope, recall: RecallId) -> Stored<Option<Trace>>;
    fn traces(&self, scope: &'a Scope) -> Stored<Vec<Trace>>;
    fn subject_document(&self, scope: &'a Scope, subject: &'a SubjectRef, name: DocumentName) -> Stored<Option<Document>>;
    fn subject_documents_named(&self, scope: &'a Scope, subject: &'a SubjectRef, names: &'a [DocumentName]) -> Stored<Vec<(DocumentName, Document)>>;
    fn subject_documents(&self, scope: &'a Scope, subject: &'a SubjectRef) -> Stored<Vec<DocumentName>>;
    fn request(&self, scope: &'a Scope, tag: RequestTag) -> Stored<Option<AnsweredRequest>>;
    fn requests(&self, scope: &'a Scope) -> Stored<Vec<AnsweredRequest>>;
    fn events(&self, scope: &'a Scope, numbers: Range<u64>) -> Stored<Vec<LoggedEvent>>;
    fn checkpoints(&self, scope: &'a Scope) -> Stored<Vec<SignedCheckpoint>>;
} }

ask_either! { 'a Deployment {
    fn decide(&self, decision: Decision) -> Stored<Receipt>;
    fn tenants(&self) -> Stored<Vec<Tenant>>;
    fn create_persona(&self, persona: NewPersona) -> Stored<Receipt>;
    fn delete_persona(&self, deletion: Deletion) -> Stored<Receipt>;
    fn personas(&self, tenant: &'a TenantName) -> Stored<Vec<PersonaEntry>>;
    fn persona_named(&self, tenant: &'a TenantName, name: &'a PersonaName) -> Stored<Option<PersonaEntry>>;
    fn persona_with_id(&self, tenant: &'a TenantName, id: PersonaId) -> Stored<Option<PersonaEntry>>;
    fn unregistered(&self) -> Stored<Vec<(TenantName, PersonaName)>>;
    fn api_key(&self, public_id: &'a str) -> Stored<Option<ApiKey>>;
    fn api_keys(&self, tenant: &'a TenantName) -> Stored<Vec<ApiKey>>;
    fn tenant_request(&self, tenant: &'a TenantName, tag: RequestTag) -> Stored<Option<AnsweredRequest>>;
    fn setting(&self, tenant: &'a TenantName, name: &'a str) -> Stored<Option<String>>;
    fn erasures(&self, tenant: &'a TenantName) -> Stored<Vec<ErasureRecord>>;
    fn erasure(&self, tenant: &'a TenantName, id: ErasureId) -> Stored<Option<ErasureRecord>>;
    fn erased(&self, tenant: &'a TenantName) -> Stored<BTreeMap<RequestTag, Timestamp>>;
    fn jobs(&self, tenant: &'a TenantName) -> Stored<Vec<Job>>;
    fn deployment_events(&self, numbers: Range<u64>) -> Stored<Vec<LoggedEvent>>;
    fn deployment_checkpoints(&self) -> Stored<Vec<SignedCheckpoint>>;
    fn persona_checkpoints(&self, tenant: &'a TenantName) -> Stored<Vec<(PersonaId, SignedCheckpoint)>>;
} }

ask_either! { 'a Documents {
    fn read(&self, scope: &'a Scope, name: DocumentName) -> Stored<Option<Document>>;
    fn write(&self, scope: &'a Scope, name: DocumentName, found: Option<DocumentHash>, content: Text) -> Stored<DocumentHash>;
    fn append(&self, scope: &'a Scope, name: DocumentName, text: Text) -> Stored<()>;
    fn remove(&self, scope: &'a Scope, name: DocumentName, found: DocumentHash) -> Stored<()>;
    fn list(&self, scope: &'a Scope) -> Stored<Vec<DocumentName>>;
    fn channels(&self, tenant: &'a TenantName) -> Stored<Option<Document>>;
} }

ask_either! { 'a Upkeep {
    fn health(&self) -> Health;
    fn integrity(&self, scope: &'a Scope) -> Stored<Integrity>;
    fn deployment_integrity(&self) -> Stored<Integrity>;
    fn checkpoint(&self, scope: &'a Scope, now: Timestamp, due: Due) -> Stored<Option<SignedCheckpoint>>;
    fn checkpoint_deployment(&self, now: Timestamp) -> Stored<()>;
    fn scrub(&self, scope: &'a Scope) -> Stored<()>;
    fn scrub_deployment(&self) -> Stored<()>;
    fn copy_records(&self, scope: &'a Scope, to: &'a Path) -> Stored<()>;
    fn copy_deployment(&self, to: &'a Path) -> Stored<()>;
    fn keys(&self, tenant: &'a TenantName) -> Stored<KeyStatus>;
    fn rotate(&self, tenant: &'a TenantName, now: Timestamp) -> Stored<KeyStatus>;
    fn lease_vectors(&self, scope: &'a Scope) -> Stored<bool>;
    fn release_vectors(&self, scope: &'a Scope) -> Stored<()>;
    fn close(&self, now: Timestamp) -> Stored<()>;
} }
