//! `POST /v1/personas/{p}/exchanges`: records a message and its reply from elsewhere, and forms memories from
//! them as from any other exchange.

use domain::Text;
use store::TurnState;
use wire::exchange::{ExchangeAnswer, RecordExchange};
use wire::{Code, Problem};

use super::record::ReplyRecord;
use super::{Utterance, formation};
use crate::call::{Call, PersonaKey};
use crate::{Engine, boxed};

impl Engine {
    /// Records an exchange with the person the caller speaks for.
    #[boxed]
    pub async fn record_exchange(
        &self,
        call: &Call,
        key: &PersonaKey,
        asked: RecordExchange,
    ) -> Result<ExchangeAnswer, Problem> {
        let RecordExchange { said, reply, subject, session_id } = asked;
        if [&said, &reply].iter().any(|text| text.trimmed().length() == 0) {
            return Err(Problem::new(Code::ValidationFailed, "`said` and `reply` must say something"));
        }
        let mut utterance = Utterance { subject, session: session_id, ..Utterance::new(said) };
        let prepared = self.prepare(call, key, &mut utterance).await?;
        let recorded_turn = self.begin(call, &prepared, &utterance).await?;
        let recorded_turn = recorded_turn.ok_or_else(|| {
            Problem::new(Code::SubjectRequired, "name the speaker with `subject` or `sessionId`")
        })?;
        let answered = ReplyRecord {
            text: Text::new(reply.as_str()),
            state: TurnState::Whole,
            recall: None,
            model: None,
            formation: formation(&prepared.persona),
            request: None,
        };
        let reply = self.finish_exchange(call, &prepared.persona, &recorded_turn, answered).await?;
        if recorded_turn.session.subject.is_owner() {
            let message = recorded_turn.place.again.is_none().then(|| recorded_turn.turn.clone());
            let turns: Vec<_> = message.into_iter().chain([reply]).collect();
            self.log_exchange(&prepared.persona, &turns, call.now).await?;
        }
        self.form_or_schedule(&prepared.persona, recorded_turn.turn.id, call.now).await?;
        let access = prepared.access(call);
        let (session, exchange) = (&recorded_turn.session.id, &recorded_turn.place.exchange);
        let report = self.report_of_exchange(&prepared.persona, &access, session, exchange, call.now).await?;
        let report =
            report.ok_or_else(|| Problem::new(Code::Internal, "the exchange is not on the record"))?;
        Ok(ExchangeAnswer {
            exchange_id: recorded_turn.place.exchange.0.clone(),
            session_id: recorded_turn.session.id.clone(),
            persona: prepared.persona.entry.name.clone(),
            report,
            notices: self.notices(&prepared.persona).await,
        })
    }
}
