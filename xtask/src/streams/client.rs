//! A client that asks one question over a line of its own and reads the answer to its end.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Instant;

use crate::stage::ChoreResult;

/// One question.
pub(super) struct Ask<'a> {
    pub(super) address: &'a str,
    pub(super) key: &'a str,
    pub(super) number: usize,
    pub(super) session: String,
}

/// Asks, and gives the moment the question was sent and the words of the answer.
pub(super) fn asked(ask: &Ask<'_>) -> ChoreResult<(Instant, String)> {
    let described = |error: std::io::Error| format!("{}: {error}", ask.address);
    let body = format!(
        "{{\"model\":\"inara\",\"stream\":true,\"messages\":[{{\"role\":\"user\",\"content\":\
         \"What did the gardener say about the late ferry and the piano, the {}th time?\"}}]}}",
        ask.number
    );
    let mut line = TcpStream::connect(ask.address).map_err(described)?;
    line.set_nodelay(true).map_err(described)?;
    let head = format!(
        "POST /v1/chat/completions HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nX-User-Id: guest-{}\r\n\
         X-Conversation-Id: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        ask.address,
        ask.key,
        ask.session,
        ask.session,
        body.len()
    );
    let sent = Instant::now();
    line.write_all((head + &body).as_bytes()).map_err(described)?;
    let mut answer = String::new();
    line.read_to_string(&mut answer).map_err(described)?;
    if !answer.starts_with("HTTP/1.1 200") {
        return Err(format!("{}: {}", ask.address, answer.lines().next().unwrap_or("no answer")));
    }
    Ok((sent, words(&answer)))
}

/// The words of all pieces, in order. Ours have nothing in them that JSON would write otherwise.
fn words(answer: &str) -> String {
    let pieces = answer.split("\"content\":\"").skip(1);
    pieces.filter_map(|piece| piece.split('"').next()).collect()
}
