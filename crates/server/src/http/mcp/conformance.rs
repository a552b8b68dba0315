//! The tools, prompts and resources that the official conformance suite calls, so that it can try the door itself:
//! every kind of content, every kind of question, and what has to be refused. Only in builds with the feature
//! `conformance`, never in the product.

mod asking;
mod documents;

use serde_json::{Value, json};
use wire::{Code, Problem};

use super::tool::{Done, Hints, Invalid, Outcome, Tool, ToolInput};

pub(super) use documents::{prompt, prompts, resource, resources, templates};

/// A picture of one red dot, and a sound of no length.
const DOT: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const SILENCE: &str = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA==";

/// A tool that gives the same content whenever it is called.
macro_rules! gives {
    ($name:literal, $content:expr) => {
        Tool {
            name: $name,
            title: $name,
            description: "A tool of the conformance suite.",
            hints: Hints::Reads,
            input: no_input,
            output: no_input,
            run: |_, _| Box::pin(async { whole($content) }),
        }
    };
}

/// A tool that does something with what it is given.
macro_rules! runs {
    ($name:literal, $run:path) => {
        Tool {
            name: $name,
            title: $name,
            description: "A tool of the conformance suite.",
            hints: Hints::Reads,
            input: no_input,
            output: no_input,
            run: |session, given| Box::pin(async move { $run(session, given) }),
        }
    };
}

/// The tools.
pub(super) const TOOLS: &[Tool] = &[
    gives!("test_simple_text", json!([text("This is a simple text response for testing.")])),
    gives!("test_image_content", json!([image()])),
    gives!("test_audio_content", json!([{ "type": "audio", "data": SILENCE, "mimeType": "audio/wav" }])),
    gives!(
        "test_embedded_resource",
        json!([embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")])
    ),
    gives!(
        "test_multiple_content_types",
        json!([
            text("Multiple content types test:"),
            image(),
            embedded("test://mixed-content-resource", "application/json", r#"{"test":"data","value":123}"#),
        ])
    ),
    gives!("test_logging_tool", json!([text("Nothing is logged to clients.")])),
    Tool {
        name: "test_error_handling",
        title: "test_error_handling",
        description: "A tool of the conformance suite.",
        hints: Hints::Reads,
        input: no_input,
        output: no_input,
        run: |_, _| Box::pin(async { Err(failing()) }),
    },
    Tool {
        name: "json_schema_2020_12_tool",
        title: "json_schema_2020_12_tool",
        description: "Tool with JSON Schema 2020-12 features",
        hints: Hints::Reads,
        input: schema_of_2020,
        output: no_input,
        run: |_, _| Box::pin(async { whole(json!([text("It was called.")])) }),
    },
    Tool {
        name: "test_missing_capability",
        title: "test_missing_capability",
        description: "A tool of the conformance suite.",
        hints: Hints::Reads,
        input: no_input,
        output: no_input,
        run: |_, given| Box::pin(async move { needs_sampling(&given) }),
    },
    runs!("test_elicitation", asking::username),
    runs!("test_elicitation_sep1034_defaults", asking::defaults),
    runs!("test_elicitation_sep1330_enums", asking::choices),
    runs!("test_streaming_elicitation", asking::name),
    runs!("test_input_required_result_elicitation", asking::name),
    runs!("test_input_required_result_sampling", asking::sampling),
    runs!("test_input_required_result_list_roots", asking::roots),
    runs!("test_input_required_result_request_state", asking::with_state),
    runs!("test_input_required_result_tampered_state", asking::with_state),
    runs!("test_input_required_result_multiple_inputs", asking::several),
    runs!("test_input_required_result_multi_round", asking::rounds),
    runs!("test_input_required_result_capabilities", asking::as_declared),
];

fn no_input() -> Value {
    json!({ "type": "object" })
}

fn whole(content: Value) -> Done {
    Ok(Outcome::Whole(json!({ "content": content })))
}

fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

fn image() -> Value {
    json!({ "type": "image", "data": DOT, "mimeType": "image/png" })
}

fn embedded(uri: &str, mime_type: &str, text: &str) -> Value {
    json!({ "type": "resource", "resource": { "uri": uri, "mimeType": mime_type, "text": text } })
}

fn failing() -> Problem {
    Problem::new(Code::Internal, "This tool intentionally returns an error for testing")
}

fn needs_sampling(given: &ToolInput) -> Done {
    if given.capabilities.contains_key("sampling") {
        return whole(json!([text("The client can sample.")]));
    }
    Ok(Outcome::Invalid(Invalid {
        code: wire::rpc::MISSING_CAPABILITY,
        message: "this needs a client that can sample".to_owned(),
        data: Some(json!({ "requiredCapabilities": { "sampling": {} } })),
    }))
}

fn schema_of_2020() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": { "street": { "type": "string" }, "city": { "type": "string" } },
            },
        },
        "properties": {
            "name": { "type": "string" },
            "address": { "$ref": "#/$defs/address" },
            "contactMethod": { "type": "string", "enum": ["phone", "email"] },
            "phone": { "type": "string" },
            "email": { "type": "string" },
        },
        "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
        "if": { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
        "then": { "required": ["phone"] },
        "else": { "required": ["email"] },
        "additionalProperties": false,
    })
}
