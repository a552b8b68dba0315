//! A time as people type it: an instant, a day, or an interval from now.

use std::str::FromStr;

use domain::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Span, Zoned};

/// A time, absolute or relative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moment {
    /// This instant.
    At(Timestamp),
    /// An interval from now, by the calendar.
    FromNow(Step),
}

/// An interval in one unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    count: i64,
    unit: char,
}

impl Moment {
    /// The instant at `now`.
    pub(crate) fn as_of(self, now: Timestamp) -> Timestamp {
        match self {
            Self::At(instant) => instant,
            Self::FromNow(step) => step.from(now).unwrap_or(now),
        }
    }
}

impl Step {
    fn from(self, now: Timestamp) -> Option<Timestamp> {
        let span = self.span()?;
        let there: Zoned = now.to_jiff().to_zoned(TimeZone::UTC).checked_add(span).ok()?;
        Some(Timestamp::from_millis(there.timestamp().as_millisecond()))
    }

    fn span(self) -> Option<Span> {
        let span = Span::new();
        match self.unit {
            'm' => span.try_minutes(self.count),
            'h' => span.try_hours(self.count),
            'd' => span.try_days(self.count),
            'w' => span.try_weeks(self.count),
            'y' => span.try_years(self.count),
            _ => return None,
        }
        .ok()
    }
}

impl FromStr for Moment {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let rule = || {
            "write a time like `2026-04-22T14:18:42Z`, a day like `2026-04-22`, or an interval like `+30d` \
            or `-2w` (m, h, d, w, y)"
                .to_owned()
        };
        if text == "now" {
            return Ok(Self::FromNow(Step { count: 0, unit: 'm' }));
        }
        if text.starts_with(['+', '-']) {
            return step(text).map(Self::FromNow).ok_or_else(rule);
        }
        if let Ok(instant) = text.parse() {
            return Ok(Self::At(instant));
        }
        let day = Date::strptime("%Y-%m-%d", text).map_err(|_| rule())?;
        let midnight = day.to_zoned(TimeZone::UTC).map_err(|_| rule())?;
        Ok(Self::At(Timestamp::from_millis(midnight.timestamp().as_millisecond())))
    }
}

/// A signed number with its unit; refused when the calendar doesn't reach that far.
fn step(text: &str) -> Option<Step> {
    let unit = text.chars().last()?;
    let count = text.strip_suffix(unit)?.parse().ok()?;
    let step = Step { count, unit };
    step.span().map(|_| step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_can_be_an_instant_a_day_or_a_distance() {
        let now: Timestamp = "2026-04-22T12:00:00Z".parse().unwrap();
        for (typed, meant) in [
            ("2026-05-01T10:00:00Z", "2026-05-01T10:00:00.000Z"),
            ("2026-05-01T10:00:00+02:00", "2026-05-01T08:00:00.000Z"),
            ("2026-05-01", "2026-05-01T00:00:00.000Z"),
            ("now", "2026-04-22T12:00:00.000Z"),
            ("+30d", "2026-05-22T12:00:00.000Z"),
            ("-2w", "2026-04-08T12:00:00.000Z"),
            ("+90m", "2026-04-22T13:30:00.000Z"),
            ("-5h", "2026-04-22T07:00:00.000Z"),
            ("-2y", "2024-04-22T12:00:00.000Z"),
        ] {
            assert_eq!(typed.parse::<Moment>().unwrap().as_of(now).to_string(), meant, "{typed}");
        }
    }

    #[test]
    fn what_is_no_time_is_answered_with_how_to_write_one() {
        for typed in
            ["", "soon", "+d", "30d", "+1x", "2026-13-01", "+99999999999999999999d", "2026-04-22T14:00"]
        {
            let rule = typed.parse::<Moment>().unwrap_err();
            assert!(rule.contains("+30d"), "{typed}: {rule}");
        }
    }
}
