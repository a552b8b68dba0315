//! Listens for connections, and shuts down: no new connections, then the open ones end, then the engine.

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt;
use wire::Problem;

use crate::Server;
use crate::connections::{Connection, Connections, Lane};
use crate::http::{Addresses, Peer};
use crate::open_files;
use crate::socket::PrivateSocket;
use crate::state::ServerState;
use crate::state::Telemetry;
use crate::tls::Certificate;

/// The most bytes of a request head.
const HEAD_BYTES: usize = 64 * 1024;
/// How long to wait when the system has no file descriptors left.
const PAUSE: Duration = Duration::from_millis(100);

/// A server with bound addresses that doesn't serve yet.
pub struct BoundServer {
    server: Server,
    listener: TcpListener,
    address: SocketAddr,
    certificate: Option<Arc<Certificate>>,
    private: Option<PrivateSocket>,
}

impl Server {
    /// Binds the configured addresses. API keys that the register lists as revoked are revoked before anyone
    /// can connect.
    pub async fn bind(self) -> Result<BoundServer, Problem> {
        self.config.check_reach()?;
        let keys = self.state.engine.reconcile_revocations(self.state.now()).await?;
        if keys != engine::ReconciledKeys::default() {
            let (revoked, disabled) = (keys.revoked_again, keys.disabled);
            tracing::warn!(revoked, disabled, "API keys of a restored database were disabled");
        }
        let refused = |error: io::Error| self.config.not_listening(&error);
        let certificate = self.config.tls.clone().map(Certificate::read).transpose()?.map(Arc::new);
        let listener = TcpListener::bind(self.config.listen).await.map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        let private =
            self.config.private.as_ref().map(|socket| PrivateSocket::bind(&socket.path)).transpose()?;
        if self.config.is_in_clear() {
            tracing::warn!(%address, "keys and memories cross the network in clear; use --tls-cert and \
                --tls-key, or a reverse proxy with --public-url");
        }
        let bound = BoundServer { server: self, listener, address, certificate, private };
        let public_url = bound.server.config.public_url.as_ref().map(crate::PublicUrl::origin);
        bound.server.state.url.get_or_init(|| public_url.unwrap_or_else(|| bound.url()));
        Ok(bound)
    }
}

impl BoundServer {
    /// The bound address with its actual port.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The URL on this machine.
    #[must_use]
    pub fn url(&self) -> String {
        let scheme = if self.certificate.is_some() { "https" } else { "http" };
        format!("{scheme}://{}", self.address)
    }

    /// The URL of the page: the public one, if there is one.
    #[must_use]
    pub fn page_url(&self) -> &str {
        self.server.state.url.get().map_or("", String::as_str)
    }

    /// What the shutdown waits for.
    #[must_use]
    pub fn open_work(&self) -> OpenWork {
        OpenWork(Arc::clone(&self.server.state))
    }

    /// Its metrics and spans, for a collector.
    #[must_use]
    pub fn telemetry(&self) -> Telemetry {
        Telemetry(Arc::clone(&self.server.state))
    }

    /// A one-time sign-in link with the rights of `call`.
    pub async fn sign_in_link(&self, call: &engine::Call) -> Result<wire::sign_in::SignInLink, Problem> {
        crate::http::sign_in_link(&self.server.state, call).await
    }

    /// Serves until `stop` resolves; then waits for open requests, and shuts the engine down.
    pub async fn serve(self, stop: impl Future<Output = ()> + Send) -> Result<(), Problem> {
        let state = Arc::clone(&self.server.state);
        let lines = Lines::new(&state.limits);
        let mut accepting = TaskTracker::new();
        self.open(&lines, &accepting);
        stop.await;

        tracing::info!("stopping: no new connections, open requests may end");
        state.close();
        lines.stopping.cancel();
        let all_ended = async {
            for tracker in [&mut accepting, &mut lines.open.clone(), &mut state.work.clone()] {
                tracker.close();
                tracker.wait().await;
            }
        };
        if timeout(state.limits.drain, all_ended).await.is_err() {
            tracing::warn!(connections = lines.open.len(), "stopped waiting for open requests");
        }
        state.engine.shutdown(state.now()).await
    }

    /// Starts to accept connections at every entrance.
    fn open(self, lines: &Lines, accepting: &TaskTracker) {
        let public = Public {
            router: self.server.public_router(self.address),
            addresses: Addresses::new(&self.server.config, self.address),
            certificate: self.certificate,
            connections: Connections::new(
                open_files::make_room_for(self.server.state.limits.connections) as usize,
                self.server.state.limits.connections_per_address as usize,
            ),
        };
        if let (Some(socket), Some(config)) = (self.private, &self.server.config.private) {
            let router = self.server.private_router(config.actor.clone());
            accepting.spawn(accept_private(socket, router, lines.clone()));
        }
        accepting.spawn(accept_public(self.listener, public, lines.clone()));
    }
}

/// What the shutdown waits for.
pub struct OpenWork(Arc<ServerState>);

impl OpenWork {
    /// How many requests are in progress.
    #[must_use]
    pub fn requests(&self) -> usize {
        self.0.work.len()
    }

    /// How many replies, with their follow-up work, are in progress.
    #[must_use]
    pub fn answers(&self) -> usize {
        self.0.engine.open_answers()
    }

    /// The longest wait.
    #[must_use]
    pub fn at_most(&self) -> Duration {
        self.0.limits.drain
    }
}

/// What the public entrance needs for each connection.
struct Public {
    router: Router,
    addresses: Addresses,
    certificate: Option<Arc<Certificate>>,
    connections: Connections,
}

/// What all connections of a server share.
#[derive(Clone)]
struct Lines {
    stopping: CancellationToken,
    open: TaskTracker,
    head: Duration,
}

impl Lines {
    fn new(limits: &crate::Limits) -> Self {
        Self { stopping: CancellationToken::new(), open: TaskTracker::new(), head: limits.head }
    }

    /// The result of `accept`; `None` once the server stops.
    async fn next<S>(&self, accept: impl Future<Output = io::Result<S>> + Send) -> Option<io::Result<S>> {
        tokio::select! {
            () = self.stopping.cancelled() => None,
            accepted = accept => Some(accepted),
        }
    }
}

/// The system has no file descriptors left, so an immediate retry would only keep it busy.
async fn pause(error: io::Error) {
    tracing::warn!(%error, "can't accept a connection");
    sleep(PAUSE).await;
}

async fn accept_public(listener: TcpListener, public: Public, lines: Lines) {
    loop {
        let (stream, peer) = match lines.next(listener.accept()).await {
            None => return,
            Some(Ok(accepted)) => accepted,
            Some(Err(error)) => {
                pause(error).await;
                continue;
            }
        };
        let place = public.connections.admit(public.addresses.counted(peer.ip())).await;
        let (certificate, router, line) = (public.certificate.clone(), public.router.clone(), lines.clone());
        lines.open.spawn(async move {
            let _ = stream.set_nodelay(true);
            let caller = Some((Peer(peer.ip()), place));
            match certificate {
                Some(certificate) => secure(stream, &certificate, router, caller, &line).await,
                None => converse(stream, router, caller, &line).await,
            }
        });
        // The accepted connection is registered before the next one may need its place.
        tokio::task::yield_now().await;
    }
}

/// The peer of a public connection, and its place.
type Caller = Option<(Peer, Connection)>;

/// Resolves when the place of a connection is needed for another.
async fn evicted(caller: &Caller) {
    match caller {
        Some((_, place)) => place.evicted().await,
        None => std::future::pending().await,
    }
}

async fn secure(stream: TcpStream, certificate: &Certificate, router: Router, caller: Caller, line: &Lines) {
    let shaken = tokio::select! {
        shaken = timeout(line.head, certificate.acceptor().accept(stream)) => shaken,
        () = evicted(&caller) => return,
    };
    match shaken {
        Ok(Ok(stream)) => converse(stream, router, caller, line).await,
        Ok(Err(error)) => tracing::debug!(%error, "no TLS handshake"),
        Err(_) => tracing::debug!("no TLS handshake in time"),
    }
}

async fn accept_private(socket: PrivateSocket, router: Router, lines: Lines) {
    while let Some(accepted) = lines.next(socket.listener.accept()).await {
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) => {
                pause(error).await;
                continue;
            }
        };
        let (router, line) = (router.clone(), lines.clone());
        lines.open.spawn(async move { converse(stream, router, None, &line).await });
    }
}

/// Serves one connection until it ends, its place is needed, or the server stops.
async fn converse<S>(stream: S, router: Router, caller: Caller, line: &Lines)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let known = caller.as_ref().map(|(peer, place)| (*peer, place.for_requests()));
    // In a place for probes only, a client should open another connection for anything else.
    let keep_alive = known.as_ref().is_none_or(|(_, place)| place.lane() == Lane::General);
    let service = service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        let held = known.as_ref().map(|(_, place)| place.hold());
        if let Some((peer, place)) = known.clone() {
            request.extensions_mut().insert(peer);
            request.extensions_mut().insert(place);
        }
        let router = router.clone();
        async move {
            let _held = held;
            Ok::<_, Infallible>(router.oneshot(request).await.unwrap_or_else(|never| match never {}))
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(line.head)
        .keep_alive(keep_alive)
        .max_buf_size(HEAD_BYTES)
        .serve_connection(TokioIo::new(stream), service);
    tokio::pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = line.stopping.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
        () = evicted(&caller) => {
            // A request may have begun just now; it is answered, and then the connection is closed.
            if !caller.as_ref().is_some_and(|(_, place)| place.is_held()) {
                return;
            }
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection broke");
    }
}
