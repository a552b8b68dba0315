//! An audit log in a table: lines, the tree over them, and its signed checkpoints.

use std::ops::Range;

use domain::{AuditEvent, SubjectRef, Timestamp};
use vault::audit::Frontier;

use super::connection::Transaction;
use super::key_table::frontier;
use super::reading::View;
use super::statement::{common, deployment, tenant};
use super::write_transaction::WriteTransaction;
use crate::audit::proof::LineRow;
use crate::audit::{self, LogTarget, PrivatePart, log_origin};
use crate::batch::{EventDraft, Receipt};
use crate::checkpoint::SignedCheckpoint;
use crate::freshness::{Cause, RecordKind};
use crate::payload;
use crate::records::{LoggedEvent, Stored};
use crate::scope::Scope;
use crate::sealing::RecordName;
use crate::sql::{Row, Value, columns};
use crate::upkeep::Due;

/// Locks the deployment's log until the transaction ends, and returns its end and its last checkpoint.
pub(super) async fn lock_deployment_log(
    transaction: &Transaction,
) -> Stored<(Frontier, Option<(u64, Timestamp)>)> {
    let sql = transaction.of_deployment();
    let bytes: Option<Vec<u8>> = sql.first(deployment::LOCK_LOG, Vec::new(), |row| row.get(0)).await?;
    let end = frontier(&bytes.unwrap_or_default()).ok_or_else(|| sql.malformed("the log's end"))?;
    let last = sql.first(deployment::LAST_CHECKPOINT, Vec::new(), deployment_checkpoint).await?;
    Ok((end, last.map(|signed| (signed.size, signed.at))))
}

impl WriteTransaction {
    /// Writes `events` as the last step of a batch, and returns its receipt.
    pub(super) async fn receipt(&mut self, events: &[EventDraft], now: Timestamp) -> Stored<Receipt> {
        let numbers = self.log(events, now).await?;
        let checkpoint = self.checkpoint(now, Due::Regularly).await?;
        Ok(Receipt { revision: self.place.revision, events: numbers, checkpoint })
    }

    /// Signs the current log if a checkpoint is due.
    pub(super) async fn checkpoint(&mut self, now: Timestamp, due: Due) -> Stored<Option<SignedCheckpoint>> {
        let (size, last) = (self.place.frontier.size(), self.place.checkpoint);
        let is_due = match due {
            Due::Regularly => audit::checkpoint_is_due(last, size, now),
            Due::AtOnce => size > last.map_or(0, |(size, _)| size),
        };
        if !is_due {
            return Ok(None);
        }
        let counter: Option<u64> = match self.owner.persona {
            Some(_) => self.tenant_sql().first(tenant::KEYRING_COUNTER, Vec::new(), |row| row.get(0)).await?,
            None => None,
        };
        let frontier = &self.place.frontier;
        let signed = audit::sign_checkpoint(frontier, self.origin(), counter, &self.tools.signer, now)?;
        let SignedCheckpoint { size, at, keyring_counter, note } = signed.clone();
        if self.owner.persona.is_some() {
            let row = columns![size, at.as_millis(), keyring_counter, note];
            self.sql().run(common::PUT_CHECKPOINT, row).await?;
        } else {
            let row = columns![size, at.as_millis(), note];
            self.transaction.of_deployment().run(deployment::PUT_CHECKPOINT, row).await?;
        }
        self.place.checkpoint = Some((size, at));
        Ok(Some(signed))
    }

    fn origin(&self) -> String {
        let scope = self.owner.persona.map(|persona| Scope::new(self.owner.tenant.clone(), persona));
        log_origin(scope.as_ref())
    }

    /// Appends `events` to the log and returns their numbers.
    async fn log(&mut self, events: &[EventDraft], now: Timestamp) -> Stored<Vec<u64>> {
        let private = events.iter().filter(|draft| draft.private.is_some());
        self.make_missing_keys(private.map(|draft| (draft.subject.as_ref(), now))).await?;
        let (mut numbers, mut rows) = (Vec::with_capacity(events.len()), Vec::with_capacity(events.len()));
        for draft in events {
            let (seq, randomness) = (self.place.frontier.size(), &*self.tools.keys.randomness);
            let (tenant, persona) = (&self.owner.tenant, self.owner.persona);
            let line = audit::line(draft, seq, &LogTarget { tenant, persona, now, randomness })?;
            let part = line.sealed.as_ref().map(|part| (draft.subject.as_ref(), part));
            let (key, part) = self.seal_part(seq, part, now)?.unzip();
            let body = String::from_utf8(line.body).map_err(audit::vault_error)?;
            self.place.frontier.append(line.leaf);
            rows.push(columns![seq, line.event.id, body, key, part]);
            numbers.push(seq);
        }
        self.write_lines(rows).await?;
        Ok(numbers)
    }

    /// The private part of a line, sealed under its subject's key, which must exist.
    pub(super) fn seal_part(
        &self,
        seq: u64,
        part: Option<(Option<&SubjectRef>, &PrivatePart)>,
        at: Timestamp,
    ) -> Stored<Option<(i64, Vec<u8>)>> {
        let Some((subject, part)) = part else { return Ok(None) };
        let key = self.existing_key(subject, at)?;
        let (id, plain) = (seq.to_string(), payload::encode(part));
        Ok(Some((key.n, self.seal(&key, RecordName(RecordKind::Event, &id), &plain)?)))
    }

    /// Appends lines to the persona's log, or to the deployment's.
    pub(super) async fn write_lines(&self, rows: Vec<Vec<Value>>) -> Stored<()> {
        let statement = match self.owner.persona {
            Some(_) => common::PUT_EVENTS,
            None => tenant::PUT_DEPLOYMENT_EVENTS,
        };
        self.sql().put_all(statement, rows).await
    }
}

pub(super) fn line_row(row: &Row<'_>) -> Stored<LineRow> {
    let (seq, body, key) = (row.get(0)?, row.get(1)?, row.get(2)?);
    Ok(LineRow { seq, body, key, part: row.get(3)?, about: row.get(4)? })
}

impl View<'_> {
    /// The lines of a persona's log with these numbers.
    pub(super) async fn lines(&self, numbers: Range<u64>) -> Stored<Vec<LineRow>> {
        self.sql().all(common::EVENTS, columns![numbers.start, numbers.end], line_row).await
    }

    /// The lines of the deployment's log about this tenant.
    pub(super) async fn deployment_lines(&self, numbers: Range<u64>) -> Stored<Vec<LineRow>> {
        let sql = self.transaction.of_tenant(&self.owner.tenant);
        sql.all(tenant::DEPLOYMENT_EVENTS, columns![numbers.start, numbers.end], line_row).await
    }

    /// The event of a line. A private part that can't be opened is left out.
    pub(super) fn logged(&self, row: &LineRow) -> Stored<LoggedEvent> {
        let event: AuditEvent =
            serde_json::from_str(&row.body).map_err(|_| self.sql().malformed("an event"))?;
        let private = self.private_part(row).and_then(Result::ok).map(|part| part.private);
        Ok(LoggedEvent { event, private })
    }

    /// The private part of a line, or the reason why it can't be opened.
    pub(super) fn private_part(&self, row: &LineRow) -> Option<Result<PrivatePart, Cause>> {
        let (key, part) = (row.key?, row.part.as_ref()?);
        let opened = self.open(key, RecordName(RecordKind::Event, &row.seq.to_string()), part);
        Some(opened.and_then(|plain| payload::decode(&plain).ok_or(Cause::Damaged)))
    }
}

pub(super) fn checkpoint(row: &Row<'_>) -> Stored<SignedCheckpoint> {
    let at = Timestamp::from_millis(row.get(1)?);
    Ok(SignedCheckpoint { size: row.get(0)?, at, keyring_counter: row.get(2)?, note: row.get(3)? })
}

pub(super) fn deployment_checkpoint(row: &Row<'_>) -> Stored<SignedCheckpoint> {
    let at = Timestamp::from_millis(row.get(1)?);
    Ok(SignedCheckpoint { size: row.get(0)?, at, keyring_counter: None, note: row.get(2)? })
}
