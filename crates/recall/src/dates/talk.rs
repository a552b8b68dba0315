//! The date that a statement names, relative to the day it was said.
//!
//! A memory is read long after "on Friday" was said, so the absolute date is stored. It is stored only if
//! all parts of the statement agree: "Friday the 27th" is a 27th that is a Friday, or no date at all.

mod before;

use std::ops::RangeInclusive;

use domain::{EventDate, Precision};
use jiff::ToSpan;
use jiff::civil::Date;

use super::anchor::day_of_month;
use super::calendar::{self, date_of};
use super::phrase::{Mention, mentions};
use super::recurring::{Purpose, View};
use super::token::{Token, folded, tokens};
use super::vocabulary::{self, Meaning, Reading};
use super::{Days, MOST_WORDS};
use before::{Before, before};

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
    let talk = Talk { tokens: &tokens, reading: readings.get(place)?, language, view, tense };
    match talk.named() {
        Named::Date(date) => {
            let date = last_of_two(date, text, language);
            Some(day_alone(text).and_then(|day| day_in_month(day, date)).unwrap_or(date))
        }
        Named::Contradiction | Named::Vague => None,
        Named::Nothing => day_alone(text).and_then(|day| on_day(day, None, view, tense)),
    }
}

/// "In February, from the 8th to the 20th" begins on a day of that month.
fn day_in_month(day: i8, month: EventDate) -> Option<EventDate> {
    let first = month.first_day();
    let date = Date::new(first.year(), first.month(), day).ok()?;
    (month.precision() == Precision::Month).then(|| EventDate::new(date, Precision::Day))
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
    tokens: &'a [Token],
    reading: &'a Reading,
    language: &'a str,
    view: View,
    tense: Tense,
}

impl Talk<'_> {
    fn named(self) -> Named {
        let numbered = weekday_and_day(self);
        if !matches!(numbered, Named::Nothing) {
            return numbered;
        }
        let mentions = mentions(&self.reading.meanings, self.view);
        let mut is_vague = false;
        // "Next week on Saturday", "next year in May": the wider time stands first.
        let mut within: Option<Days> = None;
        let mut named = None;
        for mention in &mentions {
            is_vague = true;
            let is_plain = self.before(mention) == Before::Plain;
            let runs: Vec<Days> =
                mention.runs.iter().copied().filter(|run| self.agrees(mention, *run)).collect();
            if is_plain && runs.is_empty() && !mention.runs.is_empty() {
                return Named::Contradiction;
            }
            let Some(run) = self.run(mention, &runs, within).filter(|_| is_plain) else { continue };
            let date = event_date(run);
            let is_wide = date.is_none_or(|date| date.precision() == Precision::Year);
            if !is_wide || named.is_some() {
                named = if is_wide { named } else { date };
                break;
            }
            (within, named) = (Some(run), date);
        }
        named.map_or(if is_vague { Named::Vague } else { Named::Nothing }, Named::Date)
    }

    /// What the words before a weekday make of it; another denied time is no date either.
    fn before(self, mention: &Mention) -> Before {
        let at = self.reading.tokens_of(&mention.place).start;
        let before = before(self.tokens, at, self.language);
        let is_weekday = self.weekday(mention).is_some() && mention.place.len() == 1;
        if before == Before::Repeated && !is_weekday { Before::Plain } else { before }
    }

    fn weekday(self, mention: &Mention) -> Option<i8> {
        self.reading.meanings.get(mention.place.start).and_then(|meaning| weekday_of(*meaning))
    }

    /// Whether the day of a run is the weekday that is named with it.
    fn agrees(self, mention: &Mention, run: Days) -> bool {
        falls_on(run, self.weekday(mention).filter(|_| mention.place.len() > 1))
    }

    /// The run that a mention means, of `runs`.
    fn run(self, mention: &Mention, runs: &[Days], within: Option<Days>) -> Option<Days> {
        let is_weekday = mention.place.len() == 1 && self.weekday(mention).is_some();
        let words = self.reading.meanings.get(mention.place.clone()).unwrap_or_default();
        let is_numbered = words.iter().any(|word| day_of_month(word).is_some())
            && words.iter().any(|word| matches!(word, Meaning::Month(_)));
        let in_wider = within.and_then(|wide| {
            let on_weekday = self.weekday(mention).filter(|_| is_weekday).and_then(|day| day_in(wide, day));
            on_weekday.or_else(|| runs.first().and_then(|run| in_year(wide, *run)))
        });
        let run = in_wider.or_else(|| chosen(runs, self.view, self.tense, is_weekday));
        // "From 13 to 24 July" begins on a day.
        run.map(|run| if is_numbered { Days { last: run.first, ..run } } else { run })
    }
}

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
    let Talk { reading, view, tense, .. } = talk;
    for (at, pair) in reading.meanings.windows(2).enumerate() {
        let [weekday, day] = pair else { continue };
        let follows = reading.meanings.get(at + 2);
        let is_counted = matches!(follows, Some(Meaning::Month(_) | Meaning::Of | Meaning::Unit(_)));
        let is_denied =
            before(talk.tokens, reading.tokens_of(&(at..at + 1)).start, talk.language) == Before::Denied;
        let is_date = !is_counted && !is_denied;
        if let (Some(weekday), Some(day), true) = (weekday_of(*weekday), day_of_month(day), is_date) {
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
        let is_free =
            is_closed || follower.as_deref().is_none_or(|word| FOLLOWERS.contains(&word) || is_verb(word));
        let letters = ending.trim_end_matches([',', '.', '!', '?', ';', ')', ':']);
        let is_denied =
            at > 0 && ["not", "nicht", "pas", "no", "nu"].contains(&folded(pieces.get(at - 1)?).as_str());
        let runs_on = ["to", "till", "until"].contains(&follower.as_deref().unwrap_or_default());
        let is_named = match folded(lead).as_str() {
            _ if is_denied => false,
            _ if runs_on => ["st", "nd", "rd", "th"].contains(&letters),
            "the" => ["st", "nd", "rd", "th"].contains(&letters),
            "am" | "zum" | "vom" | "den" | "dem" => ending.starts_with('.'),
            "le" | "du" | "au" | "el" | "del" | "al" | "pe" => letters.is_empty() || letters == "er",
            _ => false,
        } || (ending == "." && follower.as_deref() == Some("bis"));
        (is_named && is_free).then_some(day)
    })
}

/// "El 25 vamos", "pe 25 mergem": what "we" do is no counted thing.
fn is_verb(word: &str) -> bool {
    ["amos", "emos", "imos", "gem", "cam", "tem"].iter().any(|ending| word.ends_with(ending))
}

/// What may follow a day that stands for itself; another word may be what is counted: `el 20 por ciento`.
#[rustfmt::skip]
const FOLLOWERS: [&str; 48] = [
    "we", "i", "she", "he", "they", "on", "nous", "je",
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
    fn a_day_that_is_denied_or_comes_again_is_no_date() {
        check(
            Tense::Coming,
            &[
                ("en", "not Thursday, Tuesday", Some("2026-03-03")),
                ("en", "not the 14th, the 21st", Some("2026-03-21")),
                ("de", "nicht Donnerstag, sondern Dienstag", Some("2026-03-03")),
                ("fr", "mardi au lieu de jeudi", Some("2026-03-03")),
                ("es", "no el jueves, el martes", Some("2026-03-03")),
                ("ro", "nu joi, marți", Some("2026-03-03")),
                ("en", "we meet every Thursday", None),
                ("en", "the first Tuesday of the month", None),
                ("de", "jeden ersten Dienstag im Monat", None),
                ("fr", "le jeudi j'ai chorale", None),
                ("fr", "le deuxième jeudi du mois", None),
                ("es", "el segundo jueves de cada mes", None),
                ("ro", "în fiecare joi la opt", None),
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
                ("es", "El 25 vamos a la sierra", Some("2026-03-25")),
                ("en", "back in feb for the ice, 8th to the 20th", Some("2027-02-08")),
                ("en", "Next year we'll come in May.", Some("2027-05")),
                ("de", "nächste Woche Samstag", Some("2026-03-14")),
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
