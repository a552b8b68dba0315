//! What a model may do on a persona's behalf while it talks with someone, and people too.

use domain::{Schedule, SessionId, SubjectRef, Text};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What can be done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToolList {
    /// Each of it.
    pub tools: Vec<ToolView>,
}

/// One thing that can be done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolView {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// The JSON Schema of its arguments.
    pub parameters: Value,
    /// Whether it writes; what writes is not offered off the record.
    pub writes: bool,
}

/// `POST /v1/personas/{p}/tools/{tool}`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UseTool {
    /// On whose behalf; the owner's when absent and the key speaks for the owner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<SubjectRef>,
    /// In which conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
    /// What the tool is given; its schema says what it takes.
    #[serde(default)]
    #[schemars(extend("type" = "object"))]
    pub arguments: Value,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolAnswer {
    /// In words, as a model reads it.
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

/// Words of the one thing that is meant.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Which {
    /// Enough of its words, or its id, to tell it from the others.
    #[schemars(length(min = 1, max = 500))]
    pub which: Text,
}

/// Words for the scratch pad.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScratchWords {
    /// The words.
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

/// How far a task is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TaskStatus {
    /// Nobody has begun.
    #[default]
    Open,
    /// It is being done.
    Doing,
    /// It is done.
    Done,
}

impl TaskStatus {
    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Doing => "doing",
            Self::Done => "done",
        }
    }
}

/// A change to a task. What is absent stays.
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
    /// How far it is.
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
    /// Tells what is open and what is coming up.
    Brief,
}

impl JobType {
    /// The word for it.
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
    /// The words it does it with.
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

/// Something to keep.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RememberThis {
    /// What was said that is worth keeping, in one or a few sentences, such as `I sing in a choir.`
    #[schemars(length(min = 1, max = 1_000))]
    pub text: Text,
}

/// Something to be reminded by.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecallThis {
    /// What it is about.
    #[schemars(length(min = 1, max = 1_000))]
    pub cue: Text,
}
