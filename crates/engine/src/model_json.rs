//! Finds the JSON in a model's answer. Small models put fences and sentences around it.

use serde_json::Value;

/// The object or list in `answer`, ignoring the text around it.
pub(crate) fn json_in(answer: &str) -> Option<Value> {
    let whole = serde_json::from_str(answer.trim()).ok();
    whole.filter(is_structured).or_else(|| between(answer, '{', '}')).or_else(|| between(answer, '[', ']'))
}

fn between(answer: &str, open: char, close: char) -> Option<Value> {
    let (start, end) = (answer.find(open)?, answer.rfind(close)?);
    serde_json::from_str(answer.get(start..=end)?).ok()
}

fn is_structured(value: &Value) -> bool {
    value.is_object() || value.is_array()
}

/// A number that a model wrote as a number or as text, with or without brackets or a `#`.
pub(crate) fn number_in(value: &Value) -> Option<usize> {
    match value {
        Value::Number(number) => number.as_u64().and_then(|number| usize::try_from(number).ok()),
        Value::String(text) => text.trim_matches(|c: char| !c.is_ascii_alphanumeric()).parse().ok(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn json_is_found_between_fences_and_sentences() {
        for (answer, expected) in [
            (r#"{"select":[1]}"#, Some(json!({ "select": [1] }))),
            ("```json\n{\"select\":[1]}\n```", Some(json!({ "select": [1] }))),
            ("Here you are: [3, 1]. Enjoy!", Some(json!([3, 1]))),
            ("I can't help with that.", None),
            ("{\"select\": [1,", None),
            ("7", None),
            ("", None),
        ] {
            assert_eq!(json_in(answer), expected, "{answer}");
        }
    }

    #[test]
    fn a_number_is_read_as_models_write_it() {
        for (value, expected) in [
            (json!(3), Some(3)),
            (json!("[4]"), Some(4)),
            (json!("#5"), Some(5)),
            (json!(-1), None),
            (json!("five"), None),
        ] {
            assert_eq!(number_in(&value), expected, "{value}");
        }
    }
}
