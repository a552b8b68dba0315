//! Shortens long conversations for the model: once there are too many turns or tokens, a summary of the older
//! half becomes the session's checkpoint.
//!
//! The turns themselves stay in the record and in the history; only prompts use the checkpoint in their
//! place. When a summary fails, nothing changes and the next exchange tries again.

mod extract;

use std::borrow::Cow;
use std::fmt::Write as _;

use domain::{SessionId, Text, Timestamp, Tokens};
use llm::{Backend, Complete, Message, Model, Request};
use store::{Records, Session, SessionCheckpoint, Speaker, Turn};
use wire::Problem;

use crate::Engine;
use crate::persona::registry::PersonaContext;
use crate::talk::converse::{Role, is_covered};
use crate::talk::sessions::stands;
use crate::talk::without_refused::without_refused;
use extract::{TranscriptLine, Voice, extract};

/// A conversation with more turns, or more tokens, than this is condensed.
const MOST_TURNS: usize = 20;
const MOST_TOKENS: u32 = 12_000;
/// Turns that are never condensed: the last message and its answer.
const LATEST: usize = 2;
/// A shorter summary is rejected.
const SHORTEST: usize = 80;
/// The longest summary, in tokens.
const SUMMARY_TOKENS: u32 = 800;
const INSTRUCTION: &str = include_str!("compact/SUMMARY.md");

impl Engine {
    /// Condenses the older half of a conversation if it has grown long.
    pub(crate) async fn compact_session(
        &self,
        persona: &PersonaContext,
        id: &SessionId,
        now: Timestamp,
    ) -> Result<(), Problem> {
        let scope = persona.entry.scope();
        let Some(session) = self.store.session(&scope, id).await? else {
            return Ok(());
        };
        let mut turns = self.store.turns(&scope, id).await?;
        turns.retain(|turn| stands(turn) && !is_covered(&session, turn));
        let Some((older, last)) = older_half(&turns) else { return Ok(()) };
        let talk = Talk { persona, session: &session, older };
        let role = self.role(&persona.entry.tenant, None).await?;
        let text = match role.backend.as_ref() {
            Backend::Offline => Some(talk.extracted(last.index)),
            Backend::Model(model) => talk.summarised(model, &role, last.index).await,
        };
        let Some(text) = text else { return Ok(()) };
        let made = SessionCheckpoint { through: last.index, text: Text::new(text) };
        // A turn deleted in the meantime must not come back in the summary.
        let since = self.store.turns(&scope, id).await?;
        let still_stands = |old: &Turn| since.iter().any(|turn| turn.id == old.id && stands(turn));
        if !older.iter().all(still_stands) {
            return Ok(());
        }
        let is_as_seen = |now: &Session| now.checkpoint == session.checkpoint;
        self.update_session(&scope, id, now, |session| {
            is_as_seen(&session).then(|| Session { checkpoint: Some(made.clone()), ..session })
        })
        .await?;
        Ok(())
    }
}

/// The turns to condense and the last of them, if there are enough.
fn older_half(turns: &[Turn]) -> Option<(&[Turn], &Turn)> {
    let characters: usize = turns.iter().map(|turn| turn.text.length()).sum();
    if turns.len() <= MOST_TURNS && Tokens::of_characters(characters).0 <= MOST_TOKENS {
        return None;
    }
    // A question and its answer stay together.
    let most = turns.len().saturating_sub(LATEST);
    let ends_exchange = |count: &usize| turns.get(*count).is_none_or(|next| next.speaker == Speaker::Subject);
    let count = (turns.len() / 2..=most).find(ends_exchange)?;
    let older = turns.get(..count)?;
    older.last().map(|last| (older, last))
}

/// The part of a conversation that is condensed.
struct Talk<'a> {
    persona: &'a PersonaContext,
    session: &'a Session,
    older: &'a [Turn],
}

impl Talk<'_> {
    /// Its most informative sentences, under a heading.
    fn extracted(&self, through: u32) -> String {
        let identity = &self.persona.loaded.document.identity;
        let texts = self.texts();
        let said: Vec<TranscriptLine<'_>> = self
            .older
            .iter()
            .zip(&texts)
            .filter_map(|(turn, text)| {
                Some(TranscriptLine {
                    name: self.name(turn.speaker),
                    by: if turn.speaker == Speaker::Subject { Voice::Person } else { Voice::Persona },
                    text: text.as_deref()?,
                })
            })
            .collect();
        let mut lines = self.lines_before();
        lines.extend(extract(&said, &identity.language));
        let heading = format!(
            "(An extract of turns 0 to {through}: their most telling sentences, word for word. No language \
             model was asked.)"
        );
        [&[heading][..], &newest(lines)].concat().join("\n")
    }

    /// A model's summary; `None` if it fails or the answer can't be a summary.
    async fn summarised(&self, model: &Model, role: &Role, through: u32) -> Option<String> {
        let transcript = self.transcript();
        let request = Request {
            system: INSTRUCTION.into(),
            messages: vec![Message::User(transcript.as_str().into())],
            max_tokens: Some(SUMMARY_TOKENS),
            temperature: Some(0.0),
            ..Request::default()
        };
        let summary = match model.complete(&request).await {
            Ok(answer) => answer.text,
            Err(error) => {
                tracing::warn!(%error, "a long conversation was not condensed");
                return None;
            }
        };
        let lines: Vec<String> = summary
            .as_str()
            .lines()
            .filter(|line| !line.trim().is_empty())
            .map(recall::on_one_line)
            .collect();
        let summary = lines.join("\n");
        let length = summary.chars().count();
        if length < SHORTEST || length >= transcript.chars().count() {
            tracing::warn!(length, "a summary was refused; the conversation stays as it is");
            return None;
        }
        Some(format!("(A summary of turns 0 to {through} by {}.)\n{summary}", role.model_name))
    }

    fn transcript(&self) -> String {
        let mut text = String::new();
        if let Some(before) = &self.session.checkpoint {
            let _ = writeln!(text, "Notes of an even older part:\n{}\n", before.text.as_str());
        }
        for (turn, said) in self.older.iter().zip(self.texts()) {
            if let Some(said) = said {
                let _ = writeln!(text, "{}: {said}", self.name(turn.speaker));
            }
        }
        text
    }

    /// The texts of the older turns, without what was refused as sensitive.
    fn texts(&self) -> Vec<Option<Cow<'_, str>>> {
        let language = &self.persona.loaded.document.identity.language;
        self.older.iter().map(|turn| without_refused(turn, self.older, language)).collect()
    }

    /// The lines of the current checkpoint, without its heading.
    fn lines_before(&self) -> Vec<String> {
        let before = self.session.checkpoint.as_ref();
        let lines = before.map(|made| made.text.as_str().lines().skip(1).map(str::to_owned).collect());
        lines.unwrap_or_default()
    }

    fn name(&self, speaker: Speaker) -> &str {
        match speaker {
            Speaker::Persona => &self.persona.loaded.document.identity.display_name,
            Speaker::Subject if self.session.subject.is_owner() => "Owner",
            Speaker::Subject => "Guest",
        }
    }
}

/// The last of `lines` that fit into twice the size of an extract: the oldest are dropped.
fn newest(lines: Vec<String>) -> Vec<String> {
    let mut room = 2 * extract::ROOM;
    let fits = |line: &String| {
        let is_room = line.len() <= room;
        room = room.saturating_sub(line.len());
        is_room
    };
    let mut kept: Vec<String> = lines.into_iter().rev().take_while(fits).collect();
    kept.reverse();
    kept
}
