//! The prompts and resources that the suite reads.

use serde_json::{Map, Value, json};
use wire::{Code, Problem};

use super::super::tool::{Done, Outcome};
use super::{DOT, asking, embedded, image, text};

/// The prompts, as `prompts/list` shows them.
pub(in super::super) fn prompts() -> Value {
    let argument = |name: &str| json!({ "name": name, "description": "An argument.", "required": true });
    let prompt = |name: &str, arguments: &[&str]| {
        let arguments: Vec<Value> = arguments.iter().map(|name| argument(name)).collect();
        json!({ "name": name, "description": "A prompt of the conformance suite.", "arguments": arguments })
    };
    json!([
        prompt("test_simple_prompt", &[]),
        prompt("test_prompt_with_arguments", &["arg1", "arg2"]),
        prompt("test_prompt_with_embedded_resource", &["resourceUri"]),
        prompt("test_prompt_with_image", &[]),
        prompt("test_input_required_result_prompt", &[]),
    ])
}

/// The prompt `name`, filled in.
pub(in super::super) fn prompt(name: &str, arguments: &Value, responses: &Map<String, Value>) -> Done {
    let argument = |name: &str| arguments.get(name).and_then(Value::as_str).unwrap_or_default();
    let contents = match name {
        "test_simple_prompt" => vec![text("This is a simple prompt for testing.")],
        "test_prompt_with_arguments" => {
            let (first, second) = (argument("arg1"), argument("arg2"));
            vec![text(&format!("Prompt with arguments: arg1='{first}', arg2='{second}'"))]
        }
        "test_prompt_with_embedded_resource" => vec![
            embedded(argument("resourceUri"), "text/plain", "Embedded resource content for testing."),
            text("Please process the embedded resource above."),
        ],
        "test_prompt_with_image" => vec![image(), text("Please analyze the image above.")],
        "test_input_required_result_prompt" => match responses.get("user_context") {
            Some(answer) => vec![text(&format!("The context is {answer}"))],
            None => {
                let request = asking::ask_text("What context should the prompt use?", "context");
                return asking::asks(Map::from_iter([("user_context".to_owned(), request)]), None);
            }
        },
        other => return Err(Problem::new(Code::NotFound, format!("there is no prompt `{other}`"))),
    };
    let message = |content: Value| json!({ "role": "user", "content": content });
    let messages: Vec<Value> = contents.into_iter().map(message).collect();
    Ok(Outcome::Whole(json!({ "messages": messages })))
}

/// The resources, as `resources/list` shows them.
pub(in super::super) fn resources() -> Value {
    let resource = |name: &str, mime_type: &str| {
        let uri = format!("test://{name}");
        json!({ "uri": uri, "name": name, "description": "A resource of the suite.", "mimeType": mime_type })
    };
    json!([resource("static-text", "text/plain"), resource("static-binary", "image/png")])
}

/// The address that can be filled in.
pub(in super::super) fn templates() -> Value {
    json!([{
        "uriTemplate": "test://template/{id}/data",
        "name": "template",
        "description": "A resource of the suite.",
        "mimeType": "application/json",
    }])
}

/// What stands at `uri`.
pub(in super::super) fn resource(uri: &str) -> Option<Value> {
    let contents = match uri {
        "test://static-text" => {
            json!({ "uri": uri, "mimeType": "text/plain", "text": "This is the content of the static text resource." })
        }
        "test://static-binary" => json!({ "uri": uri, "mimeType": "image/png", "blob": DOT }),
        _ => {
            let id = uri.strip_prefix("test://template/")?.strip_suffix("/data")?;
            let data = json!({ "id": id, "templateTest": true, "data": format!("Data for ID: {id}") });
            json!({ "uri": uri, "mimeType": "application/json", "text": data.to_string() })
        }
    };
    Some(json!({ "contents": [contents] }))
}
