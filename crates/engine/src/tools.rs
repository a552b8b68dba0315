//! What a model may do on the persona's behalf while it answers.
//!
//! A tool sees and does only what the person who is talking may. What goes wrong is told to the model in
//! words, so that it can do better or say so.

use domain::{Kind, Listener, PrivacyClass, Text};
use llm::{Tool, ToolCall, Words};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use wire::memory::Remember;
use wire::{Code, Problem};

use crate::Engine;
use crate::call::{Call, PersonaKey};
use crate::context::Record;
use crate::converse::remembered;
use crate::failure::told;
use crate::personas::Found;
use crate::recall_memories::Recalling;

const RECALL: &str = "recall";
const REMEMBER: &str = "remember";

#[derive(Deserialize)]
struct RecallArguments {
    cue: String,
}

#[derive(Deserialize)]
struct RememberArguments {
    gist: Text,
    #[serde(default)]
    importance: Option<f64>,
}

/// The tools a model is offered; off the record none that writes.
pub(crate) fn offered(record: Record) -> Vec<Tool> {
    let recall = Tool {
        name: RECALL.to_owned(),
        description: "Look for something in your memory that is not in front of you.".to_owned(),
        parameters: json!({
            "type": "object",
            "properties": { "cue": { "type": "string", "description": "What to look for." } },
            "required": ["cue"],
        }),
    };
    let remember = Tool {
        name: REMEMBER.to_owned(),
        description: "Keep something about the person you are talking with, when they ask you to.".to_owned(),
        parameters: json!({
            "type": "object",
            "properties": {
                "gist": { "type": "string", "maxLength": 280, "description": "One sentence." },
                "importance": { "type": "number", "minimum": 0, "maximum": 1 },
            },
            "required": ["gist"],
        }),
    };
    match record {
        Record::On => vec![recall, remember],
        Record::Off => vec![recall],
    }
}

impl Engine {
    /// Does what a model asks for, and gives what it is told about it.
    pub(crate) async fn use_tool(
        &self,
        call: &Call,
        found: &Found,
        listener: &Listener,
        record: Record,
        tool: &ToolCall,
    ) -> Words {
        let done = match (tool.name.as_str(), record) {
            (RECALL, _) => self.look_for(call, found, listener, tool).await,
            (REMEMBER, Record::On) => self.keep_in_mind(call, found, listener, tool).await,
            (name, _) => Err(Problem::new(Code::NotFound, format!("there is no tool `{name}` here"))),
        };
        Words::new(done.unwrap_or_else(|problem| format!("That did not work: {}", problem.detail)))
    }

    async fn look_for(
        &self,
        call: &Call,
        found: &Found,
        listener: &Listener,
        tool: &ToolCall,
    ) -> Result<String, Problem> {
        let RecallArguments { cue } = arguments(tool)?;
        let open = self.open(found).await?;
        let _on_its_way = open.recalling.read().await;
        let view = open.view(&self.store).await.map_err(told)?;
        let recalling =
            Recalling { found, open: &open, view: &view, listener: listener.clone(), now: call.now };
        let rendered = remembered(&recalling, &cue).map(|came_back| came_back.rendered).unwrap_or_default();
        Ok(if rendered.is_empty() { "You remember nothing about that.".to_owned() } else { rendered })
    }

    async fn keep_in_mind(
        &self,
        call: &Call,
        found: &Found,
        listener: &Listener,
        tool: &ToolCall,
    ) -> Result<String, Problem> {
        let RememberArguments { gist, importance } = arguments(tool)?;
        let asked: Remember = wire::read::read_value(json!({
            "kind": Kind::Semantic,
            "gist": gist,
            "salience": importance.unwrap_or(0.7),
            "privacyClass": PrivacyClass::GuestPii,
            "consentBasis": self.consent.formation,
            "subject": listener.subject,
        }))?;
        let call = Call { request: None, ..call.clone() };
        self.remember(&call, &PersonaKey::Id(found.entry.id), asked).await?;
        Ok("Kept.".to_owned())
    }
}

fn arguments<T: DeserializeOwned>(tool: &ToolCall) -> Result<T, Problem> {
    serde_json::from_str(tool.arguments.as_str()).map_err(|error| {
        let detail = format!("the arguments of `{}` are not what it takes: {error}", tool.name);
        Problem::new(Code::ValidationFailed, detail)
    })
}
