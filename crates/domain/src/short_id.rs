//! Memory ids as a prompt shows them: the first digits, as many as tell the memories of that prompt apart.

use std::collections::BTreeSet;

use crate::MemoryId;

/// The number of digits that are shown if they are enough.
const LEAST: usize = 6;
/// The number of digits of a whole id.
const WHOLE: usize = 12;
/// The sign that digits were left out.
const LEFT_OUT: &str = "...";

/// `id` as it is shown beside the others in `among`: `mem:7f3a8b...`, or whole where nothing shorter is unique.
#[must_use]
pub fn shortened(id: MemoryId, among: &[MemoryId]) -> String {
    let others = among.iter().filter(|other| **other != id);
    let shown = others.map(|other| shared_digits(id, *other) + 1).max().unwrap_or(0).max(LEAST);
    if shown >= WHOLE {
        return id.to_string();
    }
    let digits: String = digits(id).chars().take(shown).collect();
    format!("mem:{digits}{LEFT_OUT}")
}

/// Those of `among` that `text` names, whole or by their first digits. A beginning that several share names none.
#[must_use]
pub fn named(text: &str, among: &[MemoryId]) -> BTreeSet<MemoryId> {
    let after = text.match_indices("mem:").filter_map(|(at, mark)| text.get(at + mark.len()..));
    after.filter_map(|rest| resolved(leading_digits(rest), among)).collect()
}

/// `section` of a prompt with whole ids at the heads of its memories, for readers that call verbs by id.
#[must_use]
pub fn with_whole_ids(section: &str, among: &[MemoryId]) -> String {
    let line = |line: &str| {
        let rest = line.strip_prefix("[mem:")?;
        let digits = leading_digits(rest);
        let markers = rest.get(digits.len()..)?.strip_prefix(LEFT_OUT)?;
        Some(format!("[{}{markers}", resolved(digits, among)?))
    };
    section
        .split('\n')
        .map(|text| line(text).unwrap_or_else(|| text.to_owned()))
        .collect::<Vec<_>>()
        .join("\n")
}

/// Whether `text` is an id as a prompt shows it.
#[must_use]
pub fn is_shown_id(text: &str) -> bool {
    let Some(rest) = text.strip_prefix("mem:") else { return false };
    let digits = leading_digits(rest);
    match rest.get(digits.len()..) {
        Some("") => digits.len() == WHOLE,
        Some(LEFT_OUT) => (LEAST..WHOLE).contains(&digits.len()),
        Some(_) | None => false,
    }
}

fn resolved(typed: &str, among: &[MemoryId]) -> Option<MemoryId> {
    if !(LEAST..=WHOLE).contains(&typed.len()) {
        return None;
    }
    let mut fitting = among.iter().filter(|id| digits(**id).starts_with(typed));
    fitting.next().copied().filter(|_| fitting.next().is_none())
}

fn leading_digits(text: &str) -> &str {
    let is_digit = |character: char| matches!(character, '0'..='9' | 'a'..='f');
    let end = text.find(|character| !is_digit(character)).unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}

fn shared_digits(one: MemoryId, other: MemoryId) -> usize {
    digits(one).chars().zip(digits(other).chars()).take_while(|(one, other)| one == other).count()
}

fn digits(id: MemoryId) -> String {
    format!("{:012x}", id.as_u64())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(numbers: &[u64]) -> Vec<MemoryId> {
        numbers.iter().copied().map(MemoryId::from_u64).collect()
    }

    #[test]
    fn an_id_is_shown_by_as_many_digits_as_tell_it_apart() {
        for (numbers, expected) in [
            (vec![0x7f3a_8b2c_0d3e], "mem:7f3a8b..."),
            (vec![0x7f3a_8b2c_0d3e, 0xc20a_9100_0000], "mem:7f3a8b..."),
            (vec![0x7f3a_8b2c_0d3e, 0x7f3a_8b20_0000], "mem:7f3a8b2c..."),
            (vec![0x7f3a_8b2c_0d3e, 0x7f3a_8b2c_0d3f], "mem:7f3a8b2c0d3e"),
        ] {
            let among = ids(&numbers);
            let shown = shortened(among[0], &among);
            assert_eq!(shown, expected);
            assert!(is_shown_id(&shown));
            assert_eq!(named(&format!("As [{shown}] says"), &among), BTreeSet::from([among[0]]));
        }
    }

    #[test]
    fn only_what_names_one_memory_names_it() {
        let among = ids(&[0x7f3a_8b2c_0d3e, 0x7f3a_8b20_0000, 0xc20a_9100_0000]);
        for (text, expected) in [
            ("mem:7f3a8b2c0d3e", vec![0]),
            ("mem:c20a91 and mem:7f3a8b20...", vec![1, 2]),
            ("mem:7f3a8b...", vec![]),
            ("mem:c20a9", vec![]),
            ("mem:c20a910000001", vec![]),
            ("mem:é", vec![]),
            ("c20a91", vec![]),
        ] {
            let expected: BTreeSet<MemoryId> = expected.into_iter().map(|at: usize| among[at]).collect();
            assert_eq!(named(text, &among), expected, "{text}");
        }
    }

    #[test]
    fn heads_get_their_whole_ids_and_words_stay() {
        let among = ids(&[0x7f3a_8b2c_0d3e]);
        let section = "## What\n\n[mem:7f3a8b...] (vivid)\nSee \\[mem:7f3a8b...] there.\n";
        let whole = "## What\n\n[mem:7f3a8b2c0d3e] (vivid)\nSee \\[mem:7f3a8b...] there.\n";
        assert_eq!(with_whole_ids(section, &among), whole);
        assert_eq!(with_whole_ids(whole, &among), whole);
    }
}
