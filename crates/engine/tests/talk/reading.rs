//! A model reads the shortlist of a recall: what it selects is rendered, and whatever it does wrong costs nothing.

use std::collections::BTreeMap;
use std::time::Duration;

use engine::ReadingOutcome;
use engine::converse::{Role, Roles};
use serde_json::{Value, json};
use wire::read::read_value;
use wire::recall::RecallAnswer;

use crate::fixture::{Fixture, guest, in_session};
use engine_testkit::scripted_model::{ReceivedRequests, role, words};

const GISTS: [&str; 4] = [
    "Ana is allergic to peanuts.",
    "Ana plays the cello in an orchestra.",
    "Ana drinks her coffee without sugar.",
    "Ana's sister lives in Oslo.",
];

/// A fixture where a model reads, and which remembers a few things about two guests.
async fn fixture(
    answer: impl Fn(&Value) -> Option<Value> + Send + Sync + 'static,
) -> (Fixture, ReceivedRequests) {
    let (roles, asked) = role(answer).await;
    let reader = Role { timeout: Some(Duration::from_millis(400)), ..roles.get(None).unwrap().clone() };
    let fixture =
        Fixture::with("2026-05-04T10:00:00Z", Roles::new(BTreeMap::from([("recall".to_owned(), reader)])))
            .await;
    for gist in GISTS {
        remember(&fixture, gist, "ana").await;
    }
    remember(&fixture, "Bogdan owes the bar forty euros.", "bogdan").await;
    (fixture, asked)
}

async fn remember(fixture: &Fixture, gist: &str, subject: &str) {
    let memory = json!({
        "kind": "semantic", "gist": gist, "salience": 0.6, "privacyClass": "guest-pii",
        "consentBasis": "service-delivery", "subject": subject
    });
    fixture.remember(memory).await;
}

async fn recall(fixture: &Fixture, wishes: Value) -> RecallAnswer {
    let mut asked = json!({ "cue": "What should I cook for her tonight?", "subject": "ana" });
    asked.as_object_mut().unwrap().extend(wishes.as_object().unwrap().clone());
    fixture.engine.recall(&fixture.call(), &fixture.persona, read_value(asked).unwrap()).await.unwrap()
}

fn gists(answer: &RecallAnswer) -> Vec<String> {
    let value = serde_json::to_value(answer).unwrap();
    let memories = value["memories"].as_array().unwrap().iter();
    memories.map(|memory| memory["gist"].as_str().unwrap().to_owned()).collect()
}

/// The numbers under which notes with these words are shown, in this order.
fn selecting(question: &Value, parts: &[&str]) -> Value {
    let record: Value = serde_json::from_str(question["messages"][1]["content"].as_str().unwrap()).unwrap();
    let notes = record["notes"].as_array().unwrap();
    let number = |part: &&str| {
        let note = notes.iter().find(|note| note["note"].as_str().unwrap().contains(*part));
        note.unwrap()["n"].clone()
    };
    let numbers: Vec<Value> = parts.iter().map(number).collect();
    words(&json!({ "select": numbers }).to_string())
}

async fn trace(fixture: &Fixture, answer: &RecallAnswer) -> Value {
    fixture.engine.explain_recall(&fixture.call(), answer.recall_id).await.unwrap().trace
}

#[tokio::test]
async fn what_the_model_selects_is_rendered_in_its_order_and_nothing_else() {
    let (fixture, asked) = fixture(|question| Some(selecting(question, &["Oslo", "peanuts"]))).await;
    let answer = recall(&fixture, json!({})).await;
    assert_eq!(gists(&answer), [GISTS[3], GISTS[0]]);
    assert_eq!(answer.degraded, None);
    let trace = trace(&fixture, &answer).await;
    assert_eq!(trace["reading"]["model"], "tiny");
    assert_eq!(trace["reading"]["outcome"], "selected");
    assert_eq!(trace["reading"]["selected"].as_array().unwrap().len(), 2);
    assert_eq!(trace["rejected"]["notSelected"], 2);
    let question = asked.lock().unwrap()[0]["messages"].to_string();
    assert!(question.contains("cook for her tonight") && question.contains("cello"), "{question}");
    assert!(!question.contains("Bogdan"), "nobody else's memories are shown to the model");
}

#[tokio::test]
async fn whatever_the_model_does_wrong_the_ranking_stands_and_says_so() {
    let (plain, _) = fixture(|_| None).await;
    let expected = gists(&recall(&plain, json!({ "offRecord": true })).await);
    assert_eq!(expected.len(), 4);
    for (answer, outcome) in [
        (Some(r#"{"select":[]}"#), ReadingOutcome::Unusable),
        (Some(r#"{"select":[41, 0, "mem:0123456789ab"]}"#), ReadingOutcome::Unusable),
        (Some("I would rather talk about the weather."), ReadingOutcome::Unusable),
        (None, ReadingOutcome::Failed),
    ] {
        let (fixture, asked) = fixture(move |_| answer.map(words)).await;
        let recalled = recall(&fixture, json!({})).await;
        assert_eq!(gists(&recalled), expected, "{answer:?}");
        assert!(recalled.degraded.as_ref().unwrap().contains("role `recall`"), "{:?}", recalled.degraded);
        let trace = trace(&fixture, &recalled).await;
        assert_eq!(trace["reading"]["outcome"], outcome.as_str(), "{answer:?}");
        assert_eq!(trace["degraded"].as_str(), recalled.degraded.as_deref());
        let counts = fixture.engine.reading_counts();
        assert!(counts.outcomes().any(|counted| counted == (outcome, 1)), "{counts:?}");
        assert_eq!((counts.count(), asked.lock().unwrap().len()), (1, 1));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_slow_model_is_not_waited_for() {
    let (fixture, _) = fixture(|question| {
        tokio::task::block_in_place(|| std::thread::sleep(Duration::from_secs(3)));
        Some(selecting(question, &["Oslo"]))
    })
    .await;
    let begun = std::time::Instant::now();
    let answer = recall(&fixture, json!({})).await;
    assert!(begun.elapsed() < Duration::from_millis(2500), "{:?}", begun.elapsed());
    assert_eq!(gists(&answer).len(), 4);
    assert!(answer.degraded.unwrap().contains("in time"));
}

#[tokio::test]
async fn no_more_than_the_places_are_rendered_and_foreign_numbers_are_ignored() {
    let (fixture, _) = fixture(|_| Some(words(r#"{"select":[99, 4, 3, 2, 1]}"#))).await;
    let ranked = recall(&fixture, json!({ "maxMemories": 2 })).await;
    assert_eq!(gists(&ranked).len(), 2);
    let trace = trace(&fixture, &ranked).await;
    assert_eq!(trace["reading"]["selected"].as_array().unwrap().len(), 2);
    assert_eq!(ranked.degraded, None);
}

#[tokio::test]
async fn one_turn_asks_once_and_looking_asks_nothing() {
    let (fixture, asked) = fixture(|question| Some(selecting(question, &["peanuts"]))).await;
    let wishes = json!({ "offRecord": true, "sessionId": "sess:kitchen" });
    let first = recall(&fixture, wishes.clone()).await;
    let again = recall(&fixture, wishes).await;
    assert_eq!(gists(&first), gists(&again));
    assert_eq!(asked.lock().unwrap().len(), 1);
    let then = recall(&fixture, json!({ "at": "2026-05-04T09:59:00Z" })).await;
    assert_eq!((then.degraded, asked.lock().unwrap().len()), (None, 1));
    let preview = read_value(json!({ "message": "What should I cook?", "subject": "ana" })).unwrap();
    let preview = fixture.engine.preview_context(&fixture.call(), &fixture.persona, preview).await.unwrap();
    assert_eq!((preview.reading.as_deref(), asked.lock().unwrap().len()), (Some("not-asked"), 1));
}

#[tokio::test]
async fn a_conversation_is_read_for_too() {
    let (fixture, _) = fixture(|question| Some(selecting(question, &["cello"]))).await;
    let said = in_session("sess:lobby", guest("ana", "Guess what I did last night?"));
    let conversation = fixture.begin(said).await.unwrap();
    let recall_id = conversation.recall.unwrap();
    conversation.whole().await.unwrap();
    fixture.settled().await;
    let trace = fixture.engine.explain_recall(&fixture.call(), recall_id).await.unwrap().trace;
    assert_eq!(trace["reading"]["outcome"], "selected");
    assert!(trace["rendered"].as_str().unwrap().contains("cello"));
    assert!(!trace["rendered"].as_str().unwrap().contains("peanuts"));
}

#[tokio::test]
async fn without_the_role_no_model_reads() {
    let (roles, asked) = role(|_| Some(words("Hello."))).await;
    let fixture = Fixture::with("2026-05-04T10:00:00Z", roles).await;
    remember(&fixture, GISTS[0], "ana").await;
    let answer = recall(&fixture, json!({})).await;
    assert_eq!((gists(&answer).len(), answer.degraded), (1, None));
    assert!(asked.lock().unwrap().is_empty(), "the role `chat` does not take its place");
}
