//! Schedules as people write them: `hourly`, `daily[:HH:MM]` or `weekly:DOW[:HH:MM]`, in the persona's time
//! zone.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// A schedule as people write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Schedule {
    /// Every hour.
    Hourly,
    /// Every day, optionally at a given time.
    Daily(Option<TimeOfDay>),
    /// Every week on a day, optionally at a given time.
    Weekly(Weekday, Option<TimeOfDay>),
}

/// A time of day to the minute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TimeOfDay {
    hour: u8,
    minute: u8,
}

impl TimeOfDay {
    /// The default time of day.
    pub const MORNING: Self = Self { hour: 9, minute: 0 };

    /// A time of day; values out of range are clamped.
    #[must_use]
    pub(crate) const fn new(hour: u8, minute: u8) -> Self {
        Self { hour: if hour > 23 { 23 } else { hour }, minute: if minute > 59 { 59 } else { minute } }
    }

    /// The hour, 0 to 23.
    #[must_use]
    pub const fn hour(self) -> u8 {
        self.hour
    }

    /// The minute, 0 to 59.
    #[must_use]
    pub const fn minute(self) -> u8 {
        self.minute
    }
}

/// A day of the week.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Weekday {
    /// Monday.
    Monday,
    /// Tuesday.
    Tuesday,
    /// Wednesday.
    Wednesday,
    /// Thursday.
    Thursday,
    /// Friday.
    Friday,
    /// Saturday.
    Saturday,
    /// Sunday.
    Sunday,
}

impl Weekday {
    /// Every day, Monday first.
    pub const ALL: [Self; 7] = [
        Self::Monday,
        Self::Tuesday,
        Self::Wednesday,
        Self::Thursday,
        Self::Friday,
        Self::Saturday,
        Self::Sunday,
    ];

    /// The day as a schedule writes it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Monday => "mon",
            Self::Tuesday => "tue",
            Self::Wednesday => "wed",
            Self::Thursday => "thu",
            Self::Friday => "fri",
            Self::Saturday => "sat",
            Self::Sunday => "sun",
        }
    }
}

/// The text is not a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "not a schedule; write `hourly`, `daily`, `daily:HH:MM`, `weekly:DOW` or `weekly:DOW:HH:MM` (DOW is mon to sun)"
)]
pub struct NotASchedule;

impl FromStr for Schedule {
    type Err = NotASchedule;

    fn from_str(text: &str) -> Result<Self, NotASchedule> {
        let lower = text.trim().to_ascii_lowercase();
        let (kind, rest) =
            lower.split_once(':').map_or((lower.as_str(), None), |(kind, rest)| (kind, Some(rest)));
        match (kind, rest) {
            ("hourly", None) => Ok(Self::Hourly),
            ("daily", None) => Ok(Self::Daily(None)),
            ("daily", Some(time)) => time.parse().map(|time| Self::Daily(Some(time))),
            ("weekly", Some(rest)) => {
                let (day, time) = rest.split_once(':').map_or((rest, None), |(day, time)| (day, Some(time)));
                Ok(Self::Weekly(day.parse()?, time.map(str::parse).transpose()?))
            }
            _ => Err(NotASchedule),
        }
    }
}

impl FromStr for TimeOfDay {
    type Err = NotASchedule;

    fn from_str(text: &str) -> Result<Self, NotASchedule> {
        let two = |digits: &str| {
            let plain = digits.len() == 2 && digits.bytes().all(|byte| byte.is_ascii_digit());
            plain.then(|| digits.parse::<u8>().ok()).flatten()
        };
        let (hour, minute) = text.split_once(':').ok_or(NotASchedule)?;
        let hour = two(hour).filter(|hour| *hour < 24).ok_or(NotASchedule)?;
        let minute = two(minute).filter(|minute| *minute < 60).ok_or(NotASchedule)?;
        Ok(Self { hour, minute })
    }
}

impl FromStr for Weekday {
    type Err = NotASchedule;

    fn from_str(text: &str) -> Result<Self, NotASchedule> {
        Self::ALL.into_iter().find(|day| day.as_str() == text).ok_or(NotASchedule)
    }
}

impl fmt::Display for TimeOfDay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}:{:02}", self.hour, self.minute)
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hourly => f.write_str("hourly"),
            Self::Daily(None) => f.write_str("daily"),
            Self::Daily(Some(time)) => write!(f, "daily:{time}"),
            Self::Weekly(day, None) => write!(f, "weekly:{}", day.as_str()),
            Self::Weekly(day, Some(time)) => write!(f, "weekly:{}:{time}", day.as_str()),
        }
    }
}

impl TryFrom<String> for Schedule {
    type Error = NotASchedule;

    fn try_from(text: String) -> Result<Self, NotASchedule> {
        text.parse()
    }
}

impl From<Schedule> for String {
    fn from(schedule: Schedule) -> Self {
        schedule.to_string()
    }
}

/// Inline, so that a reader of the schema sees the format where it is used.
impl JsonSchema for Schedule {
    fn schema_name() -> Cow<'static, str> {
        "Schedule".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let time = "([01][0-9]|2[0-3]):[0-5][0-9]";
        let days = "(mon|tue|wed|thu|fri|sat|sun)";
        json_schema!({ "type": "string", "pattern": format!("^(hourly|daily(:{time})?|weekly:{days}(:{time})?)$") })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_reads_as_it_is_written_and_nothing_else_is_a_schedule() {
        for text in ["hourly", "daily", "daily:07:30", "weekly:sun", "weekly:mon:23:59"] {
            assert_eq!(text.parse::<Schedule>().map(|schedule| schedule.to_string()), Ok(text.to_owned()));
        }
        assert_eq!(" Weekly:FRI:09:00".parse(), "weekly:fri:09:00".parse::<Schedule>());
        for wrong in [
            "",
            "hourly:05",
            "daily:",
            "daily:24:00",
            "daily:7:30",
            "daily:07:60",
            "weekly",
            "weekly:07:00",
            "weekly:xyz",
            "weekly:mon:",
            "monthly",
            "daily:07:30:00",
        ] {
            assert_eq!(wrong.parse::<Schedule>(), Err(NotASchedule), "{wrong}");
        }
    }
}
