//! The conversations of one speaker: list, read, rename.
//!
//! A conversation belongs to the person it is with. Another person's conversation is reported as not found,
//! so that its existence stays hidden.

use std::cmp::Reverse;

use domain::{SessionId, SubjectRef, Text, Timestamp};
use store::{Batch, Change, Expect, Records, Scope, Session, Speaker, Turn, TurnState};
use wire::session::{
    CheckpointView, HistoryFilter, RenameSession, SessionAnswer, SessionFilter, SessionHistory, SessionList,
    SessionPage, SessionView, TurnSpeaker, TurnStanding, TurnView,
};
use wire::{Code, Pointed, Problem};

use super::without_refused::without_refused;
use crate::call::{Call, PersonaKey};
use crate::persona::registry::PersonaContext;
use crate::retry::retry_conflicts;
use crate::talk::converse::no_session;
use crate::{Engine, boxed};

/// The default page size.
const PAGE: usize = 50;
/// How much of the first message is used as the title of a conversation without one.
const TITLE: usize = 80;

impl Engine {
    /// A page of the speaker's conversations, latest first.
    #[boxed]
    pub async fn list_sessions(
        &self,
        call: &Call,
        key: &PersonaKey,
        asked: SessionFilter,
    ) -> Result<SessionPage, Problem> {
        let persona = self.find(call, key).await?;
        let speaker = self.speaker(call, &persona, asked.subject, None).await?;
        let mut sessions = self.sessions_of(&persona, speaker.subject).await?;
        if let Some(cursor) = &asked.cursor {
            let last = read_cursor(cursor)?;
            sessions.retain(|session| place(session) > last);
        }
        let limit = asked.limit.unwrap_or(PAGE);
        let more = sessions.len() > limit;
        sessions.truncate(limit);
        let next_cursor = sessions.last().filter(|_| more).map(write_cursor);
        Ok(SessionPage { data: self.session_views(&persona, sessions).await?, next_cursor })
    }

    /// All of the speaker's conversations, latest first.
    #[boxed]
    pub async fn prompt_sessions(
        &self,
        call: &Call,
        key: &PersonaKey,
        subject: Option<SubjectRef>,
    ) -> Result<SessionList, Problem> {
        let persona = self.find(call, key).await?;
        let speaker = self.speaker(call, &persona, subject, None).await?;
        let sessions = self.sessions_of(&persona, speaker.subject).await?;
        Ok(SessionList { sessions: self.session_views(&persona, sessions).await? })
    }

    /// A conversation with all its turns.
    #[boxed]
    pub async fn show_session(
        &self,
        call: &Call,
        key: &PersonaKey,
        id: &SessionId,
        asked: HistoryFilter,
    ) -> Result<SessionHistory, Problem> {
        let persona = self.find(call, key).await?;
        let session = self.own_session(call, &persona, asked.subject.clone(), id).await?;
        let turns = self.store.turns(&persona.entry.scope(), id).await?;
        let shown: Vec<&Turn> =
            turns.iter().filter(|turn| asked.include_superseded || stands(turn)).collect();
        let mut views: Vec<TurnView> = shown.iter().map(|turn| turn_view(turn)).collect();
        if asked.include_formation {
            let access = self.access(call, &persona, asked.subject).await?;
            let reports = self.formation_reports(&persona, &access, &shown, call.now).await?;
            for (view, report) in views.iter_mut().zip(reports) {
                view.formed = report;
            }
        }
        let checkpoint = session.checkpoint.as_ref();
        Ok(SessionHistory {
            checkpoint: checkpoint
                .map(|made| CheckpointView { through: made.through, text: made.text.clone() }),
            turns: views,
            session: session_view(session, &turns),
        })
    }

    /// Sets the title of a conversation, or removes it.
    #[boxed]
    pub async fn rename_session(
        &self,
        call: &Call,
        key: &PersonaKey,
        id: &SessionId,
        asked: RenameSession,
    ) -> Result<SessionAnswer, Problem> {
        if asked.title.as_ref().is_some_and(|title| title.trimmed().length() == 0) {
            let detail = "must have at least 1 character that isn't a space".to_owned();
            return Err(wire::read::invalid(vec![Pointed { pointer: "/title".to_owned(), detail }]));
        }
        let title = asked.title.map(|title| Text::new(recall::folded(title.as_str())));
        let persona = self.find(call, key).await?;
        self.own_session(call, &persona, asked.subject, id).await?;
        let session = self
            .update_session(&persona.entry.scope(), id, call.now, |session| {
                Some(Session { title: title.clone(), ..session })
            })
            .await?;
        let session = session.ok_or_else(|| no_session(id))?;
        let turns = self.store.turns(&persona.entry.scope(), id).await?;
        Ok(SessionAnswer { session: session_view(session, &turns) })
    }

    /// The conversation `id` of the speaker.
    pub(crate) async fn own_session(
        &self,
        call: &Call,
        persona: &PersonaContext,
        subject: Option<SubjectRef>,
        id: &SessionId,
    ) -> Result<Session, Problem> {
        let speaker = self.speaker(call, persona, subject, Some(id.clone())).await?;
        let known = self.store.session(&persona.entry.scope(), id).await?;
        known
            .filter(|session| Some(&session.subject) == speaker.subject.as_ref())
            .ok_or_else(|| no_session(id))
    }

    /// The conversations of `speaker`, latest first; none without a speaker.
    pub(crate) async fn sessions_of(
        &self,
        persona: &PersonaContext,
        speaker: Option<SubjectRef>,
    ) -> Result<Vec<Session>, Problem> {
        match speaker {
            Some(speaker) => {
                self.store.sessions(&persona.entry.scope(), Some(&speaker)).await.map_err(Problem::from)
            }
            None => Ok(Vec::new()),
        }
    }

    /// Stores a session changed by `change`, and retries after concurrent writes. Returns the stored session,
    /// or `None` if it is gone or `change` declines.
    pub(crate) async fn update_session(
        &self,
        scope: &Scope,
        id: &SessionId,
        now: Timestamp,
        change: impl Fn(Session) -> Option<Session>,
    ) -> Result<Option<Session>, Problem> {
        retry_conflicts(|| self.update_session_once(scope, id, now, &change)).await
    }

    async fn update_session_once(
        &self,
        scope: &Scope,
        id: &SessionId,
        now: Timestamp,
        change: impl Fn(Session) -> Option<Session>,
    ) -> Result<Option<Session>, Problem> {
        let revision = self.store.revision(scope).await?;
        let Some(session) = self.store.session(scope, id).await? else {
            return Ok(None);
        };
        let Some(changed) = change(session) else { return Ok(None) };
        let batch = Batch::at(now)
            .expecting(Expect::Revision(revision))
            .with(Change::PutSession(Box::new(changed.clone())));
        self.store.commit(scope, batch).await?;
        Ok(Some(changed))
    }

    async fn session_views(
        &self,
        persona: &PersonaContext,
        sessions: Vec<Session>,
    ) -> Result<Vec<SessionView>, Problem> {
        let mut views = Vec::with_capacity(sessions.len());
        for session in sessions {
            let turns = self.store.turns(&persona.entry.scope(), &session.id).await?;
            views.push(session_view(session, &turns));
        }
        Ok(views)
    }
}

/// Whether a turn is active.
pub(crate) fn stands(turn: &Turn) -> bool {
    turn.state != TurnState::Superseded
}

/// A turn as the API shows it.
pub(crate) fn turn_view(turn: &Turn) -> TurnView {
    TurnView {
        id: turn.id,
        index: turn.index,
        speaker: match turn.speaker {
            Speaker::Subject => TurnSpeaker::Subject,
            Speaker::Persona => TurnSpeaker::Persona,
        },
        at: turn.at,
        text: turn.text.clone(),
        state: match turn.state {
            TurnState::Whole => TurnStanding::Whole,
            TurnState::Interrupted => TurnStanding::Interrupted,
            TurnState::Superseded => TurnStanding::Superseded,
        },
        recall_id: turn.recall,
        model: turn.model.clone(),
        exchange_id: Some(turn.exchange.0.clone()).filter(|id| !id.is_empty()),
        formed: None,
    }
}

/// The title of a conversation, or its first words.
pub(crate) fn title_of(session: &Session, turns: &[Turn]) -> Option<Text> {
    let began = || {
        let mut said = turns.iter().filter(|turn| turn.speaker == Speaker::Subject && stands(turn));
        let first = said.find_map(|turn| without_refused(turn, turns, ""))?;
        let line = recall::folded(&first);
        let words: String = line.chars().take(TITLE).collect();
        Some(Text::new(if words == line { words } else { format!("{}…", words.trim_end()) }))
    };
    session.title.clone().or_else(began)
}

fn session_view(session: Session, turns: &[Turn]) -> SessionView {
    let current = turns.iter().filter(|turn| stands(turn)).count();
    SessionView {
        title: title_of(&session, turns),
        turns: u32::try_from(current).unwrap_or(u32::MAX),
        id: session.id,
        subject: session.subject,
        started_at: session.started_at,
        last_at: session.last_at,
    }
}

/// The sort key of a conversation.
fn place(session: &Session) -> (Reverse<Timestamp>, SessionId) {
    (Reverse(session.last_at), session.id.clone())
}

fn write_cursor(last: &Session) -> String {
    format!("{}.{}", last.last_at.as_millis(), last.id)
}

fn read_cursor(text: &str) -> Result<(Reverse<Timestamp>, SessionId), Problem> {
    let parse = || {
        let (at, id) = text.split_once('.')?;
        Some((Reverse(Timestamp::from_millis(at.parse().ok()?)), id.parse().ok()?))
    };
    let unknown =
        || Problem::new(Code::ValidationFailed, "the cursor is not one of this list; start without it");
    parse().ok_or_else(unknown)
}
