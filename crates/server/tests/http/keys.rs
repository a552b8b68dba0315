//! A key opens what it was made for, until it is revoked.

use axum::http::Method;
use serde_json::json;
use server::client::Ask;

use crate::fixture::{Fixture, TENANT};

#[tokio::test]
async fn a_revoked_key_fails_at_the_very_next_request_however_often_it_was_used() {
    let mut fixture = Fixture::new().await;
    fixture.key = fixture.new_key(TENANT, &["read"]).await;
    let id = fixture.key.split('_').nth(1).unwrap().to_owned();
    for round in 0..3 {
        assert_eq!(fixture.ask("GET", "/personas", None).await.status.as_u16(), 200, "{round}");
    }
    let revoked =
        fixture.local(TENANT).send(Ask::new(Method::DELETE, format!("/v1/keys/{id}"))).await.unwrap();
    assert_eq!(revoked.status.as_u16(), 200);
    let refused = fixture.ask("GET", "/personas", None).await;
    assert_eq!((refused.status.as_u16(), &refused.problem()["code"]), (401, &json!("unauthorized")));
}

#[tokio::test]
async fn another_secret_under_a_known_id_opens_nothing() {
    let mut fixture = Fixture::new().await;
    assert_eq!(fixture.ask("GET", "/personas", None).await.status.as_u16(), 200);
    let (id, secret) = fixture.key.rsplit_once('_').unwrap();
    let turned: String = secret.chars().rev().collect();
    fixture.key = format!("{id}_{turned}");
    assert_eq!(fixture.ask("GET", "/personas", None).await.status.as_u16(), 401);
}
