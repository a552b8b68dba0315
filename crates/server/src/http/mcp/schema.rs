//! Schemas as models read them: every word of a tool's description costs its client tokens in every conversation.

use schemars::JsonSchema;
use serde_json::{Map, Value, json};

/// The schema of `T` with its parts written out in place, and without what tells a model nothing.
pub(super) fn compact<T: JsonSchema + 'static>() -> Value {
    whole(&wire::schema::of::<T>(), Words::Kept)
}

/// The same without descriptions: what a tool gives explains itself by its names.
pub(super) fn bare<T: JsonSchema + 'static>() -> Value {
    whole(&wire::schema::of::<T>(), Words::Dropped)
}

fn whole(schema: &Value, words: Words) -> Value {
    let parts = schema.get("$defs").and_then(Value::as_object).cloned().unwrap_or_default();
    let mut short = shortened(schema, &parts, words);
    // What the type itself is about stands in the tool's own description.
    short.as_object_mut().map(|short| short.remove("description"));
    short
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Words {
    Kept,
    Dropped,
}

/// Keywords that say nothing a model could act on.
const SILENT: [&str; 6] = ["$schema", "$defs", "title", "format", "default", "pattern"];

fn shortened(schema: &Value, parts: &Map<String, Value>, words: Words) -> Value {
    let Some(own) = schema.as_object() else { return schema.clone() };
    let mut short = Map::new();
    for (keyword, value) in own {
        match keyword.as_str() {
            _ if SILENT.contains(&keyword.as_str()) => {}
            "description" if words == Words::Dropped => {}
            "$ref" => {
                let name = value.as_str().and_then(|name| name.rsplit('/').next()).unwrap_or_default();
                let part = parts.get(name).map(|part| shortened(part, parts, words)).unwrap_or_default();
                for (keyword, value) in part.as_object().cloned().unwrap_or_default() {
                    let is_said = keyword == "description" && own.contains_key("description");
                    if !is_said {
                        short.insert(keyword, value);
                    }
                }
            }
            "properties" => {
                let properties = value.as_object().cloned().unwrap_or_default();
                let properties =
                    properties.iter().map(|(name, part)| (name.clone(), shortened(part, parts, words)));
                short.insert(keyword.clone(), Value::Object(properties.collect()));
            }
            "type" => drop(short.insert(keyword.clone(), without_null(value))),
            "anyOf" | "oneOf" => chosen(value, parts, words, &mut short),
            "items" => drop(short.insert(keyword.clone(), shortened(value, parts, words))),
            _ => drop(short.insert(keyword.clone(), value.clone())),
        }
    }
    Value::Object(short)
}

/// An optional value is one that may be left out; it need not be `null` as well.
fn without_null(kinds: &Value) -> Value {
    match kinds
        .as_array()
        .map(|kinds| kinds.iter().filter(|kind| **kind != json!("null")).collect::<Vec<_>>())
    {
        Some(kinds) => match kinds.as_slice() {
            [only] => (*only).clone(),
            _ => json!(kinds),
        },
        None => kinds.clone(),
    }
}

/// One of several constants is an `enum`, and one thing or `null` is that thing.
fn chosen(choices: &Value, parts: &Map<String, Value>, words: Words, into: &mut Map<String, Value>) {
    let all = choices.as_array().cloned().unwrap_or_default();
    let real: Vec<&Value> = all.iter().filter(|choice| choice.get("type") != Some(&json!("null"))).collect();
    let constants: Vec<&Value> = real.iter().filter_map(|choice| choice.get("const")).collect();
    if !constants.is_empty() && constants.len() == real.len() {
        into.insert("type".to_owned(), json!("string"));
        into.insert("enum".to_owned(), json!(constants));
        return;
    }
    if let [only] = real.as_slice() {
        for (keyword, value) in shortened(only, parts, words).as_object().cloned().unwrap_or_default() {
            into.entry(keyword).or_insert(value);
        }
        return;
    }
    let short: Vec<Value> = real.iter().map(|choice| shortened(choice, parts, words)).collect();
    into.insert("anyOf".to_owned(), json!(short));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_stand_in_place_and_silent_words_are_gone() {
        let long = json!({
            "$schema": "x", "title": "T", "type": "object",
            "properties": {
                "kind": { "description": "Which.", "anyOf": [{ "$ref": "#/$defs/Kind" }, { "type": "null" }] },
                "limit": { "type": ["integer", "null"], "format": "uint", "minimum": 1, "default": null },
            },
            "$defs": { "Kind": { "description": "Sort.", "oneOf": [{ "const": "a" }, { "const": "b" }] } },
        });
        let short = json!({
            "type": "object",
            "properties": {
                "kind": { "description": "Which.", "type": "string", "enum": ["a", "b"] },
                "limit": { "type": "integer", "minimum": 1 },
            },
        });
        assert_eq!(whole(&long, Words::Kept), short);
    }
}
