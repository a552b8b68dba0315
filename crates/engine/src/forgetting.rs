//! Forgetting: cascades of a redaction, sweeps, legal holds, residue scans and the erasure of a person.

pub(crate) mod cascade;
pub(crate) mod destroy;
pub(crate) mod note;
pub(crate) mod references;
pub(crate) mod sweep;
pub(crate) mod sweep_when_opened;
pub(crate) mod residue;
pub(crate) mod source_turns;
pub(crate) mod hold;
pub(crate) mod withdraw_consent;
pub(crate) mod erasure;

use domain::TenantName;

use crate::keyed_locks::KeyedLocks;

/// Erasures in progress. Its fields are visible in this room only.
#[derive(Default)]
pub(crate) struct ForgettingState {
    /// One lock per tenant, held while an erasure is signed, resumed or executed.
    erasing: KeyedLocks<TenantName>,
}
