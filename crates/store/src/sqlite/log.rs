//! An audit log in a table: lines, the tree over them, and its signed checkpoints.

use std::ops::Range;

use domain::{AuditEvent, TenantName, Timestamp};
use rusqlite::{Row, params};
use vault::audit::Frontier;
use vault::signature::PublicKey;

use super::connection::Sql;
use super::reading::Snapshot;
use super::statement::common;
use super::write_transaction::WriteTransaction;
use crate::audit::proof::{LineRow, LogProof, ProvenLine};
use crate::audit::{self, LogTarget, PrivatePart, log_origin};
use crate::batch::{EventDraft, Receipt};
use crate::checkpoint::SignedCheckpoint;
use crate::copy::Line;
use crate::freshness::RecordKind;
use crate::payload;
use crate::records::{LoggedEvent, Stored};
use crate::sealing::RecordName;
use crate::upkeep::Due;

/// The end of a log.
pub(super) struct LogEnd {
    frontier: Frontier,
    last: Option<(u64, Timestamp)>,
}

impl LogEnd {
    pub(super) fn load(sql: Sql<'_>) -> Stored<Self> {
        let bytes: Option<Vec<u8>> = sql.first(common::FRONTIER, [], |row| row.get(0))?;
        let frontier = match bytes {
            None => Frontier::default(),
            Some(bytes) => Frontier::from_bytes(&bytes).ok_or_else(|| sql.malformed("the log's end"))?,
        };
        let last = sql.first(common::LAST_CHECKPOINT, [], checkpoint)?;
        Ok(Self { frontier, last: last.map(|signed| (signed.size, signed.at)) })
    }
}

impl WriteTransaction<'_> {
    /// Appends `events` of `tenant`, and a checkpoint if one is due.
    pub(super) fn log(
        &mut self,
        tenant: &TenantName,
        events: &[EventDraft],
        now: Timestamp,
        due: Due,
    ) -> Stored<(Vec<u64>, Option<SignedCheckpoint>)> {
        let numbers = events.iter().map(|draft| self.log_one(tenant, draft, now)).collect::<Stored<_>>()?;
        if !events.is_empty() {
            self.sql.run(common::PUT_FRONTIER, params![self.state.log.frontier.to_bytes()])?;
        }
        Ok((numbers, self.checkpoint(tenant, now, due)?))
    }

    /// Writes `events` as the last step of a batch, and returns its receipt.
    pub(super) fn receipt(
        &mut self,
        tenant: &TenantName,
        events: &[EventDraft],
        now: Timestamp,
    ) -> Stored<Receipt> {
        let (numbers, checkpoint) = self.log(tenant, events, now, Due::Regularly)?;
        Ok(Receipt { revision: self.state.revision, events: numbers, checkpoint })
    }

    /// The number of lines in the log.
    pub(super) fn log_size(&self) -> u64 {
        self.state.log.frontier.size()
    }

    /// Signs the current log if a checkpoint is due.
    pub(super) fn checkpoint(
        &mut self,
        tenant: &TenantName,
        now: Timestamp,
        due: Due,
    ) -> Stored<Option<SignedCheckpoint>> {
        let (size, last) = (self.state.log.frontier.size(), self.state.log.last);
        let is_due = match due {
            Due::Regularly => audit::checkpoint_is_due(last, size, now),
            Due::AtOnce => size > last.map_or(0, |(size, _)| size),
        };
        if !is_due {
            return Ok(None);
        }
        self.touched = true;
        let shared = &self.database.shared;
        let scope = self.database.scope.as_ref();
        let counter = match scope.and_then(|_| shared.keys.opened(tenant)) {
            Some(keys) => Some(keys.with(vault::keyring::Keyring::counter)?),
            None => None,
        };
        let frontier = &self.state.log.frontier;
        let signed = audit::sign_checkpoint(frontier, log_origin(scope), counter, &shared.signer, now)?;
        let row = params![signed.size, signed.at.as_millis(), signed.keyring_counter, signed.note];
        self.sql.run(common::PUT_CHECKPOINT, row)?;
        self.state.log.last = Some((signed.size, signed.at));
        Ok(Some(signed))
    }

    /// Imports one line of another store's log, re-sealing its private part.
    pub(super) fn import_line(&mut self, line: &Line) -> Stored<()> {
        self.touched = true;
        let (seq, body, tenant) = (line.event.seq, line.body()?, &line.event.tenant);
        let sealed = match &line.part {
            None => None,
            Some((of, part)) => {
                let key = self.key(tenant, of.as_ref(), line.at())?;
                let (id, plain) = (seq.to_string(), payload::encode(part));
                Some((key.n, self.seal(&key, tenant, RecordName(RecordKind::Event, &id), &plain)?))
            }
        };
        let (key, part) = sealed.unzip();
        let leaf = audit::leaf(body.as_bytes());
        self.sql.run(common::PUT_EVENT, params![seq, line.event.id, body, key, part])?;
        self.state.log.frontier.append(leaf);
        self.sql.run(common::PUT_FRONTIER, params![self.state.log.frontier.to_bytes()]).map(drop)
    }

    /// Imports a signed checkpoint of another store's log.
    pub(super) fn import_checkpoint(&mut self, signed: &SignedCheckpoint) -> Stored<()> {
        self.touched = true;
        let row = params![signed.size, signed.at.as_millis(), signed.keyring_counter, signed.note];
        self.sql.run(common::PUT_CHECKPOINT, row)?;
        self.state.log.last = Some((signed.size, signed.at));
        Ok(())
    }

    fn log_one(&mut self, tenant: &TenantName, draft: &EventDraft, now: Timestamp) -> Stored<u64> {
        self.touched = true;
        let seq = self.state.log.frontier.size();
        let persona = self.database.scope.as_ref().map(|scope| scope.persona);
        let randomness = std::sync::Arc::clone(&self.database.shared.randomness);
        let place = LogTarget { tenant, persona, now, randomness: &*randomness };
        let line = audit::line(draft, seq, &place)?;
        let sealed = match &line.sealed {
            None => None,
            Some(part) => {
                let key = self.key(tenant, draft.subject.as_ref(), now)?;
                let (id, plain) = (seq.to_string(), payload::encode(part));
                Some((key.n, self.seal(&key, tenant, RecordName(RecordKind::Event, &id), &plain)?))
            }
        };
        let (key, part) = sealed.unzip();
        let body = String::from_utf8(line.body).map_err(audit::vault_error)?;
        self.sql.run(common::PUT_EVENT, params![seq, line.event.id, body, key, part])?;
        self.state.log.frontier.append(line.leaf);
        Ok(seq)
    }
}

fn line_row(row: &Row<'_>) -> rusqlite::Result<LineRow> {
    let (seq, body, key) = (row.get(0)?, row.get(1)?, row.get(2)?);
    Ok(LineRow { seq, body, key, part: row.get(3)?, about: row.get(4)? })
}

impl Snapshot<'_> {
    /// The lines with these numbers. A private part that can't be opened is left out.
    pub(super) fn events(&self, numbers: Range<u64>) -> Stored<Vec<LoggedEvent>> {
        let range = params![limit(numbers.start), limit(numbers.end)];
        let rows = self.sql.all(common::EVENTS, range, line_row)?;
        let logged = |row: &LineRow| {
            let event = self.event(row)?;
            let private = self.private_part(&event, row)?.and_then(Result::ok).map(|part| part.private);
            Ok(LoggedEvent { event, private })
        };
        rows.iter().map(logged).collect()
    }

    /// Every line from `first` on, with the owner of the key that sealed its private part.
    pub(super) fn lines(&self, first: u64) -> Stored<Vec<Line>> {
        let rows = self.sql.all(common::EVENTS, params![limit(first), i64::MAX], line_row)?;
        let line = |row: &LineRow| {
            let event = self.event(row)?;
            let part = self.private_part(&event, row)?.and_then(Result::ok);
            let of = row.key.map(|key| self.subject(&event.tenant, key)).transpose()?.flatten();
            Ok(Line { event, part: part.map(|part| (of, part)) })
        };
        rows.iter().map(line).collect()
    }

    /// Verifies the log from its first line on: every line at its number, every checkpoint signed for
    /// exactly the lines before it, and every private part equal to what its line committed to.
    pub(super) fn prove_log(&self, signers: &[PublicKey]) -> Stored<LogProof> {
        let mut lines: Vec<ProvenLine> = Vec::new();
        for (place, row) in (0..).zip(self.sql.all(common::EVENTS, params![0_i64, i64::MAX], line_row)?) {
            let event = row.event_at(place);
            let part = event.map(|event| self.private_part(&event, &row)).transpose()?.flatten();
            lines.push((row, part));
        }
        let end: Option<Vec<u8>> = self.sql.first(common::FRONTIER, [], |row| row.get(0))?;
        let end = end.map_or_else(|| Some(Frontier::default()), |bytes| Frontier::from_bytes(&bytes));
        let (checkpoints, origin) = (checkpoints(self.sql)?, log_origin(self.database.scope.as_ref()));
        Ok(LogProof::of(&lines, &checkpoints, end.as_ref(), &origin, signers))
    }

    fn event(&self, row: &LineRow) -> Stored<AuditEvent> {
        serde_json::from_str(&row.body).map_err(|_| self.sql.malformed("an event"))
    }

    fn private_part(
        &self,
        event: &AuditEvent,
        row: &LineRow,
    ) -> Stored<Option<Result<PrivatePart, crate::freshness::Cause>>> {
        let (Some(key), Some(part)) = (row.key, &row.part) else { return Ok(None) };
        let id = row.seq.to_string();
        let opened = self.open(&event.tenant, key, RecordName(RecordKind::Event, &id), part)?;
        let damaged = crate::freshness::Cause::Damaged;
        Ok(Some(opened.and_then(|plain| payload::decode(&plain).ok_or(damaged))))
    }
}

/// The signed checkpoints of a log, oldest first.
pub(super) fn checkpoints(sql: Sql<'_>) -> Stored<Vec<SignedCheckpoint>> {
    sql.all(common::CHECKPOINTS, [], checkpoint)
}

pub(super) fn checkpoint(row: &Row<'_>) -> rusqlite::Result<SignedCheckpoint> {
    let at = Timestamp::from_millis(row.get(1)?);
    Ok(SignedCheckpoint { size: row.get(0)?, at, keyring_counter: row.get(2)?, note: row.get(3)? })
}

fn limit(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
