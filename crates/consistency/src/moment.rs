//! Dates inside a clause: a year, a month, a day, a weekday, a clock time, each only if it is written.

use super::numeral::{is_year, number, ordinal};
use super::occasion::DAY;
use super::sentences::Word;

/// What a clause says about when.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Moment {
    /// The year.
    pub(super) year: Option<i16>,
    /// The year counted back from the time of telling: `ten years ago`.
    pub(super) around: Option<i16>,
    /// The season, from winter as 0.
    pub(super) season: Option<usize>,
    /// The month, from 1.
    pub(super) month: Option<usize>,
    /// The day of the month.
    pub(super) day: Option<u8>,
    /// The day of the week, from 0.
    pub(super) weekday: Option<usize>,
    /// Minutes after midnight, or after noon when nobody said which.
    pub(super) clock: Option<u16>,
}

impl Moment {
    /// Whether a part that both name differs.
    pub(super) fn disagrees_with(&self, other: &Self) -> bool {
        differ(self.year, other.year)
            || self.seasons_differ(other)
            || off(self.year, other.around)
            || off(self.around, other.year)
            || differ(self.month, other.month)
            || (self.month == other.month && differ(self.day, other.day))
            || differ(self.weekday, other.weekday)
            || differ(self.clock, other.clock)
    }
}

impl Moment {
    /// A month lies in its season, or at its edge.
    fn seasons_differ(&self, other: &Self) -> bool {
        let apart = |season: Option<usize>, month: Option<usize>| {
            season.zip(month).is_some_and(|(season, month)| {
                ![season * 3, season * 3 + 1, season * 3 + 2, season * 3 + 3]
                    .map(|near| (near + 11) % 12 + 1)
                    .contains(&month)
            })
        };
        differ(self.season, other.season)
            || apart(self.season, other.month)
            || apart(other.season, self.month)
    }
}

/// Counting back is rarely exact, so a year more or less is none.
fn off(left: Option<i16>, right: Option<i16>) -> bool {
    left.zip(right).is_some_and(|(left, right)| (left - right).abs() > 1)
}

/// The date in a clause; a part named twice differently is left out, since it is unclear which is meant.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "years and days were checked to be in range"
)]
pub(super) fn moment(words: &[Word]) -> Moment {
    let mut years = Vec::new();
    let mut months = Vec::new();
    let mut days = Vec::new();
    let mut weekdays = Vec::new();
    let mut seasons = Vec::new();
    let mut clocks = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let before =
            at.checked_sub(1).and_then(|before| words.get(before)).map_or("", |word| word.lower.as_str());
        let after = words.get(at + 1).map_or("", |word| word.lower.as_str());
        let value = number(&word.lower).or_else(|| ordinal(&word.lower));
        let is_month_here =
            is_month(&word.lower) && (word.lower != "may" && word.lower != "march" || word.capital);
        years.extend(value.filter(|value| is_year(*value, &word.lower)).map(|year| year as i16));
        months.extend(MONTHS.iter().position(|month| is_month_here && *month == word.lower).map(|at| at + 1));
        seasons.extend(SEASONS.iter().position(|season| *season == word.lower));
        weekdays.extend(WEEKDAYS.iter().position(|weekday| *weekday == word.lower));
        clocks.extend(clock(&word.lower, after));
        clocks.extend(match word.lower.as_str() {
            "noon" => Some(720),
            "midnight" => Some(0),
            _ => None,
        });
        let beside_month = is_month(before)
            || is_month(after)
            || (after == "of" && words.get(at + 2).is_some_and(|word| is_month(&word.lower)));
        days.extend(value.filter(|value| beside_month && (1.0..=31.0).contains(value)).map(|day| day as u8));
    }
    Moment {
        around: None,
        season: only(&seasons),
        year: only(&years),
        month: only(&months),
        day: only(&days),
        weekday: only(&weekdays),
        clock: only(&clocks),
    }
}

/// When a state told at `now` began: `since 2011`, `since January`, `for eight years`.
#[expect(clippy::cast_possible_truncation, reason = "spans of a life are below two hundred years")]
pub(super) fn begun(words: &[Word], now: i64) -> Option<i64> {
    let lower = |at: usize| words.get(at).map_or("", |word| word.lower.as_str());
    let span = |at: usize| {
        let days = match lower(at + 2) {
            "years" | "year" => 365.0,
            "months" | "month" => 30.0,
            "weeks" | "week" => 7.0,
            _ => return None,
        };
        number(lower(at + 1)).map(|count| now - (count * days) as i64 * DAY)
    };
    (0..words.len()).find_map(|at| match lower(at) {
        "for" => span(at),
        "since" => since(lower(at + 1), now),
        "from" if matches!(lower(at + 2), "until" | "till" | "to") => since(lower(at + 1), now),
        _ => None,
    })
}

/// The start of a year, or of the last month or season of this name.
#[expect(clippy::cast_possible_truncation, reason = "years were checked to be in range")]
fn since(word: &str, now: i64) -> Option<i64> {
    let months = |back: usize| now - i64::try_from(back).unwrap_or(0) * 30 * DAY;
    let year = number(word).filter(|year| is_year(*year, word));
    let month = MONTHS.iter().position(|month| *month == word).map(|at| at + 1);
    let season = SEASONS.iter().position(|season| *season == word).map(|at| at * 3 + 1);
    year.map(|year| now - i64::from(year_of(now) - year as i16) * 365 * DAY)
        .or_else(|| month.or(season).map(|month| months((month_of(now) + 12 - month) % 12)))
}

/// The year of an instant, in UTC.
pub(super) fn year_of(millis: i64) -> i16 {
    domain::Timestamp::from_millis(millis).to_jiff().to_zoned(jiff::tz::TimeZone::UTC).year()
}

/// The month and the day of an instant, in UTC, by which anniversaries are known.
pub(super) fn day_of_year(millis: i64) -> (i8, i8) {
    let date = domain::Timestamp::from_millis(millis).to_jiff().to_zoned(jiff::tz::TimeZone::UTC);
    (date.month(), date.day())
}

/// The month of an instant, in UTC, from 1.
pub(super) fn month_of(millis: i64) -> usize {
    let date = domain::Timestamp::from_millis(millis).to_jiff().to_zoned(jiff::tz::TimeZone::UTC);
    usize::try_from(date.month()).unwrap_or(0)
}

/// The month of this name, from 1, or the one of a feast that is kept in it.
pub(super) fn month_or_feast(lower: &str) -> Option<usize> {
    let month = MONTHS.iter().position(|month| *month == lower).map(|at| at + 1);
    month.or(matches!(lower, "christmas" | "advent").then_some(12))
}

/// The season of this name, from winter as 0.
pub(super) fn season(lower: &str) -> Option<usize> {
    SEASONS.iter().position(|season| *season == lower)
}

/// Whether the word names a month.
pub(super) fn is_month(lower: &str) -> bool {
    MONTHS.contains(&lower)
}

/// Whether the word only dates.
pub(super) fn is_date_word(lower: &str) -> bool {
    is_month(lower) && lower != "may" && lower != "march"
        || WEEKDAYS.contains(&lower)
        || SEASONS.contains(&lower)
        || matches!(lower, "noon" | "midnight")
}

fn differ<T: PartialEq>(left: Option<T>, right: Option<T>) -> bool {
    left.zip(right).is_some_and(|(left, right)| left != right)
}

fn only<T: Copy + PartialEq>(found: &[T]) -> Option<T> {
    let first = *found.first()?;
    found.iter().all(|other| *other == first).then_some(first)
}

/// `7:30`, `7am` or `7 pm`.
fn clock(lower: &str, after: &str) -> Option<u16> {
    let half = if lower.ends_with("pm") || after == "pm" {
        Some(12 * 60)
    } else {
        (lower.ends_with("am") || after == "am").then_some(0)
    };
    let digits = lower.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let (hours, minutes) = digits.split_once(':').map_or((digits, "0"), |(hours, minutes)| (hours, minutes));
    if half.is_none() && !digits.contains(':') {
        return None;
    }
    let (hours, minutes): (u16, u16) = (hours.parse().ok()?, minutes.parse().ok()?);
    (hours < 24 && minutes < 60)
        .then_some((hours % 12) * 60 + minutes + half.unwrap_or(if hours >= 12 { 720 } else { 0 }))
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
const SEASONS: [&str; 4] = ["winter", "spring", "summer", "autumn"];
const WEEKDAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

#[cfg(test)]
mod tests {
    use super::super::sentences::words;
    use super::super::vocabulary::Vocabulary;
    use super::*;

    #[test]
    fn dates_disagree_only_in_parts_that_both_name() {
        let mut vocabulary = Vocabulary::new("en");
        for (left, right, disagree) in [
            ("it was in 2009", "it was in 2011", true),
            ("it was in June 2009", "it was in 2009", false),
            ("on 12 June", "on June 14th", true),
            ("on the 12th of June", "on June 12", false),
            ("on a Friday", "on a Tuesday", true),
            ("at 7:30", "at 8:15", true),
            ("at 7 am", "at 7 pm", true),
            ("between 2009 and 2011", "in 2010", false),
        ] {
            let [left_moment, right_moment] = [left, right].map(|text| moment(&words(text, &mut vocabulary)));
            assert_eq!(left_moment.disagrees_with(&right_moment), disagree, "{left} / {right}");
        }
    }
}
