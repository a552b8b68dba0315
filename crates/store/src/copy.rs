//! Copies everything from one store into another: records are opened in the source, re-sealed in the
//! target, and compared at the end.
//!
//! A persona is copied as a whole or not at all, so an interrupted copy is resumed by asking for it again.
//! Revisions, numbers, times and audit logs stay identical, down to the signed roots; only keys and nonces
//! are new.

use domain::{AuditEvent, MemoryId, PersonaId, Rehearsal, SubjectRef, Text, Timestamp};
use std::collections::BTreeMap;
use vault::canonical::canonicalize_serializable;

use crate::atom::{NewVectors, Vector};
use crate::audit::{PrivatePart, vault_error};
use crate::checkpoint::SignedCheckpoint;
use crate::conversation::{Session, Turn};
use crate::deployment::{ApiKey, Deployment, PersonaEntry, Tenant};
use crate::document::DocumentName;
use crate::documents::Documents;
use crate::dump::dump;
use crate::erasure::ErasureRecord;
use crate::error::StoreError;
use crate::freshness::LoadedRecords;
use crate::job::Job;
use crate::records::{Records, Stored};
use crate::request::{AnsweredRequest, RequestTag};
use crate::scope::Scope;
use crate::store::Store;
use crate::subject::Subject;
use crate::tombstone::RecordId;
use crate::trace::Trace;
use crate::upkeep::Upkeep;

/// Progress of a copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CopyProgress {
    /// The persona that was just copied, or was found to be copied already.
    pub persona: PersonaEntry,
    /// How many personas are done, this one included.
    pub done: usize,
    /// How many personas there are in total.
    pub of: usize,
    /// Whether an earlier copy had copied it already.
    pub was_there: bool,
}

/// The totals of a finished copy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CopyReport {
    /// Number of tenants.
    pub tenants: usize,
    /// Number of personas.
    pub personas: usize,
    /// Number of memories.
    pub memories: usize,
    /// Number of audit log lines.
    pub events: usize,
}

/// All data of one persona, opened.
pub(crate) struct PersonaRecords {
    pub(crate) entry: PersonaEntry,
    pub(crate) loaded: LoadedRecords,
    pub(crate) vectors: Vec<(RecordId, Vector)>,
    pub(crate) rehearsals: Vec<(MemoryId, Vec<Rehearsal>)>,
    pub(crate) subjects: Vec<Subject>,
    pub(crate) sessions: Vec<(Session, Vec<Turn>)>,
    pub(crate) traces: Vec<Trace>,
    pub(crate) subject_documents: Vec<(SubjectRef, DocumentName, Text)>,
    pub(crate) documents: Vec<(DocumentName, Text)>,
    pub(crate) requests: Vec<AnsweredRequest>,
    pub(crate) lines: Vec<Line>,
    pub(crate) checkpoints: Vec<SignedCheckpoint>,
}

/// The vectors as input for the target store, where every record is already at `revision`.
pub(crate) fn imported_vectors(vectors: Vec<(RecordId, Vector)>, revision: u64) -> Vec<NewVectors> {
    let arriving = |(record, vectors)| NewVectors { record, read_at: revision, vectors };
    vectors.into_iter().map(arriving).collect()
}

/// A line of a log with its private part, as far as that can still be opened, and the owner of the key that
/// sealed it.
pub(crate) struct Line {
    pub(crate) event: AuditEvent,
    pub(crate) part: Option<(Option<SubjectRef>, PrivatePart)>,
}

impl Line {
    /// The line's bytes as they were hashed.
    pub(crate) fn body(&self) -> Stored<String> {
        let body = canonicalize_serializable(&self.event).map_err(vault_error)?;
        String::from_utf8(body).map_err(vault_error)
    }

    /// When it was written.
    pub(crate) fn at(&self) -> Timestamp {
        Timestamp::from_millis(self.event.ts)
    }
}

/// The deployment's records of one tenant.
pub(crate) struct TenantRecords {
    pub(crate) tenant: Tenant,
    pub(crate) keys: Vec<ApiKey>,
    pub(crate) settings: Vec<(String, String)>,
    pub(crate) erasures: Vec<ErasureRecord>,
    pub(crate) erased: BTreeMap<RequestTag, Timestamp>,
    pub(crate) jobs: Vec<Job>,
    pub(crate) published: Vec<(PersonaId, SignedCheckpoint)>,
    pub(crate) channels: Option<Text>,
}

/// Copies everything of `from` into `to`, which must hold nothing else, and compares the two.
pub async fn copy(
    from: &Store,
    to: &Store,
    mut report_progress: impl FnMut(CopyProgress),
) -> Stored<CopyReport> {
    let tenants = from.tenants().await?;
    let mut personas = Vec::new();
    for tenant in &tenants {
        to.import_tenant(tenant).await?;
        personas.extend(from.personas(&tenant.name).await?);
    }
    let mut report = CopyReport { tenants: tenants.len(), personas: personas.len(), ..CopyReport::default() };
    for (number, persona) in personas.iter().enumerate() {
        let was_there = to.personas(&persona.tenant).await?.contains(persona);
        if !was_there {
            to.import_persona(gather(from, persona).await?).await?;
        }
        let (memories, events) = compare(from, to, &persona.scope()).await?;
        report.memories += memories;
        report.events += events;
        report_progress(CopyProgress {
            persona: persona.clone(),
            done: number + 1,
            of: personas.len(),
            was_there,
        });
    }
    for tenant in tenants {
        to.import_tenant_records(tenant_records(from, tenant).await?).await?;
    }
    let lines = from.deployment_lines().await?;
    report.events += lines.len();
    to.import_log(lines, from.deployment_checkpoints().await?).await?;
    compare_deployments(from, to).await?;
    Ok(report)
}

async fn gather(from: &Store, entry: &PersonaEntry) -> Stored<PersonaRecords> {
    let scope = entry.scope();
    let loaded = from.load(&scope).await?;
    if let Some(lost) = loaded.unreadable.first() {
        let (kind, id, cause) = (lost.kind, lost.id.clone(), lost.cause);
        return Err(StoreError::Unreadable { kind, id, cause });
    }
    let mut rehearsals = Vec::new();
    for stored in loaded.atoms.iter().filter(|stored| stored.atom.rehearsal_count > 0) {
        rehearsals.push((stored.atom.id, from.rehearsals(&scope, stored.atom.id).await?));
    }
    let subjects = from.subjects(&scope).await?;
    let mut subject_documents = Vec::new();
    for subject in subjects.iter().map(|known| &known.subject) {
        for name in from.subject_documents(&scope, subject).await? {
            if let Some(found) = from.subject_document(&scope, subject, name).await? {
                subject_documents.push((subject.clone(), name, found.content));
            }
        }
    }
    let mut sessions = Vec::new();
    for session in from.sessions(&scope, None).await? {
        let turns = from.turns(&scope, &session.id).await?;
        sessions.push((session, turns));
    }
    Ok(PersonaRecords {
        entry: entry.clone(),
        loaded,
        vectors: from.all_vectors(&scope).await?,
        rehearsals,
        subjects,
        sessions,
        traces: from.traces(&scope).await?,
        subject_documents,
        documents: documents(from, &scope).await?,
        requests: from.requests(&scope).await?,
        lines: from.persona_lines(&scope).await?,
        checkpoints: from.checkpoints(&scope).await?,
    })
}

/// A persona's documents without its day logs, which are derived from the conversation records.
async fn documents(store: &Store, scope: &Scope) -> Stored<Vec<(DocumentName, Text)>> {
    let mut documents = Vec::new();
    for name in store.list(scope).await? {
        if matches!(name, DocumentName::DayLog(_)) {
            continue;
        }
        if let Some(found) = store.read(scope, name).await? {
            documents.push((name, found.content));
        }
    }
    Ok(documents)
}

async fn tenant_records(from: &Store, tenant: Tenant) -> Stored<TenantRecords> {
    let name = &tenant.name;
    Ok(TenantRecords {
        keys: from.api_keys(name).await?,
        settings: from.settings(name).await?,
        erasures: from.erasures(name).await?,
        erased: from.erased(name).await?,
        jobs: from.jobs(name).await?,
        published: from.persona_checkpoints(name).await?,
        channels: from.channels(name).await?.map(|found| found.content),
        tenant,
    })
}

/// Compares a persona in both stores: records, documents, commitments and signed roots.
async fn compare(from: &Store, to: &Store, scope: &Scope) -> Stored<(usize, usize)> {
    let (ours, theirs) = (dump(from, scope).await?, dump(to, scope).await?);
    let differs = |what| Err(StoreError::CopyDiffers { what: format!("{what} of {scope}") });
    if ours != theirs {
        return differs("records");
    }
    if documents(from, scope).await? != documents(to, scope).await? {
        return differs("documents");
    }
    let events = from.events(scope, 0..u64::MAX).await?;
    if events != to.events(scope, 0..u64::MAX).await? {
        return differs("the log");
    }
    if from.checkpoints(scope).await? != to.checkpoints(scope).await? {
        return differs("checkpoints");
    }
    if !to.integrity(scope).await?.is_whole() {
        return differs("the integrity");
    }
    let memories = ours.get("atoms").and_then(serde_json::Value::as_array).map_or(0, Vec::len);
    Ok((memories, events.len()))
}

async fn compare_deployments(from: &Store, to: &Store) -> Stored<()> {
    let differs = |what: &str| Err(StoreError::CopyDiffers { what: what.to_owned() });
    if from.deployment_events(0..u64::MAX).await? != to.deployment_events(0..u64::MAX).await? {
        return differs("the deployment's log");
    }
    for tenant in from.tenants().await? {
        let name = &tenant.name;
        if from.api_keys(name).await? != to.api_keys(name).await? {
            return differs("the API keys");
        }
        if from.erasures(name).await? != to.erasures(name).await?
            || from.erased(name).await? != to.erased(name).await?
        {
            return differs("the requests to be forgotten");
        }
        if from.jobs(name).await? != to.jobs(name).await? {
            return differs("the jobs");
        }
    }
    if to.deployment_integrity().await?.is_whole() { Ok(()) } else { differs("the deployment's integrity") }
}

/// Dispatches to the database behind each store; the in-memory reference can't be copied.
macro_rules! ask_databases {
    ($(fn $verb:ident(&self $(, $argument:ident: $kind:ty)*) -> $answer:ty;)+) => {
        impl Store {
            $(async fn $verb(&self $(, $argument: $kind)*) -> $answer {
                match self {
                    Self::Sqlite(store) => store.$verb($($argument),*).await,
                    Self::Postgres(store) => store.$verb($($argument),*).await,
                    Self::Memory(_) => {
                        Err(StoreError::CopyDiffers { what: "the reference store, which keeps nothing".to_owned() })
                    }
                }
            })+
        }
    };
}

ask_databases! {
    fn import_tenant(&self, tenant: &Tenant) -> Stored<()>;
    fn persona_lines(&self, scope: &Scope) -> Stored<Vec<Line>>;
    fn deployment_lines(&self) -> Stored<Vec<Line>>;
    fn settings(&self, tenant: &domain::TenantName) -> Stored<Vec<(String, String)>>;
    fn import_persona(&self, persona_records: PersonaRecords) -> Stored<()>;
    fn import_tenant_records(&self, tenant_records: TenantRecords) -> Stored<()>;
    fn import_log(&self, lines: Vec<Line>, checkpoints: Vec<SignedCheckpoint>) -> Stored<()>;
}
