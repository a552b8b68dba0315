//! The state shared by all entrances of one server: the engine, the clock, the limits, the metrics.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use axum::Router;
use domain::{Actor, TenantName, Timestamp};
use engine::Engine;
use tokio_util::task::TaskTracker;
use vault::shared_secret::SharedSecret;

use crate::agents::Agents;
use crate::concurrency::ConcurrencyLimit;
use crate::http::{self, Addresses, BodyLimits, Entrance, EntranceKind};
use crate::metrics::Metrics;
use crate::network::Network;
use crate::rate::Rate;
use crate::request_id::RequestIds;
use crate::spans::{Span, SpanLog};
use crate::{Config, Limits, Page};

/// Returns the current time; only the binary reads the system clock.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// How many unknown keys per second may be tried from one address, after the first burst.
const STRANGERS_PER_SECOND: u32 = 1;

/// An engine with its HTTP entrances.
pub struct Server {
    pub(crate) state: Arc<ServerState>,
    pub(crate) config: Config,
}

impl Server {
    /// A server for `engine`; it answers once it is [bound](crate::listen) or its router is called.
    #[must_use]
    pub fn new(engine: Arc<Engine>, clock: Clock, config: Config) -> Self {
        Self { state: Arc::new(ServerState::new(engine, clock, &config)), config }
    }

    /// The routes for the operator: no API key is needed, and the tenant is named by the header
    /// `x-selfhood-tenant`.
    pub fn private_router(&self, actor: Actor) -> Router {
        http::router(Entrance { state: Arc::clone(&self.state), kind: EntranceKind::Private { actor } })
    }

    /// The routes for clients with a key, as they are answered at `bound`.
    pub fn public_router(&self, bound: SocketAddr) -> Router {
        let addresses = Arc::new(Addresses::new(&self.config, bound));
        http::router(Entrance { state: Arc::clone(&self.state), kind: EntranceKind::Public(addresses) })
    }

    /// The metrics.
    #[must_use]
    pub fn metrics(&self) -> &Metrics {
        &self.state.metrics
    }

    /// Keeps a span of every request from now on, with ids from the random `seed`; [`Telemetry`] takes them.
    #[must_use]
    pub fn with_spans(self, seed: [u8; 32]) -> Self {
        self.state.spans.get_or_init(|| SpanLog::new(seed));
        self
    }
}

/// What a server has counted and seen, for a collector elsewhere.
#[derive(Clone)]
pub struct Telemetry(pub(crate) Arc<ServerState>);

impl Telemetry {
    /// The spans since the last time; none if they are not kept.
    #[must_use]
    pub fn take_spans(&self) -> Vec<Span> {
        self.0.spans.get().map(SpanLog::take).unwrap_or_default()
    }

    /// Every counter, as Prometheus reads it.
    pub async fn counters(&self) -> String {
        http::counters(&self.0).await
    }
}

/// The shared state.
pub(crate) struct ServerState {
    pub(crate) engine: Arc<Engine>,
    pub(crate) limits: Limits,
    /// The secret with which Open WebUI signs its users' names.
    pub(crate) user_secret: Option<SharedSecret>,
    /// The source of the web page.
    pub(crate) page: Page,
    /// The URL of the server, once it listens.
    pub(crate) url: OnceLock<String>,
    pub(crate) metrics: Metrics,
    /// Spans of requests, if a collector wants them.
    pub(crate) spans: OnceLock<SpanLog>,
    /// The agents that have come lately.
    pub(crate) agents: Agents,
    pub(crate) ids: RequestIds,
    /// The rate of every key.
    pub(crate) pace: Rate,
    /// The rate of every address that shows unknown keys.
    pub(crate) strangers: Rate,
    /// Requests in progress, by tenant.
    pub(crate) requests: ConcurrencyLimit<TenantName>,
    /// Open streams, by tenant.
    pub(crate) streams: ConcurrencyLimit<TenantName>,
    /// Event streams alone: they never end by themselves, so they must leave room for answers.
    pub(crate) event_streams: ConcurrencyLimit<TenantName>,
    /// Bytes of request bodies in memory.
    pub(crate) body_bytes: BodyLimits,
    /// Requests and streams of the clients of trusted proxies.
    pub(crate) forwarded: ConcurrencyLimit<Network>,
    /// Running verbs; once started, a verb is finished, even if its client disconnects.
    pub(crate) work: TaskTracker,
    clock: Clock,
    closing: AtomicBool,
}

impl ServerState {
    fn new(engine: Arc<Engine>, clock: Clock, config: &Config) -> Self {
        let limits = config.limits;
        Self {
            engine,
            limits,
            user_secret: config.user_secret.clone(),
            page: config.page.clone(),
            url: OnceLock::new(),
            metrics: Metrics::default(),
            spans: OnceLock::new(),
            agents: Agents::default(),
            ids: RequestIds::since(clock()),
            pace: Rate::new(limits.requests_per_second, limits.burst),
            strangers: Rate::new(STRANGERS_PER_SECOND, limits.wrong_keys),
            requests: ConcurrencyLimit::new(limits.requests_at_once as usize),
            streams: ConcurrencyLimit::new(limits.streams_at_once as usize),
            event_streams: ConcurrencyLimit::new(limits.streams_at_once.div_ceil(2) as usize),
            body_bytes: BodyLimits::new(limits.body_bytes_at_once),
            forwarded: ConcurrencyLimit::new(limits.connections_per_address as usize),
            work: TaskTracker::new(),
            clock,
            closing: AtomicBool::new(false),
        }
    }

    pub(crate) fn now(&self) -> Timestamp {
        (self.clock)()
    }

    /// From now on the server reports that it is not ready, so that it gets no more requests.
    pub(crate) fn close(&self) {
        self.closing.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_closing(&self) -> bool {
        self.closing.load(Ordering::Relaxed)
    }
}
