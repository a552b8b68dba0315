//! Traces of recalls.

use domain::{MemoryId, RecallId, TenantName, Timestamp};
use rusqlite::{Row, params};
use uuid::Uuid;

use super::persona::{Recorder, not_found};
use super::reading::{Snapshot, unreadable};
use super::statement::records;
use super::tombstones;
use crate::error::Conflict;
use crate::freshness::{Cause, RecordKind, Unreadable};
use crate::payload;
use crate::records::Stored;
use crate::row::number;
use crate::sealing::At;
use crate::tombstone::RecordId;
use crate::trace::Trace;

impl Recorder<'_, '_> {
    pub(super) fn put_trace(&mut self, trace: &Trace) -> Stored<()> {
        if self.trace_row(trace.recall)?.is_some() {
            return Err(Conflict::RecordDiffers { kind: RecordKind::Trace }.into());
        }
        // A recall that was running while a memory was destroyed must not store its text again.
        for memory in &trace.shown {
            if tombstones::is_gone(self.sql(), RecordId::Atom(*memory))? {
                return Err(not_found(RecordKind::Atom, memory));
            }
        }
        let key = self.key(trace.subject.as_ref())?;
        let (id, plain) = (trace.recall.to_string(), payload::encode(&trace.body));
        let sealed = self.seal(&key, At(RecordKind::Trace, &id), &plain)?;
        let row = params![trace.recall.0.as_bytes(), trace.at.as_millis(), key.n, sealed];
        let n = self.sql().insert(records::PUT_TRACE, row)?;
        for (position, memory) in (0_i64..).zip(&trace.shown) {
            self.sql().run(records::PUT_TRACE_MEMORY, params![n, position, number(*memory)])?;
        }
        Ok(())
    }

    /// The row and key of a trace.
    pub(super) fn trace_row(&self, recall: RecallId) -> Stored<Option<(i64, i64)>> {
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(3)?));
        self.sql().first(records::TRACE, params![recall.0.as_bytes()], read)
    }
}

impl Snapshot<'_> {
    pub(super) fn trace(&self, tenant: &TenantName, recall: RecallId) -> Stored<Option<Trace>> {
        let row = self.sql.first(records::TRACE, params![recall.0.as_bytes()], TraceRow::read)?;
        let Some(row) = row else { return Ok(None) };
        let (kind, id) = (RecordKind::Trace, recall.to_string());
        let opened = self.open_trace(tenant, row)?;
        opened.map(Some).map_err(|cause| crate::StoreError::Unreadable { kind, id, cause })
    }

    /// Every trace by time, and those that can't be opened.
    pub(super) fn traces(&self, tenant: &TenantName) -> Stored<(Vec<Trace>, Vec<Unreadable>)> {
        let (mut traces, mut damaged) = (Vec::new(), Vec::new());
        for row in self.sql.all(records::TRACES, [], TraceRow::read)? {
            let recall = row.recall;
            match self.open_trace(tenant, row)? {
                Ok(trace) => traces.push(trace),
                Err(cause) => damaged.push(unreadable(RecordKind::Trace, recall, cause)),
            }
        }
        Ok((traces, damaged))
    }

    fn open_trace(&self, tenant: &TenantName, row: TraceRow) -> Stored<Result<Trace, Cause>> {
        let TraceRow { n, recall, at, key, payload } = row;
        let opened = self.open(tenant, key, At(RecordKind::Trace, &recall.to_string()), &payload)?;
        let body = opened.and_then(|plain| payload::decode(&plain).ok_or(Cause::Damaged));
        let shown: Vec<u64> = self.sql.all(records::TRACE_MEMORIES, params![n], |row| row.get(0))?;
        let shown = shown.into_iter().map(MemoryId::from_u64).collect();
        let subject = self.subject(tenant, key)?;
        Ok(body.map(|body| Trace { recall, at, subject, shown, body }))
    }
}

struct TraceRow {
    n: i64,
    recall: RecallId,
    at: Timestamp,
    key: i64,
    payload: Vec<u8>,
}

impl TraceRow {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let (recall, at) = (RecallId(Uuid::from_bytes(row.get(1)?)), Timestamp::from_millis(row.get(2)?));
        Ok(Self { n: row.get(0)?, recall, at, key: row.get(3)?, payload: row.get(4)? })
    }
}
