//! Traces and metrics for a collector elsewhere, if one was named.

use std::time::Duration;

use domain::Timestamp;
use remote::RemoteError;
use remote::otlp::{Collector, Reporter, Span};
use server::Telemetry;
use wire::{Code, Problem};

use crate::config::TelemetrySettings;
use crate::opening;

const NANOS_PER_MILLI: u64 = 1_000_000;

/// How long a server that stops waits until its last spans are sent.
const LAST: Duration = Duration::from_secs(2);

/// What is sent, and where to.
pub(crate) struct Reporting {
    collector: Collector,
    telemetry: Telemetry,
    every: Duration,
    started: Timestamp,
}

impl Reporting {
    /// Reports of `telemetry`, counted from `started`; a problem if the collector's address can't be used. Nodes on
    /// several machines may listen on the same address, so each process has a random id.
    pub(crate) fn new(
        settings: &TelemetrySettings,
        telemetry: Telemetry,
        started: Timestamp,
    ) -> Result<Self, Problem> {
        let reporter =
            Reporter { version: env!("CARGO_PKG_VERSION").to_owned(), instance: opening::fresh_name()? };
        let collector = Collector::new(&settings.url, settings.headers.clone(), &reporter)
            .map_err(|error| Problem::new(Code::ConfigInvalid, error.to_string()))?;
        Ok(Self { collector, telemetry, every: settings.every, started })
    }

    /// Sends what was counted and seen, again and again. A collector that is away is said once, and costs the spans
    /// of that time.
    pub(crate) async fn keep_up(&self, clock: fn() -> Timestamp) -> ! {
        let mut is_away = false;
        loop {
            tokio::time::sleep(self.every).await;
            let sent = self.send(clock()).await;
            match &sent {
                Err(error) if !is_away => tracing::warn!(%error, "traces and metrics could not be sent"),
                Ok(()) if is_away => tracing::info!("traces and metrics are sent again"),
                Ok(()) | Err(_) => {}
            }
            is_away = sent.is_err();
        }
    }

    /// Sends what came last, if the collector takes it soon.
    pub(crate) async fn end(&self, now: Timestamp) {
        let sent = tokio::time::timeout(LAST, self.send(now)).await;
        if !matches!(sent, Ok(Ok(()))) {
            tracing::warn!("the last traces and metrics could not be sent");
        }
    }

    async fn send(&self, now: Timestamp) -> Result<(), RemoteError> {
        let spans: Vec<Span> = self.telemetry.take_spans().into_iter().map(span).collect();
        if !spans.is_empty() {
            self.collector.send_spans(&spans).await?;
        }
        let counters = self.telemetry.counters().await;
        self.collector.send_metrics(&counters, nanos(self.started), nanos(now)).await
    }
}

fn span(seen: server::Span) -> Span {
    let began = nanos(seen.began);
    let took = u64::try_from(seen.took.as_nanos()).unwrap_or(u64::MAX);
    Span {
        trace: seen.trace,
        id: seen.id,
        parent: seen.parent,
        began,
        ended: began.saturating_add(took),
        method: seen.method,
        route: seen.route,
        status: seen.status,
        code: seen.code,
    }
}

/// The time in nanoseconds since 1970.
fn nanos(at: Timestamp) -> u64 {
    u64::try_from(at.as_millis()).unwrap_or_default().saturating_mul(NANOS_PER_MILLI)
}
