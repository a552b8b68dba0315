//! `GET /v1/personas/{p}/export/conversations`: conversations in the format that `import` reads.

use store::{Records, Session, Speaker, Turn};
use wire::Problem;
use wire::session::TurnSpeaker;
use wire::transfer::{ConversationLine, ConversationPage, ExportConversations, TurnLine};

use crate::call::{Call, PersonaKey};
use crate::talk::sessions::stands;
use crate::{Engine, boxed};

/// How many conversations one page holds.
const PAGE: usize = 20;

impl Engine {
    /// A page of all conversations that the caller may see, by start time.
    #[boxed]
    pub async fn export_conversations(
        &self,
        call: &Call,
        key: &PersonaKey,
        asked: ExportConversations,
    ) -> Result<ConversationPage, Problem> {
        let persona = self.find(call, key).await?;
        let access = self.access(call, &persona, None).await?;
        let scope = persona.entry.scope();
        let mut sessions = match access.reach {
            domain::Reach::Owner | domain::Reach::Admin => self.store.sessions(&scope, None).await?,
            domain::Reach::Subject => self.sessions_of(&persona, access.listener.subject.clone()).await?,
        };
        sessions.sort_by(|a, b| (a.started_at, &a.id).cmp(&(b.started_at, &b.id)));
        let start = asked.cursor.unwrap_or(0);
        let mut lines = Vec::new();
        for session in sessions.iter().skip(start).take(PAGE) {
            let turns = self.store.turns(&scope, &session.id).await?;
            let turns: Vec<TurnLine> = turns
                .into_iter()
                .filter(|turn| stands(turn) && turn.text.length() > 0)
                .map(turn_line)
                .collect();
            if !turns.is_empty() {
                lines.push(conversation_line(session, turns));
            }
        }
        let next = start + PAGE;
        Ok(ConversationPage { lines, next_cursor: (next < sessions.len()).then_some(next) })
    }
}

fn conversation_line(session: &Session, turns: Vec<TurnLine>) -> ConversationLine {
    ConversationLine {
        id: session.id.to_string(),
        source: "selfhood".to_owned(),
        title: session.title.clone(),
        subject: Some(session.subject.clone()),
        turns,
    }
}

fn turn_line(turn: Turn) -> TurnLine {
    TurnLine {
        id: turn.id.to_string(),
        speaker: match turn.speaker {
            Speaker::Subject => TurnSpeaker::Subject,
            Speaker::Persona => TurnSpeaker::Persona,
        },
        at: Some(turn.at),
        text: turn.text,
        index: Some(turn.index),
    }
}
