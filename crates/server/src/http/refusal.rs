//! Prints problems. Done in one place, where the request id and path are known.

use std::time::Duration;

use axum::body::Body;
use axum::http::header::{ALLOW, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Serialize;
use wire::{Code, Pointed, Problem};

/// The answer to a refused request.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    pub(crate) problem: Problem,
    hint: Option<Hint>,
}

/// What the client can do instead.
#[derive(Clone, Debug)]
enum Hint {
    /// Retry after this time.
    ComeBackIn(Duration),
    /// Use one of these methods.
    Methods(Box<str>),
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        Self { problem, hint: None }
    }
}

impl Refusal {
    pub(crate) fn new(code: Code, detail: impl Into<String>) -> Self {
        Problem::new(code, detail).into()
    }

    /// The same refusal with a time to retry.
    pub(crate) fn until(self, wait: Duration) -> Self {
        Self { hint: Some(Hint::ComeBackIn(wait)), ..self }
    }

    /// The same refusal with the known methods.
    pub(crate) fn allowing(self, methods: &str) -> Self {
        Self { hint: Some(Hint::Methods(methods.into())), ..self }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::empty());
        response.extensions_mut().insert(self);
        response
    }
}

/// The body of a problem: RFC 9457, with our extensions.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Problem")]
pub(crate) struct ProblemBody {
    /// The page that explains the code.
    #[serde(rename = "type")]
    kind: String,
    /// The meaning of the code, the same for every occurrence.
    title: &'static str,
    /// The HTTP status.
    status: u16,
    /// What happened this time, and the way out.
    detail: String,
    /// The requested path.
    instance: String,
    /// The stable code.
    code: &'static str,
    /// Each invalid field, if there are any.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    errors: Vec<Pointed>,
    /// The request id, as in the logs.
    request_id: String,
    /// The same text as `detail`, on the routes of the published designs.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// A problem in OpenAI's format.
pub(crate) fn openai_error(problem: &Problem) -> serde_json::Value {
    let kind = match problem.status {
        401 => "authentication_error",
        403 => "permission_error",
        404 => "not_found_error",
        429 => "rate_limit_error",
        400..=499 => "invalid_request_error",
        _ => "api_error",
    };
    let param = problem.errors.first().map(|place| place.pointer.trim_start_matches('/').replace('/', "."));
    serde_json::json!({
        "error": { "message": problem.detail, "type": kind, "code": problem.code, "param": param },
    })
}

/// Whether `path` belongs to the OpenAI-compatible API.
pub(crate) fn is_openai(path: &str) -> bool {
    ["/v1/chat/", "/v1/responses", "/v1/models", "/v1/embeddings"].iter().any(|own| path.starts_with(own))
}

/// The time to wait before a retry when the server is temporarily unavailable.
const SOON: Duration = Duration::from_secs(2);
/// The time to wait before a retry when a limit of concurrent use is reached.
pub(crate) const A_SECOND: Duration = Duration::from_secs(1);
/// `Retry-After` in milliseconds, which the SDKs of OpenAI and Anthropic prefer to the seconds.
const RETRY_AFTER_MS: HeaderName = HeaderName::from_static("retry-after-ms");

/// Prints `refusal` as the answer to the request `request_id` for `path`.
pub(crate) fn print(refusal: Refusal, path: &str, request_id: &str) -> Response {
    let Refusal { problem, hint } = refusal;
    let is_seed = !path.starts_with("/v1/");
    let status = if is_seed { status_of_design(&problem) } else { status(&problem) };
    let openai = is_openai(path).then(|| openai_error(&problem));
    let wait = wait(&problem, hint.as_ref());
    let printed = ProblemBody {
        kind: format!("/docs/errors/{}", problem.code),
        title: problem.title,
        status: status.as_u16(),
        error: is_seed.then(|| problem.detail.clone()),
        detail: problem.detail,
        instance: path.to_owned(),
        code: problem.code.as_str(),
        errors: problem.errors,
        request_id: request_id.to_owned(),
    };
    let (body, kind) = match openai {
        Some(error) => (serde_json::to_vec(&error), "application/json"),
        None => (serde_json::to_vec(&printed), "application/problem+json"),
    };
    let mut response = (status, body.unwrap_or_default()).into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    if status == StatusCode::UNAUTHORIZED {
        headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"selfhood\""));
    }
    if let Some(wait) = wait {
        let millis = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
        headers.insert(RETRY_AFTER, HeaderValue::from(whole_seconds(wait)));
        headers.insert(RETRY_AFTER_MS, HeaderValue::from(millis));
    }
    if let Some(Hint::Methods(known)) = hint {
        headers.extend(HeaderValue::from_str(&known).ok().map(|known| (ALLOW, known)));
    }
    response
}

/// How long to wait before a retry, if a retry can succeed.
fn wait(problem: &Problem, hint: Option<&Hint>) -> Option<Duration> {
    match hint {
        Some(Hint::ComeBackIn(wait)) => Some(*wait),
        Some(Hint::Methods(_)) | None if problem.code == Code::NotReady => Some(SOON),
        Some(Hint::Methods(_)) | None => (problem.status == 429).then_some(A_SECOND),
    }
}

/// Whole seconds, rounded up.
pub(crate) fn whole_seconds(wait: Duration) -> u64 {
    wait.as_secs() + u64::from(wait.subsec_nanos() > 0)
}

/// The published designs answer 400 where `/v1` is more precise.
fn status_of_design(problem: &Problem) -> StatusCode {
    if problem.code == Code::ValidationFailed { StatusCode::BAD_REQUEST } else { status(problem) }
}

fn status(problem: &Problem) -> StatusCode {
    StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}
