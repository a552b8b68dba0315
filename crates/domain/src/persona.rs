//! The persona document: who a persona is, and the policy for its memory.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Atom, ConfabulationPolicy, DeploymentDid, Extensions, MemoryPolicy, PersonaId, PersonaName, TenantName,
    Text, Timestamp, Tokens,
};

/// The content of `persona.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "Persona document")]
#[schemars(extend("additionalProperties" = false, "patternProperties" = {"^x-": true}))]
pub struct PersonaDocument {
    /// Who the persona is.
    pub identity: Identity,
    /// Its runtime bindings.
    #[serde(default)]
    pub bindings: Bindings,
    /// 0 to 3, 3 the strictest.
    #[serde(default)]
    pub safety_tier: SafetyTier,
    /// The compliance rules of its profession.
    #[serde(default)]
    pub compliance_profiles: Vec<ComplianceProfile>,
    /// The policy for its memory.
    #[serde(default)]
    pub memory_policy: MemoryPolicy,
    /// Its atoms; filled only in exports.
    #[serde(default)]
    pub memory: Vec<Atom>,
    /// An operator's signature over everything but `memory`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<DocumentSignature>,
    /// Extension properties, preserved unchanged; their names start with `x-`.
    #[serde(flatten)]
    #[schemars(skip)]
    pub extensions: Extensions,
}

/// Who the persona is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Identity {
    /// Stays the same when the persona is renamed.
    pub id: PersonaId,
    /// The tenant it belongs to.
    pub tenant: TenantName,
    /// The name of its folder.
    pub name: PersonaName,
    /// Its display name.
    #[schemars(length(min = 1, max = 200))]
    pub display_name: String,
    /// The version of the schema.
    pub version: SchemaVersion,
    /// When it was created.
    pub created_at: Timestamp,
    /// The deployment its memories are formed in.
    pub deployment_did: DeploymentDid,
    /// The IANA time zone of its days, prompts and schedules.
    #[serde(default = "Identity::default_timezone")]
    pub timezone: String,
    /// The language of its memories.
    #[serde(default = "Identity::default_language")]
    pub language: String,
    /// The facts it was created from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<Seed>,
}

impl Identity {
    fn default_timezone() -> String {
        "UTC".to_owned()
    }

    fn default_language() -> String {
        "en".to_owned()
    }
}

/// The schema version; there is only one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum SchemaVersion {
    /// The baseline.
    #[default]
    #[serde(rename = "v.01")]
    V01,
}

/// The few facts a persona can be created from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Seed {
    /// Given name.
    #[schemars(length(min = 1, max = 100))]
    pub first_name: String,
    /// Family name.
    #[schemars(length(min = 1, max = 100))]
    pub last_name: String,
    /// In years.
    #[schemars(range(min = 0, max = 120))]
    pub age: u8,
    /// Its location.
    #[schemars(length(min = 1, max = 200))]
    pub location: String,
    /// Its occupation.
    #[schemars(length(min = 1, max = 200))]
    pub base_occupation: String,
}

impl Seed {
    /// The persona in one sentence.
    #[must_use]
    pub fn summary(&self) -> String {
        let Self { first_name, last_name, age, location, base_occupation } = self;
        format!("{first_name} {last_name}, {age}, based in {location}, works as {base_occupation}.")
    }
}

/// The runtime bindings of a persona.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Bindings {
    /// Settings for its prompts.
    pub runtime_config: RuntimeConfig,
}

/// Settings for a persona's prompts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct RuntimeConfig {
    /// The size of a prompt.
    #[schemars(range(min = 256))]
    pub context_window_tokens: Tokens,
    /// Its preferred model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The topic of its memories, used in the heading of the prompt's memory section.
    #[schemars(length(min = 1, max = 200))]
    pub remembers_about: Text,
}

impl Default for RuntimeConfig {
    fn default() -> Self {
        Self {
            context_window_tokens: Tokens(8192),
            model: None,
            remembers_about: Text::new("about this guest, this property, your work"),
        }
    }
}

/// How strict the persona must be: 0 to 3, 3 the strictest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "u8", into = "u8")]
#[schemars(extend("maximum" = 3))]
pub struct SafetyTier(u8);

impl SafetyTier {
    /// The tier with this number, if it exists.
    #[must_use]
    pub fn new(tier: u8) -> Option<Self> {
        (tier <= 3).then_some(Self(tier))
    }

    /// Whether sensitive memories may be stored at all.
    #[must_use]
    pub const fn permits_sensitive(self) -> bool {
        self.0 <= 1
    }
}

impl Default for SafetyTier {
    fn default() -> Self {
        Self(2)
    }
}

impl TryFrom<u8> for SafetyTier {
    type Error = &'static str;

    fn try_from(tier: u8) -> Result<Self, Self::Error> {
        Self::new(tier).ok_or("a safety tier is 0, 1, 2 or 3")
    }
}

impl From<SafetyTier> for u8 {
    fn from(tier: SafetyTier) -> Self {
        tier.0
    }
}

/// The compliance rules of a profession.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "each is the plain name of its trade or law")]
pub enum ComplianceProfile {
    Gdpr,
    Hipaa,
    Pci,
    Healthcare,
    FinancialServices,
    Hospitality,
    Entertainment,
    Companion,
    Research,
}

impl ComplianceProfile {
    /// Whether the profile permits sensitive memories of people who consented.
    #[must_use]
    pub const fn permits_sensitive(self) -> bool {
        matches!(self, Self::Healthcare | Self::Hipaa | Self::Research)
    }

    /// Whether the profile forbids filling gaps in memory.
    #[must_use]
    pub const fn demands_strictness(self) -> bool {
        matches!(self, Self::Healthcare | Self::Hipaa | Self::FinancialServices | Self::Pci)
    }

    const fn permits_moderate(self) -> bool {
        matches!(self, Self::Hospitality | Self::Entertainment | Self::Companion | Self::Research)
    }
}

/// Whether a persona with these `profiles` may fill gaps in its memory to this degree.
#[must_use]
pub fn may_confabulate(policy: ConfabulationPolicy, profiles: &[ComplianceProfile]) -> bool {
    let forbidden = profiles.iter().any(|profile| profile.demands_strictness());
    match policy {
        ConfabulationPolicy::Strict => true,
        ConfabulationPolicy::Moderate => {
            !forbidden && profiles.iter().any(|profile| profile.permits_moderate())
        }
        ConfabulationPolicy::Permissive => !forbidden && profiles.contains(&ComplianceProfile::Entertainment),
    }
}

/// An operator's signature of a persona document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DocumentSignature {
    /// Always `ed25519`.
    pub algorithm: String,
    /// The operator's `did:key`.
    pub signer: String,
    /// `sha256:` and the hash of the signed content.
    pub content_hash: String,
    /// The signature, base64url without padding.
    pub value: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_may_be_filled_only_where_the_trade_allows_it() {
        use ComplianceProfile::{Companion, Entertainment, Gdpr, Healthcare, Hospitality, Pci};
        use ConfabulationPolicy::{Moderate, Permissive, Strict};
        for (policy, profiles, may) in [
            (Strict, vec![], true),
            (Strict, vec![Healthcare], true),
            (Moderate, vec![], false),
            (Moderate, vec![Gdpr], false),
            (Moderate, vec![Hospitality], true),
            (Moderate, vec![Hospitality, Pci], false),
            (Permissive, vec![Companion], false),
            (Permissive, vec![Entertainment], true),
            (Permissive, vec![Entertainment, Healthcare], false),
        ] {
            assert_eq!(may_confabulate(policy, &profiles), may, "{policy:?} under {profiles:?}");
        }
    }

    #[test]
    fn a_seed_sums_itself_up_in_one_sentence() {
        let seed = Seed {
            first_name: "Maya".into(),
            last_name: "Chen".into(),
            age: 34,
            location: "Lisbon".into(),
            base_occupation: "product designer".into(),
        };
        assert_eq!(seed.summary(), "Maya Chen, 34, based in Lisbon, works as product designer.");
    }
}
