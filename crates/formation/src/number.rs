//! Numbers and addresses that identify a person: e-mail, telephone, payment card, bank account.
//!
//! Cards and accounts carry check digits, so a number that merely looks like one is let pass. The first
//! two may be remembered as what they are; a card or an account never is, however it is spaced.

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
    found.extend(accounts(text).into_iter().chain(cards(text)).chain(phones(text)));
    found.sort_by_key(|number| (number.range.start, rank(number.kind)));
    let mut end = 0;
    found.retain(|number| {
        let is_free = number.range.start >= end;
        if is_free {
            end = number.range.end;
        }
        is_free
    });
    found
}

/// Stands where a card or an account stood, so that the clause around it can be left out too.
pub(crate) const WITHHELD: char = '\u{E000}';

/// `text` with [`WITHHELD`] in place of every card and account.
pub(crate) fn without_payment(text: &str) -> String {
    let mut secrets: Vec<Range<usize>> =
        accounts(text).into_iter().chain(cards(text)).map(|number| number.range).collect();
    secrets.sort_by_key(|range| range.start);
    let mut kept = String::with_capacity(text.len());
    let mut from = 0;
    for secret in secrets {
        if secret.start >= from {
            kept.push_str(text.get(from..secret.start).unwrap_or_default());
            kept.push(WITHHELD);
        }
        from = from.max(secret.end);
    }
    kept.push_str(text.get(from..).unwrap_or_default());
    kept
}

/// Where two numbers begin alike, an account is more than a card, and a card more than a telephone.
fn rank(kind: NumberKind) -> u8 {
    match kind {
        NumberKind::Email => 0,
        NumberKind::Account => 1,
        NumberKind::Card => 2,
        NumberKind::Phone => 3,
    }
}

fn emails(text: &str) -> impl Iterator<Item = Number> + '_ {
    text.match_indices('@').filter_map(|(at, _)| {
        let local = |c: char| c.is_alphanumeric() || "._%+-".contains(c);
        let host = |c: char| c.is_alphanumeric() || ".-".contains(c);
        let (before, after) = (text.get(..at)?, text.get(at + 1..)?);
        let length: usize =
            before.chars().rev().take(LONGEST_PART).take_while(|c| local(*c)).map(char::len_utf8).sum();
        let name = before.get(at - length..)?.trim_start_matches('.');
        let end: usize = after.chars().take(LONGEST_PART).take_while(|c| host(*c)).map(char::len_utf8).sum();
        let domain = after.get(..end)?.trim_end_matches(['.', '-']);
        let (host, top) = domain.rsplit_once('.')?;
        let is_address = !name.is_empty()
            && !host.is_empty()
            && top.chars().count() >= 2
            && top.chars().all(char::is_alphabetic);
        is_address.then(|| Number { kind: NumberKind::Email, range: at - name.len()..at + 1 + domain.len() })
    })
}

/// No part of an address is longer, so a text of nothing but `@` takes no more time than another.
const LONGEST_PART: usize = 128;

/// Digits that stand together.
struct Group {
    digits: Vec<u32>,
    range: Range<usize>,
}

/// Groups of digits, in chains that nothing but signs and space keeps apart.
fn chains(text: &str) -> Vec<Vec<Group>> {
    let mut chains: Vec<Vec<Group>> = Vec::new();
    let mut is_open = false;
    let mut comma = false;
    let mut apart = 0;
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        if let Some(digit) = digit(c) {
            let is_joined = is_open && apart <= MOST_APART;
            match chains.last_mut().filter(|_| is_joined) {
                Some(chain) if apart == 0 => extend(chain, digit, end),
                Some(chain) => chain.push(Group { digits: vec![digit], range: at..end }),
                None => chains.push(vec![Group { digits: vec![digit], range: at..end }]),
            }
            (is_open, apart, comma) = (true, 0, false);
        } else {
            is_open &= !(c.is_alphanumeric() || comma && c.is_whitespace());
            comma = c == ',';
            apart += 1;
        }
    }
    chains
}

/// More signs than these between two groups, and they are two numbers.
const MOST_APART: usize = 12;

fn extend(chain: &mut [Group], digit: u32, end: usize) {
    if let Some(group) = chain.last_mut() {
        group.digits.push(digit);
        group.range.end = end;
    }
}

/// The value of a digit, also of the wide ones of East Asian keyboards.
fn digit(c: char) -> Option<u32> {
    match c {
        '０'..='９' => Some(u32::from(c) - u32::from('０')),
        c => c.to_digit(10),
    }
}

fn cards(text: &str) -> Vec<Number> {
    let mut found = Vec::new();
    for chain in chains(text) {
        let mut rest = chain.as_slice();
        while let [first, others @ ..] = rest {
            let card = card(rest);
            found.extend(
                card.iter().map(|(_, end)| Number { kind: NumberKind::Card, range: first.range.start..*end }),
            );
            rest = card.and_then(|(groups, _)| rest.get(groups..)).unwrap_or(others);
        }
    }
    found
}

/// How many of `groups`, from the first, make a card, and where it ends.
fn card(groups: &[Group]) -> Option<(usize, usize)> {
    let mut digits: Vec<u32> = Vec::new();
    for (place, group) in groups.iter().enumerate() {
        digits.extend(&group.digits);
        let is_glued = place == 0 && digits.len() > 19;
        let lengths = if is_glued { 13..=19 } else { digits.len()..=digits.len() };
        let is_card = lengths
            .filter(|length| (13..=19).contains(length))
            .any(|length| digits.get(..length).is_some_and(|card| is_issued(card) && luhn(card)));
        if is_card {
            return Some((place + 1, group.range.end));
        }
        if digits.len() > 19 {
            return None;
        }
    }
    None
}

/// Payment cards begin with 2 to 6.
fn is_issued(digits: &[u32]) -> bool {
    digits.first().is_some_and(|first| (2..=6).contains(first))
}

/// The check digit of payment cards: from the right, every second digit doubled, the sum a multiple of ten.
fn luhn(digits: &[u32]) -> bool {
    let doubled = |digit: u32| if digit > 4 { digit * 2 - 9 } else { digit * 2 };
    let weigh = |(place, digit): (usize, &u32)| if place % 2 == 1 { doubled(*digit) } else { *digit };
    let sum: u32 = digits.iter().rev().enumerate().map(weigh).sum();
    sum > 0 && sum.is_multiple_of(10)
}

fn accounts(text: &str) -> Vec<Number> {
    let mut found: Vec<Number> = Vec::new();
    let mut before = ' ';
    let mut end = 0;
    for (at, c) in text.char_indices() {
        if c.is_ascii_alphabetic() && !before.is_alphanumeric() && at >= end {
            let account = text.get(at..).and_then(account);
            end = account.map_or(end, |length| at + length);
            found.extend(account.map(|length| Number { kind: NumberKind::Account, range: at..at + length }));
        }
        before = c;
    }
    found
}

/// How many bytes of `text`, from its start, are an account.
fn account(text: &str) -> Option<usize> {
    let country = text.get(..2)?;
    let length = COUNTRIES.iter().find(|(name, _)| name.eq_ignore_ascii_case(country))?.1;
    let mut plain = String::with_capacity(length);
    let mut apart = 0;
    for (at, c) in text.char_indices() {
        apart = if c.is_alphanumeric() { 0 } else { apart + 1 };
        match apart {
            0 => plain.push(c.to_ascii_uppercase()),
            1..=MOST_APART => continue,
            _ => return None,
        }
        if plain.chars().count() == length {
            return iban(&plain).then_some(at + c.len_utf8());
        }
    }
    None
}

/// How long an account is in each country that has them.
#[rustfmt::skip]
const COUNTRIES: [(&str, usize); 78] = [
    ("AD", 24), ("AE", 23), ("AL", 28), ("AT", 20), ("AZ", 28), ("BA", 20), ("BE", 16), ("BG", 22), ("BH", 22),
    ("BR", 29), ("BY", 28), ("CH", 21), ("CR", 22), ("CY", 28), ("CZ", 24), ("DE", 22), ("DK", 18), ("DO", 28),
    ("EE", 20), ("EG", 29), ("ES", 24), ("FI", 18), ("FO", 18), ("FR", 27), ("GB", 22), ("GE", 22), ("GI", 23),
    ("GL", 18), ("GR", 27), ("GT", 28), ("HR", 21), ("HU", 28), ("IE", 22), ("IL", 23), ("IQ", 23), ("IS", 26),
    ("IT", 27), ("JO", 30), ("KW", 30), ("KZ", 20), ("LB", 28), ("LC", 32), ("LI", 21), ("LT", 20), ("LU", 20),
    ("LV", 21), ("LY", 25), ("MC", 27), ("MD", 24), ("ME", 22), ("MK", 19), ("MR", 27), ("MT", 31), ("MU", 30),
    ("NL", 18), ("NO", 15), ("PK", 24), ("PL", 28), ("PS", 29), ("PT", 25), ("QA", 29), ("RO", 24), ("RS", 22),
    ("SA", 24), ("SC", 31), ("SD", 18), ("SE", 24), ("SI", 19), ("SK", 24), ("SM", 27), ("ST", 25), ("SV", 28),
    ("TL", 23), ("TN", 24), ("TR", 26), ("UA", 29), ("VA", 22), ("XK", 20),
];

/// The check of ISO 13616: the first four characters to the end, letters as 10 to 35, and 1 remains modulo 97.
fn iban(plain: &str) -> bool {
    let (Some(head), Some(rest)) = (plain.get(..4), plain.get(4..)) else { return false };
    let has_shape = head.chars().skip(2).all(|c| c.is_ascii_digit()) && rest.is_ascii();
    let value = |remainder: u32, c: char| {
        let number = c.to_digit(36).unwrap_or(0);
        (remainder * if number > 9 { 100 } else { 10 } + number) % 97
    };
    has_shape && rest.chars().chain(head.chars()).fold(0, value) == 1
}

fn phones(text: &str) -> Vec<Number> {
    let mut found = Vec::new();
    let mut open: Option<Range<usize>> = None;
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        let starts = !before.is_alphanumeric() && (c.is_ascii_digit() || "+(".contains(c));
        match &mut open {
            Some(run) if c.is_ascii_digit() || " -./()".contains(c) => run.end = at + c.len_utf8(),
            Some(_) => found.extend(open.take().and_then(|run| phone(text, run))),
            None if starts => open = Some(at..at + c.len_utf8()),
            None => {}
        }
        before = c;
    }
    found.extend(open.and_then(|run| phone(text, run)));
    found
}

fn phone(text: &str, run: Range<usize>) -> Option<Number> {
    let dialled = text.get(run.clone())?.trim_end_matches(|c: char| !c.is_ascii_digit());
    let count = dialled.chars().filter(char::is_ascii_digit).count();
    let is_international = dialled.starts_with('+') && (8..=15).contains(&count);
    let is_national = dialled.starts_with(['0', '(']) && (9..=12).contains(&count);
    let is_grouped = (9..=11).contains(&count) && dialled.matches([' ', '-', '.']).count() >= 2;
    let is_phone = (is_international || is_national || is_grouped) && !is_date(dialled, count);
    is_phone.then(|| Number { kind: NumberKind::Phone, range: run.start..run.start + dialled.len() })
}

/// Dates have groups of digits too, but never more than eight digits, and a year among them.
fn is_date(run: &str, count: usize) -> bool {
    let mut groups = run.split(|c: char| !c.is_ascii_digit());
    count <= 8 && groups.any(|group| group.len() == 4 && (group.starts_with("19") || group.starts_with("20")))
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
            ("4111.1111.1111.1111, 12/27", vec![(Card, "4111.1111.1111.1111")]),
            ("4111 1111 1111 1111 12/27 123", vec![(Card, "4111 1111 1111 1111")]),
            ("no 4111111111111111x", vec![(Card, "4111111111111111")]),
            ("４１１１ 1111\u{a0}1111 - 1111", vec![(Card, "４１１１ 1111\u{a0}1111 - 1111")]),
            ("order 4111 1111 1111 1112", vec![]),
            ("IBAN RO49 AAAA 1B31 0075 9384 0000", vec![(Account, "RO49 AAAA 1B31 0075 9384 0000")]),
            ("iban: ro49aaaa1b31007593840000.", vec![(Account, "ro49aaaa1b31007593840000")]),
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
