//! What a tool is: a name and words for a model, two schemas, and a function that asks the verbs.

use std::future::Future;
use std::pin::Pin;

use serde_json::{Map, Value, json};
use wire::Problem;

use super::question::Questions;
use super::session::Session;

/// One tool.
pub(super) struct Tool {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) description: &'static str,
    pub(super) hints: Hints,
    pub(super) input: fn() -> Value,
    pub(super) output: fn() -> Value,
    pub(super) run: Run,
}

/// The function of a tool.
pub(super) type Run = for<'a> fn(&'a Session, ToolInput) -> Pin<Box<dyn Future<Output = Done> + Send + 'a>>;

/// What a tool's function gives.
pub(super) type Done = Result<Outcome, Problem>;

/// What a tool is called with.
pub(super) struct ToolInput {
    /// Its arguments.
    pub(super) arguments: Value,
    /// What the client can do, if it speaks the stateless revision.
    pub(super) capabilities: Map<String, Value>,
    /// What the client's person answered to questions of an earlier try.
    pub(super) responses: Map<String, Value>,
    /// What went along with those questions, and came back with the answers.
    pub(super) state: Option<String>,
    /// What else the request says about itself.
    pub(super) meta: Map<String, Value>,
}

/// What came of a call.
pub(super) enum Outcome {
    /// It is done: a value for programs, a text for models, and what else is to be said about them.
    Done { value: Value, text: String, meta: Map<String, Value> },
    /// The client's person has to be asked first.
    Asks(Questions),
    /// The call itself can't be answered: an error of the protocol and not one of the tool.
    Invalid(Invalid),
    /// A whole result, for the tools of the conformance suite.
    #[cfg(feature = "conformance")]
    Whole(Value),
}

/// Why a call can't be answered.
pub(super) struct Invalid {
    pub(super) code: i32,
    pub(super) message: String,
    pub(super) data: Option<Value>,
}

impl Outcome {
    /// A value for programs and a text for models.
    #[expect(clippy::unnecessary_wraps, reason = "it is the last word of every tool, which may also fail")]
    pub(super) fn of(value: Value, text: impl Into<String>) -> Done {
        Ok(Self::Done { value, text: text.into(), meta: Map::new() })
    }
}

/// What a client may assume of a tool.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Hints {
    /// It only reads.
    Reads,
    /// It adds something, and the same call adds it again.
    Adds,
    /// It changes what is there, and the same call changes nothing more.
    Changes,
    /// It takes something away.
    Removes,
    /// Every hint said, whether it reads, takes away, and may be repeated.
    Said { reads: bool, removes: bool, repeatable: bool },
}

impl Tool {
    /// The tool as `tools/list` shows it.
    pub(super) fn listed(&self) -> Value {
        json!({
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": (self.input)(),
            "outputSchema": (self.output)(),
            "annotations": self.hints.listed(),
        })
    }
}

impl Hints {
    /// Only what differs from what clients assume, except that no tool reaches beyond this server.
    fn listed(self) -> Value {
        match self {
            Self::Reads => json!({ "readOnlyHint": true, "openWorldHint": false }),
            Self::Adds => json!({ "destructiveHint": false, "openWorldHint": false }),
            Self::Changes => {
                json!({ "destructiveHint": false, "idempotentHint": true, "openWorldHint": false })
            }
            Self::Removes => {
                json!({ "destructiveHint": true, "idempotentHint": true, "openWorldHint": false })
            }
            Self::Said { reads, removes, repeatable } => json!({
                "readOnlyHint": reads,
                "destructiveHint": removes,
                "idempotentHint": repeatable,
                "openWorldHint": false,
            }),
        }
    }
}
