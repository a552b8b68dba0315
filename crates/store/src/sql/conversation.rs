//! Sessions and turns. The id a client gives a session may contain personal data, so it is sealed; the
//! mapping from ids to row numbers is kept in memory only.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use domain::{SessionId, SubjectRef, Timestamp};

use super::statement::records;
use super::{Reader, Row, Sql, Writer, columns, not_found, unreadable};
use crate::code::Coded;
use crate::conversation::{Formation, FormationResult, Session, Turn, TurnId, TurnMark, TurnState};
use crate::error::{Conflict, StoreError};
use crate::freshness::{Cause, RecordKind, Unreadable};
use crate::payload::{self, SessionWords, TurnWords};
use crate::records::Stored;
use crate::row::{SessionRow, TurnRow};
use crate::sealing::{KeyTable, RecordName};

/// The number of each session.
pub(crate) type SessionNumbers = HashMap<SessionId, i64>;

pub(crate) async fn put_session(writer: &mut impl Writer, session: &Session) -> Stored<()> {
    let key = writer.key(Some(&session.subject)).await?;
    let plain = payload::encode(&payload::session_words(session));
    let n = match writer.session_number(&session.id) {
        Some(n) => check_session_key(writer, n, key.n).await.map(|()| n)?,
        None => name_session(writer, session, key.n).await?,
    };
    let sealed = writer.seal(&key, RecordName(RecordKind::Session, &n.to_string()), &plain)?;
    let row =
        columns![n, writer.revision(), session.started_at.as_millis(), session.last_at.as_millis(), sealed];
    writer.sql().put(records::UPDATE_SESSION, row).await
}

pub(crate) async fn append_turn(writer: &mut impl Writer, turn: &Turn) -> Stored<()> {
    let no_session = || not_found(RecordKind::Session, "of this turn");
    let session = writer.session_number(&turn.session).ok_or_else(no_session)?;
    if turn_key(writer, turn.id).await?.is_some() {
        return Err(Conflict::RecordDiffers { kind: RecordKind::Turn }.into());
    }
    let key = writer.sql().first(records::SESSION, columns![session], |row| row.get(3)).await?;
    let key = writer.key_numbered(key.ok_or_else(no_session)?)?;
    let plain = payload::encode(&payload::turn_words(turn));
    let sealed = writer.seal(&key, RecordName(RecordKind::Turn, &turn.id.to_string()), &plain)?;
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
    writer.sql().put(records::PUT_TURN, row).await
}

pub(crate) async fn mark_turn(writer: &mut impl Writer, id: TurnId, mark: TurnMark) -> Stored<()> {
    let (statement, code) = match mark {
        TurnMark::State(state) => (records::MARK_TURN_STATE, state.code()),
        TurnMark::Formation(formation) => (records::MARK_TURN_FORMATION, formation.code()),
        TurnMark::Formed(result) => {
            put_formation_result(writer, id, result).await?;
            (records::MARK_TURN_FORMATION, Formation::Done.code())
        }
    };
    match writer.sql().run(statement, columns![id.0, code]).await? {
        0 => Err(not_found(RecordKind::Turn, id)),
        _ => Ok(()),
    }
}

/// Seals the result of formation with the text of its turn, under the same key.
async fn put_formation_result(writer: &mut impl Writer, id: TurnId, result: FormationResult) -> Stored<()> {
    let (sql, place) = (writer.sql(), id.to_string());
    let read = |row: &Row<'_>| Ok((row.get(0)?, row.get::<Vec<u8>>(1)?));
    let row = sql.first(records::TURN_PAYLOAD, columns![id.0], read).await?;
    let (key, sealed) = row.ok_or_else(|| not_found(RecordKind::Turn, id))?;
    let plain = writer.open(key, RecordName(RecordKind::Turn, &place), &sealed)?;
    let words: Option<TurnWords> = payload::decode(&plain);
    let words = TurnWords { formed: Some(result), ..words.ok_or_else(|| sql.malformed("a turn"))? };
    let sealing_key = writer.key_numbered(key)?;
    let sealed = writer.seal(&sealing_key, RecordName(RecordKind::Turn, &place), &payload::encode(&words))?;
    sql.put(records::RESEAL_TURN, columns![id.0, key, sealed]).await
}

pub(crate) async fn check_session_length(writer: &impl Writer, id: &SessionId, expected: u32) -> Stored<()> {
    let found: Option<u32> = match writer.session_number(id) {
        Some(n) => writer.sql().first(records::SESSION_LENGTH, columns![n], |row| row.get(0)).await?,
        None => None,
    };
    let found = found.unwrap_or(0);
    if found == expected { Ok(()) } else { Err(Conflict::SessionMoved { expected, found }.into()) }
}

pub(crate) async fn check_turn_active(writer: &impl Writer, id: TurnId) -> Stored<()> {
    let code = writer.sql().first(records::TURN_STATE, columns![id.0], |row| row.get(0)).await?;
    match code.and_then(TurnState::from_code) {
        Some(TurnState::Whole | TurnState::Interrupted) => Ok(()),
        Some(TurnState::Superseded) | None => Err(Conflict::TurnReplaced(id).into()),
    }
}

/// The key of a turn, if the turn exists.
pub(crate) async fn turn_key(writer: &impl Writer, id: TurnId) -> Stored<Option<i64>> {
    writer.sql().first(records::TURN_KEY, columns![id.0], |row| row.get(0)).await
}

async fn check_session_key(writer: &impl Writer, n: i64, key: i64) -> Stored<()> {
    let found: Option<i64> = writer.sql().first(records::SESSION, columns![n], |row| row.get(3)).await?;
    let same = found == Some(key);
    if same { Ok(()) } else { Err(Conflict::RecordDiffers { kind: RecordKind::Session }.into()) }
}

/// Inserts a new session and returns its number. The number is part of the address its payload is sealed
/// for, so the row must exist first.
async fn name_session(writer: &mut impl Writer, session: &Session, key: i64) -> Stored<i64> {
    let (started_at, last_at) = (session.started_at.as_millis(), session.last_at.as_millis());
    let row = columns![writer.revision(), started_at, last_at, key];
    let n = writer.sql().insert(records::PUT_SESSION, row).await?;
    writer.remember_session(session.id.clone(), n);
    Ok(n)
}

/// Every session, of one subject or of all, latest first, and those that can't be opened.
pub(crate) async fn sessions(
    reader: &impl Reader,
    subject: Option<&SubjectRef>,
) -> Stored<(Vec<Session>, Vec<Unreadable>)> {
    let (mut sessions, mut damaged) = (Vec::new(), Vec::new());
    for row in reader.sql().all(records::SESSIONS, Vec::new(), session_row).await? {
        match open_session(reader, &row) {
            Ok(session) => sessions.push(session),
            Err(cause) => damaged.push(unreadable(RecordKind::Session, row.n, cause)),
        }
    }
    sessions.retain(|session| subject.is_none_or(|subject| session.subject == *subject));
    sessions.sort_by_key(|session| (Reverse(session.last_at), session.id.clone()));
    Ok((sessions, damaged))
}

pub(crate) async fn session(reader: &impl Reader, id: &SessionId) -> Stored<Option<Session>> {
    let Some(n) = reader.session_number(id) else { return Ok(None) };
    let Some(row) = reader.sql().first(records::SESSION, columns![n], session_row).await? else {
        return Ok(None);
    };
    let (kind, id) = (RecordKind::Session, n.to_string());
    let opened = open_session(reader, &row);
    opened.map(Some).map_err(|cause| StoreError::Unreadable { kind, id, cause })
}

/// The turns of a session by number, and those that can't be opened.
pub(crate) async fn turns(reader: &impl Reader, session: &SessionId) -> Stored<(Vec<Turn>, Vec<Unreadable>)> {
    match reader.session_number(session) {
        None => Ok((Vec::new(), Vec::new())),
        Some(n) => {
            let rows = reader.sql().all(records::TURNS, columns![n], turn_row).await?;
            open_turns(reader, rows).await
        }
    }
}

pub(crate) async fn unformed_turns(reader: &impl Reader) -> Stored<Vec<Turn>> {
    let rows = reader.sql().all(records::UNFORMED_TURNS, Vec::new(), turn_row).await?;
    Ok(open_turns(reader, rows).await?.0)
}

pub(crate) async fn turn(reader: &impl Reader, id: TurnId) -> Stored<Option<Turn>> {
    let rows = reader.sql().all(records::TURN, columns![id.0], turn_row).await?;
    Ok(open_turns(reader, rows).await?.0.pop())
}

fn open_session(reader: &impl Reader, row: &SessionRow) -> Result<Session, Cause> {
    let plain = reader.open(row.key, RecordName(RecordKind::Session, &row.n.to_string()), &row.payload)?;
    let session = payload::decode(&plain).zip(reader.keys().subject(row.key).cloned());
    session.map(|(words, subject)| row.with_words(words, subject)).ok_or(Cause::Damaged)
}

async fn open_turns(reader: &impl Reader, rows: Vec<TurnRow>) -> Stored<(Vec<Turn>, Vec<Unreadable>)> {
    let (mut turns, mut damaged) = (Vec::new(), Vec::new());
    let mut names: HashMap<i64, Option<SessionId>> = HashMap::new();
    for row in rows {
        let session = match names.entry(row.session) {
            Entry::Occupied(known) => known.get().clone(),
            Entry::Vacant(unknown) => {
                let n = columns![row.session];
                let session = reader.sql().first(records::SESSION, n, session_row).await?;
                let session = session.and_then(|row| open_session(reader, &row).ok());
                unknown.insert(session.map(|session| session.id)).clone()
            }
        };
        let id = row.id;
        match open_turn(reader, row, session) {
            Ok(turn) => turns.push(turn),
            Err(cause) => damaged.push(unreadable(RecordKind::Turn, id, cause)),
        }
    }
    Ok((turns, damaged))
}

fn open_turn(reader: &impl Reader, row: TurnRow, session: Option<SessionId>) -> Result<Turn, Cause> {
    let plain = reader.open(row.key, RecordName(RecordKind::Turn, &row.id.to_string()), &row.payload)?;
    let words = payload::decode(&plain).zip(session);
    words.and_then(|(words, session)| row.with_words(words, session)).ok_or(Cause::Damaged)
}

pub(crate) fn session_row(row: &Row<'_>) -> Stored<SessionRow> {
    let [started_at, last_at] = [row.get(1)?, row.get(2)?].map(Timestamp::from_millis);
    Ok(SessionRow { n: row.get(0)?, started_at, last_at, key: row.get(3)?, payload: row.get(4)? })
}

/// The id a client gave a session, if it can be opened.
pub(crate) fn session_name(row: &SessionRow, keys: &KeyTable) -> Option<SessionId> {
    let plain =
        keys.open(row.key, RecordName(RecordKind::Session, &row.n.to_string()), &row.payload)?.ok()?;
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
