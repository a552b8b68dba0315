//! Whatever was opened with a key ends with it: links, cookies, streams.

use std::time::Duration;

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use domain::{Days, EventKind};
use engine::{Call, Engine};
use futures_util::StreamExt as _;
use serde_json::{Value, json};
use server::client::Ask;
use store::Deployment as _;
use tokio::time::timeout;
use tower::ServiceExt as _;

use crate::fixture::{ADDRESS, Answer, Fixture, TENANT, now};

/// A key with `asked`, made at the machine.
async fn key(fixture: &Fixture, asked: Value) -> String {
    let ask = Ask::new(Method::POST, "/v1/keys").with_body(&asked);
    let answer: Value = fixture.local(TENANT).send(ask).await.unwrap().read().unwrap();
    answer["secret"].as_str().unwrap().to_owned()
}

async fn revoke(fixture: &Fixture, key: &str) {
    let id = key.split('_').nth(1).unwrap();
    let ask = Ask::new(Method::DELETE, format!("/v1/keys/{id}"));
    fixture.local(TENANT).send(ask).await.unwrap().check().unwrap();
}

/// The secret of a link that the holder of `key` made.
async fn link(engine: &Engine, key: &str) -> String {
    let caller = engine.authenticate(key, now()).await.unwrap();
    engine.offer_sign_in(&Call { caller, now: now(), request: None }).await.unwrap().0
}

async fn browse(fixture: &Fixture, method: &str, path: &str, cookie: &str, body: Option<Value>) -> Answer {
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header("host", ADDRESS)
        .header("content-type", "application/json")
        .header("sec-fetch-site", "same-origin")
        .header("cookie", cookie);
    let body = body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
    fixture.send(request.body(body).unwrap()).await
}

async fn cookie_by(fixture: &Fixture, link: &str) -> String {
    let signed_in = browse(fixture, "POST", "/v1/sign-in", "", Some(json!({ "link": link }))).await;
    assert_eq!(signed_in.status, StatusCode::OK, "{}", signed_in.text);
    signed_in.header("set-cookie").split(';').next().unwrap().to_owned()
}

#[tokio::test]
async fn a_page_opened_by_a_link_ends_when_the_links_key_is_revoked() {
    let fixture = Fixture::new().await;
    let admin = key(&fixture, json!({ "scopes": ["read", "admin"] })).await;
    let cookie = cookie_by(&fixture, &link(&fixture.engine, &admin).await).await;
    let unused = link(&fixture.engine, &admin).await;
    assert_eq!(browse(&fixture, "GET", "/personas", &cookie, None).await.status, StatusCode::OK);
    let me = browse(&fixture, "GET", "/v1/me", &cookie, None).await.json();
    assert_eq!(me["scopes"], json!(["read", "admin"]), "no more than its key");
    revoke(&fixture, &admin).await;
    let refused = browse(&fixture, "GET", "/personas", &cookie, None).await;
    assert_eq!(refused.status, StatusCode::UNAUTHORIZED);
    let asked = Some(json!({ "scopes": ["admin"] }));
    assert_eq!(browse(&fixture, "POST", "/v1/keys", &cookie, asked).await.status, StatusCode::UNAUTHORIZED);
    let late = browse(&fixture, "POST", "/v1/sign-in", "", Some(json!({ "link": unused }))).await;
    assert_eq!(late.status, StatusCode::UNAUTHORIZED, "a link ends too, before anybody used it");
}

#[tokio::test]
async fn a_page_opened_by_a_link_ends_when_the_links_key_expires() {
    let fixture = Fixture::new().await;
    let expires = now().plus(Days(0.25));
    let admin = key(&fixture, json!({ "scopes": ["admin"], "expiresAt": expires.to_string() })).await;
    let asked = wire::read::read_value(json!({ "link": link(&fixture.engine, &admin).await })).unwrap();
    let (secret, _) = fixture.engine.sign_in(&asked, now()).await.unwrap();
    assert!(fixture.engine.signed_in(&secret, now().plus(Days(0.24))).await.is_ok());
    assert!(fixture.engine.signed_in(&secret, now().plus(Days(0.26))).await.is_err());
}

#[tokio::test]
async fn making_a_link_is_in_the_log() {
    let fixture = Fixture::new().await;
    link(&fixture.engine, &fixture.key).await;
    let events = fixture.engine.store().deployment_events(0..u64::MAX).await.unwrap();
    let offered = events.iter().find(|logged| logged.event.kind == EventKind::SignInOffered).unwrap();
    assert!(fixture.key.contains(offered.event.actor.as_str().trim_start_matches("key:")), "{offered:?}");
    assert!(offered.event.id.as_ref().unwrap().starts_with("page:"), "{offered:?}");
}

#[tokio::test]
async fn an_open_stream_ends_with_its_key() {
    let fixture = Fixture::new().await;
    fixture.maya().await;
    let reader = key(&fixture, json!({ "scopes": ["read"] })).await;
    let request = Request::get("/v1/events").header("host", ADDRESS).header("x-api-key", &reader);
    let opened = fixture.public.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    assert_eq!(opened.status(), StatusCode::OK);
    let mut pieces = opened.into_body().into_data_stream();
    let first = pieces.next().await.unwrap().unwrap();
    assert!(String::from_utf8_lossy(&first).contains("maya-chen"));
    revoke(&fixture, &reader).await;
    fixture.remember("maya-chen", "The lobby serves strong coffee.").await;
    let ended = timeout(Duration::from_secs(5), pieces.next()).await.unwrap();
    assert!(ended.is_none(), "nothing that happened after the revocation is told");
}

#[tokio::test]
async fn a_key_makes_no_key_that_may_more_than_itself() {
    let mut fixture = Fixture::new().await;
    for (maker, asked, status) in [
        (json!({ "scopes": ["admin"], "speaks": "forwarded" }), json!({ "speaks": "owner" }), 403),
        (json!({ "scopes": ["admin"], "speaks": "forwarded" }), json!({}), 201),
        (json!({ "scopes": ["admin"], "speaks": "forwarded" }), json!({ "scopes": ["erase"] }), 403),
        (json!({ "scopes": ["admin", "erase"] }), json!({ "scopes": ["read", "erase"] }), 201),
        (json!({ "scopes": ["admin"], "speaks": "owner" }), json!({ "speaks": "owner" }), 201),
    ] {
        fixture.key = key(&fixture, maker.clone()).await;
        let made = fixture.ask("POST", "/v1/keys", Some(asked.clone())).await;
        assert_eq!(made.status.as_u16(), status, "{maker} makes {asked}: {}", made.text);
    }
    let forwarded = key(&fixture, json!({ "scopes": ["admin"], "speaks": "forwarded" })).await;
    let cookie = cookie_by(&fixture, &link(&fixture.engine, &forwarded).await).await;
    let owners = browse(&fixture, "POST", "/v1/keys", &cookie, Some(json!({ "speaks": "owner" }))).await;
    assert_eq!(owners.problem()["code"], "forbidden", "nor by a page that it opened");
}

#[tokio::test]
async fn a_key_made_by_a_key_that_expires_ends_with_it() {
    let mut fixture = Fixture::new().await;
    let (earlier, end, later) = (now().plus(Days(2.0)), now().plus(Days(7.0)), now().plus(Days(8.0)));
    fixture.key = key(&fixture, json!({ "scopes": ["read", "admin"], "expiresAt": end })).await;
    for (asked, expected) in [
        (json!({}), Some(end)),
        (json!({ "expiresAt": earlier }), Some(earlier)),
        (json!({ "expiresAt": later }), None),
    ] {
        let made = fixture.ask("POST", "/v1/keys", Some(asked.clone())).await;
        match expected {
            Some(expected) => assert_eq!(made.json()["key"]["expiresAt"], json!(expected), "{asked}"),
            None => assert_eq!(made.problem()["code"], "forbidden", "{asked}: {}", made.text),
        }
    }
}
