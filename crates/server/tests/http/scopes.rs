//! What a persona may remember is changed by operators, and shortened by those who may erase.

use axum::http::Method;
use serde_json::{Value, json};
use server::client::Ask;

use crate::fixture::{Fixture, TENANT};

async fn key(fixture: &Fixture, scopes: &[&str]) -> String {
    let ask = Ask::new(Method::POST, "/v1/keys").with_body(&json!({ "scopes": scopes }));
    let answer: Value = fixture.local(TENANT).send(ask).await.unwrap().read().unwrap();
    answer["secret"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn the_policy_needs_admin_and_a_shorter_retention_needs_erase_too() {
    let mut fixture = Fixture::new().await;
    fixture.maya().await;
    let shown = fixture.ask("GET", "/personas/maya-chen", None).await.json();
    let policy = shown["document"]["memoryPolicy"].clone();
    assert!(policy.is_object(), "{shown}");
    let with_days = |days: u32| {
        let mut changed = policy.clone();
        changed["retentionPolicy"]["perPrivacyClass"]["guest-pii"] = json!(days);
        json!({ "memoryPolicy": changed })
    };
    let (chat, admin, both) =
        (&["read", "write"][..], &["write", "admin"][..], &["write", "admin", "erase"][..]);
    for (scopes, asked, status) in [
        (chat, json!({ "displayName": "Maya C." }), 200),
        (chat, json!({ "memoryPolicy": policy }), 403),
        (chat, json!({ "safetyTier": 0 }), 403),
        (chat, json!({ "complianceProfiles": ["hipaa"] }), 403),
        (admin, json!({ "safetyTier": 3 }), 200),
        (admin, json!({ "complianceProfiles": ["gdpr"] }), 200),
        (admin, with_days(800), 200),
        (admin, with_days(30), 403),
        (both, with_days(30), 200),
    ] {
        fixture.key = key(&fixture, scopes).await;
        let answer = fixture.ask("PATCH", "/personas/maya-chen", Some(asked.clone())).await;
        assert_eq!(answer.status.as_u16(), status, "{scopes:?} {asked}: {}", answer.text);
    }
    fixture.key = key(&fixture, &["read"]).await;
    let shown = fixture.ask("GET", "/personas/maya-chen", None).await.json();
    assert_eq!(shown["document"]["safetyTier"], 3, "what was refused changed nothing: {shown}");
}
