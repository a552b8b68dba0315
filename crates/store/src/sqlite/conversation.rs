//! Sessions and turns. The id a client gives a session may contain personal data, so it is sealed; the
//! mapping from ids to row numbers is kept in memory only.

use std::cmp::Reverse;
use std::collections::HashMap;

use domain::{SessionId, SubjectRef, TenantName, Timestamp};
use rusqlite::{Row, params};
use uuid::Uuid;

use super::database::{Database, lock};
use super::persona::{Recorder, not_found};
use super::reading::{Snapshot, unreadable};
use super::statement::records;
use crate::code::Coded;
use crate::conversation::{Formation, FormationResult, Session, Turn, TurnId, TurnMark};
use crate::error::Conflict;
use crate::freshness::{Cause, RecordKind, Unreadable};
use crate::payload::{self, TurnWords};
use crate::records::Stored;
use crate::row::{SessionRow, TurnRow};
use crate::sealing::At;

/// The number of each session.
pub(super) type SessionNumbers = HashMap<SessionId, i64>;

impl Recorder<'_, '_> {
    pub(super) fn put_session(&mut self, session: &Session) -> Stored<()> {
        let key = self.key(Some(&session.subject))?;
        let times = (session.started_at.as_millis(), session.last_at.as_millis());
        let plain = payload::encode(&payload::session_words(session));
        let n = match self.session_number(&session.id) {
            Some(n) => self.check_session_key(n, key.n).map(|()| n)?,
            None => self.name_session(session.id.clone(), times, key.n)?,
        };
        let sealed = self.seal(&key, At(RecordKind::Session, &n.to_string()), &plain)?;
        self.sql().run(records::UPDATE_SESSION, params![n, times.0, times.1, sealed]).map(drop)
    }

    pub(super) fn append_turn(&mut self, turn: &Turn) -> Stored<()> {
        let session = self.session_number(&turn.session);
        let session = session.ok_or_else(|| not_found(RecordKind::Session, "of this turn"))?;
        if self.turn_key(turn.id)?.is_some() {
            return Err(Conflict::RecordDiffers { kind: RecordKind::Turn }.into());
        }
        let key = self.sql().first(records::SESSION, params![session], |row| row.get(3))?;
        let key = self.key_numbered(key.ok_or_else(|| self.sql().malformed("a session"))?)?;
        let plain = payload::encode(&payload::turn_words(turn));
        let sealed = self.seal(&key, At(RecordKind::Turn, &turn.id.to_string()), &plain)?;
        let row = params![
            turn.id.0.as_bytes(),
            session,
            turn.index,
            turn.speaker.code(),
            turn.at.as_millis(),
            turn.state.code(),
            turn.formation.code(),
            key.n,
            sealed,
        ];
        self.sql().run(records::PUT_TURN, row).map(drop)
    }

    pub(super) fn mark_turn(&mut self, id: TurnId, mark: TurnMark) -> Stored<()> {
        let (statement, code) = match mark {
            TurnMark::State(state) => (records::MARK_TURN_STATE, state.code()),
            TurnMark::Formation(formation) => (records::MARK_TURN_FORMATION, formation.code()),
            TurnMark::Formed(result) => {
                self.put_formation_result(id, result)?;
                (records::MARK_TURN_FORMATION, Formation::Done.code())
            }
        };
        match self.sql().run(statement, params![id.0.as_bytes(), code])? {
            0 => Err(not_found(RecordKind::Turn, id)),
            _ => Ok(()),
        }
    }

    /// Seals the result of formation with the text of its turn, under the same key.
    fn put_formation_result(&mut self, id: TurnId, result: FormationResult) -> Stored<()> {
        let row = self.sql().first(records::TURN_PAYLOAD, params![id.0.as_bytes()], |row| {
            Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?, row.get::<_, Vec<u8>>(2)?))
        })?;
        let (n, key, sealed) = row.ok_or_else(|| not_found(RecordKind::Turn, id))?;
        let place = id.to_string();
        let plain = self.open(key, At(RecordKind::Turn, &place), &sealed)?;
        let words: Option<TurnWords> = payload::decode(&plain);
        let words = words.ok_or_else(|| self.sql().malformed("a turn"))?;
        let words = TurnWords { formed: Some(result), ..words };
        let owner = self.key_numbered(key)?;
        let sealed = self.seal(&owner, At(RecordKind::Turn, &place), &payload::encode(&words))?;
        self.sql().run(records::RESEAL_TURN, params![n, key, sealed]).map(drop)
    }

    pub(super) fn check_session_length(&self, id: &SessionId, expected: u32) -> Stored<()> {
        let found: Option<u32> = match self.session_number(id) {
            Some(n) => self.sql().first(records::SESSION_LENGTH, params![n], |row| row.get(0))?,
            None => None,
        };
        let found = found.unwrap_or(0);
        if found == expected { Ok(()) } else { Err(Conflict::SessionMoved { expected, found }.into()) }
    }

    /// The row and key of a turn.
    pub(super) fn turn_key(&self, id: TurnId) -> Stored<Option<(i64, i64)>> {
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
        self.sql().first(records::TURN_KEY, params![id.0.as_bytes()], read)
    }

    pub(super) fn session_number(&self, id: &SessionId) -> Option<i64> {
        lock(&self.desk.database.sessions).get(id).copied()
    }

    /// Drops the ids of destroyed sessions.
    pub(super) fn forget_sessions(&mut self, gone: &[i64]) {
        lock(&self.desk.database.sessions).retain(|_, n| !gone.contains(n));
    }

    fn check_session_key(&self, n: i64, key: i64) -> Stored<()> {
        let kept: Option<i64> = self.sql().first(records::SESSION, params![n], |row| row.get(3))?;
        let same = kept == Some(key);
        if same { Ok(()) } else { Err(Conflict::RecordDiffers { kind: RecordKind::Session }.into()) }
    }

    /// Inserts a new session and returns its number. The number is part of the address its payload is
    /// sealed for, so the row must exist first.
    fn name_session(&mut self, id: SessionId, times: (i64, i64), key: i64) -> Stored<i64> {
        let nothing: &[u8] = &[];
        let n = self.sql().insert(records::PUT_SESSION, params![times.0, times.1, key, nothing])?;
        lock(&self.desk.database.sessions).insert(id, n);
        Ok(n)
    }
}

impl Database {
    /// Whether a session with this id is stored, or is being stored.
    pub(super) fn has_session(&self, id: &SessionId) -> bool {
        lock(&self.sessions).contains_key(id)
    }
}

impl Snapshot<'_> {
    /// Every session, of one subject or of all, latest first, and those that can't be opened.
    pub(super) fn sessions(
        &self,
        tenant: &TenantName,
        subject: Option<&SubjectRef>,
    ) -> Stored<(Vec<Session>, Vec<Unreadable>)> {
        let (mut sessions, mut damaged) = (Vec::new(), Vec::new());
        for row in self.sql.all(records::SESSIONS, [], session_row)? {
            match self.open_session(tenant, &row)? {
                Ok(session) => sessions.push(session),
                Err(cause) => damaged.push(unreadable(RecordKind::Session, row.n, cause)),
            }
        }
        sessions.retain(|session| subject.is_none_or(|subject| session.subject == *subject));
        sessions.sort_by_key(|session| (Reverse(session.last_at), session.id.clone()));
        Ok((sessions, damaged))
    }

    pub(super) fn session(&self, tenant: &TenantName, id: &SessionId) -> Stored<Option<Session>> {
        let Some(n) = self.session_number(id) else { return Ok(None) };
        let Some(row) = self.sql.first(records::SESSION, params![n], session_row)? else {
            return Ok(None);
        };
        let (kind, id) = (RecordKind::Session, n.to_string());
        let opened = self.open_session(tenant, &row)?;
        opened.map(Some).map_err(|cause| crate::StoreError::Unreadable { kind, id, cause })
    }

    /// The turns of a session by number, and those that can't be opened.
    pub(super) fn turns(
        &self,
        tenant: &TenantName,
        session: &SessionId,
    ) -> Stored<(Vec<Turn>, Vec<Unreadable>)> {
        match self.session_number(session) {
            None => Ok((Vec::new(), Vec::new())),
            Some(n) => {
                let rows = self.sql.all(records::TURNS, params![n], turn_row)?;
                self.open_turns(tenant, rows)
            }
        }
    }

    pub(super) fn unformed_turns(&self, tenant: &TenantName) -> Stored<Vec<Turn>> {
        let rows = self.sql.all(records::UNFORMED_TURNS, [], turn_row)?;
        Ok(self.open_turns(tenant, rows)?.0)
    }

    pub(super) fn unformed_turn(&self, tenant: &TenantName, id: TurnId) -> Stored<Option<Turn>> {
        let rows = self.sql.all(records::UNFORMED_TURN, params![id.0.as_bytes()], turn_row)?;
        Ok(self.open_turns(tenant, rows)?.0.pop())
    }

    /// The number of every session that can be opened, by its id.
    pub(super) fn session_numbers(&self, tenant: &TenantName) -> Stored<SessionNumbers> {
        let mut numbers = SessionNumbers::new();
        for row in self.sql.all(records::SESSIONS, [], session_row)? {
            if let Ok(session) = self.open_session(tenant, &row)? {
                numbers.insert(session.id, row.n);
            }
        }
        Ok(numbers)
    }

    fn session_number(&self, id: &SessionId) -> Option<i64> {
        lock(&self.database.sessions).get(id).copied()
    }

    fn open_session(&self, tenant: &TenantName, row: &SessionRow) -> Stored<Result<Session, Cause>> {
        let plain =
            match self.open(tenant, row.key, At(RecordKind::Session, &row.n.to_string()), &row.payload)? {
                Ok(plain) => plain,
                Err(cause) => return Ok(Err(cause)),
            };
        let (words, subject) = (payload::decode(&plain), self.subject(tenant, row.key)?);
        let session = words.zip(subject).map(|(words, subject)| row.with_words(words, subject));
        Ok(session.ok_or(Cause::Damaged))
    }

    fn open_turns(&self, tenant: &TenantName, rows: Vec<TurnRow>) -> Stored<(Vec<Turn>, Vec<Unreadable>)> {
        let (mut turns, mut damaged) = (Vec::new(), Vec::new());
        let mut names: HashMap<i64, Option<SessionId>> = HashMap::new();
        for row in rows {
            if let std::collections::hash_map::Entry::Vacant(unknown) = names.entry(row.session) {
                let session = self.sql.first(records::SESSION, params![row.session], session_row)?;
                let session = session.map(|row| self.open_session(tenant, &row)).transpose()?;
                unknown.insert(session.and_then(Result::ok).map(|session| session.id));
            }
            let session = names.get(&row.session).cloned().flatten();
            let id = row.id;
            match self.open_turn(tenant, row, session)? {
                Ok(turn) => turns.push(turn),
                Err(cause) => damaged.push(unreadable(RecordKind::Turn, id, cause)),
            }
        }
        Ok((turns, damaged))
    }

    fn open_turn(
        &self,
        tenant: &TenantName,
        row: TurnRow,
        session: Option<SessionId>,
    ) -> Stored<Result<Turn, Cause>> {
        let plain = self.open(tenant, row.key, At(RecordKind::Turn, &row.id.to_string()), &row.payload)?;
        Ok(plain.and_then(|plain| {
            let words = payload::decode(&plain).zip(session);
            words.and_then(|(words, session)| row.with_words(words, session)).ok_or(Cause::Damaged)
        }))
    }
}

fn session_row(row: &Row<'_>) -> rusqlite::Result<SessionRow> {
    let [started_at, last_at] = [row.get(1)?, row.get(2)?].map(Timestamp::from_millis);
    Ok(SessionRow { n: row.get(0)?, started_at, last_at, key: row.get(3)?, payload: row.get(4)? })
}

fn turn_row(row: &Row<'_>) -> rusqlite::Result<TurnRow> {
    Ok(TurnRow {
        id: TurnId(Uuid::from_bytes(row.get(0)?)),
        session: row.get(1)?,
        index: row.get(2)?,
        codes: [row.get(3)?, row.get(5)?, row.get(6)?],
        at: Timestamp::from_millis(row.get(4)?),
        key: row.get(7)?,
        payload: row.get(8)?,
    })
}
