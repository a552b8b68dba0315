//! Jobs in SQLite. A row is read, changed by the rules every store shares, and written back in one transaction.

use domain::{TenantName, Timestamp};
use rusqlite::{Row, params};
use uuid::Uuid;

use super::connection::Sql;
use super::reading::Snapshot;
use super::statement::deployment;
use super::write_transaction::WriteTransaction;
use crate::code::Coded;
use crate::error::{Conflict, StoreError};
use crate::freshness::RecordKind;
use crate::job::{Job, JobKey};
use crate::records::Stored;
use crate::row::deployment::JobRow;

impl WriteTransaction<'_> {
    pub(super) fn schedule_job(
        &self,
        tenant: &TenantName,
        key: &JobKey,
        schedule: &str,
        now: Timestamp,
    ) -> Stored<()> {
        let known = find(self.sql, tenant, key)?;
        let mut job = known.unwrap_or_else(|| Job::new(key.clone(), schedule.to_owned(), now));
        job.reschedule(schedule, now);
        put(self.sql, tenant, &job)
    }

    pub(super) fn change_job(
        &self,
        tenant: &TenantName,
        key: &JobKey,
        change: impl FnOnce(&mut Job) -> Result<(), Conflict>,
    ) -> Stored<()> {
        let unknown = || StoreError::NotFound { kind: RecordKind::Job, id: key.to_string() };
        let mut job = find(self.sql, tenant, key)?.ok_or_else(unknown)?;
        change(&mut job)?;
        put(self.sql, tenant, &job)
    }

    pub(super) fn drop_job(&self, tenant: &TenantName, key: &JobKey) -> Stored<()> {
        let row = params![tenant.as_str(), key.persona.0.as_bytes(), key.name.as_str()];
        self.sql.run(deployment::DELETE_JOB, row).map(drop)
    }
}

impl Snapshot<'_> {
    pub(super) fn jobs(&self, tenant: &TenantName) -> Stored<Vec<Job>> {
        let rows = self.sql.all(deployment::JOBS, params![tenant.as_str()], job)?;
        rows.into_iter().map(|row| row.decode().ok_or_else(|| self.sql.malformed("a job"))).collect()
    }
}

fn find(sql: Sql<'_>, tenant: &TenantName, key: &JobKey) -> Stored<Option<Job>> {
    let place = params![tenant.as_str(), key.persona.0.as_bytes(), key.name.as_str()];
    let found = sql.first(deployment::JOB, place, job)?;
    found.map(|row| row.decode().ok_or_else(|| sql.malformed("a job"))).transpose()
}

pub(super) fn put(sql: Sql<'_>, tenant: &TenantName, job: &Job) -> Stored<()> {
    let Job { key, schedule, since, paused_at, lease, last } = job;
    let row = params![
        tenant.as_str(),
        key.persona.0.as_bytes(),
        key.name.as_str(),
        schedule,
        since.as_millis(),
        paused_at.map(Timestamp::as_millis),
        lease.as_ref().map(|lease| lease.holder.into_bytes()),
        lease.as_ref().map(|lease| lease.due.as_millis()),
        lease.as_ref().map(|lease| lease.until.as_millis()),
        last.as_ref().map(|last| last.due.as_millis()),
        last.as_ref().map(|last| last.started_at.as_millis()),
        last.as_ref().map(|last| last.finished_at.as_millis()),
        last.as_ref().map(|last| last.outcome.code()),
        last.as_ref().map(|last| last.report.to_string()),
    ];
    sql.run(deployment::PUT_JOB, row).map(drop)
}

fn job(row: &Row<'_>) -> rusqlite::Result<JobRow> {
    Ok(JobRow {
        persona: Uuid::from_bytes(row.get(0)?),
        name: row.get(1)?,
        schedule: row.get(2)?,
        since: row.get(3)?,
        paused_at: row.get(4)?,
        holder: row.get::<_, Option<[u8; 16]>>(5)?.map(Uuid::from_bytes),
        lease: [row.get(6)?, row.get(7)?],
        last: [row.get(8)?, row.get(9)?, row.get(10)?],
        outcome: row.get(11)?,
        report: row.get(12)?,
    })
}
