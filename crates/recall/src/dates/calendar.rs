//! Calendar arithmetic: days as numbers, whole months, seasons and years, and steps of a unit.

use jiff::civil::{Date, date};
use jiff::{Span, ToSpan};

use super::Days;

/// One occurrence of something that a cue mentions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) days: Days,
    /// The day from which weeks before and after are counted, if it isn't an end of the range: two weeks
    /// before Easter are counted from Easter Sunday.
    pub(super) core: Option<i32>,
}

/// The first, middle or last third of a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Early,
    Middle,
    Late,
}

/// The seasons of the northern hemisphere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Season {
    Spring,
    Summer,
    Autumn,
    Winter,
}

/// A unit of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// A morning, an evening, a night.
    PartOfDay,
    Day,
    Week,
    Weekend,
    Fortnight,
    Month,
    HalfYear,
    Year,
}

impl Days {
    pub(super) fn of(first: Option<Date>, last: Option<Date>) -> Option<Self> {
        Some(Self { first: day_number(first?)?, last: day_number(last?)? })
    }

    pub(super) fn part(self, part: Part) -> Self {
        let third = (self.last - self.first + 1) / 3;
        match part {
            Part::Early => Self { first: self.first, last: self.first + (third - 1).max(0) },
            Part::Middle => Self { first: self.first + third, last: self.last - third },
            Part::Late => Self { first: self.last - (third - 1).max(0), last: self.last },
        }
    }
}

impl From<Days> for Run {
    fn from(days: Days) -> Self {
        Self { days, core: None }
    }
}

impl Season {
    /// The season that begins in `year`.
    pub(super) fn beginning_in(self, year: i16) -> Option<Days> {
        let (month, next_year) = match self {
            Self::Spring => (3, 0),
            Self::Summer => (6, 0),
            Self::Autumn => (9, 0),
            Self::Winter => (12, 1),
        };
        let last_month = Date::new(year.checked_add(next_year)?, (month + 1) % 12 + 1, 1).ok();
        Days::of(Date::new(year, month, 1).ok(), last_month.map(Date::last_of_month))
    }
}

impl Unit {
    /// This many of the unit.
    fn span(self, count: i32) -> Span {
        let count = i64::from(count.clamp(-MOST_UNITS, MOST_UNITS));
        match self {
            Self::PartOfDay | Self::Day => count.days(),
            Self::Week | Self::Weekend => count.weeks(),
            Self::Fortnight => (2 * count).weeks(),
            Self::Month => count.months(),
            Self::HalfYear => (6 * count).months(),
            Self::Year => count.years(),
        }
    }

    /// How many days of tolerance a phrase with `count` units has.
    const fn slack(self, count: i32) -> i32 {
        match self {
            Self::PartOfDay | Self::Day => match count {
                ..5 => 0,
                5..11 => 1,
                11.. => count / 7,
            },
            Self::Week | Self::Weekend => 3 + count / 4,
            Self::Fortnight => 4,
            Self::Month => 12 + count,
            Self::HalfYear => 30,
            Self::Year => 90,
        }
    }
}

/// No count in a cue is larger; it also keeps every step within the range of the calendar.
pub(super) const MOST_UNITS: i32 = 999;

/// The lowest and the highest number meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Count {
    pub(super) fewest: i32,
    pub(super) most: i32,
}

impl Count {
    pub(super) const fn of(number: i32) -> Self {
        Self { fewest: number, most: number }
    }

    pub(super) const fn is_exact(self) -> bool {
        self.fewest == self.most
    }
}

/// So many units away from `base`: back if `direction` is -1, ahead if it is 1.
pub(super) fn away(base: Date, count: Count, unit: Unit, direction: i32) -> Option<Days> {
    let Count { fewest, most } = count;
    let at = |count: i32| base.checked_add(unit.span(direction * count)).ok();
    if unit == Unit::Weekend {
        return weekend(base, direction * fewest);
    }
    let slack = if count.is_exact() { unit.slack(most) } else { 0 };
    let (near, far) = (day_number(at(fewest)?)?, day_number(at(most)?)?);
    Some(Days { first: near.min(far) - slack, last: near.max(far) + slack })
}

/// The day, month or year that is so many units away from `base`; the days between if the count is vague.
pub(super) fn exactly(base: Date, count: Count, unit: Unit, direction: i32) -> Option<Days> {
    let then = base.checked_add(unit.span(direction * count.most)).ok()?;
    if !count.is_exact() {
        return away(base, count, unit, direction);
    }
    match unit {
        Unit::PartOfDay | Unit::Day | Unit::Week | Unit::Fortnight => Days::of(Some(then), Some(then)),
        Unit::Weekend => weekend(base, direction * count.fewest),
        Unit::Month | Unit::HalfYear => month(then.year(), then.month()),
        Unit::Year => year(then.year()),
    }
}

/// The whole unit that is `step` units after the one `today` is in.
pub(super) fn whole(unit: Unit, step: i32, today: Date) -> Option<Days> {
    let then = today.checked_add(unit.span(step)).ok()?;
    let number = day_number(today)?;
    Some(match unit {
        // The night between yesterday and today.
        Unit::PartOfDay if step == -1 => Days { first: number - 1, last: number },
        Unit::PartOfDay if step == 0 => Days { first: number, last: number },
        // "These last days" are several.
        Unit::Day if step == -1 => Days { first: number - 7, last: number - 1 },
        Unit::PartOfDay | Unit::Day => return None,
        // "Last week" on a Friday may mean any of the days since the week before.
        Unit::Week if step == -1 => Days { first: number - 14, last: number - 1 },
        Unit::Week => week(then)?,
        Unit::Fortnight => Days { first: week(then)?.first, last: week(then)?.last + 7 },
        Unit::Weekend => weekend(today, step)?,
        Unit::Month => month(then.year(), then.month())?,
        Unit::HalfYear if step < 0 => Days::of(Some(then), Some(today))?,
        Unit::HalfYear => Days::of(Some(today), Some(then))?,
        Unit::Year => year(then.year())?,
    })
}

/// Monday to Sunday.
pub(super) fn week(day: Date) -> Option<Days> {
    let first = day_number(day)? - i32::from(day.weekday().to_monday_zero_offset());
    Some(Days { first, last: first + 6 })
}

/// Saturday and Sunday of the week that is `step` weeks after that of `day`.
pub(super) fn weekend(day: Date, step: i32) -> Option<Days> {
    let week = week(day)?;
    let step = 7 * step.clamp(-MOST_UNITS, MOST_UNITS);
    Some(Days { first: week.first + 5 + step, last: week.last + step })
}

pub(super) fn month(year: i16, month: i8) -> Option<Days> {
    let first = Date::new(year, month, 1).ok()?;
    Days::of(Some(first), Some(first.last_of_month()))
}

pub(super) fn year(year: i16) -> Option<Days> {
    Days::of(Date::new(year, 1, 1).ok(), Date::new(year, 12, 31).ok())
}

/// Days since 1970.
pub(super) fn day_number(day: Date) -> Option<i32> {
    Some(date(1970, 1, 1).until(day).ok()?.get_days())
}

/// The date of a day number.
pub(super) fn date_of(number: i32) -> Option<Date> {
    date(1970, 1, 1).checked_add(i64::from(number).days()).ok()
}
