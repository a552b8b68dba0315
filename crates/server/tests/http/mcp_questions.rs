//! Questions to the client's person, in both eras: what is answered decides, on whichever node the answer arrives, and
//! an answer counts only for the question it was given to.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::Request;
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use server::{Config, Server};
use tower::ServiceExt as _;

use crate::fixture::{ADDRESS, Fixture, clock};
use crate::mcp::{anas, call, legacy, modern};

const ELICITATION: &str = "elicitation";

async fn added(fixture: &Fixture, path: &str, gist: &str) -> Value {
    let added = call(fixture, path, "add_memory", json!({ "gist": gist })).await;
    added["structuredContent"]["memory"]["id"].clone()
}

fn yes(yes: bool) -> Value {
    json!({ "confirm": { "action": "accept", "content": { "yes": yes } } })
}

/// Calls `forget_memory` in the stateless era, with `more` beside its arguments.
async fn forget(fixture: &Fixture, path: &str, id: &Value, more: Value) -> Value {
    let mut params = json!({ "name": "forget_memory", "arguments": { "id": id } });
    params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    modern(fixture, path, "tools/call", params, json!({ ELICITATION: {} })).await.json()
}

#[tokio::test]
async fn without_sessions_the_person_decides_what_is_forgotten() {
    let (fixture, path) = anas().await;
    let id = added(&fixture, &path, "Ana sails.").await;
    let asks = forget(&fixture, &path, &id, json!({})).await["result"].clone();
    assert_eq!(asks["resultType"], "input_required", "{asks}");
    let question = &asks["inputRequests"]["confirm"];
    assert_eq!(question["method"], "elicitation/create");
    assert!(question["params"]["message"].as_str().unwrap().contains("Ana sails."));
    let state = &asks["requestState"];
    let no =
        forget(&fixture, &path, &id, json!({ "inputResponses": yes(false), "requestState": state })).await;
    assert_eq!(no["result"]["structuredContent"]["forgotten"], false, "{no}");
    for unreadable in
        [json!({ "other": {} }), json!({ "confirm": 7 }), json!({ "confirm": { "action": "accept" } })]
    {
        let again =
            forget(&fixture, &path, &id, json!({ "inputResponses": unreadable, "requestState": state }))
                .await;
        assert_eq!(again["result"]["resultType"], "input_required", "{again}");
    }
    let agreed =
        forget(&fixture, &path, &id, json!({ "inputResponses": yes(true), "requestState": state })).await;
    assert_eq!(agreed["result"]["structuredContent"]["forgotten"], true, "{agreed}");
}

#[tokio::test]
async fn an_answer_counts_for_its_own_question_only() {
    let (mut fixture, path) = anas().await;
    let (one, other) =
        (added(&fixture, &path, "Ana sails.").await, added(&fixture, &path, "Ana rows on Sundays.").await);
    let state = forget(&fixture, &path, &one, json!({})).await["result"]["requestState"].clone();
    let state = state.as_str().unwrap();
    for wrong in [json!(null), json!(""), json!("7.AAAA"), json!(format!("{state}A"))] {
        let refused =
            forget(&fixture, &path, &one, json!({ "inputResponses": yes(true), "requestState": wrong }))
                .await;
        assert_eq!(refused["error"]["code"], -32602, "{refused}");
    }
    let answered = json!({ "inputResponses": yes(true), "requestState": state });
    let refused = forget(&fixture, &path, &other, answered.clone()).await;
    assert_eq!(refused["error"]["code"], -32602, "a yes to one memory is none to another: {refused}");
    fixture.key = fixture.new_key(crate::fixture::TENANT, &["read", "write", "admin"]).await;
    let refused = forget(&fixture, &path, &one, answered).await;
    assert_eq!(refused["error"]["code"], -32602, "nor with another key: {refused}");
}

/// The events of an answer, one at a time.
async fn next_event(body: &mut Body) -> Option<Value> {
    loop {
        let frame: Bytes = body.frame().await?.unwrap().into_data().unwrap();
        let text = String::from_utf8(frame.to_vec()).unwrap();
        let data = text.lines().find_map(|line| line.strip_prefix("data: "));
        if let Some(data) = data {
            return Some(serde_json::from_str(data).unwrap());
        }
    }
}

fn with_session(fixture: &Fixture, path: &str, session: &str, message: Value) -> Request<Body> {
    let mut request = fixture.request("POST", path, Some(message));
    let headers = request.headers_mut();
    headers.insert("mcp-session-id", session.parse().unwrap());
    headers.insert("accept", "application/json, text/event-stream".parse().unwrap());
    request
}

async fn session_of(fixture: &Fixture, path: &str, capabilities: Value) -> String {
    let params = json!({
        "protocolVersion": "2025-11-25", "capabilities": capabilities,
        "clientInfo": { "name": "old-client", "version": "1" },
    });
    legacy(fixture, path, "initialize", params).await.header("mcp-session-id").to_owned()
}

fn forgetting(id: &Value) -> Value {
    json!({
        "jsonrpc": "2.0", "id": 3, "method": "tools/call",
        "params": { "name": "forget_memory", "arguments": { "id": id } },
    })
}

/// Another node of the same deployment.
fn another_node(fixture: &Fixture) -> Router {
    let server = Server::new(Arc::clone(&fixture.engine), clock(), Config::default());
    server.public_router(ADDRESS.parse().unwrap())
}

#[tokio::test]
async fn with_a_handshake_the_question_is_an_event_and_the_answer_may_reach_another_node() {
    let (fixture, path) = anas().await;
    let id = added(&fixture, &path, "Ana sails.").await;
    let session = session_of(&fixture, &path, json!({ ELICITATION: {} })).await;
    assert!(!session.is_empty() && session.bytes().all(|byte| byte.is_ascii_graphic()), "{session}");
    for agrees in [false, true] {
        // The call goes to a node that has never seen the session.
        let asked = with_session(&fixture, &path, &session, forgetting(&id));
        let answer = another_node(&fixture).oneshot(asked).await.unwrap();
        assert_eq!(answer.headers()["content-type"], "text/event-stream");
        let mut body = answer.into_body();
        let question = next_event(&mut body).await.unwrap();
        assert_eq!(question["method"], "elicitation/create", "{question}");
        let said = json!({
            "jsonrpc": "2.0", "id": question["id"],
            "result": { "action": "accept", "content": { "yes": agrees } },
        });
        let noted = fixture.send(with_session(&fixture, &path, &session, said)).await;
        assert_eq!((noted.status.as_u16(), noted.text.as_str()), (202, ""));
        let done = next_event(&mut body).await.unwrap();
        assert_eq!(
            (&done["id"], &done["result"]["structuredContent"]["forgotten"]),
            (&json!(3), &json!(agrees))
        );
        assert!(next_event(&mut body).await.is_none());
    }
    let left = call(&fixture, &path, "list_memories", json!({})).await;
    assert_eq!(left["structuredContent"]["memories"], json!([]));
}

#[tokio::test]
async fn somebody_elses_answer_means_nothing() {
    let (mut fixture, path) = anas().await;
    let id = added(&fixture, &path, "Ana sails.").await;
    let session = session_of(&fixture, &path, json!({ ELICITATION: {} })).await;
    let asked = with_session(&fixture, &path, &session, forgetting(&id));
    let mut body = fixture.public.clone().oneshot(asked).await.unwrap().into_body();
    let question = next_event(&mut body).await.unwrap();
    let said = |yes: bool| json!({ "jsonrpc": "2.0", "id": question["id"], "result": { "action": "accept", "content": { "yes": yes } } });
    let anas_key = fixture.key.clone();
    fixture.key = fixture.new_key(crate::fixture::TENANT, &["read", "write", "admin"]).await;
    assert_eq!(fixture.send(with_session(&fixture, &path, &session, said(true))).await.status.as_u16(), 202);
    fixture.key = anas_key;
    assert_eq!(fixture.send(with_session(&fixture, &path, &session, said(false))).await.status.as_u16(), 202);
    let done = next_event(&mut body).await.unwrap();
    assert_eq!(done["result"]["structuredContent"]["forgotten"], false, "{done}");
}

#[tokio::test]
async fn a_client_that_can_not_ask_gets_no_session_and_no_question() {
    let (fixture, path) = anas().await;
    assert_eq!(session_of(&fixture, &path, json!({})).await, "");
    let id = added(&fixture, &path, "Ana sails.").await;
    let done = call(&fixture, &path, "forget_memory", json!({ "id": id })).await;
    assert_eq!(done["structuredContent"]["forgotten"], true, "{done}");
    for nobodys in [json!("selfhood-nothing"), json!(7), json!("x")] {
        let said = json!({ "jsonrpc": "2.0", "id": nobodys, "result": { "action": "accept" } });
        assert_eq!(fixture.ask("POST", &path, Some(said)).await.status.as_u16(), 202);
    }
}
