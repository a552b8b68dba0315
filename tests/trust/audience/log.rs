//! Everything this process logs, searched as it is written.

use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use domain::Timestamp;
use server::Clock;
use server::logs::{self, Format};
use tracing::level_filters::LevelFilter;

use super::canary::{Canary, Kind, found};

/// Everything this process logs, at every level.
#[derive(Clone, Default)]
pub(super) struct Log {
    wrong: Arc<Mutex<Vec<String>>>,
    lines: Arc<AtomicU64>,
}

pub(super) fn log() -> &'static Log {
    static LOG: OnceLock<Log> = OnceLock::new();
    LOG.get_or_init(|| {
        let log = Log::default();
        let writer = log.clone();
        let clock: Clock = Arc::new(|| Timestamp::from_millis(0));
        let lines = logs::lines(Format::Json, LevelFilter::TRACE, clock, move || writer.clone());
        tracing::subscriber::set_global_default(lines).unwrap();
        // A log that finds nothing must be one that would.
        let planted = Canary { tenant: 0, person: 0, kind: Kind::Personal }.word(0);
        tracing::info!("{planted}");
        assert_eq!(log.wrong.lock().unwrap().drain(..).count(), 1, "a word in the log was not seen");
        log
    })
}

impl Write for Log {
    /// Keeps only what is wrong: a canary has no place in a log, whoever reads it.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        self.lines.fetch_add(1, Ordering::Relaxed);
        let canaries = found(&text);
        if !canaries.is_empty() {
            self.wrong.lock().unwrap().push(format!("the log has {} in {text}", canaries[0]));
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Log {
    /// How many lines were written.
    pub(super) fn lines(&self) -> u64 {
        self.lines.load(Ordering::Relaxed)
    }

    pub(super) fn foreign(&self) -> Vec<String> {
        self.wrong.lock().unwrap().iter().take(5).cloned().collect()
    }
}
