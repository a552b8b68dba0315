//! Every backend against servers that implement the documented protocols byte by byte, correctly and
//! incorrectly.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that can't set its stage fails loudly"
)]

mod anthropic;
mod cancelling;
mod embeddings;
mod encrypted;
mod failing;
mod finding;
mod json_mode;
mod openai;
mod retrying;
mod server;

use std::time::Duration;

use llm::{
    Anthropic, ApiKey, Complete, Endpoint, Event, Events, Jitter, LlmError, Message, OpenAi, Request,
    Retries, Timeouts,
};
use server::Server;

/// A text that no error may contain.
const PROMPT: &str = "my-room-is-412";
/// A key that no error may contain.
const KEY: &str = "sk-very-secret";

fn endpoint(base_url: &str) -> Endpoint {
    Endpoint {
        name: "local".to_owned(),
        base_url: base_url.parse().unwrap(),
        model: "tiny".to_owned(),
        api_key: Some(ApiKey::new(KEY)),
        timeouts: Timeouts {
            connect: Duration::from_secs(2),
            first_byte: Duration::from_secs(5),
            between_chunks: Duration::from_secs(5),
            whole: Duration::from_secs(5),
        },
        retries: Retries {
            attempts: 3,
            first_pause: Duration::from_millis(20),
            longest_pause: Duration::from_secs(2),
        },
        jitter: Jitter::new(|| 1.0),
    }
}

fn openai(server: &Server) -> OpenAi {
    OpenAi::new(&endpoint(&server.url)).unwrap()
}

fn anthropic(server: &Server) -> Anthropic {
    Anthropic::new(&endpoint(&server.url)).unwrap()
}

fn question() -> Request {
    Request { messages: vec![Message::User(PROMPT.into())], ..Request::default() }
}

/// Every piece up to the end or the first error.
async fn all(mut stream: Events) -> (Vec<Event>, Option<LlmError>) {
    let mut events = Vec::new();
    while let Some(event) = stream.next().await {
        match event {
            Ok(event) => events.push(event),
            Err(error) => return (events, Some(error)),
        }
    }
    (events, None)
}

/// The pieces of a streamed response, and how it ended.
async fn streamed(model: &impl Complete) -> (Vec<Event>, Option<LlmError>) {
    match model.stream(&question()).await {
        Ok(events) => all(events).await,
        Err(error) => (Vec::new(), Some(error)),
    }
}

/// The message of an error, which names the model and contains neither prompt nor key.
fn message(error: &LlmError) -> String {
    let words = error.to_string();
    assert!(words.starts_with("model `local` (tiny at http://127.0.0.1:"), "{words}");
    for text in [&words, &format!("{error:?}")] {
        assert!(!text.contains(PROMPT) && !text.contains(KEY), "{text}");
    }
    words
}
