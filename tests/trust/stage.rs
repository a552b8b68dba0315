//! A server on 127.0.0.1 with two tenants: Ana, whose key is in the wrong hands, and Ben, who only wants to be
//! answered.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use domain::{Actor, TenantName, Timestamp};
use engine::{Call, Caller, Engine};
use engine_testkit::parts::parts;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::{Value, json};
use server::{Clock, Config, Limits, Server};
use store::Store;
use tempfile::TempDir;
use tokio::sync::oneshot;
use wire::read::read_value;

use crate::world;

/// Nobody waits longer for an answer.
pub(crate) const PATIENCE: Duration = Duration::from_secs(4);
/// How many memories make Ana's persona a large one.
const LARGE: usize = 1_500;

/// How many conversations Ana had, and how many turns there are in each.
const TALKS: (usize, usize) = (20, 50);

/// The server and who uses it.
pub(crate) struct Stage {
    pub(crate) address: SocketAddr,
    /// May read everything of Ana's and nothing else.
    pub(crate) hostile_key: String,
    /// Another key of Ana's.
    pub(crate) other_key: String,
    /// Ben's, which may read the counters too.
    pub(crate) quiet_key: String,
    stop: Option<oneshot::Sender<()>>,
    runtime: Option<tokio::runtime::Runtime>,
    _folder: TempDir,
}

impl Stage {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let engine = Arc::new(engine(runtime.block_on(world::open(folder.path())).unwrap()));
        let keys = runtime.block_on(fill(&engine));
        allow_many_connections();
        let limits = Limits { drain: Duration::from_millis(200), ..Limits::default() };
        let started = Instant::now();
        // It moves, or nobody would ever be let in again after the first burst.
        let clock: Clock = Arc::new(move || {
            let passed = i64::try_from(started.elapsed().as_millis()).unwrap_or(i64::MAX);
            Timestamp::from_millis(now().as_millis() + passed)
        });
        let server = Server::new(engine, clock, Config { limits, ..Config::default() });
        let bound = runtime.block_on(server.bind()).unwrap();
        let address = bound.address();
        let (stop, stopped) = oneshot::channel();
        runtime.spawn(bound.serve(async { drop(stopped.await) }));
        let [hostile_key, other_key, quiet_key] = keys;
        let (stop, runtime) = (Some(stop), Some(runtime));
        Self { address, hostile_key, other_key, quiet_key, stop, runtime, _folder: folder }
    }

    pub(crate) fn request(&self, method: &str, path: &str, key: &str, body: &str) -> String {
        format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nx-api-key: {key}\r\nconnection: close\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        )
    }

    /// Sends `request` over a new connection and says how long the answer took and what its status was, 0 if none
    /// came.
    pub(crate) fn exchange(&self, request: &str) -> (Duration, u16) {
        self.exchange_within(request, PATIENCE)
    }

    /// The same, waiting for as long as `patience` lasts.
    pub(crate) fn exchange_within(&self, request: &str, patience: Duration) -> (Duration, u16) {
        let started = Instant::now();
        let status = answer(self.address, request, patience).unwrap_or(0);
        (started.elapsed(), status)
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        let _ = self.stop.take().map(|stop| stop.send(()));
        let _ = self.runtime.take().map(|runtime| runtime.shutdown_timeout(PATIENCE));
    }
}

/// This process has both ends of every connection.
fn allow_many_connections() {
    let limit = getrlimit(Resource::Nofile);
    let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit });
}

/// Sends `text` over a new connection.
pub(crate) fn connect(address: SocketAddr, text: &str) -> std::io::Result<TcpStream> {
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    stream.write_all(text.as_bytes())?;
    Ok(stream)
}

fn answer(address: SocketAddr, request: &str, patience: Duration) -> std::io::Result<u16> {
    let mut stream = connect(address, request)?;
    stream.set_read_timeout(Some(patience))?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes)?;
    Ok(status(&bytes).unwrap_or(0))
}

/// The status in the first bytes of an answer, if they are that.
pub(crate) fn status(bytes: &[u8]) -> Option<u16> {
    let status = bytes.strip_prefix(b"HTTP/1.1 ")?.get(..3)?;
    std::str::from_utf8(status).ok()?.parse().ok()
}

fn now() -> Timestamp {
    "2026-03-01T12:00:00Z".parse().unwrap()
}

fn engine(store: Store) -> Engine {
    Engine::new(parts(store))
}

fn call(tenant: &str) -> Call {
    let tenant: TenantName = tenant.parse().unwrap();
    Call { caller: Caller::local(tenant, Actor::operator("did:key:test")), now: now(), request: None }
}

/// A persona for each tenant, Ana's with a long life and many memories; two keys for Ana and one for Ben.
async fn fill(engine: &Engine) -> [String; 3] {
    for (tenant, memories) in [("ana", LARGE), ("ben", 50)] {
        let seed = json!({
            "firstName": "Maya", "lastName": "Chen", "age": 34, "location": "Cluj", "baseOccupation": "designer"
        });
        let asked = read_value(json!({ "tenantId": tenant, "seed": seed })).unwrap();
        engine.create_persona(&call(tenant), asked).await.unwrap();
        let lines: Vec<Value> = (0..memories).map(memory).collect();
        let asked = read_value(json!({ "lines": lines })).unwrap();
        let taken = engine.import(&call(tenant), &"maya-chen".parse().unwrap(), asked).await.unwrap();
        assert_eq!(taken.memories, memories, "{taken:?}");
    }
    for number in 0..90 {
        let asked = read_value(event(number)).unwrap();
        engine.append_entry(&call("ana"), &"maya-chen".parse().unwrap(), asked).await.unwrap();
    }
    let lines: Vec<Value> = (0..TALKS.0).map(talk).collect();
    let asked = read_value(json!({ "lines": lines })).unwrap();
    let taken = engine.import(&call("ana"), &"maya-chen".parse().unwrap(), asked).await.unwrap();
    assert_eq!(taken.conversations, TALKS.0, "{taken:?}");
    let mut keys = Vec::new();
    for (tenant, scopes) in
        [("ana", vec!["read"]), ("ana", vec!["read", "write"]), ("ben", vec!["read", "audit"])]
    {
        let asked = read_value(json!({ "scopes": scopes, "speaks": "owner" })).unwrap();
        keys.push(engine.new_key(&call(tenant), asked).await.unwrap().secret.unwrap());
    }
    keys.try_into().unwrap()
}

fn memory(number: usize) -> Value {
    let topics = ["coffee", "harbour", "violin", "orchard", "letters", "mountains", "bakery"];
    let topic = topics[number % topics.len()];
    json!({
        "kind": "semantic", "gist": format!("Guest {number} spoke of the {topic} for an hour."), "salience": 0.8,
        "privacyClass": "non-pii", "consentBasis": "not-applicable", "tags": [topic],
        "createdAt": "2026-02-01T12:00:00Z",
        "details": [{ "content": format!("it was table {number}"), "brightness": 0.9 }],
    })
}

/// A conversation with long turns, all of the same words.
fn talk(number: usize) -> Value {
    let turn = |at: usize| {
        let speaker = if at.is_multiple_of(2) { "subject" } else { "persona" };
        let sentence =
            format!("We walked from the harbour to the orchard, and table {at} read letters to the violin. ");
        json!({ "id": format!("{number}-{at}"), "speaker": speaker, "text": sentence.repeat(25) })
    };
    let turns: Vec<Value> = (0..TALKS.1).map(turn).collect();
    json!({ "id": number.to_string(), "source": "chatgpt", "subject": "owner", "turns": turns })
}

/// An event of a life as long as it may be, in which much can contradict much.
fn event(number: usize) -> Value {
    let sentences = (0..).map(|at| {
        let year = 1950 + (number * 7 + at * 3) % 70;
        format!("In {year} I never met my brother Tom{at} in Porto because he was {} years old. ", at % 40)
    });
    let facts: String = sentences.take(100).collect();
    json!({
        "tenantId": "ana", "eventAt": "2026-01-01T00:00:00Z", "eventLabel": format!("Summer {number}"),
        "facts": facts.chars().take(4_990).collect::<String>(), "feelings": "Glad.", "emotionTags": ["joy"],
        "memoryType": "normal", "memoryStrength": 72, "interpretation": "A start.",
    })
}
