//! The keys of a tenant, as numbers: never a key itself.

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
    /// Whose keys.
    pub tenant: TenantName,
    /// The epoch in force.
    pub epoch: u64,
    /// How many changes the keyring has seen.
    pub counter: u64,
    /// How many data keys live.
    pub living: usize,
    /// How many were destroyed.
    pub destroyed: usize,
    /// Whether a passphrase wraps the tenant's key.
    pub wrapped: bool,
    /// The registered copies of the key directory.
    pub mirrors: Vec<MirrorView>,
}

impl VaultView {
    /// Whether an older key may still live in a copy that could not be brought up to date.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        self.mirrors.iter().any(|mirror| mirror.behind.is_some())
    }
}

/// A registered copy of the key directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MirrorView {
    /// Where it is.
    pub path: String,
    /// Since when.
    pub added_at: Timestamp,
    /// Why it is not up to date, if it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub behind: Option<String>,
}

/// `POST /v1/vault/mirrors`, and the query of `DELETE /v1/vault/mirrors`, for whoever sits at the machine.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MirrorPath {
    /// The folder, as an absolute path on the machine that holds the keys.
    #[schemars(length(min = 1, max = 4096))]
    pub path: String,
}

/// The registered copies of the key directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MirrorList {
    /// In the order they were registered.
    pub mirrors: Vec<MirrorView>,
}
