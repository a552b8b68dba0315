//! Whether the date a model gives for something was said: a day is believed only if its number, its month or its place
//! relative to today stand in the words.

use domain::EventDate;
use domain::event_date::Precision;
use jiff::Span;
use jiff::civil::Date;

use crate::cue::Cue;
use crate::sentence::Sentence;

/// How far from today a weekday may lie.
const WEEK: i32 = 7;

/// Whether `sentence`, said on `today`, says this date.
pub(super) fn is_said(date: EventDate, sentence: &Sentence<'_>, today: Date) -> bool {
    let day = date.first_day();
    let has = |cue: Cue| sentence.hits.iter().any(|hit| hit.cue == cue);
    let has_number = |number: i32| {
        let written = number.to_string();
        sentence.words.iter().any(|word| word.folded.trim_end_matches(|c: char| c.is_alphabetic()) == written)
    };
    let has_month = || has(Cue::Month(day.month())) || sentence.text.contains(&date.to_string());
    let year_fits =
        day.year() == today.year() || day.year() == today.year() + 1 || has_number(day.year().into());
    match date.precision() {
        Precision::Year => has_number(day.year().into()),
        Precision::Month => has_month() && year_fits,
        Precision::Day => {
            let is_named = has_month()
                && year_fits
                && (has_number(day.day().into()) || sentence.text.contains(&date.to_string()));
            is_named || is_relative(day, today, &has)
        }
    }
}

fn is_relative(day: Date, today: Date, has: &impl Fn(Cue) -> bool) -> bool {
    let after = |days: i64| today.checked_add(Span::new().days(days)).ok() == Some(day);
    let distance = today.until(day).map_or(i32::MAX, |span| span.get_days().abs());
    (has(Cue::Today) && after(0))
        || (has(Cue::Tomorrow) && after(1))
        || (has(Cue::Overmorrow) && after(2))
        || (has(Cue::Yesterday) && after(-1))
        || (has(Cue::Weekday(day.weekday().to_monday_one_offset())) && distance <= WEEK)
}
