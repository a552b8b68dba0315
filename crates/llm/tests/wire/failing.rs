//! Servers that fail, each in its own way: a clear error, and never any text of the prompt.

use std::time::Duration;

use llm::{Complete, Event, OpenAi, Timeouts};

use crate::server::{Act, Server, chunk, head, last};
use crate::{endpoint, message, openai, question, streamed};

const HELLO: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"Hello\"}}]}\n\n";
const STOP: &str = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";

#[tokio::test]
async fn a_failure_in_the_middle_is_reported_after_the_text_before_it() {
    let error =
        "data: {\"error\":{\"message\":\"my-room-is-412\",\"type\":\"server_error\",\"code\":500}}\n\n";
    for (name, rest, words) in [
        ("truncated without its last chunk", vec![], "stopped in the middle"),
        ("ended before it finished", vec![last()], "stopped in the middle"),
        (
            "500 in the middle",
            vec![chunk(error.as_bytes()), last()],
            "broke off with an error `server_error`",
        ),
        (
            "malformed JSON",
            vec![chunk(b"data: {\"choices\":[{my-room-is-412\n\n")],
            "not an OpenAI chat completion",
        ),
    ] {
        let server = Server::play(vec![[vec![head(), chunk(HELLO.as_bytes())], rest].concat()]).await;
        let (heard, failed) = streamed(&openai(&server)).await;
        assert_eq!(heard, [Event::Text("Hello".into())], "{name}");
        let said = message(&failed.unwrap());
        assert!(said.contains(words), "{name}: {said}");
        assert_eq!(server.seen().len(), 1, "{name}: a response that has begun is never restarted");
    }
}

#[tokio::test]
async fn a_refusal_is_reported_with_the_way_out_and_not_retried() {
    let error = |code: &str| {
        format!("{{\"error\":{{\"message\":\"sk-very-secret my-room-is-412\",\"code\":\"{code}\"}}}}")
    };
    for (status, code, words) in [
        ("401 Unauthorized", "invalid_api_key", "refused the key (HTTP 401); check `api_key_env`"),
        ("404 Not Found", "model_not_found", "was not found (HTTP 404); check `model`"),
        ("400 Bad Request", "bad_thing", "refused the request (HTTP 400 `bad_thing`)"),
        ("400 Bad Request", "context_length_exceeded", "has too small a window for this prompt"),
        ("302 Found", "", "refused the request (HTTP 302)"),
    ] {
        let server = Server::answering(status, &error(code)).await;
        for failed in [streamed(&openai(&server)).await.1, openai(&server).complete(&question()).await.err()]
        {
            let said = message(&failed.unwrap());
            assert!(said.contains(words), "{status}: {said}");
        }
        assert_eq!(server.seen().len(), 2, "{status}");
    }
}

#[tokio::test]
async fn a_server_without_models_is_reported_as_such() {
    for body in ["<html>hello</html>", "{}", "{\"choices\":[]}"] {
        let server = Server::answering("200 OK", body).await;
        let said = message(&openai(&server).complete(&question()).await.unwrap_err());
        assert!(said.contains("not an OpenAI chat completion; check `kind`"), "{said}");
    }
}

/// A client with short timeouts.
fn hasty(server: &Server) -> OpenAi {
    let soon = Duration::from_millis(500);
    let timeouts = Timeouts { connect: soon, first_byte: soon, between_chunks: soon, whole: soon };
    OpenAi::new(&llm::Endpoint { timeouts, ..endpoint(&server.url) }).unwrap()
}

#[tokio::test]
async fn a_slow_server_is_given_up_and_a_steady_one_is_not() {
    let silent = Server::play(vec![vec![Act::UntilClosed]]).await;
    let said = message(&streamed(&hasty(&silent)).await.1.unwrap());
    assert!(said.contains("did not begin to answer within 0.5 s"), "{said}");
    let said = message(&hasty(&silent).complete(&question()).await.unwrap_err());
    assert!(said.contains("did not answer within 0.5 s"), "{said}");
    let only_a_head = Server::play(vec![vec![head(), Act::UntilClosed]]).await;
    assert!(message(&streamed(&hasty(&only_a_head)).await.1.unwrap()).contains("did not begin"));

    let stalls = Server::play(vec![vec![head(), chunk(HELLO.as_bytes()), Act::UntilClosed]]).await;
    let (heard, failed) = streamed(&hasty(&stalls)).await;
    assert!(heard.len() == 1 && message(&failed.unwrap()).contains("fell silent"));

    let alive = [Act::Pause(Duration::from_millis(200)), chunk(b": keep-alive\n\n")];
    let middle = [alive.clone(), alive.clone(), alive.clone(), alive].concat();
    let end = vec![chunk(HELLO.as_bytes()), chunk(STOP.as_bytes()), last()];
    let steady = Server::play(vec![[vec![head()], middle, end].concat()]).await;
    let (heard, failed) = streamed(&hasty(&steady)).await;
    assert!(heard.len() == 2 && failed.is_none(), "{failed:?}");
}

#[tokio::test]
async fn a_server_that_leaves_the_line_open_after_its_last_word_has_answered() {
    let open = vec![head(), chunk(HELLO.as_bytes()), chunk(STOP.as_bytes()), Act::UntilClosed];
    let server = Server::play(vec![open]).await;
    let (heard, failed) = streamed(&hasty(&server)).await;
    assert!(heard.len() == 2 && failed.is_none(), "{failed:?}");
}

#[tokio::test]
async fn a_server_that_is_not_there_is_named() {
    let unused = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let nobody = OpenAi::new(&endpoint(&format!("http://127.0.0.1:{unused}/v1"))).unwrap();
    assert!(
        message(&streamed(&nobody).await.1.unwrap()).contains("can't be reached; is its server running?")
    );
}
