//! Reads the input of a request: its items, and references to earlier answers.

use domain::{SessionId, SubjectRef};
use engine::PersonaKey;
use engine::converse::{AnswerPlace, RecordedExchange, ReplySettings};
use llm::{Message, Tool, ToolCall, Words};
use wire::openai::{ChatRole, Content};
use wire::responses::{CreateResponse, Input, InputItem, ResponseTool};
use wire::{Code, Pointed, Problem};

use super::super::completions::envelope::Envelope;
use super::super::completions::request::{Piece, tool_choice};
use super::name::AnswerName;

/// What is needed to look up an earlier answer.
pub(super) struct AnswerLookup<'a> {
    pub(super) envelope: &'a Envelope<'a>,
    pub(super) persona: &'a PersonaKey,
    pub(super) subject: Option<SubjectRef>,
}

/// The conversation up to the answer that a request continues.
pub(super) struct Previous {
    pub(super) session: SessionId,
    pub(super) pieces: Vec<Message>,
    /// Whether it is the last exchange, and none of its calls waits for a result.
    pub(super) is_latest: bool,
}

impl AnswerLookup<'_> {
    /// The conversation up to the answer `id`, with its calls if they wait for their results.
    pub(super) async fn previous(&self, id: &str) -> Result<Previous, Problem> {
        let place = AnswerName::parse(id).and_then(|(name, _)| name.place());
        let place = place.ok_or_else(|| unknown("/previous_response_id"))?;
        let found = self.exchange(&place, "/previous_response_id").await?;
        let mut pieces = found.before;
        pieces.push(Message::User(found.said.as_str().into()));
        let is_latest = found.is_latest && found.waiting.is_none();
        match found.waiting {
            Some(since) => pieces.extend(since),
            None => pieces.extend(
                found.answer.map(|text| Message::Assistant { text: text.as_str().into(), calls: Vec::new() }),
            ),
        }
        Ok(Previous { session: place.session, pieces, is_latest })
    }

    /// The items of a request.
    pub(super) async fn pieces(&self, input: &Input) -> Result<Vec<Piece>, Problem> {
        let items = match input {
            Input::Text(text) => return Ok(vec![Piece::Said(Message::User(text.as_str().into()))]),
            Input::Items(items) => items,
        };
        let mut pieces = Vec::new();
        for item in items {
            match (item.kind.as_deref(), item.role) {
                (Some("message") | None, Some(role)) => pieces.push(message(role, item)),
                (Some("function_call"), _) => add_call(&mut pieces, call(item)),
                (Some("function_call_output"), _) => pieces.push(Piece::Said(Message::Tool {
                    call_id: item.call_id.clone().unwrap_or_default(),
                    result: words(item.output.as_ref()),
                })),
                (Some("item_reference"), _) => self.refer(item, &mut pieces).await?,
                (Some(_) | None, _) => {}
            }
        }
        Ok(pieces)
    }

    /// Adds the earlier item that a client refers to instead of repeating it.
    async fn refer(&self, item: &InputItem, pieces: &mut Vec<Piece>) -> Result<(), Problem> {
        let named = item.id.as_deref().and_then(AnswerName::parse);
        let (name, number) = named.ok_or_else(|| unknown("/input"))?;
        let place = name.place().ok_or_else(|| unknown("/input"))?;
        let found = self.exchange(&place, "/input").await?;
        let Some(number) = number else {
            let text = found.answer.ok_or_else(|| unknown("/input"))?;
            let text = text.as_str().into();
            pieces.push(Piece::Said(Message::Assistant { text, calls: Vec::new() }));
            return Ok(());
        };
        let call = found.waiting.and_then(|mut since| match since.pop() {
            Some(Message::Assistant { calls, .. }) => calls.into_iter().nth(number),
            Some(Message::User(_) | Message::Tool { .. }) | None => None,
        });
        add_call(pieces, call.ok_or_else(not_held)?);
        Ok(())
    }

    async fn exchange(&self, place: &AnswerPlace, pointer: &str) -> Result<RecordedExchange, Problem> {
        let Envelope { engine, call, .. } = *self.envelope;
        let found = engine.recorded_exchange(call, self.persona, self.subject.clone(), place);
        found.await.map_err(|problem| {
            let place = Pointed { pointer: pointer.to_owned(), detail: problem.detail.clone() };
            problem.pointing_at(vec![place])
        })
    }
}

fn unknown(pointer: &str) -> Problem {
    let detail =
        "names no recorded answer; off the record nothing is stored, so send the conversation as input";
    let place = Pointed { pointer: pointer.to_owned(), detail: detail.to_owned() };
    Problem::new(Code::NotFound, format!("`{}` {detail}", pointer.trim_start_matches('/')))
        .pointing_at(vec![place])
}

fn message(role: ChatRole, item: &InputItem) -> Piece {
    let text = words(item.content.as_ref());
    match role {
        ChatRole::System | ChatRole::Developer => Piece::Instruction(text.into_string()),
        ChatRole::User => Piece::Said(Message::User(text)),
        ChatRole::Assistant => Piece::Said(Message::Assistant { text, calls: Vec::new() }),
        ChatRole::Tool => {
            Piece::Said(Message::Tool { call_id: item.call_id.clone().unwrap_or_default(), result: text })
        }
    }
}

fn call(item: &InputItem) -> ToolCall {
    ToolCall {
        id: item.call_id.clone().unwrap_or_default(),
        name: item.name.clone().unwrap_or_default(),
        arguments: item.arguments.as_ref().map_or("", domain::Text::as_str).into(),
    }
}

/// Calls of one answer go into one message, as models expect.
fn add_call(pieces: &mut Vec<Piece>, call: ToolCall) {
    if let Some(Piece::Said(Message::Assistant { calls, .. })) = pieces.last_mut() {
        calls.push(call);
    } else {
        pieces.push(Piece::Said(Message::Assistant { text: Words::default(), calls: vec![call] }));
    }
}

fn words(content: Option<&Content>) -> Words {
    Words::new(content.map(Content::text).unwrap_or_default())
}

/// Whether `pieces` contain nothing but one message of the user and instructions.
pub(super) fn is_only_talk(pieces: &[Piece]) -> bool {
    let mut said = pieces.iter().filter_map(|piece| match piece {
        Piece::Said(message) => Some(message),
        Piece::Instruction(_) => None,
    });
    matches!((said.next(), said.next()), (Some(Message::User(_)), None))
}

/// Refuses a result without its call: a model would not know what it is the result of.
pub(super) fn check_calls(pieces: &[Piece]) -> Result<(), Problem> {
    let mut known: Vec<&str> = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Said(Message::Assistant { calls, .. }) => {
                known.extend(calls.iter().map(|call| call.id.as_str()));
            }
            Piece::Said(Message::Tool { call_id, .. }) if !known.contains(&call_id.as_str()) => {
                return Err(not_held());
            }
            Piece::Said(Message::Tool { .. } | Message::User(_)) | Piece::Instruction(_) => {}
        }
    }
    Ok(())
}

fn not_held() -> Problem {
    let detail =
        "has the result of a call that is no longer available; send the `function_call` item before it";
    wire::read::invalid(vec![Pointed { pointer: "/input".to_owned(), detail: detail.to_owned() }])
}

/// The parameters of the answer.
pub(super) fn reply_settings(request: &CreateResponse) -> Result<ReplySettings, Problem> {
    Ok(ReplySettings {
        tools: request
            .tools
            .iter()
            .flatten()
            .enumerate()
            .map(|(number, own)| tool(number, own))
            .collect::<Result<_, _>>()?,
        tool_choice: tool_choice(request.tool_choice.as_ref()),
        temperature: request.temperature,
        top_p: request.top_p,
        max_tokens: request.max_output_tokens,
        stop: Vec::new(),
    })
}

fn tool(number: usize, tool: &ResponseTool) -> Result<Tool, Problem> {
    let name = tool.name.clone().filter(|_| tool.kind == "function").ok_or_else(|| {
        let detail = format!("is not supported: `{}` is a tool of OpenAI's own; send functions", tool.kind);
        wire::read::invalid(vec![Pointed { pointer: format!("/tools/{number}"), detail }])
    })?;
    Ok(Tool {
        name,
        description: tool.description.clone().unwrap_or_default(),
        parameters: tool.parameters.clone().unwrap_or_else(|| serde_json::json!({ "type": "object" })),
    })
}
