//! The state of a tenant's keys, in numbers: never a key itself.

use domain::{TenantName, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The state of a tenant's keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct VaultAnswer {
    /// The state.
    pub vault: VaultView,
}

/// The state of a tenant's keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct VaultView {
    /// The tenant.
    pub tenant: TenantName,
    /// The current epoch.
    pub epoch: u64,
    /// The change counter of the keyring.
    pub counter: u64,
    /// How many data keys there are.
    pub living: usize,
    /// How many were destroyed.
    pub destroyed: usize,
    /// Whether a passphrase or a service wraps the tenant's key.
    pub wrapped: bool,
    /// The registered copies of the key directory.
    pub mirrors: Vec<MirrorView>,
}

impl VaultView {
    /// Whether an older key may still exist in a copy that is out of date.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        self.mirrors.iter().any(|mirror| mirror.behind.is_some())
    }
}

/// A registered copy of the key directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MirrorView {
    /// Its path.
    pub path: String,
    /// When it was registered.
    pub added_at: Timestamp,
    /// Why it is out of date, if it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub behind: Option<String>,
}

/// `POST /v1/vault/mirrors`, and the query of `DELETE /v1/vault/mirrors`, for operators only.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MirrorPath {
    /// The folder, as an absolute path on the machine of the keys.
    #[schemars(length(min = 1, max = 4096))]
    pub path: String,
}

/// The registered copies of the key directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MirrorList {
    /// In order of registration.
    pub mirrors: Vec<MirrorView>,
}
