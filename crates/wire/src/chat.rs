//! Talking with a persona: one message in, an answer out, whole or in pieces.

use domain::{RecallId, SessionId, SubjectRef, TenantName, Text, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::exchange::FormationReport;
use crate::persona::Notice;

/// `POST /chat`: answered as a stream of `start`, `token`, `done` and `error`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Chat {
    /// What is said.
    #[schemars(length(min = 1, max = 100_000))]
    pub message: Text,
    /// The tenant; the key's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<TenantName>,
    /// The persona, by name or id.
    pub persona: String,
    /// Who says it; the owner when absent and the key speaks for the owner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<SubjectRef>,
    /// The conversation it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
    /// How much of the persona's files to load, 1 to 4; 2 when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 4))]
    pub tier: Option<u8>,
    /// The role of `selfhood.toml` that answers; `chat` when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// Whether the digest of the last days is loaded, whatever the tier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub include_short: Option<bool>,
    /// Whether the digest of the last weeks is loaded, whatever the tier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub include_mid: Option<bool>,
    /// Whether the digest of everything older is loaded, whatever the tier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub include_long: Option<bool>,
    /// Leave nothing anywhere.
    #[serde(default)]
    pub off_record: bool,
    /// The exchange of this conversation that the message takes the place of: other words edit it, the same words ask
    /// for another answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 128))]
    pub instead_of: Option<String>,
}

/// The first event of a `/chat` stream.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChatStart {
    /// The conversation.
    pub session_id: SessionId,
    /// Leads to why it remembers what it does; absent off the record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recall_id: Option<RecallId>,
    /// What did not fit into the model's window.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// What people should know about the persona, such as that its memory is paused.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<Notice>,
}

/// The next words of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChatToken {
    /// They.
    pub text: Text,
}

/// The last event of a `/chat` stream that went well.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChatDone {
    /// The conversation.
    pub session_id: SessionId,
    /// The exchange, for `GET /v1/exchanges/{exchangeId}`; absent off the record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exchange_id: Option<String>,
    /// The whole answer.
    pub response: Text,
    /// Leads to why it remembers what it does; absent off the record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recall_id: Option<RecallId>,
    /// The phrase after which a person should take over, if one was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub escalation: Option<String>,
    /// What people should know about the persona, such as that its memory is paused.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<Notice>,
    /// What was remembered of what was said, and what was not kept; absent off the record.
    #[serde(flatten)]
    pub formed: Option<FormationReport>,
}

/// `POST /personas/prompt` and `/personas/prompt/stream`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Prompt {
    /// The tenant; the key's own.
    pub tenant_id: TenantName,
    /// The persona, by id or name.
    pub persona_id: String,
    /// What is said.
    #[schemars(length(min = 1, max = 100_000))]
    pub user_prompt: Text,
    /// The conversation it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
    /// Who says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<SubjectRef>,
    /// Whether to wait for the answer, or to fetch it later as a job.
    #[serde(default)]
    pub mode: PromptMode,
}

/// Whether a prompt is waited for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PromptMode {
    /// The answer comes at once.
    #[default]
    Sync,
    /// A job comes at once, the answer later.
    Async,
}

/// The answer to a prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PromptAnswer {
    /// The conversation.
    pub session_id: SessionId,
    /// The exchange, for `GET /v1/exchanges/{exchangeId}`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exchange_id: Option<String>,
    /// What was said.
    pub prompt: Text,
    /// What the persona answered.
    pub response: Text,
    /// The model that spoke, or `offline`.
    pub model_name: String,
    /// What the model read.
    pub tokens_in: u64,
    /// What it said.
    pub tokens_out: u64,
    /// How long it took.
    pub latency_ms: u64,
    /// Leads to why it remembers what it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recall_id: Option<RecallId>,
    /// The phrase after which a person should take over, if one was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub escalation: Option<String>,
    /// What people should know about the persona, such as that its memory is paused.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<Notice>,
    /// What was remembered of what was said, and what was not kept.
    #[serde(flatten)]
    pub formed: Option<FormationReport>,
}

/// The first event of `/personas/prompt/stream`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PromptReady {
    /// When it began.
    pub started_at: Timestamp,
}

/// The next words of `/personas/prompt/stream`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PromptToken {
    /// They.
    pub delta: Text,
}

/// What a prompt gives: its answer, or the job that will have it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Prompted {
    /// The answer.
    Answered(PromptAnswer),
    /// The job.
    Later(PromptJobAnswer),
}

/// A prompt that is answered later.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PromptJobAnswer {
    /// The job.
    pub job: PromptJob,
}

/// `GET /personas/prompt/jobs/{id}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PromptJob {
    /// Its name.
    pub id: String,
    /// How far it is.
    pub status: PromptJobStatus,
    /// The answer, once it is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<PromptAnswer>,
    /// Why there is none, if it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// How far a prompt is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PromptJobStatus {
    /// It is being answered.
    Running,
    /// It was answered.
    Completed,
    /// It was not.
    Failed,
}

/// The query of `GET /personas/prompt/sessions`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PromptSessions {
    /// The tenant; the key's own.
    #[serde(default)]
    pub tenant_id: Option<TenantName>,
    /// The persona, by id or name.
    pub persona_id: String,
    /// Whose conversations; the owner's when absent and the key speaks for the owner.
    #[serde(default)]
    pub subject: Option<SubjectRef>,
}
