//! Who or what a clause is about. Two clauses about different people never contradict each other.

use recall::words::Term;

use crate::clause::{Clause, Word, is_modal, is_subject_pronoun, is_verb};
use crate::date::is_date_word;
use crate::number::number;
use crate::vocabulary::Vocabulary;
use crate::word_list::WordList;

/// Who or what a clause is about.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Subject {
    /// The persona: `I`, `we`.
    Persona,
    /// Nobody was named, so the persona, or whatever the clause is about: `Born in Porto`, `Team of 12`.
    Implied,
    /// A relative or a person with a name.
    Person(Term),
    /// A thing, by the words for it.
    Thing(Vec<Term>),
    /// A pronoun nobody was found for.
    Unknown,
}

impl Subject {
    /// The person, if it is one with a name or a relative.
    pub(crate) const fn person(&self) -> Option<Term> {
        match self {
            Self::Person(person) => Some(*person),
            Self::Persona | Self::Implied | Self::Thing(_) | Self::Unknown => None,
        }
    }
}

/// Who and what was named last, for the pronouns that follow.
#[derive(Clone, Debug, Default)]
pub(crate) struct Antecedents {
    last: Option<Subject>,
    person: Option<Term>,
    thing: Option<Vec<Term>>,
}

/// Where the subject of a clause may begin.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Position {
    SentenceStart,
    Inside,
}

/// Finds the subject of `clause` and remembers it for the next pronoun.
pub(crate) fn subject(
    clause: &Clause<'_>,
    antecedents: &mut Antecedents,
    vocabulary: &Vocabulary,
) -> Subject {
    let start = start(&clause.words, vocabulary);
    let words = clause.words.get(start..).unwrap_or_default();
    let words = words.get(counted(words)..).unwrap_or_default();
    let goes_on = clause.words.first().is_some_and(|word| word.lower == "and")
        && words.first().is_some_and(|word| is_verb(word, vocabulary) || is_modal(&word.lower));
    let inherited = antecedents.last.clone().filter(|_| goes_on);
    let position = if clause.opens && start == 0 { Position::SentenceStart } else { Position::Inside };
    let subject = inherited.unwrap_or_else(|| read(words, position, antecedents, vocabulary));
    antecedents.last = Some(subject.clone());
    match &subject {
        Subject::Person(person) => antecedents.person = Some(*person),
        Subject::Thing(thing) => {
            antecedents.thing = Some(thing.clone());
            let mentioned =
                (0..clause.words.len()).rev().find_map(|at| relative(&clause.words, at, vocabulary));
            antecedents.person = mentioned.or(antecedents.person);
        }
        Subject::Persona | Subject::Implied | Subject::Unknown => {
            let name = |at: usize| {
                clause.words.get(at).filter(|word| is_person_name(word, vocabulary)).map(|word| word.key)
            };
            let mentioned = (0..clause.words.len())
                .rev()
                .find_map(|at| relative(&clause.words, at, vocabulary).or_else(|| name(at)));
            antecedents.person = mentioned.or(antecedents.person);
        }
    }
    subject
}

/// A relative and whatever tells them from another of the same kind: `maternal grandmother`, `her brother`.
pub(crate) fn relative(words: &[Word], at: usize, vocabulary: &Vocabulary) -> Option<Term> {
    let kin = words.get(at).filter(|word| vocabulary.is(WordList::Kin, word.key))?;
    let mut person = kin.key;
    for before in words.get(at.saturating_sub(2)..at).unwrap_or_default() {
        let other = matches!(before.lower.as_str(), "his" | "her" | "their") || before.owner;
        if other || vocabulary.is(WordList::KinModifier, before.key) {
            person = mixed(before.key, person);
        }
    }
    let named = words
        .get(at + 1)
        .filter(|next| next.capital && !kin.owner && !vocabulary.is(WordList::NotName, next.key));
    Some(named.filter(|_| !vocabulary.is(WordList::OnlyOne, kin.key)).map_or(person, |name| name.key))
}

/// One key for two words that belong together.
pub(crate) const fn mixed(left: Term, right: Term) -> Term {
    Term(left.0.rotate_left(17).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ right.0)
}

/// Where the subject may stand: after a conjunction, and after an opening such as `In 2010,` or `Five years ago`.
fn start(words: &[Word], vocabulary: &Vocabulary) -> usize {
    let opening = words.iter().take_while(|word| vocabulary.says(WordList::Opener, &word.lower)).count();
    let rest = words.get(opening..).unwrap_or_default();
    let Some(first) = rest.first() else { return 0 };
    let pronoun = rest.iter().take(7).position(|word| is_subject_pronoun(&word.lower));
    let comma = rest.iter().take(7).position(|word| word.comma).map(|at| at + 1);
    if vocabulary.is(WordList::Preposition, first.key) {
        return comma.into_iter().chain(pronoun).min().map_or(words.len(), |at| opening + at);
    }
    let whole = rest.iter().take(2).any(|word| matches!(word.lower.as_str(), "whole" | "entire" | "all"));
    let whole_time = whole && rest.iter().take(5).any(|word| is_date_word(&word.lower));
    if let Some(pronoun) = pronoun.filter(|_| whole_time) {
        return opening + pronoun;
    }
    let time = rest.iter().take(3).any(|word| vocabulary.is(WordList::TimeNoun, word.key));
    opening + pronoun.filter(|_| time).unwrap_or(0)
}

/// How many words count those who follow: `all three of my brothers`, `both my aunts`.
fn counted(words: &[Word]) -> usize {
    let counts = |word: &&Word| {
        matches!(word.lower.as_str(), "all" | "both" | "each" | "every" | "most" | "of")
            || number(&word.lower).is_some()
    };
    let count = words.iter().take_while(counts).count();
    let mine = words.get(count).is_some_and(|word| matches!(word.lower.as_str(), "my" | "our"));
    if mine { count } else { 0 }
}

fn read(words: &[Word], position: Position, antecedents: &Antecedents, vocabulary: &Vocabulary) -> Subject {
    let Some(first) = words.first() else { return Subject::Implied };
    if words.iter().take(6).zip(words.iter().skip(1)).any(|(and, i)| and.lower == "and" && i.lower == "i") {
        return Subject::Persona;
    }
    match first.lower.as_str() {
        "i" | "we" | "i'm" | "i've" | "i'd" | "i'll" | "we'd" | "we've" => Subject::Persona,
        "he" | "she" | "he'd" | "she'd" | "who" => {
            antecedents.person.map_or(Subject::Unknown, Subject::Person)
        }
        "it" | "which" => antecedents.thing.clone().map_or(Subject::Implied, Subject::Thing),
        "there" | "you" => Subject::Implied,
        "they" if words.iter().any(|word| matches!(word.lower.as_str(), "me" | "us")) => Subject::Implied,
        "they" => Subject::Unknown,
        _ if vocabulary.is(WordList::Article, first.key) => described(words, vocabulary),
        _ if first.owner => Subject::Thing(owned_thing(words)),
        _ if vocabulary.is(WordList::Kin, first.key) => {
            relative(words, 0, vocabulary).map_or(Subject::Implied, Subject::Person)
        }
        "old" | "little" | "poor" | "dear" | "young"
            if words.get(1).is_some_and(|name| is_person_name(name, vocabulary)) =>
        {
            words.get(1).map_or(Subject::Implied, |name| Subject::Person(name.key))
        }
        _ if is_name(first, position, words.get(1), vocabulary) => Subject::Person(first.key),
        _ => Subject::Implied,
    }
}

fn is_person_name(word: &Word, vocabulary: &Vocabulary) -> bool {
    word.capital && !vocabulary.is(WordList::NotName, word.key) && !vocabulary.is_place(word.key)
}

/// What the first word owns: the noun before the verb.
fn owned_thing(words: &[Word]) -> Vec<Term> {
    words.iter().skip(1).take_while(|word| word.strong).take(2).map(|word| word.key).collect()
}

/// `my sister`, `the old clock`, `our mother's house`.
fn described(words: &[Word], vocabulary: &Vocabulary) -> Subject {
    let ours = words.first().is_some_and(|word| matches!(word.lower.as_str(), "our" | "my"));
    if ours && words.get(1).is_some_and(|word| vocabulary.is(WordList::Group, word.key) && !word.owner) {
        return Subject::Implied;
    }
    let phrase = words.iter().skip(1).take(4).take_while(|word| word.strong || word.owner).count();
    for at in 1..=phrase {
        let Some(word) = words.get(at) else { break };
        if vocabulary.is(WordList::Kin, word.key) && !word.owner {
            return relative(words, at, vocabulary).map_or(Subject::Unknown, Subject::Person);
        }
        if word.owner {
            return Subject::Thing(owned_thing(words.get(at..).unwrap_or_default()));
        }
    }
    Subject::Thing(words.iter().skip(1).take(phrase.min(2)).map(|word| word.key).collect())
}

/// At the start of a sentence every word has a capital, so what follows must look like a verb.
fn is_name(word: &Word, position: Position, next: Option<&Word>, vocabulary: &Vocabulary) -> bool {
    if word.capital {
        return !vocabulary.is(WordList::NotName, word.key);
    }
    let participle = ["ed", "ing", "ly"].iter().any(|ending| word.lower.ends_with(ending));
    let verb = |next: &Word| {
        let known = vocabulary.is_verb_form(&next.lower) || vocabulary.says(WordList::Negation, &next.lower);
        !next.strong || next.phrase || next.lower.ends_with("ed") || known
    };
    position == Position::SentenceStart
        && word.strong
        && !participle
        && !word.phrase
        && !vocabulary.is(WordList::NotName, word.key)
        && !vocabulary.is(WordList::Light, word.key)
        && !vocabulary.says(WordList::Negation, &word.lower)
        && !vocabulary.is_irregular(&word.lower)
        && next.is_some_and(|next| {
            (verb(next) && !word.comma || word.comma && vocabulary.is(WordList::Article, next.key))
                && !vocabulary.is(WordList::Preposition, next.key)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clause::clauses;

    #[test]
    fn the_subject_is_found_behind_openings_and_before_verbs() {
        let mut vocabulary = Vocabulary::new("en");
        let [sister, miguel, anders] = ["sister", "miguel", "anders"].map(|word| vocabulary.term(word));
        for (text, expected) in [
            ("I was born in Porto", Subject::Persona),
            ("In 2010, my sister moved out", Subject::Person(sister)),
            ("That evening I left", Subject::Persona),
            ("Miguel was late", Subject::Person(miguel)),
            ("Miguel and I were late", Subject::Persona),
            ("Anders proposed to me", Subject::Person(anders)),
            ("Started as a designer", Subject::Implied),
            ("She was late", Subject::Unknown),
        ] {
            let clause = clauses(text, &mut vocabulary).remove(0);
            assert_eq!(subject(&clause, &mut Antecedents::default(), &vocabulary), expected, "{text}");
        }
    }
}
