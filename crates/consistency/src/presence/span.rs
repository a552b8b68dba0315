//! For how long somebody stayed, as it is told: since January, for ten days, all of October, until Christmas.

use super::super::claim::Claim;
use super::super::moment::{month_of, month_or_feast, season, year_of};
use super::super::numeral::{is_year, number, ordinal};
use super::super::occasion::DAY;
use super::super::sentences::Word;

/// How firmly somebody stayed; the firmer is the greater.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Hold {
    /// As one lives or works somewhere.
    Lasting,
    /// All the time.
    Whole,
}

/// How long somebody stayed, seen from the time of the entry.
#[derive(Clone, Copy)]
pub(super) enum Span {
    /// From an instant until the entry.
    From(i64),
    /// From the entry until an instant.
    Until(i64),
    /// All of a month, of the year if one is named.
    Month(usize, Option<i16>),
    /// All of a season, of the year if one is named.
    Season(usize, Option<i16>),
    /// All of a year.
    Year(i16),
    /// All day.
    Day,
}

impl Span {
    /// Whether it is told as a whole by itself.
    pub(super) const fn is_whole(self) -> bool {
        matches!(self, Self::Month(..) | Self::Season(..) | Self::Year(_) | Self::Day)
    }

    /// Whether `other` lies in the span of an entry at `at`.
    pub(super) fn covers(self, at: i64, other: i64) -> bool {
        let near = |year: Option<i16>, days: i64| {
            year.map_or((at - other).abs() <= days * DAY, |year| year_of(other) == year)
        };
        match self {
            Self::From(from) => (from..=at + DAY).contains(&other),
            Self::Until(until) => (at..=until).contains(&other),
            Self::Month(month, year) => near(year, 31) && month_of(other) == month,
            Self::Season(season, year) => near(year, 92) && month_of(other) % 12 / 3 == season,
            Self::Year(year) => year_of(other) == year,
            Self::Day => (at - other).abs() < DAY,
        }
    }
}

/// How firmly a stay is told: without a break and never left, or since then and still so.
pub(super) fn hold(words: &[Word]) -> Option<Hold> {
    let lower = |at: usize| words.get(at).map_or("", |word| word.lower.as_str());
    let denied = words.iter().any(|word| word.denial);
    let whole = |at: usize| match lower(at) {
        "without" => (at + 1..at + 4).any(|next| matches!(lower(next), "break" | "single" | "pause")),
        "stuck" | "stranded" | "trapped" => true,
        "leave" | "left" | "outside" | "else" | "plane" | "fly" | "boat" | "ship" | "port" | "ferry" => {
            denied
        }
        _ => false,
    };
    let lasting = |at: usize| match lower(at) {
        "since" | "ever-since" | "now" | "stayed" | "remained" => true,
        "year" | "winter" | "summer" | "season" => ordinal(at.checked_sub(1).map_or("", lower)).is_some(),
        _ => false,
    };
    let any = |told: &dyn Fn(usize) -> bool| (0..words.len()).any(told);
    any(&whole).then_some(Hold::Whole).or_else(|| any(&lasting).then_some(Hold::Lasting))
}

/// The spans of time of which a claim speaks.
pub(super) fn spans(claim: &Claim<'_>) -> Vec<Span> {
    let (words, Some(at)) = (&claim.words, claim.at) else { return Vec::new() };
    let lower = |at: usize| words.get(at).map_or("", |word| word.lower.as_str());
    let year = claim.moment.year;
    let past = year.filter(|year| *year < year_of(at));
    let mut found: Vec<Span> = (0..words.len()).filter_map(|at| whole_span(words, at, past)).collect();
    let untils = || (0..words.len()).filter(|word| matches!(lower(*word), "until" | "till"));
    let until_month =
        untils().filter_map(|word| (word + 1..word + 5).find_map(|next| next_month(lower(next), at)));
    let until_year =
        year.filter(|year| *year > year_of(at)).map(|year| at + years(i64::from(year - year_of(at))));
    let counted = (0..words.len()).filter_map(|word| counted_back(words, word)).map(|back| at - back);
    let born = lower(words.len().saturating_sub(1)) == "born" && hold(words).is_some();
    let ever = (born || is_never_left(words)).then_some(i64::MIN);
    found.extend(claim.begun().into_iter().chain(counted).chain(ever).map(Span::From));
    found.extend(until_month.chain(until_year).chain(lasting_until(words, at)).map(Span::Until));
    found
}

/// `I have never left the island`.
pub(super) fn is_never_left(words: &[Word]) -> bool {
    let says = |said: &[&str]| words.iter().any(|word| said.contains(&word.lower.as_str()));
    says(&["never"]) && says(&["left", "leave", "outside"]) && !says(&["again", "since", "until", "before"])
}

/// `all of October`, `the whole of that spring`, `the entire day`, `till morning`, `spent New Year's Eve`.
fn whole_span(words: &[Word], at: usize, year: Option<i16>) -> Option<Span> {
    let lower = |at: usize| words.get(at).map_or("", |word| word.lower.as_str());
    let named = |at: usize| match lower(at) {
        "day" | "night" | "evening" | "morning" | "eve" => Some(Span::Day),
        word => month_or_feast(word)
            .map(|month| Span::Month(month, year))
            .or_else(|| season(word).map(|season| Span::Season(season, year)))
            .or_else(|| named_year(word).map(Span::Year)),
    };
    let near = |from: usize, to: usize| {
        (from..to).take_while(|next| !matches!(lower(*next), "in" | "at" | "on")).find_map(named)
    };
    match lower(at) {
        "whole" | "entire" | "all" => near(at + 1, at + 4),
        "spent" => near(at + 1, at + 5).filter(|span| matches!(span, Span::Day)),
        "till" | "until" => (at + 1..at + 6)
            .any(|next| matches!(lower(next), "morning" | "dawn" | "sun" | "sunrise"))
            .then_some(Span::Day),
        _ => None,
    }
}

#[expect(clippy::cast_possible_truncation, reason = "years were checked to be in range")]
fn named_year(word: &str) -> Option<i16> {
    number(word).filter(|year| is_year(*year, word)).map(|year| year as i16)
}

const fn years(count: i64) -> i64 {
    count * 365 * DAY
}

/// The milliseconds of `my fifth year in`, `our third winter in`, `five years now`, `for a year and a half now`.
fn counted_back(words: &[Word], at: usize) -> Option<i64> {
    let lower = |at: usize| words.get(at).map_or("", |word| word.lower.as_str());
    let whole_years =
        |count: f64| (0..200).find(|years| f64::from(*years) >= count).map(|count| years(i64::from(count)));
    match (lower(at), lower(at + 1)) {
        (count, "year" | "winter" | "summer" | "season") if ordinal(count).is_some() => {
            whole_years(ordinal(count)? - 1.0)
        }
        (count, "years") if matches!(lower(at + 2), "now" | "already") => whole_years(number(count)?),
        ("a", "year") if lower(at + 2) == "and" && lower(at + 4) == "half" => Some(years(3) / 2),
        _ => None,
    }
}

/// The end of `for ten days`, `in four years`, counted from `at`.
fn lasting_until(words: &[Word], at: i64) -> Option<i64> {
    let lower = |at: usize| words.get(at).map_or("", |word| word.lower.as_str());
    (0..words.len()).filter(|word| matches!(lower(*word), "for" | "in")).find_map(|word| {
        let unit = match lower(word + 2) {
            "days" => DAY,
            "weeks" => 7 * DAY,
            "months" => 30 * DAY,
            "years" => 365 * DAY,
            _ => return None,
        };
        let count = number(lower(word + 1))?;
        (1..200).find(|whole| f64::from(*whole) >= count).map(|whole| at + i64::from(whole) * unit)
    })
}

/// The start of the next month of this name.
fn next_month(name: &str, at: i64) -> Option<i64> {
    let months = (month_or_feast(name)? + 12 - month_of(at)) % 12;
    Some(at + i64::try_from(months).ok()? * 30 * DAY - 15 * DAY)
}
