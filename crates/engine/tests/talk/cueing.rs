//! The job that has a model write cues: for what has none, within its budget, and nothing unlawful.

use std::sync::Arc;

use domain::{EventKind, Tokens};
use engine::converse::Roles;
use engine::{CueWriting, Distillation};
use serde_json::{Value, json};
use store::Records;
use wire::cues::{CuesOutcome, CuesReport};
use wire::read::read_value;

use crate::fixture::Fixture;
use engine_testkit::scripted_model::{role, words};

const NOW: &str = "2026-05-04T10:00:00Z";

fn memory(gist: &str) -> Value {
    json!({
        "kind": "semantic", "gist": gist, "salience": 0.6, "privacyClass": "guest-pii",
        "consentBasis": "service-delivery", "subject": "ana"
    })
}

/// The notes a question is about.
fn notes(question: &Value) -> Vec<String> {
    let record: Value = serde_json::from_str(question["messages"][1]["content"].as_str().unwrap()).unwrap();
    record["notes"].as_array().unwrap().iter().map(|note| note["text"].as_str().unwrap().to_owned()).collect()
}

/// An answer with the same cues for each note.
fn answering(question: &Value, cues: &[&str]) -> Value {
    let all: Vec<Value> = (1..=notes(question).len()).map(|n| json!({ "note": n, "cues": cues })).collect();
    words(&json!({ "cues": all }).to_string())
}

async fn run(fixture: &Fixture, asked: Value) -> CuesReport {
    fixture.engine.write_cues(&fixture.call(), read_value(asked).unwrap()).await.unwrap().cues.remove(0)
}

async fn cues(fixture: &Fixture) -> Vec<(String, Vec<String>)> {
    let texts = |value: &Value| -> Vec<String> {
        value.as_array().into_iter().flatten().map(|cue| cue.as_str().unwrap().to_owned()).collect()
    };
    let mut all: Vec<_> = fixture
        .memories()
        .await
        .iter()
        .map(|memory| (memory["gist"].as_str().unwrap().to_owned(), texts(&memory["cues"])))
        .collect();
    all.sort();
    all
}

async fn events(fixture: &Fixture, kind: EventKind) -> usize {
    let logged = fixture.engine.store().events(&fixture.scope().await, 0..u64::MAX).await.unwrap();
    logged.iter().filter(|logged| logged.event.kind == kind).count()
}

#[tokio::test]
async fn cues_are_written_once_for_what_has_none_and_unlawful_ones_are_counted() {
    let long = "x".repeat(81);
    let (roles, asked) = role(move |question| {
        Some(answering(
            question,
            &["is this dish safe", "order for 12 people", &long, "Is this dish safe", "snacks"],
        ))
    })
    .await;
    let fixture = Fixture::with(NOW, roles).await;
    fixture.remember(memory("Ana is allergic to peanuts.")).await;
    let mut authored = memory("Ana plays the cello.");
    authored["cues"] = json!(["music"]);
    fixture.remember(authored).await;
    let entry = json!({
        "tenantId": "inn", "eventAt": "2020-01-01T00:00:00Z", "eventLabel": "Named concierge",
        "facts": "I was given the crossed keys.", "feelings": "Proud.", "interpretation": "I belong here.",
        "emotionTags": [], "memoryType": "pride", "memoryStrength": 80
    });
    fixture.engine.append_entry(&fixture.call(), &fixture.persona, read_value(entry).unwrap()).await.unwrap();

    let preview = run(&fixture, json!({ "dryRun": true })).await;
    assert_eq!((preview.outcome, preview.waiting), (CuesOutcome::Previewed, 2));
    assert!(preview.tokens > 0 && asked.lock().unwrap().is_empty(), "a preview asks no model");

    let report = run(&fixture, json!({})).await;
    assert_eq!((report.outcome, report.written, report.waiting), (CuesOutcome::Written, 2, 0));
    assert_eq!(report.refused, 4, "a number and a length, for two notes");
    let kept = vec!["is this dish safe".to_owned(), "snacks".to_owned()];
    assert_eq!(
        cues(&fixture).await,
        [
            ("Ana is allergic to peanuts.".to_owned(), kept.clone()),
            ("Ana plays the cello.".to_owned(), vec!["music".to_owned()])
        ]
    );
    let (timeline, _) = fixture.engine.store().timeline(&fixture.scope().await).await.unwrap();
    assert_eq!(timeline[0].event.cues().collect::<Vec<_>>(), kept);
    assert_eq!(
        (events(&fixture, EventKind::MemoryCued).await, events(&fixture, EventKind::TimelineCued).await),
        (1, 1)
    );

    let again = run(&fixture, json!({})).await;
    assert_eq!((again.outcome, again.tokens, asked.lock().unwrap().len()), (CuesOutcome::Nothing, 0, 1));
    assert_eq!(again.tokens_today, report.tokens, "the day's budget counts both runs");
}

#[tokio::test]
async fn what_may_not_be_recalled_is_not_shown_to_the_model() {
    let (roles, asked) = role(|question| Some(answering(question, &["a cue"]))).await;
    let fixture = Fixture::with(NOW, roles).await;
    fixture.remember(memory("Ana is allergic to peanuts.")).await;
    fixture.remember(memory("Ana dislikes lilies.")).await;
    let mut old = memory("Ana took the train.");
    old["createdAt"] = json!("2023-05-04T10:00:00Z");
    fixture.remember(old).await;
    let mut faded = memory("Ana painted a door.");
    faded["createdAt"] = json!("2026-01-04T10:00:00Z");
    faded["details"] = json!([{ "content": "with a brush of hair", "brightness": 0.2 }]);
    faded["decayProfile"] = json!({ "function": "ebbinghaus", "halfLifeDays": 30, "rehearsalBoost": 1.4,
        "valenceProtection": 0.3, "minimumSalience": 0.01, "detailDecayRate": 1.5 });
    fixture.remember(faded).await;
    let lilies = fixture
        .memories()
        .await
        .into_iter()
        .find(|m| m["gist"].as_str().unwrap().contains("lilies"))
        .unwrap();
    let redact = json!({ "mode": "soft", "reason": "request" });
    let id = lilies["id"].as_str().unwrap().parse().unwrap();
    fixture
        .engine
        .redact_memory(&fixture.call(), &fixture.persona, id, read_value(redact).unwrap())
        .await
        .unwrap();
    let report = run(&fixture, json!({})).await;
    assert_eq!(report.written, 2);
    let mut shown: Vec<String> = asked.lock().unwrap().iter().flat_map(notes).collect();
    shown.sort();
    assert_eq!(shown, ["Ana is allergic to peanuts.", "Ana painted a door."]);
}

#[tokio::test]
async fn a_model_that_fails_leaves_everything_as_it_was_and_the_next_run_resumes() {
    let fails = Arc::new(std::sync::atomic::AtomicBool::new(true));
    let failing = Arc::clone(&fails);
    let (roles, asked) = role(move |question| {
        let fails = failing.load(std::sync::atomic::Ordering::Relaxed);
        if fails { Some(words("I am a teapot.")) } else { Some(answering(question, &["a cue"])) }
    })
    .await;
    let fixture = Fixture::with(NOW, roles).await;
    for n in 0..30 {
        fixture.remember(memory(&format!("Ana likes painting number {n}."))).await;
    }
    let report = run(&fixture, json!({})).await;
    assert_eq!((report.outcome, report.waiting), (CuesOutcome::Failed, 30));
    assert_eq!(report.reason.as_deref(), Some("answer-unreadable"));
    assert_eq!(asked.lock().unwrap().len(), 3, "after three failures it stops");
    fails.store(false, std::sync::atomic::Ordering::Relaxed);
    let report = run(&fixture, json!({})).await;
    assert_eq!((report.outcome, report.written, report.waiting), (CuesOutcome::Written, 30, 0));
}

#[tokio::test]
async fn a_day_costs_no_more_than_its_budget_and_the_next_night_goes_on() {
    let (roles, _) = role(|question| Some(answering(question, &["a cue"]))).await;
    let distillation = Distillation {
        cues: CueWriting { auto: true, tokens_per_day: Tokens(1_200) },
        ..Distillation::default()
    };
    let mut fixture = Fixture::with_distillation(NOW, roles, distillation).await;
    for n in 0..20 {
        fixture.remember(memory(&format!("Ana likes painting number {n}."))).await;
    }
    let first = run(&fixture, json!({})).await;
    assert_eq!(first.reason.as_deref(), Some("budget-spent"));
    assert!(first.written > 0 && first.waiting > 0, "{first:?}");
    let second = run(&fixture, json!({})).await;
    assert_eq!((second.written, second.tokens), (0, 0), "the budget is a day's, not a run's");
    for _ in 0..4 {
        fixture.later(24 * 60);
        let now = fixture.now;
        fixture.engine.run_due_jobs(&|| now).await.unwrap();
    }
    assert!(cues(&fixture).await.iter().all(|(_, cues)| cues == &["a cue"]), "the nightly job finished them");
}

#[tokio::test]
async fn without_a_model_the_job_does_nothing_and_says_so() {
    let fixture = Fixture::with(NOW, Roles::default()).await;
    fixture.remember(memory("Ana is allergic to peanuts.")).await;
    let report = run(&fixture, json!({})).await;
    assert_eq!((report.outcome, report.reason.as_deref()), (CuesOutcome::Refused, Some("no-model")));
    assert_eq!((report.model.as_str(), report.written), ("none", 0));
}
