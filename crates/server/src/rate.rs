//! The rate limit: requests per second, with a burst after a pause.
//!
//! One number per caller is the time at which the requests so far will have been paid for. A request is
//! admitted while that time is no further ahead than a burst allows.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use domain::Timestamp;

/// With more callers than this, those with no debt are dropped.
const REMEMBERED: usize = 10_000;

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

    /// Admits `caller` at `now`, or returns the seconds to wait.
    pub(crate) fn enter(&self, caller: &str, now: Timestamp) -> Result<(), u64> {
        let now = micros(now);
        let mut paid_until = self.paid_until.lock().unwrap_or_else(PoisonError::into_inner);
        if paid_until.len() > REMEMBERED {
            paid_until.retain(|_, until| *until > now);
        }
        let until = paid_until.entry(caller.to_owned()).or_insert(now);
        *until = self.next(*until, now)?;
        Ok(())
    }

    /// When the next request will have been paid for. Nobody is ever further ahead than a burst, unless the
    /// clock was set back, and that must not lock anyone out.
    fn next(&self, until: i64, now: i64) -> Result<i64, u64> {
        let until = if until > now + self.room { now } else { until.max(now) };
        let next = until + self.cost;
        if next > now + self.room { Err(seconds(next - now - self.room)) } else { Ok(next) }
    }
}

fn micros(instant: Timestamp) -> i64 {
    instant.as_millis().saturating_mul(1000)
}

/// Whole seconds, rounded up, so that a client who waits that long is admitted.
fn seconds(micros: i64) -> u64 {
    u64::try_from(micros).unwrap_or(0).div_ceil(1_000_000).max(1)
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
    fn who_waits_as_told_is_let_in() {
        let rate = Rate::new(1, 1);
        assert_eq!(rate.enter("ana", at(0)), Ok(()));
        assert_eq!(rate.enter("ana", at(1)), Err(1));
        assert_eq!(rate.enter("ana", at(1001)), Ok(()));
    }

    #[test]
    fn a_clock_set_back_locks_nobody_out() {
        let rate = Rate::new(1, 2);
        assert_eq!(rate.enter("ana", at(3_600_000)), Ok(()));
        assert_eq!(rate.enter("ana", at(0)), Ok(()));
    }
}
