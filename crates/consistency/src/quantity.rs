//! Numbers and what they count, so that "team of twelve" can be held against "five people in the team".

use recall::words::Term;

use crate::clause::Word;
use crate::number::{is_year, number};
use crate::vocabulary::Vocabulary;
use crate::word_list::WordList;

/// A number and the nouns near it that say what it counts.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Quantity {
    /// How many.
    pub(crate) value: f64,
    /// How exact it is.
    pub(crate) precision: Precision,
    /// Whether it was converted from another unit, and so may be rounded.
    pub(crate) converted: bool,
    /// What is counted: the words after the number, or the one before `of`.
    pub(crate) units: Vec<Term>,
}

/// How a number was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Precision {
    /// `twelve`.
    Exact,
    /// `about twelve`.
    Around,
    /// `over twelve`.
    AtLeast,
    /// `under twelve`.
    AtMost,
}

impl Quantity {
    /// Whether both count the same and can't both be right.
    pub(crate) fn disagrees_with(&self, other: &Self) -> bool {
        let common = self.units.iter().any(|unit| other.units.contains(unit));
        common && !self.allows(other) && !other.allows(self)
    }

    fn allows(&self, other: &Self) -> bool {
        let rounding = if self.converted || other.converted { 1.2 } else { 1.0 };
        let (small, large) =
            if self.value < other.value { (self.value, other.value) } else { (other.value, self.value) };
        match self.precision {
            Precision::Exact => large <= small * rounding,
            Precision::Around => large <= small * 1.5,
            Precision::AtLeast => other.value >= self.value || large <= small * 1.05,
            Precision::AtMost => other.value <= self.value || large <= small * 1.05,
        }
    }
}

fn precision(before: Option<&Word>, after: Option<&Word>, vocabulary: &Vocabulary) -> Precision {
    let said = before.map_or("", |word| word.lower.as_str());
    let inexact =
        |word: Option<&Word>| word.is_some_and(|word| vocabulary.says(WordList::Approximate, &word.lower));
    match said {
        "over" | "above" | "exceeding" => Precision::AtLeast,
        "under" | "below" => Precision::AtMost,
        _ if inexact(before) || inexact(after) => Precision::Around,
        _ => Precision::Exact,
    }
}

/// The quantities of a clause. Years and days of a month are dates and left out.
pub(crate) fn quantities(words: &[Word], vocabulary: &mut Vocabulary) -> Vec<Quantity> {
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let Some(value) = number(&word.lower).map(|value| value * multiplier(words, at + 1)) else {
            continue;
        };
        let value = if halved(words, at) { value + 0.5 } else { value };
        if is_multiplier(&word.lower)
            && at
                .checked_sub(1)
                .and_then(|at| words.get(at))
                .is_some_and(|word| number(&word.lower).is_some())
        {
            continue;
        }
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        if is_year(value, &word.lower) || word.capital && word.lower == "second" || !counts(words, at) {
            continue;
        }
        let precision = precision(before, words.get(at + 1), vocabulary);
        let mut units = units(words, at, vocabulary);
        let currency = ["euro", "dollar", "pound"].map(|unit| vocabulary.term(unit));
        if units.is_empty() && value >= 10_000.0 || units.iter().any(|unit| currency.contains(unit)) {
            units.push(vocabulary.term("money"));
        }
        if !units.is_empty() {
            let (factor, units) = converted(units, vocabulary);
            found.push(Quantity { value: value * factor, precision, converted: factor > 1.0, units });
        }
    }
    found.extend(hyphenated(words, vocabulary));
    summed(found, vocabulary)
}

/// `five and a half`.
fn halved(words: &[Word], at: usize) -> bool {
    let next: Vec<&str> = words.iter().skip(at + 1).take(3).map(|word| word.lower.as_str()).collect();
    next == ["and", "a", "half"]
}

/// `4 hours 12 minutes` is one span.
fn summed(quantities: Vec<Quantity>, vocabulary: &mut Vocabulary) -> Vec<Quantity> {
    let minute = vec![vocabulary.term("minute")];
    let (spans, mut others): (Vec<_>, Vec<_>) =
        quantities.into_iter().partition(|quantity| quantity.units == minute);
    let falling = spans.iter().zip(spans.iter().skip(1)).all(|(long, short)| long.value > short.value * 5.0);
    match spans.first().cloned() {
        Some(first) if spans.len() == 2 && falling => {
            others.push(Quantity { value: spans.iter().map(|span| span.value).sum(), ..first });
        }
        _ => others.extend(spans),
    }
    others
}

/// `a two-bedroom flat`, `a three-hour drive`.
fn hyphenated(words: &[Word], vocabulary: &mut Vocabulary) -> Vec<Quantity> {
    let mut found = Vec::new();
    for word in words {
        let Some((count, thing)) = word.lower.split_once('-') else { continue };
        let Some(value) = number(count).filter(|_| number(&word.lower).is_none()) else { continue };
        let thing = thing.split('-').next().unwrap_or(thing);
        let (factor, units) = converted(vec![vocabulary.term(thing)], vocabulary);
        found.push(Quantity {
            value: value * factor,
            precision: Precision::Exact,
            converted: factor > 1.0,
            units,
        });
    }
    found
}

/// `two hundred thousand`: what the words from `at` multiply the number before them with.
fn multiplier(words: &[Word], at: usize) -> f64 {
    let factors = words.iter().skip(at).take_while(|word| is_multiplier(&word.lower));
    factors.filter_map(|word| number(&word.lower)).product()
}

fn is_multiplier(lower: &str) -> bool {
    matches!(lower, "hundred" | "thousand" | "million" | "dozen")
}

/// "One of them", "one day" and "no one" count nothing, nor does a day of a month.
fn counts(words: &[Word], at: usize) -> bool {
    let lower = |at: Option<usize>| at.and_then(|at| words.get(at)).map_or("", |word| word.lower.as_str());
    let (before, here, after) = (lower(at.checked_sub(1)), lower(Some(at)), lower(Some(at + 1)));
    if here == "one" {
        let vague =
            ["of", "day", "evening", "morning", "night", "afternoon", "time", "summer", "winter", "another"];
        return (!vague.contains(&after) || matches!(before, "in" | "after" | "for"))
            && !matches!(before, "no" | "the" | "this" | "that" | "any" | "every" | "each");
    }
    !crate::date::is_month(before) && !crate::date::is_month(after)
}

fn units(words: &[Word], at: usize, vocabulary: &mut Vocabulary) -> Vec<Term> {
    let symbol = words.get(at).and_then(|word| match word.lower.chars().next() {
        Some('$') => Some("dollar"),
        Some('€') => Some("euro"),
        Some('£') => Some("pound"),
        _ => word.lower.ends_with('%').then_some("percent"),
    });
    if let Some(symbol) = symbol {
        return vec![vocabulary.term(symbol)];
    }
    let mut units = Vec::new();
    let rest = if halved(words, at) { at + 4 } else { at + 1 };
    let rate = words.get(rest).is_some_and(|word| matches!(word.lower.as_str(), "a" | "an" | "per" | "for"));
    let of_group = at >= 2 && words.get(at - 1).is_some_and(|word| word.lower == "of");
    if (rate || rest >= words.len()) && !of_group {
        let money = words.iter().any(|word| vocabulary.is(WordList::Money, word.key));
        return if money { vec![vocabulary.term("money")] } else { Vec::new() };
    }
    for word in words.iter().skip(rest).take(3) {
        if vocabulary.is(WordList::Preposition, word.key) {
            break;
        }
        if word.strong && number(&word.lower).is_none() {
            units.push(word.key);
        }
        if word.comma {
            break;
        }
    }
    let counted_before = at >= 2 && words.get(at - 1).is_some_and(|word| word.lower == "of");
    let before =
        at.checked_sub(1).and_then(|before| words.get(before)).map_or("", |word| word.lower.as_str());
    let spent = words.iter().any(|word| vocabulary.is(WordList::Money, word.key));
    if spent
        && matches!(before, "for" | "us" | "me" | "cost" | "paid" | "earn" | "earned" | "is" | "was" | "of")
    {
        units.push(vocabulary.term("money"));
    }
    let of_people = units.iter().any(|unit| vocabulary.is(WordList::People, *unit));
    let groups = words.iter().filter(|word| of_people && vocabulary.is(WordList::Group, word.key));
    units.extend(groups.map(|word| word.key));
    if counted_before {
        units.extend(words.get(at - 2).filter(|word| word.strong).map(|word| word.key));
    }
    units
}

/// Spans and lengths are compared in minutes and metres.
fn converted(units: Vec<Term>, vocabulary: &mut Vocabulary) -> (f64, Vec<Term>) {
    for (unit, factor, base) in MEASURES {
        if units.first() == Some(&vocabulary.term(unit)) {
            return (*factor, vec![vocabulary.term(base)]);
        }
    }
    (1.0, units)
}

#[rustfmt::skip]
const MEASURES: &[(&str, f64, &str)] = &[
    ("hour", 60.0, "minute"), ("night", 600.0, "minute"), ("weekend", 2880.0, "minute"), ("day", 1440.0, "minute"), ("week", 10080.0, "minute"),
    ("month", 43_800.0, "minute"), ("year", 525_600.0, "minute"),
    ("km", 1000.0, "metre"), ("kilometre", 1000.0, "metre"), ("kilometer", 1000.0, "metre"),
    ("mile", 1609.0, "metre"), ("meter", 1.0, "metre"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clause::words;

    fn read(text: &str) -> Vec<Quantity> {
        let mut vocabulary = Vocabulary::new("en");
        let words = words(text, &mut vocabulary);
        quantities(&words, &mut vocabulary)
    }

    #[test]
    fn numbers_disagree_only_about_the_same_thing() {
        for (left, right, disagree) in [
            ("team of 12", "twelve people", false),
            ("a team of 12", "a team of five", true),
            ("two older brothers", "three brothers", true),
            ("two brothers", "three sisters", false),
            ("about 200 guests", "214 guests", false),
            ("about 200 guests", "500 guests", true),
            ("about two hundred guests", "214 guests", false),
            ("it cost $500", "it cost 700 dollars", true),
            ("one day I left", "two days", false),
            ("twenty-one pages", "21 pages", false),
        ] {
            let found = read(left).iter().any(|a| read(right).iter().any(|b| a.disagrees_with(b)));
            assert_eq!(found, disagree, "{left} / {right}");
        }
    }
}
