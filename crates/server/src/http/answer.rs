//! From a request to an answer, the same way for every route.

use std::time::{Duration, Instant};

use axum::extract::{FromRequestParts, RawPathParams, Request};
use axum::http::header::{CONTENT_TYPE, ETAG};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use domain::TenantName;
use engine::Call;
use tokio::task::AbortHandle;
use tokio::time::timeout;
use wire::route::Route;
use wire::{Code, Problem};

use super::admit::{admit, check_concern, request_permit};
use super::body::BodyPermit;
use super::handlers::Handler;
use super::key_bound::key_bound;
use super::refusal::Refusal;
use super::request_context::{Answer, Content, HandlerFuture, HandlerResult, RequestContext};
use super::{Entrance, EntranceKind, body, entity_tag, idempotency, identity, query};
use crate::concurrency::Permit;
use crate::connections::ConnectionUse;

/// Answers `request` for `route` with the function of its verb.
pub(crate) async fn answer(
    entrance: &Entrance,
    route: &'static Route,
    handler: Handler,
    request: Request,
) -> Result<Response, Refusal> {
    let (mut head, incoming) = request.into_parts();
    let now = entrance.state.now();
    let caller = admit(entrance, route.scope, &head, now).await?;
    let path = path(&mut head).await?;
    let query = query::parse(route, head.uri.query().unwrap_or_default())?;
    let connection = head.extensions.get::<ConnectionUse>().cloned();
    let mut budget = match entrance.kind {
        EntranceKind::Private { .. } => None,
        EntranceKind::Public(_) => Some(body::Budget::of(&entrance.state.body_bytes, &caller)),
    };
    let sender = body::Sender { budget: budget.as_mut(), connection: connection.as_ref() };
    let body = body::read(route, &head.headers, incoming, &entrance.limits(), sender).await?;
    let in_use = HeldLimits::new(request_permit(entrance, &caller)?, budget.map(|budget| budget.place));
    let request = idempotency::request_key(route, &head, &body)?;
    let listener = caller.clone();
    let call = Call { caller, now, request };
    let (engine, state) = (entrance.state.engine.clone(), entrance.state.clone());
    let call = identity::identify(&engine, call, &head.headers, state.user_secret.as_ref()).await?;
    check_concern(route, &call)?;
    identity::check_record(route, &call)?;
    let headers = head.headers.clone();
    let context = RequestContext { engine, call, path, query, body, headers, state, connection };
    let mut answer = work(entrance, route, idempotency::run_once(route, handler, context), in_use).await?;
    if let Content::Stream(body) = answer.content {
        answer.content = Content::Stream(key_bound(body, entrance.state.clone(), listener));
    }
    Ok(print(route, answer, &head.headers))
}

pub(super) async fn path(head: &mut Parts) -> Result<Vec<(String, String)>, Refusal> {
    let parameters = RawPathParams::from_request_parts(head, &()).await;
    let parameters = parameters.map_err(|_| Refusal::new(Code::NotFound, "the path is not UTF-8"))?;
    Ok(parameters.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
}

/// What a request holds while its verb runs.
pub(super) struct HeldLimits {
    _place: Option<Permit<TenantName>>,
    _bytes: Option<BodyPermit>,
}

impl HeldLimits {
    pub(super) fn new(place: Option<Permit<TenantName>>, bytes: Option<BodyPermit>) -> Self {
        Self { _place: place, _bytes: bytes }
    }
}

/// Runs the verb as a task of its own: once started it is finished, even if the client disconnects, unless it
/// is one of [`CANCELLED_WITH_CLIENT`].
pub(super) async fn work(
    entrance: &Entrance,
    route: &'static Route,
    work: HandlerFuture,
    in_use: HeldLimits,
) -> HandlerResult {
    let state = entrance.state.clone();
    let task = entrance.state.work.spawn(async move {
        let _in_use = in_use;
        let started = Instant::now();
        let result = work.await;
        let took = started.elapsed();
        state.metrics.worked(route.verb, took);
        result.map(|answer| answer.with_header("server-timing", Some(timing(took))))
    });
    let _when_dropped = is_cancelled_with_client(route).then(|| AbortOnDrop(task.abort_handle()));
    let limit = entrance.state.limits.answer;
    let finished = match entrance.kind {
        EntranceKind::Private { .. } => task.await,
        EntranceKind::Public(_) => timeout(limit, task).await.map_err(|_| too_slow(route, limit))?,
    };
    finished.unwrap_or_else(|_| Err(Problem::new(Code::Internal, "the work failed; see the log")))
}

/// The duration of the verb alone, as a `Server-Timing` value.
fn timing(took: Duration) -> String {
    format!("verb;dur={:.3}", took.as_secs_f64() * 1e3)
}

/// Read-only verbs whose work is on the CPU pool, which stops it and keeps its slot until it has stopped.
/// Other verbs are finished: a database operation can't be stopped, and a client who connects and disconnects
/// must not have more of them running than one who stays.
const CANCELLED_WITH_CLIENT: [&str; 3] = ["check_consistency", "render_markdown", "embed_texts"];

fn is_cancelled_with_client(route: &Route) -> bool {
    CANCELLED_WITH_CLIENT.contains(&route.verb)
}

/// Cancels a task when it is dropped.
struct AbortOnDrop(AbortHandle);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

fn too_slow(route: &Route, limit: Duration) -> Problem {
    let seconds = limit.as_secs();
    let and_now = if is_cancelled_with_client(route) {
        "it was cancelled; request less at once"
    } else {
        "the work continues, so repeat it only with the same `Idempotency-Key`"
    };
    Problem::new(Code::AnswerTimeout, format!("no answer within {seconds} seconds; {and_now}"))
}

fn print(route: &Route, answer: Answer, asked: &HeaderMap) -> Response {
    let status = StatusCode::from_u16(route.status).unwrap_or(StatusCode::OK);
    let mut answer = answer;
    let own_tag = answer.headers.iter().position(|(name, _)| *name == ETAG.as_str());
    let own_tag = own_tag.and_then(|place| HeaderValue::from_str(&answer.headers.swap_remove(place).1).ok());
    let mut response = match answer.content {
        Content::Nothing => status.into_response(),
        Content::Stream(body) => (status, [(CONTENT_TYPE, "text/event-stream")], body).into_response(),
        Content::Json(json) => print_json(route, status, json, asked, own_tag),
    };
    for (name, value) in answer.headers {
        response
            .headers_mut()
            .extend(HeaderValue::from_str(&value).ok().map(|value| (HeaderName::from_static(name), value)));
    }
    response
}

/// Prints `json` with its own tag, or with one made from its bytes.
fn print_json(
    route: &Route,
    status: StatusCode,
    json: Vec<u8>,
    asked: &HeaderMap,
    own_tag: Option<HeaderValue>,
) -> Response {
    let is_read = route.method == "GET";
    let tag = own_tag.or_else(|| is_read.then(|| entity_tag::of(&json)));
    if is_read && let Some(tag) = tag.as_ref().filter(|tag| entity_tag::is_known(tag, asked)) {
        return (StatusCode::NOT_MODIFIED, [(ETAG, tag.clone())]).into_response();
    }
    let mut response = (status, [(CONTENT_TYPE, "application/json")], json).into_response();
    response.headers_mut().extend(tag.map(|tag| (ETAG, tag)));
    response
}
