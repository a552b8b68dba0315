//! The published schemas match the types, and our own checker interprets them like other validators.

use std::collections::BTreeSet;
use std::path::PathBuf;

use domain::{example, schema, structure};
use proptest::prelude::*;
use serde_json::{Value, json};

#[test]
fn the_published_schemas_are_those_of_the_types() {
    let folder = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("../../schemas");
    for name in schema::NAMES {
        let published = std::fs::read_to_string(folder.join(format!("{name}.json"))).unwrap();
        let generated = serde_json::to_string_pretty(&schema::named(name).unwrap()).unwrap() + "\n";
        assert_eq!(published, generated, "run `cargo run -p domain --example schemas`");
    }
    // The certificate's schema is generated and tested in the crate of certificates.
    let files = std::fs::read_dir(folder).unwrap().count();
    assert_eq!(files, schema::NAMES.len() + 1, "a schema nobody generates");
}

#[test]
fn the_checker_knows_every_keyword_our_schemas_use() {
    let known: BTreeSet<&str> = BTreeSet::from([
        "$ref",
        "$defs",
        "$schema",
        "title",
        "description",
        "default",
        "type",
        "enum",
        "const",
        "oneOf",
        "anyOf",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "minLength",
        "maxLength",
        "pattern",
        "format",
        "items",
        "maxItems",
        "properties",
        "required",
        "additionalProperties",
        "patternProperties",
        "propertyNames",
        "maxProperties",
    ]);
    for name in schema::NAMES {
        let mut used = BTreeSet::new();
        collect_keywords(&schema::named(name).unwrap(), &mut used);
        let unknown: Vec<_> = used.iter().filter(|keyword| !known.contains(keyword.as_str())).collect();
        assert!(unknown.is_empty(), "{name} uses {unknown:?}");
    }
}

fn collect_keywords(schema: &Value, used: &mut BTreeSet<String>) {
    let Some(rules) = schema.as_object() else { return };
    for (keyword, rule) in rules {
        used.insert(keyword.clone());
        match keyword.as_str() {
            "properties" | "$defs" | "patternProperties" => {
                rule.as_object().unwrap().values().for_each(|schema| collect_keywords(schema, used));
            }
            "oneOf" | "anyOf" => {
                rule.as_array().unwrap().iter().for_each(|schema| collect_keywords(schema, used));
            }
            "items" | "additionalProperties" | "propertyNames" => collect_keywords(rule, used),
            _ => {}
        }
    }
}

#[test]
fn every_document_we_write_is_valid_and_reads_back_the_same() {
    let mut persona = example::persona();
    persona.memory = vec![example::guest_atom(), example::plain_atom("The lobby smells of coffee.")];
    let written = serde_json::to_value(&persona).unwrap();
    assert_eq!(structure::check(&schema::named("persona").unwrap(), &written), []);
    assert_eq!(serde_json::from_value::<domain::PersonaDocument>(written).unwrap(), persona);
    let entry = serde_json::to_value(example::entry(1, "First day", 0)).unwrap();
    assert_eq!(structure::check(&schema::named("timeline-entry").unwrap(), &entry), []);
}

/// A value that may replace any other.
fn replacements() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3i64..400).prop_map(Value::from),
        (-2.0..2.0f64).prop_map(Value::from),
        prop::sample::select(vec![
            "",
            " ",
            "x",
            "active",
            "guest-pii",
            "mem:7f3a8b2c0d3e",
            "2026-04-22T14:18:42Z",
            "2026-04-22"
        ])
        .prop_map(Value::from),
        (250usize..300).prop_map(|length| Value::from("é".repeat(length))),
        Just(json!([])),
        Just(json!({})),
        Just(json!({ "x-own": 1, "own": 2 })),
    ]
}

fn pointers(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Object(properties) => {
            properties.iter().for_each(|(name, value)| pointers(value, &format!("{at}/{name}"), found));
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(n, value)| pointers(value, &format!("{at}/{n}"), found));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 5_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn our_checker_and_an_independent_validator_agree(which in any::<prop::sample::Index>(), replacement in replacements(), remove in any::<bool>()) {
        let mut persona = example::persona();
        persona.memory = vec![example::guest_atom()];
        let mut document = serde_json::to_value(&persona).unwrap();
        let mut places = Vec::new();
        pointers(&document, "", &mut places);
        let place = which.get(&places);
        match place.rsplit_once('/') {
            Some((parent, name)) if remove => {
                let parent = document.pointer_mut(parent).unwrap();
                if let Some(properties) = parent.as_object_mut() { properties.shift_remove(name); }
            }
            _ => *document.pointer_mut(place).unwrap() = replacement,
        }
        let ours = structure::check(&schema::named("persona").unwrap(), &document);
        prop_assert_eq!(ours.is_empty(), validator().is_valid(&document), "{} {:?}", place, ours);
    }
}

fn validator() -> &'static jsonschema::Validator {
    static VALIDATOR: std::sync::OnceLock<jsonschema::Validator> = std::sync::OnceLock::new();
    VALIDATOR.get_or_init(|| {
        let schema = schema::named("persona").unwrap();
        jsonschema::options().should_validate_formats(true).build(&schema).unwrap()
    })
}
