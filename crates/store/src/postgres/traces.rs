//! Traces of recalls.

use std::collections::HashMap;

use domain::{MemoryId, RecallId, Timestamp};

use super::connection::Row;
use super::persona::{Recorder, not_found};
use super::reading::{View, unreadable};
use super::statement::records;
use super::tombstones;
use super::value::columns;
use crate::error::Conflict;
use crate::freshness::{Cause, RecordKind, Unreadable};
use crate::payload;
use crate::records::Stored;
use crate::row::number;
use crate::sealing::At;
use crate::trace::Trace;

impl Recorder<'_> {
    pub(super) async fn put_trace(&mut self, trace: &Trace) -> Stored<()> {
        if self.trace_key(trace.recall).await?.is_some() {
            return Err(Conflict::RecordDiffers { kind: RecordKind::Trace }.into());
        }
        // A recall that was running while a memory was destroyed must not store its text again.
        let shown = tombstones::id_states(&self.sql(), &trace.shown).await?;
        if let Some(gone) = shown.iter().find(|fate| fate.has_tombstone || fate.is_removed) {
            return Err(not_found(RecordKind::Atom, gone.id));
        }
        let key = self.key(trace.subject.as_ref()).await?;
        let (id, plain) = (trace.recall.to_string(), payload::encode(&trace.body));
        let sealed = self.seal(&key, At(RecordKind::Trace, &id), &plain)?;
        let row = columns![trace.recall.0, trace.at.as_millis(), key.n, sealed];
        self.sql().run(records::PUT_TRACE, row).await?;
        let shown = (0_i64..).zip(&trace.shown);
        let shown = shown.map(|(position, memory)| columns![trace.recall.0, position, number(*memory)]);
        self.sql().put_all(records::PUT_TRACE_MEMORIES, shown.collect()).await
    }

    /// The key of a trace, if the trace exists.
    pub(super) async fn trace_key(&self, recall: RecallId) -> Stored<Option<i64>> {
        self.sql().first(records::TRACE, columns![recall.0], |row| row.get(2)).await
    }
}

impl View<'_> {
    pub(super) async fn trace(&self, recall: RecallId) -> Stored<Option<Trace>> {
        let row = self.sql().first(records::TRACE, columns![recall.0], TraceRow::read).await?;
        let Some(row) = row else { return Ok(None) };
        let memory = |row: &Row<'_>| row.get(0).map(MemoryId::from_u64);
        let shown = self.sql().all(records::TRACE_MEMORIES, columns![recall.0], memory).await?;
        let (kind, id) = (RecordKind::Trace, recall.to_string());
        let opened = self.open_trace(row, shown);
        opened.map(Some).map_err(|cause| crate::StoreError::Unreadable { kind, id, cause })
    }

    /// Every trace by time, and those that can't be opened.
    pub(super) async fn traces(&self) -> Stored<(Vec<Trace>, Vec<Unreadable>)> {
        let mut shown: HashMap<RecallId, Vec<MemoryId>> = HashMap::new();
        let read = |row: &Row<'_>| Ok((RecallId(row.get(0)?), MemoryId::from_u64(row.get(1)?)));
        for (recall, memory) in self.sql().all(records::ALL_TRACE_MEMORIES, Vec::new(), read).await? {
            shown.entry(recall).or_default().push(memory);
        }
        let (mut traces, mut damaged) = (Vec::new(), Vec::new());
        for row in self.sql().all(records::TRACES, Vec::new(), TraceRow::read).await? {
            let recall = row.recall;
            match self.open_trace(row, shown.remove(&recall).unwrap_or_default()) {
                Ok(trace) => traces.push(trace),
                Err(cause) => damaged.push(unreadable(RecordKind::Trace, recall, cause)),
            }
        }
        Ok((traces, damaged))
    }

    fn open_trace(&self, row: TraceRow, shown: Vec<MemoryId>) -> Result<Trace, Cause> {
        let TraceRow { recall, at, key, payload } = row;
        let plain = self.open(key, At(RecordKind::Trace, &recall.to_string()), &payload)?;
        let body = payload::decode(&plain).ok_or(Cause::Damaged)?;
        Ok(Trace { recall, at, subject: self.subject(key), shown, body })
    }
}

struct TraceRow {
    recall: RecallId,
    at: Timestamp,
    key: i64,
    payload: Vec<u8>,
}

impl TraceRow {
    fn read(row: &Row<'_>) -> Stored<Self> {
        let (recall, at) = (RecallId(row.get(0)?), Timestamp::from_millis(row.get(1)?));
        Ok(Self { recall, at, key: row.get(2)?, payload: row.get(3)? })
    }
}
