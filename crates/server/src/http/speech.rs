//! Streamed answers: server-sent events, with keep-alive comments while a model thinks.

use std::convert::Infallible;
use std::future::Future;
use std::time::Duration;

use axum::body::{Body, Bytes};
use domain::Text;
use engine::converse::{Conversation, Reply, ReplyPiece};
use futures_util::stream;
use llm::ToolCallDelta;
use serde::Serialize;
use tokio::sync::mpsc;
use tokio::time::timeout;
use wire::Problem;

use super::request_context::Answer;

/// The interval of keep-alive comments.
const SIGN_OF_LIFE: Duration = Duration::from_secs(15);

/// How one protocol formats a streamed answer.
pub(crate) trait Script: Send + 'static {
    /// The first event.
    fn begin(&mut self) -> String;
    /// The next text.
    fn words(&mut self, words: &Text) -> String;
    /// The next part of a call of the client's tools.
    fn call(&mut self, delta: &ToolCallDelta) -> String;
    /// The end of a successful answer.
    fn done(&mut self, reply: &Reply) -> String;
    /// The end of a failed one.
    fn failed(&mut self, problem: &Problem) -> String;
}

/// The headers of an answer that name its recall, conversation and exchange.
pub(crate) fn conversation_headers(conversation: &Conversation) -> impl FnOnce(Answer) -> Answer + use<> {
    let recall = conversation.recall.map(|recall| recall.to_string());
    let (session, exchange) = (conversation.session.to_string(), conversation.exchange.clone());
    let notices = conversation.notices.clone();
    move |answer: Answer| {
        answer
            .with_header("x-recall-id", recall)
            .with_header("x-session-id", Some(session))
            .with_header("x-exchange-id", exchange)
            .with_notices(&notices)
    }
}

/// Streams a conversation in the format of `script`. Dropping the body stops the model.
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
    speech: &mut mpsc::Receiver<Result<ReplyPiece, Problem>>,
    script: &mut impl Script,
) -> (String, bool) {
    match alive(speech.recv()).await {
        None => (": still here\n\n".to_owned(), true),
        Some(Some(Ok(ReplyPiece::Words(words)))) => (script.words(&words), true),
        Some(Some(Ok(ReplyPiece::Call(delta)))) => (script.call(&delta), true),
        Some(Some(Ok(ReplyPiece::Done(reply)))) => (script.done(&reply), false),
        Some(Some(Err(problem))) => (script.failed(&problem), false),
        Some(None) => (script.failed(&broken_off()), false),
    }
}

async fn alive<T>(waiting: impl Future<Output = T>) -> Option<T> {
    timeout(SIGN_OF_LIFE, waiting).await.ok()
}

fn broken_off() -> Problem {
    Problem::new(wire::Code::Internal, "the answer failed; see the log")
}

/// One event with a name, in the format of `text/event-stream`.
pub(crate) fn event(name: &str, data: &impl Serialize) -> String {
    format!("event: {name}\n{}", unnamed(data))
}

/// One event without a name.
pub(crate) fn unnamed(data: &impl Serialize) -> String {
    format!("data: {}\n\n", serde_json::to_string(data).unwrap_or_default())
}
