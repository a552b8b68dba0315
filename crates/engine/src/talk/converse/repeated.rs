//! A message repeated under its `Idempotency-Key` gets the stored reply, and no second exchange.

use domain::{SessionId, SubjectRef, Text, is_random_id};
use llm::{FinishReason, Usage};
use store::{ExchangeId, Records, Session, Speaker, Turn, TurnState};
use tokio::sync::mpsc;
use wire::exchange::FormationReport;
use wire::key::Speaks;
use wire::{Code, Problem};

use super::record::RecordedTurn;
use super::{Conversation, LeftOut, PreparedMessage, Reply, ReplyPiece, Utterance, is_recorded};
use crate::Engine;
use crate::call::{Call, Identity};
use crate::idempotency::{Ticket, mismatch};
use crate::talk::context::Record;

/// Separates the session hashes in answered requests from other hashes with the same pepper.
const PURPOSE: &str = "answered-session";

/// Whether nothing in a request says who speaks or which conversation is continued.
fn is_unnamed(call: &Call, utterance: &Utterance) -> bool {
    let is_named = match &call.caller.identity {
        Identity::Claimed(named) | Identity::Signed(named) => named.is_some(),
        Identity::Bound(_) => true,
    };
    let has_session = utterance.session.is_some() || call.caller.session.is_some();
    call.caller.speaks == Speaks::Forwarded && !is_named && utterance.subject.is_none() && !has_session
}

/// Refuses a key that a second stranger could send too, and so be given the first one's conversation.
fn check_unguessable(key: &str) -> Result<(), Problem> {
    let ends_random = |length: usize| {
        let from = key.len().checked_sub(length)?;
        Some(is_random_id(key.get(from..)?))
    };
    if [36, 32].into_iter().filter_map(ends_random).any(|is_random| is_random) {
        return Ok(());
    }
    let detail = "an unnamed speaker's `Idempotency-Key` must end in a random UUID, or two strangers who send the same \
                  key would share a conversation; send a UUID, or name the speaker (`X-User-Id`, `subject`)";
    Err(Problem::new(Code::ValidationFailed, detail))
}

impl Engine {
    /// A ticket for a message on the record, if its client sent an `Idempotency-Key`.
    pub(super) fn talk_ticket(&self, call: &Call, utterance: &Utterance) -> Result<Option<Ticket>, Problem> {
        if utterance.record == Record::Off && call.request.is_some() {
            let detail = "off the record nothing is stored, so a repeated request can't be recognised; \
                leave the `Idempotency-Key` out";
            return Err(Problem::new(Code::Usage, detail));
        }
        if let Some(request) = call.request.as_ref().filter(|_| is_unnamed(call, utterance)) {
            check_unguessable(&request.key)?;
        }
        if is_recorded(utterance) { self.ticket(call) } else { Ok(None) }
    }

    /// The stored reply, if the request of `ticket` was answered before.
    pub(super) async fn replied_before(
        &self,
        call: &Call,
        ticket: Option<&Ticket>,
        prepared: &PreparedMessage,
        utterance: &Utterance,
    ) -> Result<Option<Conversation>, Problem> {
        let Some(ticket) = ticket else { return Ok(None) };
        let scope = prepared.persona.entry.scope();
        let before = self.store.request(&scope, ticket.tag()).await?;
        let Some(resource) = ticket.resource(before)? else { return Ok(None) };
        let (session, turn) = self.stored_reply(prepared, &resource).await?.ok_or_else(gone)?;
        let named = utterance.session.as_ref().or(call.caller.session.as_ref());
        if !is_speakers(&session, prepared.listener.subject.as_ref(), named) {
            return Err(mismatch());
        }
        let escalation = prepared.escalation.clone();
        let access = prepared.access(call);
        let formed = self
            .report_of_exchange(&prepared.persona, &access, &session.id, &turn.exchange, call.now)
            .await?;
        let conversation = spoken_again(prepared, session.id, turn, formed).await;
        Ok(Some(Conversation { escalation, ..conversation }))
    }

    /// What an answered request stores of an exchange. A client may name its sessions after people, so the
    /// session is stored as a keyed hash.
    pub(super) fn exchange_resource(&self, recorded_turn: &RecordedTurn) -> String {
        format!("{}.{}", recorded_turn.place.exchange.0, self.session_tag(&recorded_turn.session.id))
    }

    async fn stored_reply(
        &self,
        prepared: &PreparedMessage,
        resource: &str,
    ) -> Result<Option<(Session, Turn)>, Problem> {
        let Some((exchange, tag)) = resource.split_once('.') else { return Ok(None) };
        let (exchange, scope) = (ExchangeId(exchange.to_owned()), prepared.persona.entry.scope());
        let sessions = self.store.sessions(&scope, None).await?;
        let Some(session) = sessions.into_iter().find(|session| self.session_tag(&session.id) == tag) else {
            return Ok(None);
        };
        let turns = self.store.turns(&scope, &session.id).await?;
        let is_reply = |turn: &Turn| {
            turn.exchange == exchange && turn.speaker == Speaker::Persona && turn.state == TurnState::Whole
        };
        Ok(turns.into_iter().rev().find(is_reply).map(|turn| (session, turn)))
    }

    fn session_tag(&self, session: &SessionId) -> String {
        vault::encoding::hex(&self.pepper.tag(PURPOSE, &[session.as_str().as_bytes()]))
    }
}

/// Whether the stored session belongs to the speaker, in the session that the request named. An unnamed speaker
/// whose request named none has a new session by now, and is known by the unguessable key of the request.
fn is_speakers(session: &Session, speaker: Option<&SubjectRef>, named: Option<&SessionId>) -> bool {
    match (speaker, named) {
        (speaker, Some(named)) => session.id == *named && speaker == Some(&session.subject),
        (Some(speaker), None) if !speaker.is_unnamed_speaker() => *speaker == session.subject,
        (Some(_) | None, None) => session.subject.is_unnamed_speaker(),
    }
}

async fn spoken_again(
    prepared: &PreparedMessage,
    session: SessionId,
    turn: Turn,
    formed: Option<FormationReport>,
) -> Conversation {
    let usage = Usage {
        prompt_tokens: 0,
        completion_tokens: domain::Tokens::of_characters(turn.text.as_str().chars().count()).0.into(),
    };
    let text: Text = turn.text;
    let reply = Reply { text: text.clone(), calls: Vec::new(), usage, finish: FinishReason::Stop, formed };
    let (pieces, speech) = mpsc::channel(2);
    // The channel has room for both pieces, so this never waits.
    let _ = pieces.send(Ok(ReplyPiece::Words(text))).await;
    let _ = pieces.send(Ok(ReplyPiece::Done(reply))).await;
    Conversation {
        persona: prepared.persona.entry.id,
        session,
        recall: turn.recall,
        exchange: Some(turn.exchange.0.clone()),
        model: turn.model.unwrap_or_else(|| prepared.role.model_name.clone()),
        left_out: LeftOut::default(),
        notices: Vec::new(),
        escalation: None,
        speech,
    }
}

fn gone() -> Problem {
    Problem::new(
        Code::ResourceGone,
        "this request was answered before, and the answer has been deleted \
        since",
    )
}
