//! What a clause says in each of its places: topic, owner, object, circumstance, role.

use recall::words::Term;

use super::super::moment::is_date_word;
use super::super::numeral::number;
use super::super::proper::Proper;
use super::super::sentences::Word;
use super::super::subject::{mixed, relative};
use super::super::vocabulary::{List, Vocabulary};
use super::tone::denies_infinitive;

pub(super) fn topic_words(words: &[Word], vocabulary: &Vocabulary) -> Vec<Term> {
    let carries = |word: &&Word| {
        let said = vocabulary.says(List::Negation, &word.lower)
            || number(&word.lower).is_some()
            || is_date_word(&word.lower);
        word.strong && !said && !word.owner
    };
    words.iter().filter(carries).map(|word| word.key).collect()
}

/// What belongs to somebody else: `my sister's wedding`, `the wedding of my sister`.
pub(super) fn owned_things(words: &[Word], vocabulary: &Vocabulary) -> Vec<(Term, Term)> {
    let mut owned = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let person = vocabulary.is(List::Kin, word.key) || word.capital || at == 0;
        if word.owner && person {
            let things = words.iter().skip(at + 1).take(3).take_while(|thing| thing.strong);
            owned.extend(things.map(|thing| (thing.key, word.key)));
        }
        let of_mine = words.get(at + 1).is_some_and(|of| of.lower == "of")
            && words.get(at + 2).is_some_and(|my| matches!(my.lower.as_str(), "my" | "our"));
        if let Some(owner) =
            words.get(at + 3).filter(|owner| of_mine && word.strong && vocabulary.is(List::Kin, owner.key))
        {
            owned.push((word.key, owner.key));
        }
    }
    owned
}

pub(super) fn people(words: &[Word], proper: &Proper, vocabulary: &Vocabulary) -> Vec<Term> {
    let relatives = (0..words.len()).filter_map(|at| relative(words, at, vocabulary));
    relatives.chain(proper.names.iter().copied()).collect()
}

pub(super) fn denied(words: &[Word], vocabulary: &Vocabulary) -> Vec<Term> {
    let denies = |at: usize| {
        let (word, next) = (words.get(at), words.get(at + 1));
        word.is_some_and(|word| vocabulary.says(List::Negation, &word.lower))
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
                && !vocabulary.says(List::Negation, &word.lower)
                && !vocabulary.says(List::Universal, &word.lower)
        })
        .take(3)
        .map(|word| word.key)
        .collect()
}

pub(super) fn once(words: &[Word], vocabulary: &mut Vocabulary) -> Vec<Term> {
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let next = words.get(at + 1).filter(|next| next.strong && !vocabulary.is(List::Light, next.key));
        if vocabulary.says(List::Superlative, &word.lower) {
            found.extend(next.map(|next| mixed(word.key, next.key)));
        } else if vocabulary.is(List::Once, word.key) {
            found.push(word.key);
        }
    }
    if words.iter().enumerate().any(|(at, word)| word.lower == "met" && is_mutual(words, at, vocabulary)) {
        found.push(vocabulary.term("first-met"));
    }
    found
}

/// `Sam and I met in college`: two who meet each other do so for the first time.
fn is_mutual(words: &[Word], at: usize, vocabulary: &Vocabulary) -> bool {
    let before =
        at.checked_sub(1).and_then(|before| words.get(before)).map_or("", |word| word.lower.as_str());
    let open = words.get(at + 1).is_none_or(|next| {
        vocabulary.is(List::Preposition, next.key) || matches!(next.lower.as_str(), "when" | "each")
    });
    let pause = words.get(at).is_some_and(|word| word.comma);
    (open || pause) && matches!(before, "i" | "we" | "first" | "had" | "parents")
}

/// `my first job was at a library`: the only thing of its kind, and what it is.
pub(super) fn only(words: &[Word], vocabulary: &Vocabulary) -> Vec<(Term, Vec<Term>, Term)> {
    let mut found = Vec::new();
    for (at, word) in
        words.iter().enumerate().filter(|(_, word)| vocabulary.says(List::Superlative, &word.lower))
    {
        let named = matches!(word.lower.as_str(), "maiden" | "middle");
        let Some(thing) = words
            .get(at + 1)
            .filter(|thing| thing.strong && (named || !vocabulary.is(List::Light, thing.key)))
        else {
            continue;
        };
        if let Some(name) = inverse(words, at, vocabulary) {
            found.push((mixed(word.key, thing.key), vec![name], thing.key));
            continue;
        }
        let rest = words.get(at + 2..).unwrap_or_default();
        let verbs = rest
            .iter()
            .take_while(|word| matches!(word.lower.as_str(), "was" | "is" | "had" | "been" | "has"))
            .count();
        let link = rest.get(verbs).filter(|link| {
            verbs > 0
                && (vocabulary.is(List::Article, link.key)
                    || vocabulary.is(List::Preposition, link.key)
                    || link.capital
                    || link.lower.ends_with("ing"))
        });
        let what: Vec<Term> =
            rest.iter().skip(verbs).filter(|word| word.strong).map(|word| word.key).collect();
        let apposed = thing.comma && rest.first().is_some_and(|word| word.capital);
        let what = if apposed { rest.iter().take(1).map(|word| word.key).collect() } else { what };
        if (link.is_some() || apposed) && !what.is_empty() {
            found.push((mixed(word.key, thing.key), what, thing.key));
        }
    }
    found
}

/// `Felix was my best man`: the name stands before.
fn inverse(words: &[Word], at: usize, vocabulary: &Vocabulary) -> Option<Term> {
    let apposed = at
        .checked_sub(2)
        .and_then(|before| words.get(before))
        .filter(|word| word.comma && (word.capital || word.opens));
    if let Some(name) = apposed {
        return Some(name.key);
    }
    let (article, verb) = (words.get(at.checked_sub(1)?)?, words.get(at.checked_sub(2)?)?);
    let name = words.get(at.checked_sub(3)?).filter(|word| word.capital || word.opens && word.strong)?;
    let copula = matches!(verb.lower.as_str(), "was" | "is") && vocabulary.is(List::Article, article.key);
    copula.then_some(name.key)
}

pub(super) fn met(words: &[Word]) -> Option<Term> {
    let pair = words.iter().zip(words.iter().skip(1)).find(|(met, name)| met.lower == "met" && name.capital);
    pair.map(|(_, name)| name.key)
}
