//! Real listeners: TCP, TLS, the private socket, a reverse proxy in front, and stopping in good order.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use axum::http::Method;
use domain::Actor;
use serde_json::{Value, json};
use server::client::{Ask, Client};
use server::{Config, Exposure, Limits, PrivateSocketConfig, TlsFiles};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::fixture::Fixture;

/// A server that answers at an address until it is stopped.
pub(crate) struct Running {
    pub(crate) url: String,
    pub(crate) key: String,
    pub(crate) address: SocketAddr,
    pub(crate) folder: tempfile::TempDir,
    stop: oneshot::Sender<()>,
    served: JoinHandle<Result<(), wire::Problem>>,
}

impl Running {
    pub(crate) async fn start(fixture: Fixture) -> Self {
        let bound = fixture.server.bind().await.unwrap();
        let (url, address) = (bound.url(), bound.address());
        let (stop, stopped) = oneshot::channel();
        let served = tokio::spawn(bound.serve(async { drop(stopped.await) }));
        Self { url, key: fixture.key, address, folder: fixture.folder, stop, served }
    }

    pub(crate) async fn with(config: Config) -> Self {
        Self::start(Fixture::with(config).await).await
    }

    pub(crate) async fn stop(self) {
        let _ = self.stop.send(());
        self.served.await.unwrap().unwrap();
    }

    /// Sends a head and a body over a new connection and returns all that comes back.
    async fn exchange(&self, head: &str) -> String {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        answer
    }

    pub(crate) fn head(&self, method: &str, path: &str, more: &str) -> String {
        let (key, address) = (&self.key, self.address);
        format!(
            "{method} {path} HTTP/1.1\r\nhost: {address}\r\nx-api-key: {key}\r\nconnection: close\r\n{more}\r\n"
        )
    }
}

fn status(answer: &str) -> u16 {
    answer.split(' ').nth(1).unwrap_or_else(|| panic!("{answer:?}")).parse().unwrap()
}

#[tokio::test]
async fn any_free_port_is_taken_and_reported() {
    let running = Running::start(Fixture::new().await).await;
    assert_ne!(running.address.port(), 0);
    assert_eq!(running.url, format!("http://{}", running.address));
    assert_eq!(status(&running.exchange(&running.head("GET", "/personas", "")).await), 200);
    running.stop().await;
}

#[tokio::test]
async fn another_machines_address_is_not_taken_unless_that_was_asked_for() {
    let listen = "0.0.0.0:0".parse().unwrap();
    let refused = Fixture::with(Config { listen, ..Config::default() }).await.server.bind().await;
    assert_eq!(refused.err().unwrap().code, wire::Code::ConfigInvalid);
    let running = Running::with(Config { listen, reach: Exposure::Network, ..Config::default() }).await;
    running.stop().await;
}

#[tokio::test]
async fn the_private_socket_and_the_process_itself_give_the_same_answers() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("selfhood.sock");
    let actor = Actor::operator("did:key:test");
    let private = Some(PrivateSocketConfig { path: path.clone(), actor });
    let fixture = Fixture::with(Config { private, ..Config::default() }).await;
    let inside = fixture.local("scott");
    let running = Running::start(fixture).await;
    let outside = Client::over_socket(&path, "scott".parse().unwrap());

    let setup = json!({ "name": "inara" });
    let made: Value = outside
        .send(Ask::new(Method::POST, "/setup/persona").with_body(&setup))
        .await
        .unwrap()
        .read()
        .unwrap();
    assert_eq!(made["persona"]["name"], "inara");
    for (method, path, body) in [
        (Method::GET, "/personas", None),
        (Method::GET, "/personas/inara", None),
        (Method::GET, "/personas/nobody", None),
        (Method::POST, "/setup/persona", Some(setup)),
        (Method::POST, "/v1/personas/inara/memories", Some(json!({ "gist": 7 }))),
        (Method::GET, "/v1/personas/inara/memories?limit=9999", None),
    ] {
        let ask = Ask::new(method, path);
        let ask = body.map_or(ask.clone(), |body| ask.with_body(&body));
        let (one, other) = (inside.send(ask.clone()).await.unwrap(), outside.send(ask).await.unwrap());
        assert_eq!((one.status, one.check()), (other.status, other.check()), "{path}");
        if one.status.is_success() {
            assert_eq!(one.body, other.body, "{path}");
        }
    }
    running.stop().await;
    assert!(!path.exists());
    let nobody = outside.send(Ask::new(Method::GET, "/personas")).await.unwrap_err();
    assert_eq!(nobody.code, wire::Code::Unreachable);
}

#[tokio::test]
async fn a_request_that_has_begun_is_answered_and_then_the_home_is_free() {
    let running = Running::start(Fixture::new().await).await;
    let body = json!({ "name": "inara" }).to_string();
    let more = format!("content-type: application/json\r\ncontent-length: {}\r\n", body.len());
    let mut stream = TcpStream::connect(running.address).await.unwrap();
    stream.write_all(running.head("POST", "/setup/persona", &more).as_bytes()).await.unwrap();
    let (first, rest) = body.split_at(5);
    stream.write_all(first.as_bytes()).await.unwrap();
    tokio::time::sleep(Duration::from_millis(100)).await;

    let (address, folder) = (running.address, running.folder);
    let _ = running.stop.send(());
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert!(TcpStream::connect(address).await.is_err(), "no new connection is taken");
    stream.write_all(rest.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert_eq!(status(&answer), 201, "{answer}");
    running.served.await.unwrap().unwrap();
    assert_eq!(store::home::HomeLock::owner(&folder.path().join("home")), None);
}

#[tokio::test]
async fn a_connection_that_says_nothing_is_closed() {
    let limits = Limits { head: Duration::from_millis(100), ..Limits::default() };
    let running = Running::with(Config { limits, ..Config::default() }).await;
    let answer = tokio::time::timeout(Duration::from_secs(5), running.exchange("GET / HTTP/1.1\r\n")).await;
    assert!(!answer.unwrap().contains(" 200 "));
    running.stop().await;
}

#[tokio::test]
async fn whoever_guesses_keys_is_slowed_down_and_a_known_key_is_not() {
    let limits = Limits { wrong_keys: 2, ..Limits::default() };
    let running = Running::with(Config { limits, ..Config::default() }).await;
    let known = running.head("GET", "/personas", "");
    let guess = known.replace(&running.key, "sh_nobody_0");
    let mut statuses = Vec::new();
    for head in [&guess, &guess, &guess, &known] {
        statuses.push(status(&running.exchange(head).await));
    }
    assert_eq!(statuses, [401, 401, 429, 200]);
    running.stop().await;
}

#[tokio::test]
async fn behind_a_trusted_proxy_its_words_count_and_a_strangers_do_not() {
    let config = |forwarders: &[&str]| Config {
        public_url: Some("https://memory.example.org".parse().unwrap()),
        forwarders: forwarders.iter().map(|it| it.parse().unwrap()).collect(),
        ..Config::default()
    };
    let forwarded = "x-forwarded-host: memory.example.org\r\nx-forwarded-proto: https\r\n\
        x-forwarded-for: 203.0.113.9\r\norigin: https://memory.example.org\r\ncontent-length: 2\r\n\
        content-type: application/json\r\n";
    let body = |running: &Running| format!("{}{{}}", running.head("POST", "/setup/persona", forwarded));

    let trusting = Running::with(config(&["127.0.0.1"])).await;
    let answer =
        trusting.exchange(&body(&trusting).replace(&trusting.address.to_string(), "proxy.internal")).await;
    assert_eq!(status(&answer), 400, "the request reached its verb: {answer}");
    assert!(answer.contains("strict-transport-security: max-age=31536000"), "{answer}");
    assert_eq!(status(&trusting.exchange(&trusting.head("GET", "/metrics", "")).await), 200, "with a key");
    let silent = format!("GET /metrics HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n", trusting.address);
    assert_eq!(
        status(&trusting.exchange(&silent).await),
        401,
        "a proxy that names nobody looks like this machine"
    );
    let through = "GET /metrics HTTP/1.1\r\nhost: memory.example.org\r\nconnection: close\r\nx-forwarded-for: 203.0.113.9\r\n\r\n";
    assert_eq!(status(&trusting.exchange(through).await), 401, "the counters are not open through the proxy");
    trusting.stop().await;

    let wary = Running::with(config(&["10.0.0.1"])).await;
    let answer = wary.exchange(&body(&wary).replace(&wary.address.to_string(), "proxy.internal")).await;
    assert_eq!(status(&answer), 421, "{answer}");
    wary.stop().await;
}

#[tokio::test]
async fn keys_nobody_has_are_tried_slowly_from_one_address() {
    let running = Running::start(Fixture::new().await).await;
    let guess = running.head("GET", "/personas", "").replace(&running.key, "sh_guess_0");
    let mut statuses = Vec::new();
    for _ in 0..31 {
        statuses.push(status(&running.exchange(&guess).await));
    }
    assert_eq!((statuses[0], statuses[29], statuses[30]), (401, 401, 429));
    assert_eq!(
        status(&running.exchange(&running.head("GET", "/personas", "")).await),
        200,
        "who has one may come in"
    );
    running.stop().await;
}

#[tokio::test]
async fn a_link_that_is_asked_for_twice_under_one_key_is_made_once_and_shown_once() {
    let running = Running::start(Fixture::new().await).await;
    let ask = running.head("POST", "/v1/sign-in-links", "idempotency-key: k\r\ncontent-length: 0\r\n");
    assert_eq!(status(&running.exchange(&ask).await), 201);
    let again = running.exchange(&ask).await;
    assert!(status(&again) == 410 && again.contains("shown once"), "{again}");
    running.stop().await;
}

/// A certificate for `name` and this machine, signed by itself.
pub(crate) fn certify(folder: &Path, name: &str) -> TlsFiles {
    let made = rcgen::generate_simple_self_signed([name.to_owned(), "127.0.0.1".to_owned()]).unwrap();
    let files = TlsFiles { certificate: folder.join("cert.pem"), key: folder.join("key.pem") };
    std::fs::write(&files.certificate, made.cert.pem()).unwrap();
    std::fs::write(&files.key, made.signing_key.serialize_pem()).unwrap();
    files
}

async fn curl(url: &str, trusted: PathBuf) -> Option<String> {
    let mut command = Command::new("curl");
    command.args(["-sS", "--noproxy", "*", "--max-time", "10", "-w", "%{http_code}", "--cacert"]);
    command.arg(trusted).arg(format!("{url}/readyz"));
    let output = tokio::task::spawn_blocking(move || command.output()).await.unwrap().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn tls_is_spoken_with_the_given_certificate_and_its_renewal() {
    let folder = tempfile::tempdir().unwrap();
    let tls = certify(folder.path(), "localhost");
    let trusted = tls.certificate.clone();
    let running = Running::with(Config { tls: Some(tls), ..Config::default() }).await;
    assert!(running.url.starts_with("https://127.0.0.1:"));
    let Some(answer) = curl(&running.url, trusted.clone()).await else {
        eprintln!("SKIPPED: there is no curl on this machine, so TLS was not tried");
        return running.stop().await;
    };
    assert_eq!(answer, "{\"status\":\"ok\"}200");
    tokio::time::sleep(Duration::from_millis(20)).await;
    certify(folder.path(), "localhost");
    assert_eq!(curl(&running.url, trusted).await.unwrap(), "{\"status\":\"ok\"}200");
    let in_clear = running.exchange(&running.head("GET", "/readyz", "")).await;
    assert!(!in_clear.contains("200 OK"), "{in_clear}");
    running.stop().await;
}

#[tokio::test]
async fn a_certificate_that_can_not_be_used_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let tls = TlsFiles { certificate: folder.path().join("cert.pem"), key: folder.path().join("key.pem") };
    let refused = Fixture::with(Config { tls: Some(tls), ..Config::default() }).await.server.bind().await;
    let problem = refused.err().unwrap();
    assert!(problem.code == wire::Code::ConfigInvalid && problem.detail.contains("cert.pem"), "{problem}");
}

#[tokio::test]
async fn a_stopping_server_is_not_ready() {
    let fixture = Fixture::new().await;
    let private = fixture.server.private_router(Actor::operator("did:key:test"));
    let client = Client::in_process(private, "scott".parse().unwrap());
    let ready = async || client.send(Ask::new(Method::GET, "/readyz")).await.unwrap().status.as_u16();
    assert_eq!(ready().await, 200);
    Running::start(fixture).await.stop().await;
    assert_eq!(ready().await, 503);
}
