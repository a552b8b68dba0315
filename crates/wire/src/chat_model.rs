//! The model that answers in talk: which one it is, and connecting another without a restart.

use domain::Text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::local_model::FoundServer;

/// `GET /v1/chat-model`: the model that answers in talk, and the ones that could.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChatModel {
    /// The model that answers. Absent, personas answer from what they remember.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<AnsweringModel>,
    /// Whether the caller may connect another one: only a key with `admin` that speaks for the owner may.
    pub may_connect: bool,
    /// The model servers that were found on this machine. Absent when none was looked for: several tenants share the
    /// machine, and its servers are only listed for the operator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub servers: Option<Vec<FoundServer>>,
    /// The providers that can be connected with an API key.
    pub providers: Vec<ModelProvider>,
}

/// A model that answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AnsweringModel {
    /// The name its server gives it.
    pub name: String,
    /// Who decided that it answers.
    pub origin: ModelOrigin,
    /// Where it answers; absent for a model of the configuration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    /// Whether an API key is stored with it. The key itself is never shown.
    pub has_api_key: bool,
    /// Why it can't be used at present, if that is known: a key that no longer opens, an address no longer permitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unusable: Option<String>,
}

/// Who decided that a model answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ModelOrigin {
    /// The operator, in `selfhood.toml`.
    Configuration,
    /// The tenant's owner, by connecting it.
    Connected,
}

/// A provider with a known address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModelProvider {
    /// Its short name.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// Where it answers.
    pub base_url: String,
}

/// `POST /v1/chat-model/models`: asks a server for its models.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListModels {
    /// The address of a provider, or of a server that was found on this machine.
    #[schemars(length(min = 1, max = 300))]
    pub base_url: String,
    /// The API key. Absent, the one stored for this address is used, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 1000))]
    pub api_key: Option<Text>,
}

/// The models of a server, those that can talk first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ListedModels {
    /// Their names.
    pub models: Vec<String>,
}

/// `PUT /v1/chat-model`: has a model answer from now on, also after a restart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ConnectModel {
    /// The address of a provider, or of a server that was found on this machine.
    #[schemars(length(min = 1, max = 300))]
    pub base_url: String,
    /// The model, as its server calls it.
    #[schemars(length(min = 1, max = 128))]
    pub model: String,
    /// The API key, if the server wants one. It is stored sealed and never shown again. Absent, the one stored for this
    /// address is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 1000))]
    pub api_key: Option<Text>,
}
