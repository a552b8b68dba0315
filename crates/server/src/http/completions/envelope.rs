//! What comes around an OpenAI client's request: who is speaking, in which conversation, how deep.

use axum::http::HeaderMap;
use domain::{InvalidId, SessionId, SubjectRef};
use engine::{Call, Record};
use serde::Deserialize;
use vault::shared_secret::SharedSecret;
use wire::key::Speaks;
use wire::openai::CompleteChat;
use wire::{Code, Problem};

/// A request's headers, and what is needed to believe them.
#[derive(Clone, Copy)]
pub(super) struct Envelope<'a> {
    pub(super) headers: &'a HeaderMap,
    pub(super) call: &'a Call,
    /// What Open WebUI signs its users' names with.
    pub(super) secret: Option<&'a SharedSecret>,
}

/// What a signed header says of its user.
#[derive(Deserialize)]
struct Claims {
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    sub: Option<String>,
    /// Until when it holds, in seconds.
    exp: f64,
    /// From when, if it says so.
    #[serde(default)]
    nbf: Option<f64>,
}

impl<'a> Envelope<'a> {
    /// Who is speaking, for keys that forward it; an owner key speaks for the owner alone.
    pub(super) fn subject(&self, request: &CompleteChat) -> Result<Option<SubjectRef>, Problem> {
        if self.call.caller.speaks == Speaks::Owner {
            return Ok(None);
        }
        let vouched = self.header("x-openwebui-user-jwt").map(|token| self.vouched(token)).transpose()?;
        let told = self.header("x-openwebui-user-id").or_else(|| self.header("x-user-id"));
        let told = told.or(request.safety_identifier.as_deref()).or(request.user.as_deref());
        let named = vouched.as_deref().or(told).map(str::trim).filter(|named| !named.is_empty());
        named.map(|named| named.parse().map_err(|rule| unreadable("the speaker", &rule))).transpose()
    }

    /// The user a signed header vouches for. One that can't be believed is refused, not passed over:
    /// whoever sent it meant somebody.
    fn vouched(&self, token: &str) -> Result<String, Problem> {
        let secret = self.secret.ok_or_else(|| {
            unbelieved(
                "can't be checked; give `SELFHOOD_OPENWEBUI_JWT_SECRET` the secret Open WebUI signs with",
            )
        })?;
        let claims = secret.verify(token).map_err(|why| unbelieved(&why.to_string()))?;
        let claims: Claims =
            serde_json::from_slice(&claims).map_err(|_| unbelieved("does not say until when it holds"))?;
        let now = seconds(self.call.now);
        if claims.exp <= now || claims.nbf.is_some_and(|from| from > now) {
            return Err(unbelieved("does not hold at this time; check both machines' clocks"));
        }
        let named = claims.id.or(claims.sub).filter(|named| !named.trim().is_empty());
        named.ok_or_else(|| unbelieved("names nobody in `id` or `sub`"))
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

#[expect(clippy::cast_precision_loss, reason = "seconds of a date are exact in a double")]
fn seconds(time: domain::Timestamp) -> f64 {
    time.as_millis() as f64 / 1000.0
}

fn unbelieved(why: &str) -> Problem {
    Problem::new(Code::Unauthorized, format!("`X-OpenWebUI-User-Jwt` {why}"))
}

fn unreadable(what: &str, rule: &InvalidId) -> Problem {
    Problem::new(Code::ValidationFailed, format!("{what} can't be called that: {rule}"))
}
