//! Records a conversation: the message before the model gets it, the reply before the client learns that it
//! is complete.

use std::collections::BTreeMap;

use domain::{MemoryId, RecallId, SessionId, SubjectRef, Text, Timestamp};
use store::{
    AnsweredRequest, Batch, Change, ExchangeId, Expect, Formation, Records, Session, Speaker, StoreError,
    Turn, TurnId, TurnMark, TurnState,
};
use wire::{Code, Problem};

use super::exchange::{History, MessagePosition, place};
use crate::Engine;
use crate::call::Call;
use crate::memory::card::Card;
use crate::persona::import_card::GREETING;
use crate::persona::registry::PersonaContext;
use crate::talk::sessions::stands;

/// How often the position is computed again after a concurrent write to the conversation.
const TRIES: usize = 5;

/// A message to be recorded.
pub(crate) struct NewTurn<'a> {
    pub(crate) subject: &'a SubjectRef,
    pub(crate) session: &'a SessionId,
    pub(crate) history: &'a History,
    pub(crate) message: &'a Text,
}

/// A recorded message that waits for its reply.
pub(crate) struct RecordedTurn {
    pub(crate) session: Session,
    /// The active turns of the conversation before it.
    pub(crate) before: Vec<Turn>,
    pub(crate) place: MessagePosition,
    /// The person's turn.
    pub(crate) turn: Turn,
    /// Whether the message was recorded before.
    pub(crate) again: Regeneration,
    length: u32,
    /// The number of the next turn.
    next: u32,
}

/// Whether a message is new at its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Regeneration {
    /// It is new.
    None,
    /// It is the latest message, and another reply is wanted.
    Latest,
    /// It is an earlier message, and another reply is wanted.
    Earlier,
}

/// A reply, possibly incomplete.
pub(crate) struct ReplyRecord {
    pub(crate) text: Text,
    pub(crate) state: TurnState,
    pub(crate) recall: Option<RecallId>,
    /// The model that gave it; `None` if another program did.
    pub(crate) model: Option<String>,
    /// Whether memories are formed from the exchange.
    pub(crate) formation: Formation,
    /// The request that it answers, if its client sent an `Idempotency-Key`.
    pub(crate) request: Option<AnsweredRequest>,
}

impl Engine {
    /// Commits the message, so that it is not lost if the model fails.
    pub(crate) async fn begin_exchange(
        &self,
        call: &Call,
        persona: &PersonaContext,
        new_turn: &NewTurn<'_>,
    ) -> Result<RecordedTurn, Problem> {
        let mut moved = None;
        for _ in 0..TRIES {
            match self.try_begin(call, persona, new_turn).await? {
                Ok(recorded_turn) => return Ok(recorded_turn),
                Err(error) => moved = Some(error),
            }
        }
        Err(moved.map_or_else(|| Problem::new(Code::Conflict, "the conversation moved on"), Problem::from))
    }

    async fn try_begin(
        &self,
        call: &Call,
        persona: &PersonaContext,
        new_turn: &NewTurn<'_>,
    ) -> Result<Result<RecordedTurn, StoreError>, Problem> {
        let scope = persona.entry.scope();
        let mut session = self.session(call, persona, new_turn).await?;
        let mut turns = self.store.turns(&scope, new_turn.session).await?;
        if let History::InsteadOf(replaced) = new_turn.history {
            check_replaced(&turns, replaced)?;
        }
        let before = count(&turns);
        let greeting = self.greeting(call, persona, new_turn, &turns)?;
        turns.extend(greeting.clone());
        let (length, next) = (count(&turns), next_index(&turns));
        let place = place(&turns, new_turn.history, new_turn.message, |parent, text| {
            self.exchange_id(new_turn.session, parent, text)
        });
        let known = place.again.and_then(|id| turns.iter().find(|turn| turn.id == id));
        let turn = match known {
            Some(turn) => turn.clone(),
            None => said(new_turn, &place, TurnId(self.new_uuid(call.now)?), next, call.now),
        };
        // The checkpoint may contain turns that the edit abandons; then it is dropped.
        if turns.iter().any(|turn| place.abandoned.contains(&turn.id) && is_covered(&session, turn)) {
            session.checkpoint = None;
        }
        let mut batch = Batch::at(call.now)
            .expecting(Expect::SessionLength(new_turn.session.clone(), before))
            .with(Change::PutSession(Box::new(session.clone())));
        batch.changes.extend(greeting.map(|turn| Change::AppendTurn(Box::new(turn))));
        if known.is_none() {
            batch = batch.with(Change::AppendTurn(Box::new(turn.clone())));
        }
        batch = self.abandoning(call, persona, batch, &turns, &place).await?;
        match self.store.commit(&scope, batch).await {
            Ok(_) => {}
            Err(error @ StoreError::Conflict(_)) => return Ok(Err(error)),
            Err(error) => return Err(error.into()),
        }
        self.remove_from_digests(&scope, &place.abandoned.iter().copied().collect(), call.now).await?;
        let latest = turns.iter().rev().find(|turn| turn.speaker == Speaker::Subject && stands(turn));
        let again = match known {
            None => Regeneration::None,
            Some(turn) if latest.is_some_and(|latest| latest.id == turn.id) => Regeneration::Latest,
            Some(_) => Regeneration::Earlier,
        };
        let new = u32::from(known.is_none());
        let (length, next) = (length + new, next + new);
        let gone = |turn: &Turn| {
            turn.state == TurnState::Superseded
                || place.abandoned.contains(&turn.id)
                || turn.exchange == place.exchange
                || is_covered(&session, turn)
        };
        let before = turns.into_iter().filter(|turn| !gone(turn)).collect();
        Ok(Ok(RecordedTurn { session, before, place, turn, again, length, next }))
    }

    /// The persona's greeting at the start of a conversation, if it has one. A client that sends the history
    /// itself has shown its own.
    fn greeting(
        &self,
        call: &Call,
        persona: &PersonaContext,
        new_turn: &NewTurn<'_>,
        turns: &[Turn],
    ) -> Result<Option<Turn>, Problem> {
        let words = persona.loaded.document.extensions.get(GREETING).and_then(|words| words.as_str());
        let Some(words) = words.filter(|_| turns.is_empty() && *new_turn.history == History::Recorded) else {
            return Ok(None);
        };
        let id = TurnId(self.new_uuid(call.now)?);
        Ok(Some(Turn {
            id,
            session: new_turn.session.clone(),
            exchange: ExchangeId(id.to_string()),
            parent: None,
            index: 0,
            speaker: Speaker::Persona,
            at: call.now,
            text: Text::new(words),
            state: TurnState::Whole,
            formation: Formation::NotDue,
            recall: None,
            model: None,
            formed: None,
        }))
    }

    /// The stored conversation, or a new one. Another person's conversation is reported as not found.
    async fn session(
        &self,
        call: &Call,
        persona: &PersonaContext,
        new_turn: &NewTurn<'_>,
    ) -> Result<Session, Problem> {
        let known = self.store.session(&persona.entry.scope(), new_turn.session).await?;
        match known {
            Some(session) if session.subject == *new_turn.subject => {
                Ok(Session { last_at: session.last_at.max(call.now), ..session })
            }
            Some(_) => Err(no_session(new_turn.session)),
            None => Ok(Session {
                id: new_turn.session.clone(),
                subject: new_turn.subject.clone(),
                started_at: call.now,
                last_at: call.now,
                title: None,
                checkpoint: None,
                state: serde_json::Value::Null.into(),
            }),
        }
    }

    fn exchange_id(&self, session: &SessionId, parent: Option<&ExchangeId>, text: &Text) -> ExchangeId {
        let parent = parent.map_or("", |parent| parent.0.as_str());
        let fields = [session.as_str().as_bytes(), parent.as_bytes(), text.as_str().as_bytes()];
        ExchangeId(vault::encoding::hex(&self.pepper.tag("exchange", &fields)))
    }

    /// Abandons what an edit replaces: the turns, and the memories formed only from them.
    async fn abandoning(
        &self,
        call: &Call,
        persona: &PersonaContext,
        mut batch: Batch,
        turns: &[Turn],
        place: &MessagePosition,
    ) -> Result<Batch, Problem> {
        if place.abandoned.is_empty() {
            return Ok(batch);
        }
        let lost: Vec<&Turn> = turns.iter().filter(|turn| place.abandoned.contains(&turn.id)).collect();
        for turn in &lost {
            batch = batch.with(Change::MarkTurn(turn.id, TurnMark::State(TurnState::Superseded)));
        }
        self.setting_aside(call, persona, batch, &lost).await
    }

    /// The active memories formed from these turns. What was formed from a conversation belongs to its person; a
    /// memory of anybody else only claims to come from there.
    pub(crate) async fn formed_from(
        &self,
        persona: &PersonaContext,
        turns: &[&Turn],
    ) -> Result<Vec<MemoryId>, Problem> {
        let Some(since) = turns.iter().map(|turn| turn.at).min() else { return Ok(Vec::new()) };
        let (open, _) = self.view(persona).await?;
        // A memory is never older than its turn, so older ones need not be opened.
        let is_later = |card: &&Card| card.is_active && card.created_at >= since;
        let candidate_ids: Vec<MemoryId> =
            open.cards().values().filter(is_later).map(|card| card.id).collect();
        let scope = persona.entry.scope();
        let atoms = self.store.atoms(&scope, &candidate_ids).await?;
        let mut people: BTreeMap<&SessionId, SubjectRef> = BTreeMap::new();
        for turn in turns {
            if !people.contains_key(&turn.session)
                && let Some(session) = self.store.session(&scope, &turn.session).await?
            {
                people.insert(&turn.session, session.subject);
            }
        }
        let is_from = |atom: &domain::Atom| {
            let origin = &atom.provenance;
            let is_turn =
                |turn: &&Turn| (&turn.session, turn.index) == (&origin.session_id, origin.turn_index);
            let is_theirs = |person| atom.subject.as_ref() == Some(person);
            turns.iter().any(is_turn) && people.get(&origin.session_id).is_some_and(is_theirs)
        };
        Ok(atoms.into_iter().filter(|stored| is_from(&stored.atom)).map(|stored| stored.atom.id).collect())
    }

    /// Commits a reply; earlier replies to the same message no longer count.
    pub(crate) async fn finish_exchange(
        &self,
        call: &Call,
        persona: &PersonaContext,
        recorded_turn: &RecordedTurn,
        answered: ReplyRecord,
    ) -> Result<Turn, Problem> {
        let id = TurnId(self.new_uuid(call.now)?);
        let reply = Turn {
            id,
            session: recorded_turn.session.id.clone(),
            exchange: recorded_turn.place.exchange.clone(),
            parent: recorded_turn.place.parent.clone(),
            index: recorded_turn.next,
            speaker: Speaker::Persona,
            at: call.now,
            text: answered.text,
            state: answered.state,
            formation: Formation::NotDue,
            recall: answered.recall,
            model: answered.model,
            formed: None,
        };
        let (mut length, mut next) = (recorded_turn.length, recorded_turn.next);
        loop {
            let reply = Turn { index: next, ..reply.clone() };
            let mut batch = finishing(call, recorded_turn, &reply, answered.formation);
            if let Some(request) = &answered.request {
                batch = batch.with(Change::RecordRequest(request.clone()));
            }
            let batch = batch.expecting(Expect::SessionLength(recorded_turn.session.id.clone(), length));
            match self.store.commit(&persona.entry.scope(), batch).await {
                Ok(_) => return Ok(reply),
                // Another turn was recorded meanwhile; the reply follows it.
                Err(StoreError::Conflict(_)) => {
                    let turns = self.store.turns(&persona.entry.scope(), &recorded_turn.session.id).await?;
                    if count(&turns) == length {
                        return Err(Problem::new(Code::Conflict, "the conversation moved on"));
                    }
                    (length, next) = (count(&turns), next_index(&turns));
                }
                Err(error) => return Err(error.into()),
            }
        }
    }
}

fn finishing(call: &Call, recorded_turn: &RecordedTurn, reply: &Turn, formation: Formation) -> Batch {
    let mut batch = Batch::at(call.now).with(Change::AppendTurn(Box::new(reply.clone())));
    for before in &recorded_turn.place.answers {
        batch = batch.with(Change::MarkTurn(*before, TurnMark::State(TurnState::Superseded)));
    }
    // Memories are formed once per message.
    if formation == Formation::Pending && recorded_turn.turn.formation == Formation::NotDue {
        batch = batch.with(Change::MarkTurn(recorded_turn.turn.id, TurnMark::Formation(Formation::Pending)));
    }
    batch
}

fn said(new_turn: &NewTurn<'_>, place: &MessagePosition, id: TurnId, index: u32, at: Timestamp) -> Turn {
    Turn {
        id,
        session: new_turn.session.clone(),
        exchange: place.exchange.clone(),
        parent: place.parent.clone(),
        index,
        speaker: Speaker::Subject,
        at,
        text: new_turn.message.clone(),
        state: TurnState::Whole,
        formation: Formation::NotDue,
        recall: None,
        model: None,
        formed: None,
    }
}

/// Refuses to replace an exchange that doesn't exist, or that an edit has already replaced.
fn check_replaced(turns: &[Turn], replaced: &ExchangeId) -> Result<(), Problem> {
    let is_it = |turn: &Turn| turn.exchange == *replaced && turn.speaker == Speaker::Subject && stands(turn);
    if turns.iter().any(is_it) {
        return Ok(());
    }
    Err(Problem::new(
        Code::NotFound,
        "`instead_of` names no active exchange of this conversation; read the conversation again",
    ))
}

fn count(turns: &[Turn]) -> u32 {
    u32::try_from(turns.len()).unwrap_or(u32::MAX)
}

/// One more than the greatest number; numbers of deleted turns are not reused.
fn next_index(turns: &[Turn]) -> u32 {
    turns.iter().map(|turn| turn.index.saturating_add(1)).max().unwrap_or(0)
}

/// Whether the session's checkpoint covers a turn.
pub(crate) fn is_covered(session: &Session, turn: &Turn) -> bool {
    session.checkpoint.as_ref().is_some_and(|made| turn.index <= made.through)
}

pub(crate) fn no_session(id: &SessionId) -> Problem {
    Problem::new(Code::SessionNotFound, format!("no conversation {id} of yours; see `selfhood session list`"))
}
