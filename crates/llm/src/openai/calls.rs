//! Tool calls of a response, also on servers that don't number them.

use serde_json::Value;

use crate::answer::ToolCallDelta;
use crate::words::Words;

/// The tool calls of one response so far.
#[derive(Debug, Default)]
pub(super) struct Calls(Vec<PartialCall>);

/// One tool call whose beginning has arrived.
#[derive(Debug)]
struct PartialCall {
    /// The server's own number for it.
    number: Option<u64>,
    id: String,
}

impl Calls {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The piece in `delta`, with our own number. Ollama has given every call the number 0, others give
    /// none: a new id is a new call all the same, and a call without an id gets one. An id or a name is
    /// passed on once, although some servers repeat them in every piece.
    pub(super) fn piece(&mut self, delta: &Value) -> ToolCallDelta {
        let number = delta.get("index").and_then(Value::as_u64);
        let id = delta.get("id").and_then(Value::as_str).filter(|id| !id.is_empty());
        let function = delta.get("function");
        let name = function.and_then(|it| it.get("name")?.as_str()).filter(|name| !name.is_empty());
        let arguments = arguments(function.and_then(|it| it.get("arguments")));
        if let Some(index) = self.known(number, id, name) {
            return ToolCallDelta { index, id: None, name: None, arguments };
        }
        let index = self.0.len();
        let id = id.map_or_else(|| format!("call_{index}"), str::to_owned);
        self.0.push(PartialCall { number, id: id.clone() });
        ToolCallDelta { index, id: Some(id), name: name.map(str::to_owned), arguments }
    }

    fn known(&self, number: Option<u64>, id: Option<&str>, name: Option<&str>) -> Option<usize> {
        match (id, number) {
            (Some(id), _) => self.0.iter().position(|begun| begun.id == id),
            (None, Some(_)) => self.0.iter().rposition(|begun| begun.number == number),
            (None, None) if name.is_some() => None,
            (None, None) => self.0.len().checked_sub(1),
        }
    }
}

/// Arguments are JSON in a string; some servers send the JSON itself.
fn arguments(sent: Option<&Value>) -> Words {
    match sent {
        None | Some(Value::Null) => Words::default(),
        Some(Value::String(text)) => Words::new(text.as_str()),
        Some(other) => Words::new(other.to_string()),
    }
}
