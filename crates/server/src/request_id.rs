//! Request ids for answers and logs, and the trace id.

use std::sync::atomic::{AtomicU64, Ordering};

use axum::http::HeaderMap;
use domain::Timestamp;

/// The header with the request id, both ways.
pub(crate) const REQUEST_ID: &str = "x-request-id";

/// Generates ids for requests without one.
pub(crate) struct RequestIds {
    started: i64,
    next: AtomicU64,
}

impl RequestIds {
    /// Ids that differ from those of a server started at another time.
    pub(crate) fn since(started: Timestamp) -> Self {
        Self { started: started.as_millis(), next: AtomicU64::new(1) }
    }

    /// The client's own id for the request if it is safe to log, else a new one.
    pub(crate) fn name(&self, headers: &HeaderMap) -> String {
        let own = headers.get(REQUEST_ID).and_then(|value| value.to_str().ok()).filter(|id| is_sane(id));
        own.map_or_else(|| self.make(), str::to_owned)
    }

    fn make(&self) -> String {
        format!("{:x}-{:x}", self.started, self.next.fetch_add(1, Ordering::Relaxed))
    }
}

fn is_sane(id: &str) -> bool {
    (1..=128).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b))
}

/// The trace id of a W3C `traceparent` header, if there is a valid one.
pub(crate) fn trace_id(headers: &HeaderMap) -> Option<&str> {
    trace_parent(headers).map(|(trace, _)| trace)
}

/// Trace and span of a W3C `traceparent` header, if there is a valid one.
pub(crate) fn trace_parent(headers: &HeaderMap) -> Option<(&str, &str)> {
    let lower_hex = |part: &str, length: usize| {
        part.len() == length && part.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
    };
    let mut parts = headers.get("traceparent")?.to_str().ok()?.split('-');
    let (version, trace, parent, flags) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let is_valid = lower_hex(version, 2)
        && version != "ff"
        && lower_hex(trace, 32)
        && lower_hex(parent, 16)
        && lower_hex(flags, 2)
        && [trace, parent].iter().all(|id| id.bytes().any(|b| b != b'0'));
    is_valid.then_some((trace, parent))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(name: &'static str, value: &str) -> HeaderMap {
        HeaderMap::from_iter([(name.parse().unwrap(), value.parse().unwrap())])
    }

    #[test]
    fn a_sane_name_is_kept_and_any_other_replaced() {
        let ids = RequestIds::since(Timestamp::from_millis(255));
        let named = |value: &str| ids.name(&headers(REQUEST_ID, value));
        assert_eq!(named("trace-42.a_B"), "trace-42.a_B");
        assert_eq!(named("two words"), "ff-1");
        assert_eq!(named(&"a".repeat(129)), "ff-2");
        assert_eq!(ids.name(&HeaderMap::new()), "ff-3");
    }

    #[test]
    fn only_a_valid_trace_reaches_the_log() {
        let id = "4bf92f3577b34da6a3ce929d0e0e4736";
        let traced = |value: &str| trace_id(&headers("traceparent", value)).map(str::to_owned);
        assert_eq!(traced(&format!("00-{id}-00f067aa0ba902b7-01")), Some(id.to_owned()));
        for wrong in [
            "",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736",
        ] {
            assert_eq!(traced(wrong), None, "{wrong}");
        }
    }
}
