//! Model servers on the machine itself: offered, and never used without being configured.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `GET /v1/local-models`: the chat model, and the available ones.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LocalModels {
    /// The chat model, by its name on its server. Absent if personas answer from memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answering: Option<String>,
    /// The servers found. Absent when there was no search: a model is configured already, or several tenants
    /// share the machine; then only the operator gets an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub servers: Option<Vec<FoundServer>>,
}

/// A model server on this machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundServer {
    /// Its probable product, by its port.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its URL.
    pub base_url: String,
    /// Its models, the offered one first.
    pub models: Vec<String>,
    /// The lines for `selfhood.toml` that configure its first model.
    pub lines: String,
}
