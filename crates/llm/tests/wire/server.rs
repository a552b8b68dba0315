//! A server that plays a script, byte by byte, and records the requests.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

/// One action of the server on a connection. After the last one it closes the connection.
#[derive(Clone)]
pub(crate) enum Act {
    /// Sends bytes.
    Send(Vec<u8>),
    /// Waits.
    Pause(Duration),
    /// Waits until the client has disconnected, and reports it.
    UntilClosed,
}

/// A recorded request.
#[derive(Clone)]
pub(crate) struct ReceivedRequest {
    /// The request line and the headers.
    pub(crate) head: String,
    /// The body; null if there is none.
    pub(crate) body: Value,
}

pub(crate) struct Server {
    pub(crate) url: String,
    pub(crate) port: u16,
    pub(crate) closed: mpsc::Receiver<()>,
    seen: Arc<Mutex<Vec<ReceivedRequest>>>,
}

impl Server {
    /// Plays one script per connection; the last one is repeated for all further connections.
    pub(crate) async fn play(scripts: Vec<Vec<Act>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (report, closed) = mpsc::channel(8);
        let kept = Arc::clone(&seen);
        tokio::spawn(async move {
            for number in 0.. {
                let (stream, _) = listener.accept().await.unwrap();
                let script = scripts.get(number).or(scripts.last()).unwrap().clone();
                tokio::spawn(serve(stream, script, Arc::clone(&kept), report.clone()));
            }
        });
        Self { url: format!("http://127.0.0.1:{port}/v1"), port, closed, seen }
    }

    /// Answers every request with `body` in one piece.
    pub(crate) async fn answering(status: &str, body: &str) -> Self {
        Self::play(vec![vec![Act::Send(whole(status, "", body))]]).await
    }

    /// Streams `pieces`, each in a packet of its own.
    pub(crate) async fn streaming(pieces: &[&str]) -> Self {
        Self::play(vec![stream(pieces.iter().map(|piece| piece.as_bytes()))]).await
    }

    pub(crate) fn seen(&self) -> Vec<ReceivedRequest> {
        self.seen.lock().unwrap().clone()
    }
}

/// A complete response; `headers` are further lines, each with its line end.
pub(crate) fn whole(status: &str, headers: &str, body: &str) -> Vec<u8> {
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: application/json\r\n{headers}Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// The head of a chunked stream.
pub(crate) fn head() -> Act {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\n";
    Act::Send(head.into())
}

/// One chunk of a stream.
pub(crate) fn chunk(bytes: &[u8]) -> Act {
    Act::Send([format!("{:x}\r\n", bytes.len()).as_bytes(), bytes, b"\r\n"].concat())
}

/// The end of a stream.
pub(crate) fn last() -> Act {
    Act::Send(b"0\r\n\r\n".to_vec())
}

/// A complete stream, with a short pause after each piece so that each is a packet.
pub(crate) fn stream<'a>(pieces: impl Iterator<Item = &'a [u8]>) -> Vec<Act> {
    let rest = Act::Pause(Duration::from_millis(2));
    let middle = pieces.flat_map(|piece| [chunk(piece), rest.clone()]);
    [head()].into_iter().chain(middle).chain([last()]).collect()
}

async fn serve(
    mut stream: TcpStream,
    script: Vec<Act>,
    seen: Arc<Mutex<Vec<ReceivedRequest>>>,
    report: mpsc::Sender<()>,
) {
    stream.set_nodelay(true).unwrap();
    let Some(asked) = read(&mut stream).await else { return };
    seen.lock().unwrap().push(asked);
    for act in script {
        match act {
            Act::Send(bytes) => {
                if stream.write_all(&bytes).await.is_err() {
                    return;
                }
            }
            Act::Pause(pause) => tokio::time::sleep(pause).await,
            Act::UntilClosed => {
                let mut rest = [0; 16];
                while matches!(stream.read(&mut rest).await, Ok(1..)) {}
                report.send(()).await.unwrap();
            }
        }
    }
}

async fn read(stream: &mut TcpStream) -> Option<ReceivedRequest> {
    let mut bytes = Vec::new();
    loop {
        let mut some = [0; 4096];
        let count = stream.read(&mut some).await.ok().filter(|count| *count > 0)?;
        bytes.extend_from_slice(&some[..count]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length =
            head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
        if body.len() >= length.unwrap_or(0) {
            return Some(ReceivedRequest {
                head: head.to_owned(),
                body: serde_json::from_str(body).unwrap_or_default(),
            });
        }
    }
}
