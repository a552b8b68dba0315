//! Model servers on the machine are offered to whose machine it is, and to nobody who shares it.

use std::path::PathBuf;

use axum::http::{Method, StatusCode};
use llm::LocalServer;
use serde_json::{Value, json};
use server::Config;
use server::client::Ask;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use crate::fixture::{Fixture, TENANT, engine};

/// A server with the models that an Ollama would list; it says on which port it listens.
async fn ollama() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut asked = [0; 4096];
            let read = stream.read(&mut asked).await.unwrap();
            assert!(asked[..read].starts_with(b"GET /v1/models HTTP/1.1\r\n"));
            let body = json!({ "object": "list", "data": [
                { "id": "nomic-embed-text:latest", "object": "model", "created": 1_760_000_000, "owned_by": "library" },
                { "id": "llama3.2:3b", "object": "model", "created": 1_760_000_001, "owned_by": "library" },
            ] })
            .to_string();
            let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n";
            let answer = format!("{head}content-length: {}\r\n\r\n{body}", body.len());
            stream.write_all(answer.as_bytes()).await.unwrap();
        }
    });
    port
}

async fn at_the_machine(fixture: &Fixture) -> Value {
    let ask = Ask::new(Method::GET, "/v1/local-models");
    fixture.local(TENANT).send(ask).await.unwrap().read().unwrap()
}

async fn by_key(fixture: &Fixture) -> Value {
    let response = fixture.ask("GET", "/v1/local-models", None).await;
    assert_eq!(response.status, StatusCode::OK, "{}", response.text);
    response.json()
}

#[tokio::test]
async fn a_server_on_this_machine_is_offered_until_another_tenant_shares_the_machine() {
    let port = ollama().await;
    let fixture = Fixture::around(Config::default(), |folder| async move {
        engine(&folder).await.looking_at(vec![LocalServer::at(port)])
    })
    .await;
    let base_url = format!("http://127.0.0.1:{port}/v1");
    let lines = format!(
        "[models.local]\nkind = \"openai\"\nbase_url = \"{base_url}\"\nmodel = \"llama3.2:3b\"\n\n[roles.chat]\nmodel = \"local\""
    );
    let found =
        json!({ "baseUrl": base_url, "models": ["llama3.2:3b", "nomic-embed-text:latest"], "lines": lines });
    let offered = json!({ "servers": [found] });
    assert_eq!(by_key(&fixture).await, offered);
    fixture.new_key("another", &["read"]).await;
    assert_eq!(by_key(&fixture).await, json!({}));
    assert_eq!(at_the_machine(&fixture).await, offered);

    let reader = Fixture { key: fixture.new_key(TENANT, &["read", "write"]).await, ..fixture };
    let refused = reader.ask("GET", "/v1/local-models", None).await;
    assert_eq!((refused.status, &refused.problem()["code"]), (StatusCode::FORBIDDEN, &json!("forbidden")));
}

#[tokio::test]
async fn a_machine_without_a_model_server_says_so() {
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = silent.local_addr().unwrap().port();
    for ports in [vec![], vec![LocalServer::at(port)]] {
        let looking = move |folder: PathBuf| async move { engine(&folder).await.looking_at(ports) };
        let fixture = Fixture::around(Config::default(), looking).await;
        assert_eq!(at_the_machine(&fixture).await, json!({ "servers": [] }));
    }
}
