//! The reply: streamed in pieces, stored when it is complete, and stored in part when the client disconnects
//! or the model fails.

mod by_model;
mod finish;
mod from_memory;
mod hear_consent;

use std::sync::Arc;

use domain::{RecallId, Text};
use llm::{Backend, FinishReason, Request, ToolCall, ToolCallDelta, Usage};
use store::{DocumentName, TurnState};
use tokio::sync::mpsc;
use wire::exchange::FormationReport;
use wire::{Code, Problem};

use super::offline::consent::SpokenConsent;
use super::record::RecordedTurn;
use super::{PreparedMessage, Utterance};
use crate::Engine;
use crate::call::Call;
use crate::idempotency::Ticket;
use crate::memory::recall::{NewRecall, RecallResult};
use crate::talk::context::Context;
use crate::talk::guard::ReplyFilter;

/// A piece of a reply.
#[derive(Clone, Debug, PartialEq)]
pub enum ReplyPiece {
    /// The next text.
    Words(Text),
    /// A part of a call of one of the client's own tools.
    Call(ToolCallDelta),
    /// The reply is complete, and stored if it is on the record.
    Done(Reply),
}

/// A whole reply.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// The text.
    pub text: Text,
    /// The calls of the client's own tools.
    pub calls: Vec<ToolCall>,
    /// Its token usage: as counted by the model, or by us if it doesn't count.
    pub usage: Usage,
    /// Why it ended.
    pub finish: FinishReason,
    /// What was learnt from the exchange; `None` off the record.
    pub formed: Option<FormationReport>,
}

/// Why a reply ended early.
enum EndReason {
    /// The client disconnected.
    Left,
    /// Something failed.
    Failed(Problem),
}

impl From<Problem> for EndReason {
    fn from(problem: Problem) -> Self {
        Self::Failed(problem)
    }
}

/// Where the pieces of a reply are sent.
type Pieces = mpsc::Sender<Result<ReplyPiece, Problem>>;

/// A reply in progress.
pub(super) struct ReplyInProgress {
    engine: Arc<Engine>,
    call: Call,
    prepared: PreparedMessage,
    utterance: Utterance,
    recorded_turn: Option<RecordedTurn>,
    recall: Option<RecallId>,
    recollection: Option<Arc<RecallResult>>,
    request: Request,
    prompt_tokens: u64,
    reply_filter: ReplyFilter,
    /// The text of IDENTITY.md.
    identity: Text,
    /// What the message says about consent.
    consent: SpokenConsent,
    /// Text after the reply that is not recorded: the notice that no model is connected.
    notice: Option<String>,
    /// Rejects a repetition of the request until this one has ended; recorded with the reply.
    ticket: Option<Ticket>,
}

impl ReplyInProgress {
    #[expect(clippy::too_many_arguments, reason = "it only copies what was prepared, field by field")]
    pub(super) fn new(
        engine: Arc<Engine>,
        call: Call,
        prepared: PreparedMessage,
        utterance: Utterance,
        recorded_turn: Option<RecordedTurn>,
        context: Context,
        recall: Option<RecallId>,
        recollection: Option<Arc<RecallResult>>,
        ticket: Option<Ticket>,
    ) -> Self {
        let reply_filter = ReplyFilter::new(prepared.policy.clone());
        let prompt_tokens = context.tokens().0.into();
        let identity = context.parts.iter().find(|part| part.name == DocumentName::Identity.to_string());
        let identity = identity.map(|part| part.text.clone()).unwrap_or_default();
        let role = &prepared.role;
        let request = Request {
            system: llm::Words::new(context.prompt()),
            messages: context.history,
            tools: utterance.reply_settings.tools.clone(),
            tool_choice: utterance.reply_settings.tool_choice.clone(),
            temperature: utterance.reply_settings.temperature.or(role.temperature),
            top_p: utterance.reply_settings.top_p,
            max_tokens: utterance.reply_settings.max_tokens.or(role.max_tokens),
            stop: utterance.reply_settings.stop.clone(),
            format: llm::AnswerFormat::Text,
        };
        Self {
            engine,
            call,
            prepared,
            utterance,
            recorded_turn,
            recall,
            recollection,
            request,
            prompt_tokens,
            reply_filter,
            identity,
            consent: SpokenConsent::Nothing,
            notice: None,
            ticket,
        }
    }

    /// Produces the whole reply, and starts the follow-up work.
    pub(super) async fn run(mut self, pieces: Pieces) {
        match self.speak(&pieces).await {
            Ok(reply) => Box::pin(self.complete(reply, &pieces)).await,
            Err(EndReason::Left) => {
                if let Err(problem) = self.keep(self.reply_filter.spoken(), TurnState::Interrupted).await {
                    tracing::warn!(code = %problem.code, "an interrupted answer was not stored");
                }
            }
            Err(EndReason::Failed(problem)) => {
                // A reply that violates the policy is not stored either.
                if problem.code != Code::GuardrailBlocked
                    && let Err(problem) = self.keep(self.reply_filter.spoken(), TurnState::Interrupted).await
                {
                    tracing::warn!(code = %problem.code, "an interrupted answer was not stored");
                }
                let _ = pieces.send(Err(problem)).await;
            }
        }
    }

    async fn speak(&mut self, pieces: &Pieces) -> Result<Reply, EndReason> {
        self.consent = self.hear_consent().await?;
        match Arc::clone(&self.prepared.role.backend).as_ref() {
            Backend::Offline => {
                self.record_recall().await?;
                self.speak_from_memory(pieces).await
            }
            Backend::Model(model) => self.speak_by_model(model, pieces).await,
        }
    }

    /// Records what was recalled. With a model this is done once the model has the question.
    async fn record_recall(&self) -> Result<(), Problem> {
        let (Some(id), Some(recalled)) = (self.recall, &self.recollection) else { return Ok(()) };
        let PreparedMessage { persona, listener, .. } = &self.prepared;
        let open = self.engine.open(persona).await?;
        let new = NewRecall { id, persona, open: &open, listener };
        self.engine.record_recall(&self.call, &new, Arc::clone(recalled));
        Ok(())
    }

    async fn say(&mut self, words: &str, pieces: &Pieces) -> Result<(), EndReason> {
        let passed = self.reply_filter.push(words)?;
        if passed.is_empty() { Ok(()) } else { send(pieces, ReplyPiece::Words(Text::new(passed))).await }
    }

    async fn say_rest(&mut self, pieces: &Pieces) -> Result<(), EndReason> {
        let passed = self.reply_filter.finish()?;
        if passed.is_empty() { Ok(()) } else { send(pieces, ReplyPiece::Words(Text::new(passed))).await }
    }

    fn reply(&self, calls: Vec<ToolCall>, usage: Option<Usage>, finish: FinishReason) -> Reply {
        let counted = || Usage {
            prompt_tokens: self.prompt_tokens,
            completion_tokens: domain::Tokens::of_characters(self.reply_filter.spoken().chars().count())
                .0
                .into(),
        };
        let notice = self.notice.as_ref().map(|notice| format!("\n\n{notice}")).unwrap_or_default();
        let text = Text::new(format!("{}{notice}", self.reply_filter.spoken()));
        Reply { text, calls, usage: usage.unwrap_or_else(counted), finish, formed: None }
    }
}

async fn send(pieces: &Pieces, piece: ReplyPiece) -> Result<(), EndReason> {
    pieces.send(Ok(piece)).await.map_err(|_| EndReason::Left)
}
