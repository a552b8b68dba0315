//! An erasure request, kept while it is carried out and afterwards.

use domain::{Deadlines, ErasureId, ErasureStatus, TenantName, Timestamp};
use serde_json::Value;

use crate::private::PrivateJson;

/// A stored erasure request.
///
/// The person's identity and all text about them are sealed under a separate key, which is destroyed with
/// the request.
#[derive(Clone, Debug, PartialEq)]
pub struct ErasureRecord {
    /// The request's id.
    pub id: ErasureId,
    /// The tenant it concerns.
    pub tenant: TenantName,
    /// Its status.
    pub status: ErasureStatus,
    /// The legal deadlines.
    pub deadlines: Deadlines,
    /// When it last changed.
    pub changed_at: Timestamp,
    /// Its progress without personal data: codes, counts, times and ids.
    pub progress: Value,
    /// The person and the records to erase. Absent once that is done: writing the record without it
    /// destroys its key.
    pub private: Option<PrivateJson>,
}
