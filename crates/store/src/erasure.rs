//! A request to be forgotten, kept until it is carried out and after.

use domain::{Deadlines, ErasureId, ErasureStatus, TenantName, Timestamp};
use serde_json::Value;

use crate::private::PrivateJson;

/// A request to be forgotten as it rests.
///
/// Whom it is about, and every word about it, is sealed under a key of its own that dies with it.
#[derive(Clone, Debug, PartialEq)]
pub struct ErasureRecord {
    /// The request.
    pub id: ErasureId,
    /// In whose realm.
    pub tenant: TenantName,
    /// How far it has come.
    pub status: ErasureStatus,
    /// The time there is for it.
    pub deadlines: Deadlines,
    /// When it last changed.
    pub changed_at: Timestamp,
    /// What is known of it without a word about anyone: codes, counts, times and ids.
    pub progress: Value,
    /// Whom it is about and what has to go. Absent once that is done: written without it, its key dies.
    pub private: Option<PrivateJson>,
}
