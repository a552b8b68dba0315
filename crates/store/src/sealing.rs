//! The data keys in use: which key seals which record, and opening sealed records.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use domain::{SubjectRef, TenantName, Timestamp};
use vault::key::Dek;
use vault::keyring::{KeyRef, Lookup};
use vault::randomness::Randomness;
use vault::seal::{Address, SealError, open, seal};

use crate::audit::vault_error;
use crate::broken::is_broken;
use crate::freshness::{Cause, RecordKind};
use crate::payload::{self, Label, Plain};
use crate::records::Stored;
use crate::subject::Subject;

/// The data keys of one tenant that seal records in one database, by their numbers there.
#[derive(Clone)]
pub(crate) struct KeyTable {
    place: SealingScope,
    keys: HashMap<i64, KeyEntry>,
    subjects: BTreeMap<SubjectRef, i64>,
    months: BTreeMap<String, i64>,
}

/// Where sealed records are stored; part of the address each is sealed for.
#[derive(Clone, Debug)]
pub(crate) struct SealingScope {
    pub(crate) tenant: TenantName,
    pub(crate) persona: String,
}

/// One data key: its reference, the key or the reason it is unavailable, and its label.
#[derive(Clone)]
pub(crate) struct KeyEntry {
    pub(crate) key_ref: KeyRef,
    pub(crate) dek: Result<Arc<Dek>, Cause>,
    pub(crate) label: Option<Label>,
}

/// A data key with its number.
#[derive(Clone)]
pub(crate) struct Key {
    pub(crate) n: i64,
    pub(crate) dek: Arc<Dek>,
}

/// A record's kind and id: the rest of its address.
#[derive(Clone, Copy)]
pub(crate) struct RecordName<'a>(pub(crate) RecordKind, pub(crate) &'a str);

impl SealingScope {
    pub(crate) fn seal(
        &self,
        dek: &Dek,
        at: RecordName<'_>,
        plain: &[u8],
        randomness: &dyn Randomness,
    ) -> Stored<Vec<u8>> {
        if is_broken("seal") {
            return Ok(plain.to_vec());
        }
        seal(dek, &self.address(at), plain, randomness).map_err(vault_error)
    }

    pub(crate) fn open(&self, dek: &Dek, at: RecordName<'_>, blob: &[u8]) -> Result<Plain, Cause> {
        if is_broken("seal") {
            return Ok(Plain::new(blob.to_vec()));
        }
        open(dek, &self.address(at), blob).map_err(|error| match error {
            SealError::UnknownVersion(_)
            | SealError::WrongKey
            | SealError::Damaged
            | SealError::TooLong
            | SealError::Randomness(_) => Cause::Damaged,
        })
    }

    fn address<'a>(&'a self, RecordName(kind, id): RecordName<'a>) -> Address<'a> {
        Address { tenant: self.tenant.as_str(), persona: &self.persona, id, kind: kind.as_str() }
    }
}

impl KeyTable {
    pub(crate) fn new(place: SealingScope) -> Self {
        Self { place, keys: HashMap::new(), subjects: BTreeMap::new(), months: BTreeMap::new() }
    }

    /// Adds a key as read from the database.
    pub(crate) fn insert_stored(&mut self, n: i64, key_ref: KeyRef, label: &[u8], found: Lookup) {
        let dek = match found {
            Lookup::Living(dek) => Ok(dek),
            Lookup::Destroyed { .. } => Err(Cause::KeyDestroyed),
            Lookup::Unknown => Err(Cause::KeyMissing),
        };
        let name = key_ref.to_string();
        let at = RecordName(RecordKind::Subject, &name);
        let opened = dek.as_ref().ok().and_then(|dek| self.place.open(dek, at, label).ok());
        let label = opened.and_then(|plain| payload::decode(&plain));
        self.insert(n, KeyEntry { key_ref, dek, label });
    }

    /// Adds a key that is in use.
    pub(crate) fn insert(&mut self, n: i64, entry: KeyEntry) {
        match &entry.label {
            Some(Label::Subject(subject)) => {
                self.subjects.insert(subject.subject.clone(), n);
            }
            Some(Label::Month(month)) => {
                self.months.insert(month.clone(), n);
            }
            Some(Label::Erasure(_)) | None => {}
        }
        self.keys.insert(n, entry);
    }

    /// Removes a destroyed key.
    pub(crate) fn remove(&mut self, n: i64) {
        self.retire(n);
        self.keys.remove(&n);
    }

    /// Stops sealing with a key that is about to be destroyed; readers can still open what it sealed.
    pub(crate) fn retire(&mut self, n: i64) {
        self.subjects.retain(|_, kept| *kept != n);
        self.months.retain(|_, kept| *kept != n);
    }

    pub(crate) fn entry(&self, n: i64) -> Option<&KeyEntry> {
        self.keys.get(&n)
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = (i64, &KeyEntry)> {
        self.keys.iter().map(|(n, entry)| (*n, entry))
    }

    /// The number of a subject's key.
    pub(crate) fn subject_number(&self, subject: &SubjectRef) -> Option<i64> {
        self.subjects.get(subject).copied()
    }

    /// The number of a subject's key, or of the month's.
    pub(crate) fn number(&self, subject: Option<&SubjectRef>, now: Timestamp) -> Option<i64> {
        match subject {
            Some(subject) => self.subject_number(subject),
            None => self.months.get(&month_of(now)).copied(),
        }
    }

    /// The key that seals records of `subject`, if it exists and can be used.
    pub(crate) fn key(&self, subject: Option<&SubjectRef>, now: Timestamp) -> Option<Key> {
        let n = self.number(subject, now)?;
        let dek = self.keys.get(&n)?.dek.as_ref().ok()?;
        Some(Key { n, dek: Arc::clone(dek) })
    }

    /// Opens a record sealed with key `n`. `None` if the key is not in this table. If the key's label can't
    /// be opened, neither are its records: they would be shown as belonging to no subject.
    pub(crate) fn open(&self, n: i64, at: RecordName<'_>, blob: &[u8]) -> Option<Result<Plain, Cause>> {
        let entry = self.keys.get(&n)?;
        let dek = entry.dek.as_ref().map_err(|cause| *cause);
        let dek = dek.and_then(|dek| if entry.label.is_some() { Ok(dek) } else { Err(Cause::Damaged) });
        Some(dek.and_then(|dek| self.place.open(dek, at, blob)))
    }

    /// The subject of the key, if it is a subject's.
    pub(crate) fn subject(&self, n: i64) -> Option<&SubjectRef> {
        match self.keys.get(&n)?.label.as_ref()? {
            Label::Subject(subject) => Some(&subject.subject),
            Label::Month(_) | Label::Erasure(_) => None,
        }
    }

    pub(crate) fn subjects(&self) -> Vec<Subject> {
        let known = self.subjects.values().filter_map(|n| match self.keys.get(n)?.label.as_ref()? {
            Label::Subject(subject) => Some(subject.clone()),
            Label::Month(_) | Label::Erasure(_) => None,
        });
        known.collect()
    }
}

/// The label of a new key.
pub(crate) fn label_of(subject: Option<&SubjectRef>, now: Timestamp) -> Label {
    match subject {
        Some(subject) => Label::Subject(Subject {
            subject: subject.clone(),
            aliases: Vec::new(),
            since: now,
            held_since: None,
        }),
        None => Label::Month(month_of(now)),
    }
}

/// The month whose key seals records without a subject.
pub(crate) fn month_of(now: Timestamp) -> String {
    now.to_string().chars().take("2026-04".len()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::example;

    #[test]
    fn what_has_no_subject_is_sealed_by_the_month() {
        assert_eq!(label_of(None, example::day(0)), Label::Month("2026-04".to_owned()));
        assert_eq!(label_of(None, example::day(10)), Label::Month("2026-05".to_owned()));
    }
}
