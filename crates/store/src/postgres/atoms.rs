//! Atoms in two tables: narrow rows with the changing columns, and sealed payloads with the rest.

use std::collections::{HashMap, HashSet};

use domain::{Atom, MemoryId, Rehearsal, Timestamp, rehearsal};

use super::connection::Row;
use super::persona::{Recorder, not_found};
use super::reading::{View, unreadable};
use super::statement::records;
use super::tombstones;
use super::value::{Value, columns};
use crate::atom::{Mark, Rewording, StoredAtom};
use crate::batch::NewAtom;
use crate::code::Coded;
use crate::error::{Conflict, StoreError};
use crate::freshness::{Cause, RecordKind, Unreadable};
use crate::payload;
use crate::records::Stored;
use crate::row::{AtomRow, decay_numbers, number, pinned_since, spoken_bytes, spoken_details};
use crate::sealing::At;

/// An atom to be inserted, with its time and revision.
pub(super) struct AtomInsert {
    pub(super) new: NewAtom,
    pub(super) at: Timestamp,
    pub(super) revision: u64,
}

/// The rows of new atoms, by table.
#[derive(Default)]
struct Rows {
    states: Vec<Vec<Value>>,
    payloads: Vec<Vec<Value>>,
    lineage: Vec<Vec<Value>>,
}

/// The atoms each atom was derived from.
type Lineage = HashMap<MemoryId, Vec<MemoryId>>;

impl Recorder<'_> {
    /// Inserts new atoms with one statement per table instead of one per atom.
    pub(super) async fn put_atoms(&mut self, arrivals: Vec<AtomInsert>) -> Stored<()> {
        if arrivals.is_empty() {
            return Ok(());
        }
        let ids: Vec<MemoryId> = arrivals.iter().map(|arrival| arrival.new.atom.id).collect();
        let owners = arrivals.iter().map(|arrival| (arrival.new.atom.subject.as_ref(), arrival.at));
        self.desk.make_missing_keys(owners).await?;
        // The text is sealed while the server checks whether the ids are free.
        let (removed, sealed) = tokio::join!(self.check_free(&ids), async { self.sealed_rows(&arrivals) });
        let (removed, rows) = (removed?, sealed?);
        self.sql().put_all(records::PUT_ATOMS, rows.states).await?;
        self.sql().put_all(records::PUT_PAYLOADS, rows.payloads).await?;
        self.sql().put_all(records::PUT_LINEAGE, rows.lineage).await?;
        if removed.is_empty() {
            return Ok(());
        }
        tombstones::clear_removed(&self.sql(), &removed).await
    }

    fn sealed_rows(&self, arrivals: &[AtomInsert]) -> Stored<Rows> {
        let mut rows = Rows::default();
        for AtomInsert { new: NewAtom { atom, vector }, at, revision } in arrivals {
            let (id, plain) = (atom.id.to_string(), payload::encode_atom(atom, vector.as_ref()));
            let key = self.desk.existing_key(atom.subject.as_ref(), *at)?;
            let sealed = self.seal(&key, At(RecordKind::Atom, &id), &plain)?;
            rows.states.push(state_columns(atom, *revision));
            rows.payloads.push(columns![number(atom.id), key.n, sealed]);
            let parents = (0_i64..).zip(&atom.derived_from);
            let parents = parents.map(|(place, parent)| columns![number(atom.id), place, number(*parent)]);
            rows.lineage.extend(parents);
        }
        Ok(rows)
    }

    /// Refuses ids that are taken or have a tombstone. Returns the others that are still recorded as
    /// removed.
    async fn check_free(&self, ids: &[MemoryId]) -> Stored<Vec<MemoryId>> {
        let (mut taken, mut removed) = (HashSet::new(), Vec::new());
        for fate in tombstones::id_states(&self.sql(), ids).await? {
            if fate.lives || !taken.insert(fate.id) {
                return Err(Conflict::AtomExists(fate.id).into());
            }
            if fate.has_tombstone {
                return Err(Conflict::AtomForgotten(fate.id).into());
            }
            removed.extend(fate.is_removed.then_some(fate.id));
        }
        Ok(removed)
    }

    pub(super) async fn mark_atom(&mut self, id: MemoryId, mark: Mark) -> Stored<()> {
        let mut found = self.atom(id).await?;
        mark.set(&mut found.stored.atom);
        self.update_state(&found.stored.atom).await?;
        if let Mark::Decay(profile) = mark {
            let [half_life, boost, protection, minimum, detail_rate] = decay_numbers(&profile);
            let function = profile.function.code();
            let row = columns![number(id), function, half_life, boost, protection, minimum, detail_rate];
            self.sql().run(records::UPDATE_DECAY, row).await?;
        }
        Ok(())
    }

    pub(super) async fn rehearse(&mut self, id: MemoryId, rehearsal: &Rehearsal) -> Stored<()> {
        let mut found = self.atom(id).await?;
        rehearsal::rehearse(&mut found.stored.atom, rehearsal);
        self.update_state(&found.stored.atom).await?;
        self.sql().put_all(records::PUT_REHEARSALS, vec![rehearsal_columns(id, rehearsal)]).await?;
        let kept = i64::try_from(Rehearsal::KEPT).unwrap_or(i64::MAX);
        self.sql().put(records::TRIM_REHEARSALS, columns![number(id), kept]).await
    }

    pub(super) async fn reword_atom(&mut self, rewording: Rewording) -> Stored<()> {
        let id = rewording.id;
        let mut found = self.atom(id).await?;
        rewording.apply(&mut found.stored);
        self.update_state(&found.stored.atom).await?;
        let plain = payload::encode_atom(&found.stored.atom, found.stored.vector.as_ref());
        let key = self.key_numbered(found.key)?;
        let sealed = self.seal(&key, At(RecordKind::Atom, &id.to_string()), &plain)?;
        self.sql().run(records::UPDATE_PAYLOAD, columns![number(id), sealed]).await?;
        self.sql().put(records::DELETE_ATOM_VECTORS, columns![number(id)]).await
    }

    async fn atom(&self, id: MemoryId) -> Stored<Found> {
        let row = self.sql().first(records::ATOMS_NAMED, vec![numbers(&[id])], atom_row).await?;
        let row = row.ok_or_else(|| not_found(RecordKind::Atom, id))?;
        let plain = self.open(row.key, At(RecordKind::Atom, &id.to_string()), &row.payload)?;
        let key = row.key;
        let malformed = || self.sql().malformed("an atom");
        let stored = row.with_words(&plain, None, Vec::new()).ok_or_else(malformed)?;
        Ok(Found { key, stored })
    }

    async fn update_state(&self, atom: &Atom) -> Stored<()> {
        let row = columns![
            number(atom.id),
            self.revision(),
            atom.redaction_status.code(),
            atom.last_rehearsed_at.as_millis(),
            atom.rehearsal_count,
            atom.archived_at.map(Timestamp::as_millis),
            atom.released_at.map(Timestamp::as_millis),
            atom.review.map(Coded::code),
            atom.audit_hold,
            payload::encode_anchors(&atom.details),
            pinned_since(atom),
        ];
        self.sql().put(records::UPDATE_ATOM, row).await
    }
}

impl View<'_> {
    /// Every atom by id, and those that can't be opened.
    pub(super) async fn all_atoms(&self) -> Stored<(Vec<StoredAtom>, Vec<Unreadable>)> {
        let mut lineage = self.lineage(records::LINEAGE, Vec::new()).await?;
        let (mut atoms, mut damaged) = (Vec::new(), Vec::new());
        for row in self.sql().all(records::ATOMS, Vec::new(), atom_row).await? {
            let (id, sources) = (row.id, lineage.remove(&row.id).unwrap_or_default());
            match self.open_atom(row, sources) {
                Ok(stored) => atoms.push(stored),
                Err(cause) => damaged.push(unreadable(RecordKind::Atom, id, cause)),
            }
        }
        Ok((atoms, damaged))
    }

    /// The atoms with these ids, in this order.
    pub(super) async fn atoms(&self, ids: &[MemoryId]) -> Stored<Vec<StoredAtom>> {
        let lineage = self.lineage(records::LINEAGE_NAMED, vec![numbers(ids)]).await?;
        let opened = |row: AtomRow| {
            let (id, sources) = (row.id, lineage.get(&row.id).cloned().unwrap_or_default());
            let unreadable =
                |cause| StoreError::Unreadable { kind: RecordKind::Atom, id: id.to_string(), cause };
            self.open_atom(row, sources).map_err(unreadable)
        };
        let rows = self.sql().all(records::ATOMS_NAMED, vec![numbers(ids)], atom_row).await?;
        rows.into_iter().map(opened).collect()
    }

    async fn lineage(&self, statement: &'static str, values: Vec<Value>) -> Stored<Lineage> {
        let mut lineage = Lineage::new();
        let read = |row: &Row<'_>| Ok((MemoryId::from_u64(row.get(0)?), MemoryId::from_u64(row.get(1)?)));
        for (child, parent) in self.sql().all(statement, values, read).await? {
            lineage.entry(child).or_default().push(parent);
        }
        Ok(lineage)
    }

    pub(super) async fn rehearsals(&self, id: MemoryId) -> Stored<Vec<Rehearsal>> {
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get::<Vec<u8>>(2)?));
        let rows = self.sql().all(records::REHEARSALS, columns![number(id)], read).await?;
        let rehearsal = |(at, kind, spoken): (i64, i64, Vec<u8>)| {
            let kind = Coded::from_code(kind).ok_or_else(|| self.sql().malformed("a rehearsal"))?;
            Ok(Rehearsal { at: Timestamp::from_millis(at), kind, spoken: spoken_details(&spoken) })
        };
        rows.into_iter().map(rehearsal).collect()
    }

    fn open_atom(&self, row: AtomRow, sources: Vec<MemoryId>) -> Result<StoredAtom, Cause> {
        let plain = self.open(row.key, At(RecordKind::Atom, &row.id.to_string()), &row.payload)?;
        let subject = self.subject(row.key);
        row.with_words(&plain, subject, sources).ok_or(Cause::Damaged)
    }
}

/// An atom read for changing.
struct Found {
    key: i64,
    stored: StoredAtom,
}

/// The changing columns of an atom, which come first in its row.
fn state_columns(atom: &Atom, revision: u64) -> Vec<Value> {
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
        pinned_since(atom),
    ]
}

pub(super) fn rehearsal_columns(id: MemoryId, rehearsal: &Rehearsal) -> Vec<Value> {
    columns![number(id), rehearsal.at.as_millis(), rehearsal.kind.code(), spoken_bytes(&rehearsal.spoken)]
}

fn numbers(ids: &[MemoryId]) -> Value {
    ids.iter().map(|id| number(*id)).collect()
}

fn atom_row(row: &Row<'_>) -> Stored<AtomRow> {
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
    })
}
