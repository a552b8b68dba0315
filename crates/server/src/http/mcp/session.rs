//! One MCP request after it was let in, and how its tools reach the verbs.

use std::sync::atomic::{AtomicU32, Ordering};

use axum::body::Bytes;
use axum::http::HeaderMap;
use axum::http::request::Parts;
use domain::{ConsentBasis, PrivacyClass, SubjectRef, Text, Timestamp};
use engine::{Call, Identity, PersonaKey, RequestKey};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use wire::agent::AgentTransport;
use wire::fields;
use wire::fields::Fields;
use wire::file::OfPersona;
use wire::key::Speaks;
use wire::persona::PersonaList;
use wire::route::{KeyRequirement, ROUTES, Retry};
use wire::rpc::Request;
use wire::verb::{self, Verb};
use wire::{Code, Problem};

use super::super::admit::{check_concern, not_covered};
use super::super::refusal::Refusal;
use super::super::request_context::{Content, RequestContext};
use super::super::{Entrance, handlers, idempotency, identity};
use super::era::{CLIENT_INFO, Era, MODERN, Transport, WITH_HANDSHAKE};
use super::header;
use crate::agents::{AgentRequest, ClientInfo};

/// Where a request names whom it speaks for, if its key forwards identities.
const SUBJECT: &str = "selfhood/subject";
/// Where a request makes sure that it is done once.
const ONCE: &str = "selfhood/idempotencyKey";

/// One request.
pub(super) struct Session {
    entrance: Entrance,
    call: Call,
    /// The persona it is about, by name or id.
    pub(super) persona: String,
    /// Whether the client can ask its user, in a revision whose answers have no questions.
    pub(super) can_ask: bool,
    /// What makes sure that it is done once.
    once: Option<String>,
    /// How many verbs were asked for that change something: each is a request of its own.
    changes: AtomicU32,
}

/// What the verb `V` is asked.
pub(super) struct Ask<'a, V: Verb> {
    /// The parameters of its path besides the persona.
    pub(super) path: &'a [(&'a str, &'a str)],
    /// Its query.
    pub(super) query: Option<Fields<V::Query>>,
    /// Its body.
    pub(super) body: Option<Fields<V::Request>>,
    /// The headers it reads.
    pub(super) headers: HeaderMap,
}

impl<V: Verb> Default for Ask<'_, V> {
    fn default() -> Self {
        Self { path: &[], query: None, body: None, headers: HeaderMap::new() }
    }
}

/// What a memory is to say.
pub(super) struct Words {
    pub(super) said: Text,
    pub(super) labels: Text,
}

impl Words {
    /// A sentence with its particulars, and its labels.
    pub(super) fn of(gist: Option<&Text>, details: &[Text], labels: &[Text]) -> Self {
        let gist = gist.map(|gist| gist.as_str().trim_end_matches(['.', '!', '?']));
        let said: Vec<&str> = gist.into_iter().chain(details.iter().map(Text::as_str)).collect();
        let labels: Vec<&str> = labels.iter().map(Text::as_str).collect();
        Self { said: Text::new(said.join(", ")), labels: Text::new(labels.join("\n")) }
    }
}

impl Session {
    /// The session of `call`, about the persona that the path names, or the only one there is for its key.
    pub(super) async fn open(
        entrance: &Entrance,
        call: Call,
        persona: Option<&str>,
        request: &Request,
        head: &Parts,
    ) -> Result<Self, Refusal> {
        let meta = request.params.get("_meta").and_then(Value::as_object);
        let text = |name: &str| meta.and_then(|meta| meta.get(name)).and_then(Value::as_str);
        let mut call = call;
        if let Some(named) = text(SUBJECT)
            && let Some(subject) = identity::named_in_body(&entrance.state.engine, &call, named).await?
        {
            call.caller.identity = Identity::Claimed(Some(subject));
        }
        let once = text(ONCE).or_else(|| header(head, "idempotency-key")).map(once_key).transpose()?;
        let mut session = Self {
            entrance: entrance.clone(),
            call,
            persona: persona.unwrap_or_default().to_owned(),
            once,
            changes: AtomicU32::new(0),
            can_ask: false,
        };
        if persona.is_none() {
            session.persona = session.only_persona().await?;
        }
        Ok(session)
    }

    /// The query of a verb about the files of the persona.
    pub(super) fn files(&self) -> Fields<OfPersona> {
        fields!(OfPersona { persona: Some(self.persona.as_str()) })
    }

    /// Whether the caller speaks for the owner.
    pub(super) fn is_owner(&self) -> bool {
        self.call.caller.speaks == Speaks::Owner
    }

    /// Whom the caller speaks for.
    pub(super) fn speaker(&self) -> Result<SubjectRef, Problem> {
        let named = match &self.call.caller.identity {
            Identity::Claimed(named) | Identity::Signed(named) => named.clone(),
            Identity::Bound(bound) => Some(bound.clone()),
        };
        let owner = || self.is_owner().then(SubjectRef::owner);
        named.or_else(owner).ok_or_else(|| {
            let detail = "nobody is named as the speaker; use a key that is bound to one (`selfhood key new \
                          --subject`), or send `_meta[\"selfhood/subject\"]`";
            Problem::new(Code::SubjectRequired, detail)
        })
    }

    /// Notes which agent this is, for its owner to see.
    pub(super) fn note_agent(&self, request: &Request, transport: Transport, era: &Era) {
        let text = |value: Option<&'_ Value>| value.and_then(Value::as_str).map(str::to_owned);
        let info = match era {
            Era::Handshake => request.params.get("clientInfo").filter(|_| request.method == "initialize"),
            Era::Stateless(_) => request.params.get("_meta").and_then(|meta| meta.get(CLIENT_INFO)),
        };
        let revision = match era {
            Era::Handshake => text(request.params.get("protocolVersion")),
            Era::Stateless(_) => Some(MODERN.to_owned()),
        };
        let spoken = WITH_HANDSHAKE.into_iter().chain([MODERN]).find(|own| Some(*own) == revision.as_deref());
        let name = info.and_then(|info| info.get("name")).and_then(Value::as_str);
        let version = info.and_then(|info| info.get("version")).and_then(Value::as_str);
        let [latest, ..] = WITH_HANDSHAKE;
        let client = name.map(|name| ClientInfo { name, version, revision: spoken.unwrap_or(latest) });
        let caller = &self.call.caller;
        self.entrance.state.agents.note(&AgentRequest {
            tenant: &caller.tenant,
            key: caller.key.as_deref(),
            persona: &self.persona,
            transport: match transport {
                Transport::Stdio => AgentTransport::Stdio,
                Transport::Http => AgentTransport::Http,
            },
            client,
            now: self.call.now,
        });
    }

    /// The call, as its verbs get it.
    pub(super) fn call(&self) -> &Call {
        &self.call
    }

    /// When the request came.
    pub(super) fn now(&self) -> Timestamp {
        self.call.now
    }

    /// The seal of `fields` for this caller and persona.
    pub(super) fn seal(&self, purpose: &str, fields: &[&str]) -> [u8; 32] {
        self.entrance.state.engine.seal(&self.call, purpose, &[&[self.persona.as_str()][..], fields].concat())
    }

    /// Whether `seal` is the seal of `fields`.
    pub(super) fn is_sealed(&self, purpose: &str, fields: &[&str], seal: &[u8]) -> bool {
        let fields = [&[self.persona.as_str()][..], fields].concat();
        self.entrance.state.engine.is_sealed(&self.call, purpose, &fields, seal)
    }

    /// The class of what an agent wants kept, at least `least`, and the consent it rests on. The agent's own opinion can
    /// only make it stricter.
    pub(super) async fn classified(
        &self,
        words: Words,
        least: PrivacyClass,
    ) -> Result<(PrivacyClass, ConsentBasis), Problem> {
        let engine = &self.entrance.state.engine;
        let key: PersonaKey = self.persona.parse().map_err(|rule| {
            Problem::new(Code::PersonaNotFound, format!("`{}` names no persona: {rule}", self.persona))
        })?;
        let class = engine.class_of_words(&self.call, &key, words.said, words.labels).await?.max(least);
        Ok((class, engine.consent_basis_of(class)))
    }

    /// Asks for the verb `V` and reads its answer.
    pub(super) async fn ask<V>(&self, ask: Ask<'_, V>) -> Result<V::Answer, Problem>
    where
        V: Verb,
        V::Answer: DeserializeOwned,
    {
        let answer = self.answer::<V>(ask).await?;
        serde_json::from_value(answer).map_err(|error| {
            Problem::new(Code::Internal, format!("`{}` answers something else: {error}", V::NAME))
        })
    }

    /// The answer of the verb `V`, under the same laws as on its own route.
    pub(super) async fn answer<V: Verb>(&self, ask: Ask<'_, V>) -> Result<Value, Problem> {
        let verb = V::NAME;
        let internal = || Problem::new(Code::Internal, format!("there is no verb `{verb}`"));
        let route = ROUTES.iter().find(|route| route.verb == verb).ok_or_else(internal)?;
        let handler = handlers::handler(verb).ok_or_else(internal)?;
        if !self.call.caller.may(route.scope) {
            return Err(not_covered(&self.call.caller, route.scope).problem);
        }
        check_concern(route, &self.call)?;
        identity::check_record(route, &self.call)?;
        let body = ask.body.map(|body| serde_json::to_vec(&body).unwrap_or_default()).unwrap_or_default();
        let query = ask.query.map_or(Value::Null, |query| Value::Object(query.into_object()));
        let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let mut path: Vec<(String, String)> = ask.path.iter().map(own).collect();
        path.push(("p".to_owned(), self.persona.clone()));
        let once = match (route.retry(), route.once) {
            (Retry::Harmless, _) => None,
            (Retry::NeedsKey, KeyRequirement::Always) => {
                self.numbered_key().or_else(|| Some(self.fresh_key()))
            }
            (Retry::NeedsKey, KeyRequirement::IfAsked) => self.numbered_key(),
        };
        let described = || format!("mcp {verb} {path:?} {query}").into_bytes();
        let request = once.map(|key| RequestKey { key, content: [described(), body.clone()].concat() });
        let (engine, state) = (self.entrance.state.engine.clone(), self.entrance.state.clone());
        let call = Call { request, ..self.call.clone() };
        let query = if query.is_null() { json!({}) } else { query };
        let body = Bytes::from(body);
        let context =
            RequestContext { engine, call, path, query, body, headers: ask.headers, state, connection: None };
        let answer = idempotency::run_once(route, handler, context).await?;
        match answer.content {
            Content::Json(json) => serde_json::from_slice(&json)
                .map_err(|error| Problem::new(Code::Internal, format!("`{verb}` answers no JSON: {error}"))),
            Content::Nothing | Content::Stream(_) => Ok(Value::Null),
        }
    }

    /// The client's key with the number of the change: one call may change several things, each of them once.
    fn numbered_key(&self) -> Option<String> {
        let number = self.changes.fetch_add(1, Ordering::Relaxed);
        self.once.as_ref().map(|key| format!("{key}/{number}"))
    }

    fn fresh_key(&self) -> String {
        format!("mcp-{}", self.entrance.state.ids.name(&HeaderMap::new()))
    }

    async fn only_persona(&self) -> Result<String, Problem> {
        let PersonaList { personas, .. } = self.ask::<verb::ListPersonas>(Ask::default()).await?;
        if let [only] = personas.as_slice() {
            Ok(only.id.to_string())
        } else {
            let detail = "this key opens several personas or none; name one in the path, such as `/mcp/nora`, or \
                          use a key that is bound to one (`selfhood key new --persona`)";
            Err(Problem::new(Code::PersonaNotFound, detail))
        }
    }
}

/// A key as `Idempotency-Key` takes it, with room for a number.
fn once_key(key: &str) -> Result<String, Problem> {
    let is_fit = (1..=200).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic());
    let unfit = || {
        let detail = format!("`{ONCE}` must be 1 to 200 visible ASCII characters");
        Problem::new(Code::IdempotencyKeyRequired, detail)
    };
    is_fit.then(|| key.to_owned()).ok_or_else(unfit)
}
