//! The agents that have asked for a persona's memory lately.

use domain::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `GET /v1/agents`: what this server knows of its clients, since it started and for a day.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AgentList {
    /// The one seen last first.
    pub agents: Vec<AgentView>,
}

/// One client of the Model Context Protocol.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgentView {
    /// Its name, such as `claude-code`.
    pub name: String,
    /// The version it reports.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The persona it asks for, as it names it.
    pub persona: String,
    /// Its transport.
    pub transport: AgentTransport,
    /// The revision of the protocol it uses.
    pub revision: String,
    /// Its API key; absent for a local agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// When it was first seen.
    pub since: Timestamp,
    /// When it was last seen.
    pub last_seen_at: Timestamp,
}

/// How an agent comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AgentTransport {
    /// Through `selfhood mcp`, at the machine.
    Stdio,
    /// Over HTTP.
    Http,
}
