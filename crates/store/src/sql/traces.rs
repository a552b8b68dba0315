//! Traces of recalls.

use std::collections::HashMap;

use domain::{MemoryId, RecallId, Timestamp};

use super::statement::records;
use super::{Reader, Row, Sql, Writer, columns, not_found, unreadable};
use crate::error::{Conflict, StoreError};
use crate::freshness::{Cause, RecordKind, Unreadable};
use crate::payload;
use crate::records::Stored;
use crate::row::number;
use crate::sealing::RecordName;
use crate::trace::Trace;

pub(crate) async fn put_trace(writer: &mut impl Writer, trace: &Trace) -> Stored<()> {
    if trace_key(writer, trace.recall).await?.is_some() {
        return Err(Conflict::RecordDiffers { kind: RecordKind::Trace }.into());
    }
    // A recall that was running while a memory was destroyed must not store its text again.
    if let Some(destroyed) = writer.first_destroyed(&trace.shown).await? {
        return Err(not_found(RecordKind::Atom, destroyed));
    }
    let key = writer.key(trace.subject.as_ref()).await?;
    let (id, plain) = (trace.recall.to_string(), payload::encode(&trace.body));
    let sealed = writer.seal(&key, RecordName(RecordKind::Trace, &id), &plain)?;
    let row = columns![trace.recall.0, trace.at.as_millis(), key.n, sealed];
    writer.sql().run(records::PUT_TRACE, row).await?;
    let shown = (0_i64..).zip(&trace.shown);
    let shown = shown.map(|(position, memory)| columns![trace.recall.0, position, number(*memory)]);
    writer.sql().put_all(records::PUT_TRACE_MEMORIES, shown.collect()).await
}

/// The key of a trace, if the trace exists.
pub(crate) async fn trace_key(writer: &impl Writer, recall: RecallId) -> Stored<Option<i64>> {
    writer.sql().first(records::TRACE, columns![recall.0], |row| row.get(2)).await
}

pub(crate) async fn trace(reader: &impl Reader, recall: RecallId) -> Stored<Option<Trace>> {
    let row = reader.sql().first(records::TRACE, columns![recall.0], TraceRow::read).await?;
    let Some(row) = row else { return Ok(None) };
    let memory = |row: &Row<'_>| row.get(0).map(MemoryId::from_u64);
    let shown = reader.sql().all(records::TRACE_MEMORIES, columns![recall.0], memory).await?;
    let (kind, id) = (RecordKind::Trace, recall.to_string());
    let opened = open_trace(reader, row, shown);
    opened.map(Some).map_err(|cause| StoreError::Unreadable { kind, id, cause })
}

/// Every trace by time, and those that can't be opened.
pub(crate) async fn traces(reader: &impl Reader) -> Stored<(Vec<Trace>, Vec<Unreadable>)> {
    let mut shown: HashMap<RecallId, Vec<MemoryId>> = HashMap::new();
    let read = |row: &Row<'_>| Ok((RecallId(row.get(0)?), MemoryId::from_u64(row.get(1)?)));
    for (recall, memory) in reader.sql().all(records::ALL_TRACE_MEMORIES, Vec::new(), read).await? {
        shown.entry(recall).or_default().push(memory);
    }
    let (mut traces, mut damaged) = (Vec::new(), Vec::new());
    for row in reader.sql().all(records::TRACES, Vec::new(), TraceRow::read).await? {
        let recall = row.recall;
        match open_trace(reader, row, shown.remove(&recall).unwrap_or_default()) {
            Ok(trace) => traces.push(trace),
            Err(cause) => damaged.push(unreadable(RecordKind::Trace, recall, cause)),
        }
    }
    Ok((traces, damaged))
}

fn open_trace(reader: &impl Reader, row: TraceRow, shown: Vec<MemoryId>) -> Result<Trace, Cause> {
    let TraceRow { recall, at, key, payload } = row;
    let plain = reader.open(key, RecordName(RecordKind::Trace, &recall.to_string()), &payload)?;
    let body = payload::decode(&plain).ok_or(Cause::Damaged)?;
    Ok(Trace { recall, at, subject: reader.keys().subject(key).cloned(), shown, body })
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
