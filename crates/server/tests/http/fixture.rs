//! A home with an engine and both doors, a clock that stands still, and short words for requests.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Method, Request, StatusCode};
use domain::{Actor, TenantName, Timestamp};
use engine::{Consent, Engine, Parts};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use server::client::{Ask, Client};
use server::{Clock, Config, Server};
use store::home::Owner;
use store::{Sqlite, SqliteOptions, Store};
use tempfile::TempDir;
use tower::ServiceExt;
use vault::hash::KeyedHash;
use vault::key_directory::{KeyCreation, KeyDirectory};
use vault::randomness::OsRandomness;

pub(crate) const TENANT: &str = "scott";
pub(crate) const ADDRESS: &str = "127.0.0.1:7411";

pub(crate) fn now() -> Timestamp {
    "2026-02-20T12:00:00Z".parse().unwrap()
}

pub(crate) fn clock() -> Clock {
    Arc::new(now)
}

/// An engine on the home inside `folder`, which is made if there is none.
pub(crate) async fn engine(folder: &Path) -> Engine {
    let randomness = Arc::new(OsRandomness);
    let keys = KeyDirectory::open_or_create(&folder.join("keys"), None).unwrap();
    let making = KeyCreation { now: now().as_millis(), randomness: &OsRandomness };
    let operator = keys.operator("owner").or_else(|_| keys.create_operator("owner", making)).unwrap();
    let pepper = KeyedHash::new(keys.secret("pepper", making).unwrap());
    let options = SqliteOptions {
        home: folder.join("home"),
        owner: Owner { pid: std::process::id(), started_at: now(), socket: None },
        keys,
        signer: vault::signature::SigningKey::from_seed(&operator.seed()),
        randomness: randomness.clone(),
        writers: 2,
        readers: 2,
        open_personas: 16,
    };
    Engine::new(Parts {
        store: Store::Sqlite(Sqlite::open(options).await.unwrap()),
        signers: vec![operator.public_key()],
        operator,
        deployment: "did:selfhood:test".parse().unwrap(),
        pepper,
        randomness,
        consent: Consent { added: Vec::new(), formation: domain::ConsentBasis::service_delivery() },
        open_bytes: 1 << 28,
        roles: engine::converse::Roles::default(),
        distillation: engine::Distillation::default(),
        encoders: engine::built_in_encoders(),
        encoding: engine::Encoding::WhenAsked,
    })
}

/// A server with a public and a private door.
pub(crate) struct Fixture {
    pub(crate) folder: TempDir,
    pub(crate) engine: Arc<Engine>,
    pub(crate) server: Server,
    pub(crate) public: Router,
    /// A key that may do everything in [`TENANT`].
    pub(crate) key: String,
}

impl Fixture {
    pub(crate) async fn new() -> Self {
        Self::with(Config::default()).await
    }

    pub(crate) async fn with(config: Config) -> Self {
        Self::around(config, |folder| async move { engine(&folder).await }).await
    }

    /// A fixture around the engine that is made in the folder.
    pub(crate) async fn around<F: Future<Output = Engine>>(
        config: Config,
        made_in: impl FnOnce(PathBuf) -> F,
    ) -> Self {
        crate::logs::page();
        let folder = tempfile::tempdir().unwrap();
        let engine = Arc::new(made_in(folder.path().to_owned()).await);
        let server = Server::new(Arc::clone(&engine), clock(), config);
        let public = server.public_router(ADDRESS.parse().unwrap());
        let mut fixture = Self { folder, engine, server, public, key: String::new() };
        fixture.key = fixture.new_key(TENANT, &["read", "write", "erase", "audit", "admin"]).await;
        fixture
    }

    /// The same fixture with a clock that runs.
    pub(crate) fn with_running_clock(mut self, limits: server::Limits) -> Self {
        let begun = std::time::Instant::now();
        let running = move || {
            let passed = i64::try_from(begun.elapsed().as_millis()).unwrap();
            Timestamp::from_millis(now().as_millis() + passed)
        };
        let config = Config { limits, ..Config::default() };
        self.server = Server::new(Arc::clone(&self.engine), Arc::new(running), config);
        self.public = self.server.public_router(ADDRESS.parse().unwrap());
        self
    }

    /// Someone at the machine.
    pub(crate) fn local(&self, tenant: &str) -> Client {
        let tenant: TenantName = tenant.parse().unwrap();
        Client::in_process(self.server.private_router(Actor::operator("did:key:test")), tenant)
    }

    pub(crate) async fn new_key(&self, tenant: &str, scopes: &[&str]) -> String {
        let ask = Ask::new(Method::POST, "/v1/keys").with_body(&json!({ "scopes": scopes }));
        let answer: Value = self.local(tenant).send(ask).await.unwrap().read().unwrap();
        answer["secret"].as_str().unwrap().to_owned()
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> Answer {
        let (head, body) = self.public.clone().oneshot(request).await.unwrap().into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        Answer { status: head.status, headers: head.headers, text }
    }

    /// Sends a request with the key and, if there is one, a JSON body.
    pub(crate) async fn ask(&self, method: &str, path: &str, body: Option<Value>) -> Answer {
        self.send(self.request(method, path, body)).await
    }

    pub(crate) fn request(&self, method: &str, path: &str, body: Option<Value>) -> Request<Body> {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header("host", ADDRESS)
            .header("x-api-key", &self.key)
            .header("content-type", "application/json");
        request.body(body.map_or_else(Body::empty, |body| Body::from(body.to_string()))).unwrap()
    }

    /// Makes Maya and returns her id.
    pub(crate) async fn maya(&self) -> String {
        let seed = json!({
            "firstName": "Maya", "lastName": "Chen", "age": 34, "location": "Cluj", "baseOccupation": "designer"
        });
        let made = self.ask("POST", "/personas", Some(json!({ "tenantId": TENANT, "seed": seed }))).await;
        assert_eq!(made.status, StatusCode::CREATED, "{}", made.text);
        made.json()["persona"]["id"].as_str().unwrap().to_owned()
    }

    /// Gives `persona` a memory and returns its id.
    pub(crate) async fn remember(&self, persona: &str, gist: &str) -> String {
        let made = self.ask("POST", &format!("/v1/personas/{persona}/memories"), Some(memory(gist))).await;
        assert_eq!(made.status, StatusCode::CREATED, "{}", made.text);
        made.json()["memory"]["id"].as_str().unwrap().to_owned()
    }
}

pub(crate) fn memory(gist: &str) -> Value {
    json!({
        "kind": "semantic", "gist": gist, "salience": 0.8, "privacyClass": "non-pii",
        "consentBasis": "not-applicable", "tags": ["coffee"],
        "details": [{ "content": "the beans come from Sibiu", "brightness": 0.9 }],
    })
}

pub(crate) fn event(label: &str, at: &str) -> Value {
    json!({
        "tenantId": TENANT, "eventAt": at, "eventLabel": label, "facts": "It happened.",
        "feelings": "Glad.", "emotionTags": ["joy"], "memoryType": "normal", "memoryStrength": 72,
        "interpretation": "A start.",
    })
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The problem it tells, after checking what every problem has.
    pub(crate) fn problem(&self) -> Value {
        let problem = self.json();
        let code = problem["code"].as_str().unwrap();
        assert_eq!(self.header("content-type"), "application/problem+json");
        assert_eq!(problem["status"], self.status.as_u16());
        assert_eq!(problem["type"], format!("/docs/errors/{code}"));
        assert_eq!(problem["requestId"], self.header("x-request-id"));
        assert!(!problem["detail"].as_str().unwrap().is_empty());
        let is_seed = !problem["instance"].as_str().unwrap().starts_with("/v1/");
        assert_eq!(problem.get("error").is_some(), is_seed, "{problem}");
        problem
    }
}
