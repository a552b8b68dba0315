//! The tenant's safety policy.

use domain::TenantName;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `PUT /personas/safety-policy`: replaces the policy. What is left out is unrestricted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct PutSafetyPolicy {
    /// The tenant; must be the key's own.
    pub tenant_id: Option<TenantName>,
    /// The policy.
    #[serde(flatten)]
    pub policy: SafetyPolicy,
}

/// What may not be said, to a persona or by it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SafetyPolicy {
    /// Words and phrases that neither side may use.
    #[schemars(length(max = 1000), inner(length(min = 1, max = 200)))]
    pub blocked_terms: Vec<String>,
    /// Whether e-mail addresses, telephone, card and account numbers are allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allow_pii: Option<bool>,
    /// Phrases of attempts to override a persona's rules.
    #[schemars(length(max = 1000), inner(length(min = 1, max = 200)))]
    pub prompt_guards: Vec<String>,
    /// Phrases after which a person should take over.
    #[schemars(length(max = 1000), inner(length(min = 1, max = 200)))]
    pub escalation_keywords: Vec<String>,
}

/// The current policy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SafetyPolicyAnswer {
    /// The policy with its tenant.
    pub policy_pack: PolicyPack,
}

/// A tenant's policy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PolicyPack {
    /// The tenant.
    pub tenant_id: TenantName,
    /// The policy.
    #[serde(flatten)]
    pub policy: SafetyPolicy,
}
