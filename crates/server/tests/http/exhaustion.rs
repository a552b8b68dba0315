//! One client that takes all it can get: connections, streams, bodies. The others are answered all the same.

use std::time::Duration;

use serde_json::json;
use server::{Config, Limits};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

use crate::fixture::Fixture;
use crate::listeners::Running;

const SOON: Duration = Duration::from_secs(5);

async fn running(limits: Limits) -> Running {
    Running::with(Config { limits, ..Config::default() }).await
}

/// Sends `text` over a new connection and returns it with the first bytes of the answer.
async fn open(running: &Running, text: &str) -> (TcpStream, String) {
    let mut stream = TcpStream::connect(running.address).await.unwrap();
    stream.write_all(text.as_bytes()).await.unwrap();
    let mut bytes = vec![0; 64 * 1024];
    let read = timeout(SOON, stream.read(&mut bytes)).await.unwrap_or(Ok(0)).unwrap_or(0);
    (stream, String::from_utf8_lossy(bytes.get(..read).unwrap()).into_owned())
}

async fn status(running: &Running, method: &str, path: &str) -> u16 {
    status_of(running, &running.head(method, path, "")).await
}

async fn status_of(running: &Running, text: &str) -> u16 {
    let (_, answer) = open(running, text).await;
    answer.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0)
}

/// Connections on each of which `text` was sent and nothing more.
async fn left_alone(running: &Running, count: usize, text: &str) -> Vec<TcpStream> {
    let mut streams = Vec::new();
    for _ in 0..count {
        let mut stream = TcpStream::connect(running.address).await.unwrap();
        let _ = stream.write_all(text.as_bytes()).await;
        streams.push(stream);
    }
    streams
}

#[tokio::test(flavor = "multi_thread")]
async fn half_sent_requests_block_neither_probes_nor_others() {
    let sign_in = "POST /v1/sign-in HTTP/1.1\r\nhost: ADDRESS\r\ncontent-type: application/json\r\n\
        sec-fetch-site: same-origin\r\ncontent-length: 100\r\n\r\n{";
    for half in ["", "GET /personas HTTP/1.1\r\nhost:", sign_in] {
        let running = running(Limits { connections: 8, ..Limits::default() }).await;
        let half = half.replace("ADDRESS", &running.address.to_string());
        let _left_alone = left_alone(&running, 40, &half).await;
        for path in ["/readyz", "/livez", "/healthz", "/metrics", "/personas"] {
            assert_eq!(status(&running, "GET", path).await, 200, "{path} beside {half:?}");
        }
        running.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_stream_holds_its_place_until_it_ends_and_leaves_room_for_answers() {
    let running = running(Limits { streams_at_once: 4, ..Limits::default() }).await;
    let follow = running.head("GET", "/v1/events", "");
    let (first, _second) = (open(&running, &follow).await, open(&running, &follow).await);
    assert!(first.1.contains(" 200 "), "{}", first.1);
    let (_, refused) = open(&running, &follow).await;
    assert!(refused.contains(" 429 ") && refused.contains("2 streams of this tenant are open"), "{refused}");
    assert_eq!(status(&running, "POST", "/setup/persona").await, 415, "other requests are answered");
    drop(first);
    let next = async {
        while status_of(&running, &follow).await != 200 {
            sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(SOON, next).await.unwrap();
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn probes_are_answered_when_every_connection_is_held_by_a_stream() {
    let running = running(Limits { connections: 2, streams_at_once: 8, ..Limits::default() }).await;
    let follow = running.head("GET", "/v1/events", "");
    let _held = (open(&running, &follow).await, open(&running, &follow).await);
    for path in ["/readyz", "/livez", "/healthz", "/metrics"] {
        assert_eq!(status(&running, "GET", path).await, 200, "{path}");
    }
    assert_eq!(status(&running, "GET", "/personas").await, 429);
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_clients_of_a_trusted_proxy_are_distinguished() {
    let config = Config {
        limits: Limits { connections_per_address: 1, ..Limits::default() },
        forwarders: vec!["127.0.0.1".parse().unwrap()],
        ..Config::default()
    };
    let running = Running::with(config).await;
    let from =
        |path: &str, client: &str| running.head("GET", path, &format!("x-forwarded-for: {client}\r\n"));
    let _held = open(&running, &from("/v1/events", "203.0.113.9")).await;
    assert_eq!(status_of(&running, &from("/personas", "203.0.113.9")).await, 429);
    assert_eq!(status_of(&running, &from("/personas", "203.0.113.10")).await, 200);
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_bodies_take_no_place_of_their_tenant() {
    let running = running(Limits { requests_at_once: 2, ..Limits::default() }).await;
    let slow =
        running.head("POST", "/setup/persona", "content-type: application/json\r\ncontent-length: 90\r\n");
    let _slow = left_alone(&running, 64, &format!("{slow}{{")).await;
    sleep(Duration::from_millis(200)).await;
    assert_eq!(status(&running, "GET", "/personas").await, 200);
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_bodies_of_one_key_are_bounded_together_and_another_key_is_not_concerned() {
    let limits = Limits { body_bytes_at_once: 1000, ..Limits::default() };
    let fixture = Fixture::with(Config { limits, ..Config::default() }).await;
    let other = fixture.new_key("scott", &["read", "write", "admin"]).await;
    let running = Running::start(fixture).await;
    let sized = |length: usize| {
        let more = format!("content-type: application/json\r\ncontent-length: {length}\r\n");
        running.head("POST", "/setup/persona", &more)
    };
    let _half = left_alone(&running, 1, &format!("{}{}", sized(900), " ".repeat(800))).await;
    sleep(Duration::from_millis(200)).await;
    let body = json!({ "name": "inara", "description": "x".repeat(250) }).to_string();
    let whole = format!("{}{body}", sized(body.len()));
    assert_eq!(status_of(&running, &whole).await, 429);
    assert_eq!(status_of(&running, &whole.replace(&running.key, &other)).await, 201);
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_without_a_key_are_refused_before_their_body_is_read() {
    let running = running(Limits::default()).await;
    let sized =
        running.head("POST", "/setup/persona", "content-type: application/json\r\ncontent-length: 90\r\n");
    assert_eq!(status_of(&running, &sized.replace(&running.key, "sh_nobody_0")).await, 401);
    running.stop().await;
}
