//! Redaction: hiding memories, and destroying them permanently.
//!
//! ```text
//!            soft             hard
//!  active ⇄ redacted ─────────────────┐
//!    │   restore │                    ▼
//!    ├───────────┴── archive ──► archived ── hard ──► tombstone
//!    │◄───────────── restore ───────┘
//!    └──────────────── hard ────────────────────────► tombstone
//!  (retention sweep: anything but a tombstone ── delete ──► nothing)
//! ```

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Atom, MemoryId, RedactionStatus, Timestamp};

/// The kind of a redaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RedactionMode {
    /// Hides the memory; reversible.
    Soft,
    /// Destroys the content and leaves a tombstone.
    Hard,
    /// Moves it to cold storage, where recall does not reach it.
    Archive,
    /// Destroys it without a tombstone; only for the retention sweep.
    Delete,
}

/// Who requests a redaction, as far as the rules distinguish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Redactor {
    /// A person, through any interface.
    Person,
    /// The retention sweep.
    RetentionSweep,
}

/// The result of a redaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RedactionOutcome {
    /// The memory is kept, with this status.
    Kept(RedactionStatus),
    /// It is moved to cold storage.
    Archived,
    /// Only a tombstone is kept.
    Tombstone,
    /// Nothing is kept.
    Nothing,
}

/// Why a memory can't be redacted in this mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum RedactionRefusal {
    /// It is redacted in this mode or a stronger one already.
    #[error("the memory is redacted already")]
    AlreadyRedacted,
    /// Only a redacted or archived memory can be restored.
    #[error("the memory is neither set aside nor archived, so there is nothing to restore")]
    NotRestorable,
    /// It is under a legal hold.
    #[error("the memory is under a legal hold; lift the hold first")]
    UnderHold,
    /// Only the retention sweep may delete without a tombstone.
    #[error("`delete` is done by the retention sweep only; use `hard`")]
    SweepOnly,
}

impl RedactionRefusal {
    /// Every refusal.
    pub const ALL: [Self; 4] = [Self::AlreadyRedacted, Self::NotRestorable, Self::UnderHold, Self::SweepOnly];

    /// The stable code clients match on.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::AlreadyRedacted => "already_redacted",
            Self::NotRestorable => "not_restorable",
            Self::UnderHold => "under_hold",
            Self::SweepOnly => "sweep_only",
        }
    }
}

/// The tombstone of a hard-redacted memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Tombstone {
    /// The memory's id.
    pub id: MemoryId,
    /// When it was destroyed.
    pub at: Timestamp,
    /// The reason, as a code and never in free text.
    pub reason_code: ReasonCode,
}

/// The reason for a redaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReasonCode {
    /// The subject requested erasure.
    RightToBeForgotten,
    /// The subject withdrew consent.
    ConsentWithdrawn,
    /// A person requested its removal.
    Request,
    /// It was wrong, and was replaced by a corrected one.
    Corrected,
    /// A memory it was derived from was forgotten.
    SourceForgotten,
    /// Its weight fell below the minimum, or room was needed.
    Faded,
    /// Its retention time was over.
    Retention,
}

/// Decides the result of redacting `atom` in this `mode`.
pub fn redact(atom: &Atom, mode: RedactionMode, by: Redactor) -> Result<RedactionOutcome, RedactionRefusal> {
    match mode {
        RedactionMode::Soft => match (atom.redaction_status, atom.archived_at) {
            (RedactionStatus::Active, None) => Ok(RedactionOutcome::Kept(RedactionStatus::Redacted)),
            _ => Err(RedactionRefusal::AlreadyRedacted),
        },
        RedactionMode::Archive if atom.archived_at.is_some() => Err(RedactionRefusal::AlreadyRedacted),
        RedactionMode::Archive => Ok(RedactionOutcome::Archived),
        RedactionMode::Delete if by == Redactor::Person => Err(RedactionRefusal::SweepOnly),
        RedactionMode::Hard | RedactionMode::Delete if atom.audit_hold => Err(RedactionRefusal::UnderHold),
        RedactionMode::Hard => Ok(RedactionOutcome::Tombstone),
        RedactionMode::Delete => Ok(RedactionOutcome::Nothing),
    }
}

/// Decides whether `atom` may be recalled again.
pub fn restore(atom: &Atom) -> Result<RedactionOutcome, RedactionRefusal> {
    match (atom.redaction_status, atom.archived_at) {
        (RedactionStatus::Redacted, _) | (RedactionStatus::Active, Some(_)) => {
            Ok(RedactionOutcome::Kept(RedactionStatus::Active))
        }
        (RedactionStatus::Active, None) | (RedactionStatus::PendingDeletion, _) => {
            Err(RedactionRefusal::NotRestorable)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;

    fn atom(status: RedactionStatus, archived: bool, hold: bool) -> Atom {
        Atom {
            redaction_status: status,
            archived_at: archived.then(|| example::day(1)),
            audit_hold: hold,
            ..example::guest_atom()
        }
    }

    #[test]
    fn each_mode_does_what_its_name_says() {
        use RedactionMode::{Archive, Delete, Hard, Soft};
        use RedactionStatus::{Active, PendingDeletion, Redacted};
        use Redactor::{Person, RetentionSweep};
        for (status, archived, hold, mode, by, expected) in [
            (Active, false, false, Soft, Person, Ok(RedactionOutcome::Kept(Redacted))),
            (Redacted, false, false, Soft, Person, Err(RedactionRefusal::AlreadyRedacted)),
            (PendingDeletion, false, false, Soft, Person, Err(RedactionRefusal::AlreadyRedacted)),
            (Active, true, false, Soft, Person, Err(RedactionRefusal::AlreadyRedacted)),
            (Active, false, false, Archive, Person, Ok(RedactionOutcome::Archived)),
            (Redacted, false, false, Archive, Person, Ok(RedactionOutcome::Archived)),
            (Active, true, false, Archive, Person, Err(RedactionRefusal::AlreadyRedacted)),
            (Active, false, false, Hard, Person, Ok(RedactionOutcome::Tombstone)),
            (Redacted, false, false, Hard, Person, Ok(RedactionOutcome::Tombstone)),
            (Active, true, false, Hard, Person, Ok(RedactionOutcome::Tombstone)),
            (Active, false, true, Hard, Person, Err(RedactionRefusal::UnderHold)),
            (Active, false, false, Delete, Person, Err(RedactionRefusal::SweepOnly)),
            (PendingDeletion, false, false, Delete, RetentionSweep, Ok(RedactionOutcome::Nothing)),
            (Active, false, true, Delete, RetentionSweep, Err(RedactionRefusal::UnderHold)),
        ] {
            let decided = redact(&atom(status, archived, hold), mode, by);
            assert_eq!(decided, expected, "{status:?} archived={archived} hold={hold} {mode:?} {by:?}");
        }
    }

    #[test]
    fn only_redacted_or_archived_memories_can_be_restored() {
        let back = Ok(RedactionOutcome::Kept(RedactionStatus::Active));
        let refused = Err(RedactionRefusal::NotRestorable);
        for (status, archived, expected) in [
            (RedactionStatus::Redacted, false, back),
            (RedactionStatus::Redacted, true, back),
            (RedactionStatus::Active, true, back),
            (RedactionStatus::Active, false, refused),
            (RedactionStatus::PendingDeletion, false, refused),
            (RedactionStatus::PendingDeletion, true, refused),
        ] {
            assert_eq!(restore(&atom(status, archived, false)), expected, "{status:?} archived={archived}");
        }
    }
}
