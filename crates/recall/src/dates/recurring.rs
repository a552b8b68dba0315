//! Recurring times (every year or every week), and which of their occurrences a text means.

use jiff::ToSpan;
use jiff::civil::Date;

use super::Days;
use super::calendar::{self, Count, Part, Run, Season, Unit, day_number};
use super::holiday::Holiday;

/// The reference day of a text, and the purpose of reading it.
#[derive(Clone, Copy)]
pub(super) struct View {
    pub(super) today: Date,
    pub(super) day: i32,
    pub(super) purpose: Purpose,
}

/// The kind of text that is searched for dates.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// A cue is about the past, or about plans.
    Cue,
    /// A memory is about something near the day it was formed, before or after.
    Memory,
    /// A statement about when something was or will be.
    Talk,
}

/// A recurring time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Recurring {
    Dates { month: i8, first: i8, last: i8 },
    Month(i8),
    Season(Season),
    Holiday(Holiday),
    Weekday(i8),
    Unit(Unit),
}

/// Which occurrence is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Occurrence {
    /// The text doesn't say.
    Open,
    /// Last (-1), this (0), next (1), and so on.
    Step(i8),
    Year(i16),
    /// That many weeks after this one.
    Week(i8),
}

/// A plan farther ahead is stated with its year.
const FARTHEST_PLAN: i32 = 300;
/// How far from the day it was formed a memory mentions a date without its year.
const FARTHEST_IN_MEMORY: i32 = 200;

impl View {
    pub(super) fn new(today: Date, purpose: Purpose) -> Option<Self> {
        Some(Self { today, day: day_number(today)?, purpose })
    }

    /// The days so many units from today; a statement means the exact day, month or year, and a cue an
    /// approximate one.
    pub(super) fn away(self, count: Count, unit: Unit, direction: i32) -> Option<Days> {
        match self.purpose {
            Purpose::Cue | Purpose::Memory => calendar::away(self.today, count, unit, direction),
            Purpose::Talk => calendar::exactly(self.today, count, unit, direction),
        }
    }

    /// A range counted from today.
    pub(super) const fn days_from_today(self, first: i32, last: i32) -> Days {
        Days { first: self.day + first, last: self.day + last }
    }
}

impl Recurring {
    pub(super) const fn is_weekly(self) -> bool {
        match self {
            Self::Weekday(_) | Self::Unit(Unit::Weekend) => true,
            Self::Dates { .. } | Self::Month(_) | Self::Season(_) | Self::Holiday(_) | Self::Unit(_) => false,
        }
    }

    /// The occurrences that are meant, or a part of each.
    pub(super) fn runs(self, which: Occurrence, part: Option<Part>, view: View) -> Vec<Run> {
        let twin = match self {
            // A statement in Romanian means the Orthodox one.
            Self::Holiday(holiday) if view.purpose != Purpose::Talk => {
                holiday.western_twin().map(Self::Holiday)
            }
            Self::Holiday(_)
            | Self::Dates { .. }
            | Self::Month(_)
            | Self::Season(_)
            | Self::Weekday(_)
            | Self::Unit(_) => None,
        };
        let mut found = Vec::new();
        for one in std::iter::once(self).chain(twin) {
            for run in one.chosen(which, part, view) {
                if !found.contains(&run) {
                    found.push(run);
                }
            }
        }
        found
    }

    fn chosen(self, which: Occurrence, part: Option<Part>, view: View) -> Vec<Run> {
        let with_part = |run: Run| part.map_or(run, |part| Run::from(run.days.part(part)));
        let near = |steps: std::ops::RangeInclusive<i16>| -> Vec<Run> {
            steps.filter_map(|step| self.occurrence(step, view)).map(with_part).collect()
        };
        match which {
            Occurrence::Year(year) => {
                let step = year.saturating_sub(view.today.year());
                // A winter belongs to both of the years it is in.
                let first = if self == Self::Season(Season::Winter) { step.saturating_sub(1) } else { step };
                near(first..=step)
            }
            Occurrence::Week(step) => near(i16::from(step)..=i16::from(step)),
            Occurrence::Step(0) => {
                let step = i16::from(self.this_is_in_last_year(view));
                near(-step..=-step)
            }
            Occurrence::Step(step) => {
                let mut runs = stepped(&near(-MOST_STEPS..=MOST_STEPS), step, view);
                // Some say "next Friday" for the coming one, others for the one in the next week.
                if self.is_weekly() && step == 1 {
                    runs.extend(near(1..=1));
                }
                runs
            }
            // "The beginning of the year" is that of this year, or one in the past.
            Occurrence::Open if matches!(self, Self::Unit(_)) && !self.is_weekly() => {
                open(&near(-MOST_STEPS..=0), view)
            }
            Occurrence::Open => open(&near(-MOST_STEPS..=MOST_STEPS), view),
        }
    }

    /// In spring "this winter" is the one that began last year.
    fn this_is_in_last_year(self, view: View) -> bool {
        let in_december = match self {
            Self::Season(season) => season == Season::Winter,
            Self::Holiday(_) => {
                let this_year = self.occurrence(0, view).and_then(|run| calendar::date_of(run.days.first));
                this_year.is_some_and(|first| first.month() == 12)
            }
            Self::Dates { month, .. } | Self::Month(month) => month == 12,
            Self::Weekday(_) | Self::Unit(_) => false,
        };
        in_december && view.today.month() <= 4
    }

    /// The one that is `step` years, or weeks, after this one.
    fn occurrence(self, step: i16, view: View) -> Option<Run> {
        let year = view.today.year().checked_add(step)?;
        let days = match self {
            Self::Dates { month, first, last } => {
                Days::of(Date::new(year, month, first).ok(), Date::new(year, month, last).ok())?
            }
            Self::Month(month) => calendar::month(year, month)?,
            Self::Season(season) => season.beginning_in(year)?,
            Self::Holiday(holiday) => return holiday.in_year(year),
            Self::Weekday(weekday) => {
                let week = calendar::week(view.today.checked_add(i64::from(step).weeks()).ok()?)?;
                Days { first: week.first + i32::from(weekday), last: week.first + i32::from(weekday) }
            }
            Self::Unit(Unit::Week) => calendar::week(view.today.checked_add(i64::from(step).weeks()).ok()?)?,
            Self::Unit(unit) => calendar::whole(unit, i32::from(step), view.today)?,
        };
        Some(days.into())
    }
}

/// Enough to find 29 February.
const MOST_STEPS: i16 = 4;

/// The last ones before today, or the next ones after it.
fn stepped(runs: &[Run], step: i8, view: View) -> Vec<Run> {
    let skipped = usize::from(step.unsigned_abs()).saturating_sub(1);
    let run = if step < 0 {
        runs.iter().rev().filter(|run| run.days.last < view.day).nth(skipped)
    } else {
        runs.iter().filter(|run| run.days.first > view.day).nth(skipped)
    };
    run.copied().into_iter().collect()
}

/// The latest occurrence, and the next one if it may be meant.
fn open(runs: &[Run], view: View) -> Vec<Run> {
    let latest = runs.iter().rev().find(|run| run.days.first <= view.day);
    let next = runs.iter().find(|run| run.days.first > view.day);
    let is_near =
        |run: &&Run, limit: i32| run.days.first - view.day <= limit && view.day - run.days.last <= limit;
    match view.purpose {
        Purpose::Cue => {
            latest.into_iter().chain(next.filter(|run| is_near(run, FARTHEST_PLAN))).copied().collect()
        }
        Purpose::Talk => latest.into_iter().chain(next).copied().collect(),
        Purpose::Memory => {
            latest.into_iter().chain(next).filter(|run| is_near(run, FARTHEST_IN_MEMORY)).copied().collect()
        }
    }
}
