//! Ages and birthdays: each gives the year of birth to within a year, and those must agree.

use recall::words::Term;

use super::claim::Claim;
use super::moment::{month_of, year_of};
use super::numeral::{number, ordinal};
use super::sentences::Word;
use super::subject::Subject;
use super::vocabulary::Vocabulary;

/// Pairs of claims whose ages belong to people born in different years.
pub(super) fn impossible_ages(claims: &[Claim<'_>], vocabulary: &mut Vocabulary) -> Vec<(usize, usize)> {
    let born = vocabulary.term("born");
    let births: Vec<(usize, Birth)> =
        claims.iter().enumerate().filter_map(|(at, claim)| Some((at, birth(claim, born)?))).collect();
    let mut found = Vec::new();
    for (at, (left, earlier)) in births.iter().enumerate() {
        for (right, later) in births.iter().skip(at + 1) {
            if earlier.person == later.person
                && (earlier.latest < later.earliest
                    || later.latest < earlier.earliest
                    || months_differ(earlier, later))
            {
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
    month: Option<usize>,
}

fn months_differ(left: &Birth, right: &Birth) -> bool {
    left.month.zip(right.month).is_some_and(|(left, right)| left != right)
}

fn birth(claim: &Claim<'_>, born: Term) -> Option<Birth> {
    let mine =
        claim.words.iter().zip(claim.words.iter().skip(1)).any(|(my, next)| {
            my.lower == "my" && (ordinal(&next.lower).is_some() || next.lower == "birthday")
        });
    let person = match &claim.subject {
        _ if mine => None,
        Subject::Teller | Subject::Implied => None,
        Subject::Person(person) => Some(*person),
        Subject::Thing(_) | Subject::Unknown => return None,
    };
    if claim.tone.negated || claim.tone.unreal {
        return None;
    }
    if claim.has(born) {
        let own_year =
            claim.at.filter(|_| claim.context.contains(&born) && !claim.tone.looks_back).map(year_of);
        let own_month = claim.at.filter(|_| own_year.is_some()).map(month_of);
        let month = claim.moment.month.or(own_month);
        let year = claim.moment.year.or(own_year).map(i32::from);
        return Some(Birth {
            person,
            earliest: year.unwrap_or(i32::MIN),
            latest: year.unwrap_or(i32::MAX),
            month,
        });
    }
    let celebrates = mine && claim.words.iter().any(|word| word.lower == "birthday");
    if celebrates && claim.moment.month.is_some() && age(&claim.words).is_none() {
        return Some(Birth { person, earliest: i32::MIN, latest: i32::MAX, month: claim.moment.month });
    }
    let year = i32::from(claim.moment.year.or_else(|| claim.at.map(year_of))?);
    let age = age(&claim.words).or_else(|| age_in_year(claim))?;
    let remembered = claim.moment.year.is_none()
        && (claim.tone.looks_back || claim.words.first().is_some_and(|word| word.lower == "when"));
    (!remembered).then_some(Birth {
        person,
        earliest: year - age - 1,
        latest: year - age,
        month: claim.moment.month,
    })
}

/// `I was nineteen in 1995`.
#[expect(clippy::cast_possible_truncation, reason = "an age was checked to be below 130")]
fn age_in_year(claim: &Claim<'_>) -> Option<i32> {
    let lower = |at: usize| claim.words.get(at).map_or("", |word| word.lower.as_str());
    let dated = claim.moment.year.is_some();
    let at = (0..claim.words.len()).find(|at| dated && lower(*at) == "was" && lower(at + 2) == "in")?;
    number(lower(at + 1)).filter(|age| (1.0..130.0).contains(age)).map(|age| age as i32)
}

/// `turned thirty`, `my fiftieth birthday`, `aged 12`, `twelve years old`, `at the age of 12`.
#[expect(clippy::cast_possible_truncation, reason = "an age was checked to be below 130")]
fn age(words: &[Word]) -> Option<i32> {
    let lower = |at: usize| words.get(at).map_or("", |word| word.lower.as_str());
    (0..words.len()).find_map(|at| {
        let counted = number(lower(at)).filter(|_| {
            let before = at.checked_sub(1).map_or("", lower);
            let old = lower(at + 1) == "years" && lower(at + 2) == "old";
            let of_age = at >= 2 && before == "of" && lower(at - 2) == "age";
            let ends = words.get(at).is_some_and(|word| word.comma)
                || at + 1 == words.len()
                || matches!(lower(at + 1), "and" | "when" | "that");
            matches!(before, "aged" | "turned" | "turning")
                || old
                || of_age
                || (matches!(before, "i'm" | "am") && ends)
        });
        let celebrated = ordinal(lower(at)).filter(|_| lower(at + 1) == "birthday");
        counted
            .or(celebrated)
            .filter(|age| (1.0..130.0).contains(age) && age.fract() == 0.0)
            .map(|age| age as i32)
    })
}
