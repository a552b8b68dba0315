//! The profile for operators, which agents came, and that keys are paced, audited and revoked here as everywhere.

use serde_json::{Value, json};
use server::{Config, Limits};

use crate::fixture::{Fixture, TENANT};
use crate::mcp::{anas, call, legacy, modern};

const ADMIN: &str = "/mcp/maya-chen/admin";

/// A fixture in which Ana was talked with, and a key that may do everything.
async fn fixture() -> (Fixture, Value) {
    let (mut fixture, path) = anas().await;
    let added = call(&fixture, &path, "add_memory", json!({ "gist": "Ana loves sailing." })).await;
    let id = added["structuredContent"]["memory"]["id"].clone();
    fixture.key = fixture.new_key(TENANT, &["read", "write", "erase", "audit", "admin"]).await;
    (fixture, id)
}

#[tokio::test]
async fn an_operator_looks_pins_restores_and_requests_an_erasure_without_destroying_anything() {
    let (fixture, id) = fixture().await;
    let listed = legacy(&fixture, ADMIN, "tools/list", json!({})).await.json();
    assert_eq!(listed["result"]["tools"].as_array().unwrap().len(), 12, "{listed}");
    let health = call(&fixture, ADMIN, "check_health", json!({})).await;
    assert!(health["structuredContent"]["checks"].as_array().unwrap().len() > 3, "{health}");
    let people = call(&fixture, ADMIN, "list_people", json!({})).await;
    assert!(people["content"][0]["text"].as_str().unwrap().contains("ana: 1 memories"), "{people}");
    let ana = call(&fixture, ADMIN, "about_person", json!({ "subject": "ana" })).await;
    assert_eq!(ana["structuredContent"]["memories"][0]["gist"], "Ana loves sailing.", "{ana}");
    for pinned in [true, false] {
        let done = call(&fixture, ADMIN, "pin_memory", json!({ "id": id, "pinned": pinned })).await;
        assert_eq!(done["structuredContent"], json!({ "id": id, "pinned": pinned }), "{done}");
    }
    call(&fixture, "/mcp/maya-chen", "forget_memory", json!({ "id": id })).await;
    let back = call(&fixture, ADMIN, "restore_memory", json!({ "id": id })).await;
    assert_eq!(back["structuredContent"]["memory"]["id"], id, "{back}");
    let swept = call(&fixture, ADMIN, "sweep", json!({})).await;
    assert_eq!(swept["structuredContent"]["dryRun"], true, "{swept}");
    let report = call(&fixture, ADMIN, "audit_report", json!({})).await;
    assert!(report["structuredContent"]["events"]["memory.created"].as_u64() >= Some(1), "{report}");

    let preview = call(&fixture, ADMIN, "preview_erasure", json!({ "subject": "ana" })).await;
    assert!(preview["structuredContent"]["own"].as_u64() >= Some(1), "{preview}");
    assert_eq!(
        call(&fixture, ADMIN, "list_erasures", json!({})).await["structuredContent"]["erasures"],
        json!([])
    );
    let requested = call(&fixture, ADMIN, "request_erasure", json!({ "subject": "ana" })).await;
    assert!(requested["structuredContent"]["dueAt"].is_string(), "{requested}");
    let open = call(&fixture, ADMIN, "list_erasures", json!({})).await;
    assert_eq!(open["structuredContent"]["erasures"].as_array().unwrap().len(), 1, "{open}");
    let ana = call(&fixture, ADMIN, "about_person", json!({ "subject": "ana" })).await;
    assert_eq!(
        ana["structuredContent"]["memories"].as_array().unwrap().len(),
        1,
        "a person signs first: {ana}"
    );
}

#[tokio::test]
async fn an_operators_tool_needs_its_scope_and_bad_input_changes_nothing() {
    let (mut fixture, id) = fixture().await;
    for (tool, arguments, code) in [
        ("about_person", json!({ "subject": "nobody-known" }), "subject_not_found"),
        ("about_person", json!({}), "validation_failed"),
        ("pin_memory", json!({ "id": id }), "validation_failed"),
        ("pin_memory", json!({ "id": "mem:000000000000", "pinned": true }), "memory_not_found"),
        ("restore_memory", json!({ "id": "x" }), "memory_not_found"),
        ("revoke_key", json!({ "id": "nothing" }), "not_found"),
        ("sweep", json!({ "dryRun": "no" }), "validation_failed"),
        ("request_erasure", json!({ "subject": "" }), "validation_failed"),
    ] {
        let refused = call(&fixture, ADMIN, tool, arguments.clone()).await;
        assert_eq!(refused["_meta"]["selfhood/code"], code, "{tool} {arguments} {refused}");
    }
    fixture.key = fixture.new_key(TENANT, &["read", "write", "admin"]).await;
    for tool in ["sweep", "list_erasures", "audit_report"] {
        let refused = call(&fixture, ADMIN, tool, json!({})).await;
        assert_eq!(refused["_meta"]["selfhood/code"], "forbidden", "{tool} {refused}");
    }
    fixture.key = fixture.new_key(TENANT, &["read", "write"]).await;
    assert_eq!(legacy(&fixture, ADMIN, "tools/list", json!({})).await.status.as_u16(), 403);
}

#[tokio::test]
async fn a_key_is_revoked_after_its_operator_agreed_and_ends_at_once() {
    let (mut fixture, _) = fixture().await;
    let other = fixture.new_key(TENANT, &["read"]).await;
    let keys = call(&fixture, ADMIN, "list_clients", json!({})).await["structuredContent"]["keys"].clone();
    let is_other = |key: &&Value| other.contains(key["id"].as_str().unwrap());
    let id = keys.as_array().unwrap().iter().find(is_other).unwrap()["id"].clone();
    let params = |more: Value| {
        let mut params = json!({ "name": "revoke_key", "arguments": { "id": id } });
        params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        params
    };
    let can_ask = json!({ "elicitation": {} });
    let asks = modern(&fixture, ADMIN, "tools/call", params(json!({})), can_ask.clone()).await.json();
    assert_eq!(asks["result"]["resultType"], "input_required", "{asks}");
    let answered = json!({
        "inputResponses": { "confirm": { "action": "accept", "content": { "yes": true } } },
        "requestState": asks["result"]["requestState"],
    });
    let done = modern(&fixture, ADMIN, "tools/call", params(answered), can_ask).await.json();
    assert_eq!(done["result"]["structuredContent"], json!({ "id": id, "revoked": true }), "{done}");
    fixture.key = other;
    assert_eq!(legacy(&fixture, "/mcp/maya-chen", "tools/list", json!({})).await.status.as_u16(), 401);
}

#[tokio::test]
async fn the_agents_of_the_last_day_are_listed_for_their_own_tenant() {
    let (fixture, _) = fixture().await;
    let hello = json!({
        "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": { "name": "claude-code", "version": "2.1" },
    });
    legacy(&fixture, "/mcp/maya-chen", "initialize", hello).await;
    modern(&fixture, "/mcp/maya-chen", "tools/list", json!({}), json!({})).await;
    let listed = fixture.ask("GET", "/v1/agents", None).await.json();
    let seen = |agent: &Value| {
        let text = |name: &str| agent[name].as_str().unwrap_or_default().to_owned();
        (text("name"), text("version"), text("revision"), text("transport"), text("persona"))
    };
    let expected = |name: &str, version: &str, revision: &str| {
        let text = str::to_owned;
        (text(name), text(version), text(revision), text("http"), text("maya-chen"))
    };
    let agents: Vec<_> = listed["agents"].as_array().unwrap().iter().map(seen).collect();
    assert!(agents.contains(&expected("claude-code", "2.1", "2025-06-18")), "{listed}");
    assert!(agents.contains(&expected("modern-client", "2", "2026-07-28")), "{listed}");
    let mut other = fixture.request("GET", "/v1/agents", None);
    other.headers_mut().insert("x-api-key", fixture.new_key("another", &["admin"]).await.parse().unwrap());
    assert_eq!(fixture.send(other).await.json()["agents"], json!([]));
    let mut poor = fixture.request("GET", "/v1/agents", None);
    poor.headers_mut().insert("x-api-key", fixture.new_key(TENANT, &["read"]).await.parse().unwrap());
    assert_eq!(fixture.send(poor).await.status.as_u16(), 403);
}

#[tokio::test]
async fn an_agent_that_asks_too_often_learns_when_to_come_back_and_what_it_did_is_audited() {
    let limits = Limits { requests_per_second: 1, burst: 4, ..Limits::default() };
    let mut fixture = Fixture::with(Config { limits, ..Config::default() }).await;
    fixture.maya().await;
    fixture.key = fixture.new_key(TENANT, &["read", "write", "audit"]).await;
    let gist = json!({
        "name": "add_memory", "arguments": { "gist": "Ana sails." }, "_meta": { "selfhood/subject": "ana" },
    });
    let mut statuses = Vec::new();
    for _ in 0..5 {
        statuses.push(legacy(&fixture, "/mcp/maya-chen", "tools/call", gist.clone()).await.status.as_u16());
    }
    assert_eq!(statuses, [200, 200, 200, 200, 429]);
    fixture.key = fixture.new_key(TENANT, &["audit"]).await;
    let report = fixture.ask("GET", "/v1/audit", None).await.json();
    assert!(report["events"]["memory.created"].as_u64() >= Some(1), "{report}");
}
