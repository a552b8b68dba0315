//! The client of the command line: it reaches the verbs over the private socket of the process that owns the
//! home, or in process when there is none. Both give the same answers, because both use the same routes.

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

/// A local client acting for a tenant.
#[derive(Clone)]
pub struct Client {
    way: Transport,
    tenant: TenantName,
}

#[derive(Clone)]
enum Transport {
    InProcess(Router),
    Socket(PathBuf),
}

/// A request.
#[derive(Clone, Debug)]
pub struct Ask {
    method: Method,
    path: String,
    body: Option<Vec<u8>>,
    request_key: Option<String>,
    headers: Vec<(&'static str, String)>,
}

impl Ask {
    /// A request with `method` to `path`, which may have a query.
    #[must_use]
    pub fn new(method: Method, path: impl Into<String>) -> Self {
        Self { method, path: path.into(), body: None, request_key: None, headers: Vec::new() }
    }

    /// The same with `body` as JSON.
    #[must_use]
    pub fn with_body(self, body: &impl Serialize) -> Self {
        self.with_json(serde_json::to_vec(body).unwrap_or_default())
    }

    /// The same with a JSON body that is already serialised.
    #[must_use]
    pub fn with_json(self, json: Vec<u8>) -> Self {
        Self { body: Some(json), ..self }
    }

    /// The same with another header.
    #[must_use]
    pub fn with_header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// The same with `request_key` as its `Idempotency-Key`.
    #[must_use]
    pub fn once(self, request_key: impl Into<String>) -> Self {
        Self { request_key: Some(request_key.into()), ..self }
    }
}

/// A response.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
}

impl Reply {
    /// The body as a `T`, or the problem in it.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        self.check()?;
        serde_json::from_slice(&self.body).map_err(|error| not_understood(&error))
    }

    /// An error if the body is a problem.
    pub fn check(&self) -> Result<(), Problem> {
        if self.status.is_success() {
            return Ok(());
        }
        Err(problem_in(&self.body))
    }
}

impl Client {
    /// A client of the routes in this process.
    #[must_use]
    pub fn in_process(router: Router, tenant: TenantName) -> Self {
        Self { way: Transport::InProcess(router), tenant }
    }

    /// A client of the process that listens on the private socket at `path`.
    #[must_use]
    pub fn over_socket(path: &Path, tenant: TenantName) -> Self {
        Self { way: Transport::Socket(path.to_owned()), tenant }
    }

    /// Sends a request and waits for the whole response.
    pub async fn send(&self, ask: Ask) -> Result<Reply, Problem> {
        let (head, body) = self.answer(ask).await?.into_parts();
        let body = body.collect().await.map_err(|error| no_answer(&error))?.to_bytes();
        Ok(Reply { status: head.status, headers: head.headers, body })
    }

    /// Sends a request and returns a streamed response.
    pub async fn listen(&self, ask: Ask) -> Result<Listening, Problem> {
        let (head, body) = self.answer(ask).await?.into_parts();
        if head.status.is_success() {
            return Ok(Listening::new(body));
        }
        let body = body.collect().await.map_err(|error| no_answer(&error))?.to_bytes();
        Err(problem_in(&body))
    }

    async fn answer(&self, ask: Ask) -> Result<Response<Body>, Problem> {
        let request = self.request(ask)?;
        match &self.way {
            Transport::InProcess(router) => {
                Ok(router.clone().oneshot(request).await.unwrap_or_else(|never| match never {}))
            }
            Transport::Socket(path) => over(path, request).await.map_err(|error| no_answer(&*error)),
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
        request.body(body).map_err(|error| {
            Problem::new(
                Code::Usage,
                format!(
                    "the request is invalid: \
            {error}"
                ),
            )
        })
    }
}

type ConnectionError = Box<dyn std::error::Error + Send + Sync>;

async fn over(path: &Path, request: Request<Body>) -> Result<Response<Body>, ConnectionError> {
    let stream = UnixStream::connect(path).await?;
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    Ok(sender.send_request(request).await?.map(Body::new))
}

fn no_answer(error: &(dyn std::error::Error + 'static)) -> Problem {
    Problem::new(Code::Unreachable, format!("the server that owns this home does not answer: {error}"))
}

/// The problem in the body of a refusal.
fn problem_in(body: &[u8]) -> Problem {
    serde_json::from_slice(body).unwrap_or_else(|error| not_understood(&error))
}

fn not_understood(error: &serde_json::Error) -> Problem {
    let detail = format!("the server that owns this home has another version: {error}");
    Problem::new(Code::Unreachable, detail)
}
