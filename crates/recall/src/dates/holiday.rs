//! Holidays, fixed or counted from Easter.

use jiff::ToSpan;
use jiff::civil::{Date, Weekday};

use super::Days;
use super::calendar::{Run, day_number};

/// A holiday and the days around its main day that count as part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Holiday {
    rule: Rule,
    days_before: i32,
    days_after: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    Fixed {
        month: i8,
        day: i8,
    },
    /// Days after Easter Sunday of the Western churches.
    Western(i32),
    /// Days after Easter Sunday of the Orthodox churches.
    Orthodox(i32),
    /// The fourth Thursday of November.
    Thanksgiving,
}

pub(super) const CARNIVAL: Holiday = western(-47).with(5, 1);
pub(super) const ROSE_MONDAY: Holiday = western(-48);
pub(super) const ASH_WEDNESDAY: Holiday = western(-46);
pub(super) const HOLY_WEEK: Holiday = western(0).with(7, 0);
pub(super) const GOOD_FRIDAY: Holiday = western(-2);
pub(super) const EASTER: Holiday = western(0).with(2, 1);
pub(super) const EASTER_SUNDAY: Holiday = western(0);
pub(super) const EASTER_MONDAY: Holiday = western(1);
pub(super) const ASCENSION: Holiday = western(39);
pub(super) const PENTECOST: Holiday = western(49).with(1, 1);
pub(super) const WHIT_MONDAY: Holiday = western(50);
pub(super) const ORTHODOX_GOOD_FRIDAY: Holiday = western(-2).orthodox();
pub(super) const ORTHODOX_EASTER: Holiday = EASTER.orthodox();
pub(super) const ORTHODOX_EASTER_SUNDAY: Holiday = EASTER_SUNDAY.orthodox();
pub(super) const ORTHODOX_PENTECOST: Holiday = PENTECOST.orthodox();
pub(super) const NEW_YEAR: Holiday = fixed(1, 1).with(2, 1);
pub(super) const EPIPHANY: Holiday = fixed(1, 6);
pub(super) const VALENTINE: Holiday = fixed(2, 14);
pub(super) const HALLOWEEN: Holiday = fixed(10, 31);
pub(super) const ALL_SAINTS: Holiday = fixed(11, 1);
pub(super) const THANKSGIVING: Holiday = Holiday { rule: Rule::Thanksgiving, days_before: 0, days_after: 3 };
pub(super) const SAINT_NICHOLAS: Holiday = fixed(12, 6);
pub(super) const ADVENT: Holiday = fixed(12, 1).with(2, 22);
pub(super) const CHRISTMAS_EVE: Holiday = fixed(12, 24);
pub(super) const CHRISTMAS: Holiday = fixed(12, 25).with(1, 1);
pub(super) const BOXING_DAY: Holiday = fixed(12, 26);
pub(super) const NEW_YEARS_EVE: Holiday = fixed(12, 31);

const fn fixed(month: i8, day: i8) -> Holiday {
    Holiday { rule: Rule::Fixed { month, day }, days_before: 0, days_after: 0 }
}

const fn western(days_after_easter: i32) -> Holiday {
    Holiday { rule: Rule::Western(days_after_easter), days_before: 0, days_after: 0 }
}

impl Holiday {
    const fn with(self, days_before: i32, days_after: i32) -> Self {
        Self { days_before, days_after, ..self }
    }

    const fn orthodox(self) -> Self {
        match self.rule {
            Rule::Western(days) => Self { rule: Rule::Orthodox(days), ..self },
            Rule::Fixed { .. } | Rule::Orthodox(_) | Rule::Thanksgiving => self,
        }
    }

    /// The same holiday of the Western churches, if this one is Orthodox. Where both are celebrated, only
    /// the speaker knows which is meant.
    pub(super) const fn western_twin(self) -> Option<Self> {
        match self.rule {
            Rule::Orthodox(days) => Some(Self { rule: Rule::Western(days), ..self }),
            Rule::Fixed { .. } | Rule::Western(_) | Rule::Thanksgiving => None,
        }
    }

    /// Its days in the year of its main day.
    pub(super) fn in_year(self, year: i16) -> Option<Run> {
        let core = match self.rule {
            Rule::Fixed { month, day } => day_number(Date::new(year, month, day).ok()?)?,
            Rule::Western(days) => day_number(western_easter(year)?)? + days,
            Rule::Orthodox(days) => day_number(orthodox_easter(year)?)? + days,
            Rule::Thanksgiving => {
                let november = Date::new(year, 11, 1).ok()?;
                day_number(november.nth_weekday_of_month(4, Weekday::Thursday).ok()?)?
            }
        };
        let days = Days { first: core - self.days_before, last: core + self.days_after };
        Some(Run { days, core: Some(core) })
    }
}

/// Easter Sunday by the anonymous Gregorian algorithm.
fn western_easter(year: i16) -> Option<Date> {
    let year_number = i32::from(year);
    let (golden, century, in_century) = (year_number % 19, year_number / 100, year_number % 100);
    let moon_correction = (century - (century + 8) / 25 + 1) / 3;
    let epact = (19 * golden + century - century / 4 - moon_correction + 15) % 30;
    let to_sunday = (32 + 2 * (century % 4) + 2 * (in_century / 4) - epact - in_century % 4) % 7;
    let late = (golden + 11 * epact + 22 * to_sunday) / 451;
    march_22_plus(year, epact + to_sunday - 7 * late)
}

/// Easter Sunday by Meeus' Julian algorithm, as a Gregorian date.
fn orthodox_easter(year: i16) -> Option<Date> {
    let year_number = i32::from(year);
    let moon = (19 * (year_number % 19) + 15) % 30;
    let to_sunday = (2 * (year_number % 4) + 4 * (year_number % 7) - moon + 34) % 7;
    let calendars_apart = year_number / 100 - year_number / 400 - 2;
    march_22_plus(year, moon + to_sunday + calendars_apart)
}

fn march_22_plus(year: i16, days: i32) -> Option<Date> {
    Date::new(year, 3, 22).ok()?.checked_add(i64::from(days).days()).ok()
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn easter_is_on_the_days_the_churches_publish() {
        for (western, orthodox) in [
            (date(2008, 3, 23), date(2008, 4, 27)),
            (date(2011, 4, 24), date(2011, 4, 24)),
            (date(2024, 3, 31), date(2024, 5, 5)),
            (date(2025, 4, 20), date(2025, 4, 20)),
            (date(2026, 4, 5), date(2026, 4, 12)),
            (date(2027, 3, 28), date(2027, 5, 2)),
            (date(2038, 4, 25), date(2038, 4, 25)),
        ] {
            assert_eq!(western_easter(western.year()), Some(western));
            assert_eq!(orthodox_easter(orthodox.year()), Some(orthodox));
        }
    }

    #[test]
    fn thanksgiving_is_the_fourth_thursday_of_november() {
        let core = |year| THANKSGIVING.in_year(year).and_then(|run| run.core);
        assert_eq!(core(2025), day_number(date(2025, 11, 27)));
        assert_eq!(core(2026), day_number(date(2026, 11, 26)));
    }
}
