//! From bytes to a request: JSON, then the request's schema, then its type.
//!
//! Every problem is reported with its position, and only a valid request becomes a value.

use domain::structure;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{Code, Pointed, Problem};

/// The deepest nesting a request may have.
pub const MAX_DEPTH: usize = 32;

/// Reads a request of type `T` from the JSON in `bytes`.
pub fn read<T: DeserializeOwned + JsonSchema + 'static>(bytes: &[u8]) -> Result<T, Problem> {
    let value = serde_json::from_slice(bytes).map_err(|error: serde_json::Error| {
        Problem::new(Code::MalformedJson, format!("the body is not acceptable JSON: {error}"))
    })?;
    read_value(value)
}

/// Reads a request of type `T` from a JSON value.
pub fn read_value<T: DeserializeOwned + JsonSchema + 'static>(mut value: Value) -> Result<T, Problem> {
    if depth(&value) > MAX_DEPTH {
        return Err(Problem::new(
            Code::MalformedJson,
            format!("the body nests deeper than {MAX_DEPTH} levels"),
        ));
    }
    let schema = crate::schema::of::<T>();
    let problems = structure::check_trimmed(&schema, &value);
    if !problems.is_empty() {
        return Err(invalid(problems.into_iter().map(Pointed::from).collect()));
    }
    write_whole_numbers_whole(&mut value);
    serde_json::from_value(value)
        .map_err(|error| invalid(vec![Pointed { pointer: String::new(), detail: error.to_string() }]))
}

/// The problem of a request with these invalid fields.
#[must_use]
pub fn invalid(errors: Vec<Pointed>) -> Problem {
    let first = errors.first().map(|first| match first.pointer.as_str() {
        "" => first.detail.clone(),
        pointer => format!("{pointer} {}", first.detail),
    });
    let more = match errors.len() {
        0 | 1 => String::new(),
        count => format!(" (and {} more)", count - 1),
    };
    let detail = format!("{}{more}", first.unwrap_or_else(|| "the request is invalid".to_owned()));
    Problem::new(Code::ValidationFailed, detail).pointing_at(errors)
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(properties) => 1 + properties.values().map(depth).max().unwrap_or(0),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

/// The greatest integer up to which all integers are exact in a float.
const MAX_SAFE_INTEGER: f64 = 9_007_199_254_740_991.0;

/// JSON has one kind of number, and `72.0` equals `72`; our types need the latter.
fn write_whole_numbers_whole(value: &mut Value) {
    match value {
        Value::Number(number) if number.is_f64() => {
            let float = number.as_f64().unwrap_or(f64::NAN);
            if float.fract() == 0.0 && float.abs() <= MAX_SAFE_INTEGER {
                #[expect(
                    clippy::cast_possible_truncation,
                    reason = "a whole number in this range casts exactly"
                )]
                let whole = float as i64;
                *number = whole.into();
            }
        }
        Value::Array(items) => items.iter_mut().for_each(write_whole_numbers_whole),
        Value::Object(properties) => properties.values_mut().for_each(write_whole_numbers_whole),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::recall::Recall;

    #[test]
    fn a_whole_number_may_be_written_with_a_point() {
        let asked: Recall = read_value(json!({ "cue": "coffee", "maxMemories": 32.0 })).unwrap();
        assert_eq!(asked.max_memories, Some(32));
        let refused = read_value::<Recall>(json!({ "cue": "coffee", "maxMemories": 1.5 })).unwrap_err();
        assert_eq!(refused.errors[0].pointer, "/maxMemories");
    }
}
