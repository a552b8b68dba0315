//! The rules of memory: what a persona is, what a memory is, and what may happen to it.
//!
//! Nothing here reads a file, asks the clock or waits. Time, randomness and records are arguments, so every
//! rule is a function that can be read, tabulated and tested. Read in this order: the basic types
//! ([`text`], [`id`], [`short_id`], [`unit`], [`time`], [`event_date`]), the memory ([`privacy`], [`consent`], [`decay`],
//! [`atom`], [`rehearsal`], [`history`]), the persona ([`policy`], [`persona`], [`template`], [`timeline`],
//! [`life`]), what may happen to a memory ([`creation`], [`derivation`], [`audience`], [`lifecycle`],
//! [`redaction`], [`coherence`], [`rederivation`], [`identifier`], [`erasure`]), digests of conversations
//! and their schedule ([`digest`], [`schedule`], [`recurrence`]), audit events ([`audit`]), API keys
//! ([`access`]), and how documents are checked ([`problem`], [`schema`], [`structure`], [`validate`],
//! [`references`]).

pub mod text;
pub mod id;
pub mod short_id;
pub mod unit;
pub mod time;
pub mod event_date;
pub mod privacy;
pub mod consent;
pub mod decay;
pub mod atom;
pub mod rehearsal;
pub mod schedule;
pub mod recurrence;
pub mod digest;
pub mod history;
pub mod policy;
pub mod policy_patch;
pub mod retention_policy;
pub mod persona;
pub mod template;
pub mod timeline;
pub mod life;
pub mod creation;
pub mod derivation;
pub mod audience;
pub mod lifecycle;
pub mod redaction;
pub mod coherence;
pub mod rederivation;
pub mod identifier;
pub mod erasure;
pub mod audit;
pub mod access;
pub mod nearest;
pub mod problem;
pub mod schema;
pub mod structure;
pub mod validate;
pub mod references;
#[cfg(any(test, feature = "example"))]
pub mod example;

pub use access::{KeyScope, Speaks};
pub use atom::{Atom, Detail, Extensions, Kind, Provenance, RedactionStatus, Review, Trust};
pub use audience::{Access, AudienceFacts, AudienceRefusal, Listener, Reach, Unchangeable};
pub use audit::{Actor, AuditEvent, EventKind};
pub use consent::{ConsentRegister, ConsentsOnRecord, SubjectConsent};
pub use decay::{DecayFunction, DecayProfile};
pub use digest::Digest;
pub use erasure::{Alarm, Deadlines, ErasureStatus};
pub use event_date::{EventDate, Precision};
pub use id::{
    DeploymentDid, ErasureId, ImportId, InvalidId, MemoryId, PersonaId, PersonaName, RecallId, SessionId,
    SubjectRef, TenantName, TimelineId, TurnId, is_random_id,
};
pub use identifier::{Identifier, InvalidIdentifier};
pub use life::{Disorder, EntryPosition, Life, TimelineRefusal};
pub use persona::{
    Bindings, ComplianceProfile, DocumentSignature, Identity, PersonaDocument, RuntimeConfig, SafetyTier,
    SchemaVersion, Seed,
};
pub use policy::{
    AuditPolicy, ConfabulationPolicy, CreationPolicy, DecayDefaults, ForgettingDeadlines, LogAlways, LogRate,
    MemoryPolicy, Ranking, Scope,
};
pub use privacy::{ConsentBasis, PrivacyClass};
pub use problem::{Problem, ProblemCode, Severity};
pub use recurrence::Recurrence;
pub use redaction::{ReasonCode, RedactionMode, RedactionRefusal, Tombstone};
pub use rehearsal::{Rehearsal, RehearsalKind, RehearsalPolicy};
pub use retention_policy::{CountFrom, RetentionPolicy};
pub use schedule::{NotASchedule, Schedule, TimeOfDay, Weekday};
pub use template::Template;
pub use text::Text;
pub use time::{Days, Timestamp};
pub use timeline::{EntryOwner, Event, MemoryType, TimelineEntry};
pub use unit::{Brightness, OutOfRange, Salience, Strength, Tokens, Valence, Vividness};
