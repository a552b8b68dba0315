//! What an OpenAI client asks for, in our words: which persona, who speaks, in which conversation.

use axum::http::HeaderMap;
use domain::{SessionId, SubjectRef, Text};
use engine::converse::{History, Layers, Manner, Purpose, Utterance};
use engine::{Call, PersonaKey, Record};
use llm::{Message, Tool, ToolCall, ToolChoice};
use serde_json::Value;
use wire::key::Speaks;
use wire::openai::{ChatMessage, ChatRole, CompleteChat};
use wire::{Code, Pointed, Problem};

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
pub(super) fn read(
    request: &CompleteChat,
    headers: &HeaderMap,
    call: &Call,
) -> Result<(PersonaKey, Utterance), Problem> {
    let model = Model::parse(&request.model, call)?;
    let talk = Talk::of(&request.messages)?;
    let is_private = header(headers, "x-off-the-record").is_some_and(|value| !matches!(value, "0" | "false"));
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
        subject: subject(request, headers, call)?,
        session: session(request, headers)?,
        history: History::Told(talk.before),
        since: talk.since,
        tier: tier(headers)?.or(model.tier),
        layers: Layers::default(),
        role: None,
        record: if is_private { Record::Off } else { model.record },
        purpose: match header(headers, "x-openwebui-task") {
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

/// Who is speaking, for keys that forward it; an owner key speaks for the owner alone.
fn subject(request: &CompleteChat, headers: &HeaderMap, call: &Call) -> Result<Option<SubjectRef>, Problem> {
    if call.caller.speaks == Speaks::Owner {
        return Ok(None);
    }
    let forwarded = header(headers, "x-openwebui-user-id").or_else(|| header(headers, "x-user-id"));
    let named = forwarded.or(request.safety_identifier.as_deref()).or(request.user.as_deref());
    let named = named.map(str::trim).filter(|named| !named.is_empty());
    named.map(|named| named.parse().map_err(|rule| unreadable("the speaker", &rule))).transpose()
}

fn session(request: &CompleteChat, headers: &HeaderMap) -> Result<Option<SessionId>, Problem> {
    let in_metadata = || request.metadata.as_ref()?.get("session_id")?.as_str();
    let named = header(headers, "x-openwebui-chat-id").or_else(|| header(headers, "x-conversation-id"));
    let named = named.or_else(in_metadata).filter(|named| !named.is_empty());
    named.map(|named| named.parse().map_err(|rule| unreadable("the conversation", &rule))).transpose()
}

fn tier(headers: &HeaderMap) -> Result<Option<u8>, Problem> {
    let Some(written) = header(headers, "x-context-tier") else { return Ok(None) };
    match written.parse() {
        Ok(tier @ 1..=4) => Ok(Some(tier)),
        Ok(_) | Err(_) => Err(Problem::new(Code::ValidationFailed, "`X-Context-Tier` must be 1, 2, 3 or 4")),
    }
}

fn unreadable(what: &str, rule: &domain::InvalidId) -> Problem {
    Problem::new(Code::ValidationFailed, format!("{what} can't be called that: {rule}"))
}

fn header<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name)?.to_str().ok().map(str::trim)
}
