//! The model that answers is connected by the owner while the server runs, and stays connected after a restart.

use std::path::Path;
use std::sync::{Arc, Mutex};

use axum::http::{Method, StatusCode};
use domain::EventKind;
use engine::Engine;
use llm::{LocalServer, Provider};
use serde_json::{Value, json};
use server::client::Ask;
use server::{Config, Server};
use store::Deployment as _;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::fixture::{ADDRESS, Answer, Fixture, TENANT, clock, engine};

const SECRET: &str = "sk-test-7f3a8b000001";
const REPLY: &str = "A model says good morning.";

/// A model server: what it was sent, where it listens, and the key it wants.
struct ModelServer {
    port: u16,
    seen: Arc<Mutex<Vec<String>>>,
}

impl ModelServer {
    async fn new(key: Option<&'static str>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&seen);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(answer(stream, key, Arc::clone(&kept)));
            }
        });
        Self { port, seen }
    }

    fn address(&self) -> String {
        format!("http://127.0.0.1:{}/v1", self.port)
    }

    fn questions(&self) -> usize {
        self.seen.lock().unwrap().iter().filter(|head| head.starts_with("POST /v1/chat/completions")).count()
    }
}

async fn answer(mut stream: TcpStream, key: Option<&str>, seen: Arc<Mutex<Vec<String>>>) {
    let mut bytes = Vec::new();
    let whole = loop {
        let mut piece = [0; 4096];
        let read = stream.read(&mut piece).await.unwrap_or(0);
        bytes.extend_from_slice(&piece[..read]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            if read == 0 {
                return;
            }
            continue;
        };
        if head.starts_with("GET") || serde_json::from_str::<Value>(body).is_ok() {
            break text;
        }
    };
    let is_permitted = key.is_none_or(|key| whole.contains(&format!("Bearer {key}")));
    let (status, body) = match (is_permitted, whole.starts_with("GET /v1/models")) {
        (false, _) => ("401 Unauthorized", json!({ "error": { "message": "wrong key" } })),
        (true, true) => {
            ("200 OK", json!({ "data": [{ "id": "nomic-embed-text" }, { "id": "tiny:latest" }] }))
        }
        (true, false) => {
            let message = json!({ "role": "assistant", "content": REPLY });
            ("200 OK", json!({ "choices": [{ "index": 0, "finish_reason": "stop", "message": message }] }))
        }
    };
    seen.lock().unwrap().push(whole);
    let body = body.to_string();
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    let _ = stream.write_all((head + &body).as_bytes()).await;
}

/// An engine in `folder` that looks for a server on one port and offers one provider.
async fn made(folder: &Path, port: u16, provider: Option<String>) -> Engine {
    let providers = provider.map(|address| Provider::at(address.parse().unwrap()));
    engine(folder).await.looking_at(vec![LocalServer::at(port)]).offering(providers.into_iter().collect())
}

/// A fixture whose key speaks for the owner.
async fn fixture(port: u16, provider: Option<String>) -> Fixture {
    let mut fixture =
        Fixture::around(Config::default(), |folder| async move { made(&folder, port, provider).await }).await;
    fixture.key = owner_key(&fixture, TENANT).await;
    fixture
}

async fn owner_key(fixture: &Fixture, tenant: &str) -> String {
    let asked = json!({ "scopes": ["read", "write", "admin", "audit"], "speaks": "owner" });
    let ask = Ask::new(Method::POST, "/v1/keys").with_body(&asked);
    let answer: Value = fixture.local(tenant).send(ask).await.unwrap().read().unwrap();
    answer["secret"].as_str().unwrap().to_owned()
}

async fn connect(fixture: &Fixture, address: &str, key: Option<&str>) -> Answer {
    let mut body = json!({ "baseUrl": address, "model": "tiny" });
    if let Some(key) = key {
        body["apiKey"] = json!(key);
    }
    fixture.ask("PUT", "/v1/chat-model", Some(body)).await
}

async fn said(fixture: &Fixture) -> String {
    let body = json!({ "model": "maya-chen", "messages": [{ "role": "user", "content": "Good morning!" }] });
    let answer = fixture.ask("POST", "/v1/chat/completions", Some(body)).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    answer.json()["choices"][0]["message"]["content"].as_str().unwrap().to_owned()
}

/// Every byte of the home and nothing of its keys.
fn home_bytes(folder: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut folders = vec![folder.join("home")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                bytes.extend(std::fs::read(path).unwrap_or_default());
            }
        }
    }
    bytes
}

#[tokio::test]
async fn a_server_found_on_this_machine_answers_as_soon_as_it_is_connected_and_until_it_is_disconnected() {
    let server = ModelServer::new(None).await;
    let fixture = fixture(server.port, None).await;
    fixture.maya().await;
    assert_ne!(said(&fixture).await, REPLY);
    let shown = fixture.ask("GET", "/v1/chat-model", None).await.json();
    assert_eq!(shown["servers"][0]["models"], json!(["tiny:latest", "nomic-embed-text"]), "{shown}");
    assert_eq!((&shown["mayConnect"], &shown["model"]), (&json!(true), &Value::Null));

    let connected = connect(&fixture, &server.address(), None).await;
    assert_eq!(connected.status, StatusCode::OK, "{}", connected.text);
    let model = &connected.json()["model"];
    let expected =
        json!({ "name": "tiny", "origin": "connected", "baseUrl": server.address(), "hasApiKey": false });
    assert_eq!(*model, expected);
    assert_eq!(said(&fixture).await, REPLY);
    assert_eq!(fixture.ask("GET", "/v1/local-models", None).await.json()["answering"], "tiny");

    let gone = fixture.ask("DELETE", "/v1/chat-model", None).await;
    assert_eq!((gone.status, gone.json().get("model").is_none()), (StatusCode::OK, true), "{}", gone.text);
    let before = server.questions();
    assert_ne!(said(&fixture).await, REPLY);
    assert_eq!(server.questions(), before, "a disconnected model is asked nothing");

    let events = fixture.engine.store().deployment_events(0..u64::MAX).await.unwrap();
    let kinds: Vec<EventKind> = events.iter().map(|logged| logged.event.kind).collect();
    let about = [EventKind::ModelConnected, EventKind::ModelDisconnected];
    assert_eq!(kinds.into_iter().filter(|kind| about.contains(kind)).collect::<Vec<_>>(), about);
}

#[tokio::test]
async fn the_key_of_a_provider_is_sealed_never_shown_and_still_opens_after_a_restart() {
    let server = ModelServer::new(Some(SECRET)).await;
    let address = server.address();
    let mut first = fixture(1, Some(address.clone())).await;
    first.maya().await;
    for wrong in [None, Some("sk-wrong")] {
        let refused = connect(&first, &address, wrong).await;
        assert_eq!(refused.problem()["code"], "model_key_refused", "{}", refused.text);
    }
    let listed = json!({ "baseUrl": address, "apiKey": SECRET });
    let listed = first.ask("POST", "/v1/chat-model/models", Some(listed)).await;
    assert_eq!(listed.json()["models"], json!(["tiny:latest", "nomic-embed-text"]), "{}", listed.text);

    let connected = connect(&first, &address, Some(SECRET)).await;
    assert_eq!(connected.status, StatusCode::OK, "{}", connected.text);
    assert!(connected.json()["model"]["hasApiKey"] == true && !connected.text.contains(SECRET));
    assert_eq!(said(&first).await, REPLY);
    // Another model of the same server needs no key again.
    assert_eq!(connect(&first, &address, None).await.status, StatusCode::OK);

    first.engine.shutdown(crate::fixture::now()).await.unwrap();
    let Fixture { folder, key, .. } = first;
    let bytes = home_bytes(folder.path());
    assert!(bytes.len() > 1000 && !bytes.windows(SECRET.len()).any(|part| part == SECRET.as_bytes()));
    let engine = Arc::new(made(folder.path(), 1, Some(address.clone())).await);
    let server = Server::new(Arc::clone(&engine), clock(), Config::default());
    let public = server.public_router(ADDRESS.parse().unwrap());
    first = Fixture { folder, engine, server, public, key };
    assert_eq!(said(&first).await, REPLY);
    let shown = first.ask("GET", "/v1/chat-model", None).await;
    assert!(shown.json()["model"]["hasApiKey"] == true && !shown.text.contains(SECRET), "{}", shown.text);

    // An operator who no longer permits the address stops it: nothing else answers in its place.
    first.engine.shutdown(crate::fixture::now()).await.unwrap();
    let Fixture { folder, key, .. } = first;
    let engine = Arc::new(made(folder.path(), 1, None).await);
    let server = Server::new(Arc::clone(&engine), clock(), Config::default());
    let public = server.public_router(ADDRESS.parse().unwrap());
    let fixture = Fixture { folder, engine, server, public, key };
    let shown = fixture.ask("GET", "/v1/chat-model", None).await.json();
    assert!(shown["model"]["unusable"].as_str().unwrap().contains("server.model_providers"), "{shown}");
    let body = json!({ "model": "maya-chen", "messages": [{ "role": "user", "content": "Hello?" }] });
    assert!(!fixture.ask("POST", "/v1/chat/completions", Some(body)).await.status.is_success());
}

#[tokio::test]
async fn only_the_owner_connects_and_only_to_an_address_the_operator_permits() {
    let server = ModelServer::new(None).await;
    let fixture = fixture(server.port, None).await;
    for address in [
        "http://127.0.0.1:1/v1".to_owned(),
        "http://169.254.169.254/v1".to_owned(),
        "https://models.example.org/v1".to_owned(),
        format!("http://localhost:{}/v1", server.port),
        format!("http://127.0.0.1:{}/elsewhere", server.port),
        "not an address".to_owned(),
    ] {
        let refused = connect(&fixture, &address, None).await;
        assert_eq!(refused.problem()["code"], "validation_failed", "{address}: {}", refused.text);
        assert_eq!(refused.json()["errors"][0]["pointer"], "/baseUrl");
    }
    let unknown = json!({ "baseUrl": server.address(), "model": "huge" });
    let unknown = fixture.ask("PUT", "/v1/chat-model", Some(unknown)).await;
    assert_eq!(unknown.problem()["errors"][0]["pointer"], "/model", "{}", unknown.text);

    let administrator = Fixture { key: fixture.new_key(TENANT, &["read", "admin"]).await, ..fixture };
    let refused = connect(&administrator, &server.address(), None).await;
    assert_eq!(
        (refused.status, refused.problem()["code"].clone()),
        (StatusCode::FORBIDDEN, json!("forbidden"))
    );
    assert_eq!(administrator.ask("GET", "/v1/chat-model", None).await.json()["mayConnect"], false);
    assert_eq!(administrator.ask("DELETE", "/v1/chat-model", None).await.status, StatusCode::FORBIDDEN);

    // Where tenants share the machine, what runs on it is no tenant's business.
    let key = owner_key(&administrator, "another").await;
    let neighbour = Fixture { key, ..administrator };
    let refused = connect(&neighbour, &server.address(), None).await;
    assert_eq!(refused.problem()["errors"][0]["pointer"], "/baseUrl", "{}", refused.text);
}

#[tokio::test]
async fn one_tenants_model_answers_nobody_else() {
    let server = ModelServer::new(Some(SECRET)).await;
    let fixture = fixture(1, Some(server.address())).await;
    fixture.maya().await;
    assert_eq!(connect(&fixture, &server.address(), Some(SECRET)).await.status, StatusCode::OK);
    let key = owner_key(&fixture, "another").await;
    let neighbour = Fixture { key, ..fixture };
    let seed = json!({ "firstName": "Maya", "lastName": "Chen", "age": 34, "location": "Cluj", "baseOccupation": "designer" });
    let made = neighbour.ask("POST", "/personas", Some(json!({ "tenantId": "another", "seed": seed }))).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.text);
    assert_ne!(said(&neighbour).await, REPLY);
    let shown = neighbour.ask("GET", "/v1/chat-model", None).await.json();
    assert!(shown.get("model").is_none(), "{shown}");
    // Nor does the neighbour's request use the stored key.
    let refused = connect(&neighbour, &server.address(), None).await;
    assert_eq!(refused.problem()["code"], "model_key_refused", "{}", refused.text);
}
