//! One request after it was let in: what the function of a verb gets to see, and what it gives back.

use std::future::Future;
use std::pin::Pin;
use std::str::FromStr;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::http::HeaderMap;
use domain::{ErasureId, InvalidId, MemoryId, RecallId, TenantName, TimelineId};
use engine::{Call, Engine, PersonaKey};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use wire::{Code, Problem, read};

use crate::broken;
use crate::concurrency::{ConcurrencyLimit, Place};
use crate::connections::{ConnectionUse, HeldConnection};
use crate::guarded_body::guarded;
use crate::state::ServerState;

/// What a verb's function gives back: the JSON to print, or why not.
pub(crate) type HandlerResult = Result<Answer, Problem>;

/// A verb's function at work.
pub(crate) type HandlerFuture = Pin<Box<dyn Future<Output = HandlerResult> + Send>>;

/// What is printed when all went well.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) content: Content,
    /// What is told besides.
    pub(crate) headers: Vec<(&'static str, String)>,
}

/// What an answer says.
#[derive(Debug)]
pub(crate) enum Content {
    /// This JSON.
    Json(Vec<u8>),
    /// Nothing: what was asked for is done.
    Nothing,
    /// It is still being spoken.
    Speech(Body),
}

impl Answer {
    /// `value` as JSON.
    pub(crate) fn json(value: &impl Serialize) -> HandlerResult {
        serde_json::to_vec(value)
            .map(|json| Self { content: Content::Json(json), headers: Vec::new() })
            .map_err(|error| Problem::new(Code::Internal, format!("the answer is not JSON: {error}")))
    }

    /// What was asked for is done.
    pub(crate) fn done() -> Self {
        Self { content: Content::Nothing, headers: Vec::new() }
    }

    /// Events, as they come. Their `place` is given back when the last one is sent or the client has left.
    pub(crate) fn speech(place: StreamPlace, body: Body) -> Self {
        Self { content: Content::Speech(guarded(body, place)), headers: Vec::new() }
    }

    /// The same, telling `value` in the header `name` if there is one.
    pub(crate) fn telling(mut self, name: &'static str, value: Option<String>) -> Self {
        self.headers.extend(value.map(|value| (name, value)));
        self
    }
}

/// One request.
pub(crate) struct RequestContext {
    pub(crate) engine: Arc<Engine>,
    pub(crate) call: Call,
    /// The parameters of the path, by name.
    pub(crate) path: Vec<(String, String)>,
    /// The query, typed by the route's schema.
    pub(crate) query: Value,
    pub(crate) body: Bytes,
    /// What else was sent along.
    pub(crate) headers: HeaderMap,
    /// What the doors share.
    pub(crate) house: Arc<ServerState>,
    /// The connection it came over, if that is counted.
    pub(crate) connection: Option<ConnectionUse>,
}

/// What an answer in pieces holds until it ends.
pub(crate) struct StreamPlace {
    _stream: Option<Place<TenantName>>,
    _events: Option<Place<TenantName>>,
    _connection: Option<HeldConnection>,
}

/// What a stream is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stream {
    /// An answer, which ends.
    Answer,
    /// What changes from now on, until the client leaves.
    Events,
}

impl RequestContext {
    /// A place among the streams of the caller's tenant. It is taken before the work begins, so that nothing is
    /// said to a model for a client who can't be answered.
    pub(crate) fn stream_place(&self, stream: Stream) -> Result<StreamPlace, Problem> {
        let tenant = &self.call.caller.tenant;
        let enter = |limit: &ConcurrencyLimit<TenantName>| {
            let full = || {
                let detail = format!("{} streams of this tenant are open; close one first", limit.at_once);
                Problem::new(Code::Busy, detail)
            };
            limit.enter(tenant).ok_or_else(full)
        };
        let is_limited = self.connection.is_some() && !broken::is("caps");
        let events = is_limited && stream == Stream::Events;
        Ok(StreamPlace {
            _events: events.then(|| enter(&self.house.event_streams)).transpose()?,
            _stream: is_limited.then(|| enter(&self.house.streams)).transpose()?,
            _connection: self.connection.as_ref().map(ConnectionUse::hold),
        })
    }

    /// The request in the body.
    pub(crate) fn body<T: DeserializeOwned + JsonSchema + 'static>(&self) -> Result<T, Problem> {
        read::read(&self.body)
    }

    /// The request in the body, or the usual one if nothing was sent.
    pub(crate) fn body_or_default<T: Default + DeserializeOwned + JsonSchema + 'static>(
        &self,
    ) -> Result<T, Problem> {
        if self.body.trim_ascii().is_empty() { Ok(T::default()) } else { self.body() }
    }

    /// The request in the query.
    pub(crate) fn query<T: DeserializeOwned + JsonSchema + 'static>(&self) -> Result<T, Problem> {
        read::read_value(self.query.clone())
    }

    /// The persona the path names.
    pub(crate) fn persona(&self) -> Result<PersonaKey, Problem> {
        self.named("p", Code::PersonaNotFound)
    }

    /// The memory the path names.
    pub(crate) fn memory(&self) -> Result<MemoryId, Problem> {
        self.named("id", Code::MemoryNotFound)
    }

    /// The entry of a life the path names.
    pub(crate) fn entry(&self) -> Result<TimelineId, Problem> {
        self.named("timelineId", Code::TimelineEntryNotFound)
    }

    /// The recall the path names.
    pub(crate) fn recall(&self) -> Result<RecallId, Problem> {
        self.named("recallId", Code::NotFound)
    }

    /// The request to be forgotten the path names.
    pub(crate) fn erasure(&self) -> Result<ErasureId, Problem> {
        self.named("erasureId", Code::NotFound)
    }

    /// What the path says for `name`.
    pub(crate) fn segment(&self, name: &str) -> &str {
        self.path.iter().find(|(own, _)| own == name).map_or("", |(_, value)| value)
    }

    /// Compares the tenant that a query names with the caller's own.
    pub(crate) async fn check_tenant(&self, named: Option<&TenantName>) -> Result<(), Problem> {
        match named {
            Some(tenant) => self.engine.check_tenant(&self.call, tenant).await,
            None => Ok(()),
        }
    }

    /// What can't be an id names nothing.
    pub(crate) fn named<T: FromStr<Err = InvalidId>>(&self, name: &str, missing: Code) -> Result<T, Problem> {
        let text = self.segment(name);
        text.parse().map_err(|rule| Problem::new(missing, format!("`{text}` names nothing here: {rule}")))
    }
}
