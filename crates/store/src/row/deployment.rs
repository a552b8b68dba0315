//! The columns of the deployment's own records: API keys, erasure requests, and jobs.

use domain::{Deadlines, ErasureId, KeyScope, PersonaId, TenantName, Timestamp};
use uuid::Uuid;

use crate::code::Coded;
use crate::deployment::{ApiKey, KeyBounds, Tenant};
use crate::erasure::ErasureRecord;
use crate::error::StoreError;
use crate::freshness::{Cause, RecordKind, Unreadable};
use crate::job::{Job, JobKey, JobLease, JobRun};
use crate::payload::{self, Plain};
use crate::private::PrivateJson;
use crate::records::Stored;
use crate::request::RequestTag;
use crate::sealing::RecordName;
use crate::sql::{Row, Value, columns, unreadable};

/// A tenant; `None` if the row was not written by this program.
pub(crate) fn tenant_row(row: &Row<'_>) -> Stored<Option<Tenant>> {
    let name: String = row.get(0)?;
    let created_at = Timestamp::from_millis(row.get(1)?);
    Ok(name.parse().ok().map(|name| Tenant { name, created_at }))
}

/// A stored API key.
pub(crate) struct ApiKeyRow {
    pub(crate) public_id: String,
    pub(crate) tenant: String,
    pub(crate) tag: [u8; 32],
    pub(crate) scopes: i64,
    pub(crate) speaks: i64,
    pub(crate) created_at: i64,
    pub(crate) expires_at: Option<i64>,
    pub(crate) revoked_at: Option<i64>,
    pub(crate) persona: Option<Uuid>,
    pub(crate) subject_in: Option<Uuid>,
    pub(crate) label: Option<String>,
}

impl ApiKeyRow {
    pub(crate) fn read(row: &Row<'_>) -> Stored<Self> {
        Ok(Self {
            public_id: row.get(0)?,
            tenant: row.get(1)?,
            tag: row.get(2)?,
            scopes: row.get(3)?,
            speaks: row.get(4)?,
            created_at: row.get(5)?,
            expires_at: row.get(6)?,
            revoked_at: row.get(7)?,
            persona: row.get(8)?,
            subject_in: row.get(9)?,
            label: row.get(10)?,
        })
    }

    /// Decodes the row; `None` if it was not written by this program.
    pub(crate) fn decode(self) -> Option<ApiKey> {
        let set = self.scopes;
        Some(ApiKey {
            public_id: self.public_id,
            tenant: self.tenant.parse().ok()?,
            tag: RequestTag(self.tag),
            scopes: KeyScope::ALL.into_iter().filter(|scope| set & 1 << scope.code() != 0).collect(),
            speaks: Coded::from_code(self.speaks)?,
            created_at: Timestamp::from_millis(self.created_at),
            expires_at: self.expires_at.map(Timestamp::from_millis),
            revoked_at: self.revoked_at.map(Timestamp::from_millis),
            bounds: KeyBounds {
                persona: self.persona.map(PersonaId),
                subject_in: self.subject_in.map(PersonaId),
                label: self.label,
            },
        })
    }
}

/// The columns of a key after its tenant, without its bounds. Its scopes are one bit each.
pub(crate) fn key_columns(key: &ApiKey) -> Vec<Value> {
    let scopes: i64 = key.scopes.iter().fold(0, |set, scope| set | 1 << scope.code());
    columns![
        key.public_id.as_str(),
        key.tag.0,
        scopes,
        key.speaks.code(),
        key.created_at.as_millis(),
        key.expires_at.map(Timestamp::as_millis),
        key.revoked_at.map(Timestamp::as_millis),
    ]
}

/// The columns of the bounds of a key.
pub(crate) fn bounds_columns(bounds: &KeyBounds) -> Vec<Value> {
    let KeyBounds { persona, subject_in, label } = bounds;
    columns![persona.map(|id| id.0), subject_in.map(|id| id.0), label.clone()]
}

/// A stored erasure request, before its sealed part is opened.
pub(crate) struct ErasureRow {
    pub(crate) id: Uuid,
    pub(crate) tenant: String,
    pub(crate) status: i64,
    /// When it was received, by when it must be acknowledged and completed, and when it last changed.
    pub(crate) times: [i64; 4],
    pub(crate) progress: String,
    pub(crate) key: Option<i64>,
    pub(crate) sealed: Option<Vec<u8>>,
}

/// The columns of an erasure request after its tenant; its private part is sealed with the key numbered `key`.
pub(crate) fn erasure_columns(
    erasure: &ErasureRecord,
    key: Option<i64>,
    sealed: Option<Vec<u8>>,
) -> Vec<Value> {
    let ErasureRecord { id, status, deadlines, changed_at, progress, .. } = erasure;
    columns![
        id.0,
        status.code(),
        deadlines.received_at.as_millis(),
        deadlines.acknowledge_by.as_millis(),
        deadlines.complete_by.as_millis(),
        changed_at.as_millis(),
        progress.to_string(),
        key,
        sealed,
    ]
}

impl ErasureRow {
    pub(crate) fn read(row: &Row<'_>) -> Stored<Self> {
        Ok(Self {
            id: row.get(0)?,
            tenant: row.get(1)?,
            status: row.get(2)?,
            times: [row.get(3)?, row.get(4)?, row.get(5)?, row.get(6)?],
            progress: row.get(7)?,
            key: row.get(8)?,
            sealed: row.get(9)?,
        })
    }

    /// The request with its private part, which `open` opens. One that can't be opened is left out and reported.
    pub(crate) fn opened(
        self,
        malformed: impl Fn() -> StoreError,
        open: impl FnOnce(&TenantName, i64, RecordName<'_>, &[u8]) -> Stored<Result<Plain, Cause>>,
    ) -> Stored<(ErasureRecord, Option<Unreadable>)> {
        let mut erasure = self.open_part().ok_or_else(&malformed)?;
        let Some((key, sealed)) = self.key.zip(self.sealed) else { return Ok((erasure, None)) };
        let id = erasure.id.to_string();
        match open(&erasure.tenant, key, RecordName(RecordKind::Erasure, &id), &sealed)? {
            Ok(plain) => {
                let private: Option<PrivateJson> = payload::decode(&plain);
                erasure.private = Some(private.ok_or_else(malformed)?);
                Ok((erasure, None))
            }
            Err(cause) => Ok((erasure, Some(unreadable(RecordKind::Erasure, id, cause)))),
        }
    }

    /// Decodes the request without its private part; `None` if the row was not written by this program.
    fn open_part(&self) -> Option<ErasureRecord> {
        let [received_at, acknowledge_by, complete_by, changed_at] = self.times.map(Timestamp::from_millis);
        Some(ErasureRecord {
            id: ErasureId(self.id),
            tenant: self.tenant.parse().ok()?,
            status: Coded::from_code(self.status)?,
            deadlines: Deadlines { received_at, acknowledge_by, complete_by },
            changed_at,
            progress: serde_json::from_str(&self.progress).ok()?,
            private: None,
        })
    }
}

/// A stored job.
pub(crate) struct JobRow {
    pub(crate) persona: Uuid,
    pub(crate) name: String,
    pub(crate) schedule: String,
    pub(crate) since: i64,
    pub(crate) paused_at: Option<i64>,
    pub(crate) holder: Option<Uuid>,
    /// The due time of the leased run, and the end of the lease.
    pub(crate) lease: [Option<i64>; 2],
    /// When the last run was due, began and ended.
    pub(crate) last: [Option<i64>; 3],
    pub(crate) outcome: Option<i64>,
    pub(crate) report: Option<String>,
}

impl JobRow {
    /// Decodes the row; `None` if it was not written by this program.
    pub(crate) fn decode(self) -> Option<Job> {
        let [due, until] = self.lease.map(|at| at.map(Timestamp::from_millis));
        let lease = self.holder.zip(due).zip(until);
        let last = match self.last.map(|at| at.map(Timestamp::from_millis)) {
            [None, ..] => None,
            [Some(due), started_at, finished_at] => Some(JobRun {
                due,
                started_at: started_at?,
                finished_at: finished_at?,
                outcome: Coded::from_code(self.outcome?)?,
                report: serde_json::from_str(&self.report?).ok()?,
            }),
        };
        Some(Job {
            key: JobKey { persona: PersonaId(self.persona), name: self.name.parse().ok()? },
            schedule: self.schedule,
            since: Timestamp::from_millis(self.since),
            paused_at: self.paused_at.map(Timestamp::from_millis),
            lease: lease.map(|((holder, due), until)| JobLease { holder, due, until }),
            last,
        })
    }
}
