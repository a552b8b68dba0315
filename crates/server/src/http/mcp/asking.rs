//! Questions to the user of a client over HTTP, in the revisions of the protocol with a handshake.
//!
//! There the server sends a question as an event in the answer to the call, the client posts the answer as a message
//! of its own, and the result of the call is the last event. The message may reach another node than the one that
//! waits, so the answer is stored, and the waiting node polls the store. Only the decision and ticked boxes are
//! stored, and no text.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::HeaderMap;
use axum::http::header::ACCEPT;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::Timestamp;
use engine::{Call, Caller, Engine, Identity, Repetition, RequestKey};
use futures_util::stream;
use serde_json::{Map, Value, json};
use tokio::time::sleep;
use wire::rpc::Request;
use wire::{Code, Problem};

use super::super::speech::event;
use super::Exchange;

/// The header of a session.
pub(super) const SESSION_HEADER: &str = "mcp-session-id";
/// Session id prefix of clients that support elicitation. The id contains nothing else about the client.
const CAN_ASK: &str = "elicitation-";
/// Id prefix of questions.
const QUESTION: &str = "selfhood-";
/// How long the server waits for an answer.
const PATIENCE_MILLIS: i64 = 5 * 60 * 1000;
/// How often a waiting node looks for an answer.
const PAUSE: Duration = Duration::from_millis(200);
/// After how many polls without an answer a comment is sent, which keeps the connection open.
const QUIET: u32 = 75;
/// How often storing an answer is tried while a waiting node polls for it.
const TRIES: u32 = 10;

/// The session id for a client that declares elicitation in `request`; other clients get none.
pub(super) fn session_id(request: &Request, seal: &[u8]) -> Option<String> {
    let capabilities = request.params.get("capabilities").filter(|_| request.method == "initialize")?;
    capabilities.get("elicitation")?;
    Some(format!("{CAN_ASK}{}", URL_SAFE_NO_PAD.encode(seal)))
}

/// Whether the client of a request can be sent a question: its session id says so, and it accepts events.
pub(super) fn can_ask(headers: &HeaderMap) -> bool {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    text(SESSION_HEADER).starts_with(CAN_ASK) && text(ACCEPT.as_str()).contains("text/event-stream")
}

/// The question in a result, if there is one: the name of its answer, the request to the client, and the state.
fn question_in(result: &Value) -> Option<(String, Value, Option<String>)> {
    let (name, request) = result.get("inputRequests")?.as_object()?.iter().next()?;
    let state = result.get("requestState").and_then(Value::as_str).map(str::to_owned);
    Some((name.clone(), request.clone(), state))
}

/// A call that waits for the user's answer.
struct PendingQuestion {
    exchange: Exchange,
    id: String,
    name: String,
    state: Option<String>,
    since: Timestamp,
    quiet: u32,
}

/// The events of a call whose `answer` is a question; `None` if it isn't.
pub(super) fn events(exchange: &Exchange, answer: &Value) -> Option<Body> {
    let (name, request, state) = question_in(answer.get("result")?)?;
    let since = exchange.session.now();
    let number = exchange.entrance.state.engine.fresh_id(since).ok()?;
    let seal = exchange.session.seal("mcp-question-id", &[number.as_str()]);
    let id = format!("{QUESTION}{}", URL_SAFE_NO_PAD.encode(seal));
    let question = json!({ "jsonrpc": "2.0", "id": id, "method": request.get("method"), "params": request.get("params") });
    let waiting = PendingQuestion { exchange: exchange.clone(), id, name, state, since, quiet: 0 };
    let first = (Some(event("message", &question)), Some(waiting));
    Some(Body::from_stream(stream::unfold(first, |(piece, waiting)| async move {
        let (piece, rest) = match (piece, waiting?) {
            (Some(piece), waiting) => (piece, Some(waiting)),
            (None, waiting) => waiting.next().await,
        };
        Some((Ok::<_, Infallible>(Bytes::from(piece)), (None, rest)))
    })))
}

impl PendingQuestion {
    /// The result, or a comment that keeps the connection open and the call waiting.
    async fn next(mut self) -> (String, Option<Self>) {
        loop {
            sleep(PAUSE).await;
            let state = Arc::clone(&self.exchange.entrance.state);
            let call = Call { now: state.now(), request: None, ..self.exchange.session.call().clone() };
            let is_over =
                state.is_closing() || call.now.as_millis() - self.since.as_millis() > PATIENCE_MILLIS;
            let answered = match answer_to(&state.engine, &call, &self.id).await {
                Ok(None) if is_over => Some(json!({ "action": "cancel" })),
                Ok(answered) => answered,
                Err(_) => Some(json!({ "action": "cancel" })),
            };
            if let Some(answered) = answered {
                return (self.result(answered).await, None);
            }
            self.quiet += 1;
            if self.quiet >= QUIET {
                self.quiet = 0;
                return (": waiting for an answer\n\n".to_owned(), Some(self));
            }
        }
    }

    /// The result of the call, repeated with the user's answer.
    async fn result(self, answered: Value) -> String {
        let mut exchange = self.exchange;
        let params = &mut exchange.request.params;
        params.insert("inputResponses".to_owned(), json!({ self.name: answered }));
        params.extend(self.state.map(|state| ("requestState".to_owned(), json!(state))));
        let id = exchange.request.id.clone();
        let reply = exchange.answered().await;
        event("message", &reply.unwrap_or_else(|problem| wire::rpc::RpcError::of(id, &problem).into_answer()))
    }
}

/// Stores the user's answer to one of our questions; any other answer is ignored.
pub(super) async fn note(
    engine: &Engine,
    call: &Call,
    id: &Value,
    result: Option<&Value>,
) -> Result<(), Problem> {
    let Some(id) = id.as_str().filter(|id| id.starts_with(QUESTION)) else { return Ok(()) };
    let call = asked(call, id);
    let answer = noted(result).to_string();
    for _ in 0..TRIES {
        match engine.begin_request(&call).await {
            Ok(Some(Repetition::First(ticket))) => {
                return engine.end_request(&call, ticket, 202, Some(answer)).await;
            }
            Ok(Some(Repetition::Repeated(_)) | None) => return Ok(()),
            Err(problem) if problem.code == Code::RequestInFlight => sleep(PAUSE / 4).await,
            Err(problem) => return Err(problem),
        }
    }
    Err(Problem::new(Code::Busy, "the answer could not be stored; send it again"))
}

/// The answer to the question `id`, if there is one yet.
async fn answer_to(engine: &Engine, call: &Call, id: &str) -> Result<Option<Value>, Problem> {
    match engine.begin_request(&asked(call, id)).await {
        Ok(Some(Repetition::Repeated(answer))) => {
            Ok(answer.and_then(|answer| serde_json::from_str(&answer).ok()))
        }
        Ok(Some(Repetition::First(_)) | None) => Ok(None),
        Err(problem) if problem.code == Code::RequestInFlight => Ok(None),
        Err(problem) => Err(problem),
    }
}

/// The request under which an answer is noted. The client's message with the answer need not repeat who speaks; the
/// id, which only the client has, is proof enough.
fn asked(call: &Call, id: &str) -> Call {
    let request = RequestKey { key: id.to_owned(), content: b"mcp question".to_vec() };
    let caller = Caller { identity: Identity::default(), session: None, ..call.caller.clone() };
    Call { caller, request: Some(request), ..call.clone() }
}

/// An answer without its text.
fn noted(result: Option<&Value>) -> Value {
    let action = result.and_then(|result| result.get("action")).and_then(Value::as_str);
    let action = action.filter(|action| ["accept", "decline"].contains(action)).unwrap_or("cancel");
    let content = result.and_then(|result| result.get("content")).and_then(Value::as_object);
    let ticked = content.into_iter().flatten().filter(|(name, value)| value.is_boolean() && name.len() <= 32);
    let ticked: Map<String, Value> =
        ticked.take(8).map(|(name, value)| (name.clone(), value.clone())).collect();
    json!({ "action": action, "content": ticked })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_words_of_an_answer_are_noted() {
        for (sent, kept) in [
            (
                Some(json!({ "action": "accept", "content": { "yes": true, "why": "my divorce" } })),
                json!({ "action": "accept", "content": { "yes": true } }),
            ),
            (Some(json!({ "action": "decline" })), json!({ "action": "decline", "content": {} })),
            (Some(json!({ "action": "dance" })), json!({ "action": "cancel", "content": {} })),
            (Some(json!([])), json!({ "action": "cancel", "content": {} })),
            (None, json!({ "action": "cancel", "content": {} })),
        ] {
            assert_eq!(noted(sent.as_ref()), kept, "{sent:?}");
        }
    }
}
