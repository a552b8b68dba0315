//! Log lines on stderr, for people or for machines. They contain ids, routes and codes only.

use std::fmt;
use std::io;

use tracing::Subscriber;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::FormatTime;

use crate::Clock;

/// The format of log lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Text and `name=value`.
    #[default]
    Human,
    /// One JSON object per line.
    Json,
}

/// Writes lines of at least `level` to stderr from now on. Only the first call of a process has an effect.
pub fn install(format: Format, level: LevelFilter, clock: Clock) {
    let installed = tracing::subscriber::set_global_default(lines(format, level, clock, io::stderr));
    if installed.is_err() {
        tracing::debug!("lines are written already");
    }
}

/// A subscriber that writes lines of at least `level` to `writer`.
pub fn lines<W>(
    format: Format,
    level: LevelFilter,
    clock: Clock,
    writer: W,
) -> Box<dyn Subscriber + Send + Sync>
where
    W: for<'w> MakeWriter<'w> + Send + Sync + 'static,
{
    let lines = tracing_subscriber::fmt()
        .with_max_level(level)
        .with_writer(writer)
        .with_target(false)
        .with_ansi(false)
        .with_timer(Stamp(clock));
    match format {
        Format::Human => Box::new(lines.finish()),
        Format::Json => Box::new(lines.json().flatten_event(true).finish()),
    }
}

/// Stamps lines with the injected clock.
struct Stamp(Clock);

impl FormatTime for Stamp {
    fn format_time(&self, writer: &mut Writer<'_>) -> fmt::Result {
        write!(writer, "{}", (self.0)())
    }
}
