//! Talking with a persona: one message, and an answer, whole or streamed.

use domain::{RecallId, SessionId, SubjectRef, TenantName, Text, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::exchange::FormationReport;
use crate::persona::Notice;

/// `POST /chat`: answered as a stream of `start`, `token`, `done` and `error`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Chat {
    /// The message.
    #[schemars(length(min = 1, max = 100_000))]
    pub message: Text,
    /// The tenant; must be the key's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<TenantName>,
    /// The persona, by name or id.
    pub persona: String,
    /// The speaker; the owner when absent and the key speaks for the owner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<SubjectRef>,
    /// The conversation it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
    /// The tier of persona files to load, 1 to 4; 2 when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 4))]
    pub tier: Option<u8>,
    /// The role in `selfhood.toml` that answers; `chat` when absent.
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
    /// Store nothing anywhere.
    #[serde(default)]
    pub off_record: bool,
    /// The exchange of this conversation that the message replaces: another text edits it, the same text asks
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
    /// The id of the recall, for its explanation; absent off the record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recall_id: Option<RecallId>,
    /// What did not fit into the model's window.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// The persona's files among them, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out_files: Vec<String>,
    /// How many older turns are among them.
    #[serde(default, skip_serializing_if = "is_none")]
    pub left_out_turns: usize,
    /// Notices about the persona, for example that its memory is paused.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<Notice>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature is serde's")]
const fn is_none(count: &usize) -> bool {
    *count == 0
}

/// The next piece of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChatToken {
    /// The text.
    pub text: Text,
}

/// The last event of a successful `/chat` stream.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChatDone {
    /// The conversation.
    pub session_id: SessionId,
    /// The exchange, for `GET /v1/exchanges/{exchangeId}`; absent off the record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exchange_id: Option<String>,
    /// The whole answer.
    pub response: Text,
    /// The id of the recall, for its explanation; absent off the record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recall_id: Option<RecallId>,
    /// The phrase of the message that asks for a person to take over, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub escalation: Option<String>,
    /// Notices about the persona, for example that its memory is paused.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<Notice>,
    /// The model that answered; `offline` is the built-in voice, without a model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// What was learnt from the exchange, and what was not stored; absent off the record.
    #[serde(flatten)]
    pub formed: Option<FormationReport>,
}

/// `POST /personas/prompt` and `/personas/prompt/stream`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Prompt {
    /// The tenant; must be the key's own.
    pub tenant_id: TenantName,
    /// The persona, by id or name.
    pub persona_id: String,
    /// The message.
    #[schemars(length(min = 1, max = 100_000))]
    pub user_prompt: Text,
    /// The conversation it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
    /// The speaker.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<SubjectRef>,
    /// Whether to wait for the answer, or to fetch it later as a job.
    #[serde(default)]
    pub mode: PromptMode,
}

/// Whether the request waits for the answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PromptMode {
    /// The answer is returned at once.
    #[default]
    Sync,
    /// A job is returned at once, the answer later.
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
    /// The message.
    pub prompt: Text,
    /// The answer.
    pub response: Text,
    /// The model that answered, or `offline`.
    pub model_name: String,
    /// Input tokens.
    pub tokens_in: u64,
    /// Output tokens.
    pub tokens_out: u64,
    /// The duration.
    pub latency_ms: u64,
    /// The id of the recall, for its explanation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recall_id: Option<RecallId>,
    /// The phrase of the message that asks for a person to take over, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub escalation: Option<String>,
    /// Notices about the persona, for example that its memory is paused.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<Notice>,
    /// What was learnt from the exchange, and what was not stored.
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

/// The next piece of `/personas/prompt/stream`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PromptToken {
    /// The text.
    pub delta: Text,
}

/// The answer to a prompt, or its job.
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
    /// Its id.
    pub id: String,
    /// Its state.
    pub status: PromptJobStatus,
    /// The answer, once it exists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<PromptAnswer>,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// The state of a prompt job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PromptJobStatus {
    /// In progress.
    Running,
    /// Answered.
    Completed,
    /// Failed.
    Failed,
}

/// The query of `GET /personas/prompt/sessions`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PromptSessions {
    /// The tenant; must be the key's own.
    #[serde(default)]
    pub tenant_id: Option<TenantName>,
    /// The persona, by id or name.
    pub persona_id: String,
    /// Whose conversations; the owner's when absent and the key speaks for the owner.
    #[serde(default)]
    pub subject: Option<SubjectRef>,
}
