//! Anthropic's messages as they are really sent.

use llm::{Complete, Event, FinishReason, Message, Request, Tool, ToolCall, ToolChoice, Usage, Words};
use serde_json::{Value, json};

use crate::server::{Server, stream};
use crate::{anthropic, message, question, streamed};

const STREAM: &str = r#"event: message_start
data: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","content":[],"model":"tiny","stop_reason":null,"usage":{"input_tokens":25,"cache_read_input_tokens":5,"output_tokens":1}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

event: ping
data: {"type": "ping"}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Okay, 火"}}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: content_block_start
data: {"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"toolu_1","name":"recall","input":{}}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"cue\": \"sca"}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"rf\"}"}}

event: content_block_stop
data: {"type":"content_block_stop","index":1}

event: something_new
data: {"type":"something_new"}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":89}}

event: message_stop
data: {"type":"message_stop"}

"#;

#[tokio::test]
async fn a_stream_is_the_same_however_its_bytes_are_cut() {
    for size in [1, 50, STREAM.len()] {
        let server = Server::play(vec![stream(STREAM.as_bytes().chunks(size))]).await;
        let answer = anthropic(&server).stream(&question()).await.unwrap().collect().await.unwrap();
        assert_eq!(answer.text.as_str(), "Okay, 火");
        let call = ToolCall {
            id: "toolu_1".into(),
            name: "recall".into(),
            arguments: "{\"cue\": \"scarf\"}".into(),
        };
        assert_eq!(answer.calls, [call]);
        assert_eq!(answer.usage, Some(Usage { prompt_tokens: 30, completion_tokens: 89 }));
        assert_eq!(answer.finish, FinishReason::ToolCalls);
    }
}

#[tokio::test]
async fn the_request_is_what_the_protocol_says() {
    let server = Server::streaming(&[STREAM]).await;
    let call = |id: &str, arguments: &str| ToolCall {
        id: id.into(),
        name: "recall".into(),
        arguments: arguments.into(),
    };
    let result = |id: &str| Message::Tool { call_id: id.into(), result: "nothing".into() };
    let request = Request {
        system: "You are Inara.".into(),
        messages: vec![
            Message::User("hi".into()),
            Message::Assistant { text: Words::default(), calls: vec![call("a", "{\"x\":1}"), call("b", "")] },
            result("a"),
            result("b"),
            Message::User("so?".into()),
        ],
        tools: vec![Tool {
            name: "recall".into(),
            description: "Remembers.".into(),
            parameters: json!({ "type": "object" }),
        }],
        tool_choice: ToolChoice::Required,
        temperature: Some(1.5),
        stop: vec!["END".into(), "\n".into()],
        ..Request::default()
    };
    anthropic(&server).stream(&request).await.unwrap();
    let seen = server.seen().remove(0);
    assert!(seen.head.starts_with("POST /v1/messages HTTP/1.1"), "{}", seen.head);
    for header in ["x-api-key: sk-very-secret", "anthropic-version: 2023-06-01"] {
        assert!(seen.head.contains(header), "{}", seen.head);
    }
    let used =
        |id: &str, input: Value| json!({ "type": "tool_use", "id": id, "name": "recall", "input": input });
    let gave = |id: &str| json!({ "type": "tool_result", "tool_use_id": id, "content": "nothing" });
    let expected = json!({
        "model": "tiny", "max_tokens": 4096, "system": "You are Inara.",
        "messages": [
            { "role": "user", "content": [{ "type": "text", "text": "hi" }] },
            { "role": "assistant", "content": [used("a", json!({ "x": 1 })), used("b", json!({}))] },
            { "role": "user", "content": [gave("a"), gave("b"), { "type": "text", "text": "so?" }] },
        ],
        "tools": [{ "name": "recall", "description": "Remembers.", "input_schema": { "type": "object" } }],
        "tool_choice": { "type": "any" }, "temperature": 1.0, "stop_sequences": ["END"], "stream": true,
    });
    assert_eq!(seen.body, expected);
}

#[tokio::test]
async fn an_answer_in_one_piece_is_understood() {
    let body = json!({ "type": "message", "role": "assistant", "stop_reason": "end_turn",
        "content": [{ "type": "text", "text": "Hello." }], "usage": { "input_tokens": 9, "output_tokens": 2 } });
    let server = Server::answering("200 OK", &body.to_string()).await;
    let answer = anthropic(&server).complete(&question()).await.unwrap();
    let usage = Some(Usage { prompt_tokens: 9, completion_tokens: 2 });
    assert_eq!((answer.text.as_str(), answer.finish, answer.usage), ("Hello.", FinishReason::Stop, usage));
}

#[tokio::test]
async fn an_overloaded_server_is_reported_after_the_text_before_it() {
    let (before, _) = STREAM.split_once("event: content_block_stop").unwrap();
    let error = "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"my-room-is-412\"}}\n\n";
    let server = Server::streaming(&[before, error]).await;
    let (heard, failed) = streamed(&anthropic(&server)).await;
    assert_eq!(heard, [Event::Text("Okay, 火".into())]);
    assert!(message(&failed.unwrap()).contains("broke off with an error `overloaded_error`"));
}
