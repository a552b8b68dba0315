//! Requests for one JSON object: by the server's own mode where it has one.

use llm::{AnswerFormat, Complete, Request};
use serde_json::{Value, json};

use crate::server::{Act, Server, whole};
use crate::{anthropic, openai, question};

fn for_json() -> Request {
    let schema = json!({ "type": "object", "properties": { "memories": { "type": "array" } } });
    Request { format: AnswerFormat::Json { name: "remember".to_owned(), schema }, ..question() }
}

fn completion(words: &str) -> Vec<Act> {
    let message = json!({ "role": "assistant", "content": words });
    let body = json!({ "choices": [{ "index": 0, "finish_reason": "stop", "message": message }] });
    vec![Act::Send(whole("200 OK", "", &body.to_string()))]
}

#[tokio::test]
async fn a_server_without_json_mode_is_asked_without_it_and_not_asked_for_it_again() {
    let refusal = r#"{"error":{"message":"response_format is not supported","code":"bad_request"}}"#;
    let refused = vec![Act::Send(whole("400 Bad Request", "", refusal))];
    let server = Server::play(vec![refused, completion("{}")]).await;
    let model = openai(&server);
    for _ in 0..2 {
        assert_eq!(model.complete(&for_json()).await.unwrap().text.as_str(), "{}");
    }
    let asked: Vec<Value> = server.seen().iter().map(|seen| seen.body["response_format"].clone()).collect();
    assert_eq!(asked, [json!({ "type": "json_object" }), Value::Null, Value::Null]);
}

#[tokio::test]
async fn a_question_that_is_refused_either_way_says_nothing_about_json_mode() {
    let refused = vec![Act::Send(whole("400 Bad Request", "", "{}"))];
    let server = Server::play(vec![refused.clone(), refused, completion("{}")]).await;
    let model = openai(&server);
    assert!(model.complete(&for_json()).await.is_err());
    model.complete(&for_json()).await.unwrap();
    assert_eq!(server.seen()[2].body["response_format"]["type"], "json_object");
}

#[tokio::test]
async fn anthropic_answers_with_the_argument_of_a_tool() {
    let called = json!({ "type": "tool_use", "id": "t1", "name": "remember", "input": { "memories": [] } });
    let body = json!({ "type": "message", "role": "assistant", "stop_reason": "tool_use", "content": [called],
        "usage": { "input_tokens": 9, "output_tokens": 2 } });
    let server = Server::answering("200 OK", &body.to_string()).await;
    let answer = anthropic(&server).complete(&for_json()).await.unwrap();
    let object: Value = serde_json::from_str(answer.text.as_str()).unwrap();
    assert_eq!((object, answer.calls.len()), (json!({ "memories": [] }), 0));
    let asked = server.seen().remove(0).body;
    assert_eq!(asked["tool_choice"], json!({ "type": "tool", "name": "remember" }));
    assert_eq!(asked["tools"][0]["input_schema"]["properties"]["memories"]["type"], "array");
}
