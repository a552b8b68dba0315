//! Operator keys: who signs for a deployment.

use domain::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `POST /v1/operators`, for whoever sits at the machine.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewOperator {
    /// What people call the operator; also the name of the key's file.
    #[schemars(length(min = 1, max = 64))]
    pub name: String,
}

/// An operator key as lists show it: never its secret half.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OperatorView {
    /// The public key, as a `did:key`.
    pub did: String,
    /// What people call the operator.
    pub name: String,
    /// Since when the key counts.
    pub added_at: Timestamp,
    /// Since when it no longer does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revoked_at: Option<Timestamp>,
}

/// One operator key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OperatorAnswer {
    /// The key.
    pub operator: OperatorView,
}

/// Every operator key, revoked ones too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OperatorList {
    /// In the order they were made.
    pub operators: Vec<OperatorView>,
}
