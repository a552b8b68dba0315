//! Spans of answered requests, for a collector elsewhere. They carry ids, routes and codes: nothing that
//! belongs to a person or a tenant.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use axum::http::HeaderMap;
use domain::Timestamp;
use vault::encoding::hex;
use vault::shared_secret::SharedSecret;

use crate::request_id::trace_parent;

/// How many are kept until they are sent; beyond that the oldest are dropped.
const MOST: usize = 4096;

/// One answered request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The trace it belongs to, 32 hex digits: the client's own, if it sent one.
    pub trace: String,
    /// Its id, 16 hex digits.
    pub id: String,
    /// The span of the client that caused it.
    pub parent: Option<String>,
    /// When it began.
    pub began: Timestamp,
    /// How long it took.
    pub took: Duration,
    /// The method of the request.
    pub method: &'static str,
    /// Its route, with the names of parameters in place of their values.
    pub route: String,
    /// The status of the answer.
    pub status: u16,
    /// The code of the refusal, or nothing.
    pub code: &'static str,
}

/// Where a span belongs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SpanIds {
    pub(crate) trace: String,
    pub(crate) id: String,
    pub(crate) parent: Option<String>,
}

/// Spans until they are taken.
pub(crate) struct SpanLog {
    seed: SharedSecret,
    next: AtomicU64,
    kept: Mutex<VecDeque<Span>>,
}

impl SpanLog {
    /// A log whose ids come from a random `seed`, so that no two processes use the same.
    pub(crate) fn new(seed: [u8; 32]) -> Self {
        Self { seed: SharedSecret::new(seed), next: AtomicU64::new(0), kept: Mutex::default() }
    }

    /// New ids, within the trace of the request if it names one.
    pub(crate) fn ids(&self, headers: &HeaderMap) -> SpanIds {
        let number = self.next.fetch_add(1, Ordering::Relaxed).to_be_bytes();
        let id = |purpose: &[u8], digits: usize| {
            let whole = hex(&self.seed.sign(&[purpose, &number]));
            whole.chars().take(digits).collect::<String>()
        };
        let (trace, parent) = match trace_parent(headers) {
            Some((trace, parent)) => (trace.to_owned(), Some(parent.to_owned())),
            None => (id(b"trace", 32), None),
        };
        SpanIds { trace, id: id(b"span", 16), parent }
    }

    pub(crate) fn keep(&self, span: Span) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() == MOST {
            kept.pop_front();
        }
        kept.push_back(span);
    }

    /// Everything since the last time, oldest first.
    pub(crate) fn take(&self) -> Vec<Span> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).drain(..).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_continues_the_clients_trace_and_ids_never_repeat() {
        let log = SpanLog::new([7; 32]);
        let (trace, parent) = ("4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7");
        let value = format!("00-{trace}-{parent}-01").parse().unwrap();
        let headers = HeaderMap::from_iter([("traceparent".parse().unwrap(), value)]);
        let continued = log.ids(&headers);
        assert_eq!((continued.trace.as_str(), continued.parent.as_deref()), (trace, Some(parent)));
        let [first, second] = [log.ids(&HeaderMap::new()), log.ids(&HeaderMap::new())];
        assert!(first.trace != second.trace && first.id != second.id && first.id != continued.id);
        assert_eq!((first.trace.len(), first.id.len(), &first.parent), (32, 16, &None));
    }

    #[test]
    fn a_collector_that_is_away_costs_the_oldest_spans_and_no_memory() {
        let log = SpanLog::new([7; 32]);
        for number in 0..=u16::try_from(MOST).unwrap() {
            let SpanIds { trace, id, parent } = log.ids(&HeaderMap::new());
            let began = Timestamp::from_millis(0);
            let route = "/v1/personas".to_owned();
            let took = Duration::from_millis(1);
            log.keep(Span { trace, id, parent, began, took, method: "GET", route, status: number, code: "" });
        }
        let taken = log.take();
        assert_eq!((taken.len(), taken[0].status), (MOST, 1));
        assert!(log.take().is_empty());
    }
}
