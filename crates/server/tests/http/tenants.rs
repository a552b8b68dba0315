//! The tenant comes from the key, and what belongs to another is not there.

use axum::http::Method;
use domain::EventKind;
use serde_json::json;
use server::client::Ask;
use store::Deployment;

use crate::fixture::{Fixture, TENANT, event};

#[tokio::test]
async fn another_tenants_key_finds_nothing_of_ours() {
    let mut fixture = Fixture::new().await;
    let maya = fixture.maya().await;
    let memory = fixture.remember(&maya, "The lobby serves strong coffee.").await;
    let recalled =
        fixture.ask("POST", &format!("/v1/personas/{maya}/recall"), Some(json!({ "cue": "coffee" }))).await;
    let recall = recalled.json()["recallId"].as_str().unwrap().to_owned();
    let ours =
        fixture.ask("GET", "/v1/keys", None).await.json()["keys"][0]["id"].as_str().unwrap().to_owned();
    fixture.key = fixture.new_key("mallory", &["read", "write", "erase", "admin"]).await;
    for (method, path, body) in [
        ("GET", format!("/personas/{maya}"), None),
        ("GET", "/personas/maya-chen".to_owned(), None),
        ("GET", format!("/personas/{maya}/timeline"), None),
        ("POST", format!("/personas/{maya}/timeline"), Some(event("Mine", "2026-01-01T00:00:00Z"))),
        ("DELETE", format!("/personas/{maya}"), None),
        ("GET", format!("/v1/personas/{maya}/memories/{memory}"), None),
        ("POST", format!("/v1/personas/{maya}/recall"), Some(json!({ "cue": "coffee" }))),
        ("GET", format!("/v1/recalls/{recall}"), None),
        ("DELETE", format!("/v1/keys/{ours}"), None),
    ] {
        let answer = fixture.ask(method, &path, body).await;
        assert_eq!(answer.status.as_u16(), 404, "{method} {path}: {}", answer.text);
        assert!(!answer.text.contains("coffee"));
    }
    assert_eq!(fixture.ask("GET", "/personas", None).await.json()["personas"], json!([]));
}

#[tokio::test]
async fn a_tenant_that_is_not_the_keys_own_is_not_there() {
    let fixture = Fixture::new().await;
    let maya = fixture.maya().await;
    let mut foreign = event("First day", "2026-01-01T00:00:00Z");
    foreign["tenantId"] = json!("mallory");
    for (method, path, body) in [
        ("GET", "/personas?tenantId=mallory".to_owned(), None),
        ("GET", format!("/personas/{maya}?tenantId=mallory"), None),
        ("GET", format!("/personas/{maya}/timeline?tenantId=mallory"), None),
        ("GET", format!("/personas/{maya}/consistency?tenantId=mallory"), None),
        ("DELETE", format!("/personas/{maya}?tenantId=mallory"), None),
        ("POST", format!("/personas/{maya}/timeline"), Some(foreign)),
        ("PATCH", format!("/personas/{maya}"), Some(json!({ "tenantId": "mallory" }))),
    ] {
        let known = mismatches(&fixture).await;
        let answer = fixture.ask(method, &path, body).await;
        assert_eq!(answer.status.as_u16(), 404, "{method} {path}: {}", answer.text);
        assert_eq!(mismatches(&fixture).await, known + 1, "{method} {path} is in the log once");
    }
    let known = mismatches(&fixture).await;
    let own = fixture.ask("GET", &format!("/personas/{maya}?tenantId={TENANT}"), None).await;
    assert_eq!((own.status.as_u16(), mismatches(&fixture).await), (200, known));
    assert_eq!(fixture.ask("GET", &format!("/personas/{maya}"), None).await.status.as_u16(), 200);
}

#[tokio::test]
async fn at_the_machine_the_tenant_is_named_and_no_key_is_asked_for() {
    let fixture = Fixture::new().await;
    let maya = fixture.maya().await;
    let asked = Ask::new(Method::GET, format!("/personas/{maya}"));
    assert_eq!(fixture.local("scott").send(asked.clone()).await.unwrap().status.as_u16(), 200);
    let problem = fixture.local("mallory").send(asked).await.unwrap().check().unwrap_err();
    assert_eq!(problem.code, wire::Code::PersonaNotFound);
}

/// How often the deployment's log says that the caller, and nobody else, named a foreign tenant.
async fn mismatches(fixture: &Fixture) -> usize {
    let actor = format!("key:{}", fixture.key.split('_').nth(1).unwrap());
    let events = fixture.engine.store().deployment_events(0..u64::MAX).await.unwrap();
    let of_kind = events.iter().filter(|it| it.event.kind == EventKind::TenantMismatch);
    let logged: Vec<_> = of_kind.map(|it| &it.event).collect();
    assert!(
        logged.iter().all(|it| it.actor.as_str() == actor && it.id.is_none() && it.tenant.as_str() == TENANT)
    );
    logged.len()
}
