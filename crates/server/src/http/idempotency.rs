//! `Idempotency-Key`, applied in one place: every POST route that changes something passes here, and a table
//! says how a repeated request is answered. A test checks that the entry exists.

use axum::body::Bytes;
use axum::http::request::Parts;
use engine::{Repetition, RequestKey};
use serde_json::Value;
use wire::route::{KeyRequirement, Retry, Route};
use wire::{Code, Problem};

use super::handlers::{self, Handler};
use super::refusal::Refusal;
use super::request_context::{Answer, Content, HandlerFuture, HandlerResult, RequestContext};

/// How a repeated request is answered, without doing anything.
#[derive(Clone, Copy)]
pub(crate) enum RepeatPolicy {
    /// The verb commits the key together with its change, and answers a repeated request itself.
    ByVerb,
    /// The answer depends on the path and the body only.
    Rendered(Handler),
    /// The request created something: this JSON pointer into the answer gives its id, which finds it again.
    Made(&'static str, fn(RequestContext, String) -> HandlerFuture),
}

/// Headers that change what a request asks for: with other values, the same body is another request. Who speaks, and
/// in which session, is not read here: the engine adds what was resolved from headers, tokens and keys.
const SIGNIFICANT_HEADERS: [&str; 5] =
    ["x-openwebui-chat-id", "x-openwebui-task", "x-conversation-id", "x-off-the-record", "x-context-tier"];

/// The client's key, and the content that identifies the request.
pub(crate) fn request_key(route: &Route, head: &Parts, body: &Bytes) -> Result<Option<RequestKey>, Refusal> {
    let sent = head.headers.get("idempotency-key").filter(|_| route.retry() == Retry::NeedsKey);
    let Some(sent) = sent else {
        return match route.once {
            KeyRequirement::IfAsked => Ok(None),
            KeyRequirement::Always => {
                Err(key_required("this needs an `Idempotency-Key` header; send a fresh UUID"))
            }
        };
    };
    let is_visible = |key: &&str| key.bytes().all(|byte| byte.is_ascii_graphic());
    let key = sent.to_str().ok().filter(|key| (1..=255).contains(&key.len())).filter(is_visible);
    let key =
        key.ok_or_else(|| key_required("`Idempotency-Key` must be 1 to 255 visible ASCII characters"))?;
    Ok(Some(RequestKey { key: key.to_owned(), content: content(route, head, body) }))
}

fn content(route: &Route, head: &Parts, body: &Bytes) -> Vec<u8> {
    let target = head.uri.path_and_query().map_or("", |target| target.as_str());
    let mut parts = vec![route.method.as_bytes(), target.as_bytes(), body.as_ref()];
    for name in SIGNIFICANT_HEADERS {
        if let Some(value) = head.headers.get(name) {
            parts.extend([name.as_bytes(), value.as_bytes()]);
        }
    }
    parts.join(&b'\n')
}

fn key_required(rule: &str) -> Refusal {
    Refusal::new(
        Code::IdempotencyKeyRequired,
        format!("{rule}, and the same one when you repeat the request"),
    )
}

/// Runs `handler` once, however often the request is repeated under its key.
pub(crate) fn run_once(route: &'static Route, handler: Handler, context: RequestContext) -> HandlerFuture {
    match handlers::repeated(route.verb).filter(|_| context.call.request.is_some()) {
        None | Some(RepeatPolicy::ByVerb) => handler(context),
        Some(repeated @ (RepeatPolicy::Rendered(_) | RepeatPolicy::Made(..))) => {
            Box::pin(run_or_repeat(route, handler, repeated, context))
        }
    }
}

async fn run_or_repeat(
    route: &'static Route,
    handler: Handler,
    repeated: RepeatPolicy,
    context: RequestContext,
) -> HandlerResult {
    let (engine, call) = (context.engine.clone(), context.call.clone());
    let ticket = match engine.begin_request(&call).await? {
        None => return handler(context).await,
        Some(Repetition::Repeated(id)) => return repeat_answer(repeated, context, id).await.map_err(gone),
        Some(Repetition::First(ticket)) => ticket,
    };
    let answer = handler(context).await?;
    let made = match repeated {
        RepeatPolicy::Made(pointer, _) => id_in(&answer, pointer),
        RepeatPolicy::ByVerb | RepeatPolicy::Rendered(_) => None,
    };
    // The change is made, so the client must get its answer even if the key could not be recorded.
    if let Err(problem) = engine.end_request(&call, ticket, route.status, made).await {
        tracing::warn!(verb = route.verb, code = %problem.code, "an idempotency key was not recorded");
    }
    Ok(answer)
}

async fn repeat_answer(repeated: RepeatPolicy, context: RequestContext, id: Option<String>) -> HandlerResult {
    match repeated {
        RepeatPolicy::ByVerb => {
            Err(Problem::new(Code::Internal, "a verb answers its repeated requests itself"))
        }
        RepeatPolicy::Rendered(render) => render(context).await,
        RepeatPolicy::Made(_, render) => render(context, id.unwrap_or_default()).await,
    }
}

fn id_in(answer: &Answer, pointer: &str) -> Option<String> {
    match &answer.content {
        Content::Json(json) => {
            let value: Value = serde_json::from_slice(json).ok()?;
            value.pointer(pointer).and_then(Value::as_str).map(str::to_owned)
        }
        Content::Nothing | Content::Stream(_) => None,
    }
}

/// The problem when what the first request created no longer exists.
fn gone(problem: Problem) -> Problem {
    let missing = [
        Code::PersonaNotFound,
        Code::MemoryNotFound,
        Code::SubjectNotFound,
        Code::TimelineEntryNotFound,
        Code::NotFound,
    ];
    if missing.contains(&problem.code) {
        let detail =
            format!("this request was answered before, and its result has been deleted: {}", problem.detail);
        return Problem::new(Code::ResourceGone, detail);
    }
    problem
}
