//! What happens to a reply once it has ended: it is stored, logged, and memories are formed from the exchange.

use domain::Text;
use llm::Message;
use store::{Formation, Turn, TurnState};
use wire::Problem;
use wire::exchange::FormationReport;
use wire::recall::Used;

use super::{Pieces, Reply, ReplyInProgress, ReplyPiece};
use crate::memory::stored_trace::RenderedMemories;
use crate::talk::context::Record;
use crate::talk::converse::offline::consent;
use crate::talk::converse::record::{RecordedTurn, ReplyRecord};
use crate::talk::converse::{PreparedMessage, formation};

impl ReplyInProgress {
    /// Stores the reply, reports that it is complete, and starts the follow-up work.
    ///
    /// Memories formed by rules are formed before the reply is complete, so that the next request knows them.
    /// A model takes too long for that, and is asked afterwards.
    pub(super) async fn complete(mut self, mut reply: Reply, pieces: &Pieces) {
        // The notice is sent, but not recorded.
        let text = Text::new(self.reply_filter.spoken());
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
    pub(super) async fn keep(&self, text: &str, state: TurnState) -> Result<(), Problem> {
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
        self.engine.log_exchange(&self.prepared.persona, &turns, self.call.now).await
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
