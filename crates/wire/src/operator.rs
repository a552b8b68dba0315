//! Operator keys, which sign for a deployment.

use domain::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `POST /v1/operators`, for operators only.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewOperator {
    /// The operator's name; also the name of the key's file.
    #[schemars(length(min = 1, max = 64))]
    pub name: String,
}

/// An operator key in lists: never its secret half.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OperatorView {
    /// The public key, as a `did:key`.
    pub did: String,
    /// The operator's name.
    pub name: String,
    /// When it was added.
    pub added_at: Timestamp,
    /// When it was revoked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revoked_at: Option<Timestamp>,
}

/// One operator key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OperatorAnswer {
    /// The key.
    pub operator: OperatorView,
}

/// Every operator key, including revoked ones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OperatorList {
    /// In order of creation.
    pub operators: Vec<OperatorView>,
}
