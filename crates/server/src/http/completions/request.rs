//! Reads an OpenAI request: which persona, which speaker, which conversation.

use domain::Text;
use engine::converse::{History, Layers, Purpose, ReplySettings, Utterance};
use engine::{Call, PersonaKey, Record};
use llm::{Message, Tool, ToolCall, ToolChoice};
use serde_json::Value;
use wire::openai::{ChatMessage, ChatRole, CompleteChat};
use wire::{Code, Pointed, Problem};

use super::envelope::{Envelope, NamedInBody};

/// The parts of a model name.
pub(in crate::http) struct Model {
    pub(in crate::http) persona: PersonaKey,
    record: Record,
    tier: Option<u8>,
}

impl Model {
    /// Parses `inara`, `scott/inara`, `inara:private`, `inara@3`, and both suffixes in either order.
    pub(in crate::http) fn parse(name: &str, call: &Call) -> Result<Self, Problem> {
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

/// One part of the input.
pub(in crate::http) enum Piece {
    /// Text for the prompt.
    Instruction(String),
    /// A message.
    Said(Message),
}

/// A request of either of OpenAI's APIs.
pub(in crate::http) struct CompletionRequest<'a> {
    pub(in crate::http) model: Model,
    pub(in crate::http) pieces: Vec<Piece>,
    pub(in crate::http) reply_settings: ReplySettings,
    pub(in crate::http) named: NamedInBody<'a>,
    /// The field of the request with the messages.
    pub(in crate::http) field: &'static str,
}

impl CompletionRequest<'_> {
    /// The same as an engine request, with what the headers add.
    pub(in crate::http) async fn into_utterance(
        self,
        envelope: &Envelope<'_>,
    ) -> Result<(PersonaKey, Utterance), Problem> {
        let talk = Talk::of(self.pieces, self.field)?;
        let purpose = purpose(envelope.header("x-openwebui-task"), talk.message.as_str());
        let said = Utterance {
            message: Text::new(talk.message.as_str()),
            subject: envelope.subject(&self.named).await?,
            session: envelope.session(&self.named)?,
            history: History::Sent(talk.before),
            since: talk.since,
            tier: envelope.tier()?.or(self.model.tier),
            layers: Layers::default(),
            role: None,
            record: envelope.call.caller.recorded(self.model.record),
            purpose,
            role_context: talk.system,
            reply_settings: self.reply_settings,
        };
        Ok((self.model.persona, said))
    }
}

/// Whether the client talks, or has a task of its own done, such as a title for its list of chats.
///
/// Open WebUI names the task in a header where its connection is set up so (`{{TASK}}`, which is empty in talk). Where it
/// is not, its tasks are recognised by the frame of its templates: without this, a list of what people said, in a
/// message of theirs, would be remembered as something they said.
fn purpose(header: Option<&str>, message: &str) -> Purpose {
    let is_framed = message.starts_with("### Task:\n") && message.contains("\n### Output:\n");
    let is_named = header.is_some_and(|task| !task.is_empty());
    if is_named || is_framed { Purpose::Chore } else { Purpose::Talk }
}

/// Reads a chat completion request and its headers.
pub(super) async fn read(
    request: &CompleteChat,
    envelope: &Envelope<'_>,
) -> Result<(PersonaKey, Utterance), Problem> {
    let reply_settings = ReplySettings {
        tools: tools(request),
        tool_choice: tool_choice(request.tool_choice.as_ref()),
        temperature: request.temperature,
        top_p: request.top_p,
        max_tokens: request.max_completion_tokens.or(request.max_tokens),
        stop: request.stop.clone().map(wire::openai::OneOrMany::into_vec).unwrap_or_default(),
    };
    let asked = CompletionRequest {
        model: Model::parse(&request.model, envelope.call)?,
        pieces: request.messages.iter().map(piece).collect(),
        reply_settings,
        named: NamedInBody {
            speakers: [request.safety_identifier.as_deref(), request.user.as_deref()],
            session: request.metadata.as_ref().and_then(|metadata| metadata.get("session_id")?.as_str()),
        },
        field: "/messages",
    };
    asked.into_utterance(envelope).await
}

/// The messages by kind: instructions, history, the new message, and tool results since.
struct Talk {
    system: Option<Text>,
    before: Vec<Message>,
    message: llm::Words,
    since: Vec<Message>,
}

impl Talk {
    fn of(pieces: Vec<Piece>, field: &str) -> Result<Self, Problem> {
        let (mut system, mut before) = (Vec::new(), Vec::new());
        for piece in pieces {
            match piece {
                Piece::Instruction(words) => system.push(words),
                Piece::Said(message) => before.push(message),
            }
        }
        let last = before.iter().rposition(|message| matches!(message, Message::User(_)));
        let mut rest = last.map(|last| before.split_off(last)).unwrap_or_default().into_iter();
        let Some(Message::User(message)) = rest.next() else {
            let detail = "must contain a message of the user".to_owned();
            return Err(wire::read::invalid(vec![Pointed { pointer: field.to_owned(), detail }]));
        };
        let system = system.join("\n\n");
        Ok(Self {
            system: (!system.trim().is_empty()).then(|| Text::new(system)),
            before,
            message,
            since: rest.collect(),
        })
    }
}

fn piece(message: &ChatMessage) -> Piece {
    let text = message.content.as_ref().map(wire::openai::Content::text).unwrap_or_default();
    match message.role {
        ChatRole::System | ChatRole::Developer => Piece::Instruction(text),
        ChatRole::User => Piece::Said(Message::User(llm::Words::new(text))),
        ChatRole::Assistant => {
            let calls = message.tool_calls.iter().flatten().map(|call| ToolCall {
                id: call.id.clone(),
                name: call.function.name.clone(),
                arguments: call.function.arguments.as_str().into(),
            });
            Piece::Said(Message::Assistant { text: llm::Words::new(text), calls: calls.collect() })
        }
        ChatRole::Tool => Piece::Said(Message::Tool {
            call_id: message.tool_call_id.clone().unwrap_or_default(),
            result: llm::Words::new(text),
        }),
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

/// Whether tools are called; completions name one inside `function`, responses beside the type.
pub(in crate::http) fn tool_choice(choice: Option<&Value>) -> ToolChoice {
    let name = |choice: &Value| choice.pointer("/function/name").or_else(|| choice.get("name")).cloned();
    let named = choice.and_then(name);
    let named = named.as_ref().and_then(Value::as_str);
    match (choice.and_then(Value::as_str), named) {
        (Some("none"), _) => ToolChoice::Never,
        (Some("required"), _) => ToolChoice::Required,
        (_, Some(name)) => ToolChoice::Named(name.to_owned()),
        (_, None) => ToolChoice::Auto,
    }
}
