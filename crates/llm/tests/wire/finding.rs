//! Servers on this machine are detected, and their responses are not trusted.

use std::time::{Duration, Instant};

use llm::{Complete, LocalServer, detect};
use serde_json::json;

use crate::openai;
use crate::server::{Act, Server};

#[tokio::test]
async fn only_model_servers_are_found_and_silent_ports_are_not_waited_for() {
    let models = json!({ "object": "list", "data": [{ "id": "llama3.2:3b" }, { "id": "\u{1b}[31mred" }, { "id": 7 }] });
    let real = Server::answering("200 OK", &models.to_string()).await;
    let other = Server::answering("200 OK", "<html></html>").await;
    let refusing = Server::answering("404 Not Found", "{}").await;
    let silent = Server::play(vec![vec![Act::UntilClosed]]).await;
    let servers = [&real, &other, &refusing, &silent].map(|it| LocalServer::at(it.port));
    let began = Instant::now();
    let found = detect(&servers).await;
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
    let [found] = &found[..] else { panic!("{found:?}") };
    assert_eq!(found.models, ["llama3.2:3b"]);
    assert_eq!(found.base_url.to_string(), real.url);
    let seen = real.seen().remove(0);
    assert!(seen.head.starts_with("GET /v1/models HTTP/1.1") && !seen.head.contains("authorization"));
}

#[tokio::test]
async fn a_model_lists_what_its_server_has() {
    let server =
        Server::answering("200 OK", &json!({ "data": [{ "id": "a" }, { "id": "b" }] }).to_string()).await;
    assert_eq!(openai(&server).models().await.unwrap(), ["a", "b"]);
}
