//! An answer in pieces on its way out: server-sent events, with a sign of life while a model thinks.

use std::convert::Infallible;
use std::future::Future;
use std::time::Duration;

use axum::body::{Body, Bytes};
use domain::Text;
use engine::converse::{Conversation, Reply, Spoken};
use futures_util::stream;
use llm::ToolCallDelta;
use serde::Serialize;
use tokio::sync::mpsc;
use tokio::time::timeout;
use wire::Problem;
use wire::persona::Notice;

use super::request_context::Answer;

/// How long a listener hears nothing before a comment says that somebody is still there.
const SIGN_OF_LIFE: Duration = Duration::from_secs(15);

/// How one protocol writes an answer in pieces.
pub(crate) trait Script: Send + 'static {
    /// What comes first.
    fn begin(&mut self) -> String;
    /// The next words.
    fn words(&mut self, words: &Text) -> String;
    /// The next part of a call of the client's tools.
    fn call(&mut self, delta: &ToolCallDelta) -> String;
    /// The end of an answer that went well.
    fn done(&mut self, reply: &Reply) -> String;
    /// The end of one that did not.
    fn failed(&mut self, problem: &Problem) -> String;
}

/// The headers by which an answer says which recall, conversation and exchange it is.
pub(crate) fn conversation_headers(conversation: &Conversation) -> impl FnOnce(Answer) -> Answer + use<> {
    let recall = conversation.recall.map(|recall| recall.to_string());
    let (session, exchange) = (conversation.session.to_string(), conversation.exchange.clone());
    let notices = notice_codes(&conversation.notices);
    move |answer: Answer| {
        answer
            .telling("x-recall-id", recall)
            .telling("x-session-id", Some(session))
            .telling("x-exchange-id", exchange)
            .telling(NOTICE, notices)
    }
}

/// The header that says, by its codes, what people should know about the persona.
pub(crate) const NOTICE: &str = "x-selfhood-notice";

/// The codes of notices as the header lists them.
pub(crate) fn notice_codes(notices: &[Notice]) -> Option<String> {
    let codes: Vec<&str> = notices.iter().map(|notice| notice.code.as_str()).collect();
    (!codes.is_empty()).then(|| codes.join(", "))
}

/// Reads a conversation out by `script`. Whoever drops the body has left, and the model is stopped.
pub(crate) fn read_out(conversation: Conversation, mut script: impl Script) -> Body {
    let begin = script.begin();
    let state = (Some(begin), Some(conversation.speech), script);
    let pieces = stream::unfold(state, |(begun, speech, mut script)| async move {
        if let Some(begin) = begun {
            return Some((Ok::<_, Infallible>(Bytes::from(begin)), (None, speech, script)));
        }
        let mut speech = speech?;
        let (text, goes_on) = next(&mut speech, &mut script).await;
        let speech = goes_on.then_some(speech);
        Some((Ok(Bytes::from(text)), (None, speech, script)))
    });
    Body::from_stream(pieces)
}

async fn next(
    speech: &mut mpsc::Receiver<Result<Spoken, Problem>>,
    script: &mut impl Script,
) -> (String, bool) {
    match alive(speech.recv()).await {
        None => (": still here\n\n".to_owned(), true),
        Some(Some(Ok(Spoken::Words(words)))) => (script.words(&words), true),
        Some(Some(Ok(Spoken::Call(delta)))) => (script.call(&delta), true),
        Some(Some(Ok(Spoken::Done(reply)))) => (script.done(&reply), false),
        Some(Some(Err(problem))) => (script.failed(&problem), false),
        Some(None) => (script.failed(&broken_off()), false),
    }
}

async fn alive<T>(waiting: impl Future<Output = T>) -> Option<T> {
    timeout(SIGN_OF_LIFE, waiting).await.ok()
}

fn broken_off() -> Problem {
    Problem::new(wire::Code::Internal, "the answer broke off; the log says where")
}

/// One event with a name, as `text/event-stream` writes it.
pub(crate) fn event(name: &str, data: &impl Serialize) -> String {
    format!("event: {name}\n{}", unnamed(data))
}

/// One event without a name.
pub(crate) fn unnamed(data: &impl Serialize) -> String {
    format!("data: {}\n\n", serde_json::to_string(data).unwrap_or_default())
}
