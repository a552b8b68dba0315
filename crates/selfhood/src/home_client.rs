//! The connection to the routes of a home. If a server owns the home, a request goes over its private socket; if not,
//! this process becomes the owner while its command runs and calls the same routes itself.

use std::collections::VecDeque;
use std::io::{self, IsTerminal as _};
use std::marker::PhantomData;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

use domain::TenantName;
use serde::de::DeserializeOwned;
use server::client::{Ask, Client, Listening, Reply};
use server::{Config, Server};
use store::home::{HomeLock, Owner};
use tokio::runtime::{Builder, Runtime};
use tokio::task::{JoinError, JoinHandle};
use wire::verb::Verb;
use wire::{Code, Problem};

use crate::clock;
use crate::config::{Settings, StoreChoice};
use crate::opening::{self, OpenHome};
use crate::report;
use crate::request::Request;

/// How often a busy home is retried, and the interval: commands are short, so a home is soon free.
const TRIES: u32 = 200;
const PAUSE: Duration = Duration::from_millis(25);

/// At most this many missing sentence vectors are computed before a command ends: some seconds of work. More
/// are left to the next owner of the home.
pub(crate) const VECTORS_TO_FINISH: usize = 100;

/// Sends requests to the routes of a home.
pub(crate) struct HomeClient {
    runtime: Runtime,
    client: Client,
    /// The home, when this process owns it.
    opened: Option<Arc<OpenHome>>,
}

/// What to do if there is no home yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WithoutHome {
    /// Create one.
    Make,
    /// Report it: a misspelt path must not look like an empty home.
    Refuse,
}

/// Which process answers for a home.
enum HomeOwner {
    Server(PathBuf),
    Ourselves(Arc<OpenHome>),
}

impl HomeClient {
    /// Connects to the home of `settings`, for `tenant`.
    pub(crate) fn open(
        settings: &Settings,
        tenant: TenantName,
        without: WithoutHome,
    ) -> Result<Self, Problem> {
        let on_disk = settings.store == StoreChoice::Home;
        if on_disk && without == WithoutHome::Refuse && !settings.home.is_dir() {
            return Err(no_home(settings));
        }
        let runtime = built(Builder::new_multi_thread())?;
        match find_owner(settings, &runtime)? {
            HomeOwner::Server(socket) => {
                Ok(Self { runtime, client: Client::over_socket(&socket, tenant), opened: None })
            }
            HomeOwner::Ourselves(opened) => {
                Ok(Self { runtime, client: in_process(&opened, tenant), opened: Some(opened) })
            }
        }
    }

    /// Becomes the owner of the home while the process lives, or reports the current owner.
    pub(crate) fn own(settings: &Settings) -> Result<(Self, Arc<OpenHome>), Problem> {
        let runtime = built(Builder::new_multi_thread())?;
        let tenant = settings.acting_tenant()?;
        match find_owner(settings, &runtime)? {
            HomeOwner::Server(_) => Err(owned(settings)),
            HomeOwner::Ourselves(opened) => {
                let client = in_process(&opened, tenant);
                Ok((Self { runtime, client, opened: Some(Arc::clone(&opened)) }, opened))
            }
        }
    }

    /// Sends a request and reads the answer.
    pub(crate) fn ask<V: Verb<Answer: DeserializeOwned>>(
        &self,
        request: Request<V>,
    ) -> Result<V::Answer, Problem> {
        self.send(request)?.read()
    }

    /// Starts to send requests concurrently.
    pub(crate) fn concurrently<K, V: Verb>(&self) -> InFlight<'_, K, V> {
        InFlight { home: self, waiting: VecDeque::new(), verb: PhantomData }
    }

    /// Sends a request without an answer body.
    pub(crate) fn run<V: Verb>(&self, request: Request<V>) -> Result<(), Problem> {
        self.send(request)?.check()
    }

    /// Sends a request with a streamed answer.
    pub(crate) async fn listen<V: Verb>(&self, request: Request<V>) -> Result<Listening, Problem> {
        self.client.listen(request.into_ask()?).await
    }

    /// Waits until `work` is done.
    pub(crate) fn wait_for<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.block_on(work)
    }

    /// Sends a request, and passes the answer to `then` on a thread of the runtime.
    pub(crate) fn forward(&self, ask: Ask, then: impl FnOnce(Result<Reply, Problem>) + Send + 'static) {
        let client = self.client.clone();
        self.runtime.spawn(async move { then(client.send(ask).await) });
    }

    /// Commits waiting writes, and releases the home.
    pub(crate) fn close(self) -> Result<(), Problem> {
        let Some(opened) = &self.opened else { return Ok(()) };
        let left = self.wait_for(opened.engine.finish_vectors(VECTORS_TO_FINISH)).unwrap_or(0);
        if left > 0 && opened.engine.encoders().is_some() && io::stderr().is_terminal() {
            report::note(format!(
                "{left} memories and events have no sentence vectors yet; `selfhood serve` and later \
                commands compute them"
            ));
        }
        self.wait_for(opened.engine.shutdown(clock::now()))
    }

    fn send<V: Verb>(&self, request: Request<V>) -> Result<Reply, Problem> {
        self.wait_for(self.client.send(request.into_ask()?))
    }
}

/// Requests in flight, each with its key.
pub(crate) struct InFlight<'d, K, V> {
    verb: PhantomData<V>,
    home: &'d HomeClient,
    waiting: VecDeque<(K, JoinHandle<Result<Reply, Problem>>)>,
}

impl<K, V: Verb<Answer: DeserializeOwned>> InFlight<'_, K, V> {
    /// Sends one more.
    pub(crate) fn send(&mut self, key: K, request: Request<V>) -> Result<(), Problem> {
        let (client, ask) = (self.home.client.clone(), request.into_ask()?);
        let sent = self.home.runtime.spawn(async move { client.send(ask).await });
        self.waiting.push_back((key, sent));
        Ok(())
    }

    /// Waits for the oldest answer while more than `most` are in flight.
    pub(crate) fn answer(&mut self, most: usize) -> Result<Option<(K, V::Answer)>, Problem> {
        if self.waiting.len() <= most {
            return Ok(None);
        }
        let Some((key, sent)) = self.waiting.pop_front() else { return Ok(None) };
        let reply = self.home.wait_for(sent).map_err(|error| broken_off(&error))??;
        Ok(Some((key, reply.read()?)))
    }
}

/// Waits until `work` is done, without a home.
pub(crate) fn wait_for<T>(work: impl Future<Output = T>) -> Result<T, Problem> {
    Ok(built(Builder::new_current_thread())?.block_on(work))
}

/// The process that answers for the home; waits for an owner without a socket.
fn find_owner(settings: &Settings, runtime: &Runtime) -> Result<HomeOwner, Problem> {
    if let StoreChoice::Postgres(_) = settings.store {
        return runtime
            .block_on(opening::open(settings))
            .map(|opened| HomeOwner::Ourselves(Arc::new(opened)));
    }
    for _ in 0..TRIES {
        match HomeLock::owner(&settings.home) {
            Some(Owner { socket: Some(socket), .. }) if UnixStream::connect(&socket).is_ok() => {
                return Ok(HomeOwner::Server(socket));
            }
            Some(_) => {}
            None => match runtime.block_on(opening::open(settings)) {
                Err(problem) if problem.code == Code::HomeLocked => {}
                opened => {
                    let opened = Arc::new(opened?);
                    runtime.block_on(opened.engine.sweep_when_opened(clock::now()))?;
                    return Ok(HomeOwner::Ourselves(opened));
                }
            },
        }
        sleep(PAUSE);
    }
    Err(owned(settings))
}

/// The routes of a home this process owns.
fn in_process(opened: &OpenHome, tenant: TenantName) -> Client {
    let server = Server::new(Arc::clone(&opened.engine), Arc::new(clock::now), Config::default());
    Client::in_process(server.private_router(opened.actor.clone()), tenant)
}

fn built(mut builder: Builder) -> Result<Runtime, Problem> {
    let made = builder.enable_all().build();
    made.map_err(|error| Problem::new(Code::IoFailed, format!("the system gave no threads: {error}")))
}

fn broken_off(error: &JoinError) -> Problem {
    Problem::new(Code::Internal, format!("a request was not answered: {error}"))
}

fn no_home(settings: &Settings) -> Problem {
    let home = settings.home.display();
    let detail = format!(
        "there is no home at {home}; create one with `selfhood init`, name another with --home, or try \
        `selfhood serve --demo` first"
    );
    Problem::new(Code::NotFound, detail)
}

fn owned(settings: &Settings) -> Problem {
    let home = settings.home.display();
    let detail = match HomeLock::owner(&settings.home) {
        Some(owner) => format!("{home} is in use by {owner}; stop it, or wait until it ends"),
        None => format!("{home} is in use by changing processes; try again"),
    };
    Problem::new(Code::HomeLocked, detail)
}
