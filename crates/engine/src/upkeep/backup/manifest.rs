//! The list of contents: what is in a backup, how long, with which hash.

use std::collections::BTreeSet;

use domain::{TenantName, Timestamp};
use serde::{Deserialize, Serialize};
use vault::encoding::hex;

use super::part::Part;

/// What a backup holds. It stands before everything else and is signed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Manifest {
    /// When the backup was made.
    pub created_at: Timestamp,
    /// Whose personas are in it, by name.
    pub tenants: Vec<ManifestTenant>,
    /// What is in it, by path, in the order it lies in the file.
    pub parts: Vec<ManifestPart>,
}

/// A tenant and the key that opens what is theirs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ManifestTenant {
    /// Who.
    pub name: TenantName,
    /// The epoch of the key that wraps the keyring and seals the documents.
    pub epoch: u64,
    /// How many changes the keyring has seen.
    pub counter: u64,
}

/// One part and how to know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManifestPart {
    /// Which part.
    #[serde(with = "as_path")]
    pub path: Part,
    /// How long it is.
    pub bytes: u64,
    /// SHA-256 of it, hexadecimal.
    pub sha256: String,
}

impl ManifestPart {
    /// Whether what was read is this part.
    #[must_use]
    pub fn is(&self, hash: &[u8; 32], bytes: u64) -> bool {
        self.bytes == bytes && self.sha256 == hex(hash)
    }
}

impl Manifest {
    /// How long all parts are together; `None` if no file could hold them.
    #[must_use]
    pub fn bytes(&self) -> Option<u64> {
        self.parts.iter().try_fold(0_u64, |sum, part| sum.checked_add(part.bytes))
    }

    /// What is known of `tenant`.
    #[must_use]
    pub fn tenant(&self, tenant: &TenantName) -> Option<&ManifestTenant> {
        self.tenants.iter().find(|known| known.name == *tenant)
    }

    /// What is wrong with the list as a whole, if anything is.
    #[must_use]
    pub fn fault(&self) -> Option<&'static str> {
        let paths: Vec<&Part> = self.parts.iter().map(|part| &part.path).collect();
        let keyrings: BTreeSet<&TenantName> = paths.iter().filter_map(|part| keyring(part)).collect();
        let tenants: BTreeSet<&TenantName> = self.tenants.iter().map(|tenant| &tenant.name).collect();
        match () {
            () if !paths.is_sorted_by(|one, next| one < next) => {
                Some("its parts are not in order, or twice there")
            }
            () if !paths.contains(&&Part::Deployment) => Some("the deployment's database is missing"),
            () if keyrings != tenants => Some("a tenant has no keyring, or a keyring no tenant"),
            () if !paths.iter().all(|part| owner(part).is_none_or(|owner| tenants.contains(owner))) => {
                Some("a part belongs to a tenant it does not name")
            }
            () => None,
        }
    }
}

fn keyring(part: &Part) -> Option<&TenantName> {
    match part {
        Part::Keyring(tenant) => Some(tenant),
        Part::Deployment | Part::Channels(_) | Part::Records(..) | Part::Document(..) => None,
    }
}

fn owner(part: &Part) -> Option<&TenantName> {
    match part {
        Part::Deployment => None,
        Part::Keyring(tenant)
        | Part::Channels(tenant)
        | Part::Records(tenant, _)
        | Part::Document(tenant, ..) => Some(tenant),
    }
}

mod as_path {
    use serde::{Deserialize, Deserializer, Serializer, de};

    use crate::upkeep::backup::Part;

    pub(super) fn serialize<S: Serializer>(part: &Part, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(part)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Part, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}
