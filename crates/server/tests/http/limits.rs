//! How much, how often, from where.

use std::time::Duration;

use axum::body::Body;
use axum::http::{Method, Request};
use http_body_util::StreamBody;
use llm::LocalServer;
use serde_json::json;
use server::client::Ask;
use server::{Config, Limits};

use crate::fixture::{ADDRESS, Fixture, TENANT, engine, memory};

#[tokio::test]
async fn a_key_that_is_used_too_often_learns_when_to_come_back() {
    let limits = Limits { requests_per_second: 1, burst: 3, ..Limits::default() };
    let fixture = Fixture::with(Config { limits, ..Config::default() }).await;
    let mut statuses = Vec::new();
    for _ in 0..4 {
        statuses.push(fixture.ask("GET", "/personas", None).await.status.as_u16());
    }
    assert_eq!(statuses, [200, 200, 200, 429]);
    let refused = fixture.ask("GET", "/personas", None).await;
    assert_eq!((refused.header("retry-after"), &refused.problem()["code"]), ("1", &json!("rate_limited")));
    let millis: u64 = refused.header("retry-after-ms").parse().unwrap();
    assert!((1..=1000).contains(&millis), "{millis}");
    let mut other = fixture.request("GET", "/personas", None);
    other.headers_mut().insert("x-api-key", fixture.new_key("scott", &["read"]).await.parse().unwrap());
    assert_eq!(fixture.send(other).await.status.as_u16(), 200, "another key is not concerned");
}

#[tokio::test]
async fn a_script_that_sends_one_request_after_the_other_is_slowed_down_and_not_refused() {
    let limits = Limits { requests_per_second: 100, burst: 5, ..Limits::default() };
    let fixture = Fixture::with(Config { limits, ..Config::default() }).await.with_running_clock(limits);
    let begun = std::time::Instant::now();
    for number in 0..40 {
        assert_eq!(fixture.ask("GET", "/personas", None).await.status.as_u16(), 200, "request {number}");
    }
    assert!(begun.elapsed() >= Duration::from_millis(300), "the rate holds: {:?}", begun.elapsed());
    let at_once = (0..40).map(|_| fixture.ask("GET", "/personas", None));
    let refused = futures_util::future::join_all(at_once).await;
    let refused: Vec<_> = refused.into_iter().filter(|answer| answer.status.as_u16() == 429).collect();
    assert!(!refused.is_empty(), "many at once are refused");
    for answer in refused {
        assert_eq!(answer.header("retry-after"), "1");
        assert!(answer.header("retry-after-ms").parse::<u64>().is_ok_and(|millis| millis <= 1000));
    }
}

#[tokio::test]
async fn a_body_that_is_too_large_is_refused_whether_or_not_it_says_so() {
    let fixture = Fixture::new().await;
    let maya = fixture.maya().await;
    let path = format!("/v1/personas/{maya}/memories");
    let large = || vec![b' '; 1024 * 1024 + 1];
    let mut announced = fixture.request("POST", &path, None);
    *announced.body_mut() = Body::from(large());
    announced.headers_mut().insert("content-length", (1024 * 1024 + 1).into());
    let mut silent = fixture.request("POST", &path, None);
    let frames = [Ok::<_, std::convert::Infallible>(hyper::body::Frame::data(large().into()))];
    *silent.body_mut() = Body::new(StreamBody::new(futures_util::stream::iter(frames)));
    for request in [announced, silent] {
        let answer = fixture.send(request).await;
        assert_eq!((answer.status.as_u16(), &answer.problem()["code"]), (413, &json!("body_too_large")));
    }
    let lines: Vec<_> = (0..2500).map(|n| memory(&format!("{n} {}", "a".repeat(250)))).collect();
    let import =
        fixture.ask("POST", &format!("/v1/personas/{maya}/import"), Some(json!({ "lines": lines }))).await;
    assert_eq!(
        (import.status.as_u16(), &import.json()["memories"]),
        (200, &json!(2500)),
        "imports may be larger"
    );
}

#[tokio::test]
async fn the_operator_bounds_bodies_for_keys_and_not_at_the_machine() {
    let limits = Limits { body_bytes: 100, import_bytes: 200, ..Limits::default() };
    let fixture = Fixture::with(Config { limits, ..Config::default() }).await;
    let seed = json!({ "firstName": "Maya", "lastName": "Chen", "age": 34, "location": "Cluj", "baseOccupation": "designer" });
    let asked = json!({ "tenantId": TENANT, "seed": seed });
    let answer = fixture.ask("POST", "/personas", Some(asked.clone())).await;
    assert_eq!((answer.status.as_u16(), &answer.problem()["code"]), (413, &json!("body_too_large")));
    let local =
        fixture.local(TENANT).send(Ask::new(Method::POST, "/personas").with_body(&asked)).await.unwrap();
    assert_eq!(local.status.as_u16(), 201);
    for (length, status) in [(150, 200), (250, 413)] {
        let lines = json!({ "lines": ["x".repeat(length - 20)] });
        let answer = fixture.ask("POST", "/v1/personas/maya-chen/import", Some(lines)).await;
        assert_eq!(answer.status.as_u16(), status, "{}", answer.text);
    }
}

#[tokio::test]
async fn a_body_that_never_comes_is_not_waited_for() {
    let limits = Limits { body: Duration::from_millis(50), ..Limits::default() };
    let fixture = Fixture::with(Config { limits, ..Config::default() }).await;
    let mut request = fixture.request("POST", "/personas", None);
    let never =
        futures_util::stream::pending::<Result<hyper::body::Frame<axum::body::Bytes>, std::io::Error>>();
    *request.body_mut() = Body::new(StreamBody::new(never));
    let answer = fixture.send(request).await;
    assert_eq!((answer.status.as_u16(), &answer.problem()["code"]), (408, &json!("request_timeout")));
}

#[tokio::test]
async fn only_the_servers_own_names_are_answered_to_except_by_probes() {
    let fixture = Fixture::new().await;
    for (path, host, status) in [
        ("/personas", "evil.example", 421),
        ("/docs", "evil.example", 421),
        ("/metrics", "evil.example", 421),
        ("/docs", "localhost:7411", 200),
        ("/healthz", "10.1.2.3:8080", 200),
        ("/readyz", "10.1.2.3:8080", 200),
        ("/livez", "10.1.2.3:8080", 200),
    ] {
        let answer = fixture.send(Request::get(path).header("host", host).body(Body::empty()).unwrap()).await;
        assert_eq!(answer.status.as_u16(), status, "{path} {host}");
    }
}

#[tokio::test]
async fn a_page_on_another_site_changes_nothing() {
    let fixture = Fixture::new().await;
    let maya = fixture.maya().await;
    for (name, value, status) in [
        ("sec-fetch-site", "cross-site", 403),
        ("origin", "https://evil.example", 403),
        ("origin", "null", 403),
    ] {
        let mut request = fixture.request("DELETE", &format!("/personas/{maya}"), None);
        request.headers_mut().insert(name, value.parse().unwrap());
        let answer = fixture.send(request).await;
        assert_eq!((answer.status.as_u16(), &answer.problem()["code"]), (status, &json!("cross_origin")));
    }
    let mut own = fixture.request("PATCH", &format!("/personas/{maya}"), Some(json!({ "displayName": "M" })));
    own.headers_mut().insert("origin", format!("http://{ADDRESS}").parse().unwrap());
    assert_eq!(fixture.send(own).await.status.as_u16(), 200);
}

/// Asking for local models waits for a port that takes connections and says nothing.
#[tokio::test(flavor = "multi_thread")]
async fn a_tenant_with_too_much_at_once_is_asked_to_come_back() {
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = silent.local_addr().unwrap().port();
    let limits = Limits { requests_at_once: 1, ..Limits::default() };
    let fixture = Fixture::around(Config { limits, ..Config::default() }, |folder| async move {
        engine(&folder).await.looking_at(vec![LocalServer::at(port)])
    })
    .await;
    let meanwhile = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        fixture.ask("GET", "/personas", None).await
    };
    tokio::select! {
        ended = fixture.ask("GET", "/v1/local-models", None) => panic!("the slow request ended: {ended:?}"),
        refused = meanwhile => {
            assert_eq!((refused.status.as_u16(), &refused.problem()["code"]), (429, &json!("busy")));
            assert_eq!((refused.header("retry-after"), refused.header("retry-after-ms")), ("1", "1000"));
        }
    }
    let its_place_is_free_again = async {
        while fixture.ask("GET", "/personas", None).await.status.as_u16() != 200 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), its_place_is_free_again).await.unwrap();
}
