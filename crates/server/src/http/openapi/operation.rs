//! The description of one route.

use serde_json::{Map, Value, json};
use wire::route::{KeyRequirement, OffRecord, Retry, Route, Speech};

use super::super::refusal::is_openai;
use super::components::{Components, relocated};

/// The operation of `route`.
pub(crate) fn of(route: &Route, components: &mut Components) -> Value {
    let mut operation = json!({
        "operationId": route.verb,
        "tags": [topic(route.path)],
        "summary": route.summary,
        "description": description(route),
        "parameters": parameters(route, components),
        "responses": responses(route, components),
    });
    if let (Some(request), Some(operation)) = (route.request, operation.as_object_mut()) {
        let schema = components.schema(&request());
        let is_needed = route.body == wire::route::Body::Needed;
        let body = json!({ "required": is_needed, "content": { "application/json": { "schema": schema } } });
        operation.insert("requestBody".to_owned(), body);
    }
    operation
}

fn description(route: &Route) -> String {
    let scope = format!("Needs a key with the scope `{}`.", route.scope.as_str());
    let speaker = "With a key that forwards identities, the header `X-User-Id` names the speaker, and only \
        what that \
                   person may see is there.";
    let talks =
        ["chat", "prompt_persona", "stream_prompt", "complete_chat", "create_response"].contains(&route.verb);
    let session = "The answer's header `X-Session-Id` names the conversation; send it back to continue.";
    if talks { format!("{scope} {speaker} {session}") } else { format!("{scope} {speaker}") }
}

/// The sign-in operation, which needs no key.
pub(crate) fn letting_in(route: &Route, components: &mut Components) -> Value {
    let mut operation = of(route, components);
    if let Some(operation) = operation.as_object_mut() {
        operation.insert("security".to_owned(), json!([{}]));
        let description = "Needs no key. Only for browsers: the request must say that our own page sent it.";
        operation.insert("description".to_owned(), json!(description));
    }
    operation
}

/// An operation that needs no key.
pub(crate) fn without_key(path: &str, summary: &str) -> Value {
    let (kind, schema) = if path == "/metrics" {
        ("text/plain", json!({ "type": "string" }))
    } else {
        let status = json!({ "status": { "type": "string", "const": "ok" } });
        ("application/json", json!({ "type": "object", "properties": status, "required": ["status"] }))
    };
    let problem =
        json!({ "application/problem+json": { "schema": { "$ref": "#/components/schemas/Problem" } } });
    json!({
        "operationId": path.trim_start_matches('/'),
        "tags": ["operations"],
        "summary": summary,
        "security": [{}],
        "responses": {
            "200": { "description": "Well.", "content": { kind: { "schema": schema } } },
            "default": { "description": "Not ready, and why.", "content": problem },
        },
    })
}

fn topic(path: &str) -> &'static str {
    let topics = [
        ("/timeline", "timeline"),
        ("/consistency", "timeline"),
        ("/memories", "memories"),
        ("/recall", "recall"),
        ("/context", "recall"),
        ("/subjects", "people"),
        ("/sweeps", "people"),
        ("/keys", "keys"),
        ("/chat", "talk"),
        ("/prompt", "talk"),
        ("/safety-policy", "talk"),
        ("/models", "talk"),
        ("/embeddings", "talk"),
        ("/sessions", "talk"),
        ("/tools", "talk"),
        ("/files", "files"),
        ("/sign-", "page"),
        ("/v1/me", "page"),
        ("/v1/events", "page"),
        ("/v1/markdown", "page"),
        ("/distill", "digests"),
        ("/jobs", "jobs"),
    ];
    topics.iter().find(|(part, _)| path.contains(part)).map_or("personas", |(_, topic)| topic)
}

fn parameters(route: &Route, components: &mut Components) -> Vec<Value> {
    let names = route.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let names = names.map(|name| name.trim_start_matches('*'));
    let mut parameters: Vec<Value> = names.map(in_path).collect();
    if let Some(schema) = route.query {
        let schema = schema();
        components.schema(&schema);
        let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
        parameters.extend(properties.map(|(name, property)| in_query(name, property, &schema)));
    }
    if route.retry() == Retry::NeedsKey {
        parameters.push(json!({
            "name": "Idempotency-Key",
            "in": "header",
            "required": route.once == KeyRequirement::Always,
            "description": "The same key and body again within a day return the same resource in its \
            current form, and nothing is done twice. Another body under the same key is 422, a request in \
            progress 409, a resource deleted since 410. Off the record it is refused.",
            "schema": { "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$" },
        }));
    }
    if route.off_record == OffRecord::Supported {
        parameters.push(json!({
            "name": "X-Off-The-Record",
            "in": "header",
            "description": "`1` stores nothing of what is said: no turn, no memory, no trace, no rehearsal. Routes \
            whose purpose is to store something refuse it with 400.",
            "schema": { "type": "string" },
        }));
    }
    if route.method == "GET" {
        parameters.push(json!({
            "name": "If-None-Match",
            "in": "header",
            "description": "An `ETag` the client has; the same content is answered with 304.",
            "schema": { "type": "string" },
        }));
    }
    if route.verb == "write_file" {
        let seen = [
            ("If-Match", "The `ETag` of the file as the writer has seen it; needed unless the file is new."),
            ("If-None-Match", "`*` for a file that is not there yet."),
        ];
        parameters.extend(seen.map(|(name, description)| {
            json!({ "name": name, "in": "header", "description": description, "schema": { "type": "string" } })
        }));
    }
    parameters
}

fn in_path(name: &str) -> Value {
    let (description, schema) = match name {
        "p" => ("The persona's UUID, or its name within the key's tenant.", json!({ "type": "string" })),
        "id" => ("The memory.", json!({ "type": "string", "pattern": domain::MemoryId::PATTERN })),
        "timelineId" => ("The entry.", json!({ "type": "string", "format": "uuid" })),
        "recallId" => ("The recall.", json!({ "type": "string", "format": "uuid" })),
        "exchangeId" => ("The exchange, as `X-Exchange-Id` names it.", json!({ "type": "string" })),
        "s" => ("The person, by reference or alias.", json!({ "type": "string" })),
        "model" => (
            "A persona as a model, such as `inara`, `scott/inara`, `inara:private` or `inara@3`.",
            json!({ "type": "string" }),
        ),
        "job" => ("The job, as `list_jobs` names it.", json!({ "type": "string" })),
        "jobId" => ("The job.", json!({ "type": "string" })),
        "erasureId" => ("The erasure request.", json!({ "type": "string", "format": "uuid" })),
        "did" => ("The public key, as a `did:key`.", json!({ "type": "string" })),
        "sessionId" => (
            "The conversation, as its client names it.",
            json!({ "type": "string", "minLength": 1, "maxLength": 200 }),
        ),
        "tool" => ("The tool, as `list_tools` names it.", json!({ "type": "string" })),
        "name" => (
            "The file, such as `SOUL.md` or `sessions/2026-04-22.md`.",
            json!({ "type": "string", "minLength": 1 }),
        ),
        "turnId" => ("The turn.", json!({ "type": "string", "format": "uuid" })),
        "keyId" => ("The public part of the key.", json!({ "type": "string" })),
        _ => ("", json!({ "type": "string" })),
    };
    json!({ "name": name, "in": "path", "required": true, "description": description, "schema": schema })
}

/// The query parameter `name` of the schema `query`. An optional one may be omitted but not `null`.
fn in_query(name: &str, property: &Value, query: &Value) -> Value {
    let required = query.get("required").and_then(Value::as_array);
    let is_required = required.is_some_and(|names| names.iter().any(|own| own == name));
    let mut schema = property.clone();
    let description = schema.as_object_mut().and_then(|rules| rules.remove("description"));
    if let Some(rules) = schema.as_object_mut() {
        without_null(rules);
    }
    json!({
        "name": name,
        "in": "query",
        "required": is_required,
        "description": description,
        "schema": relocated(schema),
    })
}

fn without_null(rules: &mut Map<String, Value>) {
    rules.retain(|name, value| name != "default" || !value.is_null());
    if let Some(Value::Array(kinds)) = rules.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [only] = kinds.as_slice() {
            let only = only.clone();
            rules.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(branches)) = rules.get_mut("anyOf") {
        branches.retain(|branch| branch.get("type").and_then(Value::as_str) != Some("null"));
    }
}

fn responses(route: &Route, components: &mut Components) -> Map<String, Value> {
    let mut responses = Map::new();
    responses.insert(route.status.to_string(), success(route, components));
    if route.method == "GET" {
        responses.insert("304".to_owned(), json!({ "description": "The client has it already." }));
    }
    for status in refusals(route) {
        let refusal = if is_openai(route.path) { openai_refusal() } else { components.refusal(status) };
        responses.insert(status.to_string(), refusal);
    }
    responses
}

fn success(route: &Route, components: &mut Components) -> Value {
    let mut content = Map::new();
    if let Some(answer) = route.answer {
        let schema = components.schema(&answer());
        content.insert("application/json".to_owned(), json!({ "schema": schema }));
    }
    if route.speech == Speech::InPieces {
        content.insert("text/event-stream".to_owned(), json!({ "schema": { "type": "string" } }));
    }
    if content.is_empty() {
        return json!({ "description": "Done." });
    }
    let mut success = json!({ "description": "Done.", "content": content });
    if let (true, Some(success)) = (route.method == "GET", success.as_object_mut()) {
        let tag = json!({ "description": "Changes with the content.", "schema": { "type": "string" } });
        success.insert("headers".to_owned(), json!({ "ETag": tag }));
    }
    success
}

/// A refusal in OpenAI's format.
fn openai_refusal() -> Value {
    let text = json!({ "type": "string" });
    let maybe = json!({ "type": ["string", "null"] });
    let error = json!({
        "type": "object",
        "properties": { "message": text, "type": text, "code": maybe, "param": maybe },
        "required": ["message", "type", "code", "param"],
    });
    let schema = json!({ "type": "object", "properties": { "error": error }, "required": ["error"] });
    json!({ "description": "Refused.", "content": { "application/json": { "schema": schema } } })
}

/// The verbs that ask a model's server and answer in one piece.
const ASKS_A_MODEL: [&str; 3] = ["prompt_persona", "list_connectable_models", "connect_model"];

/// The possible statuses of a refusal.
fn refusals(route: &Route) -> Vec<u16> {
    let mut statuses = vec![400, 401, 403, 404, 421, 429, 500, 503, 504];
    if route.method != "GET" {
        statuses.extend([408, 409, 413]);
    }
    // There is no certificate while an erasure is in progress.
    if route.verb == "erasure_certificate" {
        statuses.push(409);
    }
    if route.verb == "write_file" {
        statuses.extend([412, 428]);
    }
    if route.request.is_some() {
        statuses.push(415);
    }
    if route.method == "POST" {
        statuses.extend([410, 422]);
    } else if !route.is_seed() || route.method == "PUT" {
        statuses.push(422);
    }
    if route.speech == Speech::InPieces || ASKS_A_MODEL.contains(&route.verb) {
        statuses.push(502);
    }
    statuses.sort_unstable();
    statuses.dedup();
    statuses
}
