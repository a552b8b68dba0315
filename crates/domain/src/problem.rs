//! What is wrong with a document, where, and by which rule.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One thing wrong with a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    /// Which rule it breaks.
    pub code: ProblemCode,
    /// Where, as a JSON pointer; the empty one is the whole document.
    pub pointer: String,
    /// What is wrong and what would be right.
    pub message: String,
    /// Whether the document can't be used with it.
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

    pub(crate) fn fixable(self) -> Self {
        Self { fixable: true, ..self }
    }
}

/// How bad a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The document works, but something in it leads nowhere.
    Warning,
    /// The document can't be used.
    Error,
}

macro_rules! problem_codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)+) => {
        /// Which rule a document breaks.
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
    /// A text or list with too little in it.
    TooShort = "too_short",
    /// A text, list or object with too much in it.
    TooLong = "too_long",
    /// A text that does not look as it must: an id, an instant with its zone, a name.
    BadFormat = "bad_format",
    /// A memory rehearsed before it was formed, or formed or rehearsed in the future.
    TimesOutOfOrder = "times_out_of_order",
    /// A memory never rehearsed whose `lastRehearsedAt` is not its `createdAt`.
    RehearsalMismatch = "rehearsal_mismatch",
    /// Two memories with one id.
    DuplicateId = "duplicate_id",
    /// A time zone nobody knows.
    UnknownTimezone = "unknown_timezone",
    /// More active memories than `maxAtoms`.
    TooManyAtoms = "too_many_atoms",
    /// A memory lighter than the policy admits.
    BelowCreationFloor = "below_creation_floor",
    /// A memory that identifies a person without a ground.
    ConsentBasisRequired = "consent_basis_required",
    /// A ground that is not listed.
    ConsentBasisUnknown = "consent_basis_unknown",
    /// A memory that identifies a person and names neither subject nor conversation.
    SubjectRequired = "subject_required",
    /// A sensitive memory the persona may not keep.
    SensitiveForbidden = "sensitive_forbidden",
    /// A memory older than its class's retention.
    PastRetention = "past_retention",
    /// A memory formed in another deployment.
    ForeignDeployment = "foreign_deployment",
    /// A freedom to confabulate that the persona's trade forbids.
    ConfabulationForbidden = "confabulation_forbidden",
    /// A `retrievalThreshold` below a memory's `minimumSalience`.
    ThresholdBelowMinimum = "threshold_below_minimum",
    /// A salience classifier nobody knows.
    UnknownClassifier = "unknown_classifier",
    /// An audit policy that would leave a creation out of the log, which always tells of it.
    CreationAlwaysLogged = "creation_always_logged",
    /// Indefinite retention for a class that identifies a person.
    IndefiniteRetention = "indefinite_retention",
    /// A reference to a memory that is not there.
    OrphanReference = "orphan_reference",
}
