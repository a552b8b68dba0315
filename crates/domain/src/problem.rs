//! Problems of a document: what, where, and which rule.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One problem of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    /// The violated rule.
    pub code: ProblemCode,
    /// Its position, as a JSON pointer; the empty one is the whole document.
    pub pointer: String,
    /// What is wrong and what would be right.
    pub message: String,
    /// Whether it makes the document unusable.
    pub severity: Severity,
    /// Whether `--fix` repairs it.
    pub fixable: bool,
}

impl Problem {
    pub(crate) fn error(code: ProblemCode, pointer: impl Into<String>, message: impl Into<String>) -> Self {
        let (pointer, message) = (pointer.into(), message.into());
        Self { code, pointer, message, severity: Severity::Error, fixable: false }
    }

    pub(crate) fn warning(code: ProblemCode, pointer: impl Into<String>, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, pointer, message) }
    }

    /// The same problem of a part of a document that is at `place`.
    pub(crate) fn below(self, place: &str) -> Self {
        Self { pointer: format!("{place}{}", self.pointer), ..self }
    }

    pub(crate) fn fixable(self) -> Self {
        Self { fixable: true, ..self }
    }
}

/// The severity of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The document works, but a part of it has no effect.
    Warning,
    /// The document can't be used.
    Error,
}

macro_rules! problem_codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)+) => {
        /// The rule that a document violates.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        pub enum ProblemCode {
            $($(#[$doc])* #[serde(rename = $text)] $name,)+
        }

        impl ProblemCode {
            /// Every code.
            pub const ALL: &[Self] = &[$(Self::$name,)+];

            /// The stable name clients match on.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)+
                }
            }
        }
    };
}

problem_codes! {
    /// A required property is missing.
    MissingField = "missing_field",
    /// A property the schema does not define and whose name does not start with `x-`.
    UnknownField = "unknown_field",
    /// A value of the wrong JSON type.
    WrongType = "wrong_type",
    /// A value that is not one of those allowed.
    NotOneOf = "not_one_of",
    /// A number outside its range.
    OutOfRange = "out_of_range",
    /// A text or list below its minimum length.
    TooShort = "too_short",
    /// A text, list or object above its maximum length.
    TooLong = "too_long",
    /// A text in the wrong format: an id, an instant with its zone, a name.
    BadFormat = "bad_format",
    /// A memory rehearsed before it was formed, or formed or rehearsed in the future.
    TimesOutOfOrder = "times_out_of_order",
    /// A memory never rehearsed whose `lastRehearsedAt` is not its `createdAt`.
    RehearsalMismatch = "rehearsal_mismatch",
    /// Two memories with one id.
    DuplicateId = "duplicate_id",
    /// An unknown time zone.
    UnknownTimezone = "unknown_timezone",
    /// More active memories than `maxAtoms`.
    TooManyAtoms = "too_many_atoms",
    /// A memory below the policy's minimum salience.
    BelowCreationFloor = "below_creation_floor",
    /// A memory that identifies a person without a consent basis.
    ConsentBasisRequired = "consent_basis_required",
    /// An unlisted consent basis.
    ConsentBasisUnknown = "consent_basis_unknown",
    /// A memory that identifies a person and names neither subject nor session.
    SubjectRequired = "subject_required",
    /// A sensitive memory the persona may not store.
    SensitiveForbidden = "sensitive_forbidden",
    /// A memory older than its class's retention.
    PastRetention = "past_retention",
    /// A memory formed in another deployment.
    ForeignDeployment = "foreign_deployment",
    /// A confabulation policy that the compliance profile forbids.
    ConfabulationForbidden = "confabulation_forbidden",
    /// A `retrievalThreshold` below a memory's `minimumSalience`.
    ThresholdBelowMinimum = "threshold_below_minimum",
    /// An unknown salience classifier.
    UnknownClassifier = "unknown_classifier",
    /// An audit policy that would leave a creation out of the log, which always tells of it.
    CreationAlwaysLogged = "creation_always_logged",
    /// A deadline for requests to be forgotten that is later than the latest one.
    DeadlineTooLate = "deadline_too_late",
    /// A retention of no days at all.
    ZeroRetention = "zero_retention",
    /// Indefinite retention for a class that identifies a person.
    IndefiniteRetention = "indefinite_retention",
    /// A reference to a memory that does not exist.
    OrphanReference = "orphan_reference",
}
