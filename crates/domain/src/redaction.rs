//! Setting memories aside, and forgetting them for good.
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

/// What a redaction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RedactionMode {
    /// Sets aside; reversible.
    Soft,
    /// Destroys the content and leaves a tombstone.
    Hard,
    /// Moves into cold storage, unreachable for inference.
    Archive,
    /// Destroys without a tombstone; the retention sweep's alone.
    Delete,
}

/// Who asks for a redaction, as far as the law cares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Redactor {
    /// A person, through any door.
    Person,
    /// The retention sweep.
    RetentionSweep,
}

/// What becomes of a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It stays, with this status.
    Kept(RedactionStatus),
    /// It goes into cold storage.
    Archived,
    /// Only a tombstone stays.
    Tombstone,
    /// Nothing stays.
    Nothing,
}

/// Why a memory can't be redacted this way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum RedactionRefusal {
    /// It already is what was asked for, or beyond.
    #[error("the memory is redacted already")]
    AlreadyRedacted,
    /// Only what was set aside or archived can be restored.
    #[error("the memory is neither set aside nor archived, so there is nothing to restore")]
    NotRestorable,
    /// An audit obligation keeps it.
    #[error("the memory is under audit hold; lift the hold first")]
    UnderHold,
    /// Deleting without a tombstone is the retention sweep's alone.
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

/// What hard redaction leaves of a memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Tombstone {
    /// What was forgotten.
    pub id: MemoryId,
    /// When.
    pub at: Timestamp,
    /// Why, as a code and never in free words.
    pub reason_code: ReasonCode,
}

/// Why something was redacted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReasonCode {
    /// The subject asked to be forgotten.
    RightToBeForgotten,
    /// The subject withdrew consent.
    ConsentWithdrawn,
    /// Someone asked for this memory to go.
    Request,
    /// It was wrong, and a corrected one took its place.
    Corrected,
    /// What it was derived from is gone.
    SourceForgotten,
    /// Its weight fell below the minimum, or room was needed.
    Faded,
    /// Its time was over.
    Retention,
}

/// Decides what becomes of `atom` when it is redacted in this `mode`.
pub fn redact(atom: &Atom, mode: RedactionMode, by: Redactor) -> Result<Fate, RedactionRefusal> {
    match mode {
        RedactionMode::Soft => match (atom.redaction_status, atom.archived_at) {
            (RedactionStatus::Active, None) => Ok(Fate::Kept(RedactionStatus::Redacted)),
            _ => Err(RedactionRefusal::AlreadyRedacted),
        },
        RedactionMode::Archive if atom.archived_at.is_some() => Err(RedactionRefusal::AlreadyRedacted),
        RedactionMode::Archive => Ok(Fate::Archived),
        RedactionMode::Delete if by == Redactor::Person => Err(RedactionRefusal::SweepOnly),
        RedactionMode::Hard | RedactionMode::Delete if atom.audit_hold => Err(RedactionRefusal::UnderHold),
        RedactionMode::Hard => Ok(Fate::Tombstone),
        RedactionMode::Delete => Ok(Fate::Nothing),
    }
}

/// Decides whether `atom` may be told again.
pub fn restore(atom: &Atom) -> Result<Fate, RedactionRefusal> {
    match (atom.redaction_status, atom.archived_at) {
        (RedactionStatus::Redacted, _) | (RedactionStatus::Active, Some(_)) => {
            Ok(Fate::Kept(RedactionStatus::Active))
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
            (Active, false, false, Soft, Person, Ok(Fate::Kept(Redacted))),
            (Redacted, false, false, Soft, Person, Err(RedactionRefusal::AlreadyRedacted)),
            (PendingDeletion, false, false, Soft, Person, Err(RedactionRefusal::AlreadyRedacted)),
            (Active, true, false, Soft, Person, Err(RedactionRefusal::AlreadyRedacted)),
            (Active, false, false, Archive, Person, Ok(Fate::Archived)),
            (Redacted, false, false, Archive, Person, Ok(Fate::Archived)),
            (Active, true, false, Archive, Person, Err(RedactionRefusal::AlreadyRedacted)),
            (Active, false, false, Hard, Person, Ok(Fate::Tombstone)),
            (Redacted, false, false, Hard, Person, Ok(Fate::Tombstone)),
            (Active, true, false, Hard, Person, Ok(Fate::Tombstone)),
            (Active, false, true, Hard, Person, Err(RedactionRefusal::UnderHold)),
            (Active, false, false, Delete, Person, Err(RedactionRefusal::SweepOnly)),
            (PendingDeletion, false, false, Delete, RetentionSweep, Ok(Fate::Nothing)),
            (Active, false, true, Delete, RetentionSweep, Err(RedactionRefusal::UnderHold)),
        ] {
            let decided = redact(&atom(status, archived, hold), mode, by);
            assert_eq!(decided, expected, "{status:?} archived={archived} hold={hold} {mode:?} {by:?}");
        }
    }

    #[test]
    fn what_was_set_aside_or_archived_can_be_restored_and_nothing_else() {
        let back = Ok(Fate::Kept(RedactionStatus::Active));
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
