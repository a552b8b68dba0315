//! The MCP door: `/mcp/{persona}`, for agents that speak the Model Context Protocol.
//!
//! Both eras of the protocol are answered on one endpoint ([`era`]), and neither leaves a session behind between two
//! requests, so any node of a deployment answers any of them; what a session's client can do stands in the session's id
//! ([`asking`]). A request passes the same checks as every other (name, origin, key, pace, size), and a tool is a verb
//! of the one list of routes ([`session`]), so scopes, audience, audit and idempotency hold here because they hold
//! there.

mod era;
mod schema;
mod session;
mod tool;
mod question;
mod memory_tools;
mod reference;
mod file_tools;
mod admin_tools;
#[cfg(feature = "conformance")]
mod conformance;
mod profile;
mod prompts;
mod resources;
mod dispatch;
mod asking;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::MethodRouter;
use engine::{Call, Caller};
use serde_json::Value;
use wire::key::KeyScope;
use wire::route::Route;
use wire::rpc::{self, Message, RpcError};
use wire::{Code, Problem};

use super::admit::{admit, request_permit};
use super::answer::{HeldLimits, path, work};
use super::key_bound::key_bound;
use super::refusal::Refusal;
use super::request_context::{Answer, Content, HandlerFuture, Stream, StreamPermit};
use super::{Entrance, EntranceKind, body, identity, wrong_method};
use crate::connections::ConnectionUse;
use crate::guarded_body::guarded;
use era::{Era, Transport};
use profile::Profile;
use session::Session;

/// The header by which the command line says, at the machine itself, whom an agent speaks for.
pub const SUBJECT_HEADER: &str = "x-selfhood-subject";

/// The header by which the command line says that it can pass on a question to the client's person.
pub const ASKING_HEADER: &str = "x-selfhood-can-ask";

/// The endpoint, as far as it is a route like the others.
static MCP: Route = Route {
    method: "POST",
    path: "/mcp/{p}",
    verb: "mcp",
    summary: "Answers a message of the Model Context Protocol.",
    scope: KeyScope::Read,
    status: 200,
    request: Some(wire::schema::of::<wire::mcp::NoInput>),
    body: wire::route::Body::Needed,
    query: None,
    answer: None,
    once: wire::route::KeyRequirement::IfAsked,
    reads_only: true,
    speech: wire::route::Speech::Whole,
    by_speaker: true,
    off_record: wire::route::OffRecord::Supported,
};

pub(crate) fn router() -> Router<Entrance> {
    let methods = || MethodRouter::new().fallback(wrong_method("POST".to_owned())).post(endpoint);
    Router::new().route("/mcp", methods()).route("/mcp/{p}", methods()).route("/mcp/{p}/{profile}", methods())
}

/// What is sent back.
struct Reply {
    status: StatusCode,
    body: Option<Value>,
}

impl Reply {
    fn accepted() -> Self {
        Self { status: StatusCode::ACCEPTED, body: None }
    }

    fn refused(status: StatusCode, error: RpcError) -> Self {
        Self { status, body: Some(error.into_answer()) }
    }
}

impl IntoResponse for Reply {
    fn into_response(self) -> Response {
        match self.body {
            None => self.status.into_response(),
            Some(body) => {
                let json = serde_json::to_vec(&body).unwrap_or_default();
                (self.status, [(CONTENT_TYPE, "application/json")], json).into_response()
            }
        }
    }
}

async fn endpoint(State(entrance): State<Entrance>, request: Request) -> Result<Response, Refusal> {
    let (mut head, content) = request.into_parts();
    let now = entrance.state.now();
    let caller = spoken_for(&entrance, &head.headers, admit(&entrance, MCP.scope, &head, now).await?)?;
    let path = path(&mut head).await?;
    let connection = head.extensions.get::<ConnectionUse>().cloned();
    let mut budget = match entrance.kind {
        EntranceKind::Private { .. } => None,
        EntranceKind::Public(_) => Some(body::Budget::of(&entrance.state.body_bytes, &caller)),
    };
    let sender = body::Sender { budget: budget.as_mut(), connection: connection.as_ref() };
    let body = body::read(&MCP, &head.headers, content, &entrance.limits(), sender).await?;
    let in_use = HeldLimits::new(request_permit(&entrance, &caller)?, budget.map(|budget| budget.place));
    let call = Call { caller, now, request: None };
    let secret = entrance.state.user_secret.as_ref();
    let call = identity::identify(&entrance.state.engine, call, &head.headers, secret).await?;
    let request = match rpc::read(&body) {
        Ok(Message::Request(request)) => request,
        Ok(Message::Notification { .. }) => return Ok(Reply::accepted().into_response()),
        Ok(Message::Response { id, result }) => {
            asking::note(&entrance.state.engine, &call, &id, result.as_ref()).await?;
            return Ok(Reply::accepted().into_response());
        }
        Err(error) => return Ok(Reply::refused(StatusCode::BAD_REQUEST, error).into_response()),
    };
    let exchange = match Exchange::begin(&entrance, call, request, &head, &path).await? {
        Ok(exchange) => exchange,
        Err((status, error)) => return Ok(Reply::refused(status, error).into_response()),
    };
    let answer = work(&entrance, &MCP, exchange.clone().reply(), in_use).await?;
    exchange.printed(answer, connection.as_ref())
}

/// One request, from its checks to its answer.
#[derive(Clone)]
struct Exchange {
    entrance: Entrance,
    session: Arc<Session>,
    era: Era,
    transport: Transport,
    profile: Profile,
    request: rpc::Request,
}

impl Exchange {
    /// The request after everything about it was checked that its method has no part in.
    async fn begin(
        entrance: &Entrance,
        call: Call,
        request: rpc::Request,
        head: &Parts,
        path: &[(String, String)],
    ) -> Result<Result<Self, era::EarlyRefusal>, Refusal> {
        let transport = match entrance.kind {
            EntranceKind::Private { .. } => Transport::Stdio,
            EntranceKind::Public(_) => Transport::Http,
        };
        let era = match Era::of(&request, &head.headers, transport) {
            Ok(era) => era,
            Err(refused) => return Ok(Err(refused)),
        };
        let profile = profile(path)?;
        profile.check_scope(&call.caller)?;
        let mut session = Session::open(entrance, call, persona(path), &request, head).await?;
        session.can_ask = match transport {
            Transport::Stdio => header(head, ASKING_HEADER).is_some(),
            Transport::Http => asking::can_ask(&head.headers),
        };
        session.note_agent(&request, transport, &era);
        let (entrance, session) = (entrance.clone(), Arc::new(session));
        Ok(Ok(Self { entrance, session, era, transport, profile, request }))
    }

    /// The answer, with its status noted beside it.
    fn reply(self) -> HandlerFuture {
        Box::pin(async move {
            let reply = dispatch::respond(&self.session, self.era, self.profile, self.request).await;
            let mut answer = Answer::json(&reply.body)?;
            answer.headers.push((STATUS, reply.status.as_u16().to_string()));
            Ok(answer)
        })
    }

    /// The message that answers it. Its work continues if the client leaves.
    async fn answered(self) -> Result<Value, Problem> {
        let entrance = self.entrance.clone();
        let place =
            request_permit(&entrance, &self.session.call().caller).map_err(|refusal| refusal.problem)?;
        let answer = work(&entrance, &MCP, self.reply(), HeldLimits::new(place, None)).await?;
        Ok(message(&answer))
    }

    /// The answer as it leaves: as one document, or as events where the client's person is asked first.
    fn printed(&self, answer: Answer, connection: Option<&ConnectionUse>) -> Result<Response, Refusal> {
        if self.transport == Transport::Http
            && self.era == Era::Handshake
            && let Some(events) = asking::events(self, &message(&answer))
        {
            let caller = self.session.call().caller.clone();
            let place =
                StreamPermit::enter(&self.entrance.state, &caller.tenant, connection, Stream::Answer)?;
            let body = key_bound(guarded(events, place), self.entrance.state.clone(), caller);
            return Ok(
                ([(CONTENT_TYPE, "text/event-stream"), (CACHE_CONTROL, "no-store")], body).into_response()
            );
        }
        let mut response = printed(answer);
        let seal = || self.session.seal("mcp-session", &[&self.entrance.state.ids.name(&HeaderMap::new())]);
        if self.transport == Transport::Http
            && self.era == Era::Handshake
            && let Some(id) = asking::session_id(&self.request, &seal())
            && let Ok(id) = id.parse()
        {
            response.headers_mut().insert(asking::SESSION_HEADER, id);
        }
        Ok(response)
    }
}

/// Carries the status of a reply through [`work`]; it is never sent as a header.
const STATUS: &str = "x-selfhood-mcp-status";

fn message(answer: &Answer) -> Value {
    match &answer.content {
        Content::Json(json) => serde_json::from_slice(json).unwrap_or_default(),
        Content::Nothing | Content::Stream(_) => Value::Null,
    }
}

fn printed(answer: Answer) -> Response {
    let status = answer.headers.iter().find(|(name, _)| *name == STATUS);
    let status = status.and_then(|(_, status)| status.parse::<u16>().ok());
    let status = status.and_then(|status| StatusCode::from_u16(status).ok()).unwrap_or(StatusCode::OK);
    match answer.content {
        Content::Json(json) => (status, [(CONTENT_TYPE, "application/json")], json).into_response(),
        Content::Nothing | Content::Stream(_) => status.into_response(),
    }
}

/// At the machine itself an agent may be bound to one person, as a key binds it elsewhere.
fn spoken_for(entrance: &Entrance, headers: &HeaderMap, caller: Caller) -> Result<Caller, Refusal> {
    let Some(named) = headers.get(SUBJECT_HEADER) else { return Ok(caller) };
    let EntranceKind::Private { .. } = entrance.kind else {
        return Err(Refusal::new(Code::Forbidden, format!("`{SUBJECT_HEADER}` is read at the machine only")));
    };
    let named = named.to_str().ok().and_then(|named| named.parse().ok());
    let subject =
        named.ok_or_else(|| Refusal::new(Code::ValidationFailed, "that can't be a person's name"))?;
    Ok(caller.bound_to(subject))
}

fn segment<'p>(path: &'p [(String, String)], name: &str) -> Option<&'p str> {
    path.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
}

fn persona(path: &[(String, String)]) -> Option<&str> {
    segment(path, "p")
}

fn profile(path: &[(String, String)]) -> Result<Profile, Problem> {
    match segment(path, "profile") {
        None => Ok(Profile::Memory),
        Some(name) => Profile::named(name).ok_or_else(|| {
            let detail = format!("there is no profile `{name}`; there are {}", Profile::NAMES.join(", "));
            Problem::new(Code::NotFound, detail)
        }),
    }
}

/// Headers of the request that the tools may need.
fn header<'h>(head: &'h Parts, name: &str) -> Option<&'h str> {
    head.headers.get(name).and_then(|value| value.to_str().ok())
}
