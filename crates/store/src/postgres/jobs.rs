//! Jobs in PostgreSQL. A row is locked, changed by the rules every store shares, and written back; one that another
//! node has locked is that node's.

use domain::{PersonaId, Timestamp};

use super::connection::{Row, Sql};
use super::desk::Desk;
use super::statement::tenant;
use super::value::columns;
use crate::code::Coded;
use crate::error::{Conflict, StoreError};
use crate::freshness::RecordKind;
use crate::job::{Job, JobKey, JobLease, JobRun};
use crate::records::Stored;

impl Desk {
    pub(super) async fn schedule_job(&self, key: &JobKey, schedule: &str, now: Timestamp) -> Stored<()> {
        let known = find(&self.tenant_sql(), tenant::JOB, key).await?;
        let mut job = known.unwrap_or_else(|| Job::new(key.clone(), schedule.to_owned(), now));
        job.reschedule(schedule, now);
        put(&self.tenant_sql(), &job).await
    }

    pub(super) async fn change_job(
        &self,
        key: &JobKey,
        change: impl FnOnce(&mut Job) -> Result<(), Conflict>,
    ) -> Stored<()> {
        let sql = self.tenant_sql();
        let Some(mut job) = find(&sql, tenant::HOLD_JOB, key).await? else {
            return Err(match find(&sql, tenant::JOB, key).await? {
                Some(_) => Conflict::JobTaken(key.clone()).into(),
                None => StoreError::NotFound { kind: RecordKind::Job, id: key.to_string() },
            });
        };
        change(&mut job)?;
        put(&sql, &job).await
    }

    pub(super) async fn drop_job(&self, key: &JobKey) -> Stored<()> {
        let row = columns![key.persona.0, key.name.as_str()];
        self.tenant_sql().run(tenant::DELETE_JOB, row).await.map(drop)
    }
}

async fn find(sql: &Sql<'_>, statement: &'static str, key: &JobKey) -> Stored<Option<Job>> {
    let found = sql.first(statement, columns![key.persona.0, key.name.as_str()], job).await?;
    found.map(|job| job.ok_or_else(|| sql.malformed("a job"))).transpose()
}

pub(super) async fn put(sql: &Sql<'_>, job: &Job) -> Stored<()> {
    let Job { key, schedule, since, paused_at, lease, last } = job;
    let row = columns![
        key.persona.0,
        key.name.as_str(),
        schedule.as_str(),
        since.as_millis(),
        paused_at.map(Timestamp::as_millis),
        lease.as_ref().map(|lease| lease.holder),
        lease.as_ref().map(|lease| lease.due.as_millis()),
        lease.as_ref().map(|lease| lease.until.as_millis()),
        last.as_ref().map(|last| last.due.as_millis()),
        last.as_ref().map(|last| last.started_at.as_millis()),
        last.as_ref().map(|last| last.finished_at.as_millis()),
        last.as_ref().map(|last| last.outcome.code()),
        last.as_ref().map(|last| last.report.to_string()),
    ];
    sql.run(tenant::PUT_JOB, row).await.map(drop)
}

/// A job as its row tells of it; nothing if the row is not what this program writes.
pub(super) fn job(row: &Row<'_>) -> Stored<Option<Job>> {
    let time = |column: usize| row.get(column).map(|at: Option<i64>| at.map(Timestamp::from_millis));
    let (persona, name, schedule): (_, String, _) = (row.get(0)?, row.get(1)?, row.get(2)?);
    let Ok(name) = name.parse() else { return Ok(None) };
    let holder: Option<uuid::Uuid> = row.get(5)?;
    let lease = holder.zip(time(6)?).zip(time(7)?);
    let lease = lease.map(|((holder, due), until)| JobLease { holder, due, until });
    let (outcome, report): (Option<i64>, Option<String>) = (row.get(11)?, row.get(12)?);
    let outcome = outcome.map(Coded::from_code);
    let report = report.map(|report| serde_json::from_str(&report));
    let last = match (time(8)?, time(9)?, time(10)?, outcome, report) {
        (Some(due), Some(started_at), Some(finished_at), Some(Some(outcome)), Some(Ok(report))) => {
            Some(JobRun { due, started_at, finished_at, outcome, report })
        }
        (None, ..) => None,
        _ => return Ok(None),
    };
    let (key, since) = (JobKey { persona: PersonaId(persona), name }, Timestamp::from_millis(row.get(3)?));
    Ok(Some(Job { key, schedule, since, paused_at: time(4)?, lease, last }))
}
