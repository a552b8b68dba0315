//! The parts of a clause: its topic, whose things it names, the people in it, what it denies.

use recall::words::Term;

use super::flags::denies_infinitive;
use crate::clause::Word;
use crate::date::is_date_word;
use crate::names::Names;
use crate::number::number;
use crate::subject::{mixed, relative};
use crate::vocabulary::Vocabulary;
use crate::word_list::WordList;

/// The words that carry the topic.
pub(crate) fn topic_words(words: &[Word], vocabulary: &Vocabulary) -> Vec<Term> {
    let carries = |word: &&Word| {
        let said = vocabulary.says(WordList::Negation, &word.lower)
            || number(&word.lower).is_some()
            || is_date_word(&word.lower);
        word.strong && !said && !word.owner
    };
    words.iter().filter(carries).map(|word| word.key).collect()
}

/// What belongs to another person: `my sister's wedding`, `the wedding of my sister`.
pub(crate) fn owned_things(words: &[Word], vocabulary: &Vocabulary) -> Vec<(Term, Term)> {
    let mut owned = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let person = vocabulary.is(WordList::Kin, word.key) || word.capital || at == 0;
        if word.owner && person {
            let things = words.iter().skip(at + 1).take(3).take_while(|thing| thing.strong);
            owned.extend(things.map(|thing| (thing.key, word.key)));
        }
        let of_mine = words.get(at + 1).is_some_and(|of| of.lower == "of")
            && words.get(at + 2).is_some_and(|my| matches!(my.lower.as_str(), "my" | "our"));
        if let Some(owner) = words
            .get(at + 3)
            .filter(|owner| of_mine && word.strong && vocabulary.is(WordList::Kin, owner.key))
        {
            owned.push((word.key, owner.key));
        }
    }
    owned
}

/// The relatives and the people with names.
pub(crate) fn people(words: &[Word], names: &Names, vocabulary: &Vocabulary) -> Vec<Term> {
    let relatives = (0..words.len()).filter_map(|at| relative(words, at, vocabulary));
    relatives.chain(names.people.iter().copied()).collect()
}

/// The first words after a denial.
pub(crate) fn denied(words: &[Word], vocabulary: &Vocabulary) -> Vec<Term> {
    let denies = |at: usize| {
        let (word, next) = (words.get(at), words.get(at + 1));
        word.is_some_and(|word| vocabulary.says(WordList::Negation, &word.lower))
            || word.zip(next).is_some_and(|(word, next)| denies_infinitive(word, next))
    };
    let Some(at) = (0..words.len()).find(|at| denies(*at)) else { return Vec::new() };
    let pause =
        words.iter().skip(at + 1).position(|word| word.comma).map_or(words.len(), |pause| at + 2 + pause);
    words
        .get(at + 1..pause)
        .unwrap_or_default()
        .iter()
        .filter(|word| {
            word.strong
                && !vocabulary.says(WordList::Negation, &word.lower)
                && !vocabulary.says(WordList::Universal, &word.lower)
        })
        .take(3)
        .map(|word| word.key)
        .collect()
}

/// `my first job was at a library`: the only thing of its kind, and what it is.
pub(crate) fn only(words: &[Word], vocabulary: &Vocabulary) -> Vec<(Term, Vec<Term>)> {
    let mut found = Vec::new();
    for (at, word) in
        words.iter().enumerate().filter(|(_, word)| vocabulary.says(WordList::Superlative, &word.lower))
    {
        let named = matches!(word.lower.as_str(), "maiden" | "middle");
        let Some(thing) = words
            .get(at + 1)
            .filter(|thing| thing.strong && (named || !vocabulary.is(WordList::Light, thing.key)))
        else {
            continue;
        };
        let rest = words.get(at + 2..).unwrap_or_default();
        let verbs = rest
            .iter()
            .take_while(|word| matches!(word.lower.as_str(), "was" | "is" | "had" | "been" | "has"))
            .count();
        let link = rest.get(verbs).filter(|link| {
            verbs > 0
                && (vocabulary.is(WordList::Article, link.key)
                    || vocabulary.is(WordList::Preposition, link.key)
                    || link.capital
                    || link.lower.ends_with("ing"))
        });
        let what: Vec<Term> =
            rest.iter().skip(verbs).filter(|word| word.strong).map(|word| word.key).collect();
        let apposed = thing.comma && rest.first().is_some_and(|word| word.capital);
        let what = if apposed { rest.iter().take(1).map(|word| word.key).collect() } else { what };
        if (link.is_some() || apposed) && !what.is_empty() {
            found.push((mixed(word.key, thing.key), what));
        }
    }
    found
}
