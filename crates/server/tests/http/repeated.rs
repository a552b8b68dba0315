//! The same request again under its `Idempotency-Key`: the same answer, and nothing done twice.

use axum::http::Method;
use engine::{Call, Caller, Repetition, RequestKey};
use serde_json::{Value, json};
use server::client::Ask;

use crate::fixture::{Answer, Fixture, TENANT, now};

async fn sent(fixture: &Fixture, path: &str, key: &str, body: &Value) -> Answer {
    let mut request = fixture.request("POST", path, Some(body.clone()));
    request.headers_mut().insert("idempotency-key", key.parse().unwrap());
    fixture.send(request).await
}

async fn key(fixture: &Fixture, speaks: &str) -> String {
    let body = json!({ "scopes": ["read", "write", "admin"], "speaks": speaks });
    let ask = Ask::new(Method::POST, "/v1/keys").with_body(&body);
    let answer: Value = fixture.local(TENANT).send(ask).await.unwrap().read().unwrap();
    answer["secret"].as_str().unwrap().to_owned()
}

async fn turns(fixture: &Fixture) -> usize {
    let sessions = fixture.ask("GET", "/v1/personas/maya-chen/sessions", None).await.json();
    let mut turns = 0;
    for session in sessions["data"].as_array().unwrap() {
        let path = format!("/v1/personas/maya-chen/sessions/{}", session["id"].as_str().unwrap());
        turns += fixture.ask("GET", &path, None).await.json()["turns"].as_array().unwrap().len();
    }
    turns
}

#[tokio::test]
async fn a_key_made_twice_is_one_key_whose_secret_was_shown_once() {
    let fixture = Fixture::new().await;
    let asked = json!({ "scopes": ["read"] });
    let first = sent(&fixture, "/v1/keys", "k", &asked).await.json();
    let again = sent(&fixture, "/v1/keys", "k", &asked).await;
    assert_eq!((again.status.as_u16(), &again.json()["key"]), (201, &first["key"]));
    assert!(first["secret"].is_string() && again.json().get("secret").is_none(), "{}", again.text);
    let all = fixture.ask("GET", "/v1/keys", None).await.json();
    assert_eq!(all["keys"].as_array().unwrap().len(), 2, "the fixture's own and this one");
    let other = sent(&fixture, "/v1/keys", "k", &json!({ "scopes": ["write"] })).await;
    assert_eq!(other.problem()["code"], "idempotency_mismatch");
}

#[tokio::test]
async fn a_reminder_noted_twice_is_one_reminder() {
    let mut fixture = Fixture::new().await;
    fixture.maya().await;
    fixture.key = key(&fixture, "owner").await;
    let path = "/v1/personas/maya-chen/tools/add_reminder";
    let asked = json!({ "arguments": { "text": "Water the plants." } });
    for _ in 0..2 {
        assert_eq!(sent(&fixture, path, "k", &asked).await.status.as_u16(), 200);
    }
    let list = "/v1/personas/maya-chen/tools/list_reminders";
    let listed = sent(&fixture, list, "l", &json!({})).await.text;
    assert_eq!(listed.matches("Water the plants").count(), 1, "{listed}");
    sent(&fixture, path, "k2", &asked).await;
    let anew = sent(&fixture, list, "l", &json!({})).await.text;
    assert_eq!(anew.matches("Water the plants").count(), 2, "what only reads is read anew: {anew}");
}

#[tokio::test]
async fn talk_that_is_repeated_gets_its_stored_reply_and_is_one_exchange() {
    let mut fixture = Fixture::new().await;
    let maya = fixture.maya().await;
    fixture.key = key(&fixture, "owner").await;
    let message = "When does the pool open?";
    let prompt = json!({ "tenantId": TENANT, "personaId": maya, "userPrompt": message });
    let messages = json!([{ "role": "user", "content": message }]);
    let mut expected = 0;
    for (path, body) in [
        ("/chat", json!({ "persona": maya, "message": message, "session_id": "s1" })),
        ("/personas/prompt", prompt.clone()),
        ("/personas/prompt/stream", prompt),
        ("/v1/chat/completions", json!({ "model": "maya-chen", "messages": messages })),
        ("/v1/responses", json!({ "model": "maya-chen", "input": messages })),
    ] {
        let first = sent(&fixture, path, path, &body).await;
        assert_eq!(first.status.as_u16(), 200, "{path}: {}", first.text);
        expected = turns(&fixture).await.max(expected);
        let again = sent(&fixture, path, path, &body).await;
        assert_eq!(again.status.as_u16(), 200, "{path}: {}", again.text);
        assert_eq!(turns(&fixture).await, expected, "{path} was said twice");
        let words = "I can only look things up";
        assert_eq!(again.text.contains(words), first.text.contains(words), "{path}: {}", again.text);
        let mut other = body.clone();
        other["x"] = json!(1);
        let other = sent(&fixture, path, path, &json!({ "other": other })).await;
        assert!(other.status.is_client_error(), "{path}");
    }
}

#[tokio::test]
async fn nobody_gets_anothers_reply_by_their_key() {
    let mut fixture = Fixture::new().await;
    fixture.maya().await;
    fixture.key = key(&fixture, "forwarded").await;
    let body = json!({ "model": "maya-chen", "messages": [{ "role": "user", "content": "Hello there" }] });
    let mut statuses = Vec::new();
    for who in ["ana", "ana", "bob"] {
        let mut request = fixture.request("POST", "/v1/chat/completions", Some(body.clone()));
        request.headers_mut().insert("idempotency-key", "k".parse().unwrap());
        request.headers_mut().insert("x-user-id", who.parse().unwrap());
        statuses.push(fixture.send(request).await.status.as_u16());
    }
    assert_eq!(statuses, [200, 200, 422]);
}

#[tokio::test]
async fn off_the_record_a_request_can_not_be_recognised_so_its_key_is_refused() {
    let mut fixture = Fixture::new().await;
    let maya = fixture.maya().await;
    fixture.key = key(&fixture, "owner").await;
    let body = json!({ "persona": maya, "message": "Between us.", "off_record": true });
    let refused = sent(&fixture, "/chat", "k", &body).await;
    assert_eq!(refused.problem()["code"], "usage", "{}", refused.text);
    assert_eq!(fixture.ask("POST", "/chat", Some(body)).await.status.as_u16(), 200);
}

#[tokio::test]
async fn what_is_gone_since_is_said_to_be_gone_and_not_made_again() {
    let fixture = Fixture::new().await;
    let asked = json!({ "name": "inara" });
    assert_eq!(sent(&fixture, "/setup/persona", "k", &asked).await.status.as_u16(), 201);
    assert_eq!(sent(&fixture, "/setup/persona", "k", &asked).await.status.as_u16(), 201);
    assert_eq!(fixture.ask("DELETE", "/personas/inara", None).await.status.as_u16(), 204);
    let gone = sent(&fixture, "/setup/persona", "k", &asked).await;
    assert_eq!((gone.status.as_u16(), &gone.problem()["code"]), (410, &json!("resource_gone")));
}

#[tokio::test]
async fn what_is_being_answered_is_refused_until_it_is_and_a_day_later_it_is_new() {
    let fixture = Fixture::new().await;
    let caller = Caller::local(TENANT.parse().unwrap(), domain::Actor::operator("did:key:test"));
    let request = Some(RequestKey { key: "k".to_owned(), content: b"POST /v1/keys".to_vec() });
    let call = Call { caller, now: now(), request };
    let Some(Repetition::First(ticket)) = fixture.engine.begin_request(&call).await.unwrap() else {
        panic!("it was never sent")
    };
    let refused = fixture.engine.begin_request(&call).await.unwrap_err();
    assert_eq!(refused.code, wire::Code::RequestInFlight);
    fixture.engine.end_request(&call, ticket, 201, Some("7f3a".to_owned())).await.unwrap();
    let again = fixture.engine.begin_request(&call).await.unwrap();
    assert!(matches!(again, Some(Repetition::Repeated(Some(id))) if id == "7f3a"));
    let later = Call { now: now().plus(domain::Days(1.0)), ..call };
    let Some(Repetition::First(ticket)) = fixture.engine.begin_request(&later).await.unwrap() else {
        panic!("a day is over")
    };
    fixture.engine.end_request(&later, ticket, 201, Some("7f3b".to_owned())).await.unwrap();
    assert!(matches!(fixture.engine.begin_request(&later).await.unwrap(), Some(Repetition::Repeated(_))));
}

#[tokio::test]
async fn a_refused_request_may_be_sent_again_under_its_key() {
    let fixture = Fixture::new().await;
    let taken = json!({ "name": "inara" });
    fixture.ask("POST", "/setup/persona", Some(taken.clone())).await;
    assert_eq!(sent(&fixture, "/setup/persona", "k", &taken).await.status.as_u16(), 409);
    fixture.ask("DELETE", "/personas/inara", None).await;
    assert_eq!(sent(&fixture, "/setup/persona", "k", &taken).await.status.as_u16(), 201);
}
