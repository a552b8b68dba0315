//! Clients that try to take a server from everybody else, each in its own way, until they are told to stop.

use std::io::Read;
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::json;

use crate::stage::{Stage, connect};

/// How many connections a client opens that wants all of them: as many as the server takes.
const TOO_MANY: usize = 1_024;
/// How many requests a client has on their way that wants all of the processors.
const AT_ONCE: usize = 3;

/// What a client does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Attack {
    /// Connections on which nothing but half a head is sent, without a key.
    HalfSentHeads,
    /// The same with half a body, at the one door that asks for no key.
    HalfSentBodies,
    /// Event streams of one read key.
    EventStreams,
    /// Bodies that never come, with a key.
    SlowBodies,
    /// Markdown that nests as deeply as it is long.
    NestedMarkdown,
    /// Checks of a life of long entries.
    Consistency,
    /// Recalls of another day, for each of which everything is indexed anew.
    AsOf,
}

pub(crate) const ALL: [Attack; 7] = [
    Attack::HalfSentHeads,
    Attack::HalfSentBodies,
    Attack::EventStreams,
    Attack::SlowBodies,
    Attack::NestedMarkdown,
    Attack::Consistency,
    Attack::AsOf,
];

impl Attack {
    /// Goes on until `stop` says so; `begun` is set as soon as the server has felt it.
    pub(crate) fn run(self, stage: &Stage, begun: &AtomicBool, stop: &AtomicBool) {
        let half = format!("HTTP/1.1\r\nhost: {}\r\n", stage.address);
        let announced = "content-type: application/json\r\ncontent-length: 90\r\n\r\n{";
        let key = &stage.hostile_key;
        match self {
            Self::HalfSentHeads => occupy(stage, &format!("GET /personas {half}x-api-key:"), begun, stop),
            Self::HalfSentBodies => {
                occupy(stage, &format!("POST /v1/sign-in {half}{announced}"), begun, stop)
            }
            Self::EventStreams => {
                occupy(stage, &format!("GET /v1/events {half}x-api-key: {key}\r\n\r\n"), begun, stop)
            }
            Self::SlowBodies => {
                let head = format!("POST /v1/personas/maya-chen/recall {half}x-api-key: {key}\r\n");
                occupy(stage, &format!("{head}{announced}"), begun, stop);
            }
            Self::NestedMarkdown => {
                let body = json!({ "text": "*a ".repeat(100_000) }).to_string();
                repeat(stage, &stage.request("POST", "/v1/markdown", key, &body), begun, stop);
            }
            Self::Consistency => {
                repeat(stage, &stage.request("GET", "/personas/maya-chen/consistency", key, ""), begun, stop);
            }
            Self::AsOf => {
                let body = json!({ "cue": "coffee", "at": "2026-02-10T00:00:00Z" }).to_string();
                let path = "/v1/personas/maya-chen/recall";
                repeat(stage, &stage.request("POST", path, key, &body), begun, stop);
            }
        }
    }
}

/// Keeps as many connections open as it gets, each with `text` sent on it, and opens another for each it loses.
fn occupy(stage: &Stage, text: &str, begun: &AtomicBool, stop: &AtomicBool) {
    let mut open: Vec<TcpStream> = Vec::new();
    while !stop.load(Ordering::SeqCst) {
        for _ in open.len()..TOO_MANY {
            if stop.load(Ordering::SeqCst) {
                return;
            }
            open.extend(connect(stage.address, text));
        }
        begun.store(true, Ordering::SeqCst);
        thread::sleep(Duration::from_millis(50));
        open.retain_mut(is_open);
    }
}

fn is_open(stream: &mut TcpStream) -> bool {
    let _ = stream.set_nonblocking(true);
    let mut bytes = [0; 1024];
    match stream.read(&mut bytes) {
        Ok(0) => false,
        Ok(_) => true,
        Err(error) => error.kind() == std::io::ErrorKind::WouldBlock,
    }
}

/// Sends `request` again and again, several at once.
fn repeat(stage: &Stage, request: &str, begun: &AtomicBool, stop: &AtomicBool) {
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while !stop.load(Ordering::SeqCst) {
                    let sent = connect(stage.address, request);
                    begun.store(true, Ordering::SeqCst);
                    let Ok(mut stream) = sent else { continue };
                    let _ = stream.set_read_timeout(Some(Duration::from_millis(100)));
                    let mut bytes = [0; 64 * 1024];
                    while !stop.load(Ordering::SeqCst) {
                        match stream.read(&mut bytes) {
                            Ok(0) => break,
                            Ok(_) => {}
                            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
                            Err(_) => break,
                        }
                    }
                }
            });
        }
    });
}
