//! Ages and birthdays: each gives the year of birth to within a year, and those must agree.

use recall::words::Term;

use crate::claim::Claim;
use crate::clause::Word;
use crate::date::{month_of, year_of};
use crate::number::number;
use crate::subject::Subject;
use crate::vocabulary::Vocabulary;

/// Pairs of claims whose ages belong to people born in different years.
pub(crate) fn impossible_ages(claims: &[Claim<'_>], vocabulary: &mut Vocabulary) -> Vec<(usize, usize)> {
    let born = vocabulary.term("born");
    let births: Vec<(usize, Birth)> =
        claims.iter().enumerate().filter_map(|(at, claim)| Some((at, birth(claim, born)?))).collect();
    let mut found = Vec::new();
    for (at, (left, earlier)) in births.iter().enumerate() {
        for (right, later) in births.iter().skip(at + 1) {
            if earlier.person == later.person && earlier.disagrees_with(later) {
                found.push((*left, *right));
            }
        }
    }
    found
}

/// Whose birth, and the years it can have been in.
struct Birth {
    person: Option<Term>,
    earliest: i32,
    latest: i32,
    month: Option<i8>,
}

impl Birth {
    fn disagrees_with(&self, other: &Self) -> bool {
        let months = self.month.zip(other.month).is_some_and(|(mine, other)| mine != other);
        self.latest < other.earliest || other.latest < self.earliest || months
    }
}

/// An age in the words of a clause.
struct Age {
    years: i32,
    /// Whether it is the persona's own, by an `I` or `my` right before it.
    mine: bool,
    /// Whether it was reached some time before: `I had turned thirty`.
    passed: bool,
}

fn birth(claim: &Claim<'_>, born: Term) -> Option<Birth> {
    if claim.flags.negated || claim.flags.unreal {
        return None;
    }
    let age = age(claim);
    let mine = age.as_ref().is_some_and(|age| age.mine) || is_my_birthday(&claim.words);
    let person = match &claim.subject {
        _ if mine => None,
        Subject::Persona | Subject::Implied => None,
        Subject::Person(person) => Some(*person),
        Subject::Thing(_) | Subject::Unknown => return None,
    };
    if claim.has(born) {
        return Some(stated_birth(claim, person, born));
    }
    let any_year = Birth { person, earliest: i32::MIN, latest: i32::MAX, month: claim.date.month };
    let Some(age) = age else {
        return Some(any_year).filter(|birth| is_my_birthday(&claim.words) && birth.month.is_some());
    };
    let year = i32::from(claim.date.year.or_else(|| claim.at.map(year_of))?);
    let of_entry = claim.date.year.is_some() || !claim.flags.looks_back;
    if age.passed {
        return Some(Birth { latest: year - age.years, month: None, ..any_year });
    }
    (of_entry && !is_of_another_time(claim)).then_some(Birth {
        earliest: year - age.years - 1,
        latest: year - age.years,
        ..any_year
    })
}

/// `since I was ten`, `I was ten when we moved`: the age at some time, not at that of the entry.
fn is_of_another_time(claim: &Claim<'_>) -> bool {
    let mut words = claim.sentence.split(|c: char| !c.is_alphabetic());
    words
        .any(|word| ["since", "when", "until", "before"].iter().any(|other| word.eq_ignore_ascii_case(other)))
}

/// The year and month a claim of being born names, or those of an entry whose label says `Born`.
fn stated_birth(claim: &Claim<'_>, person: Option<Term>, born: Term) -> Birth {
    let own = claim.at.filter(|_| claim.context.contains(&born) && !claim.flags.looks_back);
    let year = claim.date.year.or(own.map(year_of)).map(i32::from);
    let month = claim.date.month.or(own.map(month_of));
    Birth { person, earliest: year.unwrap_or(i32::MIN), latest: year.unwrap_or(i32::MAX), month }
}

/// `my birthday`, `my thirtieth birthday`.
fn is_my_birthday(words: &[Word]) -> bool {
    let mine = words.iter().skip_while(|word| word.lower != "my").skip(1).take(2);
    mine.into_iter().any(|word| word.lower == "birthday")
}

/// `turned thirty`, `my fiftieth birthday`, `aged 12`, `I was twelve`, `a boy of eight`, `a nine-year-old`, `I was nineteen in 1995`.
#[expect(clippy::cast_possible_truncation, reason = "an age was checked to be below 130")]
fn age(claim: &Claim<'_>) -> Option<Age> {
    let words = &claim.words;
    let lower = |at: usize| words.get(at).map_or("", |word| word.lower.as_str());
    (0..words.len()).find_map(|at| {
        let counted = number(lower(at)).filter(|_| is_age(words, at)).or_else(|| years_old(lower(at)));
        let years =
            counted.filter(|age| (1.0..130.0).contains(age) && age.fract() == 0.0).map(|age| age as i32)?;
        let before = (at.saturating_sub(3)..at).map(lower);
        let mine = before.clone().any(|word| matches!(word, "i" | "i'm" | "i'd" | "i've" | "my"));
        let passed =
            before.clone().any(|word| matches!(word, "i'd" | "i've" | "had" | "have" | "had-turned"));
        Some(Age { years, mine, passed })
    })
}

/// `nine-year-old`.
fn years_old(word: &str) -> Option<f64> {
    word.strip_suffix("-year-old").and_then(number)
}

/// Whether the number at `at` is a person's age, by the words around it.
fn is_age(words: &[Word], at: usize) -> bool {
    let lower = |at: usize| words.get(at).map_or("", |word| word.lower.as_str());
    let modest =
        |at: usize| matches!(lower(at), "just" | "only" | "barely" | "still" | "already" | "exactly");
    let last = at.checked_sub(1).map(|last| if modest(last) { last.saturating_sub(1) } else { last });
    let before = last.map_or("", lower);
    let second = last.and_then(|last| last.checked_sub(1)).map_or("", lower);
    let ends = words.get(at).is_some_and(|word| word.comma)
        || at + 1 == words.len()
        || matches!(lower(at + 1), "and" | "when" | "that" | "in" | "then" | "at" | "today");
    let opens = at == 1 && matches!(lower(2), "i" | "my");
    let ends = ends || opens;
    let old = matches!(lower(at + 1), "years" | "year") && lower(at + 2) == "old";
    let was = matches!(before, "i'm" | "am" | "was") && matches!(second, "i" | "" | "just" | "and");
    match before {
        "aged" | "turned" | "turning" | "reached" | "hit" => !matches!(lower(at + 1), "of" | "percent"),
        "at" if number(lower(at)).is_some_and(|years| years > 12.0) => ends && lower(at + 1) != "in",
        "of" => matches!(second, "age" | "boy" | "girl" | "man" | "woman" | "child" | "lad"),
        _ => {
            old || was && ends
                || at == 0 && (words.len() == 1 || matches!(lower(1), "today" | "at-last" | "candles"))
        }
    }
}
