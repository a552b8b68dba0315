//! Whoever listens hears that something changed, and nothing of another tenant.

use std::time::Duration;

use axum::body::Body;
use http_body_util::BodyExt;
use serde_json::json;
use tokio::time::timeout;
use tower::ServiceExt;

use crate::fixture::Fixture;

/// Reads the body until it says `awaited`, or for five seconds.
async fn heard(body: &mut Body, awaited: &str) -> String {
    let mut text = String::new();
    let listening = async {
        while let Some(Ok(frame)) = body.frame().await {
            text.push_str(&String::from_utf8_lossy(frame.data_ref().unwrap()));
            if text.contains(awaited) {
                return;
            }
        }
    };
    let _ = timeout(Duration::from_secs(5), listening).await;
    text
}

#[tokio::test]
async fn a_listener_hears_of_a_new_memory_and_not_what_it_says() {
    let mut fixture = Fixture::new().await;
    let maya = fixture.maya().await;
    let listener = fixture.public.clone().oneshot(fixture.request("GET", "/v1/events", None)).await.unwrap();
    assert_eq!(listener.headers()["content-type"], "text/event-stream");
    let mut body = listener.into_body();
    let begin = heard(&mut body, "maya-chen").await;
    assert!(begin.contains("event: here"), "{begin}");
    fixture.remember(&maya, "The lobby serves coffee from seven.").await;
    let then = heard(&mut body, "maya-chen").await;
    assert!(then.contains("event: changed") && !then.contains("coffee"), "{then}");

    fixture.key = fixture.new_key("somebody", &["read"]).await;
    let other = fixture.public.clone().oneshot(fixture.request("GET", "/v1/events", None)).await.unwrap();
    let foreign = heard(&mut other.into_body(), "listening").await;
    assert!(!foreign.contains("maya"), "{foreign}");
}

#[tokio::test]
async fn markdown_comes_back_as_nodes() {
    let fixture = Fixture::new().await;
    let asked = json!({ "text": "**so** <script>alert(1)</script>" });
    let nodes = fixture.ask("POST", "/v1/markdown", Some(asked)).await.json();
    assert_eq!(nodes["nodes"][0]["nodes"][0]["tag"], "strong");
    assert_eq!(nodes["nodes"][0]["nodes"][2], json!({ "kind": "text", "text": "<script>" }));
}
