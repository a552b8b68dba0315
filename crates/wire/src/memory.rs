//! Memories: creating, listing, inspecting, correcting, redacting, and how they fade.

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
    /// What sort of memory it is.
    pub kind: Kind,
    /// The sentence that is kept whole as long as the memory is remembered.
    #[schemars(length(min = 1, max = 280))]
    pub gist: Text,
    /// Particulars that fade one by one.
    #[serde(default)]
    pub details: Vec<NewDetail>,
    /// What somebody may say for which this memory should come to mind; matched, never rendered.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 8), inner(length(min = 1, max = 80)))]
    pub cues: Vec<Text>,
    /// How much it weighs.
    pub salience: Salience,
    /// How it felt.
    #[serde(default)]
    pub emotional_valence: Valence,
    /// How private it is.
    pub privacy_class: PrivacyClass,
    /// On what ground it is kept.
    pub consent_basis: ConsentBasis,
    /// Whose memory it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<SubjectRef>,
    /// Other people in it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mentions: Vec<SubjectRef>,
    /// Free labels.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<Text>,
    /// Where it came from; made up when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provenance: Option<Provenance>,
    /// How it ages; as the persona's policy says for its kind when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decay_profile: Option<DecayProfile>,
    /// Whether its weight stays as it is; its details fade all the same.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pinned: bool,
    /// When it happened or is planned, if that was said: a year, a month or a day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event_date: Option<EventDate>,
    /// The language of its words, if it isn't the persona's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$"))]
    pub language: Option<String>,
    /// Who said it, where the words are kept as they were said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 80))]
    pub said_by: Option<Text>,
    /// What it was derived from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub derived_from: Vec<MemoryId>,
    /// When it was formed; in the past only for keys with `admin`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<Timestamp>,
    /// Properties of the caller's own.
    #[serde(flatten)]
    #[schemars(skip)]
    pub extensions: Extensions,
}

/// A particular of a new memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewDetail {
    /// The particular itself.
    #[schemars(length(min = 1, max = 200))]
    pub content: Text,
    /// How clear it is.
    pub brightness: Brightness,
}

/// `PATCH /v1/personas/{p}/memories/{id}`: makes a corrected memory that takes the place of this one.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Correct {
    /// The sentence, if it was wrong.
    #[schemars(length(min = 1, max = 280))]
    pub gist: Option<Text>,
    /// All particulars, if any was wrong.
    pub details: Option<Vec<NewDetail>>,
    /// The weight, if it was wrong.
    pub salience: Option<Salience>,
    /// The feeling, if it was wrong.
    pub emotional_valence: Option<Valence>,
    /// All labels, if any was wrong.
    pub tags: Option<Vec<Text>>,
    /// All cues. Alone they make no new memory: what should bring a memory to mind is no correction of it.
    #[schemars(length(max = 8), inner(length(min = 1, max = 80)))]
    pub cues: Option<Vec<Text>>,
    /// When it happened or is planned, if that was wrong.
    pub event_date: Option<EventDate>,
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

/// A detail as [`MemoryView`] shows it; the published shape of what is written there.
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

/// Some memories.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemoryPage {
    /// Heaviest now first; when words were looked for, those that fit best first.
    pub data: Vec<MemoryView>,
    /// Where the next page starts; `null` on the last one.
    pub next_cursor: Option<String>,
    /// What hard redaction left, newest first, when that was asked for; on the first page.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tombstones: Vec<Tombstone>,
}

/// What a list of memories is narrowed by.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct MemoryFilter {
    /// Only those that fit these words: that have them, mean the same, or have them as a label or a person.
    #[schemars(length(min = 1, max = 500))]
    pub q: Option<Text>,
    /// Only this class.
    pub privacy_class: Option<PrivacyClass>,
    /// Only those that weigh at least this much now.
    pub min_salience: Option<Salience>,
    /// Only this kind.
    pub kind: Option<Kind>,
    /// Only those with this label.
    pub tag: Option<Text>,
    /// Only this person's.
    pub subject: Option<SubjectRef>,
    /// Only those that are pinned.
    pub pinned: bool,
    /// Also those that are redacted or archived, and the tombstones of those that were destroyed.
    pub include_redacted: bool,
    /// Only the tombstones of memories that were destroyed. Needs the owner's key, or `admin`.
    pub tombstones: bool,
    /// As remembered at this time.
    pub at: Option<Timestamp>,
    /// At most so many, 50 when absent.
    #[schemars(range(min = 1, max = 200))]
    pub limit: Option<usize>,
    /// Where to go on.
    pub cursor: Option<String>,
}

/// The query of routes that can look from another time.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct AsOf {
    /// As remembered at this time.
    pub at: Option<Timestamp>,
}

/// Which part of a curve to draw.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct CurveSpan {
    /// From this time; when the memory was formed if absent.
    pub from: Option<Timestamp>,
    /// Up to this time; as far as it changes noticeably if absent.
    pub to: Option<Timestamp>,
}

/// One memory with all that is known of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemoryInspection {
    /// The memory.
    pub memory: MemoryView,
    /// How it fades.
    pub decay: DecayStatus,
    /// When it was told, oldest first; the last 64.
    pub rehearsals: Vec<Rehearsal>,
}

/// How one memory fades.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DecayStatus {
    /// What it fades towards, and never below.
    pub floor: Salience,
    /// What will happen and when, soonest first.
    pub crossings: Vec<Crossing>,
    /// When it must be deleted, if ever.
    pub retention_ends_at: Option<Timestamp>,
}

/// `GET …/memories/{id}/curve`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CurveAnswer {
    /// How it was and will be remembered.
    pub points: Vec<CurvePoint>,
    /// When something changes that a person would notice.
    pub crossings: Vec<Crossing>,
}

/// A memory at one time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CurvePoint {
    /// When.
    pub at: Timestamp,
    /// What it weighs then.
    pub salience: Salience,
    /// How clear each detail is then.
    pub details: Vec<Brightness>,
}

/// A change a person would notice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Crossing {
    /// When.
    pub at: Timestamp,
    /// What changes.
    pub what: CrossingKind,
    /// The detail it happens to, by position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<usize>,
}

/// What changes when a memory fades.
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
    /// A detail can no longer be told.
    DetailFaded,
    /// It is past its retention and is deleted.
    DeletionDue,
}
