//! The days a cue speaks of: `8 May 2023`, `May 8`, `2023-05-08`, `in March`, `last week`.
//!
//! Dates are a field of a memory and not words of it, so a cue that names a day is matched with the
//! day a memory was formed. English names only; dates in numbers are understood in any language.

use jiff::civil::{Date, date};
use jiff::{ToSpan, tz::TimeZone};

use domain::Timestamp;

/// A run of days, both ends included, as days since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Days {
    /// The first day.
    pub(crate) first: i32,
    /// The last day.
    pub(crate) last: i32,
}

/// Every day or run of days that `cue` speaks of, seen from `now`.
#[must_use]
pub(crate) fn days_in(cue: &str, now: Timestamp) -> Vec<Days> {
    let today = now.to_jiff().to_zoned(TimeZone::UTC).date();
    let words: Vec<Word> =
        cue.split(|c: char| !c.is_alphanumeric() && c != '-').filter_map(Word::read).collect();
    let mut found = Vec::new();
    let (mut rest, mut before) = (words.get(..MOST_WORDS).unwrap_or(&words), None);
    while let [first, ..] = rest {
        let (days, used) =
            written(rest, before, today).or_else(|| relative(rest, today)).unwrap_or((None, 1));
        found.extend(days);
        before = Some(*first).filter(|_| used == 1);
        rest = rest.get(used..).unwrap_or_default();
    }
    found.dedup();
    found.truncate(MOST_RUNS);
    found
}

/// A cue longer than this is a document, and its dates say nothing about what is asked.
const MOST_WORDS: usize = 2000;
/// More dates than this no longer single anything out.
const MOST_RUNS: usize = 4;

impl Days {
    fn of(first: Option<Date>, last: Option<Date>) -> Option<Self> {
        Some(Self { first: day_number(first?)?, last: day_number(last?)? })
    }

    /// How well a memory formed on `day` fits, from 0 to 1.
    ///
    /// People tell of things soon after they happened, so the week after counts fully; the longer
    /// the run, the less it says.
    #[must_use]
    pub(crate) fn fit(self, day: i32) -> f32 {
        let whole = match self.last - self.first {
            ..=7 => 1.0,
            8..=31 => 0.6,
            32.. => 0.3,
        };
        if (self.first..=self.last + 7).contains(&day) {
            whole
        } else if (self.first - 10..=self.last + 10).contains(&day) {
            whole * 0.3
        } else {
            0.0
        }
    }
}

/// What a word contributes to a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    Month(i8),
    Day(i8),
    Year(i16),
    Iso(Date),
    Lead,
    Last,
    This,
    Ago(i8),
    Week,
    AnyMonth,
    AnyYear,
    Other,
}

impl Word {
    fn read(text: &str) -> Option<Self> {
        let text = text.trim_matches('-');
        if text.is_empty() {
            return None;
        }
        if text.starts_with(|c: char| c.is_ascii_digit()) {
            return Some(Self::read_number(text));
        }
        let lower = text.to_ascii_lowercase();
        Some(match lower.as_str() {
            "in" | "during" | "since" | "of" | "early" | "late" | "mid" | "until" | "by" => Self::Lead,
            "last" | "past" | "previous" => Self::Last,
            "this" => Self::This,
            "today" => Self::Ago(0),
            "yesterday" => Self::Ago(1),
            "week" => Self::Week,
            "month" => Self::AnyMonth,
            "year" => Self::AnyYear,
            name => MONTHS
                .iter()
                .zip(1..)
                .find(|(month, _)| names_month(name, month))
                .map_or(Self::Other, |m| Self::Month(m.1)),
        })
    }

    fn read_number(text: &str) -> Self {
        if let Ok(date) = text.parse::<Date>() {
            return Self::Iso(date);
        }
        let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        match (digits.len(), digits.parse::<i16>()) {
            (1 | 2, Ok(day @ 1..=31)) => i8::try_from(day).map_or(Self::Other, Self::Day),
            (4, Ok(year @ 1900..=2200)) if digits == text => Self::Year(year),
            _ => Self::Other,
        }
    }
}

/// A month that is also a verb, and so needs a word before it that makes it a month.
const MAY: i8 = 5;

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

fn names_month(word: &str, month: &str) -> bool {
    word == month
        || (word.len() == 3 && month.starts_with(word) && word != "may")
        || (word == "sept" && month == "september")
}

/// The days a phrase speaks of, if it is a real date, and how many words the phrase has.
type Phrase = (Option<Days>, usize);

/// A date written out, beginning with the first of `words`.
fn written(words: &[Word], before: Option<Word>, today: Date) -> Option<Phrase> {
    let led = matches!(before, Some(Word::Lead | Word::Last | Word::This));
    Some(match *words {
        [Word::Iso(day), ..] => (Days::of(Some(day), Some(day)), 1),
        [Word::Day(day), Word::Lead, Word::Month(month), Word::Year(year), ..] => {
            (one_day(year, month, day), 4)
        }
        [Word::Day(day), Word::Month(month), Word::Year(year), ..]
        | [Word::Month(month), Word::Day(day), Word::Year(year), ..] => (one_day(year, month, day), 3),
        [Word::Day(day), Word::Lead, Word::Month(month), ..] => (latest_day(today, month, day), 3),
        [Word::Day(day), Word::Month(month), ..] | [Word::Month(month), Word::Day(day), ..] => {
            (latest_day(today, month, day), 2)
        }
        [Word::Month(month), Word::Year(year), ..] => (whole_month(year, month), 2),
        [Word::Month(month), ..] if month != MAY || led => {
            (whole_month(latest_year(today, month, 1), month), 1)
        }
        [Word::Lead, Word::Year(year), ..] => (whole_year(year), 2),
        _ => return None,
    })
}

/// A time told from today, such as `last week`.
fn relative(words: &[Word], today: Date) -> Option<Phrase> {
    let ago = |days: i8| today.checked_sub(i64::from(days).days()).ok();
    Some(match *words {
        [Word::Ago(days), ..] => (Days::of(ago(days), ago(days)), 1),
        [Word::Last, Word::Week, ..] => (Days::of(ago(14), ago(1)), 2),
        [Word::This, Word::Week, ..] => (Days::of(ago(7), ago(0)), 2),
        [Word::Last, Word::AnyMonth, ..] => {
            let earlier = today.first_of_month().checked_sub(1.day()).ok()?;
            (whole_month(earlier.year(), earlier.month()), 2)
        }
        [Word::This, Word::AnyMonth, ..] => (whole_month(today.year(), today.month()), 2),
        [Word::Last, Word::AnyYear, ..] => (whole_year(today.year() - 1), 2),
        _ => return None,
    })
}

fn latest_day(today: Date, month: i8, day: i8) -> Option<Days> {
    one_day(latest_year(today, month, day), month, day)
}

fn whole_year(year: i16) -> Option<Days> {
    Days::of(Date::new(year, 1, 1).ok(), Date::new(year, 12, 31).ok())
}

fn one_day(year: i16, month: i8, day: i8) -> Option<Days> {
    let date = Date::new(year, month, day).ok();
    Days::of(date, date)
}

fn whole_month(year: i16, month: i8) -> Option<Days> {
    let first = Date::new(year, month, 1).ok()?;
    Days::of(Some(first), Some(first.last_of_month()))
}

/// The year in which that day was last, or is today.
fn latest_year(today: Date, month: i8, day: i8) -> i16 {
    let passed = (month, day) <= (today.month(), today.day());
    today.year() - i16::from(!passed)
}

fn day_number(day: Date) -> Option<i32> {
    let days = date(1970, 1, 1).until(day).ok()?.get_days();
    Some(days)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn spoken(cue: &str) -> Vec<(String, String)> {
        let now: Timestamp = "2026-04-22T12:00:00.000Z".parse().unwrap();
        let print = |day: i32| (date(1970, 1, 1) + i64::from(day).days()).to_string();
        days_in(cue, now).iter().map(|days| (print(days.first), print(days.last))).collect()
    }

    #[test]
    fn days_are_understood_however_they_are_written() {
        for (cue, first, last) in [
            ("What happened on 8 May 2023?", "2023-05-08", "2023-05-08"),
            ("on the 8th of May, 2023", "2023-05-08", "2023-05-08"),
            ("May 8, 2023 at noon", "2023-05-08", "2023-05-08"),
            ("since 2023-05-08", "2023-05-08", "2023-05-08"),
            ("her trip in May 2023", "2023-05-01", "2023-05-31"),
            ("what did she do in March?", "2026-03-01", "2026-03-31"),
            ("the party in may", "2025-05-01", "2025-05-31"),
            ("on 3 Dec", "2025-12-03", "2025-12-03"),
            ("in 2022", "2022-01-01", "2022-12-31"),
            ("yesterday's dinner", "2026-04-21", "2026-04-21"),
            ("what we did last week", "2026-04-08", "2026-04-21"),
            ("last month", "2026-03-01", "2026-03-31"),
        ] {
            assert_eq!(spoken(cue), [(first.to_owned(), last.to_owned())], "{cue}");
        }
    }

    #[test]
    fn words_that_only_look_like_dates_are_none() {
        for cue in
            ["", "may I come in?", "room 2023", "I march on", "31 February 2023", "2023-02-31", "the 8 of us"]
        {
            assert_eq!(spoken(cue).len(), usize::from(cue == "I march on"), "{cue}");
        }
    }

    #[test]
    fn a_memory_fits_a_day_best_in_the_week_that_follows_it() {
        let day = Days { first: 100, last: 100 };
        assert!(
            day.fit(100) > 0.9
                && day.fit(107) > 0.9
                && day.fit(109) < 0.5
                && day.fit(111) < 0.1
                && day.fit(89) < 0.1
        );
        assert!(Days { first: 100, last: 130 }.fit(110) < 0.9);
    }

    proptest! {
        #[test]
        fn any_cue_is_read_without_harm(cue in any::<String>(), millis in any::<i64>()) {
            prop_assert!(days_in(&cue, Timestamp::from_millis(millis)).len() <= MOST_RUNS);
        }
    }
}
