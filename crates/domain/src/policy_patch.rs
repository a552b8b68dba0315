//! Changing a part of a policy (RFC 7396): what isn't named stays.

use serde_json::{Map, Value};

use crate::MemoryPolicy;
use crate::problem::{Problem, ProblemCode};

/// Keys that may be absent, so that `null` removes them.
const OPTIONAL: [&str; 3] = ["decayDefaults", "timelineDecay", "aboutness"];
/// Keys whose value may be `null`, which means "without an end" and is stored.
const NULLABLE: [&str; 2] = ["ownerDays", "recordDays"];
/// The object whose keys are classes, each with a number of days or `null`.
const PER_CLASS: &str = "perPrivacyClass";

/// Puts `patch` over `policy`, both as `memoryPolicy` is written. What can't be removed is named.
pub fn merge(policy: &mut Value, patch: &Value) -> Result<(), Vec<Problem>> {
    let mut problems = Vec::new();
    match (policy.as_object_mut(), patch.as_object()) {
        (Some(policy), Some(patch)) => merge_object(policy, patch, "", "/memoryPolicy", &mut problems),
        (None, _) | (_, None) => {
            problems.push(Problem::error(ProblemCode::WrongType, "/memoryPolicy", "must be an object"));
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// The patch that turns any policy into `policy`: optional keys it lacks are removed.
#[must_use]
pub fn replacing(policy: &MemoryPolicy) -> Value {
    let mut patch = serde_json::to_value(policy).unwrap_or_default();
    for key in ["decayDefaults", "timelineDecay"] {
        if let Some(keys) = patch.as_object_mut() {
            keys.entry(key).or_insert(Value::Null);
        }
    }
    if let Some(ranking) = patch.get_mut("ranking").and_then(Value::as_object_mut) {
        ranking.entry("aboutness").or_insert(Value::Null);
    }
    patch
}

fn merge_object(
    object: &mut Map<String, Value>,
    patch: &Map<String, Value>,
    name: &str,
    pointer: &str,
    problems: &mut Vec<Problem>,
) {
    for (key, new) in patch {
        let at = format!("{pointer}/{key}");
        match (object.get_mut(key), new) {
            (_, Value::Null) if name == PER_CLASS || NULLABLE.contains(&key.as_str()) => {
                object.insert(key.clone(), Value::Null);
            }
            (_, Value::Null) if OPTIONAL.contains(&key.as_str()) => {
                object.remove(key);
            }
            (_, Value::Null) => {
                let message = "can't be removed; leave it out to keep it, or give a value";
                problems.push(Problem::error(ProblemCode::MissingField, at, message));
            }
            (Some(Value::Object(inner)), Value::Object(new)) => {
                merge_object(inner, new, key, &at, problems);
            }
            (_, new) => {
                object.insert(key.clone(), new.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::MemoryPolicy;

    #[test]
    fn what_is_not_named_stays_and_null_removes_or_is_stored() {
        let before = serde_json::to_value(MemoryPolicy::default()).unwrap();
        let mut changed = before.clone();
        let patch = json!({
            "maxAtoms": 7,
            "retentionPolicy": { "perPrivacyClass": { "non-pii": null, "guest-pii": 30 }, "ownerDays": null },
            "timelineDecay": null,
        });
        merge(&mut changed, &patch).unwrap();
        assert_eq!(changed["maxAtoms"], 7);
        assert_eq!(changed["retentionPolicy"]["perPrivacyClass"]["guest-pii"], 30);
        assert_eq!(changed["retentionPolicy"]["perPrivacyClass"]["staff-pii"], 365);
        assert_eq!(changed["retentionPolicy"]["defaultRetentionDays"], 365);
        assert_eq!(changed["creationPolicy"], before["creationPolicy"]);
        let refused = merge(&mut changed, &json!({ "retentionPolicy": null, "maxAtoms": null })).unwrap_err();
        let places: Vec<&str> = refused.iter().map(|problem| problem.pointer.as_str()).collect();
        assert_eq!(places, ["/memoryPolicy/retentionPolicy", "/memoryPolicy/maxAtoms"]);
    }
}
