//! What the tools of the MCP door take and give. Each is a narrow view of a verb of the one list of routes, in as few
//! words as a model needs to use it right at first reading.

use domain::{EventDate, Kind, MemoryId, SubjectRef, Text, Timestamp, Vividness};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::persona::Notice;

/// `recall`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecallInput {
    /// What was just said or is being talked about.
    #[schemars(length(min = 1, max = 100_000))]
    pub cue: Text,
    /// The greatest number of memories.
    #[serde(default)]
    #[schemars(range(min = 1, max = 50))]
    pub max: Option<u32>,
}

/// `search_memories`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchInput {
    /// Words to look for; meaning counts too.
    #[schemars(length(min = 1, max = 500))]
    pub query: Text,
    /// 20 if absent.
    #[serde(default)]
    #[schemars(range(min = 1, max = 100))]
    pub limit: Option<usize>,
    /// `nextCursor` of the page before.
    #[serde(default)]
    pub cursor: Option<String>,
}

/// `list_memories`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListInput {
    /// Only this kind.
    #[serde(default)]
    pub kind: Option<Kind>,
    /// Only this label.
    #[serde(default)]
    pub tag: Option<Text>,
    /// 20 if absent.
    #[serde(default)]
    #[schemars(range(min = 1, max = 100))]
    pub limit: Option<usize>,
    /// `nextCursor` of the page before.
    #[serde(default)]
    pub cursor: Option<String>,
}

/// Whom a new memory is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum About {
    /// The person who is talking.
    #[default]
    User,
    /// Nobody in particular.
    World,
}

/// `add_memory`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AddInput {
    /// One fact in one sentence, third person, with names and dates.
    #[schemars(length(min = 1, max = 280))]
    pub gist: Text,
    /// Particulars, each short; they fade first.
    #[serde(default)]
    #[schemars(length(max = 16), inner(length(min = 1, max = 200)))]
    pub details: Vec<Text>,
    /// semantic: stays true (default). episodic: happened or is planned. procedural: how something is done.
    #[serde(default)]
    pub kind: Option<Kind>,
    /// How much it matters; 0.6 if absent.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub importance: Option<f64>,
    /// Labels.
    #[serde(default)]
    #[schemars(length(max = 16), inner(length(min = 1, max = 64)))]
    pub tags: Vec<Text>,
    /// Whom it is about: `user` (default) or `world`, nobody in particular.
    #[serde(default)]
    pub about: About,
    /// True for health, faith, sexuality, politics, origin or crime; kept only with the person's consent.
    #[serde(default)]
    pub sensitive: bool,
    /// When it happened or is planned: year, month or day.
    #[serde(default)]
    pub event_date: Option<EventDate>,
}

/// `get_memory` and `forget_memory`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IdInput {
    /// `mem:` and twelve characters.
    pub id: String,
}

/// `update_memory`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdateInput {
    /// `mem:` and twelve characters.
    pub id: String,
    /// The sentence as it should be.
    #[serde(default)]
    #[schemars(length(min = 1, max = 280))]
    pub gist: Option<Text>,
    /// All particulars as they should be.
    #[serde(default)]
    #[schemars(length(max = 16), inner(length(min = 1, max = 200)))]
    pub details: Option<Vec<Text>>,
    /// How much it matters.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub importance: Option<f64>,
    /// All labels as they should be.
    #[serde(default)]
    #[schemars(length(max = 16), inner(length(min = 1, max = 64)))]
    pub tags: Option<Vec<Text>>,
}

/// Arguments of `about_me` and other tools without arguments.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NoInput {}

/// A memory in short.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Brief {
    /// The memory.
    pub id: String,
    /// The sentence that is kept whole.
    pub gist: Text,
    /// The details that are still remembered.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub details: Vec<Text>,
    /// How vividly it is remembered.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub vividness: Option<Vividness>,
    /// When it was formed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub formed: Option<Timestamp>,
    /// Its labels.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub tags: Vec<Text>,
}

/// Result of `recall`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecallOutput {
    /// The section to put into a prompt.
    pub rendered: Text,
    /// The id under which the recall can be explained.
    pub recall_id: String,
    /// What came to mind, best first.
    pub memories: Vec<Brief>,
    /// Says that memory is paused or off, and how to resume it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<Notice>,
}

/// Result of tools that list memories.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BriefPage {
    /// Best first.
    pub memories: Vec<Brief>,
    /// Where the next page starts.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub next_cursor: Option<String>,
}

/// Result of tools on one memory.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OneOutput {
    /// The memory.
    pub memory: Brief,
}

/// Result of `forget_memory`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ForgetOutput {
    /// The memory.
    pub id: MemoryId,
    /// Whether it is set aside now.
    pub forgotten: bool,
}

/// Result of `about_me`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AboutOutput {
    /// How the person is known here.
    pub subject: SubjectRef,
    /// Memories about them, strongest first.
    pub memories: Vec<Brief>,
    /// Whether there are more; `list_memories` shows them.
    pub more: bool,
    /// The privacy classes they have consented to.
    pub consents: Vec<String>,
}
