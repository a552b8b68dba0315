//! The query of a request as a JSON object, so that body and query use the same validation.
//!
//! A text becomes a number or a boolean if the route's schema asks for one; what can't be converted is left
//! as it is, and validation reports it.

use serde_json::{Map, Number, Value};
use wire::route::Route;
use wire::{Pointed, Problem, read};

/// The query `text` of a request for `route`.
pub(crate) fn parse(route: &Route, text: &str) -> Result<Value, Problem> {
    let schema = route.query.map(|schema| schema());
    let mut object = Map::new();
    for (name, text) in form_urlencoded::parse(text.as_bytes()) {
        let Some(schema) = &schema else {
            return Err(misplaced(&name, "is not known; this route takes no parameters"));
        };
        let property = schema.get("properties").and_then(|known| known.get(&*name));
        let value = typed(&text, &kinds(schema, property.unwrap_or(&Value::Null)));
        if object.insert(name.to_string(), value).is_some() {
            return Err(misplaced(&name, "is given twice"));
        }
    }
    Ok(Value::Object(object))
}

fn misplaced(name: &str, rule: &str) -> Problem {
    read::invalid(vec![Pointed { pointer: format!("/{name}"), detail: format!("`{name}` {rule}") }])
}

/// The JSON types that `schema` allows, including nested ones.
fn kinds<'s>(root: &'s Value, schema: &'s Value) -> Vec<&'s str> {
    let mut kinds: Vec<&str> = match schema.get("type") {
        Some(Value::String(kind)) => vec![kind],
        Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if let Some(target) = schema.get("$ref").and_then(Value::as_str)
        && let Some(definition) = target.strip_prefix('#').and_then(|pointer| root.pointer(pointer))
    {
        kinds.extend(self::kinds(root, definition));
    }
    for branch in schema.get("anyOf").and_then(Value::as_array).into_iter().flatten() {
        kinds.extend(self::kinds(root, branch));
    }
    kinds
}

fn typed(text: &str, kinds: &[&str]) -> Value {
    let number =
        || text.parse::<i64>().map(Number::from).ok().or_else(|| Number::from_f64(text.parse().ok()?));
    let value = if kinds.contains(&"integer") || kinds.contains(&"number") {
        number().map(Value::Number)
    } else if kinds.contains(&"boolean") {
        truth(text).map(Value::Bool)
    } else {
        None
    };
    value.unwrap_or_else(|| Value::String(text.to_owned()))
}

/// The spellings of true and false.
fn truth(text: &str) -> Option<bool> {
    match text {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use wire::route::ROUTES;

    use super::*;

    fn of(verb: &str, query: &str) -> Result<Value, Problem> {
        parse(ROUTES.iter().find(|route| route.verb == verb).unwrap(), query)
    }

    #[test]
    fn parameters_take_the_types_of_their_schema() {
        let parsed = of("list_timeline", "tenantId=42&limit=20&offset=x&includeSuperseded=true").unwrap();
        assert_eq!(
            parsed,
            json!({ "tenantId": "42", "limit": 20, "offset": "x", "includeSuperseded": true })
        );
        let parsed = of("list_memories", "minSalience=0.5&tag=caf%C3%A9+noir&kind=episodic").unwrap();
        assert_eq!(parsed, json!({ "minSalience": 0.5, "tag": "café noir", "kind": "episodic" }));
    }

    #[test]
    fn what_is_given_twice_or_where_nothing_is_asked_is_refused_by_name() {
        for (verb, query, pointer) in
            [("list_timeline", "limit=1&limit=2", "/limit"), ("list_keys", "x=1", "/x")]
        {
            assert_eq!(of(verb, query).unwrap_err().errors[0].pointer, pointer);
        }
    }
}
