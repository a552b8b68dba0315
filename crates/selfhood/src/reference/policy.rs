//! `docs/policy.md`: the fields of a persona's memory policy, from its published schema.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::cell;

const HEAD: &str = "\
# Policy fields

<!-- Written by a test from the published schema; don't edit it by hand. -->

`memoryPolicy` in a persona's `persona.json` says what it may remember, for how long, and what is recalled. Every template \
writes all of it out; `selfhood persona show NAME` shows it, and `selfhood schema memory-policy` prints the \
schema. An edit \
by hand unsigns the document and pauses memory until `selfhood persona sign NAME`; `PATCH /personas/{id}` \
signs what it \
changes, and needs a key with the scope `admin`.

The default applies where a document does not name the field.
";

pub(super) fn page() -> String {
    let schema = domain::schema::named("memory-policy").unwrap();
    let mut page = HEAD.to_owned();
    page.push_str(&section("memoryPolicy", &schema, &schema));
    page
}

fn section(name: &str, part: &Value, schema: &Value) -> String {
    let empty = Map::new();
    let fields = part["properties"].as_object().unwrap_or(&empty);
    let mut text = format!("\n## {name}\n\n| field | values | default | means |\n|---|---|---|---|\n");
    let mut below = String::new();
    for (field, rules) in fields {
        let target = resolved(rules, schema);
        let is_object = target["properties"].is_object();
        let default = match (&rules["default"], is_object) {
            (Value::Null, _) | (_, true) => String::new(),
            (default, false) => format!("`{default}`"),
        };
        let means = rules["description"].as_str().or(target["description"].as_str()).unwrap_or_default();
        let values = if is_object { "see below".to_owned() } else { values(target) };
        let _ = writeln!(text, "| `{field}` | {} | {} | {} |", cell(&values), cell(&default), cell(means));
        if is_object {
            below.push_str(&section(&format!("{name}.{field}"), target, schema));
        }
    }
    text + &below
}

/// The rules of a field, with references and optional values resolved.
fn resolved<'s>(rules: &'s Value, schema: &'s Value) -> &'s Value {
    let choices = rules["anyOf"].as_array();
    let chosen = choices.and_then(|choices| choices.iter().find(|choice| choice["type"] != "null"));
    let rules = chosen.unwrap_or(rules);
    let name = rules["$ref"].as_str().and_then(|name| name.rsplit('/').next());
    name.map_or(rules, |name| &schema["$defs"][name])
}

fn values(rules: &Value) -> String {
    let listed = |list: &Value| -> Option<String> {
        let words: Vec<String> = list
            .as_array()?
            .iter()
            .filter_map(|one| {
                let word = one.as_str().or(one["const"].as_str())?;
                Some(format!("`{word}`"))
            })
            .collect();
        (!words.is_empty()).then(|| words.join(", "))
    };
    if let Some(words) = listed(&rules["enum"]).or_else(|| listed(&rules["oneOf"])) {
        return words;
    }
    let kinds = rules["type"].as_array();
    let kinds = kinds.map(|kinds| kinds.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or "));
    let kind = kinds.unwrap_or_else(|| rules["type"].as_str().unwrap_or("any").to_owned());
    let bound = |name: &str| rules[name].as_f64();
    match (bound("minimum"), bound("maximum")) {
        (Some(least), Some(most)) => format!("{kind}, {least} to {most}"),
        (Some(least), None) => format!("{kind}, {least} or more"),
        (None, Some(most)) => format!("{kind}, at most {most}"),
        (None, None) => kind,
    }
}
