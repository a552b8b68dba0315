//! `X-Off-The-Record`: every way to talk or recall obeys it, and every route that would store something refuses it.

use serde_json::{Value, json};
use wire::key::KeyScope;
use wire::route::ROUTES;

use crate::audience::key;
use crate::fixture::{Answer, Fixture, TENANT};
use crate::mcp::anas;

const SAID: &str = "Remember that my uncle lives in Bari.";

/// A fixture with Maya, whose key speaks for the owner.
async fn owners() -> (Fixture, String) {
    let mut fixture = Fixture::new().await;
    let maya = fixture.maya().await;
    fixture.key = key(&fixture, "owner", &["read", "write"]).await;
    (fixture, maya)
}

async fn off_record(fixture: &Fixture, path: &str, body: Value) -> Answer {
    let mut request = fixture.request("POST", path, Some(body));
    request.headers_mut().insert("x-off-the-record", "1".parse().unwrap());
    fixture.send(request).await
}

/// The files of the home that contain `text`: day logs are plain files, everything else is sealed.
fn files_with(fixture: &Fixture, text: &str) -> Vec<std::path::PathBuf> {
    let mut folders = vec![fixture.folder.path().to_owned()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if String::from_utf8_lossy(&std::fs::read(&path).unwrap_or_default()).contains(text) {
                found.push(path);
            }
        }
    }
    found
}

#[tokio::test]
async fn whoever_talks_with_the_header_leaves_no_turn_no_memory_and_no_trace() {
    let (fixture, maya) = owners().await;
    let prompt = json!({ "tenantId": TENANT, "personaId": maya, "userPrompt": SAID });
    for (path, body) in [
        ("/chat", json!({ "message": SAID, "persona": "maya-chen" })),
        ("/personas/prompt", prompt.clone()),
        ("/personas/prompt/stream", prompt),
        (
            "/v1/chat/completions",
            json!({ "model": "maya-chen", "messages": [{ "role": "user", "content": SAID }] }),
        ),
        ("/v1/responses", json!({ "model": "maya-chen", "input": SAID })),
    ] {
        let answer = off_record(&fixture, path, body).await;
        assert_eq!(answer.status.as_u16(), 200, "{path}: {}", answer.text);
        for header in ["x-recall-id", "x-exchange-id"] {
            assert_eq!(answer.header(header), "", "{path}");
        }
        let sessions = fixture.ask("GET", "/v1/personas/maya-chen/sessions", None).await.json();
        assert_eq!(sessions["data"], json!([]), "{path} leaves a conversation");
        let memories = fixture.ask("GET", "/v1/personas/maya-chen/memories", None).await.json();
        assert_eq!(memories["data"], json!([]), "{path} leaves a memory");
        assert_eq!(files_with(&fixture, "uncle"), Vec::<std::path::PathBuf>::new(), "{path}");
    }
}

#[tokio::test]
async fn a_recall_with_the_header_leaves_no_trace() {
    let (fixture, maya) = crate::talk::fixture().await;
    let path = format!("/v1/personas/{maya}/recall");
    let cue = json!({ "cue": "Where is strong coffee served?" });
    let traced = fixture.ask("POST", &path, Some(cue.clone())).await.json();
    let hidden = off_record(&fixture, &path, cue).await.json();
    assert_eq!(traced["memories"], hidden["memories"]);
    for (answer, status) in [(traced, 200), (hidden, 404)] {
        let why = format!("/v1/recalls/{}", answer["recallId"].as_str().unwrap());
        assert_eq!(fixture.ask("GET", &why, None).await.status.as_u16(), status, "{why}");
    }
}

#[tokio::test]
async fn what_is_asked_only_to_be_stored_is_refused_and_stores_nothing() {
    let (fixture, maya) = owners().await;
    let exchange = json!({ "said": SAID, "reply": "Noted." });
    let later = json!({ "tenantId": TENANT, "personaId": maya, "userPrompt": SAID, "mode": "async" });
    for (path, body) in [
        ("/v1/personas/maya-chen/exchanges", exchange),
        ("/v1/personas/maya-chen/memories", crate::fixture::memory("The lift is out of order.")),
        ("/personas/prompt", later),
    ] {
        let refused = off_record(&fixture, path, body).await;
        assert_eq!((refused.status.as_u16(), &refused.problem()["code"]), (400, &json!("usage")), "{path}");
    }
    let sessions = fixture.ask("GET", "/v1/personas/maya-chen/sessions", None).await.json();
    assert_eq!(sessions["data"], json!([]));
    let tool = json!({ "arguments": { "text": SAID } });
    let refused = off_record(&fixture, "/v1/personas/maya-chen/tools/remember", tool).await;
    assert_eq!((refused.status.as_u16(), &refused.problem()["code"]), (403, &json!("forbidden")));
    let memories = fixture.ask("GET", "/v1/personas/maya-chen/memories", None).await.json();
    assert_eq!(memories["data"], json!([]));
}

#[tokio::test]
async fn an_agent_off_the_record_recalls_without_a_trace_and_stores_nothing() {
    let (fixture, path) = anas().await;
    let call = |tool: &str, arguments: Value| {
        let params = json!({ "name": tool, "arguments": arguments });
        json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params })
    };
    let recall = || call("recall", json!({ "cue": "coffee" }));
    let traced = fixture.ask("POST", &path, Some(recall())).await.json();
    let hidden = off_record(&fixture, &path, recall()).await.json();
    for (answer, status) in [(traced, 200), (hidden, 404)] {
        let id = answer["result"]["structuredContent"]["recallId"].as_str().unwrap().to_owned();
        assert_eq!(fixture.ask("GET", &format!("/v1/recalls/{id}"), None).await.status.as_u16(), status);
    }
    let gist = json!({ "gist": "Ana's uncle lives in Bari." });
    let refused = off_record(&fixture, &path, call("add_memory", gist)).await.json();
    assert_eq!(refused["result"]["isError"], true, "{refused}");
    assert!(refused.to_string().contains("X-Off-The-Record"), "{refused}");
}

#[test]
fn every_other_route_that_needs_the_scope_write_is_refused_off_the_record() {
    let obeying: Vec<&str> = ROUTES
        .iter()
        .filter(|route| route.scope == KeyScope::Write && route.method != "DELETE")
        .filter(|route| !route.is_refused_off_record())
        .map(|route| route.verb)
        .collect();
    assert_eq!(
        obeying,
        [
            "redact_memory",
            "chat",
            "prompt_persona",
            "stream_prompt",
            "complete_chat",
            "create_response",
            "use_tool"
        ]
    );
}
