//! Places and names: capitalised words, distinguished by the preposition before them.

use recall::words::Term;

use crate::clause::Word;
use crate::subject::mixed;
use crate::vocabulary::Vocabulary;
use crate::word_list::WordList;

/// The capitalised words of a clause.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    /// Where it happened.
    pub(crate) places: Vec<Term>,
    /// Who or what else is named.
    pub(crate) people: Vec<Term>,
    /// To whom a name was given: `my mother Irina`, `a dog called Rex`.
    pub(crate) given: Vec<(Term, Term)>,
}

impl Names {
    /// Reads the places and names of a clause. In a title every word has a capital, so only known places count.
    pub(crate) fn read(words: &[Word], vocabulary: &mut Vocabulary) -> Self {
        let mut found = Self::default();
        let strong = words.iter().skip(1).filter(|word| word.strong);
        let is_title =
            words.len() > 2 && strong.clone().count() > 1 && strong.clone().all(|word| word.capital);
        let moves = moves(words, vocabulary);
        let is_proper = if is_title { is_known_place } else { is_known_or_capital };
        let mut at = 0;
        while let Some(word) = words.get(at) {
            let run = words.iter().skip(at).take_while(|word| is_proper(word, vocabulary)).count();
            let before = words.get(..at).unwrap_or_default();
            if run > 0
                && (is_place(word, before, vocabulary) || moves && follows_direction(before, vocabulary))
            {
                found.places.push(whole_name(words.get(at..at + run).unwrap_or_default(), vocabulary));
            } else if run > 0 {
                found.people.push(word.key);
                found.given.extend(bearer(before, vocabulary).map(|bearer| (bearer, word.key)));
            }
            at += run.max(1);
        }
        found
    }

    /// All that is named, places or not.
    pub(crate) fn all(&self) -> impl Iterator<Item = Term> + '_ {
        self.places.iter().chain(&self.people).copied()
    }
}

fn is_known_place(word: &Word, vocabulary: &Vocabulary) -> bool {
    vocabulary.is_place(word.key) && !vocabulary.is(WordList::NotName, word.key)
}

fn is_known_or_capital(word: &Word, vocabulary: &Vocabulary) -> bool {
    let known = vocabulary.is_place(word.key);
    (word.capital && word.strong || known) && !vocabulary.is(WordList::NotName, word.key)
}

fn is_place(word: &Word, before: &[Word], vocabulary: &Vocabulary) -> bool {
    let is_location = |word: &Word| matches!(word.lower.as_str(), "in" | "at" | "near" | "outside");
    vocabulary.is_place(word.key) || preposition(before, vocabulary).is_some_and(is_location)
}

/// `to Oslo` is a place after a verb of moving, `to Anders` a person after any other.
fn follows_direction(before: &[Word], vocabulary: &Vocabulary) -> bool {
    preposition(before, vocabulary).is_some_and(|word| matches!(word.lower.as_str(), "to" | "from"))
}

/// The last word before a name that is no article.
fn preposition<'a>(before: &'a [Word], vocabulary: &Vocabulary) -> Option<&'a Word> {
    before.iter().rev().find(|word| !vocabulary.is(WordList::Article, word.key))
}

fn moves(words: &[Word], vocabulary: &mut Vocabulary) -> bool {
    let verbs = ["go", "move", "fly", "drive", "come", "return", "emigrate", "born"]
        .map(|verb| vocabulary.term(verb));
    words.iter().any(|word| verbs.contains(&word.key))
}

/// A listed place is known by its first word; of any other all words count.
fn whole_name(words: &[Word], vocabulary: &Vocabulary) -> Term {
    let known = words.iter().find(|word| vocabulary.is_place(word.key));
    let joined = || words.iter().map(|word| word.key).reduce(mixed).unwrap_or(Term(0));
    known.map_or_else(joined, |word| word.key)
}

/// Who bears the name that follows: the word before it, past `named`, `called`, `is` or `was`.
fn bearer(before: &[Word], vocabulary: &Vocabulary) -> Option<Term> {
    let names = |word: &&Word| {
        matches!(
            word.lower.as_str(),
            "named"
                | "called"
                | "is"
                | "was"
                | "name"
                | "him"
                | "her"
                | "it"
                | "mr"
                | "mrs"
                | "ms"
                | "dr"
                | "professor"
                | "christened"
        ) || vocabulary.is(WordList::Article, word.key)
    };
    let given = before
        .iter()
        .rev()
        .take_while(names)
        .any(|word| matches!(word.lower.as_str(), "named" | "called" | "name" | "is" | "was"));
    let given_to_pronoun =
        before.last().is_some_and(|last| matches!(last.lower.as_str(), "him" | "her" | "it"));
    if let Some(naming) = before
        .iter()
        .rev()
        .nth(1)
        .filter(|word| given_to_pronoun && matches!(word.lower.as_str(), "named" | "called"))
    {
        return Some(naming.key);
    }
    let bearer = before.iter().rev().find(|word| !names(word))?;
    let adjacent = before.last().is_some_and(|last| last.key == bearer.key);
    let kin = vocabulary.is(WordList::Kin, bearer.key) && !bearer.owner;
    let owned = bearer.owner && given && vocabulary.is(WordList::Kin, bearer.key);
    let owned_thing = adjacent && vocabulary.is(WordList::NamedThing, bearer.key) && !bearer.owner;
    let apposed = vocabulary.is(WordList::NamedThing, bearer.key) && bearer.comma;
    (bearer.strong && (owned_thing || apposed || (adjacent && kin) || given && !bearer.owner || owned))
        .then_some(bearer.key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clause::words;

    #[test]
    fn places_names_and_their_bearers_are_distinguished() {
        let mut vocabulary = Vocabulary::new("en");
        for (text, places, names, named) in [
            ("I flew to Oslo with Anders", 1, 1, 0),
            ("I wrote to Anders", 0, 1, 0),
            ("My mother Irina baked", 0, 1, 1),
            ("My mother, Katarina, signed", 0, 1, 1),
            ("We got a dog called Rex", 0, 1, 1),
            ("I was born in Little Walden", 1, 0, 0),
            ("My First Day At Work", 0, 0, 0),
        ] {
            let words = words(text, &mut vocabulary);
            let found = Names::read(&words, &mut vocabulary);
            assert_eq!(
                (found.places.len(), found.people.len(), found.given.len()),
                (places, names, named),
                "{text}"
            );
        }
    }
}
