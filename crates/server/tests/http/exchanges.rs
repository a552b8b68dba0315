//! What was remembered of something said: in the answer itself, and afterwards for whoever may see it.

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::audience::{ask, key};
use crate::fixture::{Fixture, TENANT};

const SAID: &str = "Remember that my dog is called Bruno. I have diabetes.";

/// The last event of a stream.
fn done(text: &str) -> Value {
    let (_, data) = text.split_once("event: done\ndata: ").unwrap();
    serde_json::from_str(data.trim()).unwrap()
}

#[tokio::test]
async fn a_chat_says_what_was_remembered_and_the_next_request_knows_it() {
    let fixture = Fixture::new().await;
    fixture.maya().await;
    let body = json!({ "message": SAID, "user": TENANT, "persona": "maya-chen", "subject": "ana" });
    let answer = fixture.ask("POST", "/chat", Some(body)).await;
    let done = done(&answer.text);
    assert_eq!(done["exchange_id"], answer.header("x-exchange-id"));
    assert_eq!(done["formation"], "done");
    let refused = &done["notKept"][0];
    assert_eq!((&refused["reason"], &refused["category"]), (&json!("sensitive_forbidden"), &json!("health")));
    assert!(refused["recordUntil"].is_string(), "{done}");
    let id = done["remembered"][0]["id"].as_str().unwrap();
    let memory = fixture.ask("GET", &format!("/v1/personas/maya-chen/memories/{id}"), None).await.json();
    assert_eq!(memory["memory"]["gist"], done["remembered"][0]["gist"], "{memory}");
    assert_eq!(memory["memory"]["pinned"], true);
}

#[tokio::test]
async fn a_prompt_says_the_same_whether_it_is_streamed_or_not() {
    let fixture = Fixture::new().await;
    let maya = fixture.maya().await;
    let body = |said: &str| {
        Some(json!({ "tenantId": TENANT, "personaId": maya, "userPrompt": said, "subject": "ana" }))
    };
    let answer = fixture.ask("POST", "/personas/prompt", body(SAID)).await;
    let whole = answer.json();
    assert_eq!(whole["exchangeId"], answer.header("x-exchange-id"));
    assert_eq!((&whole["formation"], whole["remembered"].as_array().unwrap().len()), (&json!("done"), 1));
    let streamed =
        fixture.ask("POST", "/personas/prompt/stream", body("Remember that my cat is called Minka.")).await;
    let last = done(&streamed.text);
    assert_eq!(last["exchangeId"], streamed.header("x-exchange-id"));
    assert!(last["remembered"][0]["gist"].as_str().unwrap().contains("Minka"), "{last}");
}

#[tokio::test]
async fn an_exchange_is_its_subjects() {
    let fixture = Fixture::new().await;
    fixture.maya().await;
    let plain = key(&fixture, "forwarded", &["read", "write"]).await;
    let said = json!({ "model": "maya-chen", "messages": [{ "role": "user", "content": SAID }] });
    let ana = &[("x-user-id", "ana")][..];
    let answer = ask(&fixture, &plain, ("POST", "/v1/chat/completions"), Some(said.clone()), ana).await;
    let path = format!("/v1/exchanges/{}", answer.header("x-exchange-id"));
    for (headers, status) in [(ana, 200), (&[("x-user-id", "bob")], 404), (&[], 404)] {
        assert_eq!(ask(&fixture, &plain, ("GET", &path), None, headers).await.status, status, "{headers:?}");
    }
    let named = format!("{path}?subject=ana");
    let shown = ask(&fixture, &plain, ("GET", &named), None, &[]).await.json();
    assert!(shown["remembered"][0]["gist"].as_str().unwrap().contains("Bruno"), "{shown}");
    assert_eq!(fixture.ask("GET", &path, None).await.json(), shown, "the owner sees it too");
    assert_eq!(fixture.ask("GET", "/v1/exchanges/nonsense", None).await.status, StatusCode::NOT_FOUND);

    let unnamed = ask(&fixture, &plain, ("POST", "/v1/chat/completions"), Some(said), &[]).await;
    let (path, session) = (
        format!("/v1/exchanges/{}", unnamed.header("x-exchange-id")),
        unnamed.header("x-session-id").to_owned(),
    );
    for (headers, status) in [(&[("x-session-id", session.as_str())][..], 200), (ana, 404), (&[], 404)] {
        assert_eq!(ask(&fixture, &plain, ("GET", &path), None, headers).await.status, status, "{headers:?}");
    }
}

#[tokio::test]
async fn an_exchange_goes_with_its_conversation() {
    let fixture = Fixture::new().await;
    fixture.maya().await;
    let body = json!({ "message": SAID, "user": TENANT, "persona": "maya-chen", "subject": "ana" });
    let done = done(&fixture.ask("POST", "/chat", Some(body)).await.text);
    let path = format!("/v1/exchanges/{}", done["exchange_id"].as_str().unwrap());
    assert_eq!(fixture.ask("GET", &path, None).await.status, StatusCode::OK);
    let session = done["session_id"].as_str().unwrap();
    let gone = format!("/v1/personas/maya-chen/sessions/{session}?subject=ana");
    assert_eq!(fixture.ask("DELETE", &gone, None).await.status, StatusCode::NO_CONTENT);
    assert_eq!(fixture.ask("GET", &path, None).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_client_that_sends_only_the_new_message_continues_the_conversation_it_names() {
    let fixture = Fixture::new().await;
    fixture.maya().await;
    let plain = key(&fixture, "forwarded", &["read", "write"]).await;
    for by in ["header", "metadata"] {
        let mut exchanges = Vec::new();
        for said in ["Remember that my dog is called Bruno.", "Remember that my boat is red.", "Hello again."]
        {
            let mut body = json!({ "model": "maya-chen", "messages": [{ "role": "user", "content": said }] });
            let mut headers = vec![("x-user-id", "ana")];
            match by {
                "header" => headers.push(("x-conversation-id", "talk-one")),
                _ => body["metadata"] = json!({ "session_id": "talk-two" }),
            }
            let answer = ask(&fixture, &plain, ("POST", "/v1/chat/completions"), Some(body), &headers).await;
            assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
            exchanges.push(answer.header("x-exchange-id").to_owned());
        }
        let session = if by == "header" { "talk-one" } else { "talk-two" };
        let path = format!("/v1/personas/maya-chen/sessions/{session}");
        let turns = ask(&fixture, &plain, ("GET", &path), None, &[("x-user-id", "ana")]).await.json();
        assert_eq!(turns["turns"].as_array().unwrap().len(), 6, "{by}: {turns}");
        exchanges.dedup();
        assert_eq!(exchanges.len(), 3);
    }
    let list = ("GET", "/v1/personas/maya-chen/memories");
    let memories = ask(&fixture, &plain, list, None, &[("x-user-id", "ana")]).await.json();
    assert_eq!(memories["data"].as_array().unwrap().len(), 2, "{memories}");
}
