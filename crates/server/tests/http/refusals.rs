//! Bad input: each kind is a 4xx that names the place and the way out.

use axum::body::Body;
use serde_json::{Value, json};

use crate::fixture::{ADDRESS, Fixture, event, memory};

/// `value` with `change` at `name`.
fn with(mut value: Value, name: &str, change: Value) -> Value {
    value[name] = change;
    value
}

fn without(mut value: Value, name: &str) -> Value {
    value.as_object_mut().unwrap().remove(name);
    value
}

async fn check(fixture: &Fixture, path: &str, body: Value, expected: (u16, &str, &str)) {
    let (status, pointer, word) = expected;
    let answer = fixture.ask("POST", path, Some(body.clone())).await;
    assert_eq!(answer.status.as_u16(), status, "{body}\n{}", answer.text);
    let problem = answer.problem();
    let first = &problem["errors"][0];
    assert_eq!(first["pointer"], pointer, "{problem}");
    assert!(first["detail"].as_str().unwrap().contains(word), "{problem}");
}

#[tokio::test]
async fn a_bad_event_is_refused_at_its_place() {
    let fixture = Fixture::new().await;
    let path = format!("/personas/{}/timeline", fixture.maya().await);
    let good = || event("First day", "2025-09-01T09:00:00.000Z");
    for (body, pointer, word) in [
        (with(good(), "memoryStrength", json!("strong")), "/memoryStrength", "must be a number, not string"),
        (with(good(), "memoryStrength", json!(101)), "/memoryStrength", "at most 100"),
        (with(good(), "facts", json!("a".repeat(5001))), "/facts", "at most 5000 characters, has 5001"),
        (with(good(), "eventLabel", json!("")), "/eventLabel", "at least 1"),
        (with(good(), "emotionTags", json!(vec!["joy"; 51])), "/emotionTags", "at most 50 items, has 51"),
        (with(good(), "memoryType", json!("secret")), "/memoryType", "must be one of"),
        (with(good(), "eventAt", json!("yesterday")), "/eventAt", "2026-04-22T14:18:42.000Z"),
        (with(good(), "eventAt", json!("2025-02-30T00:00:00Z")), "/eventAt", "instant with a time zone"),
        (with(good(), "eventAt", json!("2025-09-01")), "/eventAt", "instant with a time zone"),
        (with(good(), "mood", json!("fine")), "/mood", "not a known property"),
        (without(good(), "facts"), "/facts", "is required"),
        (without(good(), "tenantId"), "/tenantId", "is required"),
        (with(good(), "revisesTimelineId", json!("x")), "/revisesTimelineId", "UUID"),
        (json!([]), "", "must be an object"),
    ] {
        check(&fixture, &path, body, (400, pointer, word)).await;
    }
}

#[tokio::test]
async fn a_bad_memory_is_refused_at_its_place() {
    let fixture = Fixture::new().await;
    let path = format!("/v1/personas/{}/memories", fixture.maya().await);
    let good = || memory("The lobby serves strong coffee.");
    for (body, pointer, word) in [
        (with(good(), "gist", json!("a".repeat(281))), "/gist", "at most 280 characters, has 281"),
        (with(good(), "salience", json!(1.5)), "/salience", "at most 1"),
        (
            with(good(), "details", json!([{ "content": "", "brightness": 1 }])),
            "/details/0/content",
            "at least 1",
        ),
        (with(good(), "kind", json!("dream")), "/kind", "must be one of"),
        (
            with(good(), "importance", json!(1)),
            "/importance",
            "not a known property; names of your own start with `x-`",
        ),
        (with(good(), "createdAt", json!("2026-13-01T00:00:00Z")), "/createdAt", "instant with a time zone"),
        (with(good(), "derivedFrom", json!(["mem:XYZ"])), "/derivedFrom/0", "must match"),
    ] {
        check(&fixture, &path, body, (422, pointer, word)).await;
    }
}

#[tokio::test]
async fn a_bad_query_is_refused_by_name() {
    let fixture = Fixture::new().await;
    let maya = fixture.maya().await;
    for (path, status, pointer, word) in [
        (format!("/personas/{maya}/timeline?limit=101"), 400, "/limit", "at most 100"),
        (format!("/personas/{maya}/timeline?limit=many"), 400, "/limit", "must be an integer"),
        (format!("/personas/{maya}/timeline?offset=-1"), 400, "/offset", "at least 0"),
        (format!("/personas/{maya}/timeline?limit=1&limit=2"), 400, "/limit", "given twice"),
        (format!("/v1/personas/{maya}/memories?limit=201"), 422, "/limit", "at most 200"),
        (format!("/v1/personas/{maya}/memories?minSalience=heavy"), 422, "/minSalience", "must be a number"),
        (format!("/v1/personas/{maya}/memories?at=tomorrow"), 422, "/at", "instant with a time zone"),
        (format!("/v1/personas/{maya}/memories?colour=blue"), 422, "/colour", "not a known property"),
        ("/v1/keys?all=1".to_owned(), 422, "/all", "takes no parameters"),
    ] {
        let answer = fixture.ask("GET", &path, None).await;
        let problem = answer.problem();
        assert_eq!(answer.status.as_u16(), status, "{path}: {problem}");
        assert_eq!(problem["errors"][0]["pointer"], pointer, "{path}: {problem}");
        assert!(problem["errors"][0]["detail"].as_str().unwrap().contains(word), "{path}: {problem}");
    }
}

#[tokio::test]
async fn unknown_and_foreign_ids_name_nothing() {
    let fixture = Fixture::new().await;
    let (maya, other) = (fixture.maya().await, fixture.maya().await);
    let foreign = fixture.remember(&other, "The lobby serves strong coffee.").await;
    let nobody = "0198c0de-0000-7000-8000-000000000000";
    for (method, path, body, code) in [
        ("GET", "/personas/nobody".to_owned(), None, "persona_not_found"),
        ("GET", format!("/personas/{nobody}"), None, "persona_not_found"),
        ("GET", "/personas/NOT%20A%20NAME".to_owned(), None, "persona_not_found"),
        ("GET", "/personas/..%2F..%2Fetc".to_owned(), None, "persona_not_found"),
        ("GET", "/personas/%FF".to_owned(), None, "not_found"),
        ("GET", format!("/v1/personas/{maya}/memories/{foreign}"), None, "memory_not_found"),
        ("GET", format!("/v1/personas/{maya}/memories/{foreign}/curve"), None, "memory_not_found"),
        ("GET", format!("/v1/personas/{maya}/memories/mem:000000000000"), None, "memory_not_found"),
        ("GET", format!("/v1/personas/{maya}/memories/7"), None, "memory_not_found"),
        (
            "PATCH",
            format!("/v1/personas/{maya}/memories/{foreign}"),
            Some(json!({ "gist": "x" })),
            "memory_not_found",
        ),
        (
            "POST",
            format!("/personas/{maya}/timeline/{nobody}/supersede"),
            Some(json!({ "tenantId": "scott", "reason": "x" })),
            "timeline_entry_not_found",
        ),
        ("GET", format!("/v1/recalls/{nobody}"), None, "not_found"),
        ("GET", "/v1/recalls/7".to_owned(), None, "not_found"),
        ("DELETE", "/v1/keys/nokey".to_owned(), None, "not_found"),
    ] {
        let answer = fixture.ask(method, &path, body).await;
        let problem = answer.problem();
        assert_eq!((answer.status.as_u16(), &problem["code"]), (404, &json!(code)), "{path}: {problem}");
    }
}

#[tokio::test]
async fn a_body_that_is_not_json_or_does_not_say_so_is_refused() {
    let fixture = Fixture::new().await;
    let sent = async |body: &'static str, kind: Option<&str>| {
        let mut request = fixture.request("POST", "/personas", None);
        *request.body_mut() = Body::from(body);
        request.headers_mut().remove("content-type");
        if let Some(kind) = kind {
            request.headers_mut().insert("content-type", kind.parse().unwrap());
        }
        fixture.send(request).await
    };
    for (body, kind, status, code) in [
        ("{", Some("application/json"), 400, "malformed_json"),
        ("", Some("application/json"), 400, "malformed_json"),
        ("{} {}", Some("application/json"), 400, "malformed_json"),
        ("{}", Some("text/plain"), 415, "unsupported_media_type"),
        ("a=1", Some("application/x-www-form-urlencoded"), 415, "unsupported_media_type"),
        ("{}", None, 415, "unsupported_media_type"),
    ] {
        let answer = sent(body, kind).await;
        assert_eq!((answer.status.as_u16(), &answer.problem()["code"]), (status, &json!(code)), "{body}");
    }
    let deep = "[".repeat(200) + &"]".repeat(200);
    let mut request = fixture.request("POST", "/personas", None);
    *request.body_mut() = Body::from(deep);
    assert_eq!(fixture.send(request).await.problem()["code"], "malformed_json");
}

#[tokio::test]
async fn the_order_of_a_life_is_kept_and_both_times_are_named() {
    let fixture = Fixture::new().await;
    let path = format!("/personas/{}/timeline", fixture.maya().await);
    assert_eq!(
        fixture.ask("POST", &path, Some(event("Later", "2025-09-01T09:00:00Z"))).await.status.as_u16(),
        201
    );
    let answer = fixture.ask("POST", &path, Some(event("Earlier", "2024-09-01T09:00:00Z"))).await;
    let problem = answer.problem();
    assert_eq!((answer.status.as_u16(), &problem["code"]), (400, &json!("event_out_of_order")));
    for time in ["2025-09-01T09:00:00.000Z", "2024-09-01T09:00:00.000Z"] {
        assert!(problem["error"].as_str().unwrap().contains(time), "{problem}");
    }
    let incomplete = with(event("Anew", "2025-09-01T09:00:00Z"), "memoryType", json!("revised"));
    let answer = fixture.ask("POST", &path, Some(incomplete)).await;
    assert_eq!(
        (answer.status.as_u16(), &answer.problem()["code"]),
        (400, &json!("revision_fields_incomplete"))
    );
}

#[tokio::test]
async fn a_refusal_says_no_word_of_what_was_sent() {
    let fixture = Fixture::new().await;
    let path = format!("/v1/personas/{}/memories", fixture.maya().await);
    let canary = "zebrafinch";
    for body in [
        with(memory(canary), "salience", json!(2)),
        with(memory(canary), "kind", json!(canary)),
        memory(&format!("{canary}{}", "a".repeat(300))),
        with(memory("x"), "details", json!([{ "content": canary, "brightness": 9 }])),
        with(memory("x"), "tags", json!({ "a": canary })),
        with(memory("x"), "privacyClass", json!("guest-pii")),
    ] {
        let answer = fixture.ask("POST", &path, Some(body.clone())).await;
        assert!(answer.status.is_client_error(), "{body}");
        assert!(!answer.text.contains(canary), "{}", answer.text);
    }
    let request = axum::http::Request::post(format!("{path}?q={canary}")).header("host", ADDRESS);
    let request = request.header("x-api-key", &fixture.key).header("content-type", "application/json");
    let answer = fixture.send(request.body(Body::from(format!("{{\"gist\": \"{canary}"))).unwrap()).await;
    assert!(!answer.text.contains(canary), "{}", answer.text);
}
