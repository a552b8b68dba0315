//! Reads a model's selection from its answer.

use domain::MemoryId;
use recall::Shortlisted;
use serde_json::Value;

use crate::model_json::{json_in, number_in};

/// The memories of `shortlist` that `answer` names, in its order, each once. Anything else is ignored.
pub(super) fn selected(answer: &str, shortlist: &[Shortlisted]) -> Vec<MemoryId> {
    let mut selected = Vec::new();
    for named in named_in(answer) {
        let listed = number_in(&named).and_then(|number| shortlist.get(number.checked_sub(1)?));
        if let Some(listed) = listed
            && !selected.contains(&listed.id)
        {
            selected.push(listed.id);
        }
    }
    selected
}

/// The items of the list in an answer: a bare list, or the first list in an object.
fn named_in(answer: &str) -> Vec<Value> {
    let item = |item: Value| match item {
        Value::Object(mut fields) => {
            let name = ["n", "note", "id", "number"].into_iter().find(|name| fields.contains_key(*name));
            name.and_then(|name| fields.remove(name)).unwrap_or_default()
        }
        plain @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_)) => {
            plain
        }
    };
    match json_in(answer) {
        Some(Value::Array(items)) => items.into_iter().map(item).collect(),
        Some(Value::Object(fields)) => {
            let list = fields.into_iter().find_map(|(_, value)| match value {
                Value::Array(items) => Some(items),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => None,
            });
            list.unwrap_or_default().into_iter().map(item).collect()
        }
        Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) | None => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::Text;

    #[test]
    fn a_selection_is_read_in_every_shape_and_foreign_numbers_are_ignored() {
        let listed = |n: u64| Shortlisted { id: MemoryId::from_u64(n), gist: Text::new("A note.") };
        let shortlist = [listed(11), listed(12), listed(13)];
        for (answer, expected) in [
            (r#"{"select":[3,1]}"#, vec![13, 11]),
            ("```json\n{\"select\": [\"2\", 2, 1]}\n```", vec![12, 11]),
            ("I choose [1, 3].", vec![11, 13]),
            (r#"{"select":[{"n":2,"why":"food"},{"note":1}]}"#, vec![12, 11]),
            (r#"{"select":[0,4,99,-1,"mem:000000000063",2]}"#, vec![12]),
            (r#"{"select":[]}"#, vec![]),
            (r#"{"select":"all"}"#, vec![]),
            ("none of them", vec![]),
        ] {
            let expected: Vec<MemoryId> = expected.into_iter().map(MemoryId::from_u64).collect();
            assert_eq!(selected(answer, &shortlist), expected, "{answer}");
        }
    }
}
