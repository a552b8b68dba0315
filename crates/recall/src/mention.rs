//! Whether a text mentions a memory, so that callers can report what was used without markup.

use std::collections::BTreeSet;

use domain::rehearsal::MENTIONED_SHARE;
use domain::short_id::named;
use domain::{Atom, MemoryId};

use crate::arithmetic::count;
use crate::words::{Lexicon, Term};

/// The details of `atom` that `text` mentions, by position; `None` if it does not mention the memory.
///
/// A gist or a detail is mentioned by most of its content words, the whole memory by its id: in full, or as the prompt
/// with the memories `shown` has it.
#[must_use]
pub fn mentions(atom: &Atom, shown: &[MemoryId], text: &str, language: &str) -> Option<Vec<usize>> {
    let mut lexicon = Lexicon::new(language);
    let said: BTreeSet<Term> = lexicon.terms(text).into_iter().collect();
    let mut is_mentioned = |words: &str| {
        let content: BTreeSet<Term> = lexicon.terms(words).into_iter().collect();
        let shared = content.intersection(&said).count();
        shared > 0 && f64::from(count(shared) / count(content.len())) >= MENTIONED_SHARE
    };
    let named = named(text, shown).contains(&atom.id) || is_mentioned(atom.gist.as_str());
    let details = atom.details.iter().enumerate();
    let spoken: Vec<usize> = details
        .filter(|(_, detail)| is_mentioned(detail.content.as_str()))
        .map(|(position, _)| position)
        .collect();
    (named || !spoken.is_empty()).then_some(spoken)
}

#[cfg(test)]
mod tests {
    use domain::example;

    use super::*;

    #[test]
    fn a_memory_is_mentioned_by_most_of_its_words_or_by_its_id() {
        let atom = example::guest_atom();
        for (reply, expected) in [
            (
                "Of course, you thanked me for the restaurant suggestion last week, a guest returning by name!",
                Some(vec![]),
            ),
            ("You said the seafood was excellent.", Some(vec![2])),
            ("You wore that blue scarf, and it was raining outside.", Some(vec![0, 1])),
            ("As [mem:7f3a8b2c0d3e] tells me, hello.", Some(vec![])),
            ("As [mem:7f3a8b...] tells me, hello.", Some(vec![])),
            ("As [mem:7f3a8c...] tells me, hello.", None),
            ("Would you like a quiet room?", None),
            ("", None),
        ] {
            assert_eq!(mentions(&atom, &[atom.id], reply, "en"), expected, "{reply}");
        }
    }
}
