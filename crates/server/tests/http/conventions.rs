//! What every route has in common.

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use serde_json::json;
use server::client::Ask;

use crate::fixture::{ADDRESS, Fixture, TENANT, memory};

#[tokio::test]
async fn every_answer_bears_its_name_and_the_headers_that_keep_it_private() {
    let fixture = Fixture::new().await;
    let mut request = fixture.request("GET", "/personas", None);
    request.headers_mut().insert("x-request-id", "client-7".parse().unwrap());
    let answer = fixture.send(request).await;
    assert_eq!((answer.status, answer.header("x-request-id")), (StatusCode::OK, "client-7"));
    for (name, value) in [
        ("content-type", "application/json"),
        ("cache-control", "no-store"),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("content-security-policy", "default-src 'none'; frame-ancestors 'none'"),
        ("cross-origin-resource-policy", "same-origin"),
        ("access-control-allow-origin", ""),
        ("strict-transport-security", ""),
    ] {
        assert_eq!(answer.header(name), value, "{name}");
    }
    let unnamed = fixture.ask("GET", "/personas", None).await;
    assert!(!unnamed.header("x-request-id").is_empty());
}

#[tokio::test]
async fn a_key_is_taken_from_either_header_and_nowhere_else() {
    let fixture = Fixture::new().await;
    let with = |name: &'static str, value: String| {
        Request::get("/personas").header("host", ADDRESS).header(name, value).body(Body::empty()).unwrap()
    };
    let key = fixture.key.clone();
    for (request, status) in [
        (with("x-api-key", key.clone()), 200),
        (with("authorization", format!("Bearer {key}")), 200),
        (with("authorization", format!("bearer {key}")), 200),
        (with("authorization", format!("Basic {key}")), 401),
        (with("x-api-key", format!("{key}0")), 401),
        (with("x-api-key", "sh_nobody_0".to_owned()), 401),
        (with("cookie", format!("key={key}")), 401),
    ] {
        let answer = fixture.send(request).await;
        assert_eq!(answer.status.as_u16(), status);
        if status == 401 {
            assert_eq!(answer.problem()["code"], "unauthorized");
            assert_eq!(answer.header("www-authenticate"), "Bearer realm=\"selfhood\"");
        }
    }
    let in_the_url = Request::get(format!("/personas?key={key}")).header("host", ADDRESS);
    assert_eq!(fixture.send(in_the_url.body(Body::empty()).unwrap()).await.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_key_opens_only_what_its_scopes_cover() {
    let fixture = Fixture::new().await;
    let reader = fixture.new_key("scott", &["read"]).await;
    for (method, path, status) in [
        ("GET", "/personas", 200),
        ("POST", "/personas", 403),
        ("DELETE", "/personas/maya", 403),
        ("GET", "/v1/keys", 403),
    ] {
        let mut request = fixture.request(method, path, None);
        request.headers_mut().insert("x-api-key", reader.parse().unwrap());
        let answer = fixture.send(request).await;
        assert_eq!(answer.status.as_u16(), status, "{method} {path}");
        if status == 403 {
            let problem = answer.problem();
            assert_eq!(problem["code"], "forbidden");
            assert!(problem["detail"].as_str().unwrap().ends_with("this one has `read`"), "{problem}");
        }
    }
}

#[tokio::test]
async fn what_does_not_exist_is_a_problem_too() {
    let fixture = Fixture::new().await;
    for (method, path, status, code) in [
        ("GET", "/nowhere", 404, "not_found"),
        ("GET", "/v1/nowhere", 404, "not_found"),
        ("PUT", "/personas", 405, "method_not_allowed"),
        ("POST", "/healthz", 405, "method_not_allowed"),
        ("DELETE", "/docs", 405, "method_not_allowed"),
        ("GET", "/docs/errors/nonsense", 404, "not_found"),
        ("GET", "/docs/errors/%FF", 404, "not_found"),
    ] {
        let answer = fixture.ask(method, path, None).await;
        assert_eq!(
            (answer.status.as_u16(), &answer.problem()["code"]),
            (status, &json!(code)),
            "{method} {path}"
        );
    }
    assert_eq!(fixture.ask("PUT", "/personas", None).await.header("allow"), "POST, GET, HEAD");
}

#[tokio::test]
async fn the_path_that_creates_a_persona_shows_a_browser_the_screen_for_it() {
    let fixture = Fixture::new().await;
    let get = |accept: &'static str| {
        let request = Request::get("/setup/persona").header("host", ADDRESS).header("accept", accept);
        request.body(Body::empty()).unwrap()
    };
    let shown = fixture.send(get("text/html,application/xhtml+xml,*/*;q=0.8")).await;
    assert_eq!((shown.status, shown.header("location")), (StatusCode::FOUND, "/ui/welcome"));
    for accept in ["*/*", "application/json"] {
        let refused = fixture.send(get(accept)).await;
        let expected = (StatusCode::METHOD_NOT_ALLOWED, "POST");
        assert_eq!((refused.status, refused.header("allow")), expected, "{accept}");
    }
}

#[tokio::test]
async fn the_same_content_has_the_same_tag_and_is_not_sent_twice() {
    let fixture = Fixture::new().await;
    let maya = fixture.maya().await;
    let first = fixture.ask("GET", &format!("/personas/{maya}"), None).await;
    let tag = first.header("etag").to_owned();
    assert!(tag.starts_with('"') && tag.len() > 30, "{tag}");
    let mut again = fixture.request("GET", &format!("/personas/{maya}"), None);
    again.headers_mut().insert("if-none-match", tag.parse().unwrap());
    let again = fixture.send(again).await;
    assert_eq!(
        (again.status, again.text.as_str(), again.header("etag")),
        (StatusCode::NOT_MODIFIED, "", tag.as_str())
    );
    let head = fixture.ask("HEAD", &format!("/personas/{maya}"), None).await;
    assert_eq!((head.status, head.text.as_str(), head.header("etag")), (StatusCode::OK, "", tag.as_str()));
}

#[tokio::test]
async fn a_request_repeated_under_its_key_is_done_once() {
    let fixture = Fixture::new().await;
    let maya = fixture.maya().await;
    let path = format!("/v1/personas/{maya}/memories");
    let sent = async |key: &str, gist: &str| {
        let mut request = fixture.request("POST", &path, Some(memory(gist)));
        request.headers_mut().insert("idempotency-key", key.parse().unwrap());
        fixture.send(request).await
    };
    let first = sent("k1", "The lobby serves strong coffee.").await;
    let again = sent("k1", "The lobby serves strong coffee.").await;
    assert_eq!((first.status, again.status), (StatusCode::CREATED, StatusCode::CREATED));
    assert_eq!(first.json()["memory"]["id"], again.json()["memory"]["id"]);
    let other = sent("k1", "The terrace serves weak tea.").await;
    assert_eq!((other.status.as_u16(), &other.problem()["code"]), (422, &json!("idempotency_mismatch")));
    let unusable = sent(&"k".repeat(256), "The terrace serves weak tea.").await;
    assert_eq!(
        (unusable.status.as_u16(), &unusable.problem()["code"]),
        (400, &json!("idempotency_key_required"))
    );
    let listed = fixture.ask("GET", &path, None).await.json();
    assert_eq!(listed["data"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn taking_a_memory_away_demands_a_key_to_do_it_once() {
    let fixture = Fixture::new().await;
    let maya = fixture.maya().await;
    let id = fixture.remember(&maya, "The lobby serves strong coffee.").await;
    let path = format!("/v1/personas/{maya}/memories/{id}/redact");
    let without = fixture.ask("POST", &path, Some(json!({}))).await;
    assert_eq!(
        (without.status.as_u16(), &without.problem()["code"]),
        (400, &json!("idempotency_key_required"))
    );
    let mut with = fixture.request("POST", &path, Some(json!({})));
    with.headers_mut().insert("idempotency-key", "once".parse().unwrap());
    assert_eq!(fixture.send(with).await.status, StatusCode::OK);
}

#[tokio::test]
async fn the_counters_name_routes_and_codes_and_nobody() {
    let fixture = Fixture::new().await;
    let maya = fixture.maya().await;
    fixture.remember(&maya, "The lobby serves strong coffee.").await;
    fixture.ask("GET", "/personas/nobody-here", None).await;
    let text = fixture.server.metrics().text();
    for line in [
        r#"selfhood_http_requests_total{method="POST",route="/personas",status="201"} 1"#,
        r#"selfhood_http_requests_total{method="GET",route="/personas/{p}",status="404"} 1"#,
        r#"selfhood_refusals_total{code="persona_not_found"} 1"#,
    ] {
        assert!(text.contains(line), "{line} not in\n{text}");
    }
    for word in ["maya", "scott", "nobody-here", "coffee", &fixture.key, &maya] {
        assert!(!text.contains(word), "{word} is in the counters");
    }
    let without_key = Request::get("/metrics").header("host", ADDRESS).body(Body::empty()).unwrap();
    assert_eq!(fixture.send(without_key).await.status, StatusCode::UNAUTHORIZED);
    let local = fixture.local(TENANT).send(Ask::new(Method::GET, "/metrics")).await.unwrap();
    assert_eq!(local.status, StatusCode::OK, "whoever reaches the private socket holds the home");
    assert_eq!(fixture.ask("GET", "/metrics", None).await.status, StatusCode::OK);
}
