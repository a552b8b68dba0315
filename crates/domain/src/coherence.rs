//! The effect of forgetting one memory on the memories derived from it.
//!
//! The rule is conservative: a memory derived from a forgotten one is hidden at once. It is derived again
//! if enough of its sources remain, and forgotten too if not, which may affect further memories.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Atom, MemoryId, PrivacyClass, RedactionStatus, SubjectRef};

/// The part of an atom that lineage depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lineage {
    /// The memory's id.
    pub id: MemoryId,
    /// The memories it was derived from.
    pub derived_from: Vec<MemoryId>,
    /// The subject it belongs to.
    pub subject: Option<SubjectRef>,
    /// Its class: an aggregate needs enough subjects, not only enough sources.
    pub privacy_class: PrivacyClass,
    /// Whether it may be recalled. If not, it can't be used as a source either, since deriving from it
    /// would reveal it.
    pub is_recallable: bool,
}

impl From<&Atom> for Lineage {
    fn from(atom: &Atom) -> Self {
        let Atom { id, derived_from, subject, privacy_class, .. } = atom;
        Self {
            id: *id,
            derived_from: derived_from.clone(),
            subject: subject.clone(),
            privacy_class: *privacy_class,
            is_recallable: atom.redaction_status == RedactionStatus::Active && atom.archived_at.is_none(),
        }
    }
}

/// What to do with a memory derived from a forgotten one. Until then the memory is hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consequence {
    /// Enough sources remain: derive it again from them.
    Rederive,
    /// Too few sources remain: forget it as well.
    Redact,
}

/// The number of sources that must remain for a memory to be derived again.
const SOURCES_TO_REDERIVE: usize = 2;

/// Computes the effect of forgetting `forgotten` on the rest of `memories`, along chains of any length.
#[must_use]
pub fn consequences(forgotten: &BTreeSet<MemoryId>, memories: &[Lineage]) -> BTreeMap<MemoryId, Consequence> {
    let by_id: BTreeMap<MemoryId, &Lineage> = memories.iter().map(|memory| (memory.id, memory)).collect();
    let mut gone = forgotten.clone();
    let mut outcome = BTreeMap::new();
    loop {
        let before = (gone.len(), outcome.len());
        for memory in memories.iter().filter(|memory| !forgotten.contains(&memory.id)) {
            if memory.derived_from.iter().any(|source| gone.contains(source) || outcome.contains_key(source))
            {
                let consequence = decide(memory, &gone, &by_id);
                if consequence == Consequence::Redact {
                    gone.insert(memory.id);
                }
                outcome.insert(memory.id, consequence);
            }
        }
        if before == (gone.len(), outcome.len()) {
            return outcome;
        }
    }
}

fn decide(memory: &Lineage, gone: &BTreeSet<MemoryId>, by_id: &BTreeMap<MemoryId, &Lineage>) -> Consequence {
    let remaining: Vec<&Lineage> = memory
        .derived_from
        .iter()
        .filter(|source| !gone.contains(source))
        .filter_map(|source| by_id.get(source).copied())
        .filter(|source| source.is_recallable)
        .collect();
    let people: BTreeSet<&SubjectRef> =
        remaining.iter().filter_map(|source| source.subject.as_ref()).collect();
    let enough = match memory.privacy_class {
        PrivacyClass::Aggregate => people.len() >= PrivacyClass::AGGREGATE_SUBJECTS,
        PrivacyClass::NonPii
        | PrivacyClass::CommercialConfidential
        | PrivacyClass::StaffPii
        | PrivacyClass::GuestPii
        | PrivacyClass::SensitivePii => remaining.len() >= SOURCES_TO_REDERIVE,
    };
    if enough { Consequence::Rederive } else { Consequence::Redact }
}

/// The replacement for the id of a forgotten memory in a text.
pub const FORGOTTEN: &str = "[forgotten]";

/// `text` without the marks of forgotten parts, for listeners who must not learn that anything was forgotten.
#[must_use]
pub fn unspoken(text: &str) -> std::borrow::Cow<'_, str> {
    if !text.contains(FORGOTTEN) {
        return text.into();
    }
    let line = |line: &str| {
        if !line.contains(FORGOTTEN) {
            return line.to_owned();
        }
        let indent: String = line.chars().take_while(|character| *character == ' ').collect();
        let words: Vec<&str> = line.split(FORGOTTEN).flat_map(str::split_whitespace).collect();
        let mut kept = words.join(" ");
        for sign in [",", ".", ";", ":", "!", "?", ")"] {
            kept = kept.replace(&format!(" {sign}"), sign);
        }
        indent + kept.replace("( ", "(").replace("()", "").trim()
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n").into()
}

/// `text` without references to memories: an id means nothing to a listener, and its memory may be forgotten.
#[must_use]
pub fn without_references(text: &str) -> std::borrow::Cow<'_, str> {
    const PREFIX: &str = "mem:";
    const DIGITS: usize = 12;
    if !text.contains(PREFIX) {
        return unspoken(text);
    }
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(PREFIX) {
        let (before, from) = rest.split_at(at);
        let name = from.get(..PREFIX.len() + DIGITS).unwrap_or_default();
        kept.push_str(before);
        if name.parse::<MemoryId>().is_ok() {
            kept.push_str(FORGOTTEN);
            rest = from.get(name.len()..).unwrap_or_default();
        } else {
            kept.push_str(PREFIX);
            rest = from.get(PREFIX.len()..).unwrap_or_default();
        }
    }
    kept.push_str(rest);
    let bracketed = format!("[{FORGOTTEN}]");
    unspoken(&kept.replace(&bracketed, FORGOTTEN)).into_owned().into()
}

/// Replaces every mention of a forgotten memory's id in `words`; `None` when there is none.
#[must_use]
pub fn replace_references(words: &str, forgotten: &BTreeSet<MemoryId>) -> Option<String> {
    let replaced = forgotten.iter().fold(words.to_owned(), |text, id| {
        let name = id.to_string();
        text.replace(&format!("[{name}]"), FORGOTTEN).replace(&name, FORGOTTEN)
    });
    (replaced != words).then_some(replaced)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory(id: u64, from: &[u64], subject: Option<&str>, privacy_class: PrivacyClass) -> Lineage {
        Lineage {
            id: MemoryId::from_u64(id),
            derived_from: from.iter().copied().map(MemoryId::from_u64).collect(),
            subject: subject.map(|s| s.parse().unwrap()),
            privacy_class,
            is_recallable: true,
        }
    }

    fn forget(ids: &[u64], memories: &[Lineage]) -> Vec<(u64, Consequence)> {
        let forgotten = ids.iter().copied().map(MemoryId::from_u64).collect();
        consequences(&forgotten, memories).into_iter().map(|(id, what)| (id.as_u64(), what)).collect()
    }

    #[test]
    fn two_remaining_sources_are_enough_and_one_is_not() {
        let pii = PrivacyClass::GuestPii;
        let memories = [
            memory(1, &[], Some("ana"), pii),
            memory(2, &[], Some("ana"), pii),
            memory(3, &[], Some("ana"), pii),
            memory(10, &[1, 2, 3], Some("ana"), pii),
            memory(11, &[1, 2], Some("ana"), pii),
            memory(12, &[2, 3], Some("ana"), pii),
        ];
        assert_eq!(forget(&[1], &memories), [(10, Consequence::Rederive), (11, Consequence::Redact)]);
    }

    #[test]
    fn an_aggregate_needs_five_people_whatever_the_number_of_sources() {
        let people = ["a", "b", "c", "d", "e", "f"];
        let mut memories: Vec<Lineage> =
            (1..).zip(people).map(|(id, who)| memory(id, &[], Some(who), PrivacyClass::GuestPii)).collect();
        memories.push(memory(10, &[1, 2, 3, 4, 5, 6], None, PrivacyClass::Aggregate));
        assert_eq!(forget(&[1], &memories), [(10, Consequence::Rederive)]);
        assert_eq!(forget(&[1, 2], &memories), [(10, Consequence::Redact)]);
    }

    #[test]
    fn chains_are_followed_to_their_end_and_cycles_end_too() {
        let pii = PrivacyClass::GuestPii;
        let chain = [
            memory(4, &[3], None, pii),
            memory(3, &[2], None, pii),
            memory(2, &[1], None, pii),
            memory(1, &[], None, pii),
        ];
        let all = [(2, Consequence::Redact), (3, Consequence::Redact), (4, Consequence::Redact)];
        assert_eq!(forget(&[1], &chain), all);
        let cycle = [memory(1, &[], None, pii), memory(2, &[1, 3], None, pii), memory(3, &[2], None, pii)];
        assert_eq!(forget(&[1], &cycle), [(2, Consequence::Redact), (3, Consequence::Redact)]);
    }

    #[test]
    fn what_came_from_a_rederived_memory_is_looked_at_again() {
        let pii = PrivacyClass::GuestPii;
        let memories = [
            memory(1, &[], None, pii),
            memory(2, &[], None, pii),
            memory(3, &[], None, pii),
            memory(10, &[1, 2, 3], None, pii),
            memory(20, &[10, 2], None, pii),
        ];
        assert_eq!(forget(&[1], &memories), [(10, Consequence::Rederive), (20, Consequence::Rederive)]);
    }

    #[test]
    fn a_redacted_memory_is_not_a_source_to_derive_from() {
        let pii = PrivacyClass::GuestPii;
        let mut memories = [
            memory(1, &[], None, pii),
            memory(2, &[], None, pii),
            memory(3, &[], None, pii),
            memory(10, &[1, 2, 3], None, pii),
        ];
        memories[2].is_recallable = false;
        assert_eq!(forget(&[1], &memories), [(10, Consequence::Redact)]);
    }

    #[test]
    fn references_to_a_forgotten_memory_are_removed_and_others_stay() {
        let forgotten = BTreeSet::from([MemoryId::from_u64(0xabc)]);
        let replaced =
            replace_references("see [mem:000000000abc], mem:000000000abc and mem:000000000def", &forgotten);
        assert_eq!(replaced.as_deref(), Some("see [forgotten], [forgotten] and mem:000000000def"));
        assert_eq!(replace_references("nothing here", &forgotten), None);
    }

    #[test]
    fn nobody_learns_that_something_was_forgotten() {
        for (text, spoken) in [
            ("Ana came with [forgotten], as in [forgotten].", "Ana came with, as in."),
            ("nothing of the kind", "nothing of the kind"),
            ("  - see [forgotten] again\nand more", "  - see again\nand more"),
        ] {
            assert_eq!(unspoken(text), spoken);
        }
    }

    #[test]
    fn a_listener_learns_no_id() {
        for (text, spoken) in [
            ("It began with mem:db3648a9cfcc at the mirror.", "It began with at the mirror."),
            ("See [mem:db3648a9cfcc].", "See."),
            ("A mem: of nothing, mem:xyz.", "A mem: of nothing, mem:xyz."),
        ] {
            assert_eq!(without_references(text), spoken);
        }
    }
}
