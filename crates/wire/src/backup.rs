//! Backups: one file with everything but the keys.

use domain::{TenantName, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `POST /v1/backups`, for operators only.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BackUp {
    /// The new file, as an absolute path on the machine of the home. An existing file is not overwritten.
    #[schemars(length(min = 1, max = 4096))]
    pub to: String,
}

/// A new backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BackupAnswer {
    /// Its contents.
    pub backup: BackupView,
}

/// The contents of a backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BackupView {
    /// Its path.
    pub path: String,
    /// Its length.
    pub bytes: u64,
    /// When it was made.
    pub created_at: Timestamp,
    /// Its tenants.
    pub tenants: Vec<BackedUpTenant>,
}

/// The data of one tenant in a backup, and the key epoch that opens it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BackedUpTenant {
    /// The tenant.
    pub tenant: TenantName,
    /// The epoch of the key that opens it; the key itself is not in the backup.
    pub epoch: u64,
    /// The change counter of its keyring.
    pub counter: u64,
    /// The number of personas.
    pub personas: usize,
    /// The number of sealed documents.
    pub documents: usize,
}
