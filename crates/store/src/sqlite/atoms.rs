//! Atoms in two tables: narrow rows with the changing columns, and sealed payloads with the rest.

use std::collections::HashMap;

use domain::{Atom, MemoryId, Rehearsal, SubjectRef, TenantName, Timestamp, rehearsal};
use rusqlite::{Row, params};

use super::persona::{Recorder, not_found};
use super::reading::{Snapshot, unreadable};
use super::statement::records;
use super::tombstones;
use crate::atom::{Mark, Rewording, StoredAtom};
use crate::batch::NewAtom;
use crate::code::Coded;
use crate::error::Conflict;
use crate::freshness::{Cause, RecordKind, Unreadable};
use crate::payload::{self, Plain};
use crate::records::Stored;
use crate::row::{AtomRow, decay_numbers, number, pinned_since, spoken_bytes, spoken_details};
use crate::sealing::At;
use crate::tombstone::RecordId;

impl Recorder<'_, '_> {
    pub(super) fn put_atom(&mut self, new: NewAtom) -> Stored<()> {
        let NewAtom { atom, vector } = new;
        let record = RecordId::Atom(atom.id);
        if self.sql().first(records::ATOM_STATE, params![number(atom.id)], |_| Ok(()))?.is_some() {
            return Err(Conflict::AtomExists(atom.id).into());
        }
        if tombstones::is_set(self.sql(), record)? {
            return Err(Conflict::AtomForgotten(atom.id).into());
        }
        let key = self.key(atom.subject.as_ref())?;
        let (id, plain) = (atom.id.to_string(), payload::encode_atom(&atom, vector.as_ref()));
        let sealed = self.seal(&key, At(RecordKind::Atom, &id), &plain)?;
        let n = self.insert_state(&atom)?;
        if let Some(at) = pinned_since(&atom) {
            self.sql().run(records::PUT_PIN, params![n, at])?;
        }
        self.sql().run(records::PUT_PAYLOAD, params![n, key.n, sealed])?;
        for (position, parent) in (0_i64..).zip(&atom.derived_from) {
            self.sql().run(records::PUT_LINEAGE, params![n, position, number(*parent)])?;
        }
        tombstones::clear_removed(self.sql(), record)
    }

    pub(super) fn mark_atom(&mut self, id: MemoryId, mark: Mark) -> Stored<()> {
        let mut found = self.atom(id)?;
        mark.set(&mut found.stored.atom);
        self.update_state(&found)?;
        match mark {
            Mark::Pinned(Some(at)) => self.sql().run(records::PUT_PIN, params![found.n, at.as_millis()]),
            Mark::Pinned(None) => self.sql().run(records::REMOVE_PIN, params![found.n]),
            Mark::Decay(profile) => {
                let [half_life, boost, protection, minimum, detail_rate] = decay_numbers(&profile);
                let function = profile.function.code();
                let row = params![found.n, function, half_life, boost, protection, minimum, detail_rate];
                self.sql().run(records::UPDATE_DECAY, row)
            }
            Mark::Status(_) | Mark::Archived(_) | Mark::Review(_) | Mark::Held(_) | Mark::Released(_) => {
                return Ok(());
            }
        }
        .map(drop)
    }

    pub(super) fn rehearse(&mut self, id: MemoryId, rehearsal: &Rehearsal) -> Stored<()> {
        let mut found = self.atom(id)?;
        rehearsal::rehearse(&mut found.stored.atom, rehearsal);
        self.update_state(&found)?;
        let spoken = spoken_bytes(&rehearsal.spoken);
        let row = params![found.n, rehearsal.at.as_millis(), rehearsal.kind.code(), spoken];
        self.sql().run(records::PUT_REHEARSAL, row)?;
        let kept = i64::try_from(Rehearsal::KEPT).unwrap_or(i64::MAX);
        self.sql().run(records::TRIM_REHEARSALS, params![found.n, kept]).map(drop)
    }

    pub(super) fn reword_atom(&mut self, rewording: Rewording) -> Stored<()> {
        let id = rewording.id;
        let mut found = self.atom(id)?;
        rewording.apply(&mut found.stored);
        self.update_state(&found)?;
        let plain = payload::encode_atom(&found.stored.atom, found.stored.vector.as_ref());
        let key = self.key_numbered(found.key)?;
        let sealed = self.seal(&key, At(RecordKind::Atom, &id.to_string()), &plain)?;
        self.sql().run(records::UPDATE_PAYLOAD, params![found.n, sealed])?;
        self.sql().run(records::DELETE_ATOM_VECTORS, params![found.n]).map(drop)
    }

    fn atom(&self, id: MemoryId) -> Stored<Found> {
        let row = self.sql().first(records::ATOM, params![number(id)], kept)?;
        let row = row.ok_or_else(|| not_found(RecordKind::Atom, id))?;
        let plain = self.open(row.atom.key, At(RecordKind::Atom, &id.to_string()), &row.atom.payload)?;
        let (n, key) = (row.n, row.atom.key);
        let malformed = || self.sql().malformed("an atom");
        let stored = row.with_words(&plain, None, Vec::new()).ok_or_else(malformed)?;
        Ok(Found { n, key, stored })
    }

    fn insert_state(&self, atom: &Atom) -> Stored<i64> {
        let decay = &atom.decay_profile;
        let row = params![
            number(atom.id),
            self.revision,
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
        self.sql().insert(records::PUT_ATOM, row)
    }

    fn update_state(&self, found: &Found) -> Stored<()> {
        let atom = &found.stored.atom;
        let row = params![
            found.n,
            self.revision,
            atom.redaction_status.code(),
            atom.last_rehearsed_at.as_millis(),
            atom.rehearsal_count,
            atom.archived_at.map(Timestamp::as_millis),
            atom.released_at.map(Timestamp::as_millis),
            atom.review.map(Coded::code),
            atom.audit_hold,
            payload::encode_anchors(&atom.details),
        ];
        self.sql().run(records::UPDATE_ATOM, row).map(drop)
    }
}

impl Snapshot<'_> {
    /// Every atom by id, and those that can't be opened.
    pub(super) fn all_atoms(&self, tenant: &TenantName) -> Stored<(Vec<StoredAtom>, Vec<Unreadable>)> {
        let mut lineage: HashMap<i64, Vec<MemoryId>> = HashMap::new();
        for (child, parent) in self.sql.all(records::LINEAGE, [], |row| Ok((row.get(0)?, row.get(1)?)))? {
            lineage.entry(child).or_default().push(MemoryId::from_u64(parent));
        }
        let (mut atoms, mut damaged) = (Vec::new(), Vec::new());
        for row in self.sql.all(records::ATOMS, [], kept)? {
            let (id, sources) = (row.atom.id, lineage.remove(&row.n).unwrap_or_default());
            match self.open_atom(tenant, row, sources)? {
                Ok(stored) => atoms.push(stored),
                Err(cause) => damaged.push(unreadable(RecordKind::Atom, id, cause)),
            }
        }
        atoms.sort_unstable_by_key(|stored| stored.atom.id);
        Ok((atoms, damaged))
    }

    /// The atom with this id, if it exists.
    pub(super) fn atom(&self, tenant: &TenantName, id: MemoryId) -> Stored<Option<StoredAtom>> {
        let Some(row) = self.sql.first(records::ATOM, params![number(id)], kept)? else {
            return Ok(None);
        };
        let sources = self.sql.all(records::LINEAGE_OF, params![row.n], |row| row.get(0))?;
        let sources = sources.into_iter().map(MemoryId::from_u64).collect();
        let opened = self.open_atom(tenant, row, sources)?;
        let kind = RecordKind::Atom;
        opened.map(Some).map_err(|cause| crate::StoreError::Unreadable { kind, id: id.to_string(), cause })
    }

    pub(super) fn rehearsals(&self, id: MemoryId) -> Stored<Vec<Rehearsal>> {
        let rows = self.sql.all(records::REHEARSALS, params![number(id)], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get::<_, Vec<u8>>(2)?))
        })?;
        let rehearsal = |(at, kind, spoken): (i64, i64, Vec<u8>)| {
            let kind = Coded::from_code(kind).ok_or_else(|| self.sql.malformed("a rehearsal"))?;
            Ok(Rehearsal { at: Timestamp::from_millis(at), kind, spoken: spoken_details(&spoken) })
        };
        rows.into_iter().map(rehearsal).collect()
    }

    fn open_atom(
        &self,
        tenant: &TenantName,
        row: CheckedRow,
        sources: Vec<MemoryId>,
    ) -> Stored<Result<StoredAtom, Cause>> {
        let (key, id) = (row.atom.key, row.atom.id.to_string());
        let plain = match self.open(tenant, key, At(RecordKind::Atom, &id), &row.atom.payload)? {
            Ok(plain) => plain,
            Err(cause) => return Ok(Err(cause)),
        };
        let subject = self.subject(tenant, key)?;
        Ok(row.with_words(&plain, subject, sources).ok_or(Cause::Damaged))
    }
}

/// An atom read for changing.
struct Found {
    n: i64,
    key: i64,
    stored: StoredAtom,
}

/// An atom's row, and whether its checksum is correct.
struct CheckedRow {
    n: i64,
    is_sound: bool,
    atom: AtomRow,
}

impl CheckedRow {
    fn with_words(
        self,
        plain: &Plain,
        subject: Option<SubjectRef>,
        sources: Vec<MemoryId>,
    ) -> Option<StoredAtom> {
        self.is_sound.then_some(self.atom)?.with_words(plain, subject, sources)
    }
}

fn kept(row: &Row<'_>) -> rusqlite::Result<CheckedRow> {
    let atom = AtomRow {
        id: MemoryId::from_u64(row.get(1)?),
        revision: row.get(2)?,
        codes: [row.get(3)?, row.get(4)?, row.get(5)?, row.get(6)?],
        times: [row.get(7)?, row.get(8)?],
        rehearsal_count: row.get(9)?,
        weights: [row.get(10)?, row.get(11)?],
        decay_function: row.get(12)?,
        decay: [row.get(13)?, row.get(14)?, row.get(15)?, row.get(16)?, row.get(17)?],
        archived_at: row.get(18)?,
        released_at: row.get(19)?,
        review: row.get(20)?,
        audit_hold: row.get(21)?,
        revises: row.get(22)?,
        pinned_at: row.get(27)?,
        anchors: row.get(23)?,
        key: row.get(24)?,
        payload: row.get(25)?,
    };
    Ok(CheckedRow { n: row.get(0)?, is_sound: row.get(26)?, atom })
}
