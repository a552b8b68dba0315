//! The published JSON Schemas (2020-12), generated from the types themselves.

use std::sync::OnceLock;

use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::Value;

use crate::{Atom, AuditEvent, DecayProfile, MemoryPolicy, PersonaDocument, TimelineEntry, Tombstone};

/// The names of the published schemas, which are also their file names in `schemas/`.
pub const NAMES: [&str; 7] =
    ["audit-event", "decay-profile", "memory", "memory-policy", "persona", "timeline-entry", "tombstone"];

/// The schema published under `name`, if there is one.
#[must_use]
pub fn named(name: &str) -> Option<Value> {
    match name {
        "audit-event" => Some(schema_of::<AuditEvent>()),
        "decay-profile" => Some(schema_of::<DecayProfile>()),
        "memory" => Some(schema_of::<Atom>()),
        "memory-policy" => Some(schema_of::<MemoryPolicy>()),
        "persona" => Some(schema_of::<PersonaDocument>()),
        "timeline-entry" => Some(schema_of::<TimelineEntry>()),
        "tombstone" => Some(schema_of::<Tombstone>()),
        _ => None,
    }
}

/// The schema of any type that has one.
#[must_use]
pub fn schema_of<T: JsonSchema>() -> Value {
    SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>().to_value()
}

/// The schema of a memory atom, generated once.
pub(crate) fn memory() -> &'static Value {
    static SCHEMA: OnceLock<Value> = OnceLock::new();
    SCHEMA.get_or_init(schema_of::<Atom>)
}

/// The schema of a persona document, generated once.
pub(crate) fn persona() -> &'static Value {
    static SCHEMA: OnceLock<Value> = OnceLock::new();
    SCHEMA.get_or_init(schema_of::<PersonaDocument>)
}
