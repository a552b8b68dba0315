//! Absolute times: a date, a month, a holiday, last week. Phrases such as "two weeks before …" are built on
//! them.

use jiff::ToSpan;
use jiff::civil::{Date, Weekday};

use super::Days;
use super::calendar::{self, Part, Run, Unit};
use super::numeral::Numeral;
use super::recurring::{Occurrence, Recurring, View};
use super::vocabulary::Meaning;

/// A time, and whether it is specific enough to count without further context.
pub(super) struct Anchor {
    pub(super) runs: Vec<Run>,
    pub(super) is_dated: bool,
}

/// The context in which a time is parsed.
#[derive(Clone, Copy)]
pub(super) struct Setting {
    pub(super) view: View,
    /// It follows a preposition of time.
    pub(super) is_led: bool,
    /// Only a part of it is meant.
    pub(super) part: Option<Part>,
}

/// A parsed value, and the number of words it consists of.
pub(super) type Parsed<T> = Option<(T, usize)>;

/// Parses the time at the beginning of `words`.
pub(super) fn anchor(words: &[Meaning], setting: Setting) -> Parsed<Anchor> {
    if let [Meaning::Part(part), rest @ ..] = words {
        let skipped = prepositions(rest);
        let setting = Setting { is_led: true, part: Some(*part), ..setting };
        let (anchor, used) = whole_or_part(rest.get(skipped..)?, setting)?;
        return Some((anchor, 1 + skipped + used));
    }
    whole_or_part(words, setting)
}

/// The number of prepositions at the beginning of `words`.
pub(super) fn prepositions(words: &[Meaning]) -> usize {
    let is_one = |word: &&Meaning| matches!(word, Meaning::In | Meaning::InOrAhead | Meaning::Of);
    words.iter().take(MOST_PREPOSITIONS).take_while(is_one).count()
}

const MOST_PREPOSITIONS: usize = 3;

fn whole_or_part(words: &[Meaning], setting: Setting) -> Parsed<Anchor> {
    from_today(words, setting.view)
        .or_else(|| exact(words))
        .map(|(days, is_dated, used)| (Anchor { is_dated, ..of_days(days, setting.part) }, used))
        .or_else(|| day_of_step_month(words, setting))
        .or_else(|| nth_weekday(words, setting))
        .or_else(|| year_then_recurring(words, setting))
        .or_else(|| recurring(words, setting))
        .or_else(|| whole_unit(words, setting))
        .or_else(|| whole_year(words, setting))
}

/// These days or a part of them, named without a year.
fn of_days(days: Option<Days>, part: Option<Part>) -> Anchor {
    let days = days.map(|days| part.map_or(days, |part| days.part(part)));
    Anchor { runs: days.map(Run::from).into_iter().collect(), is_dated: false }
}

/// `yesterday`, `tomorrow evening`.
fn from_today(words: &[Meaning], view: View) -> Option<(Option<Days>, bool, usize)> {
    let [Meaning::FromToday(first, last), rest @ ..] = words else { return None };
    let part_of_day = matches!(rest, [Meaning::Unit(Unit::PartOfDay), ..]);
    Some((Some(view.days_from_today(*first, *last)), false, 1 + usize::from(part_of_day)))
}

/// A date or month in numbers, with its year.
fn exact(words: &[Meaning]) -> Option<(Option<Days>, bool, usize)> {
    let weekday = usize::from(matches!(words, [Meaning::Weekday(_) | Meaning::MondayOrMonths, ..]));
    let days = match words.get(weekday..)? {
        [Meaning::Numeral(Numeral::Date(date)), ..] => Days::of(Some(*date), Some(*date)),
        [Meaning::Numeral(Numeral::Month { year, month }), ..] => calendar::month(*year, *month),
        _ => return None,
    };
    Some((days, true, weekday + 1))
}

/// `last year in May`, `2023, at Easter`.
fn year_then_recurring(words: &[Meaning], Setting { view, part, .. }: Setting) -> Parsed<Anchor> {
    let (year, used) = year(words, view)?;
    let rest = words.get(used..)?;
    let skipped = prepositions(rest);
    let (thing, length) = recurring_thing(rest.get(skipped..)?)?;
    if thing.is_weekly() || matches!(thing, Recurring::Unit(_)) {
        return None;
    }
    let runs = thing.runs(Occurrence::Year(year), part, view);
    Some((Anchor { runs, is_dated: true }, used + skipped + length))
}

/// `last April`, `avril dernier`, `8 May 2023`, `Friday next week`.
fn recurring(words: &[Meaning], Setting { view, is_led, part }: Setting) -> Parsed<Anchor> {
    let (step, before) = match words {
        // "This coming Friday".
        [Meaning::Which(0), Meaning::Which(step) | Meaning::WhichAfter(step), ..] => (Some(*step), 2),
        [Meaning::Which(step) | Meaning::WhichAfter(step), ..] => (Some(*step), 1),
        _ => (None, 0),
    };
    let rest = words.get(before..)?;
    let (thing, used) = match rest {
        [Meaning::Numeral(Numeral::DayMonth { day, month }), ..] if is_led => {
            (Recurring::Dates { month: *month, first: *day, last: *day }, 1)
        }
        _ => recurring_thing(rest)?,
    };
    let (which, after) = match step {
        Some(step) => (Occurrence::Step(step), 0),
        None => which_after(thing, rest.get(used..)?, view),
    };
    let is_dated = match thing {
        Recurring::Dates { .. } => true,
        Recurring::Month(_) => is_led || part.is_some() || which != Occurrence::Open,
        Recurring::Season(_) | Recurring::Holiday(_) => which != Occurrence::Open,
        Recurring::Weekday(_) | Recurring::Unit(_) => false,
    };
    Some((Anchor { runs: thing.runs(which, part, view), is_dated }, before + used + after))
}

/// Parses which occurrence of `thing` is meant, from the words after it.
fn which_after(thing: Recurring, words: &[Meaning], view: View) -> (Occurrence, usize) {
    let named = if thing.is_weekly() {
        step_of(Unit::Week, words).map(|(step, used)| (Occurrence::Week(step), used))
    } else {
        year(words, view).map(|(year, used)| (Occurrence::Year(year), used))
    };
    named.unwrap_or(match words {
        [Meaning::WhichAfter(step), ..] => (Occurrence::Step(*step), 1),
        _ => (Occurrence::Open, 0),
    })
}

/// Parses something that recurs every year or every week.
fn recurring_thing(words: &[Meaning]) -> Parsed<Recurring> {
    if let Some(found) = dates_of_month(words) {
        return Some(found);
    }
    Some(match words {
        [Meaning::Weekday(_) | Meaning::MondayOrMonths, rest @ ..] if dates_of_month(rest).is_some() => {
            dates_of_month(rest).map(|(dates, used)| (dates, used + 1))?
        }
        [Meaning::Unit(Unit::Month), Meaning::Of, Meaning::Month(month), ..] => (Recurring::Month(*month), 3),
        [Meaning::Unit(Unit::Month), Meaning::Month(month), ..] => (Recurring::Month(*month), 2),
        [Meaning::Month(month), ..] => (Recurring::Month(*month), 1),
        [Meaning::Season(season), ..] => (Recurring::Season(*season), 1),
        [Meaning::Holiday(holiday), ..] => (Recurring::Holiday(*holiday), 1),
        [Meaning::Weekday(weekday), ..] => (Recurring::Weekday(*weekday), 1),
        [Meaning::MondayOrMonths, ..] => (Recurring::Weekday(0), 1),
        [Meaning::Unit(Unit::Weekend), ..] => (Recurring::Unit(Unit::Weekend), 1),
        _ => return None,
    })
}

/// `8 May`, `the 8th of May`, `3 to 8 May`, `May 8`, `May 3–8`.
fn dates_of_month(words: &[Meaning]) -> Parsed<Recurring> {
    if let [Meaning::Month(month), rest @ ..] = words {
        let (first, last, used) = days_of_month(rest)?;
        return Some((Recurring::Dates { month: *month, first, last }, 1 + used));
    }
    let (first, last, used) = days_of_month(words)?;
    let (month, more) = match words.get(used..)? {
        [Meaning::Month(month), ..] => (*month, 1),
        [Meaning::Of, Meaning::Month(month), ..] => (*month, 2),
        _ => return None,
    };
    Some((Recurring::Dates { month, first, last }, used + more))
}

/// One or several days of a month, and the number of words.
fn days_of_month(words: &[Meaning]) -> Option<(i8, i8, usize)> {
    let first = day_of_month(words.first()?)?;
    match words {
        [_, Meaning::Link | Meaning::In, last, ..] if day_of_month(last).is_some_and(|last| last > first) => {
            Some((first, day_of_month(last)?, 3))
        }
        _ => Some((first, first, 1)),
    }
}

pub(super) fn day_of_month(word: &Meaning) -> Option<i8> {
    if let Meaning::Numeral(Numeral::Number(number @ 1..=31)) = word {
        return i8::try_from(*number).ok();
    }
    if let Meaning::DayOfMonth(day) = word { Some(*day) } else { None }
}

/// `last week`, `le mois prochain`; and, after a word for a part, also the bare unit: `the end of the
/// year`.
fn whole_unit(words: &[Meaning], Setting { view, part, .. }: Setting) -> Parsed<Anchor> {
    if let Some((step, unit, used)) = step_and_unit(words) {
        let days = calendar::whole(unit, i32::from(step), view.today)?;
        return Some((of_days(Some(days), part), used));
    }
    match (part, words) {
        (Some(_), [Meaning::Unit(unit @ (Unit::Week | Unit::Month | Unit::Year)), ..]) => {
            let runs = Recurring::Unit(*unit).runs(Occurrence::Open, part, view);
            Some((Anchor { runs, is_dated: false }, 1))
        }
        _ => None,
    }
}

/// `the 8th of next month`, `el 5 del mes que viene`.
fn day_of_step_month(words: &[Meaning], Setting { view, .. }: Setting) -> Parsed<Anchor> {
    let day = day_of_month(words.first()?)?;
    let (step, used) = step_of(Unit::Month, words.get(1..)?)?;
    let month = view.today.first_of_month().checked_add(i64::from(step).months()).ok()?;
    let date = Date::new(month.year(), month.month(), day).ok();
    Some((of_days(Days::of(date, date), None), 1 + used))
}

/// `the last Friday of October`, `der erste Montag im nächsten Monat`.
fn nth_weekday(words: &[Meaning], Setting { view, .. }: Setting) -> Parsed<Anchor> {
    let (nth, weekday) = match words {
        [Meaning::Which(-1) | Meaning::WhichAfter(-1), Meaning::Weekday(weekday), ..] => (-1, weekday),
        [Meaning::DayOfMonth(nth @ 1..=4), Meaning::Weekday(weekday), ..] => (*nth, weekday),
        _ => return None,
    };
    let rest = words.get(2..)?;
    let skipped = prepositions(rest);
    let in_month = |days: Days| {
        let first = calendar::date_of(days.first)?;
        let day = first.nth_weekday_of_month(nth, Weekday::from_monday_zero_offset(*weekday).ok()?).ok();
        Days::of(day, day).map(Run::from)
    };
    if let Some((step, used)) = step_of(Unit::Month, rest) {
        let month = calendar::whole(Unit::Month, i32::from(step), view.today)?;
        return Some((Anchor { runs: in_month(month).into_iter().collect(), is_dated: false }, 2 + used));
    }
    let [Meaning::Month(month), after @ ..] = rest.get(skipped..)? else { return None };
    let month = Recurring::Month(*month);
    let (which, more) = which_after(month, after, view);
    let runs = month.runs(which, None, view).into_iter().filter_map(|run| in_month(run.days)).collect();
    Some((Anchor { runs, is_dated: true }, 3 + skipped + more))
}

fn step_and_unit(words: &[Meaning]) -> Option<(i8, Unit, usize)> {
    match words {
        [Meaning::StepYear(step), ..] => Some((*step, Unit::Year, 1)),
        [Meaning::Which(step) | Meaning::WhichAfter(step), Meaning::Unit(unit), ..]
        | [Meaning::Unit(unit), Meaning::WhichAfter(step), ..] => Some((*step, *unit, 2)),
        _ => None,
    }
}

/// A preposition, and `last week` or the like with this unit.
fn step_of(wanted: Unit, words: &[Meaning]) -> Parsed<i8> {
    let skipped = prepositions(words);
    let (step, unit, used) = step_and_unit(words.get(skipped..)?)?;
    (unit == wanted).then_some((step, skipped + used))
}

/// `2023`, `of the year 2023`, `last year`.
fn year(words: &[Meaning], view: View) -> Parsed<i16> {
    if let Some((step, used)) = step_of(Unit::Year, words) {
        return Some((view.today.year().checked_add(step.into())?, used));
    }
    let skipped = prepositions(words);
    match words.get(skipped..)? {
        [Meaning::Numeral(Numeral::Year(year)), ..] => Some((*year, skipped + 1)),
        [Meaning::Unit(Unit::Year), Meaning::Numeral(Numeral::Year(year)), ..] => Some((*year, skipped + 2)),
        _ => None,
    }
}

/// A year, if a word before it marks it as one: `in 2023` is a year, room 2023 is not.
fn whole_year(words: &[Meaning], Setting { view, is_led, part }: Setting) -> Parsed<Anchor> {
    if !is_led && !matches!(words, [Meaning::Unit(Unit::Year), ..]) {
        return None;
    }
    let (year, used) = year(words, view)?;
    Some((Anchor { is_dated: true, ..of_days(calendar::year(year), part) }, used))
}
