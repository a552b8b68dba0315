//! Metrics in the text format of Prometheus. Labels are routes, methods, verbs, codes and numbers: nothing
//! that belongs to a person or a tenant.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use domain::{Alarm, ErasureStatus};
use engine::backup::BackupRecord;
use engine::{DueErasure, ReadingCounts};
use wire::Code;

/// Upper bounds of the buckets, in seconds; recall takes a fraction of a millisecond, an import minutes.
const BOUNDS: [f64; 14] =
    [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0, 20.0, 60.0];

/// All counters of one server.
#[derive(Default)]
pub struct Metrics {
    in_flight: AtomicI64,
    board: Mutex<MetricsTable>,
}

#[derive(Default)]
struct MetricsTable {
    answers: BTreeMap<(&'static str, String, u16), u64>,
    refusals: BTreeMap<&'static str, u64>,
    requests: BTreeMap<(&'static str, String), Histogram>,
    verbs: BTreeMap<&'static str, Histogram>,
}

#[derive(Clone, Copy, Default)]
struct Histogram {
    buckets: [u64; BOUNDS.len()],
    count: u64,
    sum: f64,
}

impl Histogram {
    fn add(&mut self, took: Duration) {
        let seconds = took.as_secs_f64();
        for (bucket, _) in self.buckets.iter_mut().zip(BOUNDS).filter(|(_, bound)| seconds <= *bound) {
            *bucket += 1;
        }
        self.count += 1;
        self.sum += seconds;
    }

    fn write(&self, text: &mut String, name: &str, labels: &str) {
        for (bucket, bound) in self.buckets.iter().zip(BOUNDS) {
            let _ = writeln!(text, "{name}_bucket{{{labels},le=\"{bound}\"}} {bucket}");
        }
        let _ = writeln!(text, "{name}_bucket{{{labels},le=\"+Inf\"}} {}", self.count);
        let _ = writeln!(text, "{name}_sum{{{labels}}} {}", self.sum);
        let _ = writeln!(text, "{name}_count{{{labels}}} {}", self.count);
    }
}

impl MetricsTable {
    fn write_counters(&self, text: &mut String) {
        head(text, "selfhood_http_requests_total", "counter", "Answered requests.");
        for ((method, route, status), count) in &self.answers {
            let labels = format!("method=\"{method}\",route=\"{route}\",status=\"{status}\"");
            let _ = writeln!(text, "selfhood_http_requests_total{{{labels}}} {count}");
        }
        head(text, "selfhood_refusals_total", "counter", "Refusals by code.");
        for (code, count) in &self.refusals {
            let _ = writeln!(text, "selfhood_refusals_total{{code=\"{code}\"}} {count}");
        }
    }

    fn write_durations(&self, text: &mut String) {
        head(text, "selfhood_http_request_duration_seconds", "histogram", "From head to answer.");
        for ((method, route), histogram) in &self.requests {
            let labels = format!("method=\"{method}\",route=\"{route}\"");
            histogram.write(text, "selfhood_http_request_duration_seconds", &labels);
        }
        head(text, "selfhood_verb_duration_seconds", "histogram", "The work of a verb alone.");
        for (verb, histogram) in &self.verbs {
            histogram.write(text, "selfhood_verb_duration_seconds", &format!("verb=\"{verb}\""));
        }
    }
}

fn head(text: &mut String, name: &str, kind: &str, help: &str) {
    let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}");
}

/// The open erasure requests, by urgency.
pub(crate) fn write_erasures(text: &mut String, open: &[DueErasure]) {
    head(text, "selfhood_erasures_open", "gauge", "Open erasure requests by urgency.");
    let levels = [
        (Alarm::None, "none"),
        (Alarm::Half, "half"),
        (Alarm::Urgent, "urgent"),
        (Alarm::Overdue, "overdue"),
    ];
    for (alarm, name) in levels {
        let count = open.iter().filter(|pressing| pressing.alarm == alarm).count();
        let _ = writeln!(text, "selfhood_erasures_open{{alarm=\"{name}\"}} {count}");
    }
    head(text, "selfhood_erasures_partial", "gauge", "Erasures that left something behind.");
    let partial = open.iter().filter(|pressing| pressing.status == ErasureStatus::Partial).count();
    let _ = writeln!(text, "selfhood_erasures_partial {partial}");
}

/// What works, each as 1 or 0.
pub(crate) fn write_working(text: &mut String, parts: [(&str, &str, u8); 2]) {
    for (name, help, value) in parts {
        head(text, name, "gauge", help);
        let _ = writeln!(text, "{name} {value}");
    }
}

/// The missing sentence vectors, and those computed.
pub(crate) fn write_vectors(text: &mut String, waiting: usize, computed: u64) {
    let help = "Memories and events of open personas without sentence vectors.";
    head(text, "selfhood_vectors_pending", "gauge", help);
    let _ = writeln!(text, "selfhood_vectors_pending {waiting}");
    let help = "Memories and events whose sentence vectors this process computed.";
    head(text, "selfhood_vectors_made_total", "counter", help);
    let _ = writeln!(text, "selfhood_vectors_made_total {computed}");
}

/// Scheduled backups, and the copies of the key directory.
pub(crate) fn write_upkeep(text: &mut String, backups: &BackupRecord, mirrors: usize, behind: usize) {
    let name = "selfhood_backups_total";
    head(text, name, "counter", "Scheduled backups, by outcome.");
    let _ = writeln!(text, "{name}{{outcome=\"made\"}} {}", backups.made);
    let _ = writeln!(text, "{name}{{outcome=\"failed\"}} {}", backups.failed);
    if let Some(last) = backups.last {
        let name = "selfhood_backup_last_timestamp_seconds";
        head(text, name, "gauge", "The time of the newest scheduled backup.");
        let _ = writeln!(text, "{name} {}", last.as_millis() / 1000);
        head(text, "selfhood_backup_last_bytes", "gauge", "Its length; 0 if this process did not make it.");
        let _ = writeln!(text, "selfhood_backup_last_bytes {}", backups.bytes);
    }
    let name = "selfhood_key_mirrors";
    head(
        text,
        name,
        "gauge",
        "Registered copies of the key directory, by whether they hold the current keys.",
    );
    let _ = writeln!(text, "{name}{{state=\"current\"}} {}", mirrors.saturating_sub(behind));
    let _ = writeln!(text, "{name}{{state=\"behind\"}} {behind}");
}

/// The outcomes of shortlist readings; nothing before the first.
pub(crate) fn write_readings(text: &mut String, counts: &ReadingCounts) {
    let (name, took) = ("selfhood_recall_readings_total", "selfhood_recall_reading_duration_seconds");
    head(text, name, "counter", "Shortlists that a model was asked to read, by outcome.");
    for (outcome, count) in counts.outcomes() {
        let _ = writeln!(text, "{name}{{outcome=\"{}\"}} {count}", outcome.as_str());
    }
    head(text, took, "histogram", "How long the model took to read a shortlist.");
    for (bound, count) in counts.buckets() {
        let _ = writeln!(text, "{took}_bucket{{le=\"{bound}\"}} {count}");
    }
    let _ = writeln!(text, "{took}_bucket{{le=\"+Inf\"}} {}", counts.count());
    let _ = writeln!(text, "{took}_sum {}\n{took}_count {}", counts.seconds(), counts.count());
}

/// A request in flight; counted until it is dropped.
pub(crate) struct InFlight<'m>(&'m Metrics);

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.0.in_flight.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Metrics {
    /// Counts a request as in flight until the returned value is dropped.
    pub(crate) fn arrive(&self) -> InFlight<'_> {
        self.in_flight.fetch_add(1, Ordering::Relaxed);
        InFlight(self)
    }

    /// Counts one answered request.
    pub(crate) fn answered(&self, method: &'static str, route: &str, status: u16, took: Duration) {
        let mut board = self.board();
        *board.answers.entry((method, route.to_owned(), status)).or_default() += 1;
        board.requests.entry((method, route.to_owned())).or_default().add(took);
    }

    /// Counts one refusal by its code.
    pub(crate) fn refused(&self, code: Code) {
        *self.board().refusals.entry(code.as_str()).or_default() += 1;
    }

    /// Counts the duration of one verb, without the HTTP layers.
    pub(crate) fn worked(&self, verb: &'static str, took: Duration) {
        self.board().verbs.entry(verb).or_default().add(took);
    }

    /// All metrics in Prometheus format.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        head(&mut text, "selfhood_build_info", "gauge", "The version that runs.");
        let _ = writeln!(text, "selfhood_build_info{{version=\"{}\"}} 1", env!("CARGO_PKG_VERSION"));
        head(&mut text, "selfhood_http_requests_in_flight", "gauge", "Requests being answered.");
        let _ = writeln!(text, "selfhood_http_requests_in_flight {}", self.in_flight.load(Ordering::Relaxed));
        let board = self.board();
        board.write_counters(&mut text);
        board.write_durations(&mut text);
        text
    }

    fn board(&self) -> MutexGuard<'_, MetricsTable> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_refusals_and_work_are_counted_in_their_buckets() {
        let metrics = Metrics::default();
        let _one = metrics.arrive();
        metrics.answered("POST", "/v1/personas/{p}/recall", 200, Duration::from_millis(3));
        metrics.answered("POST", "/v1/personas/{p}/recall", 200, Duration::from_secs(90));
        metrics.refused(Code::Unauthorized);
        metrics.worked("recall", Duration::from_micros(400));
        let text = metrics.text();
        for line in [
            "selfhood_http_requests_in_flight 1",
            r#"selfhood_http_requests_total{method="POST",route="/v1/personas/{p}/recall",status="200"} 2"#,
            r#"selfhood_http_request_duration_seconds_bucket{method="POST",route="/v1/personas/{p}/recall",le="0.002"} 0"#,
            r#"selfhood_http_request_duration_seconds_bucket{method="POST",route="/v1/personas/{p}/recall",le="0.005"} 1"#,
            r#"selfhood_http_request_duration_seconds_bucket{method="POST",route="/v1/personas/{p}/recall",le="+Inf"} 2"#,
            r#"selfhood_refusals_total{code="unauthorized"} 1"#,
            r#"selfhood_verb_duration_seconds_bucket{verb="recall",le="0.0005"} 1"#,
        ] {
            assert!(text.lines().any(|written| written == line), "{line} not in\n{text}");
        }
    }
}
