//! Making, seeing, changing and deleting a persona.

use domain::{PersonaDocument, PersonaId, PersonaName, Seed, Template, TenantName, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `POST /personas`: makes a persona from a few facts.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreatePersona {
    /// Whom it belongs to; the key's own tenant.
    pub tenant_id: TenantName,
    /// The facts.
    pub seed: Seed,
    /// How it remembers: `assistant`, `companion`, `hospitality` or `character`; written out in its document.
    #[serde(default)]
    pub template: Template,
}

/// `POST /setup/persona`: makes a persona's folder from templates.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SetUpPersona {
    /// The name of its folder.
    pub name: PersonaName,
    /// What people call it; its name with a capital letter if absent.
    #[serde(default)]
    #[schemars(length(min = 1, max = 200))]
    pub display_name: Option<String>,
    /// A sign to know it by.
    #[serde(default)]
    #[schemars(length(min = 1, max = 16))]
    pub emoji: Option<String>,
    /// Who it is, in a few words.
    #[serde(default)]
    #[schemars(length(min = 1, max = 2000))]
    pub description: Option<String>,
    /// What it says when a conversation begins.
    #[serde(default)]
    #[schemars(length(max = 4000))]
    pub greeting: Option<String>,
    /// A small picture of it: a `data:` URL of a PNG, JPEG or WebP.
    #[serde(default)]
    #[schemars(length(max = 65536))]
    pub picture: Option<String>,
    /// How it remembers: `assistant`, `companion`, `hospitality` or `character`; written out in its document.
    #[serde(default)]
    pub template: Template,
}

/// `PATCH /personas/{id}`: changes what is given, and signs the document anew.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct UpdatePersona {
    /// Whom it belongs to; checked, never changed.
    pub tenant_id: Option<TenantName>,
    /// The facts it is described by.
    pub seed: Option<Seed>,
    /// What people call it.
    #[schemars(length(min = 1, max = 200))]
    pub display_name: Option<String>,
    /// Its IANA time zone.
    pub timezone: Option<String>,
    /// The language it remembers in.
    pub language: Option<String>,
    /// What it may remember, as a whole. Needs the scope `admin`, and `erase` where anything would be kept for a shorter time.
    pub memory_policy: Option<domain::MemoryPolicy>,
    /// The rules of the trade it works in. Needs the scope `admin`.
    pub compliance_profiles: Option<Vec<domain::ComplianceProfile>>,
    /// How strict it must be. Needs the scope `admin`.
    pub safety_tier: Option<domain::SafetyTier>,
    /// An emoji or two to know it by; empty removes it.
    #[schemars(length(max = 16))]
    pub emoji: Option<String>,
    /// What it says when a conversation begins; empty removes it.
    #[schemars(length(max = 4000))]
    pub greeting: Option<String>,
    /// A small picture of it: a `data:` URL of a PNG, JPEG or WebP; empty removes it.
    #[schemars(length(max = 65536))]
    pub picture: Option<String>,
}

/// The query of routes that name the tenant there.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct OfTenant {
    /// Whom the persona belongs to; the key's own tenant.
    pub tenant_id: Option<TenantName>,
}

/// A persona as the doors show it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PersonaView {
    /// Stays the same when it is renamed.
    pub id: PersonaId,
    /// Whom it belongs to.
    pub tenant_id: TenantName,
    /// The name of its folder.
    pub name: PersonaName,
    /// What people call it.
    pub display_name: String,
    /// The facts it was made from, if it was.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub seed: Option<Seed>,
    /// It in one sentence.
    pub summary: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When its document last changed.
    pub updated_at: Timestamp,
    /// Whether it remembers now, and if not, why.
    pub memory: MemoryState,
    /// An emoji or two to know it by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub emoji: Option<String>,
    /// What it says when a conversation begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub greeting: Option<String>,
    /// A small picture of it, as a `data:` URL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<String>,
}

/// Whether a persona remembers now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MemoryState {
    /// It does.
    On,
    /// Its policy says no.
    Off,
    /// Its document was edited since it was signed; `selfhood persona sign` resumes.
    Paused,
}

/// One persona.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PersonaAnswer {
    /// The persona.
    pub persona: PersonaView,
}

/// All personas of a tenant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PersonaList {
    /// By name.
    pub personas: Vec<PersonaView>,
}

/// A persona's whole document, with the counts people ask for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PersonaDetails {
    /// As the list shows it.
    pub persona: PersonaView,
    /// `persona.json`.
    pub document: PersonaDocument,
    /// Atoms that may be told.
    pub active_memories: usize,
    /// Atoms in every status.
    pub all_memories: usize,
    /// Entries of its life that stand.
    pub timeline_entries: usize,
}
