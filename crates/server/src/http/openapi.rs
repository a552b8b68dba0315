//! The OpenAPI 3.1 description: generated from the list of routes and their types, so that it always matches
//! the server.

mod components;
mod operation;

use serde_json::{Map, Value, json};
use wire::route::ROUTES;

use components::Components;

use super::operations::OPERATIONS;
use super::sign_in::SIGN_IN;

/// The whole description.
#[must_use]
pub fn document() -> Value {
    let mut components = Components::default();
    let mut paths: Map<String, Value> = Map::new();
    for route in ROUTES {
        let described = operation::of(route, &mut components);
        put(&mut paths, &route.path.replace("{*", "{"), &route.method.to_ascii_lowercase(), described);
    }
    put(&mut paths, SIGN_IN.path, "post", operation::letting_in(&SIGN_IN, &mut components));
    for (path, summary) in OPERATIONS {
        put(&mut paths, path, "get", operation::without_key(path, summary));
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Selfhood",
            "version": env!("CARGO_PKG_VERSION"),
            "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" },
            "description": ABOUT,
        },
        "security": [{ "apiKey": [] }, { "bearer": [] }],
        "paths": paths,
        "components": components.finish(),
    })
}

const ABOUT: &str = "Personas with a life story and memories that fade, brighten and can be forgotten for good. \
    The tenant comes from the key. Times are RFC 3339 in UTC. Errors are problem details (RFC 9457) with a \
    stable `code`; the page of each code is under `/docs/errors/{code}`.";

fn put(paths: &mut Map<String, Value>, path: &str, method: &str, operation: Value) {
    let item = paths.entry(path).or_insert_with(|| json!({}));
    if let Some(item) = item.as_object_mut() {
        item.insert(method.to_owned(), operation);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn walk<'v>(value: &'v Value, visit: &mut impl FnMut(&'v str, &'v Value)) {
        match value {
            Value::Object(properties) => {
                for (name, value) in properties {
                    visit(name, value);
                    walk(value, visit);
                }
            }
            Value::Array(items) => items.iter().for_each(|item| walk(item, visit)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    #[test]
    fn every_route_is_described_and_nothing_else() {
        let document = document();
        let mut described = BTreeSet::new();
        for (path, item) in document["paths"].as_object().unwrap() {
            for method in item.as_object().unwrap().keys() {
                described.insert((method.to_uppercase(), path.clone()));
            }
        }
        let routes = ROUTES.iter().map(|route| (route.method.to_owned(), route.path.replace("{*", "{")));
        let operations = OPERATIONS.iter().map(|(path, _)| ("GET".to_owned(), (*path).to_owned()));
        let sign_in = [(SIGN_IN.method.to_owned(), SIGN_IN.path.to_owned())];
        assert_eq!(described, routes.chain(operations).chain(sign_in).collect());
    }

    #[test]
    fn every_reference_leads_somewhere_and_no_definition_is_left_behind() {
        let document = document();
        let mut references = 0;
        walk(&document, &mut |name, value| {
            assert_ne!(name, "$defs");
            assert_ne!(name, "$schema");
            if name == "$ref" {
                let target = value.as_str().unwrap();
                assert!(document.pointer(&target[1..]).is_some(), "{target} leads nowhere");
                references += 1;
            }
        });
        assert!(references > 100, "{references} references; is anything described at all?");
    }

    #[test]
    fn every_operation_has_a_name_of_its_own_and_every_parameter_of_its_path() {
        let document = document();
        let mut names = BTreeSet::new();
        for (path, item) in document["paths"].as_object().unwrap() {
            for operation in item.as_object().unwrap().values() {
                assert!(names.insert(operation["operationId"].as_str().unwrap()), "{path}");
                let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
                let in_path = parameters.iter().filter(|parameter| parameter["in"] == "path").count();
                assert_eq!(in_path, path.matches('{').count(), "{path}");
            }
        }
    }
}
