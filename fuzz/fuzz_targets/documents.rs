//! What must hold of memories, policies and persona documents, whoever wrote them.
#![allow(dead_code, reason = "each target uses its own part")]

use domain::validate::{ValidationContext, is_valid, validate, validate_atom};
use domain::{Atom, MemoryPolicy, PersonaDocument, example, policy_patch};
use serde_json::Value;

/// Checks `bytes` as a memory.
pub fn atom(bytes: &[u8]) {
    let Ok(value) = serde_json::from_slice::<Value>(bytes) else { return };
    let now = example::day(400);
    let problems = validate_atom(&value, now);
    let read = serde_json::from_value::<Atom>(value);
    if !is_valid(&problems) {
        return;
    }
    let atom = read.expect("a valid memory is read").trimmed();
    for day in [-1, 0, 400, 40_000] {
        assert!((0.0..=1.0).contains(&atom.salience_at(example::day(day)).get()));
        let _ = atom.vividness_at(example::day(day));
    }
    let written = serde_json::to_value(&atom).expect("a memory is written");
    assert_eq!(validate_atom(&written, now).len(), problems.len(), "{written}");
    assert_eq!(serde_json::from_value::<Atom>(written).expect("a written memory is read"), atom);
}

/// Checks `bytes` as a persona document.
pub fn persona(bytes: &[u8]) {
    let Ok(value) = serde_json::from_slice::<Value>(bytes) else { return };
    let given = ValidationContext { now: example::day(400), added_bases: &[] };
    if !is_valid(&validate(&value, &given)) {
        return;
    }
    let document: PersonaDocument = serde_json::from_value(value).expect("a valid document is read");
    policy(&document.memory_policy);
    let written = serde_json::to_value(&document).expect("a document is written");
    assert!(is_valid(&validate(&written, &given)), "{written}");
    assert_eq!(
        serde_json::from_value::<PersonaDocument>(written).expect("a written document is read"),
        document
    );
}

/// Puts `bytes` over the usual policy.
pub fn policy_patch(bytes: &[u8]) {
    let Ok(patch) = serde_json::from_slice::<Value>(bytes) else { return };
    let mut merged = serde_json::to_value(MemoryPolicy::default()).expect("a policy is written");
    if policy_patch::merge(&mut merged, &patch).is_err() {
        return;
    }
    if let Ok(read) = serde_json::from_value::<MemoryPolicy>(merged) {
        policy(&read);
    }
}

/// A policy that replaces another one is that policy.
fn policy(policy: &MemoryPolicy) {
    let mut replaced = serde_json::to_value(MemoryPolicy::default()).expect("a policy is written");
    policy_patch::merge(&mut replaced, &policy_patch::replacing(policy)).expect("a policy can be replaced");
    assert_eq!(serde_json::from_value::<MemoryPolicy>(replaced).expect("a replaced policy is read"), *policy);
}
