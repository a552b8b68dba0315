//! The right to be forgotten: request, preview, signature, execution, and certificate.

use std::collections::BTreeMap;

use domain::{Deadlines, ErasureId, ErasureStatus, PersonaId, ReasonCode, SubjectRef, Text, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::note::Note;

/// `POST /v1/erasures`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RequestErasure {
    /// The person to forget, by any of their references.
    pub subject: SubjectRef,
    /// Other identifiers: names, e-mail addresses, telephone numbers.
    #[serde(default)]
    #[schemars(length(max = 50), inner(length(min = 1, max = 256)))]
    pub identifiers: Vec<Text>,
    /// The reason, as a code such as `right-to-be-forgotten`. Any other text is sealed in the job, never
    /// logged, and must not name the subject.
    #[schemars(length(min = 1, max = 2000))]
    pub reason: Text,
}

/// `POST /v1/erasures/{erasureId}/sign`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SignErasure {
    /// Which proposals are accepted; those with a distinctive match when absent.
    #[serde(default)]
    pub take: Take,
    /// Further accepted proposals, by their number in the preview.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 10_000))]
    pub numbers: Vec<u32>,
    /// The manifest of the preview with an operator's `eddsa-jcs-2022` proof; without it, the deployment's
    /// own operator key signs for an authorised caller.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("type" = "object"))]
    pub document: Option<Value>,
}

/// Which proposals are accepted.
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

/// One erasure request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ErasureAnswer {
    /// Its state.
    pub erasure: ErasureView,
    /// What opens the subject's hash in the certificate, for the requester. It is not stored after the
    /// erasure, so keep it with the certificate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("type" = "object"))]
    pub opening: Option<Value>,
}

/// The state of an erasure request. It names nobody.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ErasureView {
    /// Its id.
    pub id: ErasureId,
    /// Its status.
    pub status: ErasureStatus,
    /// The reason, as a code.
    pub reason: ReasonCode,
    /// When it arrived.
    pub received_at: Timestamp,
    /// By when it must be acknowledged.
    pub ack_due_at: Timestamp,
    /// By when it must be executed.
    pub due_at: Timestamp,
    /// When it was acknowledged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acknowledged_at: Option<Timestamp>,
    /// When it was executed and verified.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completed_at: Option<Timestamp>,
    /// Its urgency, once half of its time is over: `half`, `urgent` or `overdue`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alarm: Option<String>,
    /// The number of records.
    pub counts: ErasureCounts,
    /// Warnings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The same warnings with codes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
}

impl ErasureView {
    /// Its deadlines.
    #[must_use]
    pub fn deadlines(&self) -> Deadlines {
        Deadlines { received_at: self.received_at, acknowledge_by: self.ack_due_at, complete_by: self.due_at }
    }
}

/// How many records have to be destroyed, or were.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ErasureCounts {
    /// The subject's own records.
    pub own: u64,
    /// Matches elsewhere, which an operator decides.
    pub proposed: u64,
    /// Accepted proposals.
    pub taken: u64,
    /// Memories under a legal hold, which has to be lifted first.
    pub held: u64,
    /// Tombstones, after the execution.
    pub tombstones: u64,
    /// The findings of the residue scan afterwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub residue: Option<u64>,
    /// The records by place.
    pub places: BTreeMap<String, u64>,
}

/// All requests of a tenant, oldest first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ErasureList {
    /// The requests.
    pub erasures: Vec<ErasureView>,
}

/// `GET /v1/erasures/{erasureId}/preview`: everything that would be destroyed, for an operator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PreviewAnswer {
    /// What would be destroyed.
    pub preview: ErasurePreview,
}

/// Everything that would be destroyed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ErasurePreview {
    /// By place.
    pub places: Vec<PlacePreview>,
    /// Matches outside the subject's own records.
    pub proposals: Vec<Proposal>,
    /// The document an operator signs; remove rejected proposals from its `items`.
    #[schemars(extend("type" = "object"))]
    pub manifest: Value,
}

/// What would be destroyed in one place of one persona.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlacePreview {
    /// The place, as registered.
    pub place: String,
    /// The persona; absent for the tenant's own data.
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
    /// The place.
    pub place: String,
    /// Its persona.
    pub persona: String,
    /// The persona's id.
    pub persona_id: PersonaId,
    /// The item: the id of a memory or entry, the name of a document.
    pub what: String,
    /// What happens to it.
    pub method: String,
    /// The text around the match.
    pub excerpt: Text,
    /// Whether the match is distinctive.
    pub telling: bool,
}

/// `GET /v1/erasures/{erasureId}/certificate`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CertificateAnswer {
    /// The signed certificate; `selfhood verify` checks it anywhere.
    #[schemars(extend("type" = "object"))]
    pub certificate: Value,
}
