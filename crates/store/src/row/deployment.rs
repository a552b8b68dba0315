//! The columns of the deployment's own records: API keys, erasure requests, and jobs.

use domain::{Deadlines, ErasureId, KeyScope, PersonaId, Timestamp};
use uuid::Uuid;

use crate::code::Coded;
use crate::deployment::{ApiKey, KeyBounds};
use crate::erasure::ErasureRecord;
use crate::job::{Job, JobKey, JobLease, JobRun};
use crate::request::RequestTag;

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

/// The scopes of a key as stored in its column: one bit each.
pub(crate) fn scope_bits(scopes: &[KeyScope]) -> i64 {
    scopes.iter().fold(0, |set, scope| set | 1 << scope.code())
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

impl ErasureRow {
    /// Decodes the request without its private part; `None` if the row was not written by this program.
    pub(crate) fn open_part(&self) -> Option<ErasureRecord> {
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
