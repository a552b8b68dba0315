//! The outermost layer: gives every request an id, counts it, writes one log line, and adds the common
//! headers to its answer. Log lines contain ids, routes and codes; never a path, a query or request text.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderName, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use domain::{Actor, Timestamp};
use wire::Problem;

use super::refusal::{self, Refusal};
use super::{Entrance, EntranceKind};
use crate::request_id::{REQUEST_ID, trace_id};
use crate::spans::{Span, SpanIds};

/// The authenticated caller, recorded for the log as soon as it is known.
#[derive(Clone, Default)]
pub(crate) struct RequestActor(Arc<OnceLock<Actor>>);

impl RequestActor {
    /// Records the caller.
    pub(crate) fn set(&self, actor: &Actor) {
        self.0.get_or_init(|| actor.clone());
    }
}

/// The outermost layer.
pub(crate) async fn observe(State(entrance): State<Entrance>, mut request: Request, next: Next) -> Response {
    let _in_flight = entrance.state.metrics.arrive();
    let line = LogEntry::begin(&request, entrance.state.ids.name(request.headers()));
    let span = entrance.state.spans.get().map(|log| (log, log.ids(request.headers()), entrance.state.now()));
    let path = request.uri().path().to_owned();
    request.extensions_mut().insert(line.actor.clone());

    let mut response = next.run(request).await;
    let mut problem = None;
    if let Some(refusal) = response.extensions_mut().remove::<Refusal>() {
        entrance.state.metrics.refused(refusal.problem.code);
        problem = Some(refusal.problem.clone());
        response = refusal::print(refusal, &path, &line.request_id);
    }
    add_headers(response.headers_mut(), &line.request_id, &entrance.kind);

    let took = line.started.elapsed();
    entrance.state.metrics.answered(line.method, &line.route, response.status().as_u16(), took);
    line.write(response.status(), problem.as_ref(), took);
    if let Some((log, ids, began)) = span {
        let code = problem.map_or("", |problem| problem.code.as_str());
        log.keep(line.span(ids, began, took, response.status(), code));
    }
    response
}

/// One line of the log.
struct LogEntry {
    started: Instant,
    request_id: String,
    trace: Option<String>,
    method: &'static str,
    route: String,
    actor: RequestActor,
}

impl LogEntry {
    fn begin(request: &Request, request_id: String) -> Self {
        let route = request.extensions().get::<MatchedPath>().map_or("unmatched", MatchedPath::as_str);
        Self {
            started: Instant::now(),
            request_id,
            trace: trace_id(request.headers()).map(str::to_owned),
            method: known(request.method()),
            route: route.to_owned(),
            actor: RequestActor::default(),
        }
    }

    fn span(
        self,
        ids: SpanIds,
        began: Timestamp,
        took: Duration,
        status: StatusCode,
        code: &'static str,
    ) -> Span {
        let SpanIds { trace, id, parent } = ids;
        let Self { method, route, .. } = self;
        Span { trace, id, parent, began, took, method, route, status: status.as_u16(), code }
    }

    fn write(&self, status: StatusCode, problem: Option<&Problem>, took: Duration) {
        let code = problem.map_or("", |problem| problem.code.as_str());
        let actor = self.actor.0.get().map_or("", Actor::as_str);
        let trace = self.trace.as_deref().unwrap_or_default();
        let Self { request_id, method, route, .. } = self;
        let (status, micros) = (status.as_u16(), took.as_micros());
        if status >= 500 {
            let detail = problem.map_or("", |problem| problem.detail.as_str());
            tracing::error!(request_id, trace, method, route, status, code, detail, actor, micros, "failed");
        } else {
            tracing::info!(request_id, trace, method, route, status, code, actor, micros, "answered");
        }
    }
}

/// The method as a label; clients can invent others.
fn known(method: &Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        "PUT" => "PUT",
        "PATCH" => "PATCH",
        "DELETE" => "DELETE",
        "OPTIONS" => "OPTIONS",
        _ => "other",
    }
}

/// Answers must not be cached, framed, sniffed or read by other sites.
fn add_headers(headers: &mut HeaderMap, request_id: &str, entrance: &EntranceKind) {
    if let Ok(id) = HeaderValue::from_str(request_id) {
        headers.insert(REQUEST_ID, id);
    }
    let mut unless_set = |name: HeaderName, value: &'static str| {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    };
    unless_set(CACHE_CONTROL, "no-store");
    unless_set(X_CONTENT_TYPE_OPTIONS, "nosniff");
    unless_set(REFERRER_POLICY, "no-referrer");
    unless_set(HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
    unless_set(CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'");
    if let EntranceKind::Public(addresses) = entrance
        && addresses.is_public_https()
    {
        unless_set(STRICT_TRANSPORT_SECURITY, "max-age=31536000");
    }
}
