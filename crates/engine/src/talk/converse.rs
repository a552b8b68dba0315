//! Talking with a persona: from a message to the reply, the same for every door.
//!
//! The message is recorded before the model gets it, and the reply before the client learns that it is
//! complete. Off the record nothing is stored and nothing is learnt.

mod continued;
mod exchange;
mod find_session;
mod off_record;
mod offline;
mod record;
mod record_exchange;
mod repeated;
mod role;
mod speak;
mod utterance;

use std::sync::Arc;

use domain::{Access, Listener, PersonaId, Reach, RecallId, SessionId, SubjectRef, Text};
use futures_util::future::BoxFuture;
use llm::{Backend, Message};
use store::{Formation, Records, Session, Speaker, Turn};
use tokio::sync::mpsc;
use wire::persona::Notice;
use wire::{Code, Problem};

use crate::Engine;
use crate::access::law::guessable_session;
use crate::call::{Call, PersonaKey};
use crate::memory::recall::{CueWords, RecallResult, RecallTurn};
use crate::memory::recall_sequence::{FinishedRecall, RecallRequest, Selection};
use crate::persona::open::View;
use crate::persona::registry::PersonaContext;
use crate::talk::context::{Context, DEFAULT_TIER, Record, Setting};
use crate::talk::guard::SafetyPolicy;
use record::{NewTurn, RecordedTurn, Regeneration};
use speak::ReplyInProgress;

pub use crate::talk::context::{DigestChoice, Layers, LeftOut};
pub use continued::{AnswerPlace, RecordedExchange};
pub use exchange::History;
pub use role::{Role, Roles, Tools};
pub use speak::{Reply, ReplyPiece};
pub use store::ExchangeId;
pub use utterance::{Purpose, ReplySettings, Utterance};

pub(crate) use continued::WaitingCalls;
pub(crate) use off_record::OffRecord;
pub(crate) use record::{is_covered, no_session};

/// How many pieces of a reply wait for a slow reader before the model is paused.
const PIECES: usize = 64;

/// A reply that has begun.
#[derive(Debug)]
pub struct Conversation {
    /// The persona that answers.
    pub persona: PersonaId,
    /// The conversation it belongs to.
    pub session: SessionId,
    /// Its exchange; `None` off the record.
    pub exchange: Option<String>,
    /// The id of the recall, for its explanation; `None` off the record.
    pub recall: Option<RecallId>,
    /// The model that answers.
    pub model: String,
    /// What did not fit into the window.
    pub left_out: LeftOut,
    /// Notices about the persona, for example that its memory is paused.
    pub notices: Vec<Notice>,
    /// The phrase of the message that asks for a person to take over, if there is one.
    pub escalation: Option<String>,
    /// The pieces of the reply. Dropping the receiver stops the model.
    pub speech: mpsc::Receiver<Result<ReplyPiece, Problem>>,
}

impl Conversation {
    /// Waits for the whole reply.
    pub async fn whole(mut self) -> Result<Reply, Problem> {
        while let Some(piece) = self.speech.recv().await {
            match piece? {
                ReplyPiece::Words(_) | ReplyPiece::Call(_) => {}
                ReplyPiece::Done(reply) => return Ok(reply),
            }
        }
        Err(Problem::new(Code::Internal, "the answer failed; see the log"))
    }
}

/// A message after its checks, before the model is asked.
struct PreparedMessage {
    persona: PersonaContext,
    role: Role,
    policy: SafetyPolicy,
    /// The phrase that asks for a person to take over.
    escalation: Option<String>,
    listener: Listener,
    session: SessionId,
}

impl PreparedMessage {
    /// What the speaker may see.
    fn access(&self, call: &Call) -> Access {
        let reach = Reach::of(call.caller.speaks, |scope| call.caller.may(scope));
        Access { listener: self.listener.clone(), reach }
    }
}

impl Engine {
    /// Sends a message to a persona. The reply follows in pieces.
    pub fn converse<'a>(
        self: &'a Arc<Self>,
        call: &'a Call,
        key: &'a PersonaKey,
        utterance: Utterance,
    ) -> BoxFuture<'a, Result<Conversation, Problem>> {
        Box::pin(self.begin_reply(call, key, utterance))
    }

    async fn begin_reply(
        self: &Arc<Self>,
        call: &Call,
        key: &PersonaKey,
        mut utterance: Utterance,
    ) -> Result<Conversation, Problem> {
        utterance.record = call.caller.recorded(utterance.record);
        if utterance.message.trimmed().length() == 0 {
            return Err(Problem::new(Code::ValidationFailed, "the message is empty; say something"));
        }
        let ticket = self.talk_ticket(call, &utterance)?;
        let prepared = self.prepare(call, key, &mut utterance).await?;
        if let Some(again) = self.replied_before(call, ticket.as_ref(), &prepared, &utterance).await? {
            return Ok(again);
        }
        let recorded_turn = self.begin(call, &prepared, &utterance).await?;
        let recalled = match utterance.purpose {
            Purpose::Talk => {
                let again =
                    recorded_turn.as_ref().map_or(Regeneration::None, |recorded_turn| recorded_turn.again);
                Some(self.recollect_for(call, &prepared, utterance.message.as_str(), again).await?)
            }
            Purpose::Chore => None,
        };
        let context =
            self.context_for(call, &prepared, &utterance, recorded_turn.as_ref(), recalled.as_ref()).await?;
        let recollection = recalled.map(|(recalled, _)| Arc::new(recalled));
        let is_traced = is_recorded(&utterance) && prepared.persona.loaded.demand_memory().is_ok();
        let recall = match (&recollection, is_traced) {
            (Some(_), true) => Some(RecallId(self.new_uuid(call.now)?)),
            (Some(_) | None, _) => None,
        };
        let (pieces, speech) = mpsc::channel(PIECES);
        let conversation = Conversation {
            persona: prepared.persona.entry.id,
            session: prepared.session.clone(),
            exchange: recorded_turn.as_ref().map(|recorded_turn| recorded_turn.place.exchange.0.clone()),
            recall,
            model: prepared.role.model_name.clone(),
            left_out: context.left_out(),
            notices: self.notices(&prepared.persona).await,
            escalation: prepared.escalation.clone(),
            speech,
        };
        let speaking = ReplyInProgress::new(
            Arc::clone(self),
            call.clone(),
            prepared,
            utterance,
            recorded_turn,
            context,
            recall,
            recollection,
            ticket,
        );
        self.talk_state.replies.spawn(speaking.run(pieces));
        Ok(conversation)
    }

    /// How many replies, with their follow-up work, are in progress.
    #[must_use]
    pub fn open_answers(&self) -> usize {
        self.talk_state.replies.len()
    }

    async fn prepare(
        &self,
        call: &Call,
        key: &PersonaKey,
        utterance: &mut Utterance,
    ) -> Result<PreparedMessage, Problem> {
        let persona = self.find(call, key).await?;
        let role = self.role(&persona.entry.tenant, utterance.role.as_deref()).await?;
        let policy = self.safety_policy(call).await?;
        let escalation = self.screen(&persona.entry.tenant, &policy, utterance).await?;
        let mut listener =
            self.speaker(call, &persona, utterance.subject.clone(), utterance.session.clone()).await?;
        let session = match listener.session.clone() {
            Some(session) if listener.subject.is_none() => return Err(guessable_session(&session)),
            Some(session) => session,
            None => self.find_session(call, &persona, &listener, utterance).await?,
        };
        if listener.subject.is_none() {
            listener.subject = Some(anonymous(&session)?);
        }
        listener.session = Some(session.clone());
        Ok(PreparedMessage { persona, role, policy, escalation, listener, session })
    }

    async fn begin(
        &self,
        call: &Call,
        prepared: &PreparedMessage,
        utterance: &Utterance,
    ) -> Result<Option<RecordedTurn>, Problem> {
        let Some(subject) = prepared.listener.subject.as_ref().filter(|_| is_recorded(utterance)) else {
            return Ok(None);
        };
        let new_turn = NewTurn {
            subject,
            session: &prepared.session,
            history: &utterance.history,
            message: &utterance.message,
        };
        self.begin_exchange(call, &prepared.persona, &new_turn).await.map(Some)
    }

    async fn recollect_for(
        &self,
        call: &Call,
        prepared: &PreparedMessage,
        cue: &str,
        again: Regeneration,
    ) -> Result<(RecallResult, View), Problem> {
        let PreparedMessage { persona, listener, .. } = prepared;
        // The built-in voice has only what is recalled, so it may repeat what it just said.
        let turn = match (prepared.role.backend.as_ref(), again) {
            (Backend::Model(_), Regeneration::None) => RecallTurn::Next,
            (Backend::Model(_), Regeneration::Latest) => RecallTurn::Latest,
            (Backend::Model(_), Regeneration::Earlier) | (Backend::Offline, _) => RecallTurn::WithoutCooldown,
        };
        let (words, selection) = (CueWords::of(cue), Selection::ByModel);
        let request = RecallRequest { persona, listener, turn, words, as_of: None, selection };
        let FinishedRecall { recalled, view, .. } = self.recall_memories(call, &request).await?;
        Ok((recalled, view))
    }

    async fn context_for(
        &self,
        call: &Call,
        prepared: &PreparedMessage,
        utterance: &Utterance,
        recorded_turn: Option<&RecordedTurn>,
        recalled: Option<&(RecallResult, View)>,
    ) -> Result<Context, Problem> {
        let PreparedMessage { persona, role, policy, listener, .. } = prepared;
        let mut talk = match (&utterance.history, recorded_turn) {
            // A client that names its conversation and sends no history continues the record.
            (History::Sent(history), Some(recorded_turn))
                if history.is_empty() && utterance.session.is_some() =>
            {
                recorded(&recorded_turn.before)
            }
            (History::Sent(history), None) if history.is_empty() && utterance.record == Record::Off => {
                self.talk_so_far(call, prepared).await?.unwrap_or_default()
            }
            (History::Sent(history), _) => history.clone(),
            (History::Recorded | History::InsteadOf(_), Some(recorded_turn)) => {
                recorded(&recorded_turn.before)
            }
            (History::Recorded | History::InsteadOf(_), None) => {
                self.off_record_talk(call, prepared, utterance).await?
            }
        };
        talk.push(Message::User(utterance.message.as_str().into()));
        talk.extend(utterance.since.iter().cloned());
        let earlier = recorded_turn.and_then(|recorded_turn| earlier(&recorded_turn.session));
        let role_context: Vec<Text> =
            role.context.iter().chain(&utterance.role_context).chain(&earlier).cloned().collect();
        let setting = Setting {
            persona,
            listener,
            now: call.now,
            tier: utterance.tier.unwrap_or(DEFAULT_TIER),
            layers: utterance.layers,
            record: utterance.record,
            clock: role.clock,
            window: role.context_window,
            policy,
            role_context: &role_context,
            view: recalled.map(|(_, view)| view),
        };
        self.context(&setting, recalled.map_or("", |(recalled, _)| &recalled.rendered), talk).await
    }

    /// The conversation before a message off the record: its recorded turns, then the turns this process
    /// holds off the record. A named conversation that is neither can't be continued.
    async fn off_record_talk(
        &self,
        call: &Call,
        prepared: &PreparedMessage,
        utterance: &Utterance,
    ) -> Result<Vec<Message>, Problem> {
        if utterance.record == Record::On {
            return Ok(Vec::new());
        }
        match (self.talk_so_far(call, prepared).await?, &utterance.session) {
            (Some(talk), _) => Ok(talk),
            (None, None) => Ok(Vec::new()),
            (None, Some(_)) => Err(Problem::new(
                Code::SessionElsewhere,
                "this conversation off the record is not available; send its history, or start a new one \
                without `session_id`",
            )),
        }
    }

    /// The recorded turns of a conversation, then those off the record in this process; `None` if there are
    /// neither.
    async fn talk_so_far(
        &self,
        call: &Call,
        prepared: &PreparedMessage,
    ) -> Result<Option<Vec<Message>>, Problem> {
        let PreparedMessage { persona, listener, .. } = prepared;
        let session = self.previewed_session(persona, listener, Record::On).await?;
        let held = self.talk_state.off_record.so_far(&call.caller.tenant, persona.entry.id, listener);
        if session.is_none() && held.is_none() {
            return Ok(None);
        }
        let nothing_more = Text::new("");
        let mut talk = self.preview_history(persona, session.as_ref(), &nothing_more).await?;
        talk.extend(held.unwrap_or_default());
        Ok(Some(talk))
    }

    /// The conversation of a preview, if it belongs to the listener and is on the record.
    pub(crate) async fn previewed_session(
        &self,
        persona: &PersonaContext,
        listener: &Listener,
        record: Record,
    ) -> Result<Option<Session>, Problem> {
        let (Some(session), Record::On) = (&listener.session, record) else { return Ok(None) };
        let known = self.store.session(&persona.entry.scope(), session).await?;
        Ok(known.filter(|known| Some(&known.subject) == listener.subject.as_ref()))
    }

    /// The history of a preview: the recorded turns, and the message.
    pub(crate) async fn preview_history(
        &self,
        persona: &PersonaContext,
        session: Option<&Session>,
        message: &Text,
    ) -> Result<Vec<Message>, Problem> {
        let mut talk = Vec::new();
        if let Some(session) = session {
            let mut turns = self.store.turns(&persona.entry.scope(), &session.id).await?;
            turns.retain(|turn| !is_covered(session, turn));
            talk = recorded(&turns);
        }
        if message.length() > 0 {
            talk.push(Message::User(message.as_str().into()));
        }
        Ok(talk)
    }
}

/// Whether a message is recorded.
fn is_recorded(utterance: &Utterance) -> bool {
    utterance.record == Record::On && utterance.purpose == Purpose::Talk
}

/// Turns as messages for a model.
fn recorded(turns: &[Turn]) -> Vec<Message> {
    let current = turns.iter().filter(|turn| turn.state != store::TurnState::Superseded);
    current
        .map(|turn| match turn.speaker {
            Speaker::Subject => Message::User(turn.text.as_str().into()),
            Speaker::Persona => Message::Assistant { text: turn.text.as_str().into(), calls: Vec::new() },
        })
        .collect()
}

/// The checkpoint of the older turns, as text for a prompt.
pub(crate) fn earlier(session: &Session) -> Option<Text> {
    let checkpoint = session.checkpoint.as_ref()?;
    let text = recall::line_by_line(checkpoint.text.as_str());
    Some(Text::new(format!("Earlier in this conversation:\n{text}")))
}

/// The subject of an unnamed speaker: known by this conversation only.
pub(crate) fn anonymous(session: &SessionId) -> Result<SubjectRef, Problem> {
    SubjectRef::unnamed_speaker_of(session).map_err(|error| crate::error::nothing_named(&error))
}

/// Whether memories are formed from an exchange.
pub(crate) fn formation(persona: &PersonaContext) -> Formation {
    if persona.loaded.demand_memory().is_ok() { Formation::Pending } else { Formation::NotDue }
}
