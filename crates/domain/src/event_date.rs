//! The date of an event, as precise as it was stated: a year, a month or a day.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use jiff::civil::Date;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// The pattern of every date; whether the day exists is checked in addition.
const PATTERN: &str = r"^[0-9]{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?$";

/// A year `2026`, a month `2026-10` or a day `2026-10-14`. A date is never made more precise than it was
/// stated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct EventDate {
    first_day: Date,
    precision: Precision,
}

/// The precision of a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Precision {
    /// Only the year.
    Year,
    /// The month of a year.
    Month,
    /// The day.
    Day,
}

/// The text is neither a year, a month nor a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a date; write a year, a month or a day: `2026`, `2026-10`, `2026-10-14`")]
pub struct NotADate;

impl EventDate {
    /// The date with this first day and precision.
    #[must_use]
    pub fn new(day: Date, precision: Precision) -> Self {
        let first_day = match precision {
            Precision::Year => day.first_of_year(),
            Precision::Month => day.first_of_month(),
            Precision::Day => day,
        };
        Self { first_day, precision }
    }

    /// The first day it covers.
    #[must_use]
    pub const fn first_day(self) -> Date {
        self.first_day
    }

    /// The last day it covers.
    #[must_use]
    pub fn last_day(self) -> Date {
        match self.precision {
            Precision::Year => self.first_day.last_of_year(),
            Precision::Month => self.first_day.last_of_month(),
            Precision::Day => self.first_day,
        }
    }

    /// Its precision.
    #[must_use]
    pub const fn precision(self) -> Precision {
        self.precision
    }
}

impl fmt::Display for EventDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = (self.first_day.year(), self.first_day.month(), self.first_day.day());
        match self.precision {
            Precision::Year => write!(f, "{year:04}"),
            Precision::Month => write!(f, "{year:04}-{month:02}"),
            Precision::Day => write!(f, "{year:04}-{month:02}-{day:02}"),
        }
    }
}

impl fmt::Debug for EventDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The date of an event in a person's life is personal; only its precision may be printed.
        write!(f, "EventDate({:?})", self.precision)
    }
}

impl FromStr for EventDate {
    type Err = NotADate;

    fn from_str(text: &str) -> Result<Self, NotADate> {
        let (whole, precision) = match text.len() {
            4 => (format!("{text}-01-01"), Precision::Year),
            7 => (format!("{text}-01"), Precision::Month),
            10 => (text.to_owned(), Precision::Day),
            _ => return Err(NotADate),
        };
        let digits_and_dashes = whole.chars().all(|c| c.is_ascii_digit() || c == '-');
        let day = whole.parse().ok().filter(|_| digits_and_dashes).ok_or(NotADate)?;
        Ok(Self::new(day, precision))
    }
}

impl TryFrom<String> for EventDate {
    type Error = NotADate;

    fn try_from(text: String) -> Result<Self, NotADate> {
        text.parse()
    }
}

impl From<EventDate> for String {
    fn from(date: EventDate) -> Self {
        date.to_string()
    }
}

impl JsonSchema for EventDate {
    fn schema_name() -> Cow<'static, str> {
        "EventDate".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": PATTERN })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_as_exact_as_it_was_written() {
        for (written, first, last) in [
            ("2026", "2026-01-01", "2026-12-31"),
            ("2024-02", "2024-02-01", "2024-02-29"),
            ("2026-10-14", "2026-10-14", "2026-10-14"),
        ] {
            let date: EventDate = written.parse().unwrap();
            assert_eq!(date.to_string(), written);
            assert_eq!(
                (date.first_day().to_string(), date.last_day().to_string()),
                (first.into(), last.into())
            );
        }
    }

    #[test]
    fn what_is_no_date_is_refused_by_the_type_and_by_the_published_pattern() {
        let pattern = regex_lite::Regex::new(PATTERN).unwrap();
        for wrong in
            ["", "26", "2026-13", "2026-1", "20261014", "2026-10-32", "-026", "2026-10-14T00:00Z", "soon"]
        {
            assert_eq!(wrong.parse::<EventDate>(), Err(NotADate), "{wrong}");
            assert!(!pattern.is_match(wrong), "{wrong}");
        }
        assert!("2026-02-30".parse::<EventDate>().is_err(), "no calendar has this day");
    }
}
