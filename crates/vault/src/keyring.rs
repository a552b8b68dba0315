//! The keyring of one tenant: every usable data key, and the references of destroyed ones.
//!
//! This part does no I/O: rows come in and go out, and a change is applied only after its owner has made it
//! durable. [`KeyringFile`] stores it in a file; a database stores the same rows in a table. The format is
//! published in `docs/formats/keyring.md`.

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
    /// The file system reported an error.
    #[error("could not {action} the keyring {path}: {source}")]
    Io {
        /// The operation that failed.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// Not a keyring, or one of a newer release.
    #[error("{path} is not a keyring that this release can read: {reason}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: &'static str,
    },
    /// The keyring belongs to another tenant, or to another epoch than the given key.
    #[error(
        "the keyring {path} is of tenant `{tenant}`, epoch {epoch}, and does not open with the key given for tenant `{wanted_tenant}`, epoch {wanted_epoch}; put the matching kek-{epoch}.key in place"
    )]
    OtherKey {
        /// The file.
        path: PathBuf,
        /// The tenant of the keyring.
        tenant: String,
        /// The epoch that wraps it.
        epoch: u64,
        /// The expected tenant.
        wanted_tenant: String,
        /// The epoch of the given key.
        wanted_epoch: u64,
    },
    /// Bytes before the last record are damaged. Nothing was changed.
    #[error(
        "the keyring {path} is damaged at byte {offset}; nothing was changed; restore the file from a backup or a copy of it"
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where the first unreadable record starts.
        offset: usize,
    },
    /// The keyring is older than one that was seen before.
    #[error(
        "the keyring {path} is at change {found}, but the audit log has seen change {expected}: this is an older copy; put the newest one back"
    )]
    RolledBack {
        /// The file.
        path: PathBuf,
        /// Its counter.
        found: u64,
        /// The minimum counter.
        expected: u64,
    },
    /// A row does not open with the tenant's key.
    #[error("the wrapped key {key_ref} of epoch {epoch} is damaged, or wrapped for another tenant")]
    DamagedKey {
        /// The key.
        key_ref: KeyRef,
        /// The epoch.
        epoch: u64,
    },
    /// A key to be destroyed is neither usable nor in the register of destroyed keys.
    #[error("there is no key {0} in the keyring")]
    NoSuchKey(KeyRef),
    /// The text is not a key reference.
    #[error("not the name of a key: 32 hex digits are expected")]
    NotAKeyRef,
    /// No random bytes are available.
    #[error(transparent)]
    Randomness(#[from] RandomnessError),
}

/// The state of a key in the keyring.
#[derive(Debug, Clone)]
pub enum Lookup {
    /// The key is usable.
    Living(Arc<Dek>),
    /// The key was destroyed deliberately; the records it sealed are forgotten.
    Destroyed {
        /// The time of destruction, in milliseconds UTC.
        at: i64,
    },
    /// The key was never in this keyring, or was lost; the records it sealed are unreadable, but not
    /// forgotten.
    Unknown,
}

/// The usable keys of a tenant, unwrapped in memory, and the register of destroyed ones.
#[derive(Debug)]
pub struct Keyring {
    tenant: String,
    kek: Kek,
    counter: u64,
    keys: HashMap<KeyRef, Arc<Dek>>,
    destroyed: BTreeMap<KeyRef, i64>,
}

/// A change that is not yet durable. Apply it once it is.
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

    /// The references to be added to the register of destroyed keys, with their times.
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

    /// Opens the rows of a keyring as of change `counter`. A destroyed key stays destroyed, even if a row
    /// of it is found.
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

    /// The tenant of this keyring.
    #[must_use]
    pub fn tenant(&self) -> &str {
        &self.tenant
    }

    /// The epoch of the key that wraps it.
    #[must_use]
    pub fn epoch(&self) -> u64 {
        self.kek.epoch()
    }

    /// The number of changes made to the keyring. Every audit checkpoint contains it, so that an older
    /// keyring is recognised.
    #[must_use]
    pub fn counter(&self) -> u64 {
        self.counter
    }

    /// The number of usable keys.
    #[must_use]
    pub fn living(&self) -> usize {
        self.keys.len()
    }

    /// The references of the usable keys, in order.
    #[must_use]
    pub fn key_refs(&self) -> Vec<KeyRef> {
        let mut names: Vec<_> = self.keys.keys().copied().collect();
        names.sort_unstable();
        names
    }

    /// The register of destroyed keys, with the time of each destruction.
    #[must_use]
    pub fn register(&self) -> &BTreeMap<KeyRef, i64> {
        &self.destroyed
    }

    /// The state of `key_ref`.
    #[must_use]
    pub fn look_up(&self, key_ref: KeyRef) -> Lookup {
        match (self.keys.get(&key_ref), self.destroyed.get(&key_ref)) {
            (Some(dek), _) => Lookup::Living(Arc::clone(dek)),
            (None, Some(at)) => Lookup::Destroyed { at: *at },
            (None, None) => Lookup::Unknown,
        }
    }

    /// Generates `count` new data keys.
    pub fn create(&self, count: usize, randomness: &dyn Randomness) -> Result<Change, KeyringError> {
        let created = (0..count).map(|_| {
            let (key_ref, dek) = (KeyRef::generate(randomness)?, Dek::generate(randomness)?);
            let row = WrappedKey::wrap(&self.kek, &self.tenant, key_ref, &dek, randomness)?;
            Ok((row, Arc::new(dek)))
        });
        Ok(Change { created: created.collect::<Result<_, KeyringError>>()?, destroyed: Vec::new() })
    }

    /// Prepares the destruction of the keys at `at`. Keys destroyed before keep their time, so that an
    /// interrupted job may be repeated. Anyone with the tenant's key can still read their rows until the
    /// next rotation, so a rotation must follow.
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

    /// Wraps every usable key under the key of the next epoch. The rows replace all older ones.
    pub fn rewrap(&self, kek: &Kek, randomness: &dyn Randomness) -> Result<Vec<WrappedKey>, KeyringError> {
        let wrap = |(key_ref, dek): (&KeyRef, &Arc<Dek>)| {
            WrappedKey::wrap(kek, &self.tenant, *key_ref, dek, randomness)
        };
        let mut rows = self.keys.iter().map(wrap).collect::<Result<Vec<_>, _>>()?;
        rows.sort_unstable_by_key(|row| row.key_ref);
        Ok(rows)
    }

    /// Whether both contain exactly the same usable keys and the same register.
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
    fn a_key_is_created_destroyed_and_stays_destroyed_through_a_rotation() {
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
