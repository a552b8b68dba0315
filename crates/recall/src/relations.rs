//! Names for relations: a question about "my wife" is about Clara, if the memories say "his wife Clara".
//!
//! No list of relations is needed. If a word of the cue comes directly before a name in some memory, that
//! name is searched for too; if a name of the cue comes directly after a word, that word is.

use unicode_segmentation::UnicodeSegmentation;

use crate::candidates::{Candidates, verdict};
use crate::index::Snapshot;
use crate::words::{Lexicon, Term};

/// A word in more memories than this is not a relation.
const MOST_MEMORIES: usize = 32;
/// No cue mentions more people than this.
const MOST_NAMES: usize = 8;

/// The terms that the candidates connect with the terms of a cue.
pub(crate) fn related(terms: &[Term], snapshot: &Snapshot, candidates: &Candidates) -> Vec<Term> {
    let mut lexicon = Lexicon::new(snapshot.language());
    let mut found = Vec::new();
    for term in terms {
        for row in rows_with(*term, snapshot, candidates) {
            for text in snapshot.texts(row) {
                found.extend(beside(*term, text, &mut lexicon));
            }
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    found.retain(|term| !terms.contains(term) && seen.insert(*term));
    found.truncate(MOST_NAMES);
    found
}

/// The candidates that contain `term`; none if there are too many.
fn rows_with(term: Term, snapshot: &Snapshot, candidates: &Candidates) -> Vec<usize> {
    let rows = snapshot.segments().flat_map(|(base, segment)| {
        segment.words.find(term).rows.iter().map(move |row| base + usize::from(*row))
    });
    let is_candidate = |row: &usize| candidates.verdicts.get(*row) == Some(&verdict::CANDIDATE);
    let rows: Vec<usize> = rows.filter(is_candidate).take(MOST_MEMORIES + 1).collect();
    if rows.len() > MOST_MEMORIES { Vec::new() } else { rows }
}

/// The names directly after `term` in `text`, and the words directly before it if it is a name.
fn beside(term: Term, text: &str, lexicon: &mut Lexicon) -> Vec<Term> {
    // Checking for capital letters first is far cheaper than tokenizing the text, and most texts have no
    // name.
    if !text.chars().skip(1).any(char::is_uppercase) {
        return Vec::new();
    }
    let words: Vec<&str> = text.unicode_words().collect();
    let mut found = Vec::new();
    for pair in words.windows(2) {
        let [word, name] = pair else { continue };
        if !is_name(name) {
            continue;
        }
        let (word, name) = (lexicon.term(word), lexicon.term(name));
        if word == Some(term) {
            found.extend(name);
        } else if name == Some(term) {
            found.extend(word);
        }
    }
    found
}

fn is_name(word: &str) -> bool {
    let mut letters = word.chars();
    letters.next().is_some_and(char::is_uppercase) && letters.next().is_some_and(char::is_lowercase)
}
