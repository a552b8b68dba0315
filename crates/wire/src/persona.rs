//! Making, seeing, changing and deleting a persona.

use domain::{PersonaDocument, PersonaId, PersonaName, Seed, Template, TenantName, Timestamp};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Problem;

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
    /// The facts it is described by; those that are left out stay.
    pub seed: Option<SeedPatch>,
    /// What people call it.
    #[schemars(length(min = 1, max = 200))]
    pub display_name: Option<String>,
    /// Its IANA time zone.
    pub timezone: Option<String>,
    /// The language it remembers in.
    pub language: Option<String>,
    /// What it may remember (RFC 7396): what is left out stays, `null` removes an optional key. Needs the scope `admin`,
    /// and `erase` where anything would be kept for a shorter time.
    #[schemars(schema_with = "policy_patch")]
    pub memory_policy: Option<Value>,
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

/// The shape of a part of a policy: the policy's own, in which nothing has to be there.
fn policy_patch(_: &mut SchemaGenerator) -> Schema {
    let mut settings = SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    let whole = settings.into_generator().into_root_schema_for::<Option<domain::MemoryPolicy>>();
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

/// Facts of a persona that change.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct SeedPatch {
    /// Given name.
    #[schemars(length(min = 1, max = 100))]
    pub first_name: Option<String>,
    /// Family name.
    #[schemars(length(min = 1, max = 100))]
    pub last_name: Option<String>,
    /// In years.
    #[schemars(range(min = 0, max = 120))]
    pub age: Option<u8>,
    /// Where it is based.
    #[schemars(length(min = 1, max = 200))]
    pub location: Option<String>,
    /// What it works as.
    #[schemars(length(min = 1, max = 200))]
    pub base_occupation: Option<String>,
}

impl SeedPatch {
    /// The facts after the change; none if there were none before and some are still missing.
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
    /// The persona whose folder was copied to make it, if it came to be that way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copied_from: Option<PersonaId>,
    /// What people should know about it, and what to do about that.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<Notice>,
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

/// Something people should know about a persona.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Notice {
    /// A stable name for programs.
    pub code: NoticeCode,
    /// The same in words, with what to do about it.
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
    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::MemoryPaused => "memory-paused",
            Self::MemoryOff => "memory-off",
            Self::Copied => "copied",
        }
    }
}

/// A persona that can't be used. What was asked for went on without it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BrokenPersona {
    /// The name of its folder.
    pub persona: PersonaName,
    /// Why: the code of an error, which has a page.
    pub code: String,
    /// Why, in words.
    pub detail: String,
}

impl BrokenPersona {
    /// The persona `name`, which `problem` keeps from being used.
    #[must_use]
    pub fn new(name: &PersonaName, problem: &Problem) -> Self {
        Self { persona: name.clone(), code: problem.code.to_string(), detail: problem.detail.clone() }
    }
}

/// `GET /v1/personas/{p}/validation`: what is wrong with a persona's document and with the memories it has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Validation {
    /// Every rule that is broken, and where; a memory is at `/memory/{id}`.
    pub problems: Vec<domain::Problem>,
}

/// `POST /v1/personas/{p}/copy`: makes a new persona from the files of one, with an empty memory.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CopyPersona {
    /// The name of the new folder.
    pub name: PersonaName,
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
    /// Those that can't be used, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub broken: Vec<BrokenPersona>,
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
