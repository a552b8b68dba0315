//! Jobs in PostgreSQL. A row is locked, changed by the rules every store shares, and written back; a row
//! locked by another node is reported as taken.

use domain::Timestamp;

use super::connection::{Row, Sql};
use super::statement::tenant;
use super::value::columns;
use super::write_transaction::WriteTransaction;
use crate::code::Coded;
use crate::error::{Conflict, StoreError};
use crate::freshness::RecordKind;
use crate::job::{Job, JobKey};
use crate::records::Stored;
use crate::row::deployment::JobRow;

impl WriteTransaction {
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
        let Some(mut job) = find(&sql, tenant::LOCK_JOB, key).await? else {
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
    found.map(|row| row.decode().ok_or_else(|| sql.malformed("a job"))).transpose()
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

pub(super) fn job(row: &Row<'_>) -> Stored<JobRow> {
    Ok(JobRow {
        persona: row.get(0)?,
        name: row.get(1)?,
        schedule: row.get(2)?,
        since: row.get(3)?,
        paused_at: row.get(4)?,
        holder: row.get(5)?,
        lease: [row.get(6)?, row.get(7)?],
        last: [row.get(8)?, row.get(9)?, row.get(10)?],
        outcome: row.get(11)?,
        report: row.get(12)?,
    })
}
