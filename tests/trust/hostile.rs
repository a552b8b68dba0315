//! Clients that try to take a server from everybody else, each in its own way, until the server stops them.

use std::io::{ErrorKind, Read};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use serde_json::json;

use crate::stage::{Stage, connect, status};

/// How many connections a client opens that wants all of them: as many as the server takes.
const TOO_MANY: usize = 1_024;
/// How many of those that were closed it opens again every 50 ms. More would only show whose processor it is.
const AGAIN: usize = 16;
/// How many requests a client has on their way that wants all of the processors.
const AT_ONCE: usize = 3;

/// Longer than the server lets anybody wait.
const LONG: Duration = Duration::from_secs(90);

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
    /// Searches of a long record for words that are everywhere in it.
    Search,
}

pub(crate) const ALL: [Attack; 8] = [
    Attack::HalfSentHeads,
    Attack::HalfSentBodies,
    Attack::EventStreams,
    Attack::SlowBodies,
    Attack::NestedMarkdown,
    Attack::Consistency,
    Attack::AsOf,
    Attack::Search,
];

/// An attack that goes on.
#[derive(Default)]
pub(crate) struct Running {
    begun: AtomicBool,
    stop: AtomicBool,
    /// The statuses of what was answered; an attack that is refused outright tries nothing.
    answers: Mutex<Vec<u16>>,
}

impl Running {
    pub(crate) fn has_begun(&self) -> bool {
        self.begun.load(Ordering::SeqCst)
    }

    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::SeqCst);
    }

    /// How many of its requests were answered 200.
    pub(crate) fn answers(&self) -> usize {
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        answers.iter().filter(|status| **status == 200).count()
    }

    /// What was answered other than was meant to be.
    pub(crate) fn misfires(&self) -> Vec<u16> {
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        answers.iter().copied().filter(|status| !matches!(status, 200 | 408 | 429 | 504)).collect()
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::SeqCst)
    }

    /// Reads what has come over a connection, and says whether it is still open.
    fn read(&self, stream: &mut TcpStream) -> bool {
        let mut bytes = [0; 8 * 1024];
        match stream.read(&mut bytes) {
            Ok(0) => false,
            Ok(read) => {
                if let Some(status) = status(bytes.get(..read).unwrap_or_default()) {
                    self.answers.lock().unwrap_or_else(PoisonError::into_inner).push(status);
                }
                true
            }
            Err(error) => matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut),
        }
    }

    /// Keeps as many connections open as it gets, each with `text` sent on it, and opens another for each it loses.
    fn occupy(&self, stage: &Stage, text: &str) {
        let mut open: Vec<TcpStream> = Vec::new();
        while !self.is_stopped() {
            let room = TOO_MANY - open.len();
            let most = if self.has_begun() { AGAIN } else { TOO_MANY };
            for _ in 0..room.min(most) {
                if self.is_stopped() {
                    return;
                }
                open.extend(connect(stage.address, text));
            }
            self.begun.store(true, Ordering::SeqCst);
            thread::sleep(Duration::from_millis(50));
            open.retain_mut(|stream| stream.set_nonblocking(true).is_ok() && self.read(stream));
        }
    }

    /// Sends `request` again and again, several at once.
    fn repeat(&self, stage: &Stage, request: &str) {
        thread::scope(|scope| {
            for _ in 0..AT_ONCE {
                scope.spawn(|| {
                    while !self.is_stopped() {
                        self.once(stage, request);
                    }
                });
            }
        });
    }

    fn once(&self, stage: &Stage, request: &str) {
        let sent = connect(stage.address, request);
        self.begun.store(true, Ordering::SeqCst);
        let Ok(mut stream) = sent else { return };
        let _ = stream.set_read_timeout(Some(Duration::from_millis(100)));
        while !self.is_stopped() && self.read(&mut stream) {}
    }
}

impl Attack {
    /// Goes on until it is stopped.
    pub(crate) fn run(self, stage: &Stage, running: &Running) {
        let text = self.text(stage);
        match self {
            Self::HalfSentHeads | Self::HalfSentBodies | Self::EventStreams | Self::SlowBodies => {
                running.occupy(stage, &text);
            }
            Self::NestedMarkdown | Self::Consistency | Self::AsOf | Self::Search => {
                running.repeat(stage, &text);
            }
        }
    }

    /// How long one request takes alone that wants all of the processors; nothing for attacks of another kind.
    pub(crate) fn takes_alone(self, stage: &Stage) -> Option<Duration> {
        match self {
            Self::HalfSentHeads | Self::HalfSentBodies | Self::EventStreams | Self::SlowBodies => None,
            Self::NestedMarkdown | Self::Consistency | Self::AsOf | Self::Search => {
                let (took, status) = stage.exchange_within(&self.text(stage), LONG);
                // Too slow an answer, on a busy machine, was worked for too.
                let is_tried = matches!(status, 200 | 504);
                assert!(is_tried, "{self:?} tries nothing: answered {status} after {took:?}");
                Some(took)
            }
        }
    }

    /// What is sent on each connection.
    fn text(self, stage: &Stage) -> String {
        let half = format!("HTTP/1.1\r\nhost: {}\r\n", stage.address);
        let announced = "content-type: application/json\r\ncontent-length: 90\r\n\r\n{";
        let key = &stage.hostile_key;
        let recall = "/v1/personas/maya-chen/recall";
        match self {
            Self::HalfSentHeads => format!("GET /personas {half}x-api-key:"),
            Self::HalfSentBodies => {
                format!("POST /v1/sign-in {half}sec-fetch-site: same-origin\r\n{announced}")
            }
            Self::EventStreams => format!("GET /v1/events {half}x-api-key: {key}\r\n\r\n"),
            Self::SlowBodies => format!("POST {recall} {half}x-api-key: {key}\r\n{announced}"),
            Self::NestedMarkdown => {
                let body = json!({ "text": "*a ".repeat(100_000) }).to_string();
                stage.request("POST", "/v1/markdown", key, &body)
            }
            Self::Consistency => stage.request("GET", "/personas/maya-chen/consistency", key, ""),
            Self::AsOf => {
                let body = json!({ "cue": "coffee", "at": "2026-02-10T00:00:00Z" }).to_string();
                stage.request("POST", recall, key, &body)
            }
            Self::Search => {
                let words = "harbour%20violin%20orchard%20letters%20mountains";
                stage.request("GET", &format!("/sessions/search?persona=maya-chen&q={words}"), key, "")
            }
        }
    }
}
