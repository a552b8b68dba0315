//! Coming in with a browser: a link that works once, or a key, becomes a cookie.

use domain::{TenantName, Text, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::key::{KeyScope, Speaks};

/// `POST /v1/sign-in-links`: a way in for a person with a browser.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignInLink {
    /// What to open. The secret stands behind the `#`, so no server, proxy or log gets to see it.
    pub url: String,
    /// When it stops working, if nobody used it.
    pub expires_at: Timestamp,
}

/// `POST /v1/sign-in`: one of the two.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SignIn {
    /// What stands behind the `#` of a link; it works once.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 200))]
    pub link: Option<Text>,
    /// An API key; the browser keeps a cookie and never the key.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 200))]
    pub key: Option<Text>,
}

/// `GET /v1/me`: who is asking, and what they may do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Me {
    /// In whose realm.
    pub tenant: TenantName,
    /// What they may do.
    pub scopes: Vec<KeyScope>,
    /// Whom they speak for.
    pub speaks: Speaks,
    /// The name the audit log knows them by.
    pub actor: String,
    /// The version of the server.
    pub version: String,
}
