//! The reply: streamed in pieces, stored when it is complete, and stored in part when the client disconnects
//! or the model fails.

mod from_memory;
mod hear_consent;

use std::sync::Arc;

use domain::{RecallId, Text};
use llm::{
    Backend, Collector, Complete, Event, FinishReason, LlmError, Message, Model, Request, ToolCall,
    ToolCallDelta, Usage,
};
use store::{DocumentName, Formation, Records, Turn, TurnState};
use tokio::sync::mpsc;
use wire::exchange::FormationReport;
use wire::recall::Used;
use wire::{Code, Problem};

use super::offline::consent::{self, SpokenConsent};
use super::record::{RecordedTurn, ReplyRecord, no_session};
use super::role::Tools;
use super::{PreparedMessage, Utterance, formation};
use crate::Engine;
use crate::call::Call;
use crate::idempotency::Ticket;
use crate::memory::recall::{NewRecall, RecallResult};
use crate::memory::stored_trace::RenderedMemories;
use crate::talk::context::{Context, Record};
use crate::talk::guard::ReplyFilter;
use crate::talk::tools::ToolContext;

/// How many rounds of tool calls a model may make before it has to answer.
const ROUNDS: usize = 8;

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
    sieve: ReplyFilter,
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
        let sieve = ReplyFilter::new(prepared.policy.clone());
        let prompt_tokens = context.tokens().0.into();
        let identity = context.parts.iter().find(|part| part.name == DocumentName::Identity.to_string());
        let identity = identity.map(|part| part.text.clone()).unwrap_or_default();
        let role = &prepared.role;
        let request = Request {
            system: llm::Words::new(context.prompt()),
            messages: context.history,
            tools: utterance.manner.tools.clone(),
            tool_choice: utterance.manner.tool_choice.clone(),
            temperature: utterance.manner.temperature.or(role.temperature),
            top_p: utterance.manner.top_p,
            max_tokens: utterance.manner.max_tokens.or(role.max_tokens),
            stop: utterance.manner.stop.clone(),
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
            sieve,
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
                if let Err(problem) = self.keep(self.sieve.spoken(), TurnState::Interrupted).await {
                    tracing::warn!(code = %problem.code, "an interrupted answer was not stored");
                }
            }
            Err(EndReason::Failed(problem)) => {
                // A reply that violates the policy is not stored either.
                if problem.code != Code::GuardrailBlocked
                    && let Err(problem) = self.keep(self.sieve.spoken(), TurnState::Interrupted).await
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

    async fn speak_by_model(&mut self, model: &Model, pieces: &Pieces) -> Result<Reply, EndReason> {
        let own_tools = self.request.tools.is_empty() && self.prepared.role.tools == Tools::Offered;
        if own_tools {
            self.request.tools = crate::talk::tools::offered(self.utterance.record);
        }
        let mut usage = None;
        for round in 0..=ROUNDS {
            if round == ROUNDS {
                self.request.tools.clear();
            }
            let answer = self.one_round(model, round, own_tools, pieces).await?;
            usage = added(usage, answer.usage);
            if !own_tools || answer.calls.is_empty() {
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
        own_tools: bool,
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
                Event::ToolCall(delta) if !own_tools => send(pieces, ReplyPiece::Call(delta.clone())).await?,
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

    async fn say(&mut self, words: &str, pieces: &Pieces) -> Result<(), EndReason> {
        let passed = self.sieve.push(words)?;
        if passed.is_empty() { Ok(()) } else { send(pieces, ReplyPiece::Words(Text::new(passed))).await }
    }

    async fn say_rest(&mut self, pieces: &Pieces) -> Result<(), EndReason> {
        let passed = self.sieve.finish()?;
        if passed.is_empty() { Ok(()) } else { send(pieces, ReplyPiece::Words(Text::new(passed))).await }
    }

    fn reply(&self, calls: Vec<ToolCall>, usage: Option<Usage>, finish: FinishReason) -> Reply {
        let counted = || Usage {
            prompt_tokens: self.prompt_tokens,
            completion_tokens: domain::Tokens::of_characters(self.sieve.spoken().chars().count()).0.into(),
        };
        let notice = self.notice.as_ref().map(|notice| format!("\n\n{notice}")).unwrap_or_default();
        let text = Text::new(format!("{}{notice}", self.sieve.spoken()));
        Reply { text, calls, usage: usage.unwrap_or_else(counted), finish, formed: None }
    }

    /// Stores the reply, reports that it is complete, and starts the follow-up work.
    ///
    /// Memories formed by rules are formed before the reply is complete, so that the next request knows them.
    /// A model takes too long for that, and is asked afterwards.
    async fn complete(mut self, mut reply: Reply, pieces: &Pieces) {
        // The notice is sent, but not recorded.
        let text = Text::new(self.sieve.spoken());
        if let Err(problem) = self.keep(text.as_str(), TurnState::Whole).await {
            let _ = pieces.send(Err(problem)).await;
            return;
        }
        // The reply is stored, so a repeated request gets it from now on.
        drop(self.ticket.take());
        // Where it can't be said who forms them, what was said waits: the next talk forms it.
        let tenant = &self.prepared.persona.entry.tenant;
        let by_model = self.engine.is_formed_by_model(tenant).await.unwrap_or(true);
        if !by_model {
            self.follow_up(&text).await;
        }
        reply.formed = self.formation_report().await;
        let _ = pieces.send(Ok(ReplyPiece::Done(reply))).await;
        if by_model {
            self.follow_up(&text).await;
        }
        self.form_backlog().await;
        if let Err(problem) = self.compact().await {
            tracing::warn!(code = %problem.code, "a long conversation was not condensed");
        }
    }

    /// Stores a reply as far as it came: in the store on the record, in memory off the record.
    async fn keep(&self, text: &str, state: TurnState) -> Result<(), Problem> {
        let text = Text::new(text);
        if let Some(recorded_turn) = &self.recorded_turn {
            // A reply that only called the client's tools is not the answer yet.
            if text.length() == 0 {
                return Ok(());
            }
            // A message that is only about consent is no memory.
            let formation = if consent::is_all(self.consent, self.utterance.message.as_str()) {
                Formation::NotDue
            } else {
                formation(&self.prepared.persona)
            };
            // An incomplete reply may be asked for again under the same key.
            let request = self.ticket.as_ref().filter(|_| state == TurnState::Whole).map(|ticket| {
                ticket.answered(200, self.engine.exchange_resource(recorded_turn), self.call.now)
            });
            let model = Some(self.prepared.role.model_name.clone());
            let answered =
                ReplyRecord { text: text.clone(), state, recall: self.recall, model, formation, request };
            let reply = self
                .engine
                .finish_exchange(&self.call, &self.prepared.persona, recorded_turn, answered)
                .await?;
            return self.log(recorded_turn, reply).await;
        }
        if self.utterance.record == Record::Off && text.length() > 0 {
            let exchange = [
                Message::User(self.utterance.message.as_str().into()),
                Message::Assistant { text: text.as_str().into(), calls: Vec::new() },
            ];
            let (tenant, persona) = (&self.call.caller.tenant, self.prepared.persona.entry.id);
            self.engine.talk_state.off_record.add(
                tenant,
                persona,
                &self.prepared.listener,
                exchange,
                self.call.now,
            );
        }
        Ok(())
    }

    /// Writes an exchange with the owner into its day log; a repeated one is already there.
    async fn log(&self, recorded_turn: &RecordedTurn, reply: Turn) -> Result<(), Problem> {
        if !recorded_turn.session.subject.is_owner() {
            return Ok(());
        }
        let message = recorded_turn.place.again.is_none().then(|| recorded_turn.turn.clone());
        let turns: Vec<Turn> = message.into_iter().chain([reply]).collect();
        self.engine.log_exchange(&self.prepared.persona, &turns).await
    }

    async fn compact(&self) -> Result<(), Problem> {
        match &self.recorded_turn {
            Some(recorded_turn) => {
                let persona = &self.prepared.persona;
                self.engine.compact_session(persona, &recorded_turn.session.id, self.call.now).await
            }
            None => Ok(()),
        }
    }

    /// Rehearses what was mentioned, and forms memories from the exchange. A failure is logged: the reply
    /// stands, and pending formation is tried again.
    async fn follow_up(&self, text: &Text) {
        if let Err(problem) = self.rehearse_and_form(text).await {
            tracing::warn!(code = %problem.code, "the follow-up work of an answer failed");
        }
    }

    async fn rehearse_and_form(&self, text: &Text) -> Result<(), Problem> {
        if let (Some(recall), Some(recalled)) = (self.recall, &self.recollection) {
            let both = format!("{}\n{}", self.utterance.message.as_str(), text.as_str());
            let used = Used { ids: Vec::new(), reply: Some(Text::new(both)) };
            let PreparedMessage { persona, listener, .. } = &self.prepared;
            let (session, subject) = (listener.session.clone(), listener.subject.clone());
            let rendered = RenderedMemories::of(recalled, session, subject);
            self.engine.rehearse_used(&self.call, persona, recall, &rendered, used).await?;
        }
        match &self.recorded_turn {
            Some(recorded_turn) => {
                self.engine.form_by_rules(&self.prepared.persona, recorded_turn.turn.id, self.call.now).await
            }
            None => Ok(()),
        }
    }

    /// Forms memories from pending exchanges: this one if a model does it, and earlier ones that failed.
    async fn form_backlog(&self) {
        if self.recorded_turn.is_none() || formation(&self.prepared.persona) != Formation::Pending {
            return;
        }
        if let Err(problem) = self.engine.form_memories(&self.prepared.persona.entry, self.call.now).await {
            tracing::warn!(code = %problem.code, "memories were not formed; it is tried again");
        }
    }

    /// What was learnt from the exchange so far.
    async fn formation_report(&self) -> Option<FormationReport> {
        let recorded_turn = self.recorded_turn.as_ref()?;
        let (persona, access) = (&self.prepared.persona, self.prepared.access(&self.call));
        let (session, exchange) = (&recorded_turn.session.id, &recorded_turn.place.exchange);
        let report = self.engine.report_of_exchange(persona, &access, session, exchange, self.call.now).await;
        report.unwrap_or_else(|problem| {
            tracing::warn!(code = %problem.code, "what was remembered of an exchange was not read");
            None
        })
    }
}

async fn send(pieces: &Pieces, piece: ReplyPiece) -> Result<(), EndReason> {
    pieces.send(Ok(piece)).await.map_err(|_| EndReason::Left)
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
