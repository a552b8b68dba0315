//! Phrases for days: a time, or a distance before, after or from it.

use std::ops::Range;

use super::Days;
use super::anchor::{Anchor, Parsed, Setting, anchor, prepositions};
use super::calendar::{self, Count, MOST_UNITS, Run, Unit, date_of};
use super::numeral::Numeral;
use super::recurring::View;
use super::vocabulary::Meaning;

/// The days one phrase mentions.
pub(super) struct Mention {
    /// Empty if it is a day that does not exist.
    pub(super) runs: Vec<Days>,
    /// It names a date, a month or a year, and isn't only relative to today.
    pub(super) is_dated: bool,
    /// It is unambiguous in every language.
    pub(super) is_unmistakable: bool,
    /// The range of words it was parsed from.
    pub(super) place: Range<usize>,
}

/// Every mention in `words`, in order.
pub(super) fn mentions(words: &[Meaning], view: View) -> Vec<Mention> {
    let (mut found, mut at, mut is_led) = (Vec::new(), 0, false);
    while let Some(rest @ [first, ..]) = words.get(at..) {
        let mention = phrase(rest, Setting { view, is_led, part: None });
        is_led = mention.is_none() && matches!(first, Meaning::In | Meaning::InOrAhead);
        let used = mention.as_ref().map_or(1, |(_, used)| *used);
        found.extend(mention.map(|(anchor, _)| Mention {
            runs: anchor.runs.iter().map(|run| run.days).collect(),
            is_dated: anchor.is_dated,
            is_unmistakable: used > 1 || matches!(first, Meaning::Month(_) | Meaning::Holiday(_)),
            place: at..at + used,
        }));
        at += used.max(1);
    }
    found
}

fn phrase(words: &[Meaning], setting: Setting) -> Parsed<Anchor> {
    let view = setting.view;
    weeks_from_day(words, view)
        .or_else(|| counted_from_today(words, view))
        .or_else(|| weekday_beside_anchor(words, view))
        .or_else(|| counted_from_anchor(words, view))
        .or_else(|| beside_anchor(words, view))
        .or_else(|| anchor(words, setting))
}

/// Weeks after a day: `Thursday week`, `a week on Monday`, `lundi en huit`, `heute in vierzehn Tagen`.
fn weeks_from_day(words: &[Meaning], view: View) -> Parsed<Anchor> {
    let (day, days, used) = if let Some(day) = day_ahead(words, view) {
        let (days, used) = days_later(words.get(1..)?)?;
        (day, days, 1 + used)
    } else {
        let (span, counted) = counted_unit(words)?;
        let rest = words.get(counted..)?;
        let skipped = usize::from(matches!(rest, [Meaning::In, ..]));
        let day = day_ahead(rest.get(skipped..)?, view)?;
        (day, in_days(span)?, counted + skipped + 1)
    };
    let day = day + days;
    Some((Anchor { runs: vec![Days { first: day, last: day }.into()], is_dated: false }, used))
}

/// Today, a day counted from it or the coming one of a weekday, from which weeks may be counted ahead.
fn day_ahead(words: &[Meaning], view: View) -> Option<i32> {
    match words {
        [Meaning::FromToday(first @ 0.., last), ..] if first == last => Some(view.day + first),
        [Meaning::Weekday(weekday), ..] => {
            let own = i32::from(view.today.weekday().to_monday_zero_offset());
            let ahead = (i32::from(*weekday) - own).rem_euclid(7);
            Some(view.day + if ahead == 0 { 7 } else { ahead })
        }
        _ => None,
    }
}

/// How many days later: `week`, `en huit`, `in vierzehn Tagen`.
fn days_later(words: &[Meaning]) -> Parsed<i32> {
    match words {
        [Meaning::Unit(Unit::Week), Meaning::WhichAfter(_), ..] => None,
        [Meaning::Unit(Unit::Week), ..] => Some((7, 1)),
        [Meaning::Unit(Unit::Fortnight), ..] => Some((14, 1)),
        [Meaning::WeeksLater(weeks), ..] => Some((7 * i32::from(*weeks), 1)),
        [Meaning::InOrAhead | Meaning::Ahead, rest @ ..] => {
            let (span, used) = counted_unit(rest)?;
            Some((in_days(span)?, 1 + used))
        }
        _ => None,
    }
}

/// An exact count of days or weeks in days.
fn in_days(Span { count, unit }: Span) -> Option<i32> {
    let length = match unit {
        Unit::Day => 1,
        Unit::Week => 7,
        Unit::Fortnight => 14,
        Unit::PartOfDay | Unit::Weekend | Unit::Month | Unit::HalfYear | Unit::Year => return None,
    };
    count.is_exact().then_some(count.most * length)
}

/// `the Saturday before Christmas`, `le lundi après Pâques`.
fn weekday_beside_anchor(words: &[Meaning], view: View) -> Parsed<Anchor> {
    let [Meaning::Weekday(weekday), rest @ ..] = words else { return None };
    let ((relation, anchor), used) = related(rest, view)?;
    if matches!(rest.get(1), Some(Meaning::FromToday(..))) {
        return None;
    }
    let run = |run: &Run| {
        let day = match relation {
            Relation::Before => run.core.unwrap_or(run.days.first) - 1,
            Relation::After => run.core.unwrap_or(run.days.last) + 1,
            Relation::Around => return None,
        };
        let own = i32::from(date_of(day)?.weekday().to_monday_zero_offset());
        let apart = i32::from(*weekday) - own;
        let day = match relation {
            Relation::Before => day - (-apart).rem_euclid(7),
            Relation::After | Relation::Around => day + apart.rem_euclid(7),
        };
        Some(Run::from(Days { first: day, last: day }))
    };
    let runs = anchor.runs.iter().filter_map(run).collect();
    Some((Anchor { runs, is_dated: anchor.is_dated }, 1 + used))
}

/// A count of a unit.
#[derive(Clone, Copy)]
struct Span {
    count: Count,
    unit: Unit,
}

/// `two weeks ago`, `vor drei Tagen`, `in a month`, `the last few days`.
fn counted_from_today(words: &[Meaning], view: View) -> Parsed<Anchor> {
    let (days, used) = before_count(words, view).or_else(|| after_count(words, view))?;
    Some((Anchor { runs: vec![days.into()], is_dated: false }, used))
}

/// The direction comes before the count: `vor drei Tagen`, `the next two weeks`.
fn before_count(words: &[Meaning], view: View) -> Parsed<Days> {
    let (first, rest) = words.split_first()?;
    if let Meaning::Which(step @ (-1 | 1)) | Meaning::WhichAfter(step @ (-1 | 1)) = first {
        let (span, used) = counted_unit(rest)?;
        return Some((until_today(span, i32::from(*step), view)?, 1 + used));
    }
    let direction = match words {
        [Meaning::Ago | Meaning::BeforeOrAgo, ..] => -1,
        [Meaning::Ahead | Meaning::InOrAhead, ..] => 1,
        _ => return None,
    };
    let skipped = approximations(rest);
    let (Span { count, unit }, used) = counted_unit(rest.get(skipped..)?)?;
    Some((view.away(count, unit, direction)?, 1 + skipped + used))
}

/// The direction comes after the count: `two weeks ago`, `ces deux dernières semaines`.
fn after_count(words: &[Meaning], view: View) -> Parsed<Days> {
    let (number, counted) = count(words)?;
    if let [Meaning::WhichAfter(step @ (-1 | 1)), Meaning::Unit(unit), ..] = words.get(counted..)? {
        return Some((
            until_today(Span { count: number, unit: *unit }, i32::from(*step), view)?,
            counted + 2,
        ));
    }
    let (Span { count, unit }, used) = counted_unit(words)?;
    let direction = match words.get(used..)? {
        [Meaning::AgoAfter, ..] => -1,
        [Meaning::AheadAfter, ..] => 1,
        _ => return None,
    };
    Some((view.away(count, unit, direction)?, used + 1))
}

/// All days of the last or next so many units.
fn until_today(Span { count, unit }: Span, direction: i32, view: View) -> Option<Days> {
    let far = calendar::away(view.today, Count::of(count.most), unit, direction)?;
    let middle = i32::midpoint(far.first, far.last);
    Some(Days { first: middle.min(view.day), last: middle.max(view.day) })
}

fn approximations(words: &[Meaning]) -> usize {
    let is_one = |word: &&Meaning| matches!(word, Meaning::Around | Meaning::In);
    words.iter().take(2).take_while(is_one).count()
}

/// `two weeks`, `2 or 3 days`.
fn counted_unit(words: &[Meaning]) -> Parsed<Span> {
    let (count, counted) = count(words)?;
    let rest = words.get(counted..)?;
    // Romanian has a preposition in between: `20 de zile`.
    let skipped = prepositions(rest).min(1);
    let unit = match rest.get(skipped..)? {
        [Meaning::Unit(unit), ..] => *unit,
        [Meaning::MondayOrMonths, ..] => Unit::Month,
        _ => return None,
    };
    Some((Span { count, unit }, counted + skipped + 1))
}

fn count(words: &[Meaning]) -> Parsed<Count> {
    let first = number(words.first()?)?;
    Some(match words {
        [_, Meaning::Link, second, ..]
            if number(second).is_some_and(|second| second.most >= first.fewest) =>
        {
            (Count { fewest: first.fewest, most: number(second)?.most }, 3)
        }
        // Spanish `unos tres` is about three.
        [_, second, ..] if !first.is_exact() && number(second).is_some() => (number(second)?, 2),
        _ => (first, 1),
    })
}

fn number(word: &Meaning) -> Option<Count> {
    if let Meaning::Numeral(Numeral::Number(number @ 1..=MOST_UNITS)) = word {
        return Some(Count::of(*number));
    }
    if let Meaning::Count(fewest, most) = *word { Some(Count { fewest, most }) } else { None }
}

/// Before, after or around a time.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    Before,
    After,
    Around,
}

fn relation(word: &Meaning) -> Option<Relation> {
    if matches!(word, Meaning::Before | Meaning::BeforeOrAgo) {
        return Some(Relation::Before);
    }
    if *word == Meaning::After {
        return Some(Relation::After);
    }
    (*word == Meaning::Around).then_some(Relation::Around)
}

/// A relation, and the time it relates to.
fn related(words: &[Meaning], view: View) -> Parsed<(Relation, Anchor)> {
    let relation = relation(words.first()?)?;
    let rest = words.get(1..)?;
    let skipped = prepositions(rest);
    let (anchor, used) = anchor(rest.get(skipped..)?, Setting { view, is_led: true, part: None })?;
    Some(((relation, anchor), 1 + skipped + used))
}

/// `two weeks before Easter`, `the day after Christmas`, `the week before last`.
fn counted_from_anchor(words: &[Meaning], view: View) -> Parsed<Anchor> {
    let (count, unit, counted) = match counted_unit(words) {
        Some((Span { count, unit }, used)) => (Some(count), unit, used),
        None => match words {
            [Meaning::Unit(unit), ..] => (None, *unit, 1),
            _ => return None,
        },
    };
    let rest = words.get(counted..)?;
    let Some(((relation, anchor), used)) = related(rest, view) else {
        let step = match rest {
            [Meaning::Before, Meaning::Which(-1), ..] => -2,
            [Meaning::After, Meaning::Which(1), ..] => 2,
            _ => return None,
        };
        let runs = vec![calendar::whole(unit, step, view.today)?.into()];
        return Some((Anchor { runs, is_dated: false }, counted + 2));
    };
    let runs = anchor.runs.iter().filter_map(|run| {
        let direction = match relation {
            Relation::Before => -1,
            Relation::After => 1,
            Relation::Around => return None,
        };
        let end = if direction < 0 { run.days.first } else { run.days.last };
        let base = run.core.unwrap_or(end);
        match count {
            Some(count) => calendar::away(date_of(base)?, count, unit, direction),
            None => next_to(base, unit, direction),
        }
    });
    let runs = runs.map(Run::from).collect();
    Some((Anchor { runs, is_dated: anchor.is_dated }, counted + used))
}

/// The unit that ends the day before `base`, or begins the day after it.
fn next_to(base: i32, unit: Unit, direction: i32) -> Option<Days> {
    let length = match unit {
        Unit::PartOfDay | Unit::Day => 1,
        Unit::Week => 7,
        Unit::Fortnight => 14,
        Unit::Month => 30,
        Unit::HalfYear => 183,
        Unit::Year => 365,
        Unit::Weekend => {
            let this = calendar::weekend(date_of(base)?, 0)?;
            let is_beside = if direction < 0 { this.last < base } else { this.first > base };
            let step = if is_beside { 0 } else { 7 * direction };
            return Some(Days { first: this.first + step, last: this.last + step });
        }
    };
    let (near, far) = (base + direction, base + direction * length);
    Some(Days { first: near.min(far), last: near.max(far) })
}

/// `before Christmas`, `just after Easter`, `around 8 May`.
fn beside_anchor(words: &[Meaning], view: View) -> Parsed<Anchor> {
    let shortly = usize::from(matches!(words, [Meaning::Shortly, ..]));
    let ((relation, anchor), used) = related(words.get(shortly..)?, view)?;
    let reach = if shortly > 0 { SHORTLY } else { BESIDE };
    let runs = anchor.runs.iter().map(|run| {
        let Days { first, last } = run.days;
        Run::from(match relation {
            Relation::Before => Days { first: first - reach, last: first },
            Relation::After => Days { first: last, last: last + reach },
            Relation::Around => Days { first: first - AROUND, last: last + AROUND },
        })
    });
    Some((Anchor { runs: runs.collect(), is_dated: anchor.is_dated }, shortly + used))
}

/// How many days `before` and `after` cover.
const BESIDE: i32 = 21;
/// How many days `shortly before` and `shortly after` cover.
const SHORTLY: i32 = 10;
/// How many days `around` covers on either side.
const AROUND: i32 = 5;
