//! Backups: one file with everything but the keys.

use domain::{TenantName, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `POST /v1/backups`, for whoever sits at the machine.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BackUp {
    /// The new file, as an absolute path on the machine that holds the home. A file that is there stays.
    #[schemars(length(min = 1, max = 4096))]
    pub to: String,
}

/// A backup that was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BackupAnswer {
    /// What it holds.
    pub backup: BackupView,
}

/// What a backup holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BackupView {
    /// Where it is.
    pub path: String,
    /// How long it is.
    pub bytes: u64,
    /// When it was made.
    pub created_at: Timestamp,
    /// Whose personas are in it.
    pub tenants: Vec<BackedUpTenant>,
}

/// What a backup holds of one tenant, and which key opens it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BackedUpTenant {
    /// Who.
    pub tenant: TenantName,
    /// The epoch of the key that opens it; the key itself is not in the backup.
    pub epoch: u64,
    /// How many changes the keyring in it has seen.
    pub counter: u64,
    /// How many personas.
    pub personas: usize,
    /// How many documents, sealed.
    pub documents: usize,
}
