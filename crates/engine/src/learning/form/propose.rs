//! Asks a model what to remember of an exchange.
//!
//! If the model doesn't answer, the turn stays pending and is tried again later. An unreadable answer is
//! requested again at once. After two failures the rules form the turn instead, and both the log and the
//! memories say so.

use std::sync::Arc;

use formation::{Author, Exchange, Proposals, ReadableExchange, Speaker, Verdict, spoken_language};
use llm::{AnswerFormat, Backend, Complete, Message, Model, Request};
use serde_json::{Value, json};
use store::{Session, Turn};
use wire::Problem;

use super::exchange_context::{ExchangeContext, speaker_of};
use super::foreign_language;
use crate::Engine;
use crate::persona::registry::PersonaContext;
use crate::talk::converse::Role;

/// The longest answer, in tokens.
const LONGEST_ANSWER: u32 = 2_000;
/// After this many failures the rules form a turn instead.
const TRIES: u32 = 2;
const INSTRUCTION: &str = include_str!("PROPOSE.md");
/// The message to a model whose answer can't be read.
const AGAIN: &str =
    "That is not the JSON object that was asked for. Answer with {\"memories\": [...]} and nothing else.";

/// What is remembered of an exchange, and who decided it.
pub(super) struct Judgement {
    pub(super) verdicts: Vec<Verdict>,
    pub(super) by: FormedBy,
    /// The number of the persona's reply in the conversation.
    pub(super) reply_index: Option<u32>,
    /// The language of the conversation, if it isn't the persona's.
    pub(super) foreign_language: Option<String>,
}

impl Judgement {
    /// Nothing is remembered.
    pub(super) fn nothing() -> Self {
        Self { verdicts: Vec::new(), by: FormedBy::Rules, reply_index: None, foreign_language: None }
    }
}

/// Who decided what is remembered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FormedBy {
    /// The built-in rules.
    Rules,
    /// A model, by its name.
    Model(String),
    /// The rules, because the model of this name failed too often.
    RulesInsteadOf(String),
}

impl FormedBy {
    /// The value of the property that says who formed a memory; `None` if no model is configured.
    pub(super) fn formed_by(&self) -> Option<String> {
        match self {
            Self::Rules => None,
            Self::Model(name) => Some(format!("model {name}")),
            Self::RulesInsteadOf(name) => Some(format!("rules, since model {name} failed")),
        }
    }
}

/// A model did not answer; the log says why.
#[derive(Clone, Copy)]
pub(super) struct ModelFailure {
    /// How many failures it counts as.
    pub(super) failures: u32,
}

impl ModelFailure {
    pub(super) const ONCE: Self = Self { failures: 1 };
}

impl Engine {
    /// What is remembered of an exchange: by the model, or by the rules if there is no model or it has failed
    /// too often. `failures` is the number of earlier failures.
    pub(super) async fn judgement(
        &self,
        persona: &PersonaContext,
        session: &Session,
        turn: &Turn,
        context: &Arc<ExchangeContext>,
        failures: u32,
    ) -> Result<Result<Judgement, ModelFailure>, Problem> {
        let roles = self.roles_of(&persona.entry.tenant).await?;
        let role = roles.forming();
        let by_rules = async |by: FormedBy| {
            let (verdicts, foreign_language) = self.ruled(persona, session, turn, context).await?;
            Ok(Ok(Judgement { verdicts, by, reply_index: reply_index(context), foreign_language }))
        };
        let Backend::Model(model) = role.backend.as_ref() else { return by_rules(FormedBy::Rules).await };
        let speaker = speaker_of(session);
        let (lines, reminded) = (context.lines(), context.reminded());
        let exchange = context.exchange(persona, turn, speaker, &lines, &reminded);
        // If there is nothing to propose, the rules report the refusals.
        let Some(readable) = formation::readable(&exchange) else { return by_rules(FormedBy::Rules).await };
        let request = request(persona, role, &exchange, &readable, context);
        match ask(model, &request).await {
            Ok(proposals) => {
                let replaceable = context.replaceable();
                let judge = move |persona: &PersonaContext, exchange: &formation::Exchange<'_>| {
                    let verdicts = formation::judged(exchange, &proposals, &replaceable);
                    (verdicts, foreign_language(persona, spoken_language(exchange)))
                };
                let (verdicts, foreign_language) =
                    self.with_exchange(persona, turn, context, speaker, judge).await?;
                let by = FormedBy::Model(role.model_name.clone());
                Ok(Ok(Judgement { verdicts, by, reply_index: reply_index(context), foreign_language }))
            }
            Err(unanswered) if failures + unanswered.failures >= TRIES => {
                let name = role.model_name.clone();
                tracing::warn!(
                    model = name,
                    "a turn was formed by the rules, since the model failed too often"
                );
                by_rules(FormedBy::RulesInsteadOf(name)).await
            }
            Err(unanswered) => Ok(Err(unanswered)),
        }
    }
}

fn reply_index(context: &ExchangeContext) -> Option<u32> {
    context.reply.as_ref().map(|reply| reply.index)
}

/// Asks once, and once more if the answer can't be read.
async fn ask(model: &Model, request: &Request) -> Result<Proposals, ModelFailure> {
    let answer = answer(model, request, ModelFailure::ONCE).await?;
    if let Ok(proposals) = formation::proposals(&answer) {
        return Ok(proposals);
    }
    tracing::warn!(length = answer.len(), "a model's answer is no list of memories; it is asked again");
    let mut again = request.clone();
    again.messages.push(Message::Assistant { text: answer.as_str().into(), calls: Vec::new() });
    again.messages.push(Message::User(AGAIN.into()));
    let twice = ModelFailure { failures: 2 };
    let second = self::answer(model, &again, twice).await?;
    formation::proposals(&second).map_err(|_| {
        tracing::warn!(length = second.len(), "a model's second answer is no list of memories either");
        twice
    })
}

async fn answer(model: &Model, request: &Request, failed: ModelFailure) -> Result<String, ModelFailure> {
    match model.complete(request).await {
        Ok(answer) => Ok(answer.text.as_str().to_owned()),
        Err(error) => {
            tracing::warn!(%error, "a model was not able to say what to remember");
            Err(failed)
        }
    }
}

fn request(
    persona: &PersonaContext,
    role: &Role,
    exchange: &Exchange<'_>,
    readable: &ReadableExchange,
    context: &ExchangeContext,
) -> Request {
    let identity = &persona.loaded.document.identity;
    let earlier = readable.earlier.iter().map(|(author, text)| match author {
        Author::Speaker => json!({ "they": text }),
        Author::Persona => json!({ "you": text }),
    });
    let known = context.shown().into_iter().map(|known| json!({ "id": known.id, "gist": known.gist }));
    let record = json!({
        "today": exchange.today.strftime("%A, %Y-%m-%d").to_string(),
        "language": spoken_language(exchange),
        "speaker": match exchange.speaker {
            Speaker::Owner => "owner",
            Speaker::Guest => "guest",
        },
        "speakerName": exchange.name,
        "earlier": earlier.collect::<Vec<Value>>(),
        "theySaid": readable.said,
        "youAnswered": readable.reply,
        "youKnowAlready": known.collect::<Vec<Value>>(),
    });
    let name = recall::on_one_line(&identity.display_name);
    Request {
        system: INSTRUCTION.replace("{persona}", &name).as_str().into(),
        messages: vec![Message::User(record.to_string().as_str().into())],
        temperature: Some(role.temperature.unwrap_or(0.0)),
        max_tokens: Some(role.max_tokens.unwrap_or(LONGEST_ANSWER)),
        format: AnswerFormat::Json { name: "remember".to_owned(), schema: schema() },
        ..Request::default()
    }
}

/// The schema of the answer, for servers that enforce one.
fn schema() -> Value {
    let texts = json!({ "type": "array", "items": { "type": "string" } });
    let memory = json!({
        "type": "object",
        "properties": {
            "kind": { "enum": ["semantic", "episodic", "procedural"] },
            "gist": { "type": "string", "maxLength": 280 },
            "details": texts,
            "cues": texts,
            "salience": { "type": "number" },
            "emotionalValence": { "type": "number" },
            "privacyClass": { "enum": ["guest-pii", "staff-pii", "commercial-confidential", "non-pii"] },
            "tags": texts,
            "whose": { "type": "string" },
            "date": { "type": ["string", "null"] },
            "supersedes": { "type": ["string", "null"] },
        },
        "required": ["kind", "gist"],
    });
    json!({
        "type": "object",
        "properties": { "memories": { "type": "array", "items": memory } },
        "required": ["memories"],
    })
}
