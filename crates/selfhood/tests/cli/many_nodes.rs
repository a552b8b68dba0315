//! Three servers on one database behind a round robin, with thirty-two clients, while a server is killed and the
//! database restarts. `TRUST_TRIES` says for how many seconds.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::{Serving, Stage};
use testkit::cluster::{Cluster, Durability};
use testkit::tally::{Tally, count};

/// What everybody calls the servers.
const PUBLIC: &str = "https://personas.test";
const HOST: &str = "personas.test";
const CLIENTS: usize = 32;
const TENANTS: [&str; 2] = ["hilton", "marriott"];
/// For how long with every change.
const SECONDS: u64 = 6;

/// The servers, and the one address behind which they are asked in turn.
struct Round {
    address: String,
    backends: Arc<Mutex<Vec<String>>>,
}

impl Round {
    fn of(servers: &[Serving]) -> Self {
        let backends = servers.iter().map(|server| server.address.clone()).collect();
        let backends: Arc<Mutex<Vec<String>>> = Arc::new(Mutex::new(backends));
        let door = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = door.local_addr().unwrap().to_string();
        let (known, next) = (Arc::clone(&backends), Arc::new(AtomicUsize::new(0)));
        thread::spawn(move || {
            for client in door.incoming().flatten() {
                let (known, next) = (Arc::clone(&known), Arc::clone(&next));
                thread::spawn(move || pass_on(client, &known, &next));
            }
        });
        Self { address, backends }
    }

    /// Sends nobody to a server that is no more.
    fn leave_out(&self, address: &str) {
        self.backends.lock().unwrap().retain(|known| known != address);
    }

    /// The answer to one request; `None` if it broke off, so that nobody knows whether it was done.
    fn ask(&self, what: &str, key: &str, body: &str) -> Option<Answer> {
        let mut stream = TcpStream::connect(&self.address).ok()?;
        stream.set_read_timeout(Some(Duration::from_secs(30))).ok()?;
        let request = format!(
            "{what} HTTP/1.1\r\nhost: {HOST}\r\nx-api-key: {key}\r\ncontent-type: application/json\r\n\
             content-length: {}\r\nconnection: close\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(request.as_bytes()).ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok()?;
        let (head, body) = answer.split_once("\r\n\r\n")?;
        let status = head.split(' ').nth(1)?.parse().ok()?;
        let come_back = head.to_ascii_lowercase().contains("retry-after:");
        Some(Answer { status, come_back, body: body.to_owned() })
    }
}

/// Hands a request to the next server, and its answer back.
fn pass_on(mut client: TcpStream, known: &Mutex<Vec<String>>, next: &AtomicUsize) -> Option<()> {
    let backend = {
        let known = known.lock().unwrap();
        known[next.fetch_add(1, Ordering::Relaxed) % known.len()].clone()
    };
    let mut server = TcpStream::connect(backend).ok()?;
    let (mut asks, mut passes) = (client.try_clone().ok()?, server.try_clone().ok()?);
    thread::spawn(move || std::io::copy(&mut asks, &mut passes));
    std::io::copy(&mut server, &mut client).ok()?;
    client.shutdown(std::net::Shutdown::Both).ok()
}

struct Answer {
    status: u16,
    come_back: bool,
    body: String,
}

/// Somebody who remembers and looks again, through whichever server is next.
#[derive(Default)]
struct Client {
    number: usize,
    key: String,
    /// What was acknowledged, by id.
    kept: BTreeMap<String, String>,
    refused: usize,
    /// What should not have happened.
    wrong: Vec<String>,
}

impl Client {
    fn tenant(&self) -> &'static str {
        TENANTS[self.number % TENANTS.len()]
    }

    fn remember(&mut self, round: &Round, turn: usize) {
        let gist = format!("{} heard {}-{turn} from client {}.", self.tenant(), self.number, self.number);
        let memory = json!({
            "kind": "semantic", "gist": gist, "salience": 0.8, "privacyClass": "non-pii",
            "consentBasis": "not-applicable"
        });
        let what = "POST /v1/personas/inara/memories";
        match round.ask(what, &self.key, &memory.to_string()) {
            Some(Answer { status: 201, body, .. }) => {
                let made: Value = serde_json::from_str(&body).unwrap();
                self.kept.insert(made["memory"]["id"].as_str().unwrap().to_owned(), gist);
            }
            other => self.wait(other),
        }
    }

    /// What was acknowledged to this client is there in every later answer, on whichever server.
    fn look_again(&mut self, round: &Round) {
        let Some((id, gist)) = self.kept.iter().next_back().map(|(id, gist)| (id.clone(), gist.clone()))
        else {
            return;
        };
        match round.ask(&format!("GET /v1/personas/inara/memories/{id}"), &self.key, "") {
            Some(Answer { status: 200, body, .. }) if body.contains(&gist) => {}
            Some(Answer { status: 200, .. }) => self.wrong.push(format!("{id} changed")),
            other => self.wait(other),
        }
        match round.ask("GET /v1/personas/inara/memories?limit=50", &self.key, "") {
            Some(Answer { status: 200, body, .. }) => self.check_own(&body),
            other => self.wait(other),
        }
    }

    /// No word of another tenant is in an answer.
    fn check_own(&mut self, body: &str) {
        let own = self.tenant();
        let others = TENANTS.iter().filter(|tenant| **tenant != own);
        let foreign = others.filter(|other| body.contains(&format!("{other} heard")));
        self.wrong.extend(foreign.map(|other| format!("{own} heard {other}")));
    }

    /// A server that can't answer says when to come back, or the connection is gone. Nothing else may happen.
    fn wait(&mut self, answer: Option<Answer>) {
        if let Some(Answer { status, come_back, body }) = answer
            && !(status == 503 && come_back)
        {
            self.wrong.push(format!("{status}: {body}"));
        }
        self.refused += 1;
        thread::sleep(Duration::from_millis(100));
    }
}

#[test]
#[ignore = "takes a minute; a part of `cargo xtask trust`"]
fn three_servers_lose_nothing_while_one_is_killed_and_the_database_restarts() {
    let (stage, cluster) = (Stage::new(), Cluster::start(Durability::Durable));
    let (address, keys) = (cluster.database(), stage.at("keys"));
    let on_database = [("SELFHOOD_STORE", address.as_str()), ("SELFHOOD_KEYS", keys.as_str())];
    let run = |arguments: &[&str]| {
        let ran = stage.run_in(&on_database, arguments);
        assert_eq!(ran.status, 0, "{arguments:?}: {}", ran.stderr);
        ran.stdout.trim().to_owned()
    };
    let keys: Vec<String> = TENANTS
        .iter()
        .map(|tenant| {
            run(&["persona", "new", "inara", "--tenant", tenant]);
            run(&["key", "new", "--speaks", "owner", "--tenant", tenant, "-o", "quiet"])
        })
        .collect();
    let broken = std::env::var("TRUST_BROKEN").unwrap_or_default();
    let as_built = [on_database[0], on_database[1], ("TRUST_BROKEN", broken.as_str())];
    let serve = || stage.serve_in(&as_built, &["--log", "error", "--public-url", PUBLIC]);
    let mut servers: Vec<Serving> = (0..3).map(|_| serve()).collect();
    let (round, done) = (Arc::new(Round::of(&servers)), Arc::new(AtomicBool::new(false)));
    let clients: Vec<_> = (0..CLIENTS)
        .map(|number| {
            let key = keys[number % TENANTS.len()].clone();
            let (round, done) = (Arc::clone(&round), Arc::clone(&done));
            thread::spawn(move || {
                let mut client = Client { number, key, ..Client::default() };
                for turn in 0.. {
                    if done.load(Ordering::SeqCst) {
                        break;
                    }
                    client.remember(&round, turn);
                    client.look_again(&round);
                }
                client
            })
        })
        .collect();
    let third = Duration::from_millis(count(SECONDS) * 1000 / 3);
    thread::sleep(third);
    let killed = servers.remove(0);
    let gone = killed.address.clone();
    killed.kill();
    thread::sleep(third / 2);
    round.leave_out(&gone);
    cluster.stop("fast");
    cluster.resume();
    thread::sleep(third + third / 2);
    done.store(true, Ordering::SeqCst);
    let mut clients: Vec<Client> = clients.into_iter().map(|client| client.join().unwrap()).collect();
    servers.push(serve());
    let fresh = servers.last().unwrap();
    for (number, tenant) in TENANTS.iter().enumerate() {
        let everything = everything(fresh, &keys[number]);
        for client in clients.iter_mut().filter(|client| client.tenant() == *tenant) {
            client.check_own(&everything);
            let lost = client.kept.keys().filter(|id| !everything.contains(id.as_str()));
            client.wrong.extend(lost.map(|id| format!("{id} is lost")).collect::<Vec<_>>());
        }
        run(&["memory", "audit", "--verify", "--tenant", tenant]);
    }
    let mut tally = Tally::new("three servers, one killed, the database restarted: clients", "ack");
    let (mut kept, mut refused) = (0, 0);
    for client in &clients {
        tally.count(&format!("client {}", client.number), &client.wrong);
        (kept, refused) = (kept + client.kept.len(), refused + client.refused);
    }
    tally.note(format!("{kept} acknowledged, {refused} refused or broken off in {} s", count(SECONDS)));
    tally.close();
    assert!(kept > CLIENTS && refused > 0, "{kept} acknowledged, {refused} refused");
}

/// Every memory of a tenant's persona as a server that has just started lists it.
fn everything(server: &Serving, key: &str) -> String {
    let (mut all, mut cursor) = (String::new(), String::new());
    loop {
        let (status, body) = server.get(&format!("/v1/personas/inara/memories?limit=200{cursor}"), key);
        assert_eq!(status, 200, "{body}");
        let page: Value = serde_json::from_str(&body).unwrap();
        all.push_str(&body);
        match page["nextCursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return all,
        }
    }
}

#[test]
fn while_every_connection_is_in_use_a_server_says_when_to_come_back() {
    let (stage, address) = (Stage::new(), Cluster::shared().database());
    let keys = stage.at("keys");
    let on_database = [("SELFHOOD_STORE", address.as_str()), ("SELFHOOD_KEYS", keys.as_str())];
    for arguments in [&["persona", "new", "inara"][..], &["memory", "add", "The sauna opens at seven."]] {
        let ran = stage.run_in(&on_database, arguments);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
    }
    let key = stage.run_in(&on_database, &["key", "new", "-o", "quiet"]).stdout.trim().to_owned();
    let server = stage.serve_in(&on_database, &["--log", "error", "--public-url", PUBLIC]);
    let held = "BEGIN; LOCK TABLE selfhood.places; SELECT pg_sleep(8); COMMIT";
    let holding = {
        let address = address.clone();
        thread::spawn(move || testkit::cluster::sql(&address, held))
    };
    thread::sleep(Duration::from_millis(500));
    let round = Arc::new(Round::of(std::slice::from_ref(&server)));
    let asking: Vec<_> = (0..24)
        .map(|_| {
            let (round, key) = (Arc::clone(&round), key.clone());
            thread::spawn(move || round.ask("GET /v1/personas/inara/memories", &key, "").unwrap())
        })
        .collect();
    let answers: Vec<Answer> = asking.into_iter().map(|asked| asked.join().unwrap()).collect();
    holding.join().unwrap();
    let refused: Vec<&Answer> = answers.iter().filter(|answer| answer.status != 200).collect();
    assert!(!refused.is_empty() && refused.len() < answers.len(), "{} were refused", refused.len());
    for answer in refused {
        assert!(answer.status == 503 && answer.come_back, "{}: {}", answer.status, answer.body);
        assert!(answer.body.contains("not_ready"), "{}", answer.body);
    }
    let (status, body) = server.get("/v1/personas/inara/memories", &key);
    assert!(status == 200 && body.contains("sauna"), "{body}");
    assert_eq!(server.get("/readyz", "").0, 200);
}
