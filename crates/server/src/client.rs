//! The other end: how the command line reaches the verbs, over the private socket of whoever owns the
//! home, or in process when nobody does. Both ways give the same answers, because both are the same routes.

mod listening;

use std::path::{Path, PathBuf};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::header::{CONTENT_TYPE, HOST};
use axum::http::{HeaderMap, Method, Request, Response, StatusCode};
use domain::TenantName;
use http_body_util::BodyExt;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::net::UnixStream;
use tower::ServiceExt;
use wire::{Code, Problem};

use crate::http::TENANT_HEADER;

pub use listening::{Event, Listening};

/// Someone at the machine who asks on behalf of a tenant.
#[derive(Clone)]
pub struct Client {
    way: Way,
    tenant: TenantName,
}

#[derive(Clone)]
enum Way {
    InProcess(Router),
    Socket(PathBuf),
}

/// What is asked.
#[derive(Clone, Debug)]
pub struct Ask {
    method: Method,
    path: String,
    body: Option<Vec<u8>>,
    request_key: Option<String>,
    headers: Vec<(&'static str, String)>,
}

impl Ask {
    /// Asks `method` of `path`, which may have a query.
    #[must_use]
    pub fn new(method: Method, path: impl Into<String>) -> Self {
        Self { method, path: path.into(), body: None, request_key: None, headers: Vec::new() }
    }

    /// The same, saying `body` as JSON.
    #[must_use]
    pub fn saying(self, body: &impl Serialize) -> Self {
        self.saying_json(serde_json::to_vec(body).unwrap_or_default())
    }

    /// The same, saying what is JSON already.
    #[must_use]
    pub fn saying_json(self, json: Vec<u8>) -> Self {
        Self { body: Some(json), ..self }
    }

    /// The same, with a header more.
    #[must_use]
    pub fn heading(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// The same, to be done once however often it is asked under `request_key`.
    #[must_use]
    pub fn once(self, request_key: impl Into<String>) -> Self {
        Self { request_key: Some(request_key.into()), ..self }
    }
}

/// What is answered.
#[derive(Clone, Debug)]
pub struct Reply {
    /// How it went.
    pub status: StatusCode,
    /// About the answer.
    pub headers: HeaderMap,
    /// The answer.
    pub body: Bytes,
}

impl Reply {
    /// The answer as a `T`, or the problem it tells.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        self.check()?;
        serde_json::from_slice(&self.body).map_err(|error| not_understood(&error))
    }

    /// Nothing, or the problem it tells.
    pub fn check(&self) -> Result<(), Problem> {
        if self.status.is_success() {
            return Ok(());
        }
        Err(told_by(&self.body))
    }
}

impl Client {
    /// Asks the routes of this process.
    #[must_use]
    pub fn in_process(router: Router, tenant: TenantName) -> Self {
        Self { way: Way::InProcess(router), tenant }
    }

    /// Asks the process that listens on the private socket at `path`.
    #[must_use]
    pub fn over_socket(path: &Path, tenant: TenantName) -> Self {
        Self { way: Way::Socket(path.to_owned()), tenant }
    }

    /// Sends what is asked and waits for the whole answer.
    pub async fn send(&self, ask: Ask) -> Result<Reply, Problem> {
        let (head, body) = self.answer(ask).await?.into_parts();
        let body = body.collect().await.map_err(|error| no_answer(&error))?.to_bytes();
        Ok(Reply { status: head.status, headers: head.headers, body })
    }

    /// Sends what is asked and listens to an answer that comes in pieces.
    pub async fn listen(&self, ask: Ask) -> Result<Listening, Problem> {
        let (head, body) = self.answer(ask).await?.into_parts();
        if head.status.is_success() {
            return Ok(Listening::new(body));
        }
        let body = body.collect().await.map_err(|error| no_answer(&error))?.to_bytes();
        Err(told_by(&body))
    }

    async fn answer(&self, ask: Ask) -> Result<Response<Body>, Problem> {
        let request = self.request(ask)?;
        match &self.way {
            Way::InProcess(router) => {
                Ok(router.clone().oneshot(request).await.unwrap_or_else(|never| match never {}))
            }
            Way::Socket(path) => over(path, request).await.map_err(|error| no_answer(&*error)),
        }
    }

    fn request(&self, ask: Ask) -> Result<Request<Body>, Problem> {
        let mut request = Request::builder()
            .method(ask.method)
            .uri(ask.path)
            .header(HOST, "localhost")
            .header(TENANT_HEADER, self.tenant.as_str());
        if let Some(key) = ask.request_key {
            request = request.header("idempotency-key", key);
        }
        for (name, value) in ask.headers {
            request = request.header(name, value);
        }
        if ask.body.is_some() {
            request = request.header(CONTENT_TYPE, "application/json");
        }
        let body = ask.body.map_or_else(Body::empty, Body::from);
        request.body(body).map_err(|error| Problem::new(Code::Usage, format!("that can't be asked: {error}")))
    }
}

type Unanswered = Box<dyn std::error::Error + Send + Sync>;

async fn over(path: &Path, request: Request<Body>) -> Result<Response<Body>, Unanswered> {
    let stream = UnixStream::connect(path).await?;
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    Ok(sender.send_request(request).await?.map(Body::new))
}

fn no_answer(error: &(dyn std::error::Error + 'static)) -> Problem {
    Problem::new(Code::Unreachable, format!("the server that owns this home does not answer: {error}"))
}

/// The problem in the body of a refusal.
fn told_by(body: &[u8]) -> Problem {
    serde_json::from_slice(body).unwrap_or_else(|error| not_understood(&error))
}

fn not_understood(error: &serde_json::Error) -> Problem {
    let detail = format!("the server that owns this home speaks another version: {error}");
    Problem::new(Code::Unreachable, detail)
}
