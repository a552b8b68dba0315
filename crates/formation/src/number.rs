//! Numbers and addresses that identify a person: e-mail, telephone, payment card, bank account.
//!
//! Cards and accounts carry check digits, so a number that merely looks like one is let pass. The first
//! two may be remembered as what they are; a card or an account never is.

use std::ops::Range;

/// What a number identifies a person by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NumberKind {
    /// An e-mail address.
    Email,
    /// A telephone number.
    Phone,
    /// A payment card.
    Card,
    /// An international bank account.
    Account,
}

/// One such number in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    /// What it is.
    pub kind: NumberKind,
    /// Where it stands, in bytes.
    pub range: Range<usize>,
}

/// Every number in `text` that identifies a person, in order and without overlap.
#[must_use]
pub fn numbers(text: &str) -> Vec<Number> {
    let mut found: Vec<Number> = emails(text).collect();
    for kind in [account, card, phone] {
        for candidate in runs(text) {
            let is_free = found.iter().all(|other| !overlaps(&other.range, &candidate));
            if is_free && let Some(number) = text.get(candidate.clone()).and_then(|run| kind(run, &candidate))
            {
                found.push(number);
            }
        }
    }
    found.sort_by_key(|number| number.range.start);
    found
}

fn overlaps(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

fn emails(text: &str) -> impl Iterator<Item = Number> + '_ {
    text.match_indices('@').filter_map(|(at, _)| {
        let local = |c: char| c.is_alphanumeric() || "._%+-".contains(c);
        let host = |c: char| c.is_alphanumeric() || ".-".contains(c);
        let before = text.get(..at)?;
        let start = before.trim_end_matches(local).len();
        let start = start + (before.len() - start - before.get(start..)?.trim_start_matches('.').len());
        let after = text.get(at + 1..)?;
        let end = after.find(|c| !host(c)).unwrap_or(after.len());
        let domain = after.get(..end)?.trim_end_matches(['.', '-']);
        let (name, top) = domain.rsplit_once('.')?;
        let is_address = start < at
            && !name.is_empty()
            && top.chars().count() >= 2
            && top.chars().all(char::is_alphabetic);
        is_address.then(|| Number { kind: NumberKind::Email, range: start..at + 1 + domain.len() })
    })
}

/// Stretches that could be a number: digits with the few signs people put between them, and, for
/// accounts, the letters of their country.
fn runs(text: &str) -> Vec<Range<usize>> {
    let mut runs = Vec::new();
    let mut open: Option<Range<usize>> = None;
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        let goes_on =
            c.is_ascii_digit() || (open.is_some() && " -./()".contains(c)) || c.is_ascii_uppercase();
        let starts = open.is_none()
            && !before.is_alphanumeric()
            && (c.is_ascii_digit() || "+(".contains(c) || c.is_ascii_uppercase());
        match &mut open {
            Some(run) if goes_on => run.end = at + c.len_utf8(),
            Some(_) => runs.extend(open.take()),
            None if starts => open = Some(at..at + c.len_utf8()),
            None => {}
        }
        before = c;
    }
    runs.extend(open);
    let trimmed = |run: Range<usize>| {
        let words =
            text.get(run.clone()).unwrap_or_default().trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
        run.start..run.start + words.len()
    };
    runs.into_iter().map(trimmed).collect()
}

fn digits(run: &str) -> Vec<u32> {
    run.chars().filter_map(|c| c.to_digit(10)).collect()
}

fn card(run: &str, range: &Range<usize>) -> Option<Number> {
    let only_spaced = run.chars().all(|c| c.is_ascii_digit() || " -".contains(c));
    let digits = digits(run);
    let is_card = only_spaced && (13..=19).contains(&digits.len()) && luhn(&digits);
    is_card.then(|| Number { kind: NumberKind::Card, range: range.clone() })
}

/// The check digit of payment cards: from the right, every second digit doubled, the sum a multiple of ten.
fn luhn(digits: &[u32]) -> bool {
    let doubled = |digit: u32| if digit > 4 { digit * 2 - 9 } else { digit * 2 };
    let weigh = |(place, digit): (usize, &u32)| if place % 2 == 1 { doubled(*digit) } else { *digit };
    let sum: u32 = digits.iter().rev().enumerate().map(weigh).sum();
    sum > 0 && sum.is_multiple_of(10)
}

fn account(run: &str, range: &Range<usize>) -> Option<Number> {
    let plain: String = run.chars().filter(char::is_ascii_alphanumeric).collect();
    // A sentence may lead up to the account, or go on after it, in capitals too.
    let within = |from: usize| {
        let rest = plain.get(from..).unwrap_or_default();
        (15..=rest.len().min(34)).any(|length| rest.get(..length).is_some_and(iban))
    };
    let is_account = (0..plain.len()).any(within);
    is_account.then(|| Number { kind: NumberKind::Account, range: range.clone() })
}

/// The check of ISO 13616: the first four characters to the end, letters as 10 to 35, and 1 remains modulo 97.
fn iban(plain: &str) -> bool {
    let (Some(head), Some(rest)) = (plain.get(..4), plain.get(4..)) else { return false };
    let has_shape = head.chars().take(2).all(|c| c.is_ascii_uppercase())
        && head.chars().skip(2).all(|c| c.is_ascii_digit());
    let value = |remainder: u32, c: char| {
        let number = c.to_digit(36).unwrap_or(0);
        (remainder * if number > 9 { 100 } else { 10 } + number) % 97
    };
    has_shape && rest.chars().chain(head.chars()).fold(0, value) == 1
}

fn phone(run: &str, range: &Range<usize>) -> Option<Number> {
    let only_dialled = run.chars().all(|c| c.is_ascii_digit() || " -./()+".contains(c));
    let count = digits(run).len();
    let is_international = run.starts_with('+') && (8..=15).contains(&count);
    let is_national = run.starts_with(['0', '(']) && (9..=12).contains(&count);
    let is_grouped = (9..=11).contains(&count) && run.matches([' ', '-', '.']).count() >= 2 && !is_date(run);
    let is_phone = only_dialled && (is_international || is_national || is_grouped) && !is_date(run);
    is_phone.then(|| Number { kind: NumberKind::Phone, range: range.clone() })
}

/// Dates have groups of digits too, but never more than eight digits, and a year among them.
fn is_date(run: &str) -> bool {
    let groups: Vec<&str> =
        run.split(|c: char| !c.is_ascii_digit()).filter(|group| !group.is_empty()).collect();
    digits(run).len() <= 8
        && groups.iter().any(|group| group.len() == 4 && (group.starts_with("19") || group.starts_with("20")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_identify_a_person_are_found_and_others_let_pass() {
        use NumberKind::{Account, Card, Email, Phone};
        for (text, expected) in [
            ("write to ana.pop@example.ro, please", vec![(Email, "ana.pop@example.ro")]),
            ("me@localhost or a@b", vec![]),
            ("my number is +40 722 123 456.", vec![(Phone, "+40 722 123 456")]),
            ("call 0722 123 456 or (030) 123-4567", vec![(Phone, "0722 123 456"), (Phone, "(030) 123-4567")]),
            ("card 4111 1111 1111 1111 ok", vec![(Card, "4111 1111 1111 1111")]),
            ("order 4111 1111 1111 1112", vec![]),
            ("IBAN RO49 AAAA 1B31 0075 9384 0000", vec![(Account, "IBAN RO49 AAAA 1B31 0075 9384 0000")]),
            ("DE89370400440532013000", vec![(Account, "DE89370400440532013000")]),
            ("DE89370400440532013001", vec![]),
            ("on 2026-04-22 at 14:18 in room 1204", vec![]),
            ("we were 12 people, 1999 to 2004", vec![]),
            ("", vec![]),
        ] {
            let found: Vec<(NumberKind, &str)> =
                numbers(text).into_iter().map(|number| (number.kind, &text[number.range])).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
