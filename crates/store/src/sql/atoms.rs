//! Atoms in two tables: narrow rows with the changing columns, and sealed payloads with the rest.

use std::collections::HashMap;

use domain::{Atom, MemoryId, Rehearsal, Timestamp, rehearsal};

use super::statement::records;
use super::{Reader, Row, Sql, Value, Writer, columns, not_found, unreadable};
use crate::atom::{Mark, Rewording, StoredAtom};
use crate::code::Coded;
use crate::freshness::{Cause, RecordKind, Unreadable};
use crate::payload;
use crate::records::Stored;
use crate::row::{AtomRow, decay_numbers, number, pinned_since, spoken_bytes, spoken_details};
use crate::sealing::RecordName;

/// The atoms each atom was derived from.
pub(crate) type Lineage = HashMap<MemoryId, Vec<MemoryId>>;

/// An atom read for changing, and the number of its key.
struct AtomForUpdate {
    key: i64,
    stored: StoredAtom,
}

pub(crate) async fn mark_atom(writer: &mut impl Writer, id: MemoryId, mark: Mark) -> Stored<()> {
    let mut found = find(writer, id).await?;
    mark.set(&mut found.stored.atom);
    update_state(writer, &found.stored.atom).await?;
    match mark {
        Mark::Pinned(at) => writer.put_pin(id, at).await,
        Mark::Decay(profile) => {
            let [half_life, boost, protection, minimum, detail_rate] = decay_numbers(&profile);
            let function = profile.function.code();
            let row = columns![number(id), function, half_life, boost, protection, minimum, detail_rate];
            writer.sql().run(records::UPDATE_DECAY, row).await.map(drop)
        }
        Mark::Status(_) | Mark::Archived(_) | Mark::Review(_) | Mark::Held(_) | Mark::Released(_) => Ok(()),
    }
}

pub(crate) async fn rehearse(writer: &mut impl Writer, id: MemoryId, rehearsal: &Rehearsal) -> Stored<()> {
    let mut found = find(writer, id).await?;
    rehearsal::rehearse(&mut found.stored.atom, rehearsal);
    update_state(writer, &found.stored.atom).await?;
    let sql = writer.sql();
    sql.put_all(records::PUT_REHEARSALS, vec![rehearsal_columns(id, rehearsal)]).await?;
    let most = i64::try_from(Rehearsal::KEPT).unwrap_or(i64::MAX);
    sql.put(records::TRIM_REHEARSALS, columns![number(id), most]).await
}

pub(crate) async fn reword_atom(writer: &mut impl Writer, rewording: Rewording) -> Stored<()> {
    let id = rewording.id;
    let mut found = find(writer, id).await?;
    rewording.apply(&mut found.stored);
    update_state(writer, &found.stored.atom).await?;
    let plain = payload::encode_atom(&found.stored.atom, found.stored.vector.as_ref());
    let key = writer.key_numbered(found.key)?;
    let sealed = writer.seal(&key, RecordName(RecordKind::Atom, &id.to_string()), &plain)?;
    writer.sql().run(records::UPDATE_PAYLOAD, columns![number(id), sealed]).await?;
    writer.sql().put(records::DELETE_ATOM_VECTORS, columns![number(id)]).await
}

/// The status and revision of an atom.
pub(crate) async fn atom_state(writer: &impl Writer, id: MemoryId) -> Stored<(i64, u64)> {
    let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
    let state = writer.sql().first(records::ATOM_STATE, columns![number(id)], read).await?;
    state.ok_or_else(|| not_found(RecordKind::Atom, id))
}

async fn find(writer: &impl Writer, id: MemoryId) -> Stored<AtomForUpdate> {
    let sql = writer.sql();
    let row = sql.first(records::ATOM, columns![number(id)], atom_row).await?;
    let row = row.ok_or_else(|| not_found(RecordKind::Atom, id))?;
    let (key, is_sound) = (row.key, row.is_sound);
    let plain = writer.open(key, RecordName(RecordKind::Atom, &id.to_string()), &row.payload)?;
    let stored = row.with_words(&plain, None, Vec::new()).filter(|_| is_sound);
    Ok(AtomForUpdate { key, stored: stored.ok_or_else(|| sql.malformed("an atom"))? })
}

async fn update_state(writer: &impl Writer, atom: &Atom) -> Stored<()> {
    let row = columns![
        number(atom.id),
        writer.revision(),
        atom.redaction_status.code(),
        atom.last_rehearsed_at.as_millis(),
        atom.rehearsal_count,
        atom.archived_at.map(Timestamp::as_millis),
        atom.released_at.map(Timestamp::as_millis),
        atom.review.map(Coded::code),
        atom.audit_hold,
        pinned_since(atom),
        payload::encode_anchors(&atom.details),
    ];
    writer.sql().put(records::UPDATE_ATOM, row).await
}

/// The row of a rehearsal.
pub(crate) fn rehearsal_columns(id: MemoryId, rehearsal: &Rehearsal) -> Vec<Value> {
    columns![number(id), rehearsal.at.as_millis(), rehearsal.kind.code(), spoken_bytes(&rehearsal.spoken)]
}

/// Every atom by id, and those that can't be opened.
pub(crate) async fn all_atoms(reader: &impl Reader) -> Stored<(Vec<StoredAtom>, Vec<Unreadable>)> {
    let parent = reader.sql().all(records::LINEAGE, Vec::new(), lineage_row).await?;
    let mut lineage = lineage(parent);
    let (mut atoms, mut damaged) = (Vec::new(), Vec::new());
    for row in reader.sql().all(records::ATOMS, Vec::new(), atom_row).await? {
        let (id, sources) = (row.id, lineage.remove(&row.id).unwrap_or_default());
        match open_atom(reader, row, sources) {
            Ok(stored) => atoms.push(stored),
            Err(cause) => damaged.push(unreadable(RecordKind::Atom, id, cause)),
        }
    }
    atoms.sort_unstable_by_key(|stored| stored.atom.id);
    Ok((atoms, damaged))
}

/// The stored rehearsals of an atom, oldest first.
pub(crate) async fn rehearsals(reader: &impl Reader, id: MemoryId) -> Stored<Vec<Rehearsal>> {
    let sql = reader.sql();
    let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get::<Vec<u8>>(2)?));
    let rows = sql.all(records::REHEARSALS, columns![number(id)], read).await?;
    let rehearsal = |(at, kind, spoken): (i64, i64, Vec<u8>)| {
        let kind = Coded::from_code(kind).ok_or_else(|| sql.malformed("a rehearsal"))?;
        Ok(Rehearsal { at: Timestamp::from_millis(at), kind, spoken: spoken_details(&spoken) })
    };
    rows.into_iter().map(rehearsal).collect()
}

/// Opens an atom. A row with a wrong checksum counts as damaged.
pub(crate) fn open_atom(
    reader: &impl Reader,
    row: AtomRow,
    sources: Vec<MemoryId>,
) -> Result<StoredAtom, Cause> {
    let plain = reader.open(row.key, RecordName(RecordKind::Atom, &row.id.to_string()), &row.payload)?;
    if !row.is_sound {
        return Err(Cause::Damaged);
    }
    let subject = reader.keys().subject(row.key).cloned();
    row.with_words(&plain, subject, sources).ok_or(Cause::Damaged)
}

/// An atom and one that it was derived from.
pub(crate) fn lineage_row(row: &Row<'_>) -> Stored<(MemoryId, MemoryId)> {
    Ok((MemoryId::from_u64(row.get(0)?), MemoryId::from_u64(row.get(1)?)))
}

pub(crate) fn lineage(rows: Vec<(MemoryId, MemoryId)>) -> Lineage {
    let mut lineage = Lineage::new();
    for (child, parent) in rows {
        lineage.entry(child).or_default().push(parent);
    }
    lineage
}

/// A stored atom, and whether its checksum is correct.
pub(crate) fn atom_row(row: &Row<'_>) -> Stored<AtomRow> {
    Ok(AtomRow {
        id: MemoryId::from_u64(row.get(0)?),
        revision: row.get(1)?,
        codes: [row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?],
        times: [row.get(6)?, row.get(7)?],
        rehearsal_count: row.get(8)?,
        weights: [row.get(9)?, row.get(10)?],
        decay_function: row.get(11)?,
        decay: [row.get(12)?, row.get(13)?, row.get(14)?, row.get(15)?, row.get(16)?],
        archived_at: row.get(17)?,
        released_at: row.get(18)?,
        review: row.get(19)?,
        audit_hold: row.get(20)?,
        revises: row.get(21)?,
        anchors: row.get(22)?,
        key: row.get(23)?,
        payload: row.get(24)?,
        pinned_at: row.get(25)?,
        is_sound: row.is_sound()?,
    })
}

/// The changing columns of an atom, which come first in its row.
pub(crate) fn state_columns(atom: &Atom, revision: u64) -> Vec<Value> {
    let decay = &atom.decay_profile;
    columns![
        number(atom.id),
        revision,
        atom.kind.code(),
        atom.privacy_class.code(),
        atom.redaction_status.code(),
        atom.trust.code(),
        atom.created_at.as_millis(),
        atom.last_rehearsed_at.as_millis(),
        atom.rehearsal_count,
        atom.salience.get(),
        atom.emotional_valence.get(),
        decay.function.code(),
        decay.half_life_days,
        decay.rehearsal_boost,
        decay.valence_protection,
        decay.minimum_salience.get(),
        decay.detail_decay_rate,
        atom.archived_at.map(Timestamp::as_millis),
        atom.released_at.map(Timestamp::as_millis),
        atom.review.map(Coded::code),
        atom.audit_hold,
        atom.revises.map(number),
        payload::encode_anchors(&atom.details),
    ]
}
