//! Dates in a text in English, German, French, Spanish and Romanian: `8 May 2023`, `letzten Frühling`, `il
//! y a deux mois`, `justo después de Semana Santa`, `săptămâna viitoare`.
//!
//! A memory stores its dates in fields and not as words, so a cue that names a day is matched with the day
//! a memory was formed, with the date of its event, and with the dates written in its text.
//!
//! One grammar ([`phrase`], [`anchor`]) parses all languages; a language is a table of words. A text is
//! parsed in each language, and the language that knows most of its words decides.

mod anchor;
mod by_event;
mod calendar;
mod english;
mod french;
mod german;
mod holiday;
mod numeral;
mod phrase;
mod precheck;
mod recurring;
mod romanian;
mod spanish;
mod talk;
#[cfg(test)]
mod tests;
mod token;
mod vocabulary;

use jiff::tz::TimeZone;

use domain::{EventDate, Timestamp};

pub(crate) use by_event::ByEvent;
use phrase::{Mention, mentions};
use recurring::{Purpose, View};
use token::{Token, tokens};
use vocabulary::Reading;

pub use talk::date_in_talk;

/// A range of days, both ends included, as days since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Days {
    /// The first day.
    pub(crate) first: i32,
    /// The last day.
    pub(crate) last: i32,
}

/// Every day or range of days that `cue` mentions, relative to `now`; those that have begun come before
/// future ones.
///
/// If the year or week is ambiguous, both the latest one and the next one are returned: the cue may be
/// about the past or about a plan.
#[must_use]
pub(crate) fn days_in(cue: &str, now: Timestamp) -> Vec<Days> {
    let Some(view) = view(now, Purpose::Cue) else { return Vec::new() };
    let mut found = distinct_runs(&read(cue, view));
    found.sort_by_key(|days| days.first > view.day);
    found.truncate(MOST_RUNS);
    found
}

/// The dates written in the text of a memory that was formed at `formed`: days, months and years, and
/// seasons and holidays with their year. A date without its year is the one nearest to that day, or both if
/// the one before and the one after are about equally near.
///
/// Dates relative to today ("yesterday", "on Friday") are left out, since texts quote and repeat earlier
/// statements.
#[must_use]
pub(crate) fn dates_in_text(text: &str, formed: Timestamp) -> Vec<Days> {
    if !precheck::may_hold_a_date(text) {
        return Vec::new();
    }
    let Some(view) = view(formed, Purpose::Memory) else { return Vec::new() };
    let mut found = read(text, view);
    found.retain(|mention| mention.is_dated);
    let mut found = distinct_runs(&found);
    found.truncate(MOST_RUNS);
    found
}

/// A cue longer than this is a document, and its dates say nothing about the question.
const MOST_WORDS: usize = 2000;
/// More dates than this no longer distinguish anything.
const MOST_RUNS: usize = 4;

impl Days {
    /// How well a memory formed on `day` matches, from 0 to 1.
    ///
    /// People mention events soon after they happened, so the week after counts fully; the longer the
    /// range, the lower the weight.
    #[must_use]
    pub(crate) fn fit(self, day: i32) -> f32 {
        let whole = weight(self.length());
        if (self.first..=self.last + 7).contains(&day) {
            whole
        } else if (self.first - 10..=self.last + 10).contains(&day) {
            whole * 0.3
        } else {
            0.0
        }
    }

    /// The days that `event` covers.
    #[must_use]
    pub(crate) fn of_event(event: EventDate) -> Option<Self> {
        Self::of(Some(event.first_day()), Some(event.last_day()))
    }

    /// How well an event on the days `other` matches, from 0 to 1: fully if they overlap, a little if they
    /// are at most three days apart. The longer of the two ranges determines the weight.
    #[must_use]
    pub(crate) fn fit_days(self, other: Self) -> f32 {
        let whole = weight(self.length().max(other.length()));
        match (other.first - self.last).max(self.first - other.last) {
            ..=0 => whole,
            1..=3 => whole * 0.3,
            4.. => 0.0,
        }
    }

    const fn length(self) -> i32 {
        self.last - self.first
    }
}

/// The weight of a range that ends `length` days after it began.
const fn weight(length: i32) -> f32 {
    match length {
        ..=7 => 1.0,
        8..=31 => 0.6,
        32.. => 0.3,
    }
}

fn view(at: Timestamp, purpose: Purpose) -> Option<View> {
    View::new(at.to_jiff().to_zoned(TimeZone::UTC).date(), purpose)
}

/// The mentions in the language that knows most words of `text`, or in all of them on a tie. If that
/// language finds none, unambiguous ones of another language are used, if they consist of words that the
/// first one doesn't know: people mix languages.
fn read(text: &str, view: View) -> Vec<Mention> {
    let tokens: Vec<Token> = tokens(text).take(MOST_WORDS).collect();
    let readings = vocabulary::read(&tokens);
    let most_known = readings.iter().map(Reading::known_words).max().unwrap_or(0);
    let (likely, unlikely): (Vec<&Reading>, Vec<&Reading>) =
        readings.iter().partition(|reading| reading.known_words() == most_known);
    let found: Vec<Mention> = likely.iter().flat_map(|reading| mentions(&reading.meanings, view)).collect();
    if !found.is_empty() {
        return found;
    }
    let is_foreign = |token: usize| {
        matches!(tokens.get(token), Some(Token::Word(_)))
            && !likely.iter().any(|reading| reading.knows(token))
    };
    let foreign = |reading: &Reading| {
        let mut mentions = mentions(&reading.meanings, view);
        mentions
            .retain(|mention| mention.is_unmistakable && reading.tokens_of(&mention.place).any(is_foreign));
        mentions
    };
    unlikely.into_iter().flat_map(foreign).collect()
}

fn distinct_runs(mentions: &[Mention]) -> Vec<Days> {
    let mut runs = Vec::new();
    for days in mentions.iter().flat_map(|mention| &mention.runs) {
        if !runs.contains(days) {
            runs.push(*days);
        }
    }
    runs
}
