//! What all doors of one server share: the engine, the clock, the limits, the counters.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use axum::Router;
use domain::{Actor, TenantName, Timestamp};
use engine::Engine;
use tokio_util::task::TaskTracker;
use vault::shared_secret::SharedSecret;

use crate::concurrency::ConcurrencyLimit;
use crate::http::{self, Addresses, Door, Entrance};
use crate::metrics::Metrics;
use crate::network::Network;
use crate::rate::Rate;
use crate::request_id::RequestIds;
use crate::{Config, Limits, Page};

/// Tells the time; only the binary knows how.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// Keys nobody has may be tried so often from one address, once the first are used up.
const STRANGERS_PER_SECOND: u32 = 1;

/// An engine with a door in front of it.
pub struct Server {
    pub(crate) house: Arc<ServerState>,
    pub(crate) config: Config,
}

impl Server {
    /// A server for `engine`; it answers once it is [bound](crate::listen) or its router is called.
    #[must_use]
    pub fn new(engine: Arc<Engine>, clock: Clock, config: Config) -> Self {
        Self { house: Arc::new(ServerState::new(engine, clock, &config)), config }
    }

    /// The routes for whoever holds the home and its keys: no API key is asked for, and the tenant is
    /// named by the header `x-selfhood-tenant`.
    pub fn private_router(&self, actor: Actor) -> Router {
        http::router(Door { house: Arc::clone(&self.house), entrance: Entrance::Private { actor } })
    }

    /// The routes for anyone with a key, as they are answered at `bound`.
    pub fn public_router(&self, bound: SocketAddr) -> Router {
        let addresses = Arc::new(Addresses::new(&self.config, bound));
        http::router(Door { house: Arc::clone(&self.house), entrance: Entrance::Public(addresses) })
    }

    /// The counters.
    #[must_use]
    pub fn metrics(&self) -> &Metrics {
        &self.house.metrics
    }
}

/// What the doors share.
pub(crate) struct ServerState {
    pub(crate) engine: Arc<Engine>,
    pub(crate) limits: Limits,
    /// What Open WebUI signs its users' names with.
    pub(crate) user_secret: Option<SharedSecret>,
    /// Where the web page comes from.
    pub(crate) page: Page,
    /// What people type to reach the server, once it listens.
    pub(crate) url: OnceLock<String>,
    pub(crate) metrics: Metrics,
    pub(crate) ids: RequestIds,
    /// The pace of every key.
    pub(crate) pace: Rate,
    /// The pace of every address that shows keys nobody has.
    pub(crate) strangers: Rate,
    /// Requests being answered, by tenant.
    pub(crate) requests: ConcurrencyLimit<TenantName>,
    /// Answers in pieces and event streams that are open, by tenant.
    pub(crate) streams: ConcurrencyLimit<TenantName>,
    /// Event streams alone: they never end by themselves, so they must leave room for answers.
    pub(crate) event_streams: ConcurrencyLimit<TenantName>,
    /// Bytes of request bodies in memory, by key.
    pub(crate) body_bytes: ConcurrencyLimit<Actor>,
    /// Requests and streams of the clients of trusted proxies.
    pub(crate) forwarded: ConcurrencyLimit<Network>,
    /// Verbs at work; one that has begun is finished, even if its client leaves.
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
            ids: RequestIds::since(clock()),
            pace: Rate::new(limits.requests_per_second, limits.burst),
            strangers: Rate::new(STRANGERS_PER_SECOND, limits.wrong_keys),
            requests: ConcurrencyLimit::new(limits.requests_at_once as usize),
            streams: ConcurrencyLimit::new(limits.streams_at_once as usize),
            event_streams: ConcurrencyLimit::new(limits.streams_at_once.div_ceil(2) as usize),
            body_bytes: ConcurrencyLimit::new(limits.body_bytes_at_once),
            forwarded: ConcurrencyLimit::new(limits.connections_per_address as usize),
            work: TaskTracker::new(),
            clock,
            closing: AtomicBool::new(false),
        }
    }

    pub(crate) fn now(&self) -> Timestamp {
        (self.clock)()
    }

    /// From now on the server says that it is not ready, so that nobody sends it more.
    pub(crate) fn close(&self) {
        self.closing.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_closing(&self) -> bool {
        self.closing.load(Ordering::Relaxed)
    }
}
