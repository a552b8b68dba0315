//! Instants and durations.
//!
//! Nothing here reads the clock: `now` is an argument of every rule, so one memory on one day always reads
//! the same.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

const MILLIS_PER_DAY: f64 = 86_400_000.0;

/// An instant in milliseconds UTC, written `2026-04-22T14:18:42.000Z`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Timestamp(i64);

/// The text is not an instant with a time zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not an instant with a time zone; write it like `2026-04-22T14:18:42.000Z`")]
pub struct NotAnInstant;

impl Timestamp {
    /// The earliest and latest instants that have a four-digit year, in milliseconds.
    const RANGE: std::ops::RangeInclusive<i64> = -62_135_596_800_000..=253_402_207_200_999;

    /// An instant from milliseconds since 1970; one outside the years 1 to 9999 is clamped.
    #[must_use]
    pub fn from_millis(millis: i64) -> Self {
        Self(millis.clamp(*Self::RANGE.start(), *Self::RANGE.end()))
    }

    /// Milliseconds since 1970.
    #[must_use]
    pub const fn as_millis(self) -> i64 {
        self.0
    }

    /// The time since `earlier`; never negative, so that a clock set back makes nothing younger than new.
    #[must_use]
    pub fn since(self, earlier: Self) -> Days {
        Days(self.signed_days_since(earlier).max(0.0))
    }

    /// This instant moved by `days`.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "a float casts to the nearest representable instant")]
    pub fn plus(self, days: Days) -> Self {
        Self::from_millis(self.0.saturating_add((days.0 * MILLIS_PER_DAY).round() as i64))
    }

    /// The same instant in jiff's own type, for calendars and time zones.
    #[must_use]
    pub fn to_jiff(self) -> jiff::Timestamp {
        jiff::Timestamp::from_millisecond(self.0).unwrap_or(jiff::Timestamp::UNIX_EPOCH)
    }

    #[expect(clippy::cast_precision_loss, reason = "milliseconds of all recorded history fit in 53 bits")]
    fn signed_days_since(self, earlier: Self) -> f64 {
        (self.0 - earlier.0) as f64 / MILLIS_PER_DAY
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3}", self.to_jiff())
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Timestamp {
    type Err = NotAnInstant;

    fn from_str(text: &str) -> Result<Self, NotAnInstant> {
        let instant: jiff::Timestamp = text.parse().map_err(|_| NotAnInstant)?;
        let millis = instant.as_millisecond();
        Self::RANGE.contains(&millis).then_some(Self(millis)).ok_or(NotAnInstant)
    }
}

impl TryFrom<String> for Timestamp {
    type Error = NotAnInstant;

    fn try_from(text: String) -> Result<Self, NotAnInstant> {
        text.parse()
    }
}

impl From<Timestamp> for String {
    fn from(instant: Timestamp) -> Self {
        instant.to_string()
    }
}

impl JsonSchema for Timestamp {
    fn schema_name() -> Cow<'static, str> {
        "Timestamp".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "format": "date-time" })
    }
}

/// A duration in days, the unit of every half-life and retention period.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Days(pub f64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instant_is_printed_with_milliseconds_in_utc() {
        for (written, printed) in [
            ("2026-04-22T14:18:42Z", "2026-04-22T14:18:42.000Z"),
            ("2026-04-22T16:18:42.1234+02:00", "2026-04-22T14:18:42.123Z"),
            ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"),
        ] {
            assert_eq!(written.parse::<Timestamp>().map(|t| t.to_string()), Ok(printed.to_owned()));
        }
    }

    #[test]
    fn an_instant_without_a_zone_is_refused() {
        for text in ["2026-04-22T14:18:42", "2026-04-22", "yesterday", "", "2026-13-01T00:00:00Z"] {
            assert_eq!(text.parse::<Timestamp>(), Err(NotAnInstant), "{text}");
        }
    }

    #[test]
    fn a_clock_set_back_gives_no_time_rather_than_negative_time() {
        let noon: Timestamp = "2026-04-22T12:00:00Z".parse().unwrap();
        assert_eq!(noon.plus(Days(-5.0)).since(noon), Days(0.0));
        assert_eq!(noon.plus(Days(1.5)).since(noon), Days(1.5));
    }
}
