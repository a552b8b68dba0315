//! A model that answers every question at once with the same words, and says when it saw it.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, LazyLock};
use std::thread;
use std::time::{Duration, Instant};

use crate::stage::{ChoreResult, processor_millis};

/// How many pieces an answer has.
pub(super) const PIECES: usize = 200;
/// Everything the model says.
pub(super) static WORDS: LazyLock<String> = LazyLock::new(|| (0..PIECES).map(piece).collect());
/// How long a question may take to arrive.
const PATIENCE: Duration = Duration::from_secs(30);

pub(super) struct Upstream {
    pub(super) address: String,
    seen: Receiver<QuestionTime>,
    watched: Arc<AtomicU32>,
}

/// The moment a question was seen.
pub(super) struct QuestionTime {
    pub(super) at: Instant,
    /// The processor time the watched process had used until then, in milliseconds.
    pub(super) used: Option<f64>,
}

impl Upstream {
    pub(super) fn start() -> ChoreResult<Self> {
        let described = |error: std::io::Error| format!("the model can't listen: {error}");
        let listener = TcpListener::bind("127.0.0.1:0").map_err(described)?;
        let address = listener.local_addr().map_err(described)?.to_string();
        let (tell, seen) = channel();
        let watched = Arc::new(AtomicU32::new(0));
        let process = Arc::clone(&watched);
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (tell, process) = (tell.clone(), process.load(Ordering::Relaxed));
                thread::spawn(move || answered(stream, &tell, process));
            }
        });
        Ok(Self { address, seen, watched })
    }

    /// Notes from now on how much processor time this process has used when a question is seen.
    pub(super) fn watch(&self, process: u32) {
        self.watched.store(process, Ordering::Relaxed);
    }

    /// When the next question was seen.
    pub(super) fn seen(&self) -> ChoreResult<QuestionTime> {
        self.seen.recv_timeout(PATIENCE).map_err(|_| "the model was not asked".to_owned())
    }
}

fn piece(number: usize) -> String {
    format!("w{number} ")
}

/// Reads a question to its end and answers it; a line that breaks is not reported.
fn answered(mut stream: TcpStream, tell: &Sender<QuestionTime>, process: u32) {
    let mut question = Vec::new();
    let mut piece_of_it = vec![0; 65_536];
    while !is_whole(&question) {
        match stream.read(&mut piece_of_it) {
            Ok(0) | Err(_) => return,
            Ok(length) => {
                if question.is_empty() {
                    let at = Instant::now();
                    let _ = tell.send(QuestionTime { at, used: processor_millis(process) });
                }
                question.extend(piece_of_it.iter().take(length));
            }
        }
    }
    let _ = stream.set_nodelay(true);
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";
    let _ = stream.write_all(head.as_bytes());
    for number in 0..PIECES {
        let delta =
            format!("{{\"index\":0,\"delta\":{{\"content\":\"{}\"}},\"finish_reason\":null}}", piece(number));
        if stream.write_all(format!("data: {{\"choices\":[{delta}]}}\n\n").as_bytes()).is_err() {
            return;
        }
    }
    let end =
        "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
    let _ = stream.write_all(end.as_bytes());
}

/// Whether as many bytes follow the headers as they promise.
fn is_whole(question: &[u8]) -> bool {
    let text = String::from_utf8_lossy(question);
    let Some((head, _)) = text.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
    });
    let ends = question.windows(4).position(|four| four == b"\r\n\r\n").map_or(0, |at| at + 4);
    question.len() >= ends + length.unwrap_or(0)
}
