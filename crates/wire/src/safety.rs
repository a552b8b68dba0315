//! What a tenant forbids its personas.

use domain::TenantName;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `PUT /personas/safety-policy`: takes the place of the policy before it. What is left out is unrestricted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct PutSafetyPolicy {
    /// Whose policy it is; the key's own tenant.
    pub tenant_id: Option<TenantName>,
    /// What it says.
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
    /// Whether e-mail addresses, telephone, card and account numbers may pass.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allow_pii: Option<bool>,
    /// Phrases by which people try to talk a persona out of its rules.
    #[schemars(length(max = 1000), inner(length(min = 1, max = 200)))]
    pub prompt_guards: Vec<String>,
    /// Phrases after which a person should take over.
    #[schemars(length(max = 1000), inner(length(min = 1, max = 200)))]
    pub escalation_keywords: Vec<String>,
}

/// The policy as it now stands.
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
    /// Whose it is.
    pub tenant_id: TenantName,
    /// What it says.
    #[serde(flatten)]
    pub policy: SafetyPolicy,
}
