//! Talking with a persona: from something said to the words of an answer, whichever door it came by.
//!
//! What was said is in the record before a model hears it, and the answer is before the listener is
//! told that it is complete. Off the record nothing is, and nothing follows.

mod exchange;
mod find_session;
mod off_record;
mod offline;
mod record;
mod repeated;
mod role;
mod speak;

use std::sync::Arc;

use domain::{Access, Listener, Reach, RecallId, SessionId, SubjectRef, Text};
use llm::{Backend, Message, Tool, ToolChoice};
use recall::Recollection;
use store::{Formation, Records, Session, Speaker, Turn};
use tokio::sync::mpsc;
use wire::{Code, Problem};

use crate::Engine;
use crate::call::{Call, PersonaKey};
use crate::context::{Context, DEFAULT_TIER, Record, Setting};
use crate::failure::told;
use crate::guard::SafetyPolicy;
use crate::personas::Found;
use crate::read_shortlist::{Reader, Reading};
use crate::recall_memories::{CueWords, RecallTurn, Recalling, Remembered};
use find_session::is_unguessable;
use record::{Again, Begun, Saying};
use speak::Speaking;

pub use crate::context::{Layers, Wanted};
pub use exchange::History;
pub use role::{Role, Roles, Tools};
pub use speak::{Reply, Spoken};
pub use store::ExchangeId;

pub(crate) use off_record::OffRecord;
pub(crate) use offline::IntentExamples;
pub(crate) use record::{is_covered, no_session};

/// How many pieces of an answer wait for a slow listener before the model is kept waiting too.
const PIECES: usize = 64;

/// Something said to a persona.
#[derive(Clone, Debug)]
pub struct Utterance {
    /// The words.
    pub message: Text,
    /// Who says them; the owner when absent and the caller speaks for the owner.
    pub subject: Option<SubjectRef>,
    /// The conversation; when absent, a named speaker's is found by its first words and an unnamed one's is new.
    pub session: Option<SessionId>,
    /// The talk before.
    pub history: History,
    /// What the client's own tools were asked and gave since the words were said.
    pub since: Vec<Message>,
    /// How much of the persona's files to load, 1 to 4.
    pub tier: Option<u8>,
    /// Which digests to load.
    pub layers: Layers,
    /// Who answers.
    pub role: Option<String>,
    /// Whether anything is kept.
    pub record: Record,
    /// What it is said for.
    pub purpose: Purpose,
    /// What the client adds to the prompt.
    pub role_context: Option<Text>,
    /// How the answer is wished for.
    pub manner: Manner,
}

/// What something is said for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Purpose {
    /// To talk.
    #[default]
    Talk,
    /// To have a front-end's chore done, such as a title; nothing is recorded or learnt.
    Chore,
}

/// How an answer is wished for. What is absent is left to the role.
#[derive(Clone, Debug, Default)]
pub struct Manner {
    /// The client's own tools; they take the place of ours.
    pub tools: Vec<Tool>,
    /// Whether they are called.
    pub tool_choice: ToolChoice,
    /// How freely to speak.
    pub temperature: Option<f64>,
    /// The share of likelihood to choose from.
    pub top_p: Option<f64>,
    /// The longest answer.
    pub max_tokens: Option<u32>,
    /// Words at which the answer ends.
    pub stop: Vec<String>,
}

impl Utterance {
    /// `message`, said by whoever the caller speaks for, on the record, and nothing special about it.
    #[must_use]
    pub fn new(message: Text) -> Self {
        Self {
            message,
            subject: None,
            session: None,
            history: History::Recorded,
            since: Vec::new(),
            tier: None,
            layers: Layers::default(),
            role: None,
            record: Record::On,
            purpose: Purpose::Talk,
            role_context: None,
            manner: Manner::default(),
        }
    }
}

/// An answer that has begun.
#[derive(Debug)]
pub struct Conversation {
    /// The conversation it belongs to.
    pub session: SessionId,
    /// The exchange it is; none off the record.
    pub exchange: Option<String>,
    /// Leads to why the persona remembers what it does; none off the record.
    pub recall: Option<RecallId>,
    /// Who speaks.
    pub model: String,
    /// What did not fit into the window.
    pub left_out: Vec<String>,
    /// The phrase after which a person should take over, if it was said.
    pub escalation: Option<String>,
    /// The answer as it is spoken. Whoever drops it has left, and the model is stopped.
    pub speech: mpsc::Receiver<Result<Spoken, Problem>>,
}

impl Conversation {
    /// Waits for the whole answer.
    pub async fn whole(mut self) -> Result<Reply, Problem> {
        while let Some(piece) = self.speech.recv().await {
            match piece? {
                Spoken::Words(_) | Spoken::Call(_) => {}
                Spoken::Done(reply) => return Ok(reply),
            }
        }
        Err(Problem::new(Code::Internal, "the answer broke off; the log says where"))
    }
}

/// What an utterance comes to before anything is spoken.
struct Prepared {
    found: Found,
    role: Role,
    policy: SafetyPolicy,
    listener: Listener,
    session: SessionId,
}

impl Prepared {
    /// How far the speaker sees.
    fn access(&self, call: &Call) -> Access {
        let reach = Reach::of(call.caller.speaks, |scope| call.caller.may(scope));
        Access { listener: self.listener.clone(), reach }
    }
}

impl Engine {
    /// Says something to a persona. The answer follows, piece by piece.
    pub async fn converse(
        self: &Arc<Self>,
        call: &Call,
        key: &PersonaKey,
        said: Utterance,
    ) -> Result<Conversation, Problem> {
        if said.message.trimmed().length() == 0 {
            return Err(Problem::new(Code::ValidationFailed, "the message is empty; say something"));
        }
        let ticket = self.talk_ticket(call, &said)?;
        let prepared = self.prepare(call, key, &said).await?;
        if let Some(again) = self.replied_before(call, ticket.as_ref(), &prepared, &said).await? {
            return Ok(again);
        }
        let begun = self.begin(call, &prepared, &said).await?;
        let recollection = match said.purpose {
            Purpose::Talk => {
                let again = begun.as_ref().map_or(Again::First, |begun| begun.again);
                self.recollect_for(call, &prepared, said.message.as_str(), again).await?
            }
            Purpose::Chore => None,
        };
        let context =
            self.context_for(call, &prepared, &said, begun.as_ref(), recollection.as_deref()).await?;
        let recall = match (&recollection, is_recorded(&said)) {
            (Some(_), true) => Some(RecallId(self.new_uuid(call.now)?)),
            (Some(_) | None, _) => None,
        };
        let (pieces, speech) = mpsc::channel(PIECES);
        let conversation = Conversation {
            session: prepared.session.clone(),
            exchange: begun.as_ref().map(|begun| begun.place.exchange.0.clone()),
            recall,
            model: prepared.role.model_name.clone(),
            left_out: context.left_out(),
            escalation: prepared.policy.escalation(said.message.as_str()),
            speech,
        };
        let speaking = Speaking::new(
            Arc::clone(self),
            call.clone(),
            prepared,
            said,
            begun,
            context,
            recall,
            recollection,
            ticket,
        );
        self.talks.spawn(speaking.run(pieces));
        Ok(conversation)
    }

    async fn prepare(&self, call: &Call, key: &PersonaKey, said: &Utterance) -> Result<Prepared, Problem> {
        let found = self.find(call, key).await?;
        let role = self.role(said.role.as_deref())?.clone();
        let policy = self.safety_policy(call).await?;
        policy.check_heard(said.message.as_str())?;
        let mut listener = self.speaker(call, &found, said.subject.clone(), said.session.clone()).await?;
        let session = match listener.session.clone() {
            Some(session) => {
                self.check_continued(&found, &listener, &session, said).await?;
                session
            }
            None => self.find_session(call, &found, &listener, said).await?,
        };
        if listener.subject.is_none() {
            listener.subject = Some(anonymous(&session)?);
        }
        listener.session = Some(session.clone());
        Ok(Prepared { found, role, policy, listener, session })
    }

    /// Refuses to begin an unnamed speaker's conversation under an id that a stranger could use as well.
    async fn check_continued(
        &self,
        found: &Found,
        listener: &Listener,
        session: &SessionId,
        said: &Utterance,
    ) -> Result<(), Problem> {
        let is_unnamed = listener.subject == Some(anonymous(session)?);
        if !is_unnamed || said.purpose == Purpose::Chore || is_unguessable(session) {
            return Ok(());
        }
        let known = self.store.session(&found.entry.scope(), session).await.map_err(told)?;
        known.map(drop).ok_or_else(|| {
            let detail = format!(
                "no conversation {session}; leave the session id out to begin one, its answer returns the id to \
                 continue it with"
            );
            Problem::new(Code::SessionNotFound, detail)
        })
    }

    async fn begin(
        &self,
        call: &Call,
        prepared: &Prepared,
        said: &Utterance,
    ) -> Result<Option<Begun>, Problem> {
        let Some(subject) = prepared.listener.subject.as_ref().filter(|_| is_recorded(said)) else {
            return Ok(None);
        };
        let saying =
            Saying { subject, session: &prepared.session, history: &said.history, message: &said.message };
        self.begin_exchange(call, &prepared.found, &saying).await.map(Some)
    }

    async fn recollect_for(
        &self,
        call: &Call,
        prepared: &Prepared,
        cue: &str,
        again: Again,
    ) -> Result<Option<Remembered>, Problem> {
        let Prepared { found, listener, .. } = prepared;
        if found.standing.demand_memory().is_err() {
            return Ok(None);
        }
        // The built-in voice has nothing but what is recalled; what it told a moment ago it tells again.
        let turn = match (prepared.role.backend.as_ref(), again) {
            (Backend::Model(_), Again::First) => RecallTurn::Next,
            (Backend::Model(_), Again::Latest) => RecallTurn::Latest,
            (Backend::Model(_), Again::Earlier) | (Backend::Offline, _) => RecallTurn::WithoutCooldown,
        };
        let words = CueWords::said(cue);
        let reading = self.read_shortlist(&Reader { found, listener, now: call.now, turn, words }).await?;
        let open = self.open(found).await?;
        let _on_its_way = open.recalling.read().await;
        let view = self.active_view(found, &open, call.now).await?;
        let recalling = Recalling {
            found,
            open: &open,
            view: &view,
            listener: listener.clone(),
            now: call.now,
            encoder: self.cue_encoder.as_ref(),
        };
        let selected = reading.as_ref().and_then(Reading::selection);
        let recollection = recalling.recollect(turn, &words, selected);
        Ok(Some(Remembered { recollection, reading }))
    }

    async fn context_for(
        &self,
        call: &Call,
        prepared: &Prepared,
        said: &Utterance,
        begun: Option<&Begun>,
        recollection: Option<&Recollection>,
    ) -> Result<Context, Problem> {
        let Prepared { found, role, policy, listener, .. } = prepared;
        let mut talk = match (&said.history, begun) {
            // A client that names its conversation and sends no history continues the record.
            (History::Told(history), Some(begun)) if history.is_empty() && said.session.is_some() => {
                recorded(&begun.before)
            }
            (History::Told(history), None) if history.is_empty() && said.record == Record::Off => {
                self.talk_so_far(call, prepared).await?.unwrap_or_default()
            }
            (History::Told(history), _) => history.clone(),
            (History::Recorded | History::InsteadOf(_), Some(begun)) => recorded(&begun.before),
            (History::Recorded | History::InsteadOf(_), None) => {
                self.off_record_talk(call, prepared, said).await?
            }
        };
        talk.push(Message::User(said.message.as_str().into()));
        talk.extend(said.since.iter().cloned());
        let earlier = begun.and_then(|begun| earlier(&begun.session));
        let role_context: Vec<Text> =
            role.context.iter().chain(&said.role_context).chain(&earlier).cloned().collect();
        let setting = Setting {
            found,
            listener,
            now: call.now,
            tier: said.tier.unwrap_or(DEFAULT_TIER),
            layers: said.layers,
            record: said.record,
            clock: role.clock,
            window: role.context_window,
            policy,
            role_context: &role_context,
        };
        self.context(&setting, recollection.map_or("", |came_back| &came_back.rendered), talk).await
    }

    /// The talk before something said off the record: what was recorded of the conversation, then what was said off
    /// the record in this process. A conversation that was named and is neither can't be continued.
    async fn off_record_talk(
        &self,
        call: &Call,
        prepared: &Prepared,
        said: &Utterance,
    ) -> Result<Vec<Message>, Problem> {
        if said.record == Record::On {
            return Ok(Vec::new());
        }
        match (self.talk_so_far(call, prepared).await?, &said.session) {
            (Some(talk), _) => Ok(talk),
            (None, None) => Ok(Vec::new()),
            (None, Some(_)) => Err(Problem::new(
                Code::SessionElsewhere,
                "this conversation off the record is not held here; send its history, or begin a new one \
                 without `session_id`",
            )),
        }
    }

    /// What is recorded of a conversation, then what was said off the record in this process; nothing if it is neither.
    async fn talk_so_far(&self, call: &Call, prepared: &Prepared) -> Result<Option<Vec<Message>>, Problem> {
        let Prepared { found, listener, .. } = prepared;
        let session = self.previewed_session(found, listener, Record::On).await?;
        let held = self.off_record.so_far(&call.caller.tenant, found.entry.id, listener);
        if session.is_none() && held.is_none() {
            return Ok(None);
        }
        let nothing_more = Text::new("");
        let mut talk = self.preview_history(found, session.as_ref(), &nothing_more).await?;
        talk.extend(held.unwrap_or_default());
        Ok(Some(talk))
    }

    /// The conversation a preview is about, if it is the listener's own and on the record.
    pub(crate) async fn previewed_session(
        &self,
        found: &Found,
        listener: &Listener,
        record: Record,
    ) -> Result<Option<Session>, Problem> {
        let (Some(session), Record::On) = (&listener.session, record) else { return Ok(None) };
        let known = self.store.session(&found.entry.scope(), session).await.map_err(told)?;
        Ok(known.filter(|known| Some(&known.subject) == listener.subject.as_ref()))
    }

    /// The talk a preview is about: what was recorded of the conversation, and what would be said.
    pub(crate) async fn preview_history(
        &self,
        found: &Found,
        session: Option<&Session>,
        message: &Text,
    ) -> Result<Vec<Message>, Problem> {
        let mut talk = Vec::new();
        if let Some(session) = session {
            let mut turns = self.store.turns(&found.entry.scope(), &session.id).await.map_err(told)?;
            turns.retain(|turn| !is_covered(session, turn));
            talk = recorded(&turns);
        }
        if message.length() > 0 {
            talk.push(Message::User(message.as_str().into()));
        }
        Ok(talk)
    }
}

/// What the persona remembers, or nothing while it has no memory.
pub(crate) fn remembered(recalling: &Recalling<'_>, cue: &str) -> Option<Recollection> {
    recalling
        .found
        .standing
        .demand_memory()
        .is_ok()
        .then(|| recalling.recollect(RecallTurn::Next, &CueWords::said(cue), None))
}

/// Whether an utterance enters the record.
fn is_recorded(said: &Utterance) -> bool {
    said.record == Record::On && said.purpose == Purpose::Talk
}

/// Turns as a model sees them.
fn recorded(turns: &[Turn]) -> Vec<Message> {
    let standing = turns.iter().filter(|turn| turn.state != store::TurnState::Superseded);
    standing
        .map(|turn| match turn.speaker {
            Speaker::Subject => Message::User(turn.text.as_str().into()),
            Speaker::Persona => Message::Assistant { text: turn.text.as_str().into(), calls: Vec::new() },
        })
        .collect()
}

/// What the older turns of a conversation came to, as a prompt tells it.
pub(crate) fn earlier(session: &Session) -> Option<Text> {
    let checkpoint = session.checkpoint.as_ref()?;
    let text = recall::line_by_line(checkpoint.text.as_str());
    Some(Text::new(format!("Earlier in this conversation:\n{text}")))
}

/// Who speaks when nobody says who: somebody known by this conversation only.
pub(crate) fn anonymous(session: &SessionId) -> Result<SubjectRef, Problem> {
    format!("anonymous:{session}").parse().map_err(|error| crate::failure::nothing_named(&error))
}

/// Whether memories are formed from an exchange.
pub(crate) fn formation(found: &Found) -> Formation {
    if found.standing.demand_memory().is_ok() { Formation::Pending } else { Formation::NotDue }
}
