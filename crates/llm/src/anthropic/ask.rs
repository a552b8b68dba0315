//! Requests of Anthropic's Messages API.

use serde_json::{Map, Value, json};

use crate::answer::ToolCall;
use crate::request::{Message, Request, Tool, ToolChoice};

/// The default maximum length of a response; the protocol requires a number.
const MAX_TOKENS: u32 = 4096;

pub(super) fn streamed(model: &str, request: &Request) -> Value {
    let mut body = body(model, request);
    body.insert("stream".to_owned(), true.into());
    Value::Object(body)
}

pub(super) fn whole(model: &str, request: &Request) -> Value {
    Value::Object(body(model, request))
}

fn body(model: &str, request: &Request) -> Map<String, Value> {
    let mut body = Map::new();
    let mut say = |name: &str, value: Value| drop(body.insert(name.to_owned(), value));
    say("model", json!(model));
    say("max_tokens", json!(request.max_tokens.unwrap_or(MAX_TOKENS)));
    if !request.system.is_empty() {
        say("system", json!(request.system.as_str()));
    }
    say("messages", messages(&request.messages));
    if !request.tools.is_empty() {
        say("tools", request.tools.iter().map(tool).collect());
        say("tool_choice", tool_choice(&request.tool_choice));
    }
    if let Some(temperature) = request.temperature {
        say("temperature", json!(temperature.clamp(0.0, 1.0)));
    }
    if let Some(top_p) = request.top_p {
        say("top_p", json!(top_p));
    }
    // A stop word of white space alone is refused.
    let stop: Vec<_> = request.stop.iter().filter(|word| !word.trim().is_empty()).collect();
    if !stop.is_empty() {
        say("stop_sequences", json!(stop));
    }
    body
}

/// Consecutive messages of one role are joined: the results of all calls must be in the one message after
/// them.
fn messages(messages: &[Message]) -> Value {
    let mut turns: Vec<(&str, Vec<Value>)> = Vec::new();
    for (role, blocks) in messages.iter().map(blocks).filter(|(_, blocks)| !blocks.is_empty()) {
        match turns.last_mut() {
            Some((last, together)) if *last == role => together.extend(blocks),
            _ => turns.push((role, blocks)),
        }
    }
    turns.into_iter().map(|(role, content)| json!({ "role": role, "content": content })).collect()
}

fn blocks(message: &Message) -> (&'static str, Vec<Value>) {
    match message {
        Message::User(words) => ("user", text(words.as_str()).into_iter().collect()),
        Message::Assistant { text: words, calls } => {
            ("assistant", text(words.as_str()).into_iter().chain(calls.iter().map(call)).collect())
        }
        Message::Tool { call_id, result } => {
            let block = json!({ "type": "tool_result", "tool_use_id": call_id, "content": result.as_str() });
            ("user", vec![block])
        }
    }
}

/// An empty text is refused.
fn text(words: &str) -> Option<Value> {
    (!words.trim().is_empty()).then(|| json!({ "type": "text", "text": words }))
}

/// Arguments must be an object; invalid ones written by a model are passed on unchanged.
fn call(call: &ToolCall) -> Value {
    let written = call.arguments.as_str();
    let input = match serde_json::from_str(written) {
        Ok(Value::Object(input)) => Value::Object(input),
        _ if written.trim().is_empty() => json!({}),
        _ => json!({ "arguments": written }),
    };
    json!({ "type": "tool_use", "id": call.id, "name": call.name, "input": input })
}

fn tool(tool: &Tool) -> Value {
    json!({ "name": tool.name, "description": tool.description, "input_schema": tool.parameters })
}

fn tool_choice(choice: &ToolChoice) -> Value {
    match choice {
        ToolChoice::Auto => json!({ "type": "auto" }),
        ToolChoice::Never => json!({ "type": "none" }),
        ToolChoice::Required => json!({ "type": "any" }),
        ToolChoice::Named(name) => json!({ "type": "tool", "name": name }),
    }
}
