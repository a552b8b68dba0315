//! A span of time spent whole in one place: `all of October`, `the entire day`, `till morning`.

use crate::claim::Claim;
use crate::clause::Word;
use crate::date::{month_of, month_or_feast, season, year_of};
use crate::number::{is_year, number};
use crate::time_relation::DAY;

/// A span of time, seen from the time of its entry.
#[derive(Clone, Copy)]
pub(super) enum WholeSpan {
    /// A month, of the year if one is named.
    Month(i8, Option<i16>),
    /// A season, from winter as 0, of the year if one is named.
    Season(i8, Option<i16>),
    /// A year.
    Year(i16),
    /// A day.
    Day,
}

impl WholeSpan {
    /// Whether `other` lies in the span of an entry at `at`.
    pub(super) fn covers(self, at: i64, other: i64) -> bool {
        let near = |year: Option<i16>, days: i64| {
            year.map_or((at - other).abs() <= days * DAY, |year| year_of(other) == year)
        };
        match self {
            Self::Month(month, year) => near(year, 31) && month_of(other) == month,
            Self::Season(season, year) => near(year, 92) && month_of(other) % 12 / 3 == season,
            Self::Year(year) => year_of(other) == year,
            Self::Day => (at - other).abs() < DAY,
        }
    }
}

/// The whole spans a claim names.
pub(super) fn whole_spans(claim: &Claim<'_>) -> Vec<WholeSpan> {
    let past = claim.date.year.zip(claim.at).filter(|(year, at)| *year < year_of(*at)).map(|(year, _)| year);
    (0..claim.words.len()).filter_map(|at| whole_span(&claim.words, at, past)).collect()
}

/// `all of October`, `the whole of that spring`, `the entire day`, `till morning`, `spent New Year's Eve`.
fn whole_span(words: &[Word], at: usize, year: Option<i16>) -> Option<WholeSpan> {
    let lower = |at: usize| words.get(at).map_or("", |word| word.lower.as_str());
    let named = |at: usize| match lower(at) {
        "day" | "night" | "evening" | "morning" | "eve" => Some(WholeSpan::Day),
        word => month_or_feast(word)
            .map(|month| WholeSpan::Month(month, year))
            .or_else(|| season(word).map(|season| WholeSpan::Season(season, year)))
            .or_else(|| named_year(word).map(WholeSpan::Year)),
    };
    let near = |from: usize, to: usize| {
        (from..to).take_while(|next| !matches!(lower(*next), "in" | "at" | "on")).find_map(named)
    };
    let till_morning =
        || (at + 1..at + 6).any(|next| matches!(lower(next), "morning" | "dawn" | "sun" | "sunrise"));
    match lower(at) {
        "whole" | "entire" | "all" => near(at + 1, at + 4),
        "spent" => near(at + 1, at + 5).filter(|span| matches!(span, WholeSpan::Day)),
        "till" | "until" => till_morning().then_some(WholeSpan::Day),
        _ => None,
    }
}

#[expect(clippy::cast_possible_truncation, reason = "years were checked to be in range")]
fn named_year(word: &str) -> Option<i16> {
    number(word).filter(|year| is_year(*year, word)).map(|year| year as i16)
}
