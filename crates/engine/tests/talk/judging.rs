//! What a model finds contradictory in a life, and what becomes of its answer.

use serde_json::{Value, json};
use wire::read::read_value;
use wire::timeline::ConsistencyIssue;
use wire::{Code, Problem};

use super::fixture::Fixture;
use engine_testkit::scripted_model::{role, words};

const NOW: &str = "2026-05-01T09:00:00Z";
/// The detector suspects the first two; that the third contradicts the first it can't know.
const LIFE: [(&str, &str); 3] = [
    ("Birth", "I was born in Cluj."),
    ("Childhood", "I was born in Bergen."),
    ("School", "I first saw snow and mountains at eighteen, having never left the island I was born on."),
];

/// What `answer` of a model makes of the life, and what the model was shown.
async fn found(answer: Option<&str>) -> (Result<Vec<ConsistencyIssue>, Problem>, Value) {
    let answer = answer.map(str::to_owned);
    let (roles, asked) = role(move |_| answer.as_deref().map(words)).await;
    let fixture = Fixture::with(NOW, roles).await;
    for (day, (label, facts)) in (1..).zip(LIFE) {
        let event = json!({
            "tenantId": "inn", "eventLabel": label, "facts": facts, "memoryType": "normal",
            "feelings": "calm", "interpretation": "It is part of me.", "emotionTags": ["calm"], "memoryStrength": 60,
            "eventAt": format!("2020-01-{day:02}T09:00:00Z"),
        });
        fixture
            .engine
            .append_entry(&fixture.call(), &fixture.persona, read_value(event).unwrap())
            .await
            .unwrap();
    }
    let found = fixture.engine.check_consistency(&fixture.call(), &fixture.persona).await;
    let shown = asked.lock().unwrap()[0]["messages"][1]["content"].as_str().unwrap().to_owned();
    (found.map(|answer| answer.report.issues), serde_json::from_str(&shown).unwrap())
}

#[tokio::test]
async fn the_model_decides_and_is_shown_what_the_detector_suspects() {
    let said = "```json\n{\"contradictions\": [{\"first\": 3, \"second\": 1, \"why\": \"an island without mountains\"}]}\n```";
    let (found, shown) = found(Some(said)).await;
    let found = found.unwrap();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].message, "Potential contradiction: Birth <-> School: an island without mountains");
    assert!(found[0].related_timeline_id.is_some() && found[0].document.is_none());
    assert_eq!(shown["suspected"], json!([[1, 2]]));
    assert_eq!(shown["entries"].as_array().unwrap().len(), LIFE.len());
}

#[tokio::test]
async fn a_contradiction_of_the_identity_names_the_file() {
    let (found, _) = found(Some(r#"{"contradictions": [{"first": 0, "second": 2}]}"#)).await;
    assert_eq!(found.unwrap()[0].document.as_deref(), Some("IDENTITY.md"));
}

#[tokio::test]
async fn numbers_that_name_nothing_and_repeated_pairs_are_left_out() {
    let pairs = r#"{"contradictions": [{"first": 1, "second": 1}, {"first": 2, "second": 9},
        {"first": 0, "second": 0}, {"first": 1, "second": 2}, {"first": 2, "second": 1}]}"#;
    assert_eq!(found(Some(pairs)).await.0.unwrap().len(), 1);
}

#[tokio::test]
async fn a_model_that_fails_or_babbles_is_an_error_and_no_finding_of_the_detector() {
    for answer in [None, Some("I think they are fine."), Some(r#"{"contradictions": 3}"#)] {
        let problem = found(answer).await.0.unwrap_err();
        assert_eq!(problem.code, Code::ModelFailed, "{answer:?}");
    }
}
