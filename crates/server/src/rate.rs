//! The rate limit: requests per second, with a burst after a pause.
//!
//! One number per caller is the time at which the requests so far will have been paid for. A request is
//! admitted while that time is no further ahead than a burst allows. A little further ahead it is admitted
//! after a pause, so that a script that sends one request after the other is slowed down and not refused.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use domain::Timestamp;

/// With more callers than this, those with no debt are dropped.
const REMEMBERED: usize = 10_000;
/// The longest pause before a request is admitted, in microseconds.
const LONGEST_PAUSE: i64 = 100_000;

/// The rate of every caller.
pub(crate) struct Rate {
    /// What one request costs, in microseconds.
    cost: i64,
    /// How far ahead a caller may be, in microseconds.
    room: i64,
    paid_until: Mutex<HashMap<String, i64>>,
}

impl Rate {
    pub(crate) fn new(per_second: u32, burst: u32) -> Self {
        let cost = 1_000_000 / i64::from(per_second.max(1));
        Self { cost, room: cost * i64::from(burst.max(1)), paid_until: Mutex::default() }
    }

    /// Admits `caller` at `now`, or returns how long to wait.
    pub(crate) fn enter(&self, caller: &str, now: Timestamp) -> Result<(), Duration> {
        self.admit(caller, now, 0).map(drop)
    }

    /// The same for a caller who may have to pause for a moment; the request is admitted after the pause.
    pub(crate) async fn enter_in_turn(&self, caller: &str, now: Timestamp) -> Result<(), Duration> {
        let pause = self.admit(caller, now, LONGEST_PAUSE)?;
        if !pause.is_zero() {
            tokio::time::sleep(pause).await;
        }
        Ok(())
    }

    /// The pause after which `caller` is admitted, or how long to wait before the next attempt.
    fn admit(&self, caller: &str, now: Timestamp, longest_pause: i64) -> Result<Duration, Duration> {
        let now = micros(now);
        let mut paid_until = self.paid_until.lock().unwrap_or_else(PoisonError::into_inner);
        if paid_until.len() > REMEMBERED {
            paid_until.retain(|_, until| *until > now);
        }
        let until = paid_until.entry(caller.to_owned()).or_insert(now);
        let next = self.next(*until, now);
        let ahead = (next - now - self.room).max(0);
        if ahead > longest_pause {
            return Err(duration(ahead - longest_pause));
        }
        *until = next;
        Ok(duration(ahead))
    }

    /// When the next request will have been paid for. Nobody is ever further ahead than a burst and a pause,
    /// unless the clock was set back, and that must not lock anyone out.
    fn next(&self, until: i64, now: i64) -> i64 {
        let furthest = now + self.room + LONGEST_PAUSE;
        let until = if until > furthest { now } else { until.max(now) };
        until + self.cost
    }
}

fn micros(instant: Timestamp) -> i64 {
    instant.as_millis().saturating_mul(1000)
}

/// Whole milliseconds, rounded up, so that a client who waits that long is admitted.
fn duration(micros: i64) -> Duration {
    Duration::from_millis(u64::try_from(micros).unwrap_or(0).div_ceil(1000))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millis(1_800_000_000_000 + millis)
    }

    #[test]
    fn a_burst_is_let_in_and_then_the_pace_holds() {
        let rate = Rate::new(10, 3);
        let let_in = |millis| (0..10).filter(|_| rate.enter("ana", at(millis)).is_ok()).count();
        assert_eq!(let_in(0), 3, "a burst");
        assert_eq!(let_in(99), 0);
        assert_eq!(let_in(100), 1, "one more after a tenth of a second");
        assert_eq!(let_in(60_000), 3, "rest gives back no more than a burst");
        assert_eq!(rate.enter("ben", at(0)), Ok(()), "others are not concerned");
    }

    #[test]
    fn who_waits_as_long_as_asked_is_let_in() {
        let rate = Rate::new(1, 1);
        assert_eq!(rate.enter("ana", at(0)), Ok(()));
        assert_eq!(rate.enter("ana", at(1)), Err(Duration::from_millis(999)));
        assert_eq!(rate.enter("ana", at(1000)), Ok(()));
    }

    #[test]
    fn one_request_after_the_other_pauses_and_many_at_once_are_refused() {
        let rate = Rate::new(100, 2);
        let pauses: Vec<_> = (0..15).map(|_| rate.admit("ana", at(0), LONGEST_PAUSE)).collect();
        let millis = |count| Duration::from_millis(count);
        assert_eq!(&pauses[..4], [Ok(millis(0)), Ok(millis(0)), Ok(millis(10)), Ok(millis(20))]);
        assert_eq!(&pauses[11..], [Ok(millis(100)), Err(millis(10)), Err(millis(10)), Err(millis(10))]);
    }

    #[test]
    fn a_clock_set_back_locks_nobody_out() {
        let rate = Rate::new(1, 2);
        assert_eq!(rate.enter("ana", at(3_600_000)), Ok(()));
        assert_eq!(rate.enter("ana", at(0)), Ok(()));
    }
}
