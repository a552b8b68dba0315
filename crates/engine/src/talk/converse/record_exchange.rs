//! `POST /v1/personas/{p}/exchanges`: records a message and its reply from elsewhere, and forms memories from
//! them as from any other exchange.

use domain::Text;
use store::TurnState;
use wire::exchange::{ExchangeAnswer, RecordExchange};
use wire::{Code, Problem};

use super::record::Answered;
use super::{Utterance, formation};
use crate::Engine;
use crate::call::{Call, PersonaKey};

impl Engine {
    /// Records an exchange with the person the caller speaks for.
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
        let mut said = Utterance { subject, session: session_id, ..Utterance::new(said) };
        let prepared = self.prepare(call, key, &mut said).await?;
        let begun = self.begin(call, &prepared, &said).await?;
        let begun = begun.ok_or_else(|| {
            Problem::new(Code::SubjectRequired, "name the speaker with `subject` or `sessionId`")
        })?;
        let answered = Answered {
            text: Text::new(reply.as_str()),
            state: TurnState::Whole,
            recall: None,
            model: None,
            formation: formation(&prepared.found),
            request: None,
        };
        let reply = self.finish_exchange(call, &prepared.found, &begun, answered).await?;
        if begun.session.subject.is_owner() {
            let said = begun.place.again.is_none().then(|| begun.turn.clone());
            let turns: Vec<_> = said.into_iter().chain([reply]).collect();
            self.log_exchange(&prepared.found, &turns).await?;
        }
        self.form_or_schedule(&prepared.found, begun.turn.id, call.now).await?;
        let (access, place) = (prepared.access(call), (&begun.session.id, &begun.place.exchange));
        let report = self.report_of_exchange(&prepared.found, &access, place, call.now).await?;
        let report =
            report.ok_or_else(|| Problem::new(Code::Internal, "the exchange is not on the record"))?;
        Ok(ExchangeAnswer {
            exchange_id: begun.place.exchange.0.clone(),
            session_id: begun.session.id.clone(),
            persona: prepared.found.entry.name.clone(),
            report,
            notices: self.notices(&prepared.found).await,
        })
    }
}
