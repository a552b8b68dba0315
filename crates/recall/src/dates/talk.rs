//! The date that a statement names, relative to the day it was said.
//!
//! A memory is read long after "on Friday" was said, so the absolute date is stored. It is stored only if
//! all parts of the statement agree: "Friday the 27th" is a 27th that is a Friday, or no date at all.

use std::ops::RangeInclusive;

use domain::{EventDate, Precision};
use jiff::ToSpan;
use jiff::civil::Date;

use super::anchor::day_of_month;
use super::calendar::{self, date_of};
use super::phrase::mentions;
use super::recurring::{Purpose, View};
use super::token::{Token, folded, tokens};
use super::vocabulary::{self, Meaning, Reading};
use super::{Days, MOST_WORDS};

/// Whether a sentence is about the past or the future, if its words leave that open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tense {
    /// "We arrived on Friday."
    Past,
    /// "We arrive on Friday."
    Coming,
}

/// The first date that `text`, said in `language` on the day `today`, states with certainty.
#[must_use]
pub fn date_in_talk(text: &str, language: &str, today: Date, tense: Tense) -> Option<EventDate> {
    let view = View::new(today, Purpose::Talk)?;
    let tokens: Vec<Token> = tokens(text).take(MOST_WORDS).collect();
    let readings = vocabulary::read(&tokens);
    let place = LANGUAGES.iter().position(|known| *known == language)?;
    match named(readings.get(place)?, view, tense) {
        Named::Date(date) => Some(last_of_two(date, text, language)),
        Named::Contradiction | Named::Vague => None,
        Named::Nothing => day_alone(text).and_then(|day| on_day(day, None, view, tense)),
    }
}

/// Spanish "cumple 15 el 21 de noviembre" is not a range from the 15th to the 21st: the number after the
/// article counts.
fn last_of_two(date: EventDate, text: &str, language: &str) -> EventDate {
    let first = date.first_day();
    let is_counted = |day: &Date| text.contains(&format!(" {} el {} de ", first.day(), day.day()));
    let meant = (first.day()..=first.days_in_month())
        .filter_map(|day| Date::new(first.year(), first.month(), day).ok())
        .find(|day| language == "es" && date.precision() == Precision::Day && is_counted(day));
    meant.map_or(date, |day| EventDate::new(day, Precision::Day))
}

/// The languages, in the order of their tables.
const LANGUAGES: [&str; vocabulary::LANGUAGES] = ["en", "de", "fr", "es", "ro"];

enum Named {
    Nothing,
    Date(EventDate),
    /// A time that is not a day, month or year: a holiday, a week.
    Vague,
    /// No near day has both this weekday and this number.
    Contradiction,
}

fn named(reading: &Reading, view: View, tense: Tense) -> Named {
    let numbered = weekday_and_day(reading, view, tense);
    if !matches!(numbered, Named::Nothing) {
        return numbered;
    }
    let mut is_vague = false;
    for mention in mentions(&reading.meanings, view) {
        is_vague = true;
        let first = reading.meanings.get(mention.place.start);
        let weekday = first.and_then(|meaning| weekday_of(*meaning)).filter(|_| mention.place.len() > 1);
        let runs: Vec<Days> = mention.runs.iter().copied().filter(|run| falls_on(*run, weekday)).collect();
        if runs.is_empty() && !mention.runs.is_empty() {
            return Named::Contradiction;
        }
        let is_weekday = mention.place.len() == 1 && first.copied().and_then(weekday_of).is_some();
        let words = reading.meanings.get(mention.place.clone()).unwrap_or_default();
        let is_numbered = words.iter().any(|word| day_of_month(word).is_some())
            && words.iter().any(|word| matches!(word, Meaning::Month(_)));
        let run = chosen(&runs, view, tense, is_weekday);
        // "From 13 to 24 July" begins on a day.
        let run = run.map(|run| if is_numbered { Days { last: run.first, ..run } } else { run });
        if let Some(date) = run.and_then(event_date) {
            return Named::Date(date);
        }
    }
    if is_vague { Named::Vague } else { Named::Nothing }
}

/// `Friday the 27th`, `Freitag, den 27.`, `viernes 27`.
fn weekday_and_day(reading: &Reading, view: View, tense: Tense) -> Named {
    for (at, pair) in reading.meanings.windows(2).enumerate() {
        let [weekday, day] = pair else { continue };
        let follows = reading.meanings.get(at + 2);
        let is_counted = matches!(follows, Some(Meaning::Month(_) | Meaning::Of | Meaning::Unit(_)));
        if let (Some(weekday), Some(day), false) = (weekday_of(*weekday), day_of_month(day), is_counted) {
            return on_day(day, Some(weekday), view, tense).map_or(Named::Contradiction, Named::Date);
        }
    }
    Named::Nothing
}

fn weekday_of(meaning: Meaning) -> Option<i8> {
    if meaning == Meaning::MondayOrMonths {
        return Some(0);
    }
    if let Meaning::Weekday(day) = meaning { Some(day) } else { None }
}

/// A day of a month with a weekday must fall on it; a longer range has no weekday.
fn falls_on(run: Days, weekday: Option<i8>) -> bool {
    let is_day = run.first == run.last;
    let own = date_of(run.first).map(|date| date.weekday().to_monday_zero_offset());
    !is_day || weekday.is_none_or(|weekday| own == Some(weekday))
}

/// How many months from now a day without its month may be.
const NEAR: RangeInclusive<i32> = 0..=2;

/// The nearest day with this number, and on this weekday if one was given.
fn on_day(day: i8, weekday: Option<i8>, view: View, tense: Tense) -> Option<EventDate> {
    let direction = match tense {
        Tense::Past => -1,
        Tense::Coming => 1,
    };
    let in_month = |step: i32| {
        let month = view.today.first_of_month().checked_add((step * direction).months()).ok()?;
        Date::new(month.year(), month.month(), day).ok()
    };
    let is_meant = |date: &Date| {
        let is_ahead = match tense {
            Tense::Past => *date <= view.today,
            Tense::Coming => *date >= view.today,
        };
        is_ahead && weekday.is_none_or(|weekday| date.weekday().to_monday_zero_offset() == weekday)
    };
    NEAR.filter_map(in_month).find(is_meant).map(|date| EventDate::new(date, Precision::Day))
}

/// Of several occurrences the one that fits the tense; a weekday never means today.
fn chosen(runs: &[Days], view: View, tense: Tense, is_weekday: bool) -> Option<Days> {
    if let [only] = runs {
        return Some(*only);
    }
    let apart = i32::from(is_weekday);
    match tense {
        Tense::Past => runs.iter().filter(|run| run.first + apart <= view.day).max_by_key(|run| run.first),
        Tense::Coming => runs.iter().filter(|run| run.last - apart >= view.day).min_by_key(|run| run.first),
    }
    .copied()
}

/// A range as a day, a month or a year; a week or a season is none of them.
fn event_date(run: Days) -> Option<EventDate> {
    let first = date_of(run.first)?;
    let precision = if run.first == run.last {
        Precision::Day
    } else if calendar::year(first.year()) == Some(run) {
        Precision::Year
    } else if calendar::month(first.year(), first.month()) == Some(run) || is_part_of_month(run, first) {
        Precision::Month
    } else {
        return None;
    };
    Some(EventDate::new(first, precision))
}

/// The beginning, the middle or the end of a month.
fn is_part_of_month(run: Days, first: Date) -> bool {
    let last = date_of(run.last);
    (THIRD_OF_MONTH).contains(&(run.last - run.first))
        && last.is_some_and(|last| last.month() == first.month())
}

const THIRD_OF_MONTH: RangeInclusive<i32> = 8..=10;

/// The number of a day on its own: `on the 3rd`, `am 3.`, `le 3`, `el 3`, `pe 3`.
fn day_alone(text: &str) -> Option<i8> {
    let pieces: Vec<&str> = text.split_whitespace().collect();
    pieces.windows(2).enumerate().find_map(|(at, pair)| {
        let [lead, number] = pair else { return None };
        let digits = number.trim_end_matches(|c: char| !c.is_ascii_digit());
        let ending = number.get(digits.len()..).unwrap_or_default();
        let day: i8 = digits.parse().ok().filter(|day| (1..=31).contains(day))?;
        let is_closed = ending.ends_with([',', '.', '!', '?', ';', ')', ':']);
        let follower = pieces.get(at + 2).map(|word| folded(word));
        let is_free = is_closed || follower.as_deref().is_none_or(|word| FOLLOWERS.contains(&word));
        let letters = ending.trim_end_matches([',', '.', '!', '?', ';', ')', ':']);
        let is_named = match folded(lead).as_str() {
            "the" => ["st", "nd", "rd", "th"].contains(&letters),
            "am" | "zum" | "vom" | "den" | "dem" => ending.starts_with('.'),
            "le" | "du" | "au" | "el" | "del" | "al" | "pe" => letters.is_empty() || letters == "er",
            _ => false,
        } || (ending == "." && follower.as_deref() == Some("bis"));
        (is_named && is_free).then_some(day)
    })
}

/// The words that may follow a day on its own; any other word may be the thing counted: `el 20 por ciento`.
#[rustfmt::skip]
const FOLLOWERS: [&str; 40] = [
    "at", "for", "and", "to", "until", "with", "in", "if", "but", "or", "um", "mit", "bis", "und", "ab", "nach", "oder", "wieder", "a",
    "pour", "avec", "et", "jusqu", "para", "con", "y", "hasta", "la", "cu", "si", "pentru", "pana", "then", "instead", "now", "because", "au", "al", "till", "jusqu’a",
];

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[track_caller]
    fn check(tense: Tense, cases: &[(&str, &str, Option<&str>)]) {
        // A Monday.
        let today = date(2026, 3, 2);
        for (language, text, expected) in cases {
            let found = date_in_talk(text, language, today, tense).map(|date| date.to_string());
            assert_eq!(found.as_deref(), *expected, "{text}");
        }
    }

    #[test]
    fn a_weekday_a_number_and_a_month_are_a_date_only_when_they_agree() {
        check(
            Tense::Coming,
            &[
                ("en", "We arrive on Friday the 27th.", Some("2026-03-27")),
                ("en", "We arrive on Friday the 26th.", None),
                ("en", "We arrive on Friday, 27 March.", Some("2026-03-27")),
                ("en", "We arrive on Friday, 26 March.", None),
                ("de", "Wir kommen Freitag, den 27.", Some("2026-03-27")),
                ("es", "Llegamos el viernes 27.", Some("2026-03-27")),
                ("fr", "Nous arrivons vendredi 27.", Some("2026-03-27")),
                ("ro", "Ajungem vineri, 27.", Some("2026-03-27")),
            ],
        );
    }

    #[test]
    fn days_relative_to_today_are_dates() {
        check(
            Tense::Coming,
            &[
                ("en", "My brother arrives on the 3rd.", Some("2026-03-03")),
                ("en", "My brother arrives on the 1st.", Some("2026-04-01")),
                ("en", "in two weeks we fly", Some("2026-03-16")),
                ("en", "I start next month", Some("2026-04")),
                ("en", "We leave tomorrow", Some("2026-03-03")),
                ("en", "see you on Thursday", Some("2026-03-05")),
                ("en", "the concert is in October", Some("2026-10")),
                ("de", "am 14. fahren wir", Some("2026-03-14")),
                ("de", "Am 14. April fahren wir", Some("2026-04-14")),
                ("fr", "Je pars le 14.", Some("2026-03-14")),
                ("ro", "Vin pe 14 cu fetele", Some("2026-03-14")),
                ("de", "Urlaub: 13. bis 24. Juli, Binz", Some("2026-07-13")),
                ("en", "we come 8 to 20 February", Some("2027-02-08")),
                ("de", "wir fahren jetzt vom 15. bis 24.", Some("2026-03-15")),
                ("es", "Mi hija cumple 15 el 21 de noviembre", Some("2026-11-21")),
                ("fr", "Noël : je vais chez mamie du 23 au 27", None),
                ("en", "We meet next week", None),
                ("es", "El 20 por ciento", None),
                ("en", "I have three dogs", None),
            ],
        );
        check(
            Tense::Past,
            &[
                ("en", "I moved here in October", Some("2025-10")),
                ("en", "we married in 2019", Some("2019")),
                ("en", "It happened on Thursday", Some("2026-02-26")),
                ("en", "Two weeks ago I fell", Some("2026-02-16")),
                ("en", "last March we were in Rome", Some("2025-03")),
            ],
        );
    }
}
