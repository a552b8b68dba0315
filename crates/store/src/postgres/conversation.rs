//! Sessions and turns. The id a client gives a session may contain personal data, so it is sealed; the
//! mapping from ids to row numbers is kept in memory only.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

use domain::{SessionId, SubjectRef, Timestamp};

use super::connection::Row;
use super::persona::{Recorder, not_found};
use super::reading::{View, unreadable};
use super::statement::records;
use super::value::columns;
use crate::code::Coded;
use crate::conversation::{Formation, FormationResult, Session, Turn, TurnId, TurnMark};
use crate::error::Conflict;
use crate::freshness::{Cause, RecordKind, Unreadable};
use crate::payload::{self, SessionWords, TurnWords};
use crate::records::Stored;
use crate::row::{SessionRow, TurnRow};
use crate::sealing::{At, KeyTable};

/// The number of each session.
pub(super) type SessionNumbers = HashMap<SessionId, i64>;

impl Recorder<'_> {
    pub(super) async fn put_session(&mut self, session: &Session) -> Stored<()> {
        let key = self.key(Some(&session.subject)).await?;
        let times = (session.started_at.as_millis(), session.last_at.as_millis());
        let plain = payload::encode(&payload::session_words(session));
        let n = match self.session_number(&session.id) {
            Some(n) => self.check_session_key(n, key.n).await.map(|()| n)?,
            None => self.name_session(session.id.clone(), times, key.n).await?,
        };
        let sealed = self.seal(&key, At(RecordKind::Session, &n.to_string()), &plain)?;
        let row = columns![n, self.revision(), times.0, times.1, sealed];
        self.sql().put(records::UPDATE_SESSION, row).await
    }

    pub(super) async fn append_turn(&mut self, turn: &Turn) -> Stored<()> {
        let session = self.session_number(&turn.session);
        let session = session.ok_or_else(|| not_found(RecordKind::Session, "of this turn"))?;
        if self.turn_key(turn.id).await?.is_some() {
            return Err(Conflict::RecordDiffers { kind: RecordKind::Turn }.into());
        }
        let key = self.sql().first(records::SESSION, columns![session], |row| row.get(3)).await?;
        let key = self.key_numbered(key.ok_or_else(|| not_found(RecordKind::Session, "of this turn"))?)?;
        let plain = payload::encode(&payload::turn_words(turn));
        let sealed = self.seal(&key, At(RecordKind::Turn, &turn.id.to_string()), &plain)?;
        let row = columns![
            turn.id.0,
            session,
            turn.index,
            turn.speaker.code(),
            turn.at.as_millis(),
            turn.state.code(),
            turn.formation.code(),
            key.n,
            sealed,
        ];
        self.sql().put(records::PUT_TURN, row).await
    }

    pub(super) async fn mark_turn(&mut self, id: TurnId, mark: TurnMark) -> Stored<()> {
        let (statement, code) = match mark {
            TurnMark::State(state) => (records::MARK_TURN_STATE, state.code()),
            TurnMark::Formation(formation) => (records::MARK_TURN_FORMATION, formation.code()),
            TurnMark::Formed(result) => {
                self.put_formation_result(id, result).await?;
                (records::MARK_TURN_FORMATION, Formation::Done.code())
            }
        };
        match self.sql().run(statement, columns![id.0, code]).await? {
            0 => Err(not_found(RecordKind::Turn, id)),
            _ => Ok(()),
        }
    }

    /// Seals the result of formation with the text of its turn, under the same key.
    async fn put_formation_result(&mut self, id: TurnId, result: FormationResult) -> Stored<()> {
        let row: Option<(i64, Vec<u8>)> = self
            .sql()
            .first(records::TURN_PAYLOAD, columns![id.0], |row| Ok((row.get(0)?, row.get(1)?)))
            .await?;
        let (key, sealed) = row.ok_or_else(|| not_found(RecordKind::Turn, id))?;
        let place = id.to_string();
        let plain = self.open(key, At(RecordKind::Turn, &place), &sealed)?;
        let words: Option<TurnWords> = payload::decode(&plain);
        let words = words.ok_or_else(|| self.sql().malformed("a turn"))?;
        let words = TurnWords { formed: Some(result), ..words };
        let sealing_key = self.key_numbered(key)?;
        let sealed = self.seal(&sealing_key, At(RecordKind::Turn, &place), &payload::encode(&words))?;
        self.sql().put(records::RESEAL_TURN, columns![id.0, key, sealed]).await
    }

    pub(super) async fn check_session_length(&self, id: &SessionId, expected: u32) -> Stored<()> {
        let found: Option<u32> = match self.session_number(id) {
            Some(n) => self.sql().first(records::SESSION_LENGTH, columns![n], |row| row.get(0)).await?,
            None => None,
        };
        let found = found.unwrap_or(0);
        if found == expected { Ok(()) } else { Err(Conflict::SessionMoved { expected, found }.into()) }
    }

    /// The key of a turn, if the turn exists.
    pub(super) async fn turn_key(&self, id: TurnId) -> Stored<Option<i64>> {
        self.sql().first(records::TURN_KEY, columns![id.0], |row| row.get(0)).await
    }

    pub(super) fn session_number(&self, id: &SessionId) -> Option<i64> {
        self.desk.names.sessions.get(id).copied()
    }

    /// Drops the ids of destroyed sessions.
    pub(super) fn forget_sessions(&mut self, gone: &[i64]) {
        if !gone.is_empty() {
            Arc::make_mut(&mut self.desk.names).sessions.retain(|_, n| !gone.contains(n));
        }
    }

    async fn check_session_key(&self, n: i64, key: i64) -> Stored<()> {
        let kept: Option<i64> = self.sql().first(records::SESSION, columns![n], |row| row.get(3)).await?;
        let same = kept == Some(key);
        if same { Ok(()) } else { Err(Conflict::RecordDiffers { kind: RecordKind::Session }.into()) }
    }

    /// Inserts a new session and returns its number. The number is part of the address its payload is
    /// sealed for, so the row must exist first.
    async fn name_session(&mut self, id: SessionId, times: (i64, i64), key: i64) -> Stored<i64> {
        let row = columns![self.revision(), times.0, times.1, key];
        let n = self.sql().insert(records::PUT_SESSION, row).await?;
        Arc::make_mut(&mut self.desk.names).sessions.insert(id, n);
        Ok(n)
    }
}

impl View<'_> {
    /// Every session, of one subject or of all, latest first, and those that can't be opened.
    pub(super) async fn sessions(
        &self,
        subject: Option<&SubjectRef>,
    ) -> Stored<(Vec<Session>, Vec<Unreadable>)> {
        let (mut sessions, mut damaged) = (Vec::new(), Vec::new());
        for row in self.sql().all(records::SESSIONS, Vec::new(), session_row).await? {
            match self.open_session(&row) {
                Ok(session) => sessions.push(session),
                Err(cause) => damaged.push(unreadable(RecordKind::Session, row.n, cause)),
            }
        }
        sessions.retain(|session| subject.is_none_or(|subject| session.subject == *subject));
        sessions.sort_by_key(|session| (Reverse(session.last_at), session.id.clone()));
        Ok((sessions, damaged))
    }

    pub(super) async fn session(&self, id: &SessionId) -> Stored<Option<Session>> {
        let Some(n) = self.session_number(id) else { return Ok(None) };
        let Some(row) = self.sql().first(records::SESSION, columns![n], session_row).await? else {
            return Ok(None);
        };
        let (kind, id) = (RecordKind::Session, n.to_string());
        let opened = self.open_session(&row);
        opened.map(Some).map_err(|cause| crate::StoreError::Unreadable { kind, id, cause })
    }

    /// The turns of a session by number, and those that can't be opened.
    pub(super) async fn turns(&self, session: &SessionId) -> Stored<(Vec<Turn>, Vec<Unreadable>)> {
        match self.session_number(session) {
            None => Ok((Vec::new(), Vec::new())),
            Some(n) => {
                let rows = self.sql().all(records::TURNS, columns![n], turn_row).await?;
                self.open_turns(rows).await
            }
        }
    }

    pub(super) async fn unformed_turns(&self) -> Stored<Vec<Turn>> {
        let rows = self.sql().all(records::UNFORMED_TURNS, Vec::new(), turn_row).await?;
        Ok(self.open_turns(rows).await?.0)
    }

    pub(super) async fn unformed_turn(&self, id: TurnId) -> Stored<Option<Turn>> {
        let rows = self.sql().all(records::UNFORMED_TURN, columns![id.0], turn_row).await?;
        Ok(self.open_turns(rows).await?.0.pop())
    }

    fn session_number(&self, id: &SessionId) -> Option<i64> {
        self.names.sessions.get(id).copied()
    }

    fn open_session(&self, row: &SessionRow) -> Result<Session, Cause> {
        let plain = self.open(row.key, At(RecordKind::Session, &row.n.to_string()), &row.payload)?;
        let session = payload::decode(&plain).zip(self.subject(row.key));
        session.map(|(words, subject)| row.with_words(words, subject)).ok_or(Cause::Damaged)
    }

    async fn open_turns(&self, rows: Vec<TurnRow>) -> Stored<(Vec<Turn>, Vec<Unreadable>)> {
        let (mut turns, mut damaged) = (Vec::new(), Vec::new());
        let mut names: HashMap<i64, Option<SessionId>> = HashMap::new();
        for row in rows {
            if let std::collections::hash_map::Entry::Vacant(unknown) = names.entry(row.session) {
                let n = columns![row.session];
                let session = self.sql().first(records::SESSION, n, session_row).await?;
                let session = session.and_then(|row| self.open_session(&row).ok());
                unknown.insert(session.map(|session| session.id));
            }
            let session = names.get(&row.session).cloned().flatten();
            let id = row.id;
            match self.open_turn(row, session) {
                Ok(turn) => turns.push(turn),
                Err(cause) => damaged.push(unreadable(RecordKind::Turn, id, cause)),
            }
        }
        Ok((turns, damaged))
    }

    fn open_turn(&self, row: TurnRow, session: Option<SessionId>) -> Result<Turn, Cause> {
        let plain = self.open(row.key, At(RecordKind::Turn, &row.id.to_string()), &row.payload)?;
        let words = payload::decode(&plain).zip(session);
        words.and_then(|(words, session)| row.with_words(words, session)).ok_or(Cause::Damaged)
    }
}

pub(super) fn session_row(row: &Row<'_>) -> Stored<SessionRow> {
    let [started_at, last_at] = [row.get(1)?, row.get(2)?].map(Timestamp::from_millis);
    Ok(SessionRow { n: row.get(0)?, started_at, last_at, key: row.get(3)?, payload: row.get(4)? })
}

/// The id a client gave a session, if it can be opened.
pub(super) fn session_name(row: &SessionRow, book: &KeyTable) -> Option<SessionId> {
    let plain = book.open(row.key, At(RecordKind::Session, &row.n.to_string()), &row.payload)?.ok()?;
    payload::decode::<SessionWords>(&plain).map(|words| words.id)
}

fn turn_row(row: &Row<'_>) -> Stored<TurnRow> {
    Ok(TurnRow {
        id: TurnId(row.get(0)?),
        session: row.get(1)?,
        index: row.get(2)?,
        codes: [row.get(3)?, row.get(5)?, row.get(6)?],
        at: Timestamp::from_millis(row.get(4)?),
        key: row.get(7)?,
        payload: row.get(8)?,
    })
}
