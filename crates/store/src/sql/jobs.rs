//! Jobs. A row is locked, changed by the rules every store shares, and written back. With PostgreSQL, a row
//! locked by another node is reported as taken; SQLite has one writer.

use domain::Timestamp;

use super::statement::{Statement, tenant};
use super::{Row, Sql, columns};
use crate::code::Coded;
use crate::error::{Conflict, StoreError};
use crate::freshness::RecordKind;
use crate::job::{Job, JobKey};
use crate::records::Stored;
use crate::row::deployment::JobRow;

pub(crate) async fn schedule_job(sql: &impl Sql, key: &JobKey, schedule: &str, now: Timestamp) -> Stored<()> {
    let known = find(sql, tenant::JOB, key).await?;
    let mut job = known.unwrap_or_else(|| Job::new(key.clone(), schedule.to_owned(), now));
    job.reschedule(schedule, now);
    put_job(sql, &job).await
}

pub(crate) async fn change_job(
    sql: &impl Sql,
    key: &JobKey,
    change: impl FnOnce(&mut Job) -> Result<(), Conflict>,
) -> Stored<()> {
    let Some(mut job) = find(sql, tenant::LOCK_JOB, key).await? else {
        return Err(match find(sql, tenant::JOB, key).await? {
            Some(_) => Conflict::JobTaken(key.clone()).into(),
            None => StoreError::NotFound { kind: RecordKind::Job, id: key.to_string() },
        });
    };
    change(&mut job)?;
    put_job(sql, &job).await
}

pub(crate) async fn drop_job(sql: &impl Sql, key: &JobKey) -> Stored<()> {
    let row = columns![key.persona.0, key.name.as_str()];
    sql.run(tenant::DELETE_JOB, row).await.map(drop)
}

pub(crate) async fn jobs(sql: &impl Sql) -> Stored<Vec<Job>> {
    let rows = sql.all(tenant::JOBS, Vec::new(), job_row).await?;
    rows.into_iter().map(|row| row.decode().ok_or_else(|| sql.malformed("a job"))).collect()
}

async fn find(sql: &impl Sql, statement: Statement, key: &JobKey) -> Stored<Option<Job>> {
    let found = sql.first(statement, columns![key.persona.0, key.name.as_str()], job_row).await?;
    found.map(|row| row.decode().ok_or_else(|| sql.malformed("a job"))).transpose()
}

pub(crate) async fn put_job(sql: &impl Sql, job: &Job) -> Stored<()> {
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

pub(crate) fn job_row(row: &Row<'_>) -> Stored<JobRow> {
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
