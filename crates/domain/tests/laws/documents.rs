//! The published examples are valid, and each way to break them is reported with its code and its position.

use domain::references::fix;
use domain::validate::{ValidationContext, is_usable, validate};
use domain::{Timestamp, example};
use serde_json::{Value, json};

/// The memory atom of the published schema, verbatim.
fn published_atom() -> Value {
    json!({
        "id": "mem:7f3a8b2c0d3e",
        "kind": "episodic",
        "createdAt": "2026-04-22T14:18:42Z",
        "lastRehearsedAt": "2026-04-29T10:02:11Z",
        "rehearsalCount": 3,
        "gist": "A returning guest recognized me by name and thanked me for last week's restaurant suggestion.",
        "details": [
            { "content": "she was wearing a blue scarf", "brightness": 0.40 },
            { "content": "it was raining outside", "brightness": 0.20 },
            { "content": "she said the seafood was excellent", "brightness": 0.85 }
        ],
        "salience": 0.74,
        "emotionalValence": 0.62,
        "decayProfile": {
            "function": "ebbinghaus", "halfLifeDays": 14, "rehearsalBoost": 1.4, "valenceProtection": 0.3
        },
        "privacyClass": "guest-pii",
        "consentBasis": "service-delivery",
        "redactionStatus": "active",
        "provenance": {
            "sessionId": "sess:bonvoy-2026-04-22-uuid",
            "turnIndex": 7,
            "deploymentDid": "did:gosum:marriott:property-cluj-001"
        },
        "tags": ["returning-guest", "positive-feedback", "restaurant-recommendation"]
    })
}

/// The memory policy of the published schema, verbatim.
fn published_policy() -> Value {
    json!({
        "enabled": true,
        "scope": "deployment",
        "maxAtoms": 50000,
        "maxMemoriesPerTurn": 5,
        "rehearsalCooldownTurns": 4,
        "retrievalThreshold": 0.15,
        "confabulationPolicy": "strict",
        "creationPolicy": {
            "minSalienceForCreation": 0.25,
            "salienceClassifier": "gosum-default-v.01",
            "salienceClassifierVersion": "v.01"
        },
        "retentionPolicy": {
            "defaultRetentionDays": 365,
            "perPrivacyClass": {
                "non-pii": null, "aggregate": null, "guest-pii": 90, "staff-pii": 365, "sensitive-pii": 30,
                "commercial-confidential": 1095
            }
        },
        "rightToBeForgottenSla": {
            "acknowledgmentHours": 24, "completionHours": 720, "tombstoneRetentionDays": 2190
        },
        "auditPolicy": {
            "logCreation": true, "logRetrieval": "sampled", "logRedaction": "always", "logRehearsal": "sampled"
        }
    })
}

fn document() -> Value {
    let mut document = serde_json::to_value(example::persona()).unwrap();
    document["memoryPolicy"] = published_policy();
    document["memory"] = json!([published_atom()]);
    document
}

fn now() -> Timestamp {
    "2026-05-01T00:00:00Z".parse().unwrap()
}

fn problems(document: &Value) -> Vec<(String, String)> {
    let found = validate(document, &ValidationContext { now: now(), added_bases: &[] });
    found.iter().map(|problem| (problem.code.as_str().to_owned(), problem.pointer.clone())).collect()
}

#[test]
fn the_published_examples_are_valid() {
    assert_eq!(problems(&document()), []);
}

#[test]
fn the_published_policy_is_the_default_policy() {
    let read: domain::MemoryPolicy = serde_json::from_value(published_policy()).unwrap();
    assert_eq!(read, domain::MemoryPolicy::default());
    let profile = json!({
        "function": "ebbinghaus", "halfLifeDays": 14, "rehearsalBoost": 1.4, "valenceProtection": 0.3,
        "minimumSalience": 0.05, "detailDecayRate": 1.5
    });
    let read: domain::DecayProfile = serde_json::from_value(profile).unwrap();
    assert_eq!(read, domain::DecayProfile::default());
}

/// `(position to change, new value or nothing to remove it, expected code, expected pointer)`.
fn broken_variants() -> Vec<(&'static str, Option<Value>, &'static str, &'static str)> {
    let set = |value: Value| Some(value);
    vec![
        ("/memory/0/id", set(json!("mem:7F3A8B2C0D3E")), "bad_format", "/memory/0/id"),
        ("/memory/0/id", set(json!("7f3a8b2c0d3e")), "bad_format", "/memory/0/id"),
        ("/memory/0/id", None, "missing_field", "/memory/0/id"),
        ("/memory/0/kind", set(json!("dream")), "not_one_of", "/memory/0/kind"),
        ("/memory/0/createdAt", set(json!("2026-04-22T14:18:42")), "bad_format", "/memory/0/createdAt"),
        (
            "/memory/0/createdAt",
            set(json!("2026-05-22T14:18:42Z")),
            "times_out_of_order",
            "/memory/0/createdAt",
        ),
        ("/memory/0/createdAt", set(json!("2026-01-22T14:18:42Z")), "past_retention", "/memory/0/createdAt"),
        (
            "/memory/0/lastRehearsedAt",
            set(json!("2026-04-21T00:00:00Z")),
            "times_out_of_order",
            "/memory/0/lastRehearsedAt",
        ),
        (
            "/memory/0/lastRehearsedAt",
            set(json!("2026-05-02T00:00:00Z")),
            "times_out_of_order",
            "/memory/0/lastRehearsedAt",
        ),
        ("/memory/0/rehearsalCount", set(json!(0)), "rehearsal_mismatch", "/memory/0/lastRehearsedAt"),
        ("/memory/0/rehearsalCount", set(json!(-1)), "out_of_range", "/memory/0/rehearsalCount"),
        ("/memory/0/rehearsalCount", set(json!(1.5)), "wrong_type", "/memory/0/rehearsalCount"),
        ("/memory/0/gist", set(json!("")), "too_short", "/memory/0/gist"),
        ("/memory/0/gist", set(json!(" \n ")), "too_short", "/memory/0/gist"),
        ("/memory/0/gist", set(json!("ă".repeat(281))), "too_long", "/memory/0/gist"),
        ("/memory/0/gist", set(json!(["a"])), "wrong_type", "/memory/0/gist"),
        ("/memory/0/details", None, "missing_field", "/memory/0/details"),
        (
            "/memory/0/details/1/content",
            set(json!("x".repeat(201))),
            "too_long",
            "/memory/0/details/1/content",
        ),
        (
            "/memory/0/details/1/brightness",
            set(json!(1.01)),
            "out_of_range",
            "/memory/0/details/1/brightness",
        ),
        ("/memory/0/details/1/colour", set(json!("blue")), "unknown_field", "/memory/0/details/1/colour"),
        ("/memory/0/salience", set(json!("0.74")), "wrong_type", "/memory/0/salience"),
        ("/memory/0/salience", set(json!(0.2)), "below_creation_floor", "/memory/0/salience"),
        ("/memory/0/emotionalValence", set(json!(-1.1)), "out_of_range", "/memory/0/emotionalValence"),
        (
            "/memory/0/decayProfile/function",
            set(json!("linear")),
            "not_one_of",
            "/memory/0/decayProfile/function",
        ),
        (
            "/memory/0/decayProfile/halfLifeDays",
            set(json!(0)),
            "out_of_range",
            "/memory/0/decayProfile/halfLifeDays",
        ),
        (
            "/memory/0/decayProfile/rehearsalBoost",
            set(json!(0.9)),
            "out_of_range",
            "/memory/0/decayProfile/rehearsalBoost",
        ),
        (
            "/memory/0/decayProfile/detailDecayRate",
            set(json!(0.5)),
            "out_of_range",
            "/memory/0/decayProfile/detailDecayRate",
        ),
        (
            "/memory/0/decayProfile/minimumSalience",
            set(json!(0.2)),
            "threshold_below_minimum",
            "/memory/0/decayProfile/minimumSalience",
        ),
        ("/memory/0/privacyClass", set(json!("secret")), "not_one_of", "/memory/0/privacyClass"),
        (
            "/memory/0/privacyClass",
            set(json!("sensitive-pii")),
            "sensitive_forbidden",
            "/memory/0/privacyClass",
        ),
        (
            "/memory/0/consentBasis",
            set(json!("not-applicable")),
            "consent_basis_required",
            "/memory/0/consentBasis",
        ),
        ("/memory/0/consentBasis", set(json!("because")), "consent_basis_unknown", "/memory/0/consentBasis"),
        (
            "/memory/0/provenance/sessionId",
            set(json!("sess:api-0198")),
            "subject_required",
            "/memory/0/subject",
        ),
        (
            "/memory/0/provenance/deploymentDid",
            set(json!("did:gosum:elsewhere")),
            "foreign_deployment",
            "/memory/0/provenance/deploymentDid",
        ),
        ("/memory/0/mood", set(json!("good")), "unknown_field", "/memory/0/mood"),
        (
            "/memory/0/derivedFrom",
            set(json!(["mem:000000000001"])),
            "orphan_reference",
            "/memory/0/derivedFrom/0",
        ),
        (
            "/memory/0/gist",
            set(json!("As in mem:000000000001, she came back.")),
            "orphan_reference",
            "/memory/0/gist",
        ),
        ("/identity/name", set(json!("../inara")), "bad_format", "/identity/name"),
        ("/identity/timezone", set(json!("Mars/Olympus")), "unknown_timezone", "/identity/timezone"),
        ("/identity/version", set(json!("v.02")), "not_one_of", "/identity/version"),
        ("/safetyTier", set(json!(4)), "out_of_range", "/safetyTier"),
        ("/complianceProfiles", set(json!(["gdpr", "hogwarts"])), "not_one_of", "/complianceProfiles/1"),
        (
            "/memoryPolicy/confabulationPolicy",
            set(json!("moderate")),
            "confabulation_forbidden",
            "/memoryPolicy/confabulationPolicy",
        ),
        (
            "/memoryPolicy/auditPolicy/logRedaction",
            set(json!("never")),
            "not_one_of",
            "/memoryPolicy/auditPolicy/logRedaction",
        ),
        (
            "/memoryPolicy/creationPolicy/salienceClassifier",
            set(json!("mine")),
            "unknown_classifier",
            "/memoryPolicy/creationPolicy/salienceClassifier",
        ),
        (
            "/memoryPolicy/retentionPolicy/perPrivacyClass/guest-pii",
            set(json!(null)),
            "indefinite_retention",
            "/memoryPolicy/retentionPolicy/perPrivacyClass/guest-pii",
        ),
        (
            "/memoryPolicy/retentionPolicy/perPrivacyClass/pets",
            set(json!(1)),
            "not_one_of",
            "/memoryPolicy/retentionPolicy/perPrivacyClass/pets",
        ),
        (
            "/memoryPolicy/rightToBeForgottenSla/completionHours",
            set(json!(721)),
            "deadline_too_late",
            "/memoryPolicy/rightToBeForgottenSla/completionHours",
        ),
        ("/memoryPolicy/maxAtoms", set(json!(0)), "out_of_range", "/memoryPolicy/maxAtoms"),
        ("/soul", set(json!({})), "unknown_field", "/soul"),
    ]
}

#[test]
fn each_broken_variant_is_named_with_its_code_and_place() {
    let variants = broken_variants();
    assert!(variants.len() >= 40);
    for (place, change, code, pointer) in variants {
        let mut document = document();
        let (parent, field) = place.rsplit_once('/').unwrap();
        let parent = document.pointer_mut(parent).unwrap();
        match change {
            Some(value) if parent.is_array() => parent[field.parse::<usize>().unwrap()] = value,
            Some(value) => parent[field] = value,
            None => drop(parent.as_object_mut().unwrap().shift_remove(field)),
        }
        let found = problems(&document);
        assert!(
            found.contains(&(code.to_owned(), pointer.to_owned())),
            "{place}: expected {code} at {pointer}, found {found:?}"
        );
    }
}

#[test]
fn properties_of_others_are_kept_when_their_names_say_so() {
    let mut document = document();
    document["memory"][0]["x-hotel"] = json!({ "room": 412 });
    assert_eq!(problems(&document), []);
    let read: domain::PersonaDocument = serde_json::from_value(document.clone()).unwrap();
    assert_eq!(serde_json::to_value(read).unwrap()["memory"][0]["x-hotel"], json!({ "room": 412 }));
}

#[test]
fn fixing_repairs_references_and_rehearsal_times_and_nothing_else() {
    let mut document = document();
    document["memory"][0]["rehearsalCount"] = json!(0);
    document["memory"][0]["derivedFrom"] = json!(["mem:000000000001", "mem:7f3a8b2c0d3e"]);
    document["memory"][0]["revises"] = json!("mem:000000000002");
    document["memory"][0]["gist"] = json!("As in [mem:000000000001], she came back.");
    let before = validate(&document, &ValidationContext { now: now(), added_bases: &[] });
    assert_eq!((before.len(), is_usable(&before)), (4, false));
    assert_eq!(fix(&mut document, &before), 4);
    assert_eq!(problems(&document), []);
    let atom = &document["memory"][0];
    assert_eq!(atom["gist"], "As in [forgotten], she came back.");
    assert_eq!(atom["derivedFrom"], json!(["mem:7f3a8b2c0d3e"]));
    assert_eq!(atom["lastRehearsedAt"], atom["createdAt"]);
    assert!(atom.get("revises").is_none());
}

#[test]
fn two_memories_cannot_share_an_id_and_too_many_are_too_many() {
    let mut document = document();
    document["memory"] = json!([published_atom(), published_atom()]);
    document["memoryPolicy"]["maxAtoms"] = json!(1);
    let expected = [("too_many_atoms", "/memory"), ("duplicate_id", "/memory/1/id")];
    assert_eq!(problems(&document), expected.map(|(code, at)| (code.to_owned(), at.to_owned())));
}
