//! The keyring of one tenant: every data key that still lives, and the names of those that died.
//!
//! This part is pure: rows come in and go out, and a change is applied only after its owner has
//! made it durable. [`KeyringFile`] keeps it in a file; a database keeps the same rows in a table.
//! The format is published in `docs/formats/keyring.md`.

mod file;
mod frame;
mod wrapped;

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

use crate::key::{Dek, Kek};
use crate::randomness::{Randomness, RandomnessError};

pub use file::{KeyringFile, KeyringHeader};
pub use wrapped::{KeyRef, WrappedKey};

/// Why a keyring could not be read or changed.
#[derive(Debug, thiserror::Error)]
pub enum KeyringError {
    /// The file system refused.
    #[error("could not {action} the keyring {path}: {source}")]
    Io {
        /// What was tried.
        action: &'static str,
        /// On which file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Not a keyring, or one of a newer release.
    #[error("{path} is no keyring that this release can read: {reason}")]
    Unreadable {
        /// Which file.
        path: PathBuf,
        /// What was found instead.
        reason: &'static str,
    },
    /// The keyring belongs to somebody else, or is of another epoch than the key given.
    #[error(
        "the keyring {path} is of tenant `{tenant}`, epoch {epoch}, and does not open with the key given for tenant `{wanted_tenant}`, epoch {wanted_epoch}; put the matching kek-{epoch}.key in place"
    )]
    OtherKey {
        /// Which file.
        path: PathBuf,
        /// Whose keyring it is.
        tenant: String,
        /// The epoch that wraps it.
        epoch: u64,
        /// Whose keyring was asked for.
        wanted_tenant: String,
        /// The epoch of the key that was given.
        wanted_epoch: u64,
    },
    /// Bytes before the last record are not what was written. Nothing was changed.
    #[error(
        "the keyring {path} is damaged at byte {offset}; nothing was changed; restore the file from a backup or a copy of it"
    )]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// Where the first unreadable record starts.
        offset: usize,
    },
    /// The keyring is older than one that was seen before.
    #[error(
        "the keyring {path} is at change {found}, but the audit log has seen change {expected}: this is an older copy; put the newest one back"
    )]
    RolledBack {
        /// Which file.
        path: PathBuf,
        /// The counter it has.
        found: u64,
        /// The counter it must at least have.
        expected: u64,
    },
    /// A row does not open with the tenant's key.
    #[error("the wrapped key {key_ref} of epoch {epoch} is damaged, or wrapped for somebody else")]
    DamagedKey {
        /// Which key.
        key_ref: KeyRef,
        /// Of which epoch.
        epoch: u64,
    },
    /// A key was to be destroyed that is neither alive nor in the register.
    #[error("there is no key {0} in the keyring")]
    NoSuchKey(KeyRef),
    /// The text is no name of a key.
    #[error("not the name of a key: 32 hex digits are expected")]
    NotAKeyRef,
    /// No random bytes.
    #[error(transparent)]
    Randomness(#[from] RandomnessError),
}

/// What the keyring knows of a key.
#[derive(Debug, Clone)]
pub enum Lookup {
    /// The key lives.
    Living(Arc<Dek>),
    /// The key was destroyed on purpose; what it sealed is forgotten.
    Destroyed {
        /// When, in milliseconds UTC.
        at: i64,
    },
    /// The key was never here, or was lost; what it sealed is unreadable, but not forgotten.
    Unknown,
}

/// The living keys of a tenant, open in memory, and the register of destroyed ones.
#[derive(Debug)]
pub struct Keyring {
    tenant: String,
    kek: Kek,
    counter: u64,
    keys: HashMap<KeyRef, Arc<Dek>>,
    destroyed: BTreeMap<KeyRef, i64>,
}

/// A change that is decided but not yet durable. Apply it once it is.
#[derive(Debug)]
#[must_use = "a change must be made durable and then applied"]
pub struct Change {
    created: Vec<(WrappedKey, Arc<Dek>)>,
    destroyed: Vec<(KeyRef, i64)>,
}

impl Change {
    /// Whether there is nothing to make durable.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.created.is_empty() && self.destroyed.is_empty()
    }

    /// The rows to be added.
    pub fn created(&self) -> impl Iterator<Item = &WrappedKey> {
        self.created.iter().map(|(row, _)| row)
    }

    /// The names to be entered in the register of destroyed keys, and when.
    #[must_use]
    pub fn destroyed(&self) -> &[(KeyRef, i64)] {
        &self.destroyed
    }
}

impl Keyring {
    /// A keyring without keys.
    #[must_use]
    pub fn empty(tenant: &str, kek: Kek) -> Self {
        Self { tenant: tenant.to_owned(), kek, counter: 0, keys: HashMap::new(), destroyed: BTreeMap::new() }
    }

    /// Opens the rows of a keyring as they were at change `counter`. A destroyed key stays dead,
    /// whatever row of it is found.
    pub fn open(
        tenant: &str,
        kek: Kek,
        counter: u64,
        rows: impl IntoIterator<Item = WrappedKey>,
        destroyed: BTreeMap<KeyRef, i64>,
    ) -> Result<Self, KeyringError> {
        let living = rows.into_iter().filter(|row| !destroyed.contains_key(&row.key_ref));
        let keys = living.map(|row| Ok((row.key_ref, Arc::new(row.unwrap(&kek, tenant)?))));
        let keys = keys.collect::<Result<_, KeyringError>>()?;
        Ok(Self { tenant: tenant.to_owned(), kek, counter, keys, destroyed })
    }

    /// Whose keyring this is.
    #[must_use]
    pub fn tenant(&self) -> &str {
        &self.tenant
    }

    /// The epoch of the key that wraps it.
    #[must_use]
    pub fn epoch(&self) -> u64 {
        self.kek.epoch()
    }

    /// How many changes the keyring has seen. It stands in every audit checkpoint, so that an older
    /// keyring is recognised.
    #[must_use]
    pub fn counter(&self) -> u64 {
        self.counter
    }

    /// How many keys live.
    #[must_use]
    pub fn living(&self) -> usize {
        self.keys.len()
    }

    /// The names of the living keys, in order.
    #[must_use]
    pub fn key_refs(&self) -> Vec<KeyRef> {
        let mut names: Vec<_> = self.keys.keys().copied().collect();
        names.sort_unstable();
        names
    }

    /// The register of destroyed keys: which, and when.
    #[must_use]
    pub fn register(&self) -> &BTreeMap<KeyRef, i64> {
        &self.destroyed
    }

    /// What is known of `key_ref`.
    #[must_use]
    pub fn look_up(&self, key_ref: KeyRef) -> Lookup {
        match (self.keys.get(&key_ref), self.destroyed.get(&key_ref)) {
            (Some(dek), _) => Lookup::Living(Arc::clone(dek)),
            (None, Some(at)) => Lookup::Destroyed { at: *at },
            (None, None) => Lookup::Unknown,
        }
    }

    /// Draws `count` new data keys.
    pub fn create(&self, count: usize, randomness: &dyn Randomness) -> Result<Change, KeyringError> {
        let created = (0..count).map(|_| {
            let (key_ref, dek) = (KeyRef::generate(randomness)?, Dek::generate(randomness)?);
            let row = WrappedKey::wrap(&self.kek, &self.tenant, key_ref, &dek, randomness)?;
            Ok((row, Arc::new(dek)))
        });
        Ok(Change { created: created.collect::<Result<_, KeyringError>>()?, destroyed: Vec::new() })
    }

    /// Decides that the keys die at `at`; those already dead keep their time, so that an interrupted
    /// job may ask again. Their rows stay readable to whoever holds the tenant's key until the next
    /// rotation, so a rotation has to follow.
    pub fn destroy(&self, keys: &[KeyRef], at: i64) -> Result<Change, KeyringError> {
        let dying: Vec<KeyRef> =
            keys.iter().filter(|key_ref| !self.destroyed.contains_key(key_ref)).copied().collect();
        match dying.iter().find(|key_ref| !self.keys.contains_key(key_ref)) {
            Some(missing) => Err(KeyringError::NoSuchKey(*missing)),
            None => Ok(Change {
                created: Vec::new(),
                destroyed: dying.into_iter().map(|key_ref| (key_ref, at)).collect(),
            }),
        }
    }

    /// Applies a change that is now durable.
    pub fn apply(&mut self, change: Change) {
        self.counter += 1;
        self.keys.extend(change.created.into_iter().map(|(row, dek)| (row.key_ref, dek)));
        for (key_ref, at) in change.destroyed {
            self.keys.remove(&key_ref);
            self.destroyed.insert(key_ref, at);
        }
    }

    /// Wraps every living key anew under the key of the next epoch. The rows replace all older ones.
    pub fn rewrap(&self, kek: &Kek, randomness: &dyn Randomness) -> Result<Vec<WrappedKey>, KeyringError> {
        let wrap = |(key_ref, dek): (&KeyRef, &Arc<Dek>)| {
            WrappedKey::wrap(kek, &self.tenant, *key_ref, dek, randomness)
        };
        let mut rows = self.keys.iter().map(wrap).collect::<Result<Vec<_>, _>>()?;
        rows.sort_unstable_by_key(|row| row.key_ref);
        Ok(rows)
    }

    /// Whether both hold exactly the same living keys and the same register.
    fn holds_the_same_keys(&self, other: &Self) -> bool {
        self.keys == other.keys && self.destroyed == other.destroyed
    }

    fn kek(&self) -> &Kek {
        &self.kek
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::randomness::SeededRandomness;

    #[test]
    fn a_key_lives_dies_and_stays_dead_through_a_rotation() {
        let randomness = SeededRandomness::new(1);
        let mut keyring = Keyring::empty("scott", Kek::generate(1, &randomness).unwrap());
        let change = keyring.create(3, &randomness).unwrap();
        keyring.apply(change);
        let [dying, living, _] = keyring.key_refs()[..] else { panic!("three keys") };
        let change = keyring.destroy(&[dying], 42).unwrap();
        keyring.apply(change);

        let next = Kek::generate(2, &randomness).unwrap();
        let rows = keyring.rewrap(&next, &randomness).unwrap();
        let reopened = Keyring::open("scott", next, 3, rows, keyring.register().clone()).unwrap();
        assert_eq!((reopened.living(), reopened.epoch(), reopened.counter()), (2, 2, 3));
        assert!(matches!(reopened.look_up(dying), Lookup::Destroyed { at: 42 }));
        assert!(matches!(reopened.look_up(KeyRef::from_bytes([0; 16])), Lookup::Unknown));
        match (keyring.look_up(living), reopened.look_up(living)) {
            (Lookup::Living(before), Lookup::Living(after)) => assert!(before == after),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn an_old_row_of_a_destroyed_key_does_not_bring_it_back() {
        let randomness = SeededRandomness::new(1);
        let keyring = Keyring::empty("scott", Kek::generate(1, &randomness).unwrap());
        let rows: Vec<_> = keyring.create(1, &randomness).unwrap().created().cloned().collect();
        let register = BTreeMap::from([(rows[0].key_ref, 7)]);
        let kek = Kek::generate(1, &SeededRandomness::new(1)).unwrap();
        let reopened = Keyring::open("scott", kek, 2, rows.clone(), register).unwrap();
        assert!(matches!(reopened.look_up(rows[0].key_ref), Lookup::Destroyed { at: 7 }));
    }

    #[test]
    fn a_key_that_is_not_there_cannot_be_destroyed() {
        let keyring = Keyring::empty("scott", Kek::generate(1, &SeededRandomness::new(1)).unwrap());
        let missing = KeyRef::from_bytes([1; 16]);
        assert!(
            matches!(keyring.destroy(&[missing], 1), Err(KeyringError::NoSuchKey(name)) if name == missing)
        );
    }
}
