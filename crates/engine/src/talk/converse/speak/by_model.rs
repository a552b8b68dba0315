//! A reply by a language model: rounds of tool calls until the model answers.

use llm::{Collector, Complete, Event, LlmError, Message, Model, Usage};
use store::Records;
use wire::{Code, Problem};

use super::{EndReason, Pieces, Reply, ReplyInProgress, ReplyPiece, send};
use crate::talk::converse::offline::consent;
use crate::talk::converse::record::no_session;
use crate::talk::converse::role::Tools;
use crate::talk::tools::ToolContext;

/// How many rounds of tool calls a model may make before it has to answer.
const ROUNDS: usize = 8;

/// Who runs the tools that a model calls.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ToolOwner {
    /// The engine runs them, and the model answers with their results.
    Persona,
    /// The client sent them along, and gets the calls.
    Client,
}

impl ReplyInProgress {
    pub(super) async fn speak_by_model(
        &mut self,
        model: &Model,
        pieces: &Pieces,
    ) -> Result<Reply, EndReason> {
        let tools = if self.request.tools.is_empty() && self.prepared.role.tools == Tools::Offered {
            self.request.tools = crate::talk::tools::offered(self.utterance.record);
            ToolOwner::Persona
        } else {
            ToolOwner::Client
        };
        let mut usage = None;
        for round in 0..=ROUNDS {
            if round == ROUNDS {
                self.request.tools.clear();
            }
            let answer = self.one_round(model, round, tools, pieces).await?;
            usage = added(usage, answer.usage);
            if tools == ToolOwner::Client || answer.calls.is_empty() {
                // A model may not ask for it, and consent counts only after a yes to this question.
                if answer.calls.is_empty()
                    && let Some(words) = consent::words(self.consent, self.spoken_language())
                {
                    self.say(&format!("\n\n{words}"), pieces).await?;
                }
                self.say_rest(pieces).await?;
                return Ok(self.reply(answer.calls, usage, answer.finish));
            }
            self.demand_listener().await?;
            self.use_tools(answer).await;
        }
        Err(Problem::new(Code::ModelFailed, "the model kept using tools and never answered").into())
    }

    /// Asks the model once, and forwards its output.
    async fn one_round(
        &mut self,
        model: &Model,
        round: usize,
        tools: ToolOwner,
        pieces: &Pieces,
    ) -> Result<llm::Answer, EndReason> {
        let asking = async {
            tokio::select! {
                events = model.stream(&self.request) => Ok(events.map_err(|error| failed(&error))?),
                () = pieces.closed() => Err(EndReason::Left),
            }
        };
        let (events, noted) = tokio::join!(biased; asking, async {
            if round > 0 {
                return Ok(());
            }
            // The question goes out first.
            tokio::task::yield_now().await;
            self.record_recall().await
        });
        noted?;
        let mut events = events?;
        let mut collector = Collector::default();
        loop {
            let event = tokio::select! {
                event = events.next() => event,
                () = pieces.closed() => return Err(EndReason::Left),
            };
            let Some(event) = event else { break };
            let event = event.map_err(|error| failed(&error))?;
            match &event {
                Event::Text(words) => self.say(words.as_str(), pieces).await?,
                Event::ToolCall(delta) if tools == ToolOwner::Client => {
                    send(pieces, ReplyPiece::Call(delta.clone())).await?;
                }
                Event::ToolCall(_) | Event::Usage(_) | Event::Finished(_) => {}
            }
            collector.take(event).map_err(|reason| failed(&events.error(reason)))?;
        }
        collector.finish().map_err(|reason| failed(&events.error(reason)).into())
    }

    /// Refuses to act for a person who was forgotten while the model answered.
    async fn demand_listener(&self) -> Result<(), Problem> {
        let Some(recorded_turn) = &self.recorded_turn else { return Ok(()) };
        let (scope, id) = (self.prepared.persona.entry.scope(), &recorded_turn.session.id);
        let known = self.engine.store.session(&scope, id).await?;
        known.map(drop).ok_or_else(|| no_session(id))
    }

    /// Runs the tools the model called, and adds their results to the conversation.
    async fn use_tools(&mut self, answer: llm::Answer) {
        let mut results = Vec::new();
        let using = ToolContext {
            call: &self.call,
            persona: &self.prepared.persona,
            listener: &self.prepared.listener,
            record: self.utterance.record,
            turn: self.recorded_turn.as_ref().map(|recorded_turn| recorded_turn.turn.index),
        };
        for call in &answer.calls {
            let result = self.engine.answer_tool_call(&using, call).await;
            results.push(Message::Tool { call_id: call.id.clone(), result });
        }
        self.request.messages.push(Message::Assistant { text: answer.text, calls: answer.calls });
        self.request.messages.extend(results);
    }
}

fn failed(error: &LlmError) -> Problem {
    Problem::new(Code::ModelFailed, error.to_string())
}

fn added(before: Option<Usage>, more: Option<Usage>) -> Option<Usage> {
    match (before, more) {
        (Some(a), Some(b)) => Some(Usage {
            prompt_tokens: a.prompt_tokens + b.prompt_tokens,
            completion_tokens: a.completion_tokens + b.completion_tokens,
        }),
        (one, other) => one.or(other),
    }
}
