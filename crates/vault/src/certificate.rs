//! The certificate of an erasure: what was asked, what was done in every Place, how it was verified, and
//! what nobody can promise; signed by an operator and checked by anyone, without this program.
//!
//! It names nobody. The subject stands in it as a salted hash, and the salt is only in the copy of whoever
//! asked. The format is published in `docs/formats/certificate.md`; nothing here reads or writes a file.

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

/// A certificate, before it is signed or after its proof was found to hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "Certificate of erasure")]
pub struct Certificate {
    /// What kind of document this is.
    #[serde(rename = "type")]
    pub kind: Kind,
    /// The version of the format.
    pub v: u8,
    /// The certificate's own id.
    pub id: String,
    /// In whose realm.
    pub tenant: String,
    /// Whether everything within reach was erased.
    pub outcome: Outcome,
    /// What was asked, and when what was done about it.
    pub request: Request,
    /// Who was forgotten, as a hash that means nothing without its salt.
    pub subject: SubjectHash,
    /// Who answers for it: the key that signed.
    #[schemars(with = "String")]
    pub operator: PublicKey,
    /// What was done in each Place, and how that was verified.
    pub places: Vec<Place>,
    /// What is left of what was destroyed.
    pub tombstones: Tombstones,
    /// What became of memories and digests that were derived from it.
    pub derived: Derived,
    /// What became of the keys.
    pub keys: Keys,
    /// How it was looked for afterwards.
    pub scan: Scan,
    /// What could not be reached.
    pub unreached: Vec<Unreached>,
    /// The audit logs, before and after.
    pub audit: Vec<LogHeads>,
    /// The command that verifies this certificate.
    pub verify: String,
}

/// The one kind of document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Kind {
    /// A certificate of erasure.
    #[default]
    ErasureCertificate,
}

/// How an erasure ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// Everything within reach is erased, and that was verified.
    Done,
    /// Something is left, or could not be verified; somebody must look.
    Partial,
}

/// What was asked, against the time there was for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    /// The erasure's id.
    pub id: String,
    /// Why, as a code; never in free text.
    pub reason: String,
    /// On which ground, such as `GDPR Art. 17(1)`.
    pub ground: String,
    /// When the request arrived.
    #[serde(with = "timestamp::required")]
    #[schemars(with = "String")]
    pub received_at: i64,
    /// When it was acknowledged.
    #[serde(with = "timestamp::required")]
    #[schemars(with = "String")]
    pub acknowledged_at: i64,
    /// By when it had to be.
    #[serde(with = "timestamp::required")]
    #[schemars(with = "String")]
    pub acknowledge_by: i64,
    /// When it was carried out and verified.
    #[serde(with = "timestamp::required")]
    #[schemars(with = "String")]
    pub completed_at: i64,
    /// By when it had to be.
    #[serde(with = "timestamp::required")]
    #[schemars(with = "String")]
    pub complete_by: i64,
}

/// Who was forgotten.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SubjectHash {
    /// `HMAC-SHA-256(salt, JCS({identifiers, subject}))`, in hex.
    #[schemars(regex(pattern = "^[0-9a-f]{64}$"))]
    pub hash: String,
}

/// One Place of the register.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Place {
    /// The Place's name.
    pub place: String,
    /// How it was erased.
    pub method: String,
    /// How many records or files were destroyed or rewritten there.
    pub count: u64,
    /// How that was verified.
    pub verified: String,
    /// How often something of the subject was found there afterwards.
    pub hits: u64,
}

/// What destroyed records left behind: an id, a time and a code each.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Tombstones {
    /// The ids of the records that are no more.
    pub ids: Vec<String>,
    /// When the tombstones go too.
    #[serde(with = "timestamp::optional", default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub until: Option<i64>,
}

/// What was made from destroyed records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Derived {
    /// How many were made anew from other sources.
    pub rederived: u64,
    /// How many were destroyed too.
    pub redacted: u64,
}

/// What became of the keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Keys {
    /// The key epoch in which the records were sealed.
    pub epoch_before: u64,
    /// The key epoch now; the key of every earlier one is destroyed.
    pub epoch_after: u64,
    /// How many data keys died with this erasure.
    pub destroyed: u64,
    /// The registered copies of the key directory.
    pub mirrors: Vec<Mirror>,
}

/// A registered copy of the key directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Mirror {
    /// Where it is, or what it is called.
    pub mirror: String,
    /// Whether it was rewritten; if not, an old key may live in it.
    pub current: bool,
}

/// The residue scan after the erasure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Scan {
    /// When.
    #[serde(with = "timestamp::required")]
    #[schemars(with = "String")]
    pub at: i64,
    /// How many identifiers were looked for.
    pub identifiers: u64,
    /// In which forms.
    pub forms: Vec<String>,
    /// How many files were read.
    pub files: u64,
    /// How many bytes.
    pub bytes: u64,
    /// How often something was found.
    pub hits: u64,
    /// How many files could not be read.
    pub unread: u64,
    /// How many forms of a canary were planted moments before.
    pub canaries_planted: u64,
    /// How many of them the scan found.
    pub canaries_found: u64,
}

/// Something no erasure of ours reaches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unreached {
    /// What.
    pub what: String,
    /// Why it can't be reached, and who could.
    pub why: String,
}

/// One audit log before and after the erasure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LogHeads {
    /// Which log.
    pub origin: String,
    /// Its signed checkpoint before.
    pub before: String,
    /// Its signed checkpoint after.
    pub after: String,
    /// The proof of RFC 6962 that the later log continues the earlier one, in hex.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub consistency: Option<Vec<String>>,
    /// The numbers of the events of this erasure in it.
    pub events: Vec<u64>,
}

impl Certificate {
    /// Signs the certificate at `now` (milliseconds UTC). It never expires: what is gone stays gone.
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
