//! Chat completions as servers really send them.

use llm::{
    Complete, Event, FinishReason, Message, Request, Tool, ToolCall, ToolCallDelta, ToolChoice, Usage, Words,
};
use serde_json::json;

use crate::server::{Server, stream};
use crate::{all, openai, question, streamed};

fn text(words: &str) -> Event {
    Event::Text(words.into())
}

const USAGE: Usage = Usage { prompt_tokens: 11, completion_tokens: 3 };

const STREAM: &str = "\
: OPENROUTER PROCESSING\n\n\
data: {\"id\":\"c1\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"tiny\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"},\"finish_reason\":null}],\"usage\":null}\n\n\
data: {\"id\":\"c1\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Bună \"},\"finish_reason\":null}]}\n\n\
data: {\"id\":\"c1\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"ziua 火\"},\"finish_reason\":null}]}\n\n\
data: {\"id\":\"c1\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n\
data: {\"id\":\"c1\",\"choices\":[],\"usage\":{\"prompt_tokens\":11,\"completion_tokens\":3,\"total_tokens\":14}}\n\n\
data: [DONE]\n\n";

#[tokio::test]
async fn a_stream_is_the_same_however_its_bytes_are_cut_and_its_lines_end() {
    let expected = [text("Bună "), text("ziua 火"), Event::Finished(FinishReason::Stop), Event::Usage(USAGE)];
    for written in [STREAM.to_owned(), STREAM.replace('\n', "\r\n")] {
        for size in [1, 7, 64, written.len()] {
            let server = Server::play(vec![stream(written.as_bytes().chunks(size))]).await;
            let (events, failed) = streamed(&openai(&server)).await;
            assert!(failed.is_none() && events == expected, "pieces of {size}: {events:?} {failed:?}");
        }
    }
}

#[tokio::test]
async fn the_request_is_what_the_protocol_says() {
    let server = Server::streaming(&[STREAM]).await;
    let call = ToolCall { id: "c7".into(), name: "recall".into(), arguments: "{\"cue\":\"x\"}".into() };
    let request = Request {
        system: "You are Inara.".into(),
        messages: vec![
            Message::User("hi".into()),
            Message::Assistant { text: Words::default(), calls: vec![call] },
            Message::Tool { call_id: "c7".into(), result: "nothing".into() },
        ],
        tools: vec![Tool {
            name: "recall".into(),
            description: "Remembers.".into(),
            parameters: json!({ "type": "object" }),
        }],
        tool_choice: ToolChoice::Named("recall".into()),
        temperature: Some(0.7),
        top_p: Some(0.9),
        max_tokens: Some(64),
        stop: vec!["END".into()],
        ..Request::default()
    };
    all(openai(&server).stream(&request).await.unwrap()).await;
    let seen = server.seen().remove(0);
    assert!(seen.head.starts_with("POST /v1/chat/completions HTTP/1.1"), "{}", seen.head);
    assert!(seen.head.contains("authorization: Bearer sk-very-secret"), "{}", seen.head);
    let expected = json!({
        "model": "tiny",
        "messages": [
            { "role": "system", "content": "You are Inara." },
            { "role": "user", "content": "hi" },
            { "role": "assistant", "content": null, "tool_calls": [
                { "id": "c7", "type": "function", "function": { "name": "recall", "arguments": "{\"cue\":\"x\"}" } },
            ] },
            { "role": "tool", "tool_call_id": "c7", "content": "nothing" },
        ],
        "tools": [{ "type": "function", "function":
            { "name": "recall", "description": "Remembers.", "parameters": { "type": "object" } } }],
        "tool_choice": { "type": "function", "function": { "name": "recall" } },
        "temperature": 0.7, "top_p": 0.9, "max_tokens": 64, "stop": ["END"],
        "stream": true, "stream_options": { "include_usage": true },
    });
    assert_eq!(seen.body, expected);
}

#[tokio::test]
async fn an_answer_in_one_piece_is_understood_whether_a_stream_was_asked_for_or_not() {
    let body = json!({ "choices": [{ "index": 0, "finish_reason": "stop", "message": {
            "role": "assistant", "content": "Hello.",
            "tool_calls": [{ "id": "a", "type": "function", "function": { "name": "f", "arguments": "{}" } }] } }],
        "usage": { "prompt_tokens": 11, "completion_tokens": 3 } });
    let server = Server::answering("200 OK", &body.to_string()).await;
    let whole = openai(&server).complete(&question()).await.unwrap();
    let collected = openai(&server).stream(&question()).await.unwrap().collect().await.unwrap();
    assert_eq!(whole, collected);
    assert_eq!(
        (whole.text.as_str(), whole.usage, whole.finish),
        ("Hello.", Some(USAGE), FinishReason::ToolCalls)
    );
    assert_eq!(whole.calls, [ToolCall { id: "a".into(), name: "f".into(), arguments: "{}".into() }]);
    let asked: Vec<_> = server.seen().iter().map(|seen| seen.body["stream"].clone()).collect();
    assert_eq!(asked, [json!(null), json!(true)]);
}

/// The tool calls of a stream with these `deltas`.
async fn called(deltas: &[&str]) -> (Vec<ToolCall>, FinishReason) {
    let chunk =
        |delta: &&str| format!("data: {{\"choices\":[{{\"delta\":{{\"tool_calls\":[{delta}]}}}}]}}\n\n");
    let mut pieces: Vec<String> = deltas.iter().map(chunk).collect();
    pieces.push(
        "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n".to_owned(),
    );
    let server = Server::play(vec![stream(pieces.iter().map(String::as_bytes))]).await;
    let answer = openai(&server).stream(&question()).await.unwrap().collect().await.unwrap();
    (answer.calls, answer.finish)
}

#[tokio::test]
async fn calls_are_put_together_on_every_kind_of_server() {
    let as_documented = [
        r#"{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":""}}"#,
        r#"{"index":0,"function":{"arguments":"{\"x\":"}}"#,
        r#"{"index":1,"id":"b","function":{"name":"g","arguments":"{}"}}"#,
        r#"{"index":0,"function":{"arguments":"1}"}}"#,
    ];
    let all_numbered_zero = [
        r#"{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":1}"}}"#,
        r#"{"index":0,"id":"b","function":{"name":"g","arguments":"{}"}}"#,
    ];
    let repeating_themselves = [
        r#"{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":"}}"#,
        r#"{"index":0,"id":"a","function":{"name":"f","arguments":"1}"}}"#,
        r#"{"index":1,"id":"b","function":{"name":"g","arguments":{}}}"#,
    ];
    for deltas in [&as_documented[..], &all_numbered_zero, &repeating_themselves] {
        let expected = [("a", "f", "{\"x\":1}"), ("b", "g", "{}")].map(|(id, name, json)| ToolCall {
            id: id.into(),
            name: name.into(),
            arguments: json.into(),
        });
        assert_eq!(called(deltas).await, (expected.to_vec(), FinishReason::ToolCalls));
    }
    let nameless =
        [r#"{"function":{"name":"f","arguments":"{}"}}"#, r#"{"function":{"name":"g","arguments":"{}"}}"#];
    let ids: Vec<_> = called(&nameless).await.0.into_iter().map(|call| call.id).collect();
    assert_eq!(ids, ["call_0", "call_1"]);
}

#[tokio::test]
async fn every_piece_of_a_call_has_its_index_and_the_first_its_name() {
    let server = Server::streaming(&[
        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"{\"}}]}}]}\n\n",
        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"}\"}}]}}]}\n\n",
        "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\n",
    ])
    .await;
    let (events, failed) = streamed(&openai(&server)).await;
    let first =
        ToolCallDelta { index: 0, id: Some("a".into()), name: Some("f".into()), arguments: "{".into() };
    let second = ToolCallDelta { index: 0, id: None, name: None, arguments: "}".into() };
    let expected =
        [Event::ToolCall(first), Event::ToolCall(second), Event::Finished(FinishReason::ToolCalls)];
    assert!(failed.is_none() && events == expected, "{events:?} {failed:?}");
}
