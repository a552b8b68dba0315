//! `selfhood serve`: runs the server until it is stopped.

use std::future::{Future as _, pending, poll_fn};
use std::io::{self, IsTerminal as _};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use engine::{Call, Caller, Engine};
use server::listen::{BoundServer, OpenWork};
use server::{Config, Exposure, Page, PrivateSocketConfig, Server, logs, signals};
use store::home::HomeLock;
use tracing::level_filters::LevelFilter;
use vault::shared_secret::SharedSecret;
use wire::local_model::LocalModels;
use wire::verb;
use wire::{Code, Exit, Problem};

use crate::cli::Serve;
use crate::config::{LogLevel, Settings, StoreChoice};
use crate::home_client::HomeClient;
use crate::opening::{self, OpenHome};
use crate::request::Request;
use crate::telemetry::Reporting;
use crate::welcome::{self, Reader, Tries};
use crate::{backups, browser, clock, demo, erasures, local_models, report, timekeeper};

/// How often turns with delayed formation are checked.
const BETWEEN_FORMATIONS: Duration = Duration::from_secs(15);

/// Serves the home of `settings`.
pub(crate) fn run(asked: &Serve, settings: &Settings) -> Result<Exit, Problem> {
    logs::install(settings.listening.log_format, level(settings.listening.log_level), Arc::new(clock::now));
    settings.models.check()?;
    check_address(settings)?;
    check_release(settings)?;
    let (client, opened) = HomeClient::own(settings)?;
    let served =
        greet(asked, settings, &client).and_then(|()| client.wait_for(serve(asked, &opened, settings)));
    match served {
        Ok(()) => Ok(Exit::Ok),
        Err(problem) => client.close().and(Err(problem)),
    }
}

/// Reports a port in use before anything is created or printed. A home owned by another server has its own
/// message.
fn check_address(settings: &Settings) -> Result<(), Problem> {
    let is_owned = settings.store == StoreChoice::Home && HomeLock::owner(&settings.home).is_some();
    if is_owned { Ok(()) } else { config(settings, None).check_address() }
}

/// Refuses a home with a database that a later release wrote, also if only one persona has it.
pub(super) fn check_release(settings: &Settings) -> Result<(), Problem> {
    if settings.store != StoreChoice::Home || !settings.home.is_dir() {
        return Ok(());
    }
    store::check_schemas(&settings.home).map_err(|error| Problem::new(Code::HomeUnusable, error.to_string()))
}

/// Creates what the first run needs, and prints where everything is.
fn greet(asked: &Serve, settings: &Settings, client: &HomeClient) -> Result<(), Problem> {
    if asked.demo {
        demo::load(client, settings)?;
    }
    let tries = if asked.demo { Tries::Demo } else { Tries::Empty };
    let reader = if io::stderr().is_terminal() { Reader::Person } else { Reader::Log };
    let welcome = welcome::greet(client, settings, tries, reader)?;
    report::note(welcome.text().trim_end());
    report::note("");
    if welcome.is_first {
        offer_models(client)?;
    }
    Ok(())
}

/// Only on the first run: later the user has already seen the offer.
fn offer_models(client: &HomeClient) -> Result<(), Problem> {
    let LocalModels { servers, .. } = client.ask(Request::<verb::FindLocalModels>::to(&[])?)?;
    for found in servers.unwrap_or_default() {
        let lines = found.lines.replace('\n', "\n  ").replace("\n  \n", "\n\n");
        let sentence = local_models::sentence(&found);
        report::note(format_args!("{sentence}; to use it, add to selfhood.toml:\n\n  {lines}\n"));
    }
    Ok(())
}

async fn serve(asked: &Serve, opened: &OpenHome, settings: &Settings) -> Result<(), Problem> {
    opened.engine.yield_to_requests();
    let socket = opening::socket(&settings.home);
    // With a shared database, commands connect to it directly; only a home has one owner that answers for it.
    let private = (settings.store == StoreChoice::Home)
        .then(|| PrivateSocketConfig { path: socket.clone(), actor: opened.actor.clone() });
    let config = Config { page: page(asked), ..config(settings, private) };
    let server = Server::new(Arc::clone(&opened.engine), Arc::new(clock::now), config);
    let bound = with_spans(server, settings)?.bind().await?;
    opened.take_requests_at(&socket)?;
    let work = bound.open_work();
    let mut end = Box::pin(async move {
        signals::asked_to_end().await;
        say_what_is_waited_for(&work);
    });
    // A reader of the line "listening" may stop us at once, so signals must be handled before it is printed.
    if poll_fn(|context| Poll::Ready(end.as_mut().poll(context))).await.is_ready() {
        return opened.engine.shutdown(clock::now()).await;
    }
    report::note(page_lines(&bound, opened, settings).await);
    report::note(format_args!("listening on {}", bound.url()));
    if asked.open {
        browser::open(&sign_in_link(&bound, opened, settings).await?);
    }
    form_what_waits(&opened.engine);
    erasures::watch(Arc::clone(&opened.engine), clock::now);
    timekeeper::run_scheduler(Arc::clone(&opened.engine), clock::now);
    let wanted = settings.services.telemetry.as_ref();
    let reporting =
        wanted.map(|wanted| Reporting::new(wanted, bound.telemetry(), clock::now())).transpose()?;
    let outcome = tokio::select! {
        ended = bound.serve(end) => ended,
        never = backups::keep_up(&opened.engine, settings, clock::now) => never,
        never = report_to_collector(reporting.as_ref()) => never,
    };
    if let Some(reporting) = &reporting {
        reporting.end(clock::now()).await;
    }
    outcome
}

/// Sends traces and metrics; without a collector it waits forever.
async fn report_to_collector(reporting: Option<&Reporting>) -> ! {
    match reporting {
        Some(reporting) => reporting.keep_up(clock::now).await,
        None => loop {
            pending::<()>().await;
        },
    }
}

/// A server that records spans if a collector is configured.
fn with_spans(server: Server, settings: &Settings) -> Result<Server, Problem> {
    if settings.services.telemetry.is_none() {
        return Ok(server);
    }
    let seed = vault::randomness::random_bytes(&clock::chance())
        .map_err(|error| Problem::new(Code::IoFailed, format!("the system gave no random bytes: {error}")))?;
    Ok(server.with_spans(seed))
}

/// On a terminal, prints what the shutdown waits for, and lets a second Ctrl-C end it at once.
fn say_what_is_waited_for(work: &OpenWork) {
    if !io::stderr().is_terminal() {
        return;
    }
    let counted = |count: usize, one: &str| match count {
        0 => None,
        1 => Some(format!("1 {one}")),
        _ => Some(format!("{count} {one}s")),
    };
    let waiting = [counted(work.requests(), "request"), counted(work.answers(), "answer")];
    let waiting: Vec<String> = waiting.into_iter().flatten().collect();
    let seconds = work.at_most().as_secs();
    report::note(if waiting.is_empty() {
        "\nstopping".to_owned()
    } else {
        let waiting = waiting.join(" and ");
        format!("\nstopping: waiting for {waiting}, at most {seconds} s; Ctrl-C again stops at once")
    });
    tokio::spawn(async {
        signals::asked_to_end().await;
        report::note("stopped at once; open answers are stored as interrupted");
        std::process::exit(130);
    });
}

/// The URL of the page and how to sign in. A link gives full access, so it is printed only on a terminal: not
/// into a log file or a service's journal.
async fn page_lines(bound: &BoundServer, opened: &OpenHome, settings: &Settings) -> String {
    let no_link = match settings.store {
        StoreChoice::Home => "`selfhood key sign-in` prints a link that signs you in once",
        StoreChoice::Postgres(_) => "sign in with an API key; `selfhood key new` makes one",
    };
    let link =
        if io::stderr().is_terminal() { sign_in_link(bound, opened, settings).await.ok() } else { None };
    match link {
        Some(link) => format!(
            "  page   {link}\n         signs you in, once and within 15 minutes; `selfhood key sign-in` \
            makes another\n"
        ),
        None => format!("  page   {}/ui\n         {no_link}\n", bound.page_url()),
    }
}

/// The owner's sign-in link.
async fn sign_in_link(
    bound: &BoundServer,
    opened: &OpenHome,
    settings: &Settings,
) -> Result<String, Problem> {
    let caller = Caller::local(settings.acting_tenant()?, opened.actor.clone());
    let call = Call { caller, now: clock::now(), request: None };
    Ok(bound.sign_in_link(&call).await?.url)
}

fn page(asked: &Serve) -> Page {
    if asked.dev { Page::Folder(page_sources()) } else { Page::Embedded }
}

/// Where the page's sources are: cargo names the folder when it starts the program; otherwise they are below the
/// current folder. A path that is compiled in would make builds in two folders differ.
fn page_sources() -> PathBuf {
    let project = std::env::var_os("CARGO_MANIFEST_DIR").map(|package| PathBuf::from(package).join("../.."));
    project.unwrap_or_default().join("web")
}

/// Forms memories from turns that were pending when the last process ended, and then from those a model has
/// delayed.
fn form_what_waits(engine: &Arc<Engine>) {
    let engine = Arc::clone(engine);
    tokio::spawn(async move {
        let mut formed = engine.form_pending(clock::now()).await;
        loop {
            if let Err(problem) = formed {
                tracing::warn!(code = %problem.code, "memories of earlier conversations were not formed");
            }
            tokio::time::sleep(BETWEEN_FORMATIONS).await;
            formed = engine.form_delayed(clock::now()).await;
        }
    });
}

/// Only a configured address may be one that other machines reach.
pub(crate) fn config(settings: &Settings, private: Option<PrivateSocketConfig>) -> Config {
    let listening = &settings.listening;
    let address = listening.address.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
    Config {
        listen: SocketAddr::new(address, listening.port),
        reach: if listening.address.is_some() { Exposure::Network } else { Exposure::Loopback },
        tls: listening.tls.clone(),
        public_url: listening.public_url.clone(),
        hosts: listening.hosts.clone(),
        forwarders: listening.forwarders.iter().map(|trusted| trusted.forwarder).collect(),
        private,
        user_secret: listening.user_secret.as_ref().map(|secret| SharedSecret::new(secret.expose())),
        page: Page::Embedded,
        limits: settings.limits,
    }
}

const fn level(level: LogLevel) -> LevelFilter {
    match level {
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
    }
}
