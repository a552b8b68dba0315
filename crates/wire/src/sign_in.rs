//! Browser sign-in: a one-time link, or a key, in exchange for a cookie.

use domain::{TenantName, Text, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::key::{KeyScope, Speaks};

/// `POST /v1/sign-in-links`: a sign-in link for a browser.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignInLink {
    /// The URL. The secret is after the `#`, so no server, proxy or log gets to see it.
    pub url: String,
    /// When it expires.
    pub expires_at: Timestamp,
}

/// `POST /v1/sign-in`: a link or a key.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SignIn {
    /// The part after the `#` of a link; it works once.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 200))]
    pub link: Option<Text>,
    /// An API key; the browser stores a cookie and never the key.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 200))]
    pub key: Option<Text>,
}

/// `GET /v1/me`: the caller and their rights.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Me {
    /// The tenant.
    pub tenant: TenantName,
    /// Their scopes.
    pub scopes: Vec<KeyScope>,
    /// For whom they speak.
    pub speaks: Speaks,
    /// Their name in the audit log.
    pub actor: String,
    /// The version of the server.
    pub version: String,
}
