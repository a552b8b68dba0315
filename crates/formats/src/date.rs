//! Moments as other programs write them. What can't be read for certain is no date.

use jiff::civil::{Date, DateTime};
use jiff::{Timestamp, tz::TimeZone};
use serde_json::Value;

/// Numbers from here on are milliseconds; smaller ones are seconds.
const LEAST_MILLIS: f64 = 1e11;
/// No program wrote a conversation before 1990; such a number means something else.
const EARLIEST: f64 = 631_152_000.0;
const LATEST: f64 = 4_102_444_800.0;

/// The moment `value` stands for, if it is certain: a number of seconds or milliseconds, an ISO date, or one of the ways
/// SillyTavern has written dates.
#[must_use]
pub fn read_date(value: &Value) -> Option<Timestamp> {
    match value {
        Value::Number(number) => number.as_f64().and_then(of_number),
        Value::String(text) => of_text(text.trim()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "it lies between 1990 and 2100, and below a millisecond nothing counts"
)]
fn of_number(number: f64) -> Option<Timestamp> {
    let seconds = if number >= LEAST_MILLIS { number / 1000.0 } else { number };
    let fits = (EARLIEST..=LATEST).contains(&seconds);
    fits.then(|| Timestamp::from_millisecond((seconds * 1000.0).round() as i64).ok())?
}

fn of_text(text: &str) -> Option<Timestamp> {
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return text.parse().ok().and_then(of_number);
    }
    let moment = text.parse::<Timestamp>().ok();
    moment.or_else(|| civil(text).and_then(at_utc)).or_else(|| humanised(text).and_then(at_utc))
}

/// An ISO date, with a time or without.
fn civil(text: &str) -> Option<DateTime> {
    let moment = text.parse::<DateTime>().ok();
    moment.or_else(|| text.parse::<Date>().ok().map(|date| date.at(0, 0, 0, 0)))
}

/// `June 25, 2024 4:51pm`, or `2024-09-28@12h34m56s789ms`, with spaces in it or without.
fn humanised(text: &str) -> Option<DateTime> {
    if let Some((day, time)) = text.split_once('@') {
        let numbers: Vec<i16> = time
            .split(|c: char| !c.is_ascii_digit())
            .filter(|part| !part.is_empty())
            .map_while(|part| part.parse().ok())
            .collect();
        let day: Vec<i16> = day.trim().split('-').map_while(|part| part.parse().ok()).collect();
        let ([year, month, day], [hour, minute, second, rest @ ..]) = (day.as_slice(), numbers.as_slice())
        else {
            return None;
        };
        let small = |number: &i16| i8::try_from(*number).ok();
        let millis = i32::from(rest.first().copied().unwrap_or(0));
        let time = (small(hour)?, small(minute)?, small(second)?);
        return DateTime::new(
            *year,
            small(month)?,
            small(day)?,
            time.0,
            time.1,
            time.2,
            millis.checked_mul(1_000_000)?,
        )
        .ok();
    }
    let upper = text.replace("am", " AM").replace("pm", " PM").replace("  ", " ");
    DateTime::strptime("%B %d, %Y %I:%M %p", upper).ok()
}

fn at_utc(moment: DateTime) -> Option<Timestamp> {
    moment.to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_way_of_writing_a_date_is_read_and_nothing_else_is() {
        for (written, expected) in [
            (json!(1_700_000_000.25), Some("2023-11-14T22:13:20.25Z")),
            (json!(1_673_181_146_000_i64), Some("2023-01-08T12:32:26Z")),
            (json!("1673181146000"), Some("2023-01-08T12:32:26Z")),
            (json!("2024-05-01T10:00:00.123+02:00"), Some("2024-05-01T08:00:00.123Z")),
            (json!("2024-05-01 10:00:00"), Some("2024-05-01T10:00:00Z")),
            (json!("2026-01-15"), Some("2026-01-15T00:00:00Z")),
            (json!("June 25, 2024 4:51pm"), Some("2024-06-25T16:51:00Z")),
            (json!("June 5, 2024 12:05am"), Some("2024-06-05T00:05:00Z")),
            (json!("2024-09-28@12h34m56s789ms"), Some("2024-09-28T12:34:56.789Z")),
            (json!("2023-1-8 @18h 32m 26s 123ms"), Some("2023-01-08T18:32:26.123Z")),
            (json!("yesterday"), None),
            (json!("2024-13-45"), None),
            (json!(17), None),
            (json!(1e30), None),
            (json!(""), None),
            (json!(null), None),
        ] {
            let read = read_date(&written).map(|at| at.to_string());
            assert_eq!(read.as_deref(), expected, "{written}");
        }
    }
}
