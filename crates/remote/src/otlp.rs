//! OpenTelemetry's protocol over HTTP, in its JSON encoding: spans of requests, and the counters that `/metrics`
//! prints. Written by hand, because these two messages are all that is sent.

mod exposition;

use reqwest::{Method, Url};
use serde_json::{Value, json};

use crate::credentials::Token;
use crate::error::RemoteError;
use crate::http::{self, Http, Outgoing};

/// The kind of a span that answers a request, and the status of one that failed.
const SERVER: u8 = 2;
const FAILED: u8 = 2;

/// A collector of traces and metrics.
pub struct Collector {
    http: Http,
    url: Url,
    headers: Vec<(String, Token)>,
    resource: Value,
}

/// Who reports.
#[derive(Clone, Debug)]
pub struct Reporter {
    /// The version that runs.
    pub version: String,
    /// What tells this process from all others.
    pub instance: String,
}

/// One answered request: ids, route and codes, nothing that belongs to a person or a tenant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The trace it belongs to, 32 hex digits.
    pub trace: String,
    /// Its own id, 16 hex digits.
    pub id: String,
    /// The span that caused it, in another program.
    pub parent: Option<String>,
    /// When it began, in nanoseconds since 1970.
    pub began: u64,
    /// When it ended.
    pub ended: u64,
    /// The method of the request.
    pub method: &'static str,
    /// Its route, with the names of parameters in place of their values.
    pub route: String,
    /// The status of the answer.
    pub status: u16,
    /// The code of the refusal, if it was refused.
    pub code: &'static str,
}

impl Collector {
    /// A collector at `url`, such as `http://127.0.0.1:4318`. The headers are sent with every message; they may hold
    /// secrets.
    pub fn new(url: &str, headers: Vec<(String, Token)>, reporter: &Reporter) -> Result<Self, RemoteError> {
        let service = format!("collector at {url}");
        let failed = |reason| RemoteError { service: service.clone(), reason };
        let url = http::address(url).map_err(failed)?;
        let resource = json!({ "attributes": [
            attribute("service.name", "selfhood"),
            attribute("service.version", &reporter.version),
            attribute("service.instance.id", &reporter.instance),
        ] });
        Ok(Self { http: Http::new(&url, service)?, url, headers, resource })
    }

    /// Sends spans.
    pub async fn send_spans(&self, spans: &[Span]) -> Result<(), RemoteError> {
        let spans: Vec<Value> = spans.iter().map(span).collect();
        let scope = json!({ "scope": scope(), "spans": spans });
        let message = json!({ "resourceSpans": [{ "resource": self.resource, "scopeSpans": [scope] }] });
        self.post("traces", &message).await
    }

    /// Sends what `text`, in the format of Prometheus, counts. Counters count since `started`; both times are in
    /// nanoseconds.
    pub async fn send_metrics(&self, text: &str, started: u64, now: u64) -> Result<(), RemoteError> {
        let scope = json!({ "scope": scope(), "metrics": exposition::metrics(text, started, now) });
        let message = json!({ "resourceMetrics": [{ "resource": self.resource, "scopeMetrics": [scope] }] });
        self.post("metrics", &message).await
    }

    async fn post(&self, signal: &str, message: &Value) -> Result<(), RemoteError> {
        let mut url = self.url.clone();
        url.set_path(&format!("{}/v1/{signal}", self.url.path().trim_end_matches('/')));
        let own = self.headers.iter().map(|(name, token)| (name.clone(), token.expose().to_owned()));
        let kind = ("content-type".to_owned(), "application/json".to_owned());
        let headers: Vec<(String, String)> = own.chain([kind]).collect();
        let body = message.to_string().into_bytes();
        let make = || Outgoing {
            method: Method::POST,
            url: url.clone(),
            headers: headers.clone(),
            body: body.clone(),
        };
        self.http.send(make).await.map(drop)
    }
}

fn scope() -> Value {
    json!({ "name": "selfhood", "version": env!("CARGO_PKG_VERSION") })
}

fn attribute(key: &str, value: &str) -> Value {
    json!({ "key": key, "value": { "stringValue": value } })
}

fn span(span: &Span) -> Value {
    let status =
        json!({ "key": "http.response.status_code", "value": { "intValue": span.status.to_string() } });
    let mut attributes =
        vec![attribute("http.request.method", span.method), attribute("http.route", &span.route), status];
    if !span.code.is_empty() {
        attributes.push(attribute("error.type", span.code));
    }
    let mut message = json!({
        "traceId": span.trace,
        "spanId": span.id,
        "name": format!("{} {}", span.method, span.route),
        "kind": SERVER,
        "startTimeUnixNano": span.began.to_string(),
        "endTimeUnixNano": span.ended.to_string(),
        "attributes": attributes,
    });
    if let Some(fields) = message.as_object_mut() {
        fields.extend(span.parent.as_ref().map(|parent| ("parentSpanId".to_owned(), json!(parent))));
        fields.extend((span.status >= 500).then(|| ("status".to_owned(), json!({ "code": FAILED }))));
    }
    message
}
