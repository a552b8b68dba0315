//! Memories: create, list, inspect, correct, redact, and their decay.

use std::borrow::Cow;

use domain::{
    Atom, Brightness, ConsentBasis, DecayProfile, EventDate, Extensions, Kind, MemoryId, PrivacyClass,
    Provenance, Rehearsal, Salience, SubjectRef, Text, Timestamp, Tombstone, Valence, Vividness,
};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// `POST /v1/personas/{p}/memories`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("additionalProperties" = false, "patternProperties" = {"^x-": true}))]
pub struct Remember {
    /// Its kind.
    pub kind: Kind,
    /// The sentence that stays whole as long as the memory is remembered.
    #[schemars(length(min = 1, max = 280))]
    pub gist: Text,
    /// Details that fade one by one.
    #[serde(default)]
    pub details: Vec<NewDetail>,
    /// Phrases for which this memory should be recalled; matched, never rendered.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 8), inner(length(min = 1, max = 80)))]
    pub cues: Vec<Text>,
    /// Its weight.
    pub salience: Salience,
    /// Its feeling.
    #[serde(default)]
    pub emotional_valence: Valence,
    /// Its privacy class.
    pub privacy_class: PrivacyClass,
    /// Its consent basis.
    pub consent_basis: ConsentBasis,
    /// The person it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<SubjectRef>,
    /// Other people in it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mentions: Vec<SubjectRef>,
    /// Free labels.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<Text>,
    /// Its provenance; generated when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provenance: Option<Provenance>,
    /// Its decay; the persona's policy for its kind when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decay_profile: Option<DecayProfile>,
    /// Whether it keeps its weight; its details still fade.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pinned: bool,
    /// When it happened or is planned, if known: a year, a month or a day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event_date: Option<EventDate>,
    /// The language of its text, if it isn't the persona's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$"))]
    pub language: Option<String>,
    /// The person quoted, if the text is verbatim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 80))]
    pub said_by: Option<Text>,
    /// The memories it was derived from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub derived_from: Vec<MemoryId>,
    /// When it was formed; in the past only for keys with `admin`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<Timestamp>,
    /// The caller's own properties.
    #[serde(flatten)]
    #[schemars(skip)]
    pub extensions: Extensions,
}

/// A detail of a new memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewDetail {
    /// The text.
    #[schemars(length(min = 1, max = 200))]
    pub content: Text,
    /// Its brightness.
    pub brightness: Brightness,
}

/// `PATCH /v1/personas/{p}/memories/{id}`: creates a corrected memory that supersedes this one.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Correct {
    /// The corrected sentence.
    #[schemars(length(min = 1, max = 280))]
    pub gist: Option<Text>,
    /// All details, corrected.
    pub details: Option<Vec<NewDetail>>,
    /// The corrected weight.
    pub salience: Option<Salience>,
    /// The corrected feeling.
    pub emotional_valence: Option<Valence>,
    /// All labels, corrected.
    pub tags: Option<Vec<Text>>,
    /// All cues. A change of cues alone creates no new memory.
    #[schemars(length(max = 8), inner(length(min = 1, max = 80)))]
    pub cues: Option<Vec<Text>>,
    /// The corrected date.
    pub event_date: Option<EventDate>,
    /// A stricter privacy class, if what it says now needs one; a milder one changes nothing.
    pub privacy_class: Option<PrivacyClass>,
}

/// A memory as it is remembered at some time: the atom, with `currentSalience` and `vividness`, and
/// `currentBrightness` in each detail.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MemoryView(Value);

impl MemoryView {
    /// `atom` as it is remembered at `now`.
    #[must_use]
    pub fn new(atom: &Atom, now: Timestamp) -> Self {
        let mut view = serde_json::to_value(atom).unwrap_or_default();
        if let Some(properties) = view.as_object_mut() {
            properties.insert("currentSalience".to_owned(), json!(atom.salience_at(now)));
            properties.insert("vividness".to_owned(), json!(atom.vividness_at(now)));
        }
        for (n, detail) in atom.details.iter().enumerate() {
            if let Some(shown) = view.pointer_mut(&format!("/details/{n}")).and_then(Value::as_object_mut) {
                shown.insert("currentBrightness".to_owned(), json!(atom.brightness_at(detail, now)));
            }
        }
        Self(view)
    }

    /// The view as JSON.
    #[must_use]
    pub fn as_value(&self) -> &Value {
        &self.0
    }
}

impl std::fmt::Debug for MemoryView {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let id = self.0.get("id").and_then(Value::as_str).unwrap_or_default();
        write!(f, "MemoryView({id})")
    }
}

impl JsonSchema for MemoryView {
    fn schema_name() -> Cow<'static, str> {
        "MemoryView".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = Atom::json_schema(generator);
        let mut add = |pointer: &str, name: &str, added: Value| {
            if let Some(properties) = schema.pointer_mut(pointer).and_then(Value::as_object_mut) {
                properties.insert(name.to_owned(), added);
            }
        };
        add("/properties", "currentSalience", json!({ "type": "number", "minimum": 0.0, "maximum": 1.0 }));
        add("/properties", "vividness", generator.subschema_for::<Vividness>().to_value());
        add("/properties/details", "items", generator.subschema_for::<DetailView>().to_value());
        schema
    }
}

/// A detail in [`MemoryView`], for the published schema.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
#[expect(dead_code, reason = "only its schema is used")]
struct DetailView {
    content: Text,
    brightness: Brightness,
    brightened_at: Option<Timestamp>,
    current_brightness: Brightness,
}

/// One memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryAnswer {
    /// The memory.
    pub memory: MemoryView,
}

/// A page of memories.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemoryPage {
    /// Heaviest first; with a search text, best match first.
    pub data: Vec<MemoryView>,
    /// The start of the next page; `null` on the last one.
    pub next_cursor: Option<String>,
    /// Tombstones, newest first, if requested; on the first page.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tombstones: Vec<Tombstone>,
}

/// Filters of a list of memories.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct MemoryFilter {
    /// Only those that match this text: by words, meaning, label or person.
    #[schemars(length(min = 1, max = 500))]
    pub q: Option<Text>,
    /// Only this class.
    pub privacy_class: Option<PrivacyClass>,
    /// Only those with at least this weight now.
    pub min_salience: Option<Salience>,
    /// Only this kind.
    pub kind: Option<Kind>,
    /// Only those with this label.
    pub tag: Option<Text>,
    /// Only this person's.
    pub subject: Option<SubjectRef>,
    /// Only pinned ones.
    pub pinned: bool,
    /// Include redacted and archived ones, and the tombstones of destroyed ones.
    pub include_redacted: bool,
    /// Only the tombstones of destroyed memories. Needs the owner's key, or `admin`.
    pub tombstones: bool,
    /// As remembered at this time.
    pub at: Option<Timestamp>,
    /// The page size, 50 when absent.
    #[schemars(range(min = 1, max = 200))]
    pub limit: Option<usize>,
    /// Where to continue.
    pub cursor: Option<String>,
}

/// The query of `GET …/memories/{id}`.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Inspect {
    /// As remembered at this time.
    pub at: Option<Timestamp>,
    /// Show the tombstone of a destroyed memory. Needs the owner's key, or `admin`.
    pub include_redacted: bool,
}

/// The period of a curve.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct CurveSpan {
    /// The start; the memory's creation when absent.
    pub from: Option<Timestamp>,
    /// The end; as far as it changes noticeably when absent.
    pub to: Option<Timestamp>,
}

/// A memory, or what is left of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum InspectedMemory {
    /// It exists, in any status.
    Memory(Box<MemoryInspection>),
    /// It was destroyed; only if `includeRedacted` was asked for.
    Destroyed(DestroyedMemory),
}

/// What is left of a destroyed memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DestroyedMemory {
    /// Its tombstone.
    pub tombstone: Tombstone,
}

/// One memory with all its data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemoryInspection {
    /// The memory.
    pub memory: MemoryView,
    /// Its decay.
    pub decay: DecayStatus,
    /// Its rehearsals, oldest first; the last 64.
    pub rehearsals: Vec<Rehearsal>,
}

/// The decay of one memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DecayStatus {
    /// Its least weight.
    pub floor: Salience,
    /// Future changes, soonest first.
    pub crossings: Vec<Crossing>,
    /// When it must be deleted, if ever.
    pub retention_ends_at: Option<Timestamp>,
}

/// `GET …/memories/{id}/curve`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CurveAnswer {
    /// The weight over time.
    pub points: Vec<CurvePoint>,
    /// The noticeable changes.
    pub crossings: Vec<Crossing>,
}

/// A memory at one time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CurvePoint {
    /// The time.
    pub at: Timestamp,
    /// Its weight.
    pub salience: Salience,
    /// The brightness of each detail.
    pub details: Vec<Brightness>,
}

/// A noticeable change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Crossing {
    /// The time.
    pub at: Timestamp,
    /// The change.
    pub what: CrossingKind,
    /// The detail it affects, by position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<usize>,
}

/// The kinds of changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CrossingKind {
    /// It is no longer vivid.
    NoLongerVivid,
    /// It becomes faint.
    Faint,
    /// It is no longer recalled.
    NoLongerRecalled,
    /// It may be archived.
    ArchiveDue,
    /// A detail is no longer rendered.
    DetailFaded,
    /// It is past its retention and is deleted.
    DeletionDue,
}
