//! Creating, showing, updating and deleting personas.

use domain::{PersonaDocument, PersonaId, PersonaName, Seed, Template, TenantName, Timestamp};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Problem;
use crate::change::Change;

/// `POST /personas`: creates a persona from a few facts.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreatePersona {
    /// The tenant; must be the key's own.
    pub tenant_id: TenantName,
    /// The facts.
    pub seed: Seed,
    /// The memory template: `assistant`, `companion`, `hospitality` or `character`; written out in its
    /// document.
    #[serde(default)]
    pub template: Template,
}

/// `POST /setup/persona`: creates a persona's folder from templates.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SetUpPersona {
    /// The name of its folder.
    pub name: PersonaName,
    /// Its display name; its name with a capital letter when absent.
    #[serde(default)]
    #[schemars(length(min = 1, max = 200))]
    pub display_name: Option<String>,
    /// Its emoji.
    #[serde(default)]
    #[schemars(length(min = 1, max = 16))]
    pub emoji: Option<String>,
    /// A short description.
    #[serde(default)]
    #[schemars(length(min = 1, max = 2000))]
    pub description: Option<String>,
    /// Its greeting at the start of a conversation.
    #[serde(default)]
    #[schemars(length(max = 4000))]
    pub greeting: Option<String>,
    /// A small picture of it: a `data:` URL of a PNG, JPEG or WebP.
    #[serde(default)]
    #[schemars(length(max = 65536))]
    pub picture: Option<String>,
    /// The memory template: `assistant`, `companion`, `hospitality` or `character`; written out in its
    /// document.
    #[serde(default)]
    pub template: Template,
}

/// `PATCH /personas/{id}`: changes the given values, and signs the document again.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct UpdatePersona {
    /// The tenant; checked, never changed.
    #[schemars(with = "TenantName")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tenant_id: Option<TenantName>,
    /// The facts it is described by; absent ones stay, `null` removes them all.
    #[serde(skip_serializing_if = "Change::is_keep")]
    pub seed: Change<SeedPatch>,
    /// Its display name. Like everything that a persona always has, it can't be removed with `null`.
    #[schemars(with = "String", length(min = 1, max = 200))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// Its IANA time zone.
    #[schemars(with = "String")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timezone: Option<String>,
    /// The language it remembers in.
    #[schemars(with = "String")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Its memory policy (RFC 7396): absent values stay, `null` removes an optional key. Needs the scope
    /// `admin`, and `erase` if anything would be kept for a shorter time.
    #[schemars(schema_with = "policy_patch")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_policy: Option<Value>,
    /// Its compliance profiles. Needs the scope `admin`.
    #[schemars(with = "Vec<domain::ComplianceProfile>")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compliance_profiles: Option<Vec<domain::ComplianceProfile>>,
    /// Its safety tier. Needs the scope `admin`.
    #[schemars(with = "domain::SafetyTier")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub safety_tier: Option<domain::SafetyTier>,
    /// Its emoji; empty or `null` removes it.
    #[serde(skip_serializing_if = "Change::is_keep")]
    #[schemars(length(max = 16))]
    pub emoji: Change<String>,
    /// Its greeting at the start of a conversation; empty or `null` removes it.
    #[serde(skip_serializing_if = "Change::is_keep")]
    #[schemars(length(max = 4000))]
    pub greeting: Change<String>,
    /// A small picture of it: a `data:` URL of a PNG, JPEG or WebP; empty or `null` removes it.
    #[serde(skip_serializing_if = "Change::is_keep")]
    #[schemars(length(max = 65536))]
    pub picture: Change<String>,
}

/// The schema of a partial policy: the policy's own, with nothing required.
fn policy_patch(_: &mut SchemaGenerator) -> Schema {
    let mut settings = SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    let whole = settings.into_generator().into_root_schema_for::<domain::MemoryPolicy>();
    let mut part = whole.to_value();
    require_nothing(&mut part);
    if let Some(properties) = part.as_object_mut() {
        properties.shift_remove("$schema");
        properties.shift_remove("title");
    }
    Schema::try_from(part).unwrap_or_default()
}

fn require_nothing(schema: &mut Value) {
    match schema {
        Value::Object(rules) => {
            rules.shift_remove("required");
            rules.shift_remove("default");
            rules.values_mut().for_each(require_nothing);
        }
        Value::Array(items) => items.iter_mut().for_each(require_nothing),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Changed facts of a persona.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct SeedPatch {
    /// Given name.
    #[schemars(with = "String", length(min = 1, max = 100))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_name: Option<String>,
    /// Family name.
    #[schemars(with = "String", length(min = 1, max = 100))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_name: Option<String>,
    /// Age in years.
    #[schemars(with = "u8", range(min = 0, max = 120))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub age: Option<u8>,
    /// Location.
    #[schemars(with = "String", length(min = 1, max = 200))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    /// Occupation.
    #[schemars(with = "String", length(min = 1, max = 200))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_occupation: Option<String>,
}

impl SeedPatch {
    /// The facts after the change; `None` if there were none before and some are still missing.
    #[must_use]
    pub fn over(self, before: Option<&Seed>) -> Option<Seed> {
        Some(Seed {
            first_name: self.first_name.or_else(|| before.map(|seed| seed.first_name.clone()))?,
            last_name: self.last_name.or_else(|| before.map(|seed| seed.last_name.clone()))?,
            age: self.age.or_else(|| before.map(|seed| seed.age))?,
            location: self.location.or_else(|| before.map(|seed| seed.location.clone()))?,
            base_occupation: self
                .base_occupation
                .or_else(|| before.map(|seed| seed.base_occupation.clone()))?,
        })
    }
}

/// The query of routes that name the tenant there.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct OfTenant {
    /// The tenant; must be the key's own.
    pub tenant_id: Option<TenantName>,
}

/// A persona as the API shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PersonaView {
    /// Its id, which stays the same when it is renamed.
    pub id: PersonaId,
    /// Its tenant.
    pub tenant_id: TenantName,
    /// The name of its folder.
    pub name: PersonaName,
    /// Its display name.
    pub display_name: String,
    /// The facts it was made from, if any.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub seed: Option<Seed>,
    /// A summary in one sentence.
    pub summary: String,
    /// When it was created.
    pub created_at: Timestamp,
    /// When its document last changed.
    pub updated_at: Timestamp,
    /// Whether its memory is on, and if not, why.
    pub memory: MemoryState,
    /// The persona whose folder was copied to make it, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copied_from: Option<PersonaId>,
    /// Notices about it, and what to do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<Notice>,
    /// Its emoji.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub emoji: Option<String>,
    /// Its greeting at the start of a conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub greeting: Option<String>,
    /// A small picture of it, as a `data:` URL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<String>,
}

/// A notice about a persona.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Notice {
    /// A stable name for programs.
    pub code: NoticeCode,
    /// The message, with what to do.
    pub text: String,
}

/// What a notice is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NoticeCode {
    /// Its document was edited since it was signed, so it neither remembers nor learns.
    MemoryPaused,
    /// Its policy has memory switched off.
    MemoryOff,
    /// Its folder was copied, and the copied database is set aside.
    Copied,
}

impl NoticeCode {
    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::MemoryPaused => "memory-paused",
            Self::MemoryOff => "memory-off",
            Self::Copied => "copied",
        }
    }
}

/// A persona that can't be used and was left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BrokenPersona {
    /// The name of its folder.
    pub persona: PersonaName,
    /// The code of the error.
    pub code: String,
    /// The message.
    pub detail: String,
}

impl BrokenPersona {
    /// The persona `name`, which is left out because of `problem`.
    #[must_use]
    pub fn new(name: &PersonaName, problem: &Problem) -> Self {
        Self { persona: name.clone(), code: problem.code.to_string(), detail: problem.detail.clone() }
    }
}

/// `GET /v1/personas/{p}/validation`: the problems of a persona's document and memories.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Validation {
    /// Every violated rule, and where; a memory is at `/memory/{id}`.
    pub problems: Vec<domain::Problem>,
}

/// `POST /v1/personas/{p}/copy`: creates a persona from the files of another, with an empty memory.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CopyPersona {
    /// The name of the new folder.
    pub name: PersonaName,
}

/// The state of a persona's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MemoryState {
    /// On.
    On,
    /// Off, by its policy.
    Off,
    /// Paused, because its document was edited since it was signed; `selfhood persona sign` resumes.
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
    /// Those that can't be used, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub broken: Vec<BrokenPersona>,
}

/// A persona's whole document, with counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PersonaDetails {
    /// Its entry in lists.
    pub persona: PersonaView,
    /// `persona.json`.
    pub document: PersonaDocument,
    /// Active atoms.
    pub active_memories: usize,
    /// Atoms in every status.
    pub all_memories: usize,
    /// Active timeline entries.
    pub timeline_entries: usize,
}
