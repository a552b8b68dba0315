//! A request is retried only before its first byte, and only when that may help.

use std::time::{Duration, Instant};

use llm::{Complete, FinishReason};

use crate::server::{Act, Server, stream, whole};
use crate::{message, openai, question, streamed};

const ANSWER: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"Hello\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";

fn refusal(status: &str, headers: &str) -> Vec<Act> {
    vec![Act::Send(whole(status, headers, "{}"))]
}

fn answer() -> Vec<Act> {
    stream([ANSWER.as_bytes()].into_iter())
}

#[tokio::test]
async fn what_may_pass_is_tried_again() {
    for first in [
        refusal("429 Too Many Requests", ""),
        refusal("500 Internal Server Error", ""),
        refusal("503 Service Unavailable", ""),
        refusal("529 Overloaded", ""),
        vec![],
        vec![crate::server::head()],
    ] {
        let server = Server::play(vec![first.clone(), first, answer()]).await;
        let answer = openai(&server).stream(&question()).await.unwrap().collect().await.unwrap();
        assert_eq!((answer.text.as_str(), answer.finish), ("Hello", FinishReason::Stop));
        assert_eq!(server.seen().len(), 3);
    }
}

#[tokio::test]
async fn it_is_given_up_after_the_last_attempt() {
    for (status, words) in [
        ("500 Internal Server Error", "failed (HTTP 500); try again"),
        ("429 Too Many Requests", "is rate limited (HTTP 429); try again later"),
    ] {
        let server = Server::play(vec![refusal(status, "")]).await;
        let said = message(&streamed(&openai(&server)).await.1.unwrap());
        assert!(said.contains(words), "{said}");
        assert_eq!(server.seen().len(), 3);
    }
}

#[tokio::test]
async fn the_pause_a_server_asks_for_is_kept_unless_it_is_too_long() {
    let server = Server::play(vec![refusal("429 Too Many Requests", "Retry-After: 1\r\n"), answer()]).await;
    let began = Instant::now();
    assert!(streamed(&openai(&server)).await.1.is_none());
    assert!(began.elapsed() >= Duration::from_secs(1), "{:?}", began.elapsed());

    let server = Server::play(vec![refusal("429 Too Many Requests", "Retry-After: 3600\r\n")]).await;
    let began = Instant::now();
    let said = message(&streamed(&openai(&server)).await.1.unwrap());
    assert!(said.contains("try again in 3600 s") && server.seen().len() == 1, "{said}");
    assert!(began.elapsed() < Duration::from_secs(2));
}

#[tokio::test]
async fn a_server_that_knows_no_stream_options_is_asked_without_them_from_then_on() {
    let refusal = r#"{"error":{"message":"Extra inputs are not permitted: stream_options","type":"invalid_request_error"}}"#;
    let refused = vec![Act::Send(whole("400 Bad Request", "", refusal))];
    let server = Server::play(vec![refused, answer()]).await;
    let model = openai(&server);
    for asked in [2, 3] {
        let answer = model.stream(&question()).await.unwrap().collect().await.unwrap();
        assert_eq!(answer.text.as_str(), "Hello");
        assert_eq!(server.seen().len(), asked);
    }
    let options: Vec<bool> =
        server.seen().iter().map(|seen| seen.body.get("stream_options").is_some()).collect();
    assert_eq!(options, [true, false, false]);
}

#[tokio::test]
async fn another_refusal_is_not_taken_for_one_of_stream_options() {
    let server = Server::answering("400 Bad Request", r#"{"error":{"code":"bad_tools"}}"#).await;
    let said = message(&streamed(&openai(&server)).await.1.unwrap());
    assert!(said.contains("refused the request (HTTP 400 `bad_tools`)"), "{said}");
    assert_eq!(server.seen().len(), 1);
}
