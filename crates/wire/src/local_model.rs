//! Model servers on the machine itself: found, offered, and never used unasked.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `GET /v1/local-models`: who answers in talk, and who could.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LocalModels {
    /// The model that answers in talk, as its server calls it. Absent, personas answer from what they
    /// remember.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answering: Option<String>,
    /// The servers that were found. Absent when none was looked for: a model answers already, or several
    /// tenants share the machine, and what runs on it is then told only to whoever is at it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub servers: Option<Vec<FoundServer>>,
}

/// A model server on this machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundServer {
    /// What it probably is, by its port.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Where it answers.
    pub base_url: String,
    /// The models it has, the one that is offered first.
    pub models: Vec<String>,
    /// The lines for `selfhood.toml` that have its first model answer.
    pub lines: String,
}
