//! Audit logs: report, verification and export.

use std::collections::BTreeMap;

use domain::{EventKind, PersonaId, PrivacyClass, TenantName, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::persona::BrokenPersona;

/// The query of `GET /v1/audit`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AuditSpan {
    /// Only events from this time on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Timestamp>,
    /// Only events before this time, and the memories and open erasures as they were then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Timestamp>,
    /// Only this persona's log, by name or id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 64))]
    pub persona: Option<String>,
}

/// Events of a period, and the state at its end. Numbers and codes only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditReport {
    /// The tenant.
    pub tenant: TenantName,
    /// The start; absent for the beginning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Timestamp>,
    /// The end.
    pub to: Timestamp,
    /// The logs behind it.
    pub logs: Vec<LogView>,
    /// How many events of each kind.
    pub events: BTreeMap<EventKind, u64>,
    /// How many creations were refused, by the code of the rule.
    pub refused: BTreeMap<String, u64>,
    /// How many memories of each privacy class there were at the end, as the log shows it: with those destroyed since.
    pub classes: BTreeMap<PrivacyClass, ClassCount>,
    /// How many memories there were at the end that were destroyed since, and whose class is no longer known because
    /// they were created before the log recorded classes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unclassified: Option<ClassCount>,
    /// How many memories were sensitive at the end, in every status.
    pub sensitive_pii: u64,
    /// Erasure requests that were open at the end, the most urgent first.
    pub open_erasures: Vec<OpenErasure>,
    /// Personas that were left out because they can't be used, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub broken: Vec<BrokenPersona>,
}

/// One log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LogView {
    /// The name in its signatures.
    pub origin: String,
    /// Its persona; absent for the deployment's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub persona: Option<PersonaId>,
    /// The persona's name, or `deployment`.
    pub name: String,
    /// How many events it has.
    pub size: u64,
    /// Its newest signed checkpoint. Stored elsewhere, it shows later whether the log was rewritten.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checkpoint: Option<String>,
}

/// How many memories of a class there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ClassCount {
    /// Active ones.
    pub active: u64,
    /// Those in cold storage.
    pub archived: u64,
    /// Those set aside or pending deletion.
    pub redacted: u64,
}

/// An open erasure request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OpenErasure {
    /// Its id.
    pub id: String,
    /// Its last event in the log.
    pub last: EventKind,
    /// When it arrived.
    pub received_at: Timestamp,
    /// By when it must be acknowledged.
    pub acknowledge_by: Timestamp,
    /// By when it must be completed.
    pub complete_by: Timestamp,
    /// Whether a deadline has passed.
    pub overdue: bool,
}

/// `POST /v1/audit/verify`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VerifyAudit {
    /// A checkpoint stored elsewhere; the log it names must continue it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 4096))]
    pub against: Option<String>,
    /// Only this persona's log, by name or id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 64))]
    pub persona: Option<String>,
}

/// The result of the verification.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AuditProof {
    /// One per log.
    pub logs: Vec<LogProof>,
}

impl AuditProof {
    /// Whether all logs are valid.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.logs.iter().all(|log| log.broken.is_none())
    }
}

/// The result for one log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LogProof {
    /// The log.
    pub origin: String,
    /// The persona's name, or `deployment`.
    pub name: String,
    /// How many events it has.
    pub events: u64,
    /// How many signed checkpoints were verified.
    pub checkpoints: u64,
    /// The root over all events, in hex.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root: Option<String>,
    /// Why it is invalid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broken: Option<String>,
}

/// The query of `GET /v1/audit/export`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExportAudit {
    /// The persona of the log, by name or id; the deployment's own log when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 64))]
    pub persona: Option<String>,
    /// The end of the previous page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<u64>,
}

/// A page of an exported log, in the lines of `docs/formats/audit.md`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditExportPage {
    /// The log.
    pub origin: String,
    /// The lines, each without its newline.
    pub lines: Vec<String>,
    /// The start of the next page, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<u64>,
}
