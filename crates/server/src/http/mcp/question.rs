//! Questions that a tool asks the person at the client before it continues.
//!
//! The protocol keeps nothing between the question and the answer: the client makes the call again, with the answers and
//! with the state that went along with the questions. The state is sealed, so that an answer counts for the question
//! it was given to, for the same key, and not for ever.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::Timestamp;
use serde_json::{Map, Value, json};
use wire::rpc::INVALID_PARAMS;

use super::session::Session;
use super::tool::{Invalid, Outcome};

/// For how long an answer counts.
const MILLIS: i64 = 60 * 60 * 1000;
/// What the seal is for.
const PURPOSE: &str = "mcp-question";

/// Questions, by the names that their answers come back under.
pub(super) struct Questions {
    pub(super) requests: Map<String, Value>,
    /// What has to come back with the answers.
    pub(super) state: Option<String>,
}

impl Questions {
    /// One question, sealed as one about `about`.
    pub(super) fn one(session: &Session, name: &str, request: Value, about: &[&str]) -> Self {
        let requests = Map::from_iter([(name.to_owned(), request)]);
        Self { requests, state: Some(sealed(session, about)) }
    }
}

/// What an answer says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum YesOrNo {
    Yes,
    No,
}

/// A question that is answered with yes or no.
pub(super) fn yes_or_no(message: &str, title: &str) -> Value {
    json!({
        "method": "elicitation/create",
        "params": {
            "mode": "form",
            "message": message,
            "requestedSchema": {
                "type": "object",
                "properties": { "yes": { "type": "boolean", "title": title, "default": false } },
                "required": ["yes"],
            },
        },
    })
}

/// What was answered to [`yes_or_no`]; nothing where that is unclear.
pub(super) fn said(response: &Value) -> Option<YesOrNo> {
    match response.get("action").and_then(Value::as_str)? {
        "accept" => match response.pointer("/content/yes")? {
            Value::Bool(true) => Some(YesOrNo::Yes),
            Value::Bool(false) => Some(YesOrNo::No),
            Value::Null | Value::Number(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => None,
        },
        "decline" | "cancel" => Some(YesOrNo::No),
        _ => None,
    }
}

/// The state of a question about `about`.
pub(super) fn sealed(session: &Session, about: &[&str]) -> String {
    let at = session.now().as_millis().to_string();
    let seal = session.seal(PURPOSE, &[&[at.as_str()][..], about].concat());
    format!("{at}.{}", URL_SAFE_NO_PAD.encode(seal))
}

/// Whether `state` is one of a question about `about` that was asked a short while ago.
pub(super) fn is_sealed(session: &Session, state: Option<&str>, about: &[&str]) -> bool {
    let Some((at, seal)) = state.and_then(|state| state.split_once('.')) else { return false };
    let Ok(seal) = URL_SAFE_NO_PAD.decode(seal) else { return false };
    let is_recent = at.parse().is_ok_and(|at| {
        let age = session.now().as_millis() - Timestamp::from_millis(at).as_millis();
        (0..MILLIS).contains(&age)
    });
    is_recent && session.is_sealed(PURPOSE, &[&[at][..], about].concat(), &seal)
}

/// The answer to a state that is not ours, is too old or belongs to another question.
pub(super) fn wrong_state() -> Outcome {
    let message = "`requestState` is not the one that came with this question, or it is too old; make the call again \
                   without `inputResponses`";
    Outcome::Invalid(Invalid { code: INVALID_PARAMS, message: message.to_owned(), data: None })
}
