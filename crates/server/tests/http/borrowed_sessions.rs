//! Session ids that somebody else presents, in a header, in a body and as the origin of a memory.

use axum::http::Method;
use serde_json::{Value, json};
use server::client::Ask;

use crate::audience::{ask, key};
use crate::fixture::{Fixture, TENANT};

const MEMORIES: &str = "/v1/personas/maya-chen/memories";
/// The session of a memory that an operator wrote down: anybody may guess it.
const DESK: &str = "sess:bonvoy-2026-04-22";
/// The session of an unnamed speaker.
const UNNAMED: &str = "4f7b2c10-9d3e-4a85-b1c6-0e5f8a2d7b39";

/// The id of a new memory with this origin, made with `key`.
async fn memory(
    fixture: &Fixture,
    key: &str,
    gist: &str,
    more: Value,
    headers: &[(&'static str, &str)],
) -> String {
    let mut memory = json!({
        "kind": "semantic", "gist": gist, "salience": 0.9, "privacyClass": "guest-pii",
        "consentBasis": "service-delivery",
    });
    memory.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let made = ask(fixture, key, ("POST", MEMORIES), Some(memory), headers).await;
    assert_eq!(made.status, 201, "{}", made.text);
    made.json()["memory"]["id"].as_str().unwrap().to_owned()
}

fn from(session: &str, turn: u32) -> Value {
    json!({ "sessionId": session, "turnIndex": turn, "deploymentDid": "did:selfhood:test" })
}

async fn chat(fixture: &Fixture, key: &str, message: &str, headers: &[(&'static str, &str)]) -> String {
    let body = json!({ "persona": "maya-chen", "message": message });
    ask(fixture, key, ("POST", "/chat"), Some(body), headers).await.text
}

async fn session(fixture: &Fixture, key: &str, id: &str, headers: &[(&'static str, &str)]) -> Value {
    let path = format!("/v1/personas/maya-chen/sessions/{id}");
    ask(fixture, key, ("GET", &path), None, headers).await.json()
}

#[tokio::test]
async fn a_personal_memory_without_a_person_reaches_nobody_who_names_its_session() {
    let fixture = Fixture::new().await;
    fixture.maya().await;
    let owner = key(&fixture, "owner", &["read", "write", "admin"]).await;
    let guests = key(&fixture, "forwarded", &["read", "write", "erase"]).await;
    let id = memory(
        &fixture,
        &owner,
        "The guest's locker word is heron.",
        json!({ "provenance": from(DESK, 3) }),
        &[],
    )
    .await;
    let one = format!("{MEMORIES}/{id}");
    let cue = json!({ "cue": "What is the locker word?", "sessionId": DESK });
    for headers in [
        &[("x-session-id", DESK)][..],
        &[("x-session-id", DESK), ("x-user-id", "bob")],
        &[("x-session-id", DESK), ("x-user-id", "anonymous:sess:bonvoy-2026-04-22")],
    ] {
        let redact = json!({ "mode": "soft", "reason": "request" });
        for (method, path, body) in [
            ("GET", MEMORIES.to_owned(), None),
            ("GET", format!("{MEMORIES}?q=locker%20word"), None),
            ("GET", one.clone(), None),
            ("GET", format!("{one}/curve"), None),
            ("PATCH", one.clone(), Some(json!({ "gist": "The locker word is unknown." }))),
            ("POST", format!("{one}/pin"), None),
            ("POST", format!("{one}/redact"), Some(redact)),
            ("POST", "/v1/personas/maya-chen/recall".to_owned(), Some(cue.clone())),
            (
                "POST",
                "/v1/personas/maya-chen/context".to_owned(),
                Some(json!({ "message": "The locker word?", "sessionId": DESK })),
            ),
            (
                "POST",
                "/v1/personas/maya-chen/tools/recall".to_owned(),
                Some(json!({ "arguments": { "cue": "the locker word" } })),
            ),
            (
                "POST",
                "/chat".to_owned(),
                Some(json!({ "persona": "maya-chen", "message": "What is the locker word?" })),
            ),
        ] {
            let headers = [headers, &[("idempotency-key", path.as_str())]].concat();
            let answer = ask(&fixture, &guests, (method, &path), body, &headers).await;
            assert!(!answer.text.contains("heron"), "{method} {path} {headers:?}: {}", answer.text);
            if path.starts_with(&one) {
                assert_eq!(answer.status, 404, "{method} {path} {headers:?}: {}", answer.text);
            }
        }
    }
    let kept = ask(&fixture, &owner, ("GET", &one), None, &[]).await.json();
    assert_eq!(
        (&kept["memory"]["gist"], &kept["memory"]["redactionStatus"]),
        (&json!("The guest's locker word is heron."), &json!("active"))
    );
}

#[tokio::test]
async fn a_personal_memory_of_an_unnamed_speakers_session_is_theirs_alone() {
    let fixture = Fixture::new().await;
    fixture.maya().await;
    let owner = key(&fixture, "owner", &["read", "write", "admin"]).await;
    let guests = key(&fixture, "forwarded", &["read", "write"]).await;
    let origin = json!({ "provenance": from(UNNAMED, 0) });
    let id = memory(&fixture, &owner, "The guest's locker word is heron.", origin, &[]).await;
    let one = format!("{MEMORIES}/{id}");
    let recall = ("POST", "/v1/personas/maya-chen/recall");
    let cue = Some(json!({ "cue": "What is the locker word?" }));
    for (headers, is_theirs) in [
        (&[("x-session-id", UNNAMED)][..], true),
        (&[("x-session-id", UNNAMED), ("x-user-id", "bob")], false),
        (&[], false),
    ] {
        let shown = ask(&fixture, &guests, ("GET", &one), None, headers).await;
        assert_eq!(shown.status == 200, is_theirs, "{headers:?}: {}", shown.text);
        let recalled = ask(&fixture, &guests, recall, cue.clone(), headers).await;
        assert_eq!(recalled.text.contains("heron"), is_theirs, "{headers:?}: {}", recalled.text);
    }
}

#[tokio::test]
async fn a_memory_that_claims_anothers_conversation_as_its_origin_destroys_nothing_of_it() {
    let fixture = Fixture::new().await;
    fixture.maya().await;
    let guests = key(&fixture, "forwarded", &["read", "write", "erase"]).await;
    let ana = [("x-user-id", "ana"), ("x-session-id", "ana-1")];
    chat(&fixture, &guests, "Remember that my locker word is heron.", &ana).await;
    let before = session(&fixture, &guests, "ana-1", &ana[..1]).await;
    assert_eq!(before["turns"].as_array().unwrap().len(), 2, "{before}");
    let bob = [("x-user-id", "bob")];
    let origin = json!({ "subject": "bob", "provenance": from("ana-1", 0) });
    let id = memory(&fixture, &guests, "My bicycle is green.", origin, &[]).await;
    let redact = json!({ "mode": "hard", "reason": "request" });
    let sent = [bob[0], ("idempotency-key", "k")];
    let gone =
        ask(&fixture, &guests, ("POST", &format!("{MEMORIES}/{id}/redact")), Some(redact), &sent).await;
    assert_eq!(gone.status, 200, "{}", gone.text);
    let after = session(&fixture, &guests, "ana-1", &ana[..1]).await;
    assert_eq!(after["turns"], before["turns"], "{}", gone.text);
}

#[tokio::test]
async fn deleting_ones_own_turns_sets_no_other_persons_memory_aside() {
    let fixture = Fixture::new().await;
    fixture.maya().await;
    let owner = key(&fixture, "owner", &["read", "write", "admin"]).await;
    let guests = key(&fixture, "forwarded", &["read", "write", "erase"]).await;
    let bob = [("x-user-id", "bob"), ("x-session-id", "desk-1")];
    chat(&fixture, &guests, "Remember that my bicycle is green.", &bob).await;
    let anas = json!({ "subject": "ana", "provenance": from("desk-1", 0) });
    let anas = memory(&fixture, &owner, "Ana's locker word is heron.", anas, &[]).await;
    let nobodys = json!({ "privacyClass": "non-pii", "provenance": from("desk-1", 1) });
    let nobodys = memory(&fixture, &owner, "The pool opens at seven.", nobodys, &[]).await;
    let turns = session(&fixture, &guests, "desk-1", &bob[..1]).await;
    for turn in turns["turns"].as_array().unwrap() {
        let path = format!("/v1/personas/maya-chen/sessions/desk-1/turns/{}", turn["id"].as_str().unwrap());
        assert_eq!(ask(&fixture, &guests, ("DELETE", &path), None, &bob[..1]).await.status, 204);
    }
    for id in [anas, nobodys] {
        let shown = ask(&fixture, &owner, ("GET", &format!("{MEMORIES}/{id}")), None, &[]).await.json();
        assert_eq!(shown["memory"]["redactionStatus"], "active", "{shown}");
    }
}

#[tokio::test]
async fn forgetting_one_person_claims_no_memory_of_another_whose_session_they_named() {
    let fixture = Fixture::new().await;
    fixture.maya().await;
    let owner = key(&fixture, "owner", &["read", "write", "erase", "admin", "staff"]).await;
    let guests = key(&fixture, "forwarded", &["read", "write"]).await;
    let anas = json!({ "subject": "ana", "provenance": from("desk-1", 7) });
    let anas = memory(&fixture, &owner, "Ana's locker word is heron.", anas, &[]).await;
    chat(&fixture, &guests, "Good evening.", &[("x-user-id", "bob"), ("x-session-id", "desk-1")]).await;
    let asked = json!({ "subject": "bob", "reason": "request" });
    let foreseen = ask(&fixture, &owner, ("POST", "/v1/erasures/preview"), Some(asked), &[]).await;
    assert_eq!(foreseen.status, 200, "{}", foreseen.text);
    assert!(!foreseen.text.contains(&anas) && !foreseen.text.contains("heron"), "{}", foreseen.text);
}

#[tokio::test]
async fn the_list_of_jobs_has_nobody_elses_schedule() {
    let fixture = Fixture::new().await;
    fixture.maya().await;
    let guests = key(&fixture, "forwarded", &["read", "write"]).await;
    let owner = key(&fixture, "owner", &["read", "write"]).await;
    for (subject, schedule) in [("ana", "daily:07:41"), ("bob", "daily:08:52")] {
        let cron = json!({ "schedule": schedule, "type": "note", "text": "Stretch." });
        let body = json!({ "subject": subject, "arguments": cron });
        let path = "/v1/personas/maya-chen/tools/add_cron";
        assert_eq!(ask(&fixture, &guests, ("POST", path), Some(body), &[]).await.status, 200);
    }
    let ask_local = Ask::new(Method::GET, "/v1/jobs");
    let local: Value = fixture.local(TENANT).send(ask_local).await.unwrap().read().unwrap();
    let all = ask(&fixture, &owner, ("GET", "/v1/jobs"), None, &[]).await.json();
    assert_eq!(all["jobs"], local["jobs"]);
    for (headers, anas, bobs) in [
        (&[("x-user-id", "ana")][..], true, false),
        (&[("x-user-id", "bob")], false, true),
        (&[("x-session-id", UNNAMED)], false, false),
        (&[], false, false),
    ] {
        let listed = ask(&fixture, &guests, ("GET", "/v1/jobs"), None, headers).await;
        let has = |schedule: &str| listed.text.contains(schedule);
        assert_eq!((has("daily:07:41"), has("daily:08:52")), (anas, bobs), "{headers:?}: {}", listed.text);
        assert!(has("daily:03:00"), "what the persona does for everybody stays: {}", listed.text);
    }
    assert!(all.to_string().contains("daily:07:41") && all.to_string().contains("daily:08:52"), "{all}");
}
