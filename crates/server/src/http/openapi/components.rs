//! The types of the routes, each described once and referred to by name.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};
use wire::Code;

use crate::http::refusal::ProblemBody;

/// What the operations refer to.
#[derive(Default)]
pub(crate) struct Components {
    schemas: Map<String, Value>,
    statuses: BTreeSet<u16>,
}

impl Components {
    /// Adds the type with this schema, and returns a reference to it.
    pub(crate) fn schema(&mut self, root: &Value) -> Value {
        let mut root = root.clone();
        let Some(properties) = root.as_object_mut() else { return root };
        properties.remove("$schema");
        for (name, definition) in
            properties.remove("$defs").as_ref().and_then(Value::as_object).into_iter().flatten()
        {
            self.put(name, definition.clone());
        }
        let title = properties.remove("title");
        let Some(name) = title.as_ref().and_then(Value::as_str) else { return relocated(root) };
        let name: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
        self.put(&name, root);
        json!({ "$ref": format!("#/components/schemas/{name}") })
    }

    /// A reference to the refusals with this status.
    pub(crate) fn refusal(&mut self, status: u16) -> Value {
        self.statuses.insert(status);
        json!({ "$ref": format!("#/components/responses/{}", refusal_name(status)) })
    }

    fn put(&mut self, name: &str, schema: Value) {
        let mut schema = relocated(schema);
        if let Some(properties) = schema.as_object_mut() {
            properties.remove("title");
        }
        self.schemas.insert(name.to_owned(), schema);
    }

    /// All components.
    pub(crate) fn finish(mut self) -> Value {
        let problem = self.schema(&domain::schema::schema_of::<ProblemBody>());
        let responses: BTreeMap<&str, Value> =
            self.statuses.iter().map(|status| (refusal_name(*status), refusal(*status, &problem))).collect();
        json!({
            "schemas": self.schemas,
            "responses": responses,
            "securitySchemes": {
                "apiKey": { "type": "apiKey", "in": "header", "name": "x-api-key" },
                "bearer": { "type": "http", "scheme": "bearer" },
            },
        })
    }
}

/// `schema` with its references pointing to the components.
pub(crate) fn relocated(schema: Value) -> Value {
    match schema {
        Value::Object(properties) => {
            let moved = properties.into_iter().map(|(name, value)| match (name.as_str(), &value) {
                ("$ref", Value::String(target)) => {
                    let target = target.replace("#/$defs/", "#/components/schemas/");
                    (name, Value::String(target))
                }
                _ => (name, relocated(value)),
            });
            Value::Object(moved.collect())
        }
        Value::Array(items) => items.into_iter().map(relocated).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => schema,
    }
}

fn refusal_name(status: u16) -> &'static str {
    match status {
        400 => "BadRequest",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "NotFound",
        408 => "RequestTimeout",
        409 => "Conflict",
        410 => "Gone",
        413 => "TooLarge",
        415 => "NotJson",
        421 => "OtherHost",
        422 => "Unacceptable",
        429 => "TooMany",
        500 => "Defect",
        503 => "Unavailable",
        504 => "AnswerTimeout",
        _ => "Refused",
    }
}

/// A refusal with this status: its possible codes, and its shape.
fn refusal(status: u16, problem: &Value) -> Value {
    let bears =
        |code: &&Code| code.http_status() == status || (status == 400 && **code == Code::ValidationFailed);
    let codes = Code::ALL.iter().filter(bears).map(|code| format!("`{code}` ({})", code.title()));
    let mut headers = json!({ "x-request-id": { "description": "The name of the request.", "schema": { "type": "string" } } });
    if let (429, Some(headers)) = (status, headers.as_object_mut()) {
        headers.insert(
            "Retry-After".to_owned(),
            json!({ "description": "Seconds to wait.", "schema": { "type": "integer" } }),
        );
        headers.insert(
            "retry-after-ms".to_owned(),
            json!({ "description": "The same in milliseconds.", "schema": { "type": "integer" } }),
        );
    }
    json!({
        "description": codes.collect::<Vec<_>>().join("; "),
        "headers": headers,
        "content": { "application/problem+json": { "schema": problem } },
    })
}
