//! The list of signers: `signers.json`. A revoked signer stays on the list, so that earlier signatures can
//! still be attributed.

use std::io::ErrorKind;

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::refusal::io_error;
use super::{KeyDirectory, KeyDirectoryError, permissions};
use crate::canonical::parse_strict;
use crate::durable;
use crate::signature::PublicKey;
use crate::timestamp;

const FILE: &str = "signers.json";

/// A signer, valid or revoked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Signer {
    /// The public key.
    pub did: PublicKey,
    /// The signer's name.
    pub name: String,
    /// When the signer was added, in milliseconds UTC.
    #[serde(with = "timestamp::required")]
    pub added_at: i64,
    /// When the signer was revoked; no signature by the key counts any more.
    #[serde(with = "timestamp::optional", default, skip_serializing_if = "Option::is_none")]
    pub revoked_at: Option<i64>,
}

/// The list of signers.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Signers {
    signers: Vec<Signer>,
}

impl Signers {
    /// All signers, including revoked ones.
    #[must_use]
    pub fn all(&self) -> &[Signer] {
        &self.signers
    }

    /// The keys whose signatures count.
    #[must_use]
    pub fn valid(&self) -> Vec<PublicKey> {
        self.signers.iter().filter(|signer| signer.revoked_at.is_none()).map(|signer| signer.did).collect()
    }

    /// The entry of a key.
    #[must_use]
    pub fn find(&self, did: &PublicKey) -> Option<&Signer> {
        self.signers.iter().find(|signer| signer.did == *did)
    }
}

impl KeyDirectory {
    /// Reads the list of signers; an absent file is an empty list.
    pub fn signers(&self) -> Result<Signers, KeyDirectoryError> {
        self.read_list(FILE)
    }

    /// Adds a signer.
    pub fn add_signer(&self, did: PublicKey, name: &str, now: i64) -> Result<(), KeyDirectoryError> {
        let mut list = self.signers()?;
        if list.find(&did).is_some() {
            return Err(KeyDirectoryError::Listed(did.to_string()));
        }
        list.signers.push(Signer { did, name: name.to_owned(), added_at: now, revoked_at: None });
        self.write_list(FILE, &list)
    }

    /// Revokes a signer. If it is revoked already, the first time is kept.
    pub fn revoke_signer(&self, did: &PublicKey, now: i64) -> Result<(), KeyDirectoryError> {
        let mut list = self.signers()?;
        let signer = list.signers.iter_mut().find(|signer| signer.did == *did);
        let signer = signer.ok_or_else(|| KeyDirectoryError::NoSuchSigner(did.to_string()))?;
        signer.revoked_at.get_or_insert(now);
        self.write_list(FILE, &list)
    }

    pub(super) fn read_list<T: DeserializeOwned + Default>(
        &self,
        file: &str,
    ) -> Result<T, KeyDirectoryError> {
        let path = self.path().join(file);
        let text = match permissions::read_private(&path, file) {
            Err(KeyDirectoryError::Missing { .. }) => return Ok(T::default()),
            text => text?,
        };
        let damaged = |reason| KeyDirectoryError::Damaged { path: path.clone(), reason };
        let value = parse_strict(text.as_bytes()).map_err(|_| damaged("not JSON"))?;
        serde_json::from_value(value).map_err(|_| damaged("a member is missing, unknown or of another kind"))
    }

    pub(super) fn write_list<T: Serialize>(&self, file: &str, list: &T) -> Result<(), KeyDirectoryError> {
        let path = self.path().join(file);
        let text = serde_json::to_string_pretty(list)
            .map_err(|error| io_error("write", &path)(std::io::Error::new(ErrorKind::InvalidInput, error)))?;
        durable::replace(&path, format!("{text}\n").as_bytes()).map_err(io_error("write", &path))
    }
}
