//! Whether two memories are the same: the law by which talk that repeats itself adds nothing.
//!
//! Content words decide, stemmed in the language at hand. Numbers, names and negation must agree, since
//! "room 12" is not "room 21" and "likes fish" is not "does not like fish", however many words they share.

use std::collections::BTreeSet;

use domain::Text;
use recall::words::{Lexicon as Stems, Term};

use crate::cue::Cue;
use crate::draft::Draft;
use crate::lexicon::{LANGUAGES, Lexicon};
use crate::sentence::sentences;
use crate::word::{Word, words};

/// A memory the persona has.
#[derive(Clone, Copy, Debug)]
pub struct Known<'a> {
    /// Its gist.
    pub gist: &'a str,
    /// Its details.
    pub details: &'a [&'a str],
}

/// How a draft compares with a memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Likeness {
    /// It says nothing new.
    Same,
    /// It is the same and says more: the details to add.
    Adds(Vec<Text>),
    /// It is another memory.
    Different,
}

/// The share of a text's content words that must be found in another to be said by it.
const SAID: f64 = 0.75;
/// The share of the known gist that a draft must touch to be about the same.
const TOUCHED: f64 = 0.5;

/// How `draft` compares with `known`, in `language`.
#[must_use]
pub fn likeness(known: &Known<'_>, draft: &Draft, language: &str) -> Likeness {
    let mut reader = Reader::new(language);
    let old = reader.read(known.gist);
    let everything = reader.read(&[&[known.gist], known.details].concat().join(". "));
    let new = reader.read(draft.gist.as_str());
    let is_said = share(&new.terms, &everything.terms) >= SAID && share(&old.terms, &new.terms) >= TOUCHED;
    let says_more = share(&old.terms, &new.terms) >= SAID && old.terms.len() > 1;
    if !agree(&old, &everything, &new) || !(is_said || says_more) {
        return Likeness::Different;
    }
    let mut added = Vec::new();
    if !is_said {
        added.push(Text::new(unframed(draft.gist.as_str())));
    }
    for (detail, _) in &draft.details {
        let terms = reader.read(detail.as_str()).terms;
        if share(&terms, &everything.terms) < 1.0 {
            added.push(detail.clone());
        }
    }
    if added.is_empty() { Likeness::Same } else { Likeness::Adds(added) }
}

/// Whether `said` only gives back a statement of `before`; the answer to a question is no echo.
pub(crate) fn echoes(said: &str, before: &str, language: &str) -> bool {
    let told: Vec<&str> = sentences(before).into_iter().filter(|sentence| !sentence.ends_with('?')).collect();
    repeats(said, &told.join(" "), language)
}

/// Whether everything `said` stands in `known` already.
pub(crate) fn repeats(said: &str, known: &str, language: &str) -> bool {
    let mut reader = Reader::new(language);
    let (new, old) = (reader.read(said), reader.read(known));
    new.terms.len() > 1 && share(&new.terms, &old.terms) >= 0.9 && agree(&old, &old, &new)
}

/// What is compared of a text.
struct Read {
    terms: BTreeSet<Term>,
    numbers: BTreeSet<String>,
    names: BTreeSet<String>,
    is_negated: bool,
}

struct Reader {
    stems: Stems,
    lexicon: Option<&'static Lexicon>,
}

impl Reader {
    fn new(language: &str) -> Self {
        let primary = language.split(['-', '_']).next().unwrap_or_default();
        Self { stems: Stems::new(language), lexicon: Lexicon::of(primary) }
    }

    fn read(&mut self, text: &str) -> Read {
        let text = unframed(text);
        let words = words(text);
        let hits = self.lexicon.map(|lexicon| lexicon.hits(&words)).unwrap_or_default();
        let counts = hits.iter().filter_map(|hit| hit.cue.counted()).filter(|count| *count > 1);
        let counts = counts.map(|count| count.to_string());
        let figures = words.iter().filter(|word| word.is_number()).map(|word| word.folded.clone());
        let names = words
            .iter()
            .enumerate()
            .filter(|(at, word)| *at > 0 && is_name(word))
            .map(|(_, word)| word.folded.clone());
        let emphasis: BTreeSet<Term> = hits
            .iter()
            .filter(|hit| matches!(hit.cue, Cue::Intense | Cue::Hedge))
            .filter_map(|hit| words.get(hit.words.clone()))
            .flatten()
            .filter_map(|word| self.stems.term(text.get(word.range.clone())?))
            .collect();
        Read {
            terms: self.stems.terms(text).into_iter().filter(|term| !emphasis.contains(term)).collect(),
            numbers: figures.chain(counts).collect(),
            names: names.collect(),
            is_negated: hits.iter().any(|hit| hit.cue == Cue::Negation),
        }
    }
}

fn is_name(word: &Word) -> bool {
    word.is_capital && word.folded.len() > 1
}

/// Whether numbers, names and negation allow two texts to be the same.
fn agree(old: &Read, everything: &Read, new: &Read) -> bool {
    let differ = |old: &BTreeSet<String>, all: &BTreeSet<String>, new: &BTreeSet<String>| {
        !new.is_subset(all) && !old.is_subset(new)
    };
    old.is_negated == new.is_negated
        && !differ(&old.numbers, &everything.numbers, &new.numbers)
        && !differ(&old.names, &everything.names, &new.names)
}

#[expect(clippy::cast_precision_loss, reason = "a text has far fewer words than 2^52")]
fn share(of: &BTreeSet<Term>, found_in: &BTreeSet<Term>) -> f64 {
    if of.is_empty() { 1.0 } else { of.intersection(found_in).count() as f64 / of.len() as f64 }
}

/// A gist without the words that say who said it.
fn unframed(gist: &str) -> &str {
    let frames = LANGUAGES.iter().filter_map(|language| Lexicon::of(language));
    let mut frames = frames.flat_map(|list| [list.frame("guest"), list.frame("owner")]);
    frames.find_map(|frame| gist.strip_prefix(frame)).unwrap_or(gist).trim()
}

#[cfg(test)]
mod tests {
    use domain::{Brightness, Kind, PrivacyClass, Salience, Valence};

    use super::*;

    fn draft(gist: &str) -> Draft {
        Draft {
            kind: Kind::Semantic,
            gist: Text::from(gist),
            details: Vec::new(),
            salience: Salience::clamped(0.5),
            valence: Valence::clamped(0.0),
            privacy_class: PrivacyClass::GuestPii,
            tags: Vec::new(),
        }
    }

    #[test]
    fn the_same_words_are_the_same_memory_and_other_facts_are_not() {
        use Likeness::{Different, Same};
        for (known, said, expected) in [
            ("The guest said: I love seafood.", "The guest said: I really love the seafood.", Same),
            ("The guest said: I live in Cluj.", "The guest said: I live in Bonn.", Different),
            ("The guest said: My room is 12.", "The guest said: My room is 21.", Different),
            ("The guest said: I have two dogs.", "The guest said: I have three dogs.", Different),
            ("The guest said: I like fish.", "The guest said: I don't like fish.", Different),
            ("The guest said: I love seafood.", "The guest said: I work in a bank.", Different),
        ] {
            let known = Known { gist: known, details: &[] };
            assert_eq!(likeness(&known, &draft(said), "en"), expected, "{said}");
        }
    }

    #[test]
    fn what_is_new_in_a_repetition_becomes_a_detail() {
        let known = Known { gist: "The guest said: My dog Bruno sleeps here.", details: &["he is nine"] };
        let longer = draft("The guest said: My dog Bruno sleeps here under the old table every afternoon.");
        let expected = Text::from("My dog Bruno sleeps here under the old table every afternoon.");
        assert_eq!(likeness(&known, &longer, "en"), Likeness::Adds(vec![expected]));
        let mut detailed = draft("The guest said: My dog Bruno sleeps here.");
        detailed.details =
            ["he is nine", "he snores"].map(|detail| (Text::from(detail), Brightness::MOST)).to_vec();
        assert_eq!(likeness(&known, &detailed, "en"), Likeness::Adds(vec![Text::from("he snores")]));
    }
}
