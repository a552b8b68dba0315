//! The shape of every refusal and failure, at every door: RFC 9457 problem details.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use crate::Code;

/// One failure: its kind, what happened, and where.
///
/// `detail` names the thing and the way out. It contains ids, names and numbers, never the text of a memory,
/// because problems end up in logs and in bug reports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The page that explains the code.
    #[serde(rename = "type")]
    pub kind: String,
    /// The meaning of the code, the same for every occurrence.
    pub title: &'static str,
    /// The HTTP status that goes with it.
    pub status: u16,
    /// What happened this time, and the way out.
    pub detail: String,
    /// The stable code.
    pub code: Code,
    /// Each invalid field, if there are any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<Pointed>,
}

/// One invalid field of the request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Pointed {
    /// JSON Pointer (RFC 6901) to the field; empty for the whole document.
    pub pointer: String,
    /// The violated rule.
    pub detail: String,
}

/// What can't be looked up in the table: enough to read a problem from another process.
#[derive(Deserialize)]
struct ProblemFields {
    status: u16,
    detail: String,
    code: Code,
    #[serde(default)]
    errors: Vec<Pointed>,
}

impl<'de> Deserialize<'de> for Problem {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let fields = ProblemFields::deserialize(deserializer)?;
        Ok(Self { status: fields.status, ..Self::new(fields.code, fields.detail).pointing_at(fields.errors) })
    }
}

impl From<domain::Problem> for Pointed {
    fn from(problem: domain::Problem) -> Self {
        Self { pointer: problem.pointer, detail: problem.message }
    }
}

impl Problem {
    /// A problem with `code` and the message of this occurrence.
    #[must_use]
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self {
            kind: code.page(),
            title: code.title(),
            status: code.http_status(),
            detail: detail.into(),
            code,
            errors: Vec::new(),
        }
    }

    /// The same problem, with the invalid fields.
    #[must_use]
    pub fn pointing_at(mut self, errors: Vec<Pointed>) -> Self {
        self.errors = errors;
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.detail)
    }
}

impl std::error::Error for Problem {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_heard_from_another_process_is_the_same_problem() {
        let place = Pointed { pointer: "/limit".to_owned(), detail: "must be at most 100".to_owned() };
        let mut problem =
            Problem::new(Code::ValidationFailed, "/limit must be at most 100").pointing_at(vec![place]);
        problem.status = 400;
        let fields = serde_json::to_string(&problem).unwrap();
        assert_eq!(serde_json::from_str::<Problem>(&fields).unwrap(), problem);
    }
}
