//! A client that keeps its connection, and measures each answer.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::stage::ChoreResult;

/// How long an answer is waited for.
const PATIENCE: Duration = Duration::from_mins(1);

/// A connection to the server.
pub(super) struct Client {
    address: String,
    connection: BufReader<TcpStream>,
}

/// One request.
pub(super) struct Request<'a> {
    pub(super) key: &'a str,
    pub(super) method: &'a str,
    pub(super) path: &'a str,
    pub(super) body: &'a str,
}

/// What came back.
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) body: String,
    pub(super) took: Duration,
}

impl Client {
    pub(super) fn connect(address: &str) -> ChoreResult<Self> {
        let connection = TcpStream::connect(address).and_then(|stream| {
            stream.set_nodelay(true)?;
            stream.set_read_timeout(Some(PATIENCE))?;
            Ok(BufReader::new(stream))
        });
        let connection = connection.map_err(|error| format!("{address}: {error}"))?;
        Ok(Self { address: address.to_owned(), connection })
    }

    /// Sends a request and reads its answer.
    pub(super) fn send(&mut self, request: &Request<'_>, number: u64) -> ChoreResult<Answer> {
        let Request { key, method, path, body } = request;
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nX-API-Key: {key}\r\nIdempotency-Key: soak-{number}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            self.address,
            body.len()
        );
        let sent = Instant::now();
        let answered = self.connection.get_mut().write_all((head + body).as_bytes());
        let answered = answered.and_then(|()| self.read_answer());
        let (status, body) = answered.map_err(|error| format!("{method} {path}: {error}"))?;
        Ok(Answer { status, body, took: sent.elapsed() })
    }

    fn read_answer(&mut self) -> std::io::Result<(u16, String)> {
        let mut line = String::new();
        self.connection.read_line(&mut line)?;
        let status = line.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        let mut length = 0;
        loop {
            line.clear();
            self.connection.read_line(&mut line)?;
            match line.trim_end().split_once(':') {
                Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                    length = value.trim().parse().unwrap_or(0);
                }
                Some(_) => {}
                None => break,
            }
        }
        let mut body = vec![0; length];
        self.connection.read_exact(&mut body)?;
        Ok((status, String::from_utf8_lossy(&body).into_owned()))
    }
}
