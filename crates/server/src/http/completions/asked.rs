//! What an OpenAI client asks for, in our words: which persona, who speaks, in which conversation.

use domain::Text;
use engine::converse::{History, Layers, Manner, Purpose, Utterance};
use engine::{Call, PersonaKey, Record};
use llm::{Message, Tool, ToolCall, ToolChoice};
use serde_json::Value;
use wire::openai::{ChatMessage, ChatRole, CompleteChat};
use wire::{Code, Pointed, Problem};

use super::envelope::Envelope;

/// A model's name, taken apart.
pub(super) struct Model {
    pub(super) persona: PersonaKey,
    record: Record,
    tier: Option<u8>,
}

impl Model {
    /// Reads `inara`, `scott/inara`, `inara:private`, `inara@3`, and both in either order.
    pub(super) fn parse(name: &str, call: &Call) -> Result<Self, Problem> {
        let (mut rest, mut record, mut tier) = (name, Record::On, None);
        loop {
            if let Some(before) = rest.strip_suffix(":private") {
                (rest, record) = (before, Record::Off);
            } else if let Some((before, digit)) = rest.rsplit_once('@')
                && let Some(number @ 1..=4) = digit.parse().ok()
            {
                (rest, tier) = (before, Some(number));
            } else {
                break;
            }
        }
        let persona = match rest.split_once('/') {
            Some((tenant, persona)) if tenant == call.caller.tenant.as_str() => persona,
            Some(_) => return Err(no_model(name)),
            None => rest,
        };
        Ok(Self { persona: persona.parse().map_err(|_| no_model(name))?, record, tier })
    }
}

fn no_model(name: &str) -> Problem {
    Problem::new(Code::PersonaNotFound, format!("no persona `{name}`; `GET /v1/models` lists them"))
}

/// Reads a request and the headers it came with.
pub(super) async fn read(
    request: &CompleteChat,
    envelope: &Envelope<'_>,
) -> Result<(PersonaKey, Utterance), Problem> {
    let model = Model::parse(&request.model, envelope.call)?;
    let talk = Talk::of(&request.messages)?;
    let manner = Manner {
        tools: tools(request),
        tool_choice: tool_choice(request.tool_choice.as_ref()),
        temperature: request.temperature,
        top_p: request.top_p,
        max_tokens: request.max_completion_tokens.or(request.max_tokens),
        stop: request.stop.clone().map(wire::openai::OneOrMany::into_vec).unwrap_or_default(),
    };
    let said = Utterance {
        message: Text::new(talk.message),
        subject: envelope.subject(request).await?,
        session: envelope.session(request)?,
        history: History::Told(talk.before),
        since: talk.since,
        tier: envelope.tier()?.or(model.tier),
        layers: Layers::default(),
        role: None,
        record: envelope.record().unwrap_or(model.record),
        purpose: match envelope.header("x-openwebui-task") {
            Some(_) => Purpose::Chore,
            None => Purpose::Talk,
        },
        role_context: talk.system,
        manner,
    };
    Ok((model.persona, said))
}

/// The messages, taken apart: instructions, the talk before, what is said now, and what tools gave since.
struct Talk {
    system: Option<Text>,
    before: Vec<Message>,
    message: String,
    since: Vec<Message>,
}

impl Talk {
    fn of(messages: &[ChatMessage]) -> Result<Self, Problem> {
        let words = |message: &ChatMessage| {
            message.content.as_ref().map(wire::openai::Content::text).unwrap_or_default()
        };
        let is_instruction =
            |message: &&ChatMessage| matches!(message.role, ChatRole::System | ChatRole::Developer);
        let system: Vec<String> = messages.iter().filter(is_instruction).map(words).collect();
        let spoken: Vec<&ChatMessage> = messages.iter().filter(|message| !is_instruction(message)).collect();
        let last = spoken.iter().rposition(|message| message.role == ChatRole::User).ok_or_else(|| {
            let place = Pointed {
                pointer: "/messages".to_owned(),
                detail: "must hold a message of the user".to_owned(),
            };
            wire::read::invalid(vec![place])
        })?;
        let (before, rest) = spoken.split_at(last);
        let message = rest.first().map(|message| words(message)).unwrap_or_default();
        let system = system.join("\n\n");
        Ok(Self {
            system: (!system.trim().is_empty()).then(|| Text::new(system)),
            before: before.iter().map(|message| translated(message)).collect(),
            message,
            since: rest.iter().skip(1).map(|message| translated(message)).collect(),
        })
    }
}

fn translated(message: &ChatMessage) -> Message {
    let text = message.content.as_ref().map(wire::openai::Content::text).unwrap_or_default();
    let text = llm::Words::new(text);
    match message.role {
        ChatRole::Assistant => {
            let calls = message.tool_calls.iter().flatten().map(|call| ToolCall {
                id: call.id.clone(),
                name: call.function.name.clone(),
                arguments: call.function.arguments.as_str().into(),
            });
            Message::Assistant { text, calls: calls.collect() }
        }
        ChatRole::Tool => {
            Message::Tool { call_id: message.tool_call_id.clone().unwrap_or_default(), result: text }
        }
        ChatRole::User | ChatRole::System | ChatRole::Developer => Message::User(text),
    }
}

fn tools(request: &CompleteChat) -> Vec<Tool> {
    let own = request.tools.iter().flatten();
    own.map(|tool| Tool {
        name: tool.function.name.clone(),
        description: tool.function.description.clone().unwrap_or_default(),
        parameters: tool
            .function
            .parameters
            .clone()
            .unwrap_or_else(|| serde_json::json!({ "type": "object" })),
    })
    .collect()
}

fn tool_choice(choice: Option<&Value>) -> ToolChoice {
    let named = choice.and_then(|choice| choice.pointer("/function/name")).and_then(Value::as_str);
    match (choice.and_then(Value::as_str), named) {
        (Some("none"), _) => ToolChoice::Never,
        (Some("required"), _) => ToolChoice::Required,
        (_, Some(name)) => ToolChoice::Named(name.to_owned()),
        (_, None) => ToolChoice::Auto,
    }
}
