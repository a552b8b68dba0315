//! Due times of recurring jobs, in the persona's time zone.
//!
//! A time of day that the clocks skip in spring is due right after the change, so no day is missed; one
//! that occurs twice in autumn is due the first time only. Hourly jobs run every elapsed hour, whatever the
//! clocks show.

use std::fmt;

use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use jiff::{ToSpan as _, Unit, ZonedRound};

use crate::{Schedule, TimeOfDay, Timestamp, Weekday};

/// A recurring schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recurrence {
    /// At every full hour.
    Hourly,
    /// Every day at this time.
    Daily(TimeOfDay),
    /// Every week on this day, at this time.
    Weekly(Weekday, TimeOfDay),
    /// On the first of every month at this time.
    Monthly(TimeOfDay),
}

impl fmt::Display for Recurrence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hourly => Schedule::Hourly.fmt(f),
            Self::Daily(time) => Schedule::Daily(Some(*time)).fmt(f),
            Self::Weekly(day, time) => Schedule::Weekly(*day, Some(*time)).fmt(f),
            Self::Monthly(time) => write!(f, "monthly:1:{time}"),
        }
    }
}

/// Longer than any month: within so many days every schedule is due once.
const LONGEST_WAIT: i32 = 32;

impl Recurrence {
    /// The first due time after `after`.
    #[must_use]
    pub fn next(self, after: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
        if self == Self::Hourly {
            return full_hour(after, zone)?.checked_add(1.hour()).ok().map(|at| stamp(&at));
        }
        let today = after.to_jiff().to_zoned(zone.clone()).date();
        let days = (0..=LONGEST_WAIT).filter_map(|days| today.checked_add(days.days()).ok());
        days.filter_map(|day| self.on(day, zone)).find(|at| *at > after)
    }

    /// The last due time up to `now`.
    #[must_use]
    pub fn latest(self, now: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
        if self == Self::Hourly {
            return full_hour(now, zone).map(|at| stamp(&at));
        }
        let today = now.to_jiff().to_zoned(zone.clone()).date();
        let days = (0..=LONGEST_WAIT).filter_map(|days| today.checked_sub(days.days()).ok());
        days.filter_map(|day| self.on(day, zone)).find(|at| *at <= now)
    }

    /// The due time on a day, if there is one.
    fn on(self, day: Date, zone: &TimeZone) -> Option<Timestamp> {
        match self {
            Self::Hourly => None,
            Self::Daily(time) => at(day, time, zone),
            Self::Weekly(weekday, time) => {
                (day.weekday() == jiffs(weekday)).then(|| at(day, time, zone)).flatten()
            }
            Self::Monthly(time) => (day.day() == 1).then(|| at(day, time, zone)).flatten(),
        }
    }
}

/// A schedule without a time means the morning.
impl From<Schedule> for Recurrence {
    fn from(schedule: Schedule) -> Self {
        match schedule {
            Schedule::Hourly => Self::Hourly,
            Schedule::Daily(time) => Self::Daily(time.unwrap_or(TimeOfDay::MORNING)),
            Schedule::Weekly(day, time) => Self::Weekly(day, time.unwrap_or(TimeOfDay::MORNING)),
        }
    }
}

/// The instant when a clock in `zone` shows this time on this day, as [`Recurrence`] defines it.
#[must_use]
pub fn at(day: Date, time: TimeOfDay, zone: &TimeZone) -> Option<Timestamp> {
    let part = |number: u8| i8::try_from(number).ok();
    let time = Time::new(part(time.hour())?, part(time.minute())?, 0, 0).ok()?;
    day.to_datetime(time).to_zoned(zone.clone()).ok().map(|at| stamp(&at))
}

fn full_hour(at: Timestamp, zone: &TimeZone) -> Option<jiff::Zoned> {
    let down = ZonedRound::new().smallest(Unit::Hour).mode(jiff::RoundMode::Trunc);
    at.to_jiff().to_zoned(zone.clone()).round(down).ok()
}

fn stamp(at: &jiff::Zoned) -> Timestamp {
    Timestamp::from_millis(at.timestamp().as_millisecond())
}

const fn jiffs(day: Weekday) -> jiff::civil::Weekday {
    match day {
        Weekday::Monday => jiff::civil::Weekday::Monday,
        Weekday::Tuesday => jiff::civil::Weekday::Tuesday,
        Weekday::Wednesday => jiff::civil::Weekday::Wednesday,
        Weekday::Thursday => jiff::civil::Weekday::Thursday,
        Weekday::Friday => jiff::civil::Weekday::Friday,
        Weekday::Saturday => jiff::civil::Weekday::Saturday,
        Weekday::Sunday => jiff::civil::Weekday::Sunday,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn instant(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn recurrence(text: &str) -> Recurrence {
        text.parse::<Schedule>().unwrap().into()
    }

    #[test]
    fn what_is_due_next_and_was_due_last_follows_the_clocks_of_the_zone() {
        let monthly = Recurrence::Monthly("04:00".parse().unwrap());
        for (zone, what, now, latest, next) in [
            (
                "UTC",
                recurrence("daily:03:00"),
                "2026-05-09T03:00:00Z",
                "2026-05-09T03:00:00Z",
                "2026-05-10T03:00:00Z",
            ),
            (
                "America/New_York",
                recurrence("weekly:sun:03:30"),
                "2026-05-09T12:00:00Z",
                "2026-05-03T07:30:00Z",
                "2026-05-10T07:30:00Z",
            ),
            (
                "America/New_York",
                monthly,
                "2026-11-15T00:00:00Z",
                "2026-11-01T09:00:00Z",
                "2026-12-01T09:00:00Z",
            ),
            // 02:30 is skipped on 29 March: it is due at 03:30, half past one UTC.
            (
                "Europe/Berlin",
                recurrence("daily:02:30"),
                "2026-03-29T12:00:00Z",
                "2026-03-29T01:30:00Z",
                "2026-03-30T00:30:00Z",
            ),
            // 02:30 comes twice on 25 October: it is due the first time.
            (
                "Europe/Berlin",
                recurrence("daily:02:30"),
                "2026-10-25T01:30:00Z",
                "2026-10-25T00:30:00Z",
                "2026-10-26T01:30:00Z",
            ),
            (
                "Asia/Kolkata",
                recurrence("hourly"),
                "2026-05-09T10:00:00Z",
                "2026-05-09T09:30:00Z",
                "2026-05-09T10:30:00Z",
            ),
            (
                "Europe/Berlin",
                recurrence("hourly"),
                "2026-10-25T00:10:00Z",
                "2026-10-25T00:00:00Z",
                "2026-10-25T01:00:00Z",
            ),
            (
                "UTC",
                recurrence("daily"),
                "2026-05-09T08:59:59Z",
                "2026-05-08T09:00:00Z",
                "2026-05-09T09:00:00Z",
            ),
        ] {
            let zone = TimeZone::get(zone).unwrap();
            assert_eq!(what.latest(instant(now), &zone), Some(instant(latest)), "{what:?} up to {now}");
            assert_eq!(what.next(instant(now), &zone), Some(instant(next)), "{what:?} after {now}");
        }
    }

    #[test]
    fn every_run_of_a_year_is_met_once_by_walking_from_one_to_the_next() {
        let zone = TimeZone::get("Europe/Berlin").unwrap();
        let end = instant("2027-01-01T00:00:00Z");
        for (what, expected) in [
            (recurrence("daily:02:30"), 365),
            (recurrence("weekly:sun:03:30"), 52),
            (Recurrence::Monthly("04:00".parse().unwrap()), 12),
            (recurrence("hourly"), 365 * 24),
        ] {
            let mut at = instant("2026-01-01T00:00:00Z");
            let mut runs = 0;
            while let Some(next) = what.next(at, &zone).filter(|next| *next <= end) {
                assert_eq!(what.latest(next, &zone), Some(next), "{what:?}");
                (at, runs) = (next, runs + 1);
            }
            assert_eq!(runs, expected, "{what:?}");
        }
    }
}
