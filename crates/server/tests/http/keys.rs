//! A key opens what it was made for, until it is revoked.

use axum::http::Method;
use serde_json::json;
use server::client::Ask;

use crate::house::{House, TENANT};

#[tokio::test]
async fn a_revoked_key_fails_at_the_very_next_request_however_often_it_was_used() {
    let mut house = House::new().await;
    house.key = house.new_key(TENANT, &["read"]).await;
    let id = house.key.split('_').nth(1).unwrap().to_owned();
    for round in 0..3 {
        assert_eq!(house.ask("GET", "/personas", None).await.status.as_u16(), 200, "{round}");
    }
    let revoked = house.local(TENANT).send(Ask::new(Method::DELETE, format!("/v1/keys/{id}"))).await.unwrap();
    assert_eq!(revoked.status.as_u16(), 200);
    let refused = house.ask("GET", "/personas", None).await;
    assert_eq!((refused.status.as_u16(), &refused.problem()["code"]), (401, &json!("unauthorized")));
}

#[tokio::test]
async fn another_secret_under_a_known_id_opens_nothing() {
    let mut house = House::new().await;
    assert_eq!(house.ask("GET", "/personas", None).await.status.as_u16(), 200);
    let (id, secret) = house.key.rsplit_once('_').unwrap();
    let turned: String = secret.chars().rev().collect();
    house.key = format!("{id}_{turned}");
    assert_eq!(house.ask("GET", "/personas", None).await.status.as_u16(), 401);
}
