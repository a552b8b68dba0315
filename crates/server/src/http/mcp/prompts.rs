//! Prompts that people pick in their client: who the persona is, and what it remembers.

use serde_json::{Value, json};
use wire::context::{ContextAnswer, PreviewContext};
use wire::fields;
use wire::recall::{Recall, RecallAnswer};
use wire::verb;
use wire::{Code, Problem};

use super::session::{Ask, Session};

/// The prompts, as `prompts/list` shows them.
pub(super) fn listed() -> Value {
    json!([
        {
            "name": "persona",
            "title": "Be this persona",
            "description": "Who the persona is, how it speaks, and what it remembers of you.",
        },
        {
            "name": "what_you_remember",
            "title": "What you remember",
            "description": "What the persona remembers, as a section for your prompt.",
            "arguments": [
                { "name": "about", "title": "About", "description": "What it should be about.", "required": false },
            ],
        },
    ])
}

/// The prompt `name`, filled in for the speaker.
pub(super) async fn get(session: &Session, name: &str, arguments: &Value) -> Result<Value, Problem> {
    let subject = session.speaker().ok();
    match name {
        "persona" => {
            let body = Some(fields!(PreviewContext { subject: subject }));
            let answer: ContextAnswer =
                session.ask::<verb::PreviewContext>(Ask { body, ..Ask::default() }).await?;
            Ok(message("Be this persona.", answer.prompt.as_str()))
        }
        "what_you_remember" => {
            let about =
                arguments.get("about").and_then(Value::as_str).filter(|about| !about.trim().is_empty());
            let cue = about.unwrap_or("Hello, it's me again.");
            let body = Some(fields!(Recall { cue: Some(cue), subject: subject }));
            let answer: RecallAnswer = session.ask::<verb::Recall>(Ask { body, ..Ask::default() }).await?;
            let rendered = answer.rendered_for_agents();
            let rendered = match rendered.trim() {
                "" => "Nothing comes to mind.",
                rendered => rendered,
            };
            Ok(message("What the persona remembers.", rendered))
        }
        other => Err(Problem::new(
            Code::NotFound,
            format!("there is no prompt `{other}`; there are `persona` and `what_you_remember`"),
        )),
    }
}

fn message(description: &str, text: &str) -> Value {
    json!({
        "description": description,
        "messages": [{ "role": "user", "content": { "type": "text", "text": text } }],
    })
}
