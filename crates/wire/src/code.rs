//! The table of error codes: stable code → HTTP status, MCP code, exit status, title and page.
//!
//! Clients rely on codes, so they are only ever added. The page under `docs/errors/` says what happened and
//! the way out; it is compiled into the program, and `tests/pages.rs` checks it.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::Exit;

/// JSON-RPC numbers shared by several codes; the stable code is beside them in `data.code`.
mod rpc {
    pub(super) const PARSE_ERROR: i32 = -32700;
    pub(super) const INVALID_REQUEST: i32 = -32600;
    pub(super) const INVALID_PARAMS: i32 = -32602;
    pub(super) const INTERNAL: i32 = -32603;
    pub(super) const NOT_FOUND: i32 = -32002;
    pub(super) const REFUSED: i32 = -32050;
    pub(super) const CONFLICT: i32 = -32051;
    pub(super) const UNAUTHORIZED: i32 = -32052;
    pub(super) const UNVERIFIED: i32 = -32053;
    pub(super) const UNAVAILABLE: i32 = -32054;
}

/// What each door answers for one code.
struct Row {
    name: &'static str,
    http: u16,
    mcp: i32,
    exit: Exit,
    title: &'static str,
    explanation: &'static str,
}

macro_rules! codes {
    ($($variant:ident $name:literal $http:literal $mcp:ident $exit:ident $title:literal;)+) => {
        /// A stable error code; its row says how each door answers.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Code {
            $(#[doc = $title] $variant,)+
        }

        impl Code {
            /// Every code, in the order of the table.
            pub const ALL: &[Self] = &[$(Self::$variant,)+];

            const fn row(self) -> Row {
                match self {
                    $(Self::$variant => Row {
                        name: $name, http: $http, mcp: rpc::$mcp, exit: Exit::$exit, title: $title,
                        explanation: include_str!(concat!("../../../docs/errors/", $name, ".md")),
                    },)+
                }
            }
        }
    };
}

codes! {
    // why a memory is not created
    MemoryDisabled           "memory_disabled"            409 REFUSED         Failure            "memory is switched off";
    DocumentUnsigned         "document_unsigned"          409 REFUSED         Failure            "the persona document is not signed";
    SalienceTooLow           "salience_too_low"           422 REFUSED         Failure            "not salient enough to remember";
    ConsentBasisRequired     "consent_basis_required"     422 REFUSED         Failure            "personal data needs a consent basis";
    ConsentBasisUnknown      "consent_basis_unknown"      422 REFUSED         Failure            "the consent basis is not listed";
    SubjectRequired          "subject_required"           422 REFUSED         Failure            "personal data needs a subject or a session";
    SensitiveForbidden       "sensitive_forbidden"        422 REFUSED         Failure            "sensitive data may not be remembered here";
    ConsentNotOnRecord       "consent_not_on_record"      422 REFUSED         Failure            "the subject's consent is not on record";
    ForeignDeployment        "foreign_deployment"         422 REFUSED         Failure            "the memory comes from another deployment";
    IdTombstoned             "id_tombstoned"              409 REFUSED         Conflict           "the id belongs to a forgotten memory";
    SubjectErased            "subject_erased"             409 REFUSED         Conflict           "the subject has been forgotten";
    MemoryFull               "memory_full"                409 REFUSED         Conflict           "the persona's memory is full";
    TooManyPins              "too_many_pins"              409 REFUSED         Conflict           "the limit of pinned memories is reached";

    // talking
    GuardrailBlocked         "guardrail_blocked"          422 REFUSED         Failure            "the safety policy forbids it";
    RoleNotFound             "role_not_found"             404 NOT_FOUND       NotFound           "no such role";
    SessionNotFound          "session_not_found"          404 NOT_FOUND       NotFound           "no such conversation";
    SessionElsewhere         "session_elsewhere"          409 CONFLICT        Conflict           "the conversation off the record is not available";
    ModelFailed              "model_failed"               502 UNAVAILABLE     Unreachable        "the language model did not answer";
    ModelKeyRefused          "model_key_refused"          422 REFUSED         Failure            "the language model's server refused the API key";

    // why a memory is not redacted or restored
    AlreadyRedacted          "already_redacted"           409 CONFLICT        Conflict           "the memory is redacted already";
    NotRestorable            "not_restorable"             409 CONFLICT        Conflict           "there is nothing to restore";
    UnderHold                "under_hold"                 409 REFUSED         Conflict           "the memory is under a legal hold";
    SweepOnly                "sweep_only"                 422 REFUSED         Failure            "only the retention sweep deletes";

    // the rules of the timeline
    EventOutOfOrder          "event_out_of_order"         400 INVALID_PARAMS  Failure            "the event is out of order";
    RevisionFieldsIncomplete "revision_fields_incomplete" 400 INVALID_PARAMS  Failure            "a revision lacks one of its two fields";
    AlreadySuperseded        "already_superseded"         409 CONFLICT        Conflict           "the timeline entry is already superseded";

    // what was sent
    ValidationFailed         "validation_failed"          422 INVALID_PARAMS  Failure            "the document is invalid";
    MalformedJson            "malformed_json"             400 PARSE_ERROR     Failure            "the text is not acceptable JSON";
    Usage                    "usage"                      400 INVALID_REQUEST Usage              "the request can't be understood";
    ConfigInvalid            "config_invalid"             500 INTERNAL        Usage              "the configuration is wrong";

    // what is not there
    PersonaNotFound          "persona_not_found"          404 NOT_FOUND       NotFound           "no such persona";
    MemoryNotFound           "memory_not_found"           404 NOT_FOUND       NotFound           "no such memory";
    SubjectNotFound          "subject_not_found"          404 NOT_FOUND       NotFound           "no such person";
    TimelineEntryNotFound    "timeline_entry_not_found"   404 NOT_FOUND       NotFound           "no such timeline entry";
    NotFound                 "not_found"                  404 NOT_FOUND       NotFound           "nothing there";

    // what is in the way
    NameTaken                "name_taken"                 409 CONFLICT        Conflict           "the name is taken";
    Conflict                 "conflict"                   409 CONFLICT        Conflict           "it changed in the meantime";
    PreconditionFailed       "precondition_failed"        412 CONFLICT        Conflict           "it has changed since it was read";
    PreconditionRequired     "precondition_required"      428 INVALID_REQUEST Usage              "the write names no version";
    HomeLocked               "home_locked"                409 UNAVAILABLE     Conflict           "another process owns this home";
    IdempotencyMismatch      "idempotency_mismatch"       422 CONFLICT        Conflict           "the idempotency key was used for another request";
    RequestInFlight          "request_in_flight"          409 CONFLICT        Conflict           "the same request is being answered";
    ResourceGone             "resource_gone"              410 NOT_FOUND       NotFound           "the result of the request has been deleted";

    // keys and proofs
    SignatureInvalid         "signature_invalid"          422 UNVERIFIED      VerificationFailed "the signature is invalid";
    KeyMissing               "key_missing"                503 UNAUTHORIZED    Auth               "a needed key is missing";

    // what stops a request at the door
    Unauthorized             "unauthorized"               401 UNAUTHORIZED    Auth               "no valid key";
    Forbidden                "forbidden"                  403 UNAUTHORIZED    Auth               "the key may not do this";
    CrossOrigin              "cross_origin"               403 UNAUTHORIZED    Auth               "the request comes from another site";
    HostNotAllowed           "host_not_allowed"           421 INVALID_REQUEST Usage              "the server does not serve this host name";
    MethodNotAllowed         "method_not_allowed"         405 INVALID_REQUEST Usage              "the route does not support this method";
    BodyTooLarge             "body_too_large"             413 INVALID_REQUEST Failure            "the request is too large";
    UnsupportedMediaType     "unsupported_media_type"     415 INVALID_REQUEST Usage              "the body is not declared as JSON";
    IdempotencyKeyRequired   "idempotency_key_required"   400 INVALID_REQUEST Usage              "the request needs an idempotency key";
    RateLimited              "rate_limited"               429 UNAVAILABLE     Unreachable        "too many requests";
    Busy                     "busy"                       429 UNAVAILABLE     Unreachable        "too many requests at once";
    RequestTimeout           "request_timeout"            408 UNAVAILABLE     Unreachable        "the request did not arrive in time";
    AnswerTimeout            "answer_timeout"             504 UNAVAILABLE     Unreachable        "the answer took too long";
    NotReady                 "not_ready"                  503 UNAVAILABLE     Unreachable        "the server can't answer for now";
    Unreachable              "unreachable"                503 UNAVAILABLE     Unreachable        "nobody answers";

    // the machine and ourselves
    HomeUnusable             "home_unusable"              503 UNAVAILABLE     Failure            "the home can't be used as it is";
    RecordDamaged            "record_damaged"             500 INTERNAL        VerificationFailed "a record can't be read";
    IoFailed                 "io_failed"                  503 UNAVAILABLE     Failure            "reading or writing failed";
    Internal                 "internal"                   500 INTERNAL        Failure            "a defect in Selfhood";
}

impl Code {
    /// The code as clients see it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.row().name
    }

    /// The HTTP status under `/v1`.
    #[must_use]
    pub const fn http_status(self) -> u16 {
        self.row().http
    }

    /// The JSON-RPC error code over MCP.
    #[must_use]
    pub const fn mcp_code(self) -> i32 {
        self.row().mcp
    }

    /// How a command that fails with this code exits.
    #[must_use]
    pub const fn exit(self) -> Exit {
        self.row().exit
    }

    /// What happened, in a few words that fit every occurrence.
    #[must_use]
    pub const fn title(self) -> &'static str {
        self.row().title
    }

    /// The page of the code, in Markdown; a code without a page does not compile.
    #[must_use]
    pub const fn explanation(self) -> &'static str {
        self.row().explanation
    }

    /// Where the code is explained, as a path from the project's root.
    #[must_use]
    pub fn page(self) -> String {
        format!("docs/errors/{self}.md")
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Code {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let known = Self::ALL.iter().find(|code| code.as_str() == name);
        known.copied().ok_or_else(|| de::Error::custom(format!("`{name}` is not a code of this version")))
    }
}
