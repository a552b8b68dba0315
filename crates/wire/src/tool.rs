//! The tools that a model, or a client, may use on a persona's behalf.

use domain::{Schedule, SessionId, SubjectRef, Text};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// All tools.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToolList {
    /// The tools.
    pub tools: Vec<ToolView>,
}

/// One tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolView {
    /// Its name.
    pub name: String,
    /// Its purpose.
    pub description: String,
    /// The JSON Schema of its arguments.
    pub parameters: Value,
    /// Whether it writes; tools that write are not offered off the record.
    pub writes: bool,
}

/// `POST /v1/personas/{p}/tools/{tool}`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UseTool {
    /// The person it is used for; the owner when absent and the key speaks for the owner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<SubjectRef>,
    /// The conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
    /// The arguments, by the tool's schema.
    #[serde(default)]
    #[schemars(extend("type" = "object"))]
    pub arguments: Value,
}

/// The result of a tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolAnswer {
    /// The result as text for a model.
    pub result: Text,
}

/// No arguments.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

/// A new reminder.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AddReminder {
    /// What to remind of, in one sentence.
    #[schemars(length(min = 1, max = 500))]
    pub text: Text,
    /// When it is due: `2026-05-02` or `2026-05-02 09:00`, in the persona's time zone.
    #[serde(default)]
    #[schemars(regex(pattern = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}( [0-9]{2}:[0-9]{2})?$"))]
    pub due: Option<String>,
}

/// Selects one entry.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Which {
    /// Enough of its words, or its id, to tell it from the others.
    #[schemars(length(min = 1, max = 500))]
    pub which: Text,
}

/// Text for the scratch pad.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScratchWords {
    /// The text.
    #[schemars(length(max = 20_000))]
    pub text: Text,
}

/// A new task.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AddTask {
    /// What is to be done.
    #[schemars(length(min = 1, max = 300))]
    pub title: Text,
    /// More about it.
    #[serde(default)]
    #[schemars(length(max = 2_000))]
    pub notes: Option<Text>,
}

/// The state of a task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TaskStatus {
    /// Not started.
    #[default]
    Open,
    /// In progress.
    Doing,
    /// Done.
    Done,
}

impl TaskStatus {
    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Doing => "doing",
            Self::Done => "done",
        }
    }
}

/// A change to a task. Absent values stay.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdateTask {
    /// Enough of its title, or its id, to tell it from the others.
    #[schemars(length(min = 1, max = 500))]
    pub which: Text,
    /// What is to be done.
    #[serde(default)]
    #[schemars(length(min = 1, max = 300))]
    pub title: Option<Text>,
    /// More about it.
    #[serde(default)]
    #[schemars(length(max = 2_000))]
    pub notes: Option<Text>,
    /// Its state.
    #[serde(default)]
    pub status: Option<TaskStatus>,
}

/// What a scheduled job does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum JobType {
    /// Adds a reminder.
    Remind,
    /// Writes a note on the scratch pad.
    Note,
    /// Sends a message to the tenant's channel.
    Message,
    /// Sends what is open and what is due soon.
    Brief,
}

impl JobType {
    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Remind => "remind",
            Self::Note => "note",
            Self::Message => "message",
            Self::Brief => "brief",
        }
    }
}

/// A new scheduled job.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AddCron {
    /// When, in the persona's time zone.
    pub schedule: Schedule,
    /// What it does.
    #[serde(rename = "type")]
    pub job: JobType,
    /// The text of the reminder, note, message or brief.
    #[schemars(length(min = 1, max = 1_000))]
    pub text: Text,
}

/// What to look for in past conversations.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchTalk {
    /// Words, or what they mean.
    #[schemars(length(min = 1, max = 500))]
    pub q: Text,
}

/// Something to remember.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RememberThis {
    /// What was said that is worth remembering, in one or a few sentences, such as `I sing in a choir.`
    #[schemars(length(min = 1, max = 1_000))]
    pub text: Text,
}

/// A cue for a recall.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecallThis {
    /// What it is about.
    #[schemars(length(min = 1, max = 1_000))]
    pub cue: Text,
}
