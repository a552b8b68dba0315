//! Atoms in two tables: narrow rows of what changes, and sealed payloads of what does not.

use std::collections::HashMap;

use domain::{Atom, MemoryId, Rehearsal, Timestamp, rehearsal};

use super::connection::Row;
use super::persona::{Recorder, not_found};
use super::reading::{View, unreadable};
use super::statement::records;
use super::tombstones;
use super::value::columns;
use crate::atom::{Mark, Rewording, StoredAtom};
use crate::batch::NewAtom;
use crate::code::Coded;
use crate::error::Conflict;
use crate::freshness::{Cause, RecordKind, Unreadable};
use crate::payload;
use crate::records::Stored;
use crate::row::{AtomRow, number, spoken_bytes, spoken_details};
use crate::sealing::At;
use crate::tombstone::RecordId;

impl Recorder<'_> {
    pub(super) async fn put_atom(&mut self, new: NewAtom) -> Stored<()> {
        let NewAtom { atom, vector } = new;
        let (record, number) = (RecordId::Atom(atom.id), number(atom.id));
        if self.sql().first(records::ATOM_STATE, columns![number], |_| Ok(())).await?.is_some() {
            return Err(Conflict::AtomExists(atom.id).into());
        }
        if tombstones::is_set(&self.sql(), record).await? {
            return Err(Conflict::AtomForgotten(atom.id).into());
        }
        let key = self.key(atom.subject.as_ref()).await?;
        let (id, plain) = (atom.id.to_string(), payload::encode_atom(&atom, vector.as_ref()));
        let sealed = self.seal(&key, At(RecordKind::Atom, &id), &plain)?;
        self.insert_state(&atom).await?;
        self.sql().run(records::PUT_PAYLOAD, columns![number, key.n, sealed]).await?;
        for (position, parent) in (0_i64..).zip(&atom.derived_from) {
            let row = columns![number, position, crate::row::number(*parent)];
            self.sql().run(records::PUT_LINEAGE, row).await?;
        }
        tombstones::clear_removed(&self.sql(), record).await
    }

    pub(super) async fn mark_atom(&mut self, id: MemoryId, mark: Mark) -> Stored<()> {
        let mut found = self.atom(id).await?;
        mark.set(&mut found.stored.atom);
        self.update_state(&found.stored.atom).await
    }

    pub(super) async fn rehearse(&mut self, id: MemoryId, told: &Rehearsal) -> Stored<()> {
        let mut found = self.atom(id).await?;
        rehearsal::rehearse(&mut found.stored.atom, told);
        self.update_state(&found.stored.atom).await?;
        let spoken = spoken_bytes(&told.spoken);
        let row = columns![number(id), told.at.as_millis(), told.kind.code(), spoken];
        self.sql().run(records::PUT_REHEARSAL, row).await?;
        let kept = i64::try_from(Rehearsal::KEPT).unwrap_or(i64::MAX);
        self.sql().run(records::TRIM_REHEARSALS, columns![number(id), kept]).await.map(drop)
    }

    pub(super) async fn reword_atom(&mut self, rewording: Rewording) -> Stored<()> {
        let id = rewording.id;
        let mut found = self.atom(id).await?;
        rewording.apply(&mut found.stored);
        self.update_state(&found.stored.atom).await?;
        let plain = payload::encode_atom(&found.stored.atom, found.stored.vector.as_ref());
        let key = self.key_numbered(found.key)?;
        let sealed = self.seal(&key, At(RecordKind::Atom, &id.to_string()), &plain)?;
        self.sql().run(records::UPDATE_PAYLOAD, columns![number(id), sealed]).await.map(drop)
    }

    async fn atom(&self, id: MemoryId) -> Stored<Found> {
        let row = self.sql().first(records::ATOM, columns![number(id)], atom_row).await?;
        let row = row.ok_or_else(|| not_found(RecordKind::Atom, id))?;
        let plain = self.open(row.key, At(RecordKind::Atom, &id.to_string()), &row.payload)?;
        let key = row.key;
        let malformed = || self.sql().malformed("an atom");
        let stored = row.with_words(&plain, None, Vec::new()).ok_or_else(malformed)?;
        Ok(Found { key, stored })
    }

    async fn insert_state(&self, atom: &Atom) -> Stored<()> {
        let decay = &atom.decay_profile;
        let row = columns![
            number(atom.id),
            self.revision(),
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
        ];
        self.sql().run(records::PUT_ATOM, row).await.map(drop)
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
        ];
        self.sql().run(records::UPDATE_ATOM, row).await.map(drop)
    }
}

impl View<'_> {
    /// Every atom by id, and those that can't be opened.
    pub(super) async fn all_atoms(&self) -> Stored<(Vec<StoredAtom>, Vec<Unreadable>)> {
        let mut lineage: HashMap<MemoryId, Vec<MemoryId>> = HashMap::new();
        let read = |row: &Row<'_>| Ok((MemoryId::from_u64(row.get(0)?), MemoryId::from_u64(row.get(1)?)));
        for (child, parent) in self.sql().all(records::LINEAGE, Vec::new(), read).await? {
            lineage.entry(child).or_default().push(parent);
        }
        let (mut atoms, mut damaged) = (Vec::new(), Vec::new());
        for row in self.sql().all(records::ATOMS, Vec::new(), atom_row).await? {
            let (id, sources) = (row.id, lineage.remove(&row.id).unwrap_or_default());
            match self.whole_atom(row, sources) {
                Ok(stored) => atoms.push(stored),
                Err(cause) => damaged.push(unreadable(RecordKind::Atom, id, cause)),
            }
        }
        Ok((atoms, damaged))
    }

    /// The atom with this id, if there is one.
    pub(super) async fn atom(&self, id: MemoryId) -> Stored<Option<StoredAtom>> {
        let number = number(id);
        let Some(row) = self.sql().first(records::ATOM, columns![number], atom_row).await? else {
            return Ok(None);
        };
        let parent = |row: &Row<'_>| row.get(0).map(MemoryId::from_u64);
        let sources = self.sql().all(records::LINEAGE_OF, columns![number], parent).await?;
        let kind = RecordKind::Atom;
        let whole = self.whole_atom(row, sources);
        whole.map(Some).map_err(|cause| crate::StoreError::Unreadable { kind, id: id.to_string(), cause })
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

    fn whole_atom(&self, row: AtomRow, sources: Vec<MemoryId>) -> Result<StoredAtom, Cause> {
        let plain = self.open(row.key, At(RecordKind::Atom, &row.id.to_string()), &row.payload)?;
        let subject = self.subject(row.key);
        row.with_words(&plain, subject, sources).ok_or(Cause::Damaged)
    }
}

/// An atom on its way to be changed.
struct Found {
    key: i64,
    stored: StoredAtom,
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
    })
}
