//! One admitted request: what the function of a verb receives and returns.

use std::future::Future;
use std::marker::PhantomData;
use std::ops::Deref;
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
use wire::persona::Notice;
use wire::verb::Verb;
use wire::{Code, Problem, read};

use crate::broken;
use crate::concurrency::{ConcurrencyLimit, Permit};
use crate::connections::{ConnectionUse, HeldConnection};
use crate::guarded_body::guarded;
use crate::state::ServerState;

/// The result of a verb's function: an answer, or a problem.
pub(crate) type HandlerResult = Result<Answer, Problem>;

/// A running verb function.
pub(crate) type HandlerFuture = Pin<Box<dyn Future<Output = HandlerResult> + Send>>;

/// A successful answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) content: Content,
    /// Extra response headers.
    pub(crate) headers: Vec<(&'static str, String)>,
}

/// The content of an answer.
#[derive(Debug)]
pub(crate) enum Content {
    Json(Vec<u8>),
    /// No content.
    Nothing,
    /// A stream.
    Stream(Body),
}

impl Answer {
    /// `value` as JSON.
    pub(crate) fn json(value: &impl Serialize) -> HandlerResult {
        serde_json::to_vec(value)
            .map(|json| Self { content: Content::Json(json), headers: Vec::new() })
            .map_err(|error| Problem::new(Code::Internal, format!("the answer is not JSON: {error}")))
    }

    /// An answer without content.
    pub(crate) fn done() -> Self {
        Self { content: Content::Nothing, headers: Vec::new() }
    }

    /// A stream of events. Its `place` is released when the last one is sent or the client has disconnected.
    pub(crate) fn stream(place: StreamPermit, body: Body) -> Self {
        Self { content: Content::Stream(guarded(body, place)), headers: Vec::new() }
    }

    /// The same with `notices` about the persona in headers: their codes, and their sentences with the way out.
    pub(crate) fn with_notices(self, notices: &[Notice]) -> Self {
        if notices.is_empty() {
            return self;
        }
        let codes: Vec<&str> = notices.iter().map(|notice| notice.code.as_str()).collect();
        let texts: Vec<&str> = notices.iter().map(|notice| notice.text.as_str()).collect();
        self.with_header("x-selfhood-notice", Some(codes.join(", ")))
            .with_header("x-selfhood-notice-text", Some(texts.join(" | ")))
    }

    /// The same with `value` in the header `name`, if there is one.
    pub(crate) fn with_header(mut self, name: &'static str, value: Option<String>) -> Self {
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
    /// The request headers.
    pub(crate) headers: HeaderMap,
    /// The state shared by all entrances.
    pub(crate) state: Arc<ServerState>,
    /// Its connection, if connections are counted.
    pub(crate) connection: Option<ConnectionUse>,
}

/// One request for the verb `V`: its body, query and answer have the verb's types.
pub(crate) struct VerbContext<V> {
    context: RequestContext,
    verb: PhantomData<V>,
}

/// What a streamed answer holds until it ends.
pub(crate) struct StreamPermit {
    _stream: Option<Permit<TenantName>>,
    _events: Option<Permit<TenantName>>,
    _connection: Option<HeldConnection>,
}

/// The kind of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stream {
    /// An answer, which ends.
    Answer,
    /// Change events, until the client disconnects.
    Events,
}

impl StreamPermit {
    /// A permit for one more stream of `tenant`, for a stream over `connection`.
    pub(crate) fn enter(
        state: &ServerState,
        tenant: &TenantName,
        connection: Option<&ConnectionUse>,
        stream: Stream,
    ) -> Result<Self, Problem> {
        let enter = |limit: &ConcurrencyLimit<TenantName>| {
            let full = || {
                let detail = format!("{} streams of this tenant are open; close one first", limit.at_once);
                Problem::new(Code::Busy, detail)
            };
            limit.enter(tenant).ok_or_else(full)
        };
        let is_limited = connection.is_some() && !broken::is("caps");
        let events = is_limited && stream == Stream::Events;
        Ok(Self {
            _events: events.then(|| enter(&state.event_streams)).transpose()?,
            _stream: is_limited.then(|| enter(&state.streams)).transpose()?,
            _connection: connection.map(ConnectionUse::hold),
        })
    }
}

impl<V: Verb> VerbContext<V> {
    /// The request without the types of its verb.
    pub(crate) fn into_untyped(self) -> RequestContext {
        self.context
    }

    /// The request in the body.
    pub(crate) fn body(&self) -> Result<V::Request, Problem> {
        self.context.body()
    }

    /// The request in the body, or the default one if the body is empty.
    pub(crate) fn body_or_default(&self) -> Result<V::Request, Problem>
    where
        V::Request: Default,
    {
        self.context.body_or_default()
    }

    /// The request in the query.
    pub(crate) fn query(&self) -> Result<V::Query, Problem> {
        self.context.query()
    }

    /// `answer` as JSON.
    #[expect(clippy::unused_self, reason = "its type says which answer the verb has")]
    pub(crate) fn answer(&self, answer: &V::Answer) -> HandlerResult
    where
        V::Answer: Serialize,
    {
        Answer::json(answer)
    }
}

impl<V> Deref for VerbContext<V> {
    type Target = RequestContext;

    fn deref(&self) -> &RequestContext {
        &self.context
    }
}

impl RequestContext {
    /// The same with the types of the verb `V`.
    pub(crate) fn of_verb<V: Verb>(self) -> VerbContext<V> {
        VerbContext { context: self, verb: PhantomData }
    }

    /// A permit for one more stream of the caller's tenant. It is taken before the work begins, so that no model
    /// is asked for a client who can't be answered.
    pub(crate) fn stream_permit(&self, stream: Stream) -> Result<StreamPermit, Problem> {
        StreamPermit::enter(&self.state, &self.call.caller.tenant, self.connection.as_ref(), stream)
    }

    /// The request in the body.
    pub(crate) fn body<T: DeserializeOwned + JsonSchema + 'static>(&self) -> Result<T, Problem> {
        read::read(&self.body)
    }

    /// The request in the body, or the default one if the body is empty.
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

    /// The timeline entry the path names.
    pub(crate) fn entry(&self) -> Result<TimelineId, Problem> {
        self.named("timelineId", Code::TimelineEntryNotFound)
    }

    /// The recall the path names.
    pub(crate) fn recall(&self) -> Result<RecallId, Problem> {
        self.named("recallId", Code::NotFound)
    }

    /// The erasure request the path names.
    pub(crate) fn erasure(&self) -> Result<ErasureId, Problem> {
        self.named("erasureId", Code::NotFound)
    }

    /// The path parameter `name`.
    pub(crate) fn segment(&self, name: &str) -> &str {
        self.path.iter().find(|(own, _)| own == name).map_or("", |(_, value)| value)
    }

    /// Compares the tenant in a query with the caller's own.
    pub(crate) async fn check_tenant(&self, named: Option<&TenantName>) -> Result<(), Problem> {
        match named {
            Some(tenant) => self.engine.check_tenant(&self.call, tenant).await,
            None => Ok(()),
        }
    }

    /// The id in the path parameter `name`; an invalid id is reported as `missing`.
    pub(crate) fn named<T: FromStr<Err = InvalidId>>(&self, name: &str, missing: Code) -> Result<T, Problem> {
        let text = self.segment(name);
        text.parse().map_err(|rule| Problem::new(missing, format!("`{text}` is not found: {rule}")))
    }
}
