//! The schemas of the reference server's tools.

use serde_json::{Map, Value, json};

const DIALECT: &str = "http://json-schema.org/draft-07/schema#";

/// Whether a schema is of what is sent or of what comes back, which has no other members.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Input,
    Output,
}

pub(super) fn input(properties: &[(&str, Value)]) -> Value {
    whole(properties, Side::Input)
}

pub(super) fn output(properties: &[(&str, Value)]) -> Value {
    whole(properties, Side::Output)
}

pub(super) fn list(items: &Value) -> Value {
    json!({ "type": "array", "items": items })
}

pub(super) fn described(schema: Value, words: &str) -> Value {
    let mut schema = schema;
    schema.as_object_mut().map(|schema| schema.insert("description".to_owned(), json!(words)));
    schema
}

/// A list of texts.
pub(super) fn texts(words: &str) -> Value {
    described(list(&json!({ "type": "string" })), words)
}

pub(super) fn entity(side: Side) -> Value {
    object(
        &[
            ("name", text("The name of the entity")),
            ("entityType", text("The type of the entity")),
            ("observations", texts("An array of observation contents associated with the entity")),
        ],
        side,
    )
}

pub(super) fn relation(side: Side) -> Value {
    object(
        &[
            ("from", text("The name of the entity where the relation starts")),
            ("to", text("The name of the entity where the relation ends")),
            ("relationType", text("The type of the relation")),
        ],
        side,
    )
}

pub(super) fn added() -> Value {
    let name = text("The name of the entity to add the observations to");
    object(
        &[("entityName", name), ("contents", texts("An array of observation contents to add"))],
        Side::Input,
    )
}

pub(super) fn results() -> Value {
    let word = || json!({ "type": "string" });
    object(&[("entityName", word()), ("addedObservations", list(&word()))], Side::Output)
}

pub(super) fn deletion() -> Value {
    let name = text("The name of the entity containing the observations");
    object(
        &[("entityName", name), ("observations", texts("An array of observations to delete"))],
        Side::Input,
    )
}

pub(super) fn graph() -> Value {
    output(&[("entities", list(&entity(Side::Output))), ("relations", list(&relation(Side::Output)))])
}

pub(super) fn success() -> Value {
    output(&[("success", json!({ "type": "boolean" })), ("message", json!({ "type": "string" }))])
}

fn text(words: &str) -> Value {
    described(json!({ "type": "string" }), words)
}

fn object(properties: &[(&str, Value)], side: Side) -> Value {
    let mut schema = Map::from_iter([("type".to_owned(), json!("object"))]);
    fill(&mut schema, properties, side);
    Value::Object(schema)
}

fn whole(properties: &[(&str, Value)], side: Side) -> Value {
    let head = [("$schema".to_owned(), json!(DIALECT)), ("type".to_owned(), json!("object"))];
    let mut schema = Map::from_iter(head);
    fill(&mut schema, properties, side);
    Value::Object(schema)
}

fn fill(schema: &mut Map<String, Value>, properties: &[(&str, Value)], side: Side) {
    let own = properties.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone()));
    schema.insert("properties".to_owned(), Value::Object(own.collect()));
    let names: Vec<&str> = properties.iter().map(|(name, _)| *name).collect();
    if !names.is_empty() {
        schema.insert("required".to_owned(), json!(names));
    }
    if side == Side::Output {
        schema.insert("additionalProperties".to_owned(), json!(false));
    }
}
