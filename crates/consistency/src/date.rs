//! Dates inside a clause: a year, a month, a day, a weekday, each only if it is written.

use text::Language;

use crate::clause::Word;
use crate::number::{is_year, number};

/// The date a clause names, as far as it does.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PartialDate {
    /// The year.
    pub(crate) year: Option<i16>,
    /// The month, from 1.
    pub(crate) month: Option<i8>,
    /// The day of the month.
    pub(crate) day: Option<u8>,
    /// The days after Monday.
    pub(crate) weekday: Option<i8>,
}

impl PartialDate {
    /// The date in a clause; a part named twice differently is left out, since it is unclear which is meant.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "years and days were checked to be in range"
    )]
    pub(crate) fn read(words: &[Word]) -> Self {
        let mut years = Vec::new();
        let mut months = Vec::new();
        let mut days = Vec::new();
        let mut weekdays = Vec::new();
        for (at, word) in words.iter().enumerate() {
            let lower = |at: Option<usize>| at.and_then(|at| words.get(at)).map_or("", |word| &word.lower);
            let (before, after) = (lower(at.checked_sub(1)), lower(Some(at + 1)));
            let value = number(&word.lower).or_else(|| day_number(&word.lower));
            let is_verb = matches!(word.lower.as_str(), "may" | "march") && !word.capital;
            years.extend(value.filter(|value| is_year(*value, &word.lower)).map(|year| year as i16));
            months.extend(month(&word.lower).filter(|_| !is_verb));
            weekdays.extend(Language::English.weekday_named(&word.lower));
            let beside_month =
                is_month(before) || is_month(after) || after == "of" && is_month(lower(Some(at + 2)));
            let day = value.filter(|value| beside_month && (1.0..=31.0).contains(value));
            days.extend(day.map(|day| day as u8));
        }
        Self { year: only(&years), month: only(&months), day: only(&days), weekday: only(&weekdays) }
    }

    /// Whether a part that both name differs.
    pub(crate) fn disagrees_with(&self, other: &Self) -> bool {
        differ(self.year, other.year)
            || differ(self.month, other.month)
            || self.month == other.month && differ(self.day, other.day)
            || differ(self.weekday, other.weekday)
    }
}

/// The year of an instant, in UTC.
pub(crate) fn year_of(millis: i64) -> i16 {
    domain::Timestamp::from_millis(millis).to_jiff().to_zoned(jiff::tz::TimeZone::UTC).year()
}

/// The month and the day of an instant, in UTC, by which anniversaries are known.
pub(crate) fn day_of_year(millis: i64) -> (i8, i8) {
    let date = domain::Timestamp::from_millis(millis).to_jiff().to_zoned(jiff::tz::TimeZone::UTC);
    (date.month(), date.day())
}

/// The month of an instant, in UTC, from 1.
pub(crate) fn month_of(millis: i64) -> i8 {
    day_of_year(millis).0
}

/// The month of this name, from 1, or the one of a feast that is kept in it.
pub(crate) fn month_or_feast(lower: &str) -> Option<i8> {
    month(lower).or(matches!(lower, "christmas" | "advent").then_some(12))
}

/// The season of this name, from winter as 0.
pub(crate) fn season(lower: &str) -> Option<i8> {
    (0..).zip(SEASONS).find(|(_, season)| *season == lower).map(|(number, _)| number)
}

/// Whether the word names a month.
pub(crate) fn is_month(lower: &str) -> bool {
    month(lower).is_some()
}

/// Whether the word only dates.
pub(crate) fn is_date_word(lower: &str) -> bool {
    is_month(lower) && lower != "may" && lower != "march"
        || Language::English.weekday_named(lower).is_some()
        || SEASONS.contains(&lower)
        || matches!(lower, "noon" | "midnight")
}

/// The month of this name, from 1.
fn month(lower: &str) -> Option<i8> {
    Language::English.month_named(lower)
}

/// The 12 of `12th`.
fn day_number(lower: &str) -> Option<f64> {
    let digits = ["st", "nd", "rd", "th"].iter().find_map(|ending| lower.strip_suffix(ending))?;
    digits.parse().ok()
}

fn differ<T: PartialEq>(left: Option<T>, right: Option<T>) -> bool {
    left.zip(right).is_some_and(|(left, right)| left != right)
}

fn only<T: Copy + PartialEq>(found: &[T]) -> Option<T> {
    let first = *found.first()?;
    found.iter().all(|other| *other == first).then_some(first)
}

const SEASONS: [&str; 4] = ["winter", "spring", "summer", "autumn"];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clause::words;
    use crate::vocabulary::Vocabulary;

    #[test]
    fn dates_disagree_only_in_parts_that_both_name() {
        let mut vocabulary = Vocabulary::new("en");
        for (left, right, disagree) in [
            ("it was in 2009", "it was in 2011", true),
            ("it was in June 2009", "it was in 2009", false),
            ("on 12 June", "on June 14th", true),
            ("on the 12th of June", "on June 12", false),
            ("on a Friday", "on a Tuesday", true),
            ("between 2009 and 2011", "in 2010", false),
        ] {
            let [left_date, right_date] =
                [left, right].map(|text| PartialDate::read(&words(text, &mut vocabulary)));
            assert_eq!(left_date.disagrees_with(&right_date), disagree, "{left} / {right}");
        }
    }
}
