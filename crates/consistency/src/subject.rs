//! Who or what a clause is about. Two clauses about different people never contradict each other.

use recall::words::Term;

use super::moment::is_date_word;
use super::numeral::number;
use super::sentences::{Clause, Word, is_modal, is_subject_pronoun, is_verb};
use super::vocabulary::{List, Vocabulary};

/// Who or what a clause is about.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Subject {
    /// The persona: `I`, `we`.
    Teller,
    /// Nobody was named, so the persona, or whatever the clause is about: `Born in Porto`, `Team of 12`.
    Implied,
    /// A relative or somebody with a name.
    Person(Term),
    /// A thing, by the words for it.
    Thing(Vec<Term>),
    /// A pronoun nobody was found for.
    Unknown,
}

impl Subject {
    /// The person, if it is one with a name or a relative.
    pub(super) const fn person(&self) -> Option<Term> {
        match self {
            Self::Person(person) => Some(*person),
            Self::Teller | Self::Implied | Self::Thing(_) | Self::Unknown => None,
        }
    }
}

/// Who was spoken of last, for the pronouns that follow.
#[derive(Clone, Debug, Default)]
pub(super) struct Spoken {
    last: Option<Subject>,
    person: Option<Term>,
    thing: Option<Vec<Term>>,
}

impl Spoken {
    /// The person spoken of last.
    pub(super) const fn person(&self) -> Option<Term> {
        self.person
    }
}

/// Finds the subject of `clause` and remembers it for the next pronoun.
pub(super) fn subject(clause: &Clause<'_>, spoken: &mut Spoken, vocabulary: &Vocabulary) -> Subject {
    let start = start(&clause.words, vocabulary);
    let words = clause.words.get(start..).unwrap_or_default();
    let words = words.get(counted(words)..).unwrap_or_default();
    let goes_on = clause.words.first().is_some_and(|word| word.lower == "and")
        && words.first().is_some_and(|word| is_verb(word, vocabulary) || is_modal(&word.lower));
    let inherited = spoken.last.clone().filter(|_| goes_on);
    let subject = inherited.unwrap_or_else(|| read(words, clause.opens && start == 0, spoken, vocabulary));
    spoken.last = Some(subject.clone());
    match &subject {
        Subject::Person(person) => spoken.person = Some(*person),
        Subject::Thing(thing) => {
            spoken.thing = Some(thing.clone());
            let mentioned =
                (0..clause.words.len()).rev().find_map(|at| relative(&clause.words, at, vocabulary));
            spoken.person = mentioned.or(spoken.person);
        }
        Subject::Teller | Subject::Implied | Subject::Unknown => {
            let name = |at: usize| {
                clause.words.get(at).filter(|word| is_person_name(word, vocabulary)).map(|word| word.key)
            };
            let mentioned = (0..clause.words.len())
                .rev()
                .find_map(|at| relative(&clause.words, at, vocabulary).or_else(|| name(at)));
            spoken.person = mentioned.or(spoken.person);
            spoken.thing = object(&clause.words, vocabulary).or_else(|| spoken.thing.take());
        }
    }
    subject
}

/// A relative and whatever tells them from another of the same kind: `maternal grandmother`, `her brother`.
pub(super) fn relative(words: &[Word], at: usize, vocabulary: &Vocabulary) -> Option<Term> {
    let kin = words.get(at).filter(|word| vocabulary.is(List::Kin, word.key))?;
    let mut person = kin.key;
    for before in words.get(at.saturating_sub(2)..at).unwrap_or_default() {
        let other = matches!(before.lower.as_str(), "his" | "her" | "their") || before.owner;
        if other || vocabulary.is(List::KinModifier, before.key) {
            person = mixed(before.key, person);
        }
    }
    let named = words
        .get(at + 1)
        .filter(|next| next.capital && !kin.owner && !vocabulary.is(List::NotName, next.key));
    Some(named.filter(|_| !vocabulary.is(List::OnlyOne, kin.key)).map_or(person, |name| name.key))
}

/// One key for two words that belong together.
pub(super) const fn mixed(left: Term, right: Term) -> Term {
    Term(left.0.rotate_left(17).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ right.0)
}

/// Where the subject may stand: after a conjunction, and after an opening such as `In 2010,` or `Five years ago`.
fn start(words: &[Word], vocabulary: &Vocabulary) -> usize {
    let opening = words.iter().take_while(|word| vocabulary.says(List::Opener, &word.lower)).count();
    let rest = words.get(opening..).unwrap_or_default();
    let Some(first) = rest.first() else { return 0 };
    let pronoun = rest.iter().take(7).position(|word| is_subject_pronoun(&word.lower));
    let comma = rest.iter().take(7).position(|word| word.comma).map(|at| at + 1);
    if opens_subordinate(rest, vocabulary) {
        return opening + 1;
    }
    if vocabulary.is(List::Preposition, first.key) {
        return comma.into_iter().chain(pronoun).min().map_or(words.len(), |at| opening + at);
    }
    let whole = rest.iter().take(2).any(|word| matches!(word.lower.as_str(), "whole" | "entire" | "all"));
    let whole_time = whole && rest.iter().take(5).any(|word| is_date_word(&word.lower));
    if let Some(pronoun) = pronoun.filter(|_| whole_time) {
        return opening + pronoun;
    }
    let time = rest.iter().take(3).any(|word| vocabulary.is(List::TimeNoun, word.key));
    let timed = rest.iter().take_while(|word| tells_when(word, vocabulary)).count();
    opening + if time { pronoun.unwrap_or(timed) } else { 0 }
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

/// `after my parents died` is a clause, `after the long war` is not: a verb follows the noun.
fn opens_subordinate(words: &[Word], vocabulary: &Vocabulary) -> bool {
    let subordinator = words.first().is_some_and(|word| vocabulary.says(List::Subordinator, &word.lower));
    let article = words.get(1).is_some_and(|word| vocabulary.is(List::Article, word.key));
    let noun = words.iter().skip(2).take_while(|word| word.strong && !is_verb(word, vocabulary)).count();
    subordinator && article && noun > 0 && words.get(2 + noun).is_some_and(|word| is_verb(word, vocabulary))
}

fn tells_when(word: &Word, vocabulary: &Vocabulary) -> bool {
    let pointer = [
        "ago",
        "that",
        "this",
        "last",
        "next",
        "earlier",
        "one",
        "same",
        "later",
        "after",
        "the",
        "following",
    ];
    let when = pointer.contains(&word.lower.as_str()) || number(&word.lower).is_some();
    when || vocabulary.is(List::TimeNoun, word.key)
}

fn read(words: &[Word], opens: bool, spoken: &Spoken, vocabulary: &Vocabulary) -> Subject {
    let Some(first) = words.first() else { return Subject::Implied };
    if words.iter().take(6).zip(words.iter().skip(1)).any(|(and, i)| and.lower == "and" && i.lower == "i") {
        return Subject::Teller;
    }
    match first.lower.as_str() {
        "i" | "we" | "i'm" | "i've" | "i'd" | "i'll" | "we'd" | "we've" => Subject::Teller,
        "he" | "she" | "he'd" | "she'd" | "who" => spoken.person.map_or(Subject::Unknown, Subject::Person),
        "it" | "which" => spoken.thing.clone().map_or(Subject::Implied, Subject::Thing),
        "there" | "you" => Subject::Implied,
        "they" if words.iter().any(|word| matches!(word.lower.as_str(), "me" | "us")) => Subject::Implied,
        "they" => Subject::Unknown,
        _ if vocabulary.is(List::Article, first.key) => described(words, vocabulary),
        _ if first.owner => Subject::Thing(owned_thing(words)),
        _ if vocabulary.is(List::Kin, first.key) => {
            relative(words, 0, vocabulary).map_or(Subject::Implied, Subject::Person)
        }
        "old" | "little" | "poor" | "dear" | "young"
            if words.get(1).is_some_and(|name| is_person_name(name, vocabulary)) =>
        {
            words.get(1).map_or(Subject::Implied, |name| Subject::Person(name.key))
        }
        _ if is_name(first, opens, words.get(1), vocabulary) => Subject::Person(first.key),
        _ => Subject::Implied,
    }
}

fn is_person_name(word: &Word, vocabulary: &Vocabulary) -> bool {
    word.capital && !vocabulary.is(List::NotName, word.key) && !vocabulary.is_place(word.key)
}

/// What the first word owns: the noun before the verb.
fn owned_thing(words: &[Word]) -> Vec<Term> {
    words.iter().skip(1).take_while(|word| word.strong).take(2).map(|word| word.key).collect()
}

/// The last thing with an article, for an `it` that follows.
fn object(words: &[Word], vocabulary: &Vocabulary) -> Option<Vec<Term>> {
    let at =
        words.iter().rposition(|word| matches!(word.lower.as_str(), "the" | "a" | "an" | "our" | "my"))?;
    let noun = words.iter().skip(at + 1).take_while(|word| word.strong && !word.capital).last()?;
    (!vocabulary.is(List::Kin, noun.key) && !vocabulary.is(List::TimeNoun, noun.key)).then(|| vec![noun.key])
}

/// `my sister`, `the old clock`, `our mother's house`.
fn described(words: &[Word], vocabulary: &Vocabulary) -> Subject {
    let ours = words.first().is_some_and(|word| matches!(word.lower.as_str(), "our" | "my"));
    if ours && words.get(1).is_some_and(|word| vocabulary.is(List::Group, word.key) && !word.owner) {
        return Subject::Implied;
    }
    let phrase = words.iter().skip(1).take(4).take_while(|word| word.strong || word.owner).count();
    for at in 1..=phrase {
        let Some(word) = words.get(at) else { break };
        if vocabulary.is(List::Kin, word.key) && !word.owner {
            return relative(words, at, vocabulary).map_or(Subject::Unknown, Subject::Person);
        }
        if word.owner {
            return Subject::Thing(owned_thing(words.get(at..).unwrap_or_default()));
        }
    }
    Subject::Thing(words.iter().skip(1).take(phrase.min(2)).map(|word| word.key).collect())
}

/// At the start of a sentence every word has a capital, so what follows must look like a verb.
fn is_name(word: &Word, opens: bool, next: Option<&Word>, vocabulary: &Vocabulary) -> bool {
    if word.capital {
        return !vocabulary.is(List::NotName, word.key);
    }
    let participle = ["ed", "ing", "ly"].iter().any(|ending| word.lower.ends_with(ending));
    let verb = |next: &Word| {
        let known = vocabulary.is_verb_form(&next.lower) || vocabulary.says(List::Negation, &next.lower);
        !next.strong || next.phrase || next.lower.ends_with("ed") || known
    };
    opens
        && word.strong
        && !participle
        && !word.phrase
        && !vocabulary.is(List::NotName, word.key)
        && !vocabulary.is(List::Light, word.key)
        && !vocabulary.says(List::Negation, &word.lower)
        && !vocabulary.is_irregular(&word.lower)
        && next.is_some_and(|next| {
            (verb(next) && !word.comma || word.comma && vocabulary.is(List::Article, next.key))
                && !vocabulary.is(List::Preposition, next.key)
        })
}

#[cfg(test)]
mod tests {
    use super::super::sentences::clauses;
    use super::*;

    #[test]
    fn the_subject_is_found_behind_openings_and_before_verbs() {
        let mut vocabulary = Vocabulary::new("en");
        let [sister, miguel, anders] = ["sister", "miguel", "anders"].map(|word| vocabulary.term(word));
        for (text, expected) in [
            ("I was born in Porto", Subject::Teller),
            ("In 2010, my sister moved out", Subject::Person(sister)),
            ("That evening I left", Subject::Teller),
            ("Miguel was late", Subject::Person(miguel)),
            ("Miguel and I were late", Subject::Teller),
            ("Anders proposed to me", Subject::Person(anders)),
            ("Started as a designer", Subject::Implied),
            ("She was late", Subject::Unknown),
        ] {
            let clause = clauses(text, &mut vocabulary).remove(0);
            assert_eq!(subject(&clause, &mut Spoken::default(), &vocabulary), expected, "{text}");
        }
    }
}
