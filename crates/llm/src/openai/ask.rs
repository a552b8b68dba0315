//! Requests of the chat completions API.

use serde_json::{Map, Value, json};

use crate::request::{Message, Request, Tool, ToolChoice};

/// The differences between servers.
#[derive(Debug)]
pub(super) struct Dialect {
    /// The server's name for the model.
    pub(super) model: String,
    /// The name of the field for the maximum length.
    pub(super) length: &'static str,
}

impl Dialect {
    pub(super) fn streamed(&self, request: &Request) -> Value {
        let mut body = self.body(request);
        body.insert("stream".to_owned(), true.into());
        Value::Object(body)
    }

    /// A stream with token counts at its end.
    pub(super) fn counted(&self, request: &Request) -> Value {
        let mut body = self.body(request);
        body.insert("stream".to_owned(), true.into());
        body.insert("stream_options".to_owned(), json!({ "include_usage": true }));
        Value::Object(body)
    }

    pub(super) fn whole(&self, request: &Request) -> Value {
        Value::Object(self.body(request))
    }

    /// A request for one JSON object.
    pub(super) fn json(&self, request: &Request) -> Value {
        let mut body = self.body(request);
        body.insert("response_format".to_owned(), json!({ "type": "json_object" }));
        Value::Object(body)
    }

    fn body(&self, request: &Request) -> Map<String, Value> {
        let mut body = Map::new();
        let mut say = |name: &str, value: Value| drop(body.insert(name.to_owned(), value));
        say("model", json!(self.model));
        say("messages", messages(request));
        if !request.tools.is_empty() {
            say("tools", request.tools.iter().map(tool).collect());
            say("tool_choice", tool_choice(&request.tool_choice));
        }
        if let Some(temperature) = request.temperature {
            say("temperature", json!(temperature));
        }
        if let Some(top_p) = request.top_p {
            say("top_p", json!(top_p));
        }
        if let Some(most) = request.max_tokens {
            say(self.length, json!(most));
        }
        if !request.stop.is_empty() {
            say("stop", json!(request.stop));
        }
        body
    }
}

fn messages(request: &Request) -> Value {
    let system =
        (!request.system.is_empty()).then(|| json!({ "role": "system", "content": request.system.as_str() }));
    system.into_iter().chain(request.messages.iter().map(message)).collect()
}

fn message(message: &Message) -> Value {
    match message {
        Message::User(words) => json!({ "role": "user", "content": words.as_str() }),
        Message::Assistant { text, calls } if calls.is_empty() => {
            json!({ "role": "assistant", "content": text.as_str() })
        }
        Message::Assistant { text, calls } => {
            let call = |call: &crate::ToolCall| {
                let function = json!({ "name": call.name, "arguments": call.arguments.as_str() });
                json!({ "id": call.id, "type": "function", "function": function })
            };
            let content = (!text.is_empty()).then(|| text.as_str());
            json!({ "role": "assistant", "content": content, "tool_calls": calls.iter().map(call).collect::<Value>() })
        }
        Message::Tool { call_id, result } => {
            json!({ "role": "tool", "tool_call_id": call_id, "content": result.as_str() })
        }
    }
}

fn tool(tool: &Tool) -> Value {
    let function =
        json!({ "name": tool.name, "description": tool.description, "parameters": tool.parameters });
    json!({ "type": "function", "function": function })
}

fn tool_choice(choice: &ToolChoice) -> Value {
    match choice {
        ToolChoice::Auto => json!("auto"),
        ToolChoice::Never => json!("none"),
        ToolChoice::Required => json!("required"),
        ToolChoice::Named(name) => json!({ "type": "function", "function": { "name": name } }),
    }
}
