//! A streamed response: server-sent events, read as they arrive.

use axum::body::Body;
use http_body_util::BodyExt;
use serde::de::DeserializeOwned;
use wire::Problem;

use super::{no_answer, not_understood};

/// A streamed response. Dropping it disconnects, and the server stops.
pub struct Listening {
    body: Body,
    unread: Vec<u8>,
}

/// One event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its name.
    pub name: String,
    /// Its data, as JSON.
    pub data: String,
}

impl Event {
    /// Its data as a `T`.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        serde_json::from_str(&self.data).map_err(|error| not_understood(&error))
    }
}

impl Listening {
    pub(super) fn new(body: Body) -> Self {
        Self { body, unread: Vec::new() }
    }

    /// The next event; `None` at the end of the stream.
    pub async fn next(&mut self) -> Result<Option<Event>, Problem> {
        loop {
            if let Some(event) = self.take_event() {
                return Ok(Some(event));
            }
            match self.body.frame().await {
                None => return Ok(None),
                Some(Err(error)) => return Err(no_answer(&error)),
                Some(Ok(frame)) => self.unread.extend(frame.into_data().unwrap_or_default()),
            }
        }
    }

    /// The first complete event in the buffer; comments are skipped.
    fn take_event(&mut self) -> Option<Event> {
        loop {
            let end = self.unread.windows(2).position(|pair| pair == b"\n\n")?;
            let block: Vec<u8> = self.unread.drain(..end + 2).collect();
            if let Some(event) = event(&String::from_utf8_lossy(&block)) {
                return Some(event);
            }
        }
    }
}

/// The event in a block of lines, if it has data.
fn event(block: &str) -> Option<Event> {
    let field = |name: &str| {
        let values = block.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        values.map(str::to_owned).reduce(|lines, line| lines + "\n" + &line)
    };
    Some(Event { name: field("event").unwrap_or_default(), data: field("data")? })
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use axum::body::Bytes;

    use super::*;

    const STREAM: &str = "event: start\ndata: {}\n\n: still here\n\nevent: token\ndata: {\"text\":\"火 é\"}\n\n\
                          data: a\ndata: b\n\nevent: cut off";

    #[tokio::test]
    async fn events_are_the_same_however_the_bytes_are_cut() {
        let expected = [("start", "{}"), ("token", "{\"text\":\"火 é\"}"), ("", "a\nb")];
        for size in 1..=STREAM.len() {
            let pieces = STREAM.as_bytes().chunks(size).map(|piece| Ok::<_, Infallible>(Bytes::from(piece)));
            let mut listening =
                Listening::new(Body::from_stream(futures_util::stream::iter(pieces.collect::<Vec<_>>())));
            for (name, data) in expected {
                let event = listening.next().await.unwrap().unwrap();
                assert_eq!((event.name.as_str(), event.data.as_str()), (name, data), "in pieces of {size}");
            }
            assert_eq!(listening.next().await.unwrap(), None);
        }
    }
}
