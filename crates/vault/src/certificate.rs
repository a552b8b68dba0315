//! The certificate of an erasure: the request, what was done in every place, how it was verified, and what
//! is out of reach. It is signed by an operator and can be verified by anyone, without this program.
//!
//! It contains no name. The subject is a salted hash, and only the requester's copy contains the salt. The
//! format is published in `docs/formats/certificate.md`; nothing here reads or writes a file.

mod opening;
mod page;
mod verify;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::signature::{ProofTerms, PublicKey, SignError, SigningKey, add_proof};
use crate::timestamp;

pub use opening::{Opening, requesters_copy};
pub use page::page;
pub use verify::{CertificateError, Verified, verify};

/// The version of the format this release writes.
pub const VERSION: u8 = 1;

/// A certificate, not yet signed or already verified.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "Certificate of erasure")]
pub struct Certificate {
    /// The kind of document.
    #[serde(rename = "type")]
    pub kind: Kind,
    /// The version of the format.
    pub v: u8,
    /// The certificate's own id.
    pub id: String,
    /// The tenant concerned.
    pub tenant: String,
    /// Whether everything within reach was erased.
    pub outcome: Outcome,
    /// The request, and when it was acknowledged and completed.
    pub request: Request,
    /// The erased person, as a hash that reveals nothing without its salt.
    pub subject: SubjectHash,
    /// The operator's public key, which signed the certificate.
    #[schemars(with = "String")]
    pub operator: PublicKey,
    /// What was done in each place, and how it was verified.
    pub places: Vec<Place>,
    /// The tombstones of destroyed records.
    pub tombstones: Tombstones,
    /// What was done with memories and digests derived from destroyed records.
    pub derived: Derived,
    /// What was done with the keys.
    pub keys: Keys,
    /// The residue scan after the erasure.
    pub scan: Scan,
    /// What could not be reached.
    pub unreached: Vec<Unreached>,
    /// The audit logs, before and after.
    pub audit: Vec<LogHeads>,
    /// The command that verifies this certificate.
    pub verify: String,
}

/// The kind of document; there is only one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Kind {
    /// A certificate of erasure.
    #[default]
    ErasureCertificate,
}

/// The outcome of an erasure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// Everything within reach is erased, and that was verified.
    Done,
    /// Something is left, or could not be verified; a person must look into it.
    Partial,
}

/// The request and its deadlines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    /// The erasure's id.
    pub id: String,
    /// The reason, as a code; never free text.
    pub reason: String,
    /// The legal ground, such as `GDPR Art. 17(1)`.
    pub ground: String,
    /// When the request arrived.
    #[serde(with = "timestamp::required")]
    #[schemars(with = "String")]
    pub received_at: i64,
    /// When it was acknowledged.
    #[serde(with = "timestamp::required")]
    #[schemars(with = "String")]
    pub acknowledged_at: i64,
    /// The deadline for acknowledging it.
    #[serde(with = "timestamp::required")]
    #[schemars(with = "String")]
    pub acknowledge_by: i64,
    /// When it was carried out and verified.
    #[serde(with = "timestamp::required")]
    #[schemars(with = "String")]
    pub completed_at: i64,
    /// The deadline for completing it.
    #[serde(with = "timestamp::required")]
    #[schemars(with = "String")]
    pub complete_by: i64,
}

/// The erased person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SubjectHash {
    /// `HMAC-SHA-256(salt, JCS({identifiers, subject}))`, in hex.
    #[schemars(regex(pattern = "^[0-9a-f]{64}$"))]
    pub hash: String,
}

/// One place of the register.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Place {
    /// The place's name.
    pub place: String,
    /// How it was erased.
    pub method: String,
    /// How many records or files were destroyed or rewritten there.
    pub count: u64,
    /// How it was verified.
    pub verified: String,
    /// The number of matches for the subject found there afterwards.
    pub hits: u64,
}

/// The tombstones of destroyed records: an id, a time and a code each.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Tombstones {
    /// The ids of the destroyed records.
    pub ids: Vec<String>,
    /// When the tombstones are deleted.
    #[serde(with = "timestamp::optional", default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub until: Option<i64>,
}

/// Records derived from destroyed ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Derived {
    /// How many were derived again from other sources.
    pub rederived: u64,
    /// How many were destroyed as well.
    pub redacted: u64,
}

/// What was done with the keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Keys {
    /// The key epoch in which the records were sealed.
    pub epoch_before: u64,
    /// The current key epoch; the wrapping keys of all earlier epochs are destroyed.
    pub epoch_after: u64,
    /// The number of data keys destroyed by this erasure.
    pub destroyed: u64,
    /// The registered copies of the key directory.
    pub mirrors: Vec<Mirror>,
}

/// A registered copy of the key directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Mirror {
    /// Its path or name.
    pub mirror: String,
    /// Whether it was brought up to date; if not, it may still contain an old key.
    pub current: bool,
}

/// The residue scan after the erasure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Scan {
    /// The time of the scan.
    #[serde(with = "timestamp::required")]
    #[schemars(with = "String")]
    pub at: i64,
    /// The number of identifiers searched for.
    pub identifiers: u64,
    /// The forms searched for.
    pub forms: Vec<String>,
    /// The number of files read.
    pub files: u64,
    /// The number of bytes read.
    pub bytes: u64,
    /// The number of matches.
    pub hits: u64,
    /// The number of files that could not be read.
    pub unread: u64,
    /// The number of canary forms planted just before.
    pub canaries_planted: u64,
    /// How many of them the scan found.
    pub canaries_found: u64,
}

/// Something that an erasure can't reach.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unreached {
    /// What it is.
    pub what: String,
    /// Why it can't be reached, and who can.
    pub why: String,
}

/// One audit log before and after the erasure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LogHeads {
    /// The log's name.
    pub origin: String,
    /// Its signed checkpoint before.
    pub before: String,
    /// Its signed checkpoint after.
    pub after: String,
    /// The proof of RFC 6962 that the later log continues the earlier one, in hex.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub consistency: Option<Vec<String>>,
    /// The numbers of this erasure's events in the log.
    pub events: Vec<u64>,
}

impl Certificate {
    /// Signs the certificate at `now` (milliseconds UTC). It never expires, because an erasure is
    /// permanent.
    pub fn sign(&self, key: &SigningKey, now: i64) -> Result<Value, SignError> {
        let mut document = serde_json::to_value(self).map_err(|_| SignError::NotAnObject)?;
        add_proof(&mut document, ProofTerms { created: now, expires: None }, key)?;
        Ok(document)
    }
}

/// The published JSON Schema of a signed certificate.
#[must_use]
pub fn schema() -> Value {
    SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<Certificate>().to_value()
}
