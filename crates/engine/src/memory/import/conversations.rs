//! The conversations of an import: their turns are recorded, so that search and digests find them.
//!
//! A conversation gets the same session id at each import, and a turn the same turn id, so a later export
//! of a longer conversation adds only what is new. Turns keep the order of the file, whatever their dates
//! say.

use std::collections::{BTreeMap, HashSet};

use domain::creation::CreationRefusal;
use domain::{Days, RetentionPolicy, SessionId, SubjectRef, Text, Timestamp, TurnId};
use serde_json::{Value, json};
use store::{Batch, Change, ExchangeId, Expect, Formation, Records, Session, Speaker, Turn, TurnState};
use wire::key::Speaks;
use wire::read::read_value;
use wire::session::TurnSpeaker;
use wire::transfer::{ConversationLine, ImportAnswer, TurnLine};
use wire::{Code, Problem};

use super::{Effect, Terms, refused};
use crate::Engine;
use crate::call::Call;
use crate::forgetting::erasure::bar::ForgottenIdentifiers;
use crate::persona::registry::PersonaContext;

/// The source name of conversations exported by Selfhood; they keep their ids.
const OURS: &str = "selfhood";
/// The longest title of a conversation.
const LONGEST_TITLE: usize = 200;
/// The session state that records which turns came with which import.
pub(crate) const IMPORTS: &str = "imports";

/// A conversation with the turns that this call adds.
struct Continued {
    session: Session,
    /// How many turns it had before.
    length: u32,
    next: u32,
    known: HashSet<TurnId>,
    /// The previous turn: its speaker and its exchange.
    last: Option<(Speaker, ExchangeId)>,
    new: Vec<Turn>,
}

/// The rules that apply to the conversations of this call.
struct Law<'l> {
    barred: ForgottenIdentifiers<'l>,
    retention: &'l RetentionPolicy,
    now: Timestamp,
}

impl Engine {
    /// All new turns of one call are one transaction, like its memories.
    pub(super) async fn import_conversations(
        &self,
        call: &Call,
        persona: &PersonaContext,
        lines: Vec<(usize, Value)>,
        terms: &Terms,
        answer: &mut ImportAnswer,
    ) -> Result<(), Problem> {
        if lines.is_empty() {
            return Ok(());
        }
        let open = self.open(persona).await?;
        let alone = open.importing.lock().await;
        let law = Law {
            barred: self.barred(&persona.entry.tenant).await?,
            retention: &persona.loaded.document.memory_policy.retention_policy,
            now: call.now,
        };
        let mut talks: BTreeMap<SessionId, Continued> = BTreeMap::new();
        for (number, value) in lines {
            let read = read_value::<ConversationLine>(value).and_then(|line| {
                let subject = line.subject.clone().or_else(|| terms.subject.clone());
                let subject = open.known_as(subject.ok_or(CreationRefusal::SubjectRequired)?);
                if subject.is_owner() && call.caller.speaks != Speaks::Owner {
                    let detail =
                        "the owner's conversations are imported with a key that speaks for the owner";
                    return Err(Problem::new(Code::Forbidden, detail));
                }
                Ok((subject, line))
            });
            let taken = match read {
                Ok((subject, line)) => {
                    self.continue_talk(persona, &law, &mut talks, subject, line, answer).await?
                }
                Err(problem) => Err(problem),
            };
            if let Err(problem) = taken {
                answer.refused.push(refused(number, &problem));
            }
        }
        talks.retain(|_, talk| !talk.new.is_empty());
        answer.conversations += talks.len();
        if terms.effect == Effect::Store && !talks.is_empty() {
            let batch = Self::recording(call, terms, talks);
            self.store.commit(&persona.entry.scope(), batch).await?;
        }
        drop(alone);
        Ok(())
    }

    /// Adds the turns of a line to their conversation, or records why not.
    async fn continue_talk(
        &self,
        persona: &PersonaContext,
        law: &Law<'_>,
        talks: &mut BTreeMap<SessionId, Continued>,
        subject: SubjectRef,
        line: ConversationLine,
        answer: &mut ImportAnswer,
    ) -> Result<Result<(), Problem>, Problem> {
        let id = match self.session_of(&line, &subject) {
            Ok(id) => id,
            Err(problem) => return Ok(Err(problem)),
        };
        if !talks.contains_key(&id) {
            let talk = self.imported_so_far(persona, &id, &subject, law.now).await?;
            if talk.session.subject != subject {
                let detail = "the conversation is another person's here; import it for that person";
                return Ok(Err(Problem::new(Code::Conflict, detail)));
            }
            talks.insert(id.clone(), talk);
        }
        let Some(talk) = talks.get_mut(&id) else { return Ok(Ok(())) };
        if let Err(refusal) = law.refuse(&subject, &line) {
            return Ok(Err(refusal));
        }
        if talk.session.title.is_none() {
            let title = line.title.as_ref().map(|title| recall::folded(title.as_str()));
            let cut = |title: String| Text::new(title.chars().take(LONGEST_TITLE).collect::<String>());
            talk.session.title = title.map(cut).filter(|title| title.length() > 0);
        }
        let limit = law.limit(&subject);
        let (mut kept, mut past) = (0, 0);
        for turn in line.turns {
            let at = talk.moment(turn.at, law.now);
            if limit.is_some_and(|limit| at < limit) {
                past += 1;
                continue;
            }
            kept += 1;
            let is_dated = turn.at.is_some();
            if talk.add(turn, at, |turn| self.turn_id(persona, &id, turn)) {
                answer.turns += 1;
                answer.undated += usize::from(!is_dated);
            } else {
                answer.duplicates += 1;
            }
        }
        answer.past_retention += past;
        if kept == 0 {
            let detail = "everything in it is older than the record of this person may be kept";
            return Ok(Err(Problem::new(Code::ValidationFailed, detail)));
        }
        Ok(Ok(()))
    }

    fn session_of(&self, line: &ConversationLine, subject: &SubjectRef) -> Result<SessionId, Problem> {
        let invalid = |error: domain::InvalidId| Problem::new(Code::ValidationFailed, error.to_string());
        if line.source == OURS {
            return line.id.parse().map_err(invalid);
        }
        let fields = [line.source.as_bytes(), line.id.as_bytes(), subject.as_str().as_bytes()];
        let tag = vault::encoding::hex(&self.pepper.tag("imported-session", &fields));
        format!("sess:{}", tag.chars().take(32).collect::<String>()).parse().map_err(invalid)
    }

    /// The id that a turn gets at every import; its exchange id is derived from it too.
    fn turn_id(&self, persona: &PersonaContext, session: &SessionId, turn: &TurnLine) -> TurnId {
        let persona = persona.entry.id.to_string();
        let fields = [
            persona.as_bytes(),
            session.as_str().as_bytes(),
            turn.id.as_bytes(),
            turn.text.as_str().as_bytes(),
        ];
        let tag = self.pepper.tag("imported-turn", &fields);
        let bytes = tag.first_chunk::<16>().copied().unwrap_or_default();
        TurnId(uuid::Builder::from_random_bytes(bytes).into_uuid())
    }

    async fn imported_so_far(
        &self,
        persona: &PersonaContext,
        id: &SessionId,
        subject: &SubjectRef,
        now: Timestamp,
    ) -> Result<Continued, Problem> {
        let scope = persona.entry.scope();
        let Some(session) = self.store.session(&scope, id).await? else {
            let session = Session {
                id: id.clone(),
                subject: subject.clone(),
                started_at: now,
                last_at: now,
                title: None,
                checkpoint: None,
                state: Value::Null.into(),
            };
            return Ok(Continued {
                session,
                length: 0,
                next: 0,
                known: HashSet::new(),
                last: None,
                new: Vec::new(),
            });
        };
        let turns = self.store.turns(&scope, id).await?;
        Ok(Continued {
            session,
            length: u32::try_from(turns.len()).unwrap_or(u32::MAX),
            next: turns.iter().map(|turn| turn.index + 1).max().unwrap_or(0),
            last: turns.last().map(|turn| (turn.speaker, turn.exchange.clone())),
            known: turns.into_iter().map(|turn| turn.id).collect(),
            new: Vec::new(),
        })
    }

    fn recording(call: &Call, terms: &Terms, talks: BTreeMap<SessionId, Continued>) -> Batch {
        let mut batch = Batch::at(call.now);
        for (id, mut talk) in talks {
            let times = || talk.new.iter().map(|turn| turn.at);
            let first = times().min().unwrap_or(call.now);
            let last = times().max().unwrap_or(call.now);
            let is_new = talk.length == 0;
            let session = &mut talk.session;
            session.started_at = if is_new { first } else { session.started_at.min(first) };
            session.last_at = if is_new { last } else { session.last_at.max(last) };
            session.state = marked(session.state.0.take(), &terms.id.to_string(), &talk.new).into();
            batch = batch
                .expecting(Expect::SessionLength(id, talk.length))
                .with(Change::PutSession(Box::new(talk.session)));
            batch.changes.extend(talk.new.into_iter().map(|turn| Change::AppendTurn(Box::new(turn))));
        }
        batch
    }
}

impl Law<'_> {
    /// Refuses conversations of forgotten people, and conversations that contain one of their addresses.
    fn refuse(&self, subject: &SubjectRef, line: &ConversationLine) -> Result<(), Problem> {
        let latest = line.turns.iter().map(|turn| turn.at.unwrap_or(self.now)).max().unwrap_or(self.now);
        let texts: Vec<&str> = line.turns.iter().map(|turn| turn.text.as_str()).collect();
        Ok(self.barred.refuse_words(&[subject], &texts, latest)?)
    }

    /// Turns said before this moment are past their retention.
    fn limit(&self, subject: &SubjectRef) -> Option<Timestamp> {
        self.retention.record_days_of(subject).map(|days| self.now.plus(Days(-f64::from(days))))
    }
}

impl Continued {
    /// When a turn was said: never before the previous one, so that sorting by time keeps the order, and
    /// never in the future. A turn without a date gets the time of the previous one.
    fn moment(&self, at: Option<Timestamp>, now: Timestamp) -> Timestamp {
        let before = self.new.last().map(|turn| turn.at);
        let at = at.or(before).unwrap_or(now).min(now);
        before.map_or(at, |before| at.max(before))
    }

    /// Adds a turn unless it is already stored. A reply belongs to the exchange of the turn just before
    /// it.
    fn add(&mut self, turn: TurnLine, at: Timestamp, id_of: impl Fn(&TurnLine) -> TurnId) -> bool {
        let id = id_of(&turn);
        let speaker = match turn.speaker {
            TurnSpeaker::Subject => Speaker::Subject,
            TurnSpeaker::Persona => Speaker::Persona,
        };
        let before = self.last.take();
        let (exchange, parent) = match (speaker, before) {
            (Speaker::Persona, Some((Speaker::Subject, asked))) => (asked, None),
            (_, before) => (ExchangeId(id.0.simple().to_string()), before.map(|(_, exchange)| exchange)),
        };
        self.last = Some((speaker, exchange.clone()));
        if !self.known.insert(id) {
            return false;
        }
        let index = turn.index.filter(|index| *index >= self.next).unwrap_or(self.next);
        self.next = index + 1;
        self.new.push(Turn {
            id,
            session: self.session.id.clone(),
            exchange,
            parent,
            index,
            speaker,
            at,
            text: turn.text,
            state: TurnState::Whole,
            formation: Formation::NotDue,
            recall: None,
            model: None,
            formed: None,
        });
        true
    }
}

/// The session state, with the turns of this import recorded.
fn marked(state: Value, import: &str, new: &[Turn]) -> Value {
    let mut state = if state.is_object() { state } else { json!({}) };
    let turns: Vec<Value> = new.iter().map(|turn| Value::from(turn.id.to_string())).collect();
    if let Some(properties) = state.as_object_mut() {
        let imports = properties.entry(IMPORTS).or_insert_with(|| json!({}));
        if let Some(imports) = imports.as_object_mut() {
            let known = imports.entry(import).or_insert_with(|| json!([]));
            if let Some(known) = known.as_array_mut() {
                known.extend(turns);
            }
        }
    }
    state
}
