//! Timeouts and retries of model calls.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// The timeouts of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// For the connection.
    pub connect: Duration,
    /// From the request to the first byte of a stream. A local model may have to be loaded first.
    pub first_byte: Duration,
    /// From one piece of a stream to the next; keep-alive comments count.
    pub between_chunks: Duration,
    /// From the request to the end of a response in one piece.
    pub whole: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            first_byte: Duration::from_mins(2),
            between_chunks: Duration::from_mins(1),
            whole: Duration::from_mins(10),
        }
    }
}

/// How often a model is called again. That happens only before the first byte of a response: text that a
/// person has begun to read is never replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retries {
    /// The total number of attempts.
    pub attempts: u32,
    /// The pause after the first failure; it doubles with each one.
    pub first_pause: Duration,
    /// The maximum pause; if the server asks for a longer one, the call fails and says so.
    pub longest_pause: Duration,
}

impl Default for Retries {
    fn default() -> Self {
        Self { attempts: 3, first_pause: Duration::from_millis(500), longest_pause: Duration::from_secs(20) }
    }
}

/// A source of numbers in `[0, 1)`; they shorten pauses, so that clients don't retry all at once.
#[derive(Clone)]
pub struct Jitter(Arc<dyn Fn() -> f64 + Send + Sync>);

impl Jitter {
    /// Uses the numbers of `chance`.
    pub fn new(chance: impl Fn() -> f64 + Send + Sync + 'static) -> Self {
        Self(Arc::new(chance))
    }
}

impl fmt::Debug for Jitter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Jitter")
    }
}

/// Whether a failed call should be retried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Retry {
    /// It would fail again.
    Never,
    /// After our own pause.
    Soon,
    /// Not before the server's pause.
    After(Duration),
}

impl Retries {
    /// The pause before the next attempt after `failures` of them, or `None` to give up.
    pub(crate) fn pause(&self, failures: u32, retry: Retry, jitter: &Jitter) -> Option<Duration> {
        if failures >= self.attempts {
            return None;
        }
        let doubled = self.first_pause.saturating_mul(2_u32.saturating_pow(failures.saturating_sub(1)));
        let chance = (jitter.0)().clamp(0.0, 1.0);
        let own = doubled.min(self.longest_pause).mul_f64(0.5 + chance / 2.0);
        match retry {
            Retry::Never => None,
            Retry::Soon => Some(own),
            Retry::After(asked) if asked > self.longest_pause => None,
            Retry::After(asked) => Some(own.max(asked)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_longest_and_end_with_the_attempts() {
        let retries = Retries { attempts: 8, ..Retries::default() };
        let pause = |failures, chance| {
            retries.pause(failures, Retry::Soon, &Jitter::new(move || chance)).map(|it| it.as_millis())
        };
        let whole: Vec<_> = (1..=8).map(|failures| pause(failures, 1.0)).collect();
        let expected = [500, 1000, 2000, 4000, 8000, 16_000, 20_000].map(Some);
        assert_eq!(whole, [expected.as_slice(), &[None]].concat());
        assert_eq!((pause(1, 0.0), pause(3, 0.5)), (Some(250), Some(1500)));
    }

    #[test]
    fn a_server_may_ask_for_more_patience_but_not_for_too_much() {
        let pause = |seconds| {
            let retry = Retry::After(Duration::from_secs(seconds));
            Retries::default().pause(1, retry, &Jitter::new(|| 1.0))
        };
        assert_eq!(pause(7), Some(Duration::from_secs(7)));
        assert_eq!(pause(0), Some(Duration::from_millis(500)));
        assert_eq!(pause(21), None);
        assert_eq!(Retries::default().pause(1, Retry::Never, &Jitter::new(|| 1.0)), None);
    }
}
