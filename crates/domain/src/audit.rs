//! Audit events: what happened, when, and who caused it; never any text of a memory.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{PersonaId, PrivacyClass, ReasonCode, TenantName, Timestamp};

/// One line of an audit log. Numbers and codes only: no free text, no personal identifiers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(title = "Audit event")]
pub struct AuditEvent {
    /// The version of this format.
    pub v: u8,
    /// Its number in the log, from 0 without gaps.
    pub seq: u64,
    /// When it happened, in milliseconds UTC.
    pub ts: i64,
    /// What happened.
    #[serde(rename = "type")]
    pub kind: EventKind,
    /// The id of the memory, entry, key or request concerned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The privacy class of a memory that was created. It stays in the log after the memory is destroyed, so that the
    /// memories of a past time can still be counted by class.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<PrivacyClass>,
    /// The reason of a redaction, archiving or deletion, as a code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<ReasonCode>,
    /// The batch it was part of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub batch: Option<String>,
    /// Who caused it: a key's public id, an operator's `did:key`, or `engine`.
    pub actor: Actor,
    /// The tenant concerned.
    pub tenant: TenantName,
    /// The persona concerned; absent in the deployment's own log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub persona: Option<PersonaId>,
    /// A commitment to the private part, hexadecimal; meaningless once its salt is destroyed.
    pub commit: String,
}

impl AuditEvent {
    /// The version this code writes.
    pub const VERSION: u8 = 1;

    /// When it happened.
    #[must_use]
    pub fn at(&self) -> Timestamp {
        Timestamp::from_millis(self.ts)
    }
}

/// Who caused an event.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Actor(#[schemars(length(min = 1, max = 200))] String);

impl Actor {
    /// The engine itself: sweeps, schedules, recovery.
    #[must_use]
    pub fn engine() -> Self {
        Self("engine".to_owned())
    }

    /// An API key, by its public id.
    #[must_use]
    pub fn key(public_id: &str) -> Self {
        Self(format!("key:{public_id}"))
    }

    /// A user of the web page, signed in by the link with this number.
    #[must_use]
    pub fn page(number: &str) -> Self {
        Self(format!("page:{number}"))
    }

    /// An operator, by the `did:key` of the signing key.
    #[must_use]
    pub fn operator(did: &str) -> Self {
        Self(did.to_owned())
    }

    /// The actor as written in the log.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

macro_rules! event_kinds {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)+) => {
        /// The kind of an audit event.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        pub enum EventKind {
            $($(#[$doc])* #[serde(rename = $text)] $name,)+
        }

        impl EventKind {
            /// Every kind.
            pub const ALL: &[Self] = &[$(Self::$name,)+];

            /// The name in the log.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)+
                }
            }
        }
    };
}

event_kinds! {
    /// A persona was created.
    PersonaCreated = "persona.created",
    /// Its document was signed.
    PersonaSigned = "persona.signed",
    /// Its policy was changed.
    PolicyChanged = "policy.changed",
    /// It was deleted, with its folder and keys.
    PersonaDeleted = "persona.deleted",
    /// A bundle of it was made, with what identifies people.
    PersonaExported = "persona.exported",
    /// It came from another deployment.
    PersonaImported = "persona.imported",
    /// An import was undone as a whole.
    ImportUndone = "import.undone",
    /// An atom was created.
    MemoryCreated = "memory.created",
    /// The creation of an atom was refused.
    MemoryRefused = "memory.refused",
    /// An atom was retrieved into a prompt.
    MemoryRetrieved = "memory.retrieved",
    /// An atom was rehearsed.
    MemoryRehearsed = "memory.rehearsed",
    /// An atom was soft-redacted.
    MemoryRedactedSoft = "memory.redacted.soft",
    /// An atom was destroyed and left a tombstone.
    MemoryRedactedHard = "memory.redacted.hard",
    /// A redacted atom was restored.
    MemoryRestored = "memory.restored",
    /// An atom was moved to cold storage.
    MemoryArchived = "memory.archived",
    /// An atom was deleted at the end of its retention time.
    MemoryDeleted = "memory.deleted",
    /// An atom was flagged for review.
    MemoryFlagged = "memory.flagged",
    /// An atom was released to others than its subject.
    MemoryReleased = "memory.released",
    /// A legal hold on an atom was set or removed.
    MemoryHeld = "memory.held",
    /// An atom was pinned.
    MemoryPinned = "memory.pinned",
    /// An atom was unpinned.
    MemoryUnpinned = "memory.unpinned",
    /// The cues of an atom were written, by a person or by the nightly job.
    MemoryCued = "memory.cued",
    /// An atom was given another decay profile.
    MemoryDecayChanged = "memory.decay.changed",
    /// A timeline entry was written.
    TimelineAppended = "timeline.appended",
    /// A timeline entry was replaced by a revision.
    TimelineRevised = "timeline.revised",
    /// A timeline entry was superseded.
    TimelineSuperseded = "timeline.superseded",
    /// The cues of a timeline entry were written.
    TimelineCued = "timeline.cued",
    /// A timeline entry was destroyed; its number is kept in a tombstone.
    TimelineRedacted = "timeline.redacted.hard",
    /// A subject gave consent.
    ConsentGiven = "consent.given",
    /// A subject withdrew consent.
    ConsentWithdrawn = "consent.withdrawn",
    /// Two references were merged into one subject.
    SubjectMerged = "subject.merged",
    /// Another reference to a subject was added.
    SubjectAliased = "subject.aliased",
    /// An API or operator key was created.
    KeyCreated = "key.created",
    /// An API or operator key was revoked.
    KeyRevoked = "key.revoked",
    /// A sign-in link for a browser was created.
    SignInOffered = "sign-in.offered",
    /// A model was connected to answer in talk.
    ModelConnected = "model.connected",
    /// The connected model was disconnected.
    ModelDisconnected = "model.disconnected",
    /// A tenant's key epoch was rotated.
    EpochRotated = "epoch.rotated",
    /// A key was used for another tenant.
    TenantMismatch = "tenant.mismatch",
    /// An erasure request was received.
    ErasureReceived = "erasure.received",
    /// It was acknowledged.
    ErasureAcknowledged = "erasure.acknowledged",
    /// Its batch was signed.
    ErasureSigned = "erasure.signed",
    /// It was carried out and verified.
    ErasureCompleted = "erasure.completed",
    /// It was carried out in part; a person must look into it.
    ErasurePartial = "erasure.partial",
    /// It was withdrawn before anything was destroyed.
    ErasureWithdrawn = "erasure.withdrawn",
    /// A signed checkpoint of a persona's log; written into the deployment's log.
    Checkpoint = "checkpoint",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_written_as_its_name() {
        for kind in EventKind::ALL {
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.as_str());
        }
    }
}
