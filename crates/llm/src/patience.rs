//! How long a model is waited for, and how often it is asked again.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// How long to wait, at each point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// For a connection.
    pub connect: Duration,
    /// From asking to the first byte of a stream. A local model may have to be loaded first.
    pub first_byte: Duration,
    /// From one piece of a stream to the next; keep-alive comments count.
    pub between_chunks: Duration,
    /// From asking to the end of an answer that comes in one piece.
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

/// How often a model is asked again. That happens only before the first byte of an answer: what a
/// person has begun to read is never begun anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retries {
    /// How often in all, the first time included.
    pub attempts: u32,
    /// The pause after the first failure; it doubles with each one.
    pub first_pause: Duration,
    /// The longest pause, also when the server asks for a longer one: then we give up and say so.
    pub longest_pause: Duration,
}

impl Default for Retries {
    fn default() -> Self {
        Self { attempts: 3, first_pause: Duration::from_millis(500), longest_pause: Duration::from_secs(20) }
    }
}

/// Where numbers in `[0, 1)` come from; they shorten pauses, so that clients don't return all at once.
#[derive(Clone)]
pub struct Jitter(Arc<dyn Fn() -> f64 + Send + Sync>);

impl Jitter {
    /// Takes numbers from `chance`.
    pub fn new(chance: impl Fn() -> f64 + Send + Sync + 'static) -> Self {
        Self(Arc::new(chance))
    }
}

impl fmt::Debug for Jitter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Jitter")
    }
}

/// Whether a failure is worth another try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Again {
    /// It would fail again.
    Never,
    /// After our own pause.
    Soon,
    /// Not before the server's.
    After(Duration),
}

impl Retries {
    /// The pause before the next try after `failures` of them, or none if it is time to give up.
    pub(crate) fn pause(&self, failures: u32, again: Again, jitter: &Jitter) -> Option<Duration> {
        if failures >= self.attempts {
            return None;
        }
        let doubled = self.first_pause.saturating_mul(2_u32.saturating_pow(failures.saturating_sub(1)));
        let chance = (jitter.0)().clamp(0.0, 1.0);
        let own = doubled.min(self.longest_pause).mul_f64(0.5 + chance / 2.0);
        match again {
            Again::Never => None,
            Again::Soon => Some(own),
            Again::After(asked) if asked > self.longest_pause => None,
            Again::After(asked) => Some(own.max(asked)),
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
            retries.pause(failures, Again::Soon, &Jitter::new(move || chance)).map(|it| it.as_millis())
        };
        let whole: Vec<_> = (1..=8).map(|failures| pause(failures, 1.0)).collect();
        let expected = [500, 1000, 2000, 4000, 8000, 16_000, 20_000].map(Some);
        assert_eq!(whole, [expected.as_slice(), &[None]].concat());
        assert_eq!((pause(1, 0.0), pause(3, 0.5)), (Some(250), Some(1500)));
    }

    #[test]
    fn a_server_may_ask_for_more_patience_but_not_for_too_much() {
        let pause = |seconds| {
            let again = Again::After(Duration::from_secs(seconds));
            Retries::default().pause(1, again, &Jitter::new(|| 1.0))
        };
        assert_eq!(pause(7), Some(Duration::from_secs(7)));
        assert_eq!(pause(0), Some(Duration::from_millis(500)));
        assert_eq!(pause(21), None);
        assert_eq!(Retries::default().pause(1, Again::Never, &Jitter::new(|| 1.0)), None);
    }
}
