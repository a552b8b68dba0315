//! Tools that ask the client or its person first.

use serde_json::{Map, Value, json};

use super::super::question::{self, Questions};
use super::super::session::Session;
use super::super::tool::{Done, Outcome, ToolInput};
use super::{failing, text, whole};

pub(super) fn username(_: &Session, given: ToolInput) -> Done {
    let message = given.arguments.get("message").and_then(Value::as_str).unwrap_or("Who are you?");
    let field = |words: &str| json!({ "type": "string", "description": words });
    let properties = json!({ "username": field("User's response"), "email": field("User's email address") });
    form(&given, message, &properties, &json!(["username", "email"]), "User response")
}

pub(super) fn defaults(_: &Session, given: ToolInput) -> Done {
    let properties = json!({
        "name": { "type": "string", "default": "John Doe" },
        "age": { "type": "integer", "default": 30 },
        "score": { "type": "number", "default": 95.5 },
        "status": { "type": "string", "enum": ["active", "inactive", "pending"], "default": "active" },
        "verified": { "type": "boolean", "default": true },
    });
    form(&given, "Please review these values.", &properties, &json!([]), "Elicitation completed")
}

pub(super) fn choices(_: &Session, given: ToolInput) -> Done {
    let titled = json!([
        { "const": "value1", "title": "First Option" },
        { "const": "value2", "title": "Second Option" },
        { "const": "value3", "title": "Third Option" },
    ]);
    let names = json!(["Option One", "Option Two", "Option Three"]);
    let plain = json!(["option1", "option2", "option3"]);
    let properties = json!({
        "untitledSingle": { "type": "string", "enum": plain },
        "titledSingle": { "type": "string", "oneOf": titled },
        "legacyEnum": { "type": "string", "enum": ["opt1", "opt2", "opt3"], "enumNames": names },
        "untitledMulti": { "type": "array", "items": { "type": "string", "enum": plain } },
        "titledMulti": { "type": "array", "items": { "anyOf": titled } },
    });
    form(&given, "Please choose.", &properties, &json!([]), "Elicitation completed")
}

/// Asks for a form to be filled in, and tells what was answered.
fn form(given: &ToolInput, message: &str, properties: &Value, required: &Value, done: &str) -> Done {
    if !given.capabilities.contains_key("elicitation") {
        return Err(failing());
    }
    let Some(answer) = given.responses.get("form") else {
        let schema = json!({ "type": "object", "properties": properties, "required": required });
        return asks(Map::from_iter([("form".to_owned(), elicitation(message, &schema))]), None);
    };
    whole(json!([text(&format!("{done}: {answer}"))]))
}

pub(super) fn name(_: &Session, given: ToolInput) -> Done {
    match given.responses.get("user_name").and_then(|it| it.pointer("/content/name")).and_then(Value::as_str)
    {
        Some(name) => whole(json!([text(&format!("Hello, {name}!"))])),
        None => {
            asks(Map::from_iter([("user_name".to_owned(), ask_text("What is your name?", "name"))]), None)
        }
    }
}

pub(super) fn sampling(_: &Session, given: ToolInput) -> Done {
    match given.responses.get("capital_question") {
        Some(answer) => whole(json!([text(&format!("The model said: {answer}"))])),
        None => asks(
            Map::from_iter([("capital_question".to_owned(), sample("What is the capital of France?"))]),
            None,
        ),
    }
}

pub(super) fn roots(_: &Session, given: ToolInput) -> Done {
    match given.responses.get("client_roots") {
        Some(answer) => whole(json!([text(&format!("The client has {answer}"))])),
        None => asks(Map::from_iter([("client_roots".to_owned(), list_roots())]), None),
    }
}

pub(super) fn with_state(session: &Session, given: ToolInput) -> Done {
    let about = ["conformance state"];
    match given.responses.get("confirm") {
        None => {
            let schema = json!({ "type": "object", "properties": { "ok": { "type": "boolean" } }, "required": ["ok"] });
            let question = elicitation("Please confirm", &schema);
            Ok(Outcome::Asks(Questions::one(session, "confirm", question, &about)))
        }
        Some(_) if question::is_sealed(session, given.state.as_deref(), &about) => {
            whole(json!([text("state-ok")]))
        }
        Some(_) => Ok(question::wrong_state()),
    }
}

pub(super) fn several(session: &Session, given: ToolInput) -> Done {
    let about = ["conformance several"];
    let names = ["user_name", "greeting", "client_roots"];
    if names.iter().all(|name| given.responses.contains_key(*name)) {
        return if question::is_sealed(session, given.state.as_deref(), &about) {
            whole(json!([text("All three were answered.")]))
        } else {
            Ok(question::wrong_state())
        };
    }
    let requests = [ask_text("What is your name?", "name"), sample("Generate a greeting"), list_roots()];
    let requests = names.into_iter().map(str::to_owned).zip(requests).collect();
    asks(requests, Some(question::sealed(session, &about)))
}

pub(super) fn rounds(session: &Session, given: ToolInput) -> Done {
    let (first, second) = (["conformance round", "1"], ["conformance round", "2"]);
    let is_sealed = |about: &[&str]| question::is_sealed(session, given.state.as_deref(), about);
    if given.responses.contains_key("step2") && is_sealed(&second) {
        return whole(json!([text("Both steps are done.")]));
    }
    if given.responses.contains_key("step1") && is_sealed(&first) {
        let request = ask_text("Step 2: What is your favorite color?", "color");
        return Ok(Outcome::Asks(Questions::one(session, "step2", request, &second)));
    }
    let request = ask_text("Step 1: What is your name?", "name");
    Ok(Outcome::Asks(Questions::one(session, "step1", request, &first)))
}

pub(super) fn as_declared(_: &Session, given: ToolInput) -> Done {
    let questions = [
        ("elicitation", ask_text("What is your name?", "name")),
        ("sampling", sample("Generate a greeting")),
        ("roots", list_roots()),
    ];
    let declared = questions.into_iter().filter(|(name, _)| given.capabilities.contains_key(*name));
    let requests: Map<String, Value> = declared.map(|(name, request)| (name.to_owned(), request)).collect();
    if requests.is_empty() {
        whole(json!([text("The client can be asked nothing.")]))
    } else {
        asks(requests, None)
    }
}

#[expect(clippy::unnecessary_wraps, reason = "it is the last word of a tool, which may also fail")]
pub(super) fn asks(requests: Map<String, Value>, state: Option<String>) -> Done {
    Ok(Outcome::Asks(Questions { requests, state }))
}

pub(super) fn ask_text(message: &str, field: &str) -> Value {
    let schema =
        json!({ "type": "object", "properties": { field: { "type": "string" } }, "required": [field] });
    elicitation(message, &schema)
}

fn elicitation(message: &str, schema: &Value) -> Value {
    json!({ "method": "elicitation/create", "params": { "message": message, "requestedSchema": schema } })
}

fn sample(prompt: &str) -> Value {
    let messages = json!([{ "role": "user", "content": text(prompt) }]);
    json!({ "method": "sampling/createMessage", "params": { "messages": messages, "maxTokens": 100 } })
}

fn list_roots() -> Value {
    json!({ "method": "roots/list", "params": {} })
}
