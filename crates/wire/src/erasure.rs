//! The right to be forgotten: asking, looking at what would go, signing, carrying out, and the proof of it.

use std::collections::BTreeMap;

use domain::{Deadlines, ErasureId, ErasureStatus, PersonaId, ReasonCode, SubjectRef, Text, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// `POST /v1/erasures`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RequestErasure {
    /// Who asked to be forgotten, by any reference they are known by.
    pub subject: SubjectRef,
    /// What else they are known by: names, e-mail addresses, telephone numbers.
    #[serde(default)]
    #[schemars(length(max = 50), inner(length(min = 1, max = 256)))]
    pub identifiers: Vec<Text>,
    /// Why: a code such as `right-to-be-forgotten`. Other words are sealed in the job, never logged, and
    /// must not name the subject.
    #[schemars(length(min = 1, max = 2000))]
    pub reason: Text,
}

/// `POST /v1/erasures/{erasureId}/sign`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SignErasure {
    /// Which proposals are taken; those that can hardly mean anyone else when absent.
    #[serde(default)]
    pub take: Take,
    /// Proposals that are taken besides, by their number in the preview.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 10_000))]
    pub numbers: Vec<u32>,
    /// The manifest of the preview with an operator's `eddsa-jcs-2022` proof; without it, the
    /// deployment's own operator key signs for a caller who may.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("type" = "object"))]
    pub document: Option<Value>,
}

/// Which proposals are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Take {
    /// Those found by an e-mail address, a telephone number, or an identifier of at least six characters
    /// that was given with the request.
    #[default]
    Telling,
    /// All of them.
    All,
    /// None but those named by number.
    None,
}

/// One request to be forgotten.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ErasureAnswer {
    /// How it stands.
    pub erasure: ErasureView,
    /// What opens the subject's hash in the certificate, for whoever asked. It is kept nowhere once the
    /// erasure is done, so keep it with the certificate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("type" = "object"))]
    pub opening: Option<Value>,
}

/// How a request to be forgotten stands. It names nobody.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ErasureView {
    /// The request.
    pub id: ErasureId,
    /// How far it has come.
    pub status: ErasureStatus,
    /// Why, as a code.
    pub reason: ReasonCode,
    /// When it arrived.
    pub received_at: Timestamp,
    /// By when it has to be acknowledged.
    pub ack_due_at: Timestamp,
    /// By when it has to be carried out.
    pub due_at: Timestamp,
    /// When it was acknowledged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acknowledged_at: Option<Timestamp>,
    /// When it was carried out and verified.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completed_at: Option<Timestamp>,
    /// How pressing it is, once half of its time is over: `half`, `urgent` or `overdue`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alarm: Option<String>,
    /// How much there is.
    pub counts: ErasureCounts,
    /// What somebody should know or do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

impl ErasureView {
    /// The time there is for it.
    #[must_use]
    pub fn deadlines(&self) -> Deadlines {
        Deadlines { received_at: self.received_at, acknowledge_by: self.ack_due_at, complete_by: self.due_at }
    }
}

/// How much has to go, or went.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ErasureCounts {
    /// The subject's own records.
    pub own: u64,
    /// Matches elsewhere, of which an operator decides.
    pub proposed: u64,
    /// Proposals that were taken.
    pub taken: u64,
    /// Memories under an audit hold, which has to be lifted first.
    pub held: u64,
    /// Tombstones set, once it was carried out.
    pub tombstones: u64,
    /// What a scan of everything found afterwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub residue: Option<u64>,
    /// By Place: what goes there, or went.
    pub places: BTreeMap<String, u64>,
}

/// All requests of a tenant, oldest first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ErasureList {
    /// The requests.
    pub erasures: Vec<ErasureView>,
}

/// `GET /v1/erasures/{erasureId}/preview`: everything that would go, for the eyes of an operator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PreviewAnswer {
    /// What would go.
    pub preview: ErasurePreview,
}

/// Everything that would go.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ErasurePreview {
    /// Place by place.
    pub places: Vec<PlacePreview>,
    /// Matches outside the subject's own records.
    pub proposals: Vec<Proposal>,
    /// The document an operator signs; proposals that are not taken are removed from its `items`.
    #[schemars(extend("type" = "object"))]
    pub manifest: Value,
}

/// What would go in one Place of one persona.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlacePreview {
    /// The Place, as the register names it.
    pub place: String,
    /// The persona; absent for what belongs to the tenant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub persona: Option<String>,
    /// What happens there: `destroyed`, `rewritten` or `removed`.
    pub method: String,
    /// The subject's own records.
    pub own: u64,
    /// Proposals.
    pub proposed: u64,
}

/// A match outside the subject's own records.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Proposal {
    /// Its number in this job.
    pub number: u32,
    /// The Place.
    pub place: String,
    /// The persona it belongs to.
    pub persona: String,
    /// The persona's id.
    pub persona_id: PersonaId,
    /// What it is: a memory's or entry's id, a document's name.
    pub what: String,
    /// What happens to it.
    pub method: String,
    /// The words around the match.
    pub excerpt: Text,
    /// Whether the match can hardly mean anyone else.
    pub telling: bool,
}

/// `GET /v1/erasures/{erasureId}/certificate`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CertificateAnswer {
    /// The signed certificate; `selfhood verify` checks it anywhere.
    #[schemars(extend("type" = "object"))]
    pub certificate: Value,
}
