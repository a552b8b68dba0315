//! JSON-RPC 2.0 messages as MCP clients send them, read strictly and without trusting anything in them.

use serde_json::{Map, Value, json};

use crate::Problem;
use crate::read::MAX_DEPTH;

/// Not JSON.
pub const PARSE_ERROR: i32 = -32700;
/// JSON, but not a message.
pub const INVALID_REQUEST: i32 = -32600;
/// An unknown method.
pub const METHOD_NOT_FOUND: i32 = -32601;
/// A method with invalid parameters.
pub const INVALID_PARAMS: i32 = -32602;
/// A header contradicts the body.
pub const HEADER_MISMATCH: i32 = -32020;
/// The client lacks a capability that the call needs.
pub const MISSING_CAPABILITY: i32 = -32021;
/// An unsupported revision of the protocol.
pub const UNSUPPORTED_VERSION: i32 = -32022;

/// One message.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// A request, which expects an answer.
    Request(Request),
    /// A notification, which expects none.
    Notification {
        /// Its method.
        method: String,
    },
    /// An answer to a request of ours.
    Response {
        /// The id of that request.
        id: Value,
        /// The result, unless it is an error.
        result: Option<Value>,
    },
}

/// A request.
#[derive(Clone, PartialEq)]
pub struct Request {
    /// Its id: a text or a number.
    pub id: Value,
    /// Its method.
    pub method: String,
    /// Its parameters.
    pub params: Map<String, Value>,
}

/// Parameters may contain personal data, so `Debug` prints none of them.
impl std::fmt::Debug for Request {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Request({}, {} parameters)", self.method, self.params.len())
    }
}

/// Why a message is refused before anything is done.
#[derive(Clone, Debug, PartialEq)]
pub struct RpcError {
    /// The id of the request; `null` if none could be read.
    pub id: Value,
    /// The number for clients.
    pub code: i32,
    /// What is wrong, and the way out.
    pub message: String,
    /// More for programs.
    pub data: Option<Value>,
}

impl RpcError {
    /// An error in the answer to the request `id`.
    #[must_use]
    pub fn new(id: Value, code: i32, message: impl Into<String>) -> Self {
        Self { id, code, message: message.into(), data: None }
    }

    /// The same, with `data`.
    #[must_use]
    pub fn with(self, data: Value) -> Self {
        Self { data: Some(data), ..self }
    }

    /// The problem of a verb as the answer to the request `id`.
    #[must_use]
    pub fn of(id: Value, problem: &Problem) -> Self {
        let data = json!({ "code": problem.code, "errors": problem.errors });
        Self::new(id, problem.code.mcp_code(), problem.detail.clone()).with(data)
    }

    /// The whole answer.
    #[must_use]
    pub fn into_answer(self) -> Value {
        let mut error = json!({ "code": self.code, "message": self.message });
        if let (Some(error), Some(data)) = (error.as_object_mut(), self.data) {
            error.insert("data".to_owned(), data);
        }
        json!({ "jsonrpc": "2.0", "id": self.id, "error": error })
    }
}

/// The whole answer to the request `id`.
#[must_use]
pub fn answer(id: &Value, result: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}

/// Reads one message.
pub fn read(bytes: &[u8]) -> Result<Message, RpcError> {
    let value: Value = serde_json::from_slice(bytes)
        .map_err(|error| RpcError::new(Value::Null, PARSE_ERROR, format!("this is not JSON: {error}")))?;
    if is_deeper_than(&value, MAX_DEPTH) {
        let detail = format!("the message nests deeper than {MAX_DEPTH} levels");
        return Err(RpcError::new(Value::Null, INVALID_REQUEST, detail));
    }
    let Value::Object(mut message) = value else {
        let detail = "send one JSON-RPC message at a time, as an object; batches are not supported";
        return Err(RpcError::new(Value::Null, INVALID_REQUEST, detail));
    };
    let id = message.remove("id");
    let known = id.clone().filter(is_id).unwrap_or(Value::Null);
    let invalid = |detail: &str| Err(RpcError::new(known.clone(), INVALID_REQUEST, detail));
    if message.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return invalid("`jsonrpc` must be \"2.0\"");
    }
    match (message.remove("method"), id) {
        (Some(Value::String(method)), None) => Ok(Message::Notification { method }),
        (Some(Value::String(method)), Some(id)) if is_id(&id) => match message.remove("params") {
            None => Ok(Message::Request(Request { id, method, params: Map::new() })),
            Some(Value::Object(params)) => Ok(Message::Request(Request { id, method, params })),
            Some(_) => Err(RpcError::new(id, INVALID_PARAMS, "`params` must be an object")),
        },
        (None, Some(id))
            if is_id(&id) && (message.contains_key("result") || message.contains_key("error")) =>
        {
            Ok(Message::Response { id, result: message.remove("result") })
        }
        (Some(Value::String(_)), Some(_)) => invalid("`id` must be a text or a whole number"),
        (None | Some(_), _) => invalid("`method` must be a text"),
    }
}

fn is_id(id: &Value) -> bool {
    match id {
        Value::String(_) => true,
        Value::Number(number) => number.is_i64() || number.is_u64(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => false,
    }
}

fn is_deeper_than(value: &Value, levels: usize) -> bool {
    let Some(below) = levels.checked_sub(1) else { return value.is_array() || value.is_object() };
    match value {
        Value::Array(items) => items.iter().any(|item| is_deeper_than(item, below)),
        Value::Object(properties) => properties.values().any(|item| is_deeper_than(item, below)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_distinguished() {
        let request = |params: Value| {
            let Value::Object(params) = params else { panic!("an object") };
            Ok(Message::Request(Request { id: json!(1), method: "ping".to_owned(), params }))
        };
        for (sent, expected) in [
            (r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, request(json!({}))),
            (r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":2}}"#, request(json!({ "a": 2 }))),
            (
                r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
                Ok(Message::Notification { method: "notifications/initialized".to_owned() }),
            ),
            (
                r#"{"jsonrpc":"2.0","id":"a","result":{}}"#,
                Ok(Message::Response { id: json!("a"), result: Some(json!({})) }),
            ),
            (
                r#"{"jsonrpc":"2.0","id":"a","error":{"code":1,"message":"no"}}"#,
                Ok(Message::Response { id: json!("a"), result: None }),
            ),
        ] {
            assert_eq!(read(sent.as_bytes()), expected, "{sent}");
        }
    }

    #[test]
    fn what_is_no_message_is_refused_with_its_code_and_the_id_that_could_be_read() {
        let deep = format!("{}1{}", "[".repeat(40), "]".repeat(40));
        let deep = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"x","params":{{"a":{deep}}}}}"#);
        for (sent, code, id) in [
            ("", PARSE_ERROR, Value::Null),
            ("{", PARSE_ERROR, Value::Null),
            (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, INVALID_REQUEST, Value::Null),
            ("7", INVALID_REQUEST, Value::Null),
            (r#"{"id":1,"method":"ping"}"#, INVALID_REQUEST, json!(1)),
            (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, INVALID_REQUEST, json!(1)),
            (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, INVALID_REQUEST, Value::Null),
            (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, INVALID_REQUEST, Value::Null),
            (r#"{"jsonrpc":"2.0","id":[1],"method":"ping"}"#, INVALID_REQUEST, Value::Null),
            (r#"{"jsonrpc":"2.0","id":1,"method":7}"#, INVALID_REQUEST, json!(1)),
            (r#"{"jsonrpc":"2.0","id":1}"#, INVALID_REQUEST, json!(1)),
            (r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}"#, INVALID_PARAMS, json!(1)),
            (deep.as_str(), INVALID_REQUEST, Value::Null),
        ] {
            let refused = read(sent.as_bytes()).unwrap_err();
            assert_eq!((refused.code, refused.id), (code, id), "{sent}");
        }
    }
}
