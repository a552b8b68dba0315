//! API keys and their rights.

use domain::{PersonaName, SubjectRef, TenantName, Text, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use domain::{KeyScope, Speaks};

/// `POST /v1/keys`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewKey {
    /// Its scopes; `read` and `write` when absent. Others only if the creating key has them.
    #[serde(default = "NewKey::default_scopes")]
    #[schemars(length(min = 1))]
    pub scopes: Vec<KeyScope>,
    /// Whom it speaks for; `owner` only if the creating key does, or for operators.
    #[serde(default)]
    pub speaks: Speaks,
    /// When it expires.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// The only persona it has access to, by name or id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub persona: Option<String>,
    /// The only person it speaks for; for clients that send no name. `owner` makes a key that speaks for the
    /// owner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<SubjectRef>,
    /// Its label.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 80))]
    pub label: Option<Text>,
}

impl NewKey {
    fn default_scopes() -> Vec<KeyScope> {
        vec![KeyScope::Read, KeyScope::Write]
    }
}

/// A key in lists: never its secret.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct KeyView {
    /// The public id.
    pub id: String,
    /// Its tenant.
    pub tenant_id: TenantName,
    /// Its scopes.
    pub scopes: Vec<KeyScope>,
    /// Whom it speaks for.
    pub speaks: Speaks,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it expires.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// When it was revoked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revoked_at: Option<Timestamp>,
    /// The only persona it has access to, if it is bound to one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub persona: Option<PersonaName>,
    /// The only person it speaks for, if it is bound to one who has not been forgotten.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<SubjectRef>,
    /// Its label.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<Text>,
}

/// A new key, with its secret for the only time.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
pub struct NewKeyAnswer {
    /// Its entry in lists.
    pub key: KeyView,
    /// The whole key. It is shown once: a repeated request gets the key without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
}

/// One key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct KeyAnswer {
    /// The key.
    pub key: KeyView,
}

/// All keys of a tenant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct KeyList {
    /// Oldest first.
    pub keys: Vec<KeyView>,
}
