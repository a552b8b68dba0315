//! The headers of an OpenAI request: speaker, conversation, tier.

use axum::http::HeaderMap;
use domain::{InvalidId, SessionId, SubjectRef};
use engine::{Call, Engine};
use wire::{Code, Problem};

use super::super::identity::named_in_body;

/// A request's headers, and what is needed to evaluate them.
#[derive(Clone, Copy)]
pub(in crate::http) struct Envelope<'a> {
    pub(in crate::http) headers: &'a HeaderMap,
    pub(in crate::http) call: &'a Call,
    pub(in crate::http) engine: &'a Engine,
}

/// The names in the body of a request.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::http) struct NamedInBody<'a> {
    /// The speaker, by each field that may name one; the first that isn't empty counts.
    pub(in crate::http) speakers: [Option<&'a str>; 2],
    /// The conversation.
    pub(in crate::http) session: Option<&'a str>,
}

impl<'a> Envelope<'a> {
    /// The speaker, if the body names one and no header does.
    pub(in crate::http) async fn subject(
        &self,
        named: &NamedInBody<'_>,
    ) -> Result<Option<SubjectRef>, Problem> {
        let named =
            named.speakers.iter().flatten().map(|named| named.trim()).filter(|named| !named.is_empty());
        let mut speaker = None;
        // Every name is checked, though the first one counts: none may contradict the key.
        for (place, name) in named.enumerate() {
            let checked = named_in_body(self.engine, self.call, name).await?;
            if place == 0 {
                speaker = checked;
            }
        }
        Ok(speaker)
    }

    /// The conversation, if the client names it.
    pub(in crate::http) fn session(&self, body: &NamedInBody<'_>) -> Result<Option<SessionId>, Problem> {
        let named = self.header("x-openwebui-chat-id").or_else(|| self.header("x-conversation-id"));
        let named = named.or(body.session).filter(|named| !named.is_empty());
        named.map(|named| named.parse().map_err(|rule| unreadable("the conversation", &rule))).transpose()
    }

    /// The tier, if the client names one.
    pub(in crate::http) fn tier(&self) -> Result<Option<u8>, Problem> {
        let Some(written) = self.header("x-context-tier") else { return Ok(None) };
        match written.parse() {
            Ok(tier @ 1..=4) => Ok(Some(tier)),
            Ok(_) | Err(_) => {
                Err(Problem::new(Code::ValidationFailed, "`X-Context-Tier` must be 1, 2, 3 or 4"))
            }
        }
    }

    pub(in crate::http) fn header(&self, name: &str) -> Option<&'a str> {
        self.headers.get(name)?.to_str().ok().map(str::trim)
    }
}

fn unreadable(what: &str, rule: &InvalidId) -> Problem {
    Problem::new(Code::ValidationFailed, format!("{what} is invalid: {rule}"))
}
