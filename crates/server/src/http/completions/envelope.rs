//! What comes around an OpenAI client's request: who is speaking, in which conversation, how deep.

use axum::http::HeaderMap;
use domain::{InvalidId, SessionId, SubjectRef};
use engine::{Call, Engine, Record};
use wire::openai::CompleteChat;
use wire::{Code, Problem};

use super::super::identity::named_in_body;

/// A request's headers, and what is needed to judge them.
#[derive(Clone, Copy)]
pub(super) struct Envelope<'a> {
    pub(super) headers: &'a HeaderMap,
    pub(super) call: &'a Call,
    pub(super) engine: &'a Engine,
}

impl<'a> Envelope<'a> {
    /// Who is speaking, if the body says so and no header does.
    pub(super) async fn subject(&self, request: &CompleteChat) -> Result<Option<SubjectRef>, Problem> {
        let named = request.safety_identifier.as_deref().or(request.user.as_deref());
        match named.map(str::trim).filter(|named| !named.is_empty()) {
            Some(named) => named_in_body(self.engine, self.call, named).await,
            None => Ok(None),
        }
    }

    /// The conversation, if the client names it.
    pub(super) fn session(&self, request: &CompleteChat) -> Result<Option<SessionId>, Problem> {
        let in_metadata = || request.metadata.as_ref()?.get("session_id")?.as_str();
        let named = self.header("x-openwebui-chat-id").or_else(|| self.header("x-conversation-id"));
        let named = named.or_else(in_metadata).filter(|named| !named.is_empty());
        named.map(|named| named.parse().map_err(|rule| unreadable("the conversation", &rule))).transpose()
    }

    /// How much of the persona's files to load, if the client says.
    pub(super) fn tier(&self) -> Result<Option<u8>, Problem> {
        let Some(written) = self.header("x-context-tier") else { return Ok(None) };
        match written.parse() {
            Ok(tier @ 1..=4) => Ok(Some(tier)),
            Ok(_) | Err(_) => {
                Err(Problem::new(Code::ValidationFailed, "`X-Context-Tier` must be 1, 2, 3 or 4"))
            }
        }
    }

    /// Whether the client asks to leave nothing anywhere.
    pub(super) fn record(&self) -> Option<Record> {
        let asked = self.header("x-off-the-record").is_some_and(|value| !matches!(value, "0" | "false"));
        asked.then_some(Record::Off)
    }

    pub(super) fn header(&self, name: &str) -> Option<&'a str> {
        self.headers.get(name)?.to_str().ok().map(str::trim)
    }
}

fn unreadable(what: &str, rule: &InvalidId) -> Problem {
    Problem::new(Code::ValidationFailed, format!("{what} can't be called that: {rule}"))
}
