//! The date that a statement names, relative to the day it was said.
//!
//! A memory is read long after "on Friday" was said, so the absolute date is stored. It is stored only if
//! all parts of the statement agree: "Friday the 27th" is a 27th that is a Friday, or no date at all.

mod qualifier;
mod choice;
mod clause;
mod day_alone;
mod spelling;
mod tense;
#[cfg(test)]
mod tests;

use std::ops::RangeInclusive;

use domain::{EventDate, Precision};
use jiff::ToSpan;
use jiff::civil::Date;

use super::anchor::day_of_month;
use super::calendar::{self, Unit, date_of};
use super::numeral::Numeral;
use super::phrase::{Mention, mentions};
use super::recurring::{Purpose, View};
use super::token::Token;
use super::vocabulary::{self, Meaning, Reading};
use super::{Days, MOST_WORDS};
use choice::{DateMention, choose};
use clause::Clauses;
use day_alone::day_alone;
use qualifier::{MentionKind, Qualifier, before};
use tense::Tense;

/// The date that `text`, said in `language` on the day `today`, states with certainty.
#[must_use]
pub fn date_in_talk(text: &str, language: &str, today: Date) -> Option<EventDate> {
    let view = View::new(today, Purpose::Talk)?;
    let place = LANGUAGES.iter().position(|known| *known == language)?;
    let mut clauses = Clauses::read(text, language, MOST_WORDS);
    spelling::correct(&mut clauses.tokens, place);
    let readings = vocabulary::read(&clauses.tokens);
    let talk = Talk { clauses: &clauses, reading: readings.get(place)?, language, view };
    let alone = day_alone(text);
    match talk.named() {
        Named::Date(date) => {
            let date = last_of_two(date, text, language);
            let date = alone.and_then(|day| talk.day_in_month(day, date)).unwrap_or(date);
            Some(if is_either_order(text, language) {
                EventDate::new(date.first_day(), Precision::Year)
            } else {
                date
            })
        }
        Named::Contradiction | Named::Vague => None,
        Named::Nothing => {
            let alone = alone.and_then(|day| on_day(day, None, view, clauses.whole()));
            alone.or_else(|| talk.opening_year())
        }
    }
}

/// English `04/07/2027` is in April or in July.
fn is_either_order(text: &str, language: &str) -> bool {
    language == "en"
        && text.split_whitespace().any(|piece| {
            let mut parts = piece.trim_end_matches(|c: char| !c.is_ascii_digit()).split('/');
            let mut part = || parts.next().and_then(|part| part.parse::<i16>().ok());
            let (first, second, year) = (part(), part(), part());
            let is_month = |number: Option<i16>| number.is_some_and(|number| (1..=12).contains(&number));
            is_month(first) && is_month(second) && first != second && year.is_some()
        })
}

/// Spanish "cumple 15 el 21 de noviembre" is no run from the 15th to the 21st: the number after the article counts.
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

/// A sentence of talk as it is read.
#[derive(Clone, Copy)]
struct Talk<'a> {
    clauses: &'a Clauses,
    reading: &'a Reading,
    language: &'a str,
    view: View,
}

impl Talk<'_> {
    fn named(self) -> Named {
        let numbered = weekday_and_day(self);
        if !matches!(numbered, Named::Nothing) {
            return numbered;
        }
        let mentions = mentions(&self.reading.meanings, self.view);
        // "Next week on Saturday", "next year in May": the wider time stands first.
        let mut within: Option<Days> = None;
        let mut found: Vec<DateMention> = Vec::new();
        for mention in &mentions {
            let tokens = self.reading.tokens_of(&mention.place);
            if self.before(mention) != Qualifier::Plain {
                continue;
            }
            let tense = self.tense(mention);
            let Some(run) = self.run(mention, within, tense) else { continue };
            let Some(run) = self.agreeing(mention, run) else { return Named::Contradiction };
            let date = self.dated(mention, run);
            let is_narrower = within.is_some_and(|wide| wide.first <= run.first && run.last <= wide.last);
            if is_narrower && found.last().is_some_and(|found| found.date.precision() == Precision::Year) {
                found.pop();
            }
            let is_wide = date.is_none_or(|date| date.precision() == Precision::Year);
            within = is_wide.then_some(run);
            found.extend(date.map(|date| DateMention { date, tokens }));
        }
        match choose(&found, self.clauses, self.view.today) {
            Some(date) => Named::Date(date),
            None if mentions.is_empty() => Named::Nothing,
            None => Named::Vague,
        }
    }

    /// What the words before a weekday make of it; another denied time is no date either.
    fn before(self, mention: &Mention) -> Qualifier {
        let at = self.reading.tokens_of(&mention.place).start;
        let before = before(self.clauses.before(at), self.language);
        let is_weekday = self.weekday(mention).is_some() && mention.place.len() == 1;
        if before == Qualifier::Repeated && !is_weekday { Qualifier::Plain } else { before }
    }

    /// Whether a mention is past: by the word before it ("since Monday", "moved to Friday"), else by its clause.
    fn tense(self, mention: &Mention) -> Tense {
        let tokens = self.reading.tokens_of(&mention.place);
        let by_word = qualifier::tense(self.clauses.before(tokens.start), self.kind(mention));
        // "Since October" is past, and "from October we will open" is not: Spanish has one word for both.
        let is_plan = by_word == Some(Tense::Past) && self.clauses.own_tense(&tokens) == Some(Tense::Coming);
        by_word.filter(|_| !is_plan).unwrap_or_else(|| self.clauses.tense(&tokens))
    }

    /// "In February, from the 8th to the 20th" begins on a day of that month, "on Christmas Eve, the 24th" is one.
    fn day_in_month(self, day: i8, named: EventDate) -> Option<EventDate> {
        let first = named.first_day();
        let date = Date::new(first.year(), first.month(), day).ok()?;
        let is_open = match named.precision() {
            Precision::Month => true,
            Precision::Day => {
                self.reading.meanings.iter().any(|meaning| matches!(meaning, Meaning::Holiday(_)))
            }
            Precision::Year => false,
        };
        is_open.then(|| EventDate::new(date, Precision::Day))
    }

    /// What a time is mentioned by.
    fn kind(self, mention: &Mention) -> MentionKind {
        let is_weekday = mention.place.len() == 1 && self.weekday(mention).is_some();
        if is_weekday { MentionKind::Weekday } else { MentionKind::Other }
    }

    fn weekday(self, mention: &Mention) -> Option<i8> {
        self.reading.meanings.get(mention.place.start).and_then(|meaning| weekday_of(*meaning))
    }

    /// The run, if its day is the weekday that is named with it; else another one that is, if it is near: what was
    /// moved to Friday, 11 September, is to come.
    fn agreeing(self, mention: &Mention, run: Days) -> Option<Days> {
        let is_near = |other: &Days| (other.first - self.view.day).abs() <= NEAR_DAYS;
        let others = mention.runs.iter().copied().filter(is_near);
        std::iter::once(run).chain(others).find(|run| self.agrees(mention, *run))
    }

    fn agrees(self, mention: &Mention, run: Days) -> bool {
        let has_number = self
            .words(mention)
            .iter()
            .any(|word| matches!(word, Meaning::Numeral(_) | Meaning::DayOfMonth(_)));
        falls_on(run, self.weekday(mention).filter(|_| has_number))
    }

    fn words(&self, mention: &Mention) -> &[Meaning] {
        self.reading.meanings.get(mention.place.clone()).unwrap_or_default()
    }

    /// The run that a mention means.
    fn run(self, mention: &Mention, within: Option<Days>, tense: Tense) -> Option<Days> {
        let runs = &mention.runs;
        let kind = self.kind(mention);
        let words = self.words(mention);
        let is_numbered = words.iter().any(|word| day_of_month(word).is_some())
            && words.iter().any(|word| matches!(word, Meaning::Month(_)));
        let in_wider = within.filter(|_| runs.len() > 1).and_then(|wide| {
            let on_weekday = self
                .weekday(mention)
                .filter(|_| kind == MentionKind::Weekday)
                .and_then(|day| day_in(wide, day));
            on_weekday.or_else(|| runs.first().and_then(|run| in_year(wide, *run)))
        });
        let run = in_wider.or_else(|| chosen(runs, self.view, tense, kind));
        // "From 13 to 24 July" begins on a day.
        run.map(|run| if is_numbered { Days { last: run.first, ..run } } else { run })
    }

    /// The date of a run: a holiday of several days is its month, a season or a part of a year is the year that is
    /// named with it, and what is exactly months or years away is a day.
    fn dated(self, mention: &Mention, run: Days) -> Option<EventDate> {
        let words = self.words(mention);
        let has = |is: fn(&Meaning) -> bool| words.iter().any(is);
        let first = date_of(run.first)?;
        let tokens = self.reading.tokens_of(&mention.place);
        if has(|word| matches!(word, Meaning::Unit(Unit::Month | Unit::Year)))
            && self.clauses.is_exact(&tokens)
        {
            return self.exactly(words);
        }
        if has(|word| matches!(word, Meaning::Season(_))) {
            let year = words.iter().find_map(|word| {
                if let Meaning::Numeral(Numeral::Year(year)) = word { Some(*year) } else { None }
            });
            return year
                .and_then(|year| Date::new(year, 1, 1).ok())
                .map(|day| EventDate::new(day, Precision::Year));
        }
        let is_long = run.last - run.first > MONTH;
        if has(|word| matches!(word, Meaning::Part(_))) && is_long {
            return Some(EventDate::new(first, Precision::Year));
        }
        let is_one_month = date_of(run.last).is_some_and(|last| last.month() == first.month());
        if has(|word| matches!(word, Meaning::Holiday(_))) && run.first != run.last && is_one_month {
            return Some(EventDate::new(first, Precision::Month));
        }
        event_date(run)
    }

    /// The day that is so many months or years from today.
    fn exactly(self, words: &[Meaning]) -> Option<EventDate> {
        let count = words.iter().find_map(|word| {
            let (Meaning::Count(count, _) | Meaning::Numeral(Numeral::Number(count))) = word else {
                return None;
            };
            Some(i64::from(*count))
        })?;
        let is_ago =
            words.iter().any(|word| matches!(word, Meaning::Ago | Meaning::AgoAfter | Meaning::BeforeOrAgo));
        let count = if is_ago { -count } else { count };
        let is_months = words.contains(&Meaning::Unit(Unit::Month));
        let span = if is_months { count.months() } else { count.years() };
        self.view.today.checked_add(span).ok().map(|day| EventDate::new(day, Precision::Day))
    }

    /// A year at the beginning of what is past: `1997 bin ich gekommen`.
    fn opening_year(self) -> Option<EventDate> {
        let [Token::Numeral(Numeral::Year(year)), Token::Word(_), ..] = self.clauses.tokens.as_slice() else {
            return None;
        };
        let day = Date::new(*year, 1, 1).ok().filter(|_| self.clauses.tense(&(0..1)) == Tense::Past)?;
        Some(EventDate::new(day, Precision::Year))
    }
}

/// How far a day may be whose weekday decides whether it is past or to come.
const NEAR_DAYS: i32 = 120;
/// The most days of a month after its first.
const MONTH: i32 = 30;

/// A day or a month, in the year that `year` is.
fn in_year(year: Days, run: Days) -> Option<Days> {
    let (wide, first) = (date_of(year.first)?, date_of(run.first)?);
    if calendar::year(wide.year()) != Some(year) {
        return None;
    }
    if run.first == run.last {
        let day = Date::new(wide.year(), first.month(), first.day()).ok()?;
        return Days::of(Some(day), Some(day));
    }
    calendar::month(wide.year(), first.month())
}

/// The day of this weekday in a week.
fn day_in(week: Days, weekday: i8) -> Option<Days> {
    let is_meant =
        |day: &i32| date_of(*day).map(|date| date.weekday().to_monday_zero_offset()) == Some(weekday);
    let mut days = (week.last - week.first < 7).then_some(week.first..=week.last)?;
    days.find(is_meant).map(|day| Days { first: day, last: day })
}

/// `Friday the 27th`, `Freitag, den 27.`, `viernes 27`.
fn weekday_and_day(talk: Talk<'_>) -> Named {
    let Talk { reading, view, .. } = talk;
    for (at, pair) in reading.meanings.windows(2).enumerate() {
        let [weekday, day] = pair else { continue };
        let follows = reading.meanings.get(at + 2);
        let is_counted =
            matches!(follows, Some(Meaning::Month(_) | Meaning::Of | Meaning::Unit(_) | Meaning::Which(_)));
        let token = reading.tokens_of(&(at..at + 1)).start;
        let is_denied = before(talk.clauses.before(token), talk.language) == Qualifier::Denied;
        let is_date = !is_counted && !is_denied;
        if let (Some(weekday), Some(day), true) = (weekday_of(*weekday), day_of_month(day), is_date) {
            let tense = talk.clauses.tense(&(token..token + 2));
            let on = |tense| on_day(day, Some(weekday), view, tense);
            let other = if tense == Tense::Past { Tense::Coming } else { Tense::Past };
            let date = on(tense).or_else(|| on(other).filter(|_| tense == Tense::Past));
            return date.map_or(Named::Contradiction, Named::Date);
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
fn chosen(runs: &[Days], view: View, tense: Tense, kind: MentionKind) -> Option<Days> {
    if let [only] = runs {
        return Some(*only);
    }
    let apart = match kind {
        MentionKind::Weekday => 1,
        MentionKind::Other => 0,
    };
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
    let month = calendar::month(first.year(), first.month());
    let is_third = |month: Days| {
        let third = (month.last - month.first + 1) / 3;
        run.first == month.first || run.last == month.last || run.first == month.first + third
    };
    (THIRD_OF_MONTH).contains(&(run.last - run.first)) && month.is_some_and(is_third)
}

const THIRD_OF_MONTH: RangeInclusive<i32> = 8..=10;
