//! The list of contents: the parts of a backup with lengths and hashes.

use std::collections::BTreeSet;

use domain::{TenantName, Timestamp};
use serde::{Deserialize, Serialize};
use vault::encoding::hex;

use super::part::Part;

/// The contents of a backup. It precedes everything else and is signed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Manifest {
    /// When the backup was made.
    pub created_at: Timestamp,
    /// The tenants in it, by name.
    pub tenants: Vec<ManifestTenant>,
    /// The parts, by path, in file order.
    pub parts: Vec<ManifestPart>,
}

/// A tenant and the key epoch that opens its data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ManifestTenant {
    /// The tenant.
    pub name: TenantName,
    /// The epoch of the key that wraps the keyring and seals the documents.
    pub epoch: u64,
    /// The change counter of the keyring.
    pub counter: u64,
}

/// One part with its length and hash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManifestPart {
    #[serde(with = "as_path")]
    /// The part.
    pub path: Part,
    /// Its length.
    pub bytes: u64,
    /// Its SHA-256, hexadecimal.
    pub sha256: String,
}

impl ManifestPart {
    /// Whether the hash and length are those of this part.
    #[must_use]
    pub fn is(&self, hash: &[u8; 32], bytes: u64) -> bool {
        self.bytes == bytes && self.sha256 == hex(hash)
    }
}

impl Manifest {
    /// The total length of all parts; `None` on overflow.
    #[must_use]
    pub fn bytes(&self) -> Option<u64> {
        self.parts.iter().try_fold(0_u64, |sum, part| sum.checked_add(part.bytes))
    }

    /// The entry of `tenant`.
    #[must_use]
    pub fn tenant(&self, tenant: &TenantName) -> Option<&ManifestTenant> {
        self.tenants.iter().find(|known| known.name == *tenant)
    }

    /// What is wrong with the list, if anything.
    #[must_use]
    pub fn fault(&self) -> Option<&'static str> {
        let paths: Vec<&Part> = self.parts.iter().map(|part| &part.path).collect();
        let keyrings: BTreeSet<&TenantName> = paths.iter().filter_map(|part| keyring(part)).collect();
        let tenants: BTreeSet<&TenantName> = self.tenants.iter().map(|tenant| &tenant.name).collect();
        match () {
            () if !paths.is_sorted_by(|one, next| one < next) => {
                Some("its parts are not in order, or duplicated")
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
