//! The one way in. When a server owns the home, a request goes over its private socket; when nobody does,
//! this process becomes the owner for as long as its command takes and asks the same routes itself.

use std::collections::VecDeque;
use std::io::{self, IsTerminal as _};
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
use wire::{Code, Problem};

use crate::clock;
use crate::config::{Settings, StoreChoice};
use crate::opening::{self, OpenHome};
use crate::report;
use crate::request::Request;

/// How often another owner is waited for, and how long each time: commands are short, so a home is soon free.
const TRIES: u32 = 200;
const PAUSE: Duration = Duration::from_millis(25);

/// How many memories and events get their sentence vectors before a command ends: some seconds' work. More are left
/// to whoever owns the home next.
pub(crate) const VECTORS_TO_FINISH: usize = 100;

/// Where requests go.
pub(crate) struct Door {
    runtime: Runtime,
    client: Client,
    /// The home, when this process owns it.
    house: Option<Arc<OpenHome>>,
}

/// What to do when there is no home yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WithoutHome {
    /// Make one.
    Make,
    /// Say so: a misspelt path must not look like an empty home.
    Refuse,
}

/// Who answers for a home.
enum Answering {
    Server(PathBuf),
    Ourselves(Arc<OpenHome>),
}

impl Door {
    /// Finds the way in to the home of `settings`, on behalf of `tenant`.
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
        match answering(settings, &runtime)? {
            Answering::Server(socket) => {
                Ok(Self { runtime, client: Client::over_socket(&socket, tenant), house: None })
            }
            Answering::Ourselves(house) => {
                Ok(Self { runtime, client: in_process(&house, tenant), house: Some(house) })
            }
        }
    }

    /// Becomes the owner of the home for as long as the process lives, or says who is.
    pub(crate) fn own(settings: &Settings) -> Result<(Self, Arc<OpenHome>), Problem> {
        let runtime = built(Builder::new_multi_thread())?;
        let tenant = settings.acting_tenant()?;
        match answering(settings, &runtime)? {
            Answering::Server(_) => Err(owned(settings)),
            Answering::Ourselves(house) => {
                let client = in_process(&house, tenant);
                Ok((Self { runtime, client, house: Some(Arc::clone(&house)) }, house))
            }
        }
    }

    /// Asks for something and reads the answer.
    pub(crate) fn ask<T: DeserializeOwned>(&self, request: Request) -> Result<T, Problem> {
        self.send(request)?.read()
    }

    /// For asking several things without waiting for each.
    pub(crate) fn several<K>(&self) -> Several<'_, K> {
        Several { door: self, waiting: VecDeque::new() }
    }

    /// Asks for something that has no answer but being done.
    pub(crate) fn tell(&self, request: Request) -> Result<(), Problem> {
        self.send(request)?.check()
    }

    /// Asks for something that is answered in pieces.
    pub(crate) async fn listen(&self, request: Request) -> Result<Listening, Problem> {
        self.client.listen(request.into_ask()?).await
    }

    /// Waits until `work` is done.
    pub(crate) fn wait_for<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.block_on(work)
    }

    /// Sends what is asked, and hands the answer to `then` when it comes, on a thread of the door's own.
    pub(crate) fn forward(&self, ask: Ask, then: impl FnOnce(Result<Reply, Problem>) + Send + 'static) {
        let client = self.client.clone();
        self.runtime.spawn(async move { then(client.send(ask).await) });
    }

    /// Keeps what still waits, and gives the home back.
    pub(crate) fn close(self) -> Result<(), Problem> {
        let Some(house) = &self.house else { return Ok(()) };
        let left = self.wait_for(house.engine.finish_vectors(VECTORS_TO_FINISH)).unwrap_or(0);
        if left > 0 && house.engine.encoders().is_some() && io::stderr().is_terminal() {
            report::note(format!(
                "{left} memories and events wait for their sentence vectors; `selfhood serve` and later commands go on with them"
            ));
        }
        self.wait_for(house.engine.shutdown(clock::now()))
    }

    fn send(&self, request: Request) -> Result<Reply, Problem> {
        self.wait_for(self.client.send(request.into_ask()?))
    }
}

/// Requests that are on their way, each with what belongs to it.
pub(crate) struct Several<'d, K> {
    door: &'d Door,
    waiting: VecDeque<(K, JoinHandle<Result<Reply, Problem>>)>,
}

impl<K> Several<'_, K> {
    /// Sends one more.
    pub(crate) fn send(&mut self, key: K, request: Request) -> Result<(), Problem> {
        let (client, ask) = (self.door.client.clone(), request.into_ask()?);
        let sent = self.door.runtime.spawn(async move { client.send(ask).await });
        self.waiting.push_back((key, sent));
        Ok(())
    }

    /// Waits for the oldest answer as long as more than `most` are on their way.
    pub(crate) fn answer<T: DeserializeOwned>(&mut self, most: usize) -> Result<Option<(K, T)>, Problem> {
        if self.waiting.len() <= most {
            return Ok(None);
        }
        let Some((key, sent)) = self.waiting.pop_front() else { return Ok(None) };
        let reply = self.door.wait_for(sent).map_err(|error| broken_off(&error))??;
        Ok(Some((key, reply.read()?)))
    }
}

/// Waits until `work` is done, where no home is needed for it.
pub(crate) fn wait_for<T>(work: impl Future<Output = T>) -> Result<T, Problem> {
    Ok(built(Builder::new_current_thread())?.block_on(work))
}

/// Whoever answers for the home; another process that has no socket is waited for.
fn answering(settings: &Settings, runtime: &Runtime) -> Result<Answering, Problem> {
    if let StoreChoice::Postgres(_) = settings.store {
        return runtime.block_on(opening::open(settings)).map(|house| Answering::Ourselves(Arc::new(house)));
    }
    for _ in 0..TRIES {
        match HomeLock::owner(&settings.home) {
            Some(Owner { socket: Some(socket), .. }) if UnixStream::connect(&socket).is_ok() => {
                return Ok(Answering::Server(socket));
            }
            Some(_) => {}
            None => match runtime.block_on(opening::open(settings)) {
                Err(problem) if problem.code == Code::HomeLocked => {}
                opened => {
                    let house = Arc::new(opened?);
                    runtime.block_on(house.engine.sweep_when_opened(clock::now()))?;
                    return Ok(Answering::Ourselves(house));
                }
            },
        }
        sleep(PAUSE);
    }
    Err(owned(settings))
}

/// The routes of a home this process owns.
fn in_process(house: &OpenHome, tenant: TenantName) -> Client {
    let server = Server::new(Arc::clone(&house.engine), Arc::new(clock::now), Config::default());
    Client::in_process(server.private_router(house.actor.clone()), tenant)
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
        "there is no home at {home}; make one with `selfhood init`, name another with --home, or look around \
                 first with `selfhood serve --demo`"
    );
    Problem::new(Code::NotFound, detail)
}

fn owned(settings: &Settings) -> Problem {
    let home = settings.home.display();
    let detail = match HomeLock::owner(&settings.home) {
        Some(owner) => format!("{home} is in use by {owner}; stop it, or wait until it ends"),
        None => format!("{home} keeps changing its owner; try again"),
    };
    Problem::new(Code::HomeLocked, detail)
}
