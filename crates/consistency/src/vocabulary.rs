//! What the detector knows of English: word forms, opposites, kinds of things, states of a life.
//!
//! All of it is data in `lexicon/`, read once per check. Another language has no such data here,
//! and then only numbers and dates are compared.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use std::rc::Rc;

use recall::words::{Lexicon, Term, tag_term};
use text::Language;

use crate::rules::same_event::Aspect;
use crate::rules::states::StateRule;
use crate::word_list::{LISTS, WordList};

/// A term is a hash already, so it is its own place in a table.
type Direct = BuildHasherDefault<TermHasher>;

/// Passes the bits of a term through.
#[derive(Default)]
pub(crate) struct TermHasher(u64);

impl Hasher for TermHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |bits, byte| bits.rotate_left(8) ^ u64::from(*byte));
    }

    fn write_u64(&mut self, bits: u64) {
        self.0 = bits;
    }
}

/// Several words read as one.
pub(crate) struct Phrase {
    /// The words, in lower case.
    pub(crate) words: Vec<&'static str>,
    /// What they are read as; `None` passes them over.
    pub(crate) meaning: Option<&'static str>,
}

/// The tables, with every word reduced to what is compared.
pub(crate) struct Vocabulary {
    lexicon: Lexicon,
    english: bool,
    forms: HashMap<&'static str, &'static str>,
    phrases: HashMap<&'static str, Vec<Phrase>>,
    /// On which lists a word stands, one bit each.
    lists: HashMap<Term, u64, Direct>,
    surfaces: HashMap<WordList, HashSet<&'static str>>,
    antonyms: HashMap<Term, Vec<Term>, Direct>,
    lasting: HashSet<(Term, Term)>,
    kinds: HashMap<Term, Vec<usize>, Direct>,
    wholes: HashMap<Term, Vec<Term>, Direct>,
    families: HashMap<&'static str, Rc<HashSet<Term>>>,
    members: HashMap<Term, Rc<HashSet<Term>>, Direct>,
    exclusions: Vec<StateRule>,
    aspects: Vec<Aspect>,
}

impl Vocabulary {
    /// The tables for a language tag; empty for any language but English.
    pub(crate) fn new(language: &str) -> Self {
        let english = Language::of_tag(language) == Some(Language::English);
        let mut vocabulary = Self {
            lexicon: Lexicon::new(language),
            english,
            forms: HashMap::new(),
            phrases: HashMap::new(),
            lists: HashMap::default(),
            surfaces: HashMap::new(),
            antonyms: HashMap::default(),
            lasting: HashSet::new(),
            kinds: HashMap::default(),
            wholes: HashMap::default(),
            families: HashMap::new(),
            members: HashMap::default(),
            exclusions: Vec::new(),
            aspects: Vec::new(),
        };
        if english {
            vocabulary.read_tables();
        }
        vocabulary
    }

    /// Whether words are understood, or only numbers and dates.
    pub(crate) const fn is_english(&self) -> bool {
        self.english
    }

    /// What a word in lower case is compared by, and whether it carries meaning of its own.
    pub(crate) fn key(&mut self, lower: &str) -> (Term, bool) {
        let base = self.forms.get(lower).copied().unwrap_or(lower);
        self.lexicon.term(base).map_or_else(|| (tag_term(base), false), |term| (term, true))
    }

    /// The key of a word known to the program, such as `die`.
    pub(crate) fn term(&mut self, word: &str) -> Term {
        self.key(word).0
    }

    /// Whether the word is listed as a form of another, as most irregular verbs are.
    pub(crate) fn is_irregular(&self, lower: &str) -> bool {
        self.forms.contains_key(lower)
    }

    /// Whether the word is a listed form of a verb: one whose base is listed with several forms.
    pub(crate) fn is_verb_form(&self, lower: &str) -> bool {
        self.says(WordList::Verb, lower)
            || self.forms.get(lower).is_some_and(|base| self.says(WordList::Verb, base))
    }

    /// The phrases that begin with this word, longest first.
    pub(crate) fn phrases_from(&self, lower: &str) -> &[Phrase] {
        self.phrases.get(lower).map_or(&[], Vec::as_slice)
    }

    /// Whether `term` is on a list.
    pub(crate) fn is(&self, list: WordList, term: Term) -> bool {
        self.lists.get(&term).is_some_and(|lists| lists & list.bit() != 0)
    }

    /// Whether the word is on a list as it is written; for words whose stem means something else, as `nearly`.
    pub(crate) fn says(&self, list: WordList, lower: &str) -> bool {
        self.surfaces.get(&list).is_some_and(|words| words.contains(lower))
    }

    /// Whether two words are opposites.
    pub(crate) fn are_opposites(&self, left: Term, right: Term) -> bool {
        self.antonyms.get(&left).is_some_and(|opposites| opposites.contains(&right))
    }

    /// Whether two words are opposites that no time turns into each other, such as older and younger.
    pub(crate) fn are_lasting_opposites(&self, left: Term, right: Term) -> bool {
        self.lasting.contains(&(left, right))
    }

    /// Whether two different words name two things of one kind.
    pub(crate) fn are_of_a_kind(&self, left: Term, right: Term) -> bool {
        left != right && self.kinds(left).iter().any(|kind| self.kinds(right).contains(kind))
    }

    /// The words of a family that patterns name: `any-alcohol`.
    pub(crate) fn family(&self, name: &str) -> Option<&Rc<HashSet<Term>>> {
        self.families.get(name)
    }

    /// The words of the family of this name: espresso is coffee, a tabby a cat.
    pub(crate) fn members(&self, name: Term) -> impl Iterator<Item = Term> + '_ {
        self.members.get(&name).into_iter().flat_map(|members| members.iter().copied())
    }

    fn kinds(&self, term: Term) -> &[usize] {
        self.kinds.get(&term).map_or(&[], Vec::as_slice)
    }

    /// Whether one place lies in the other, or they are the same.
    pub(crate) fn may_be_one_place(&self, left: Term, right: Term) -> bool {
        left == right || self.lies_in(left, right) || self.lies_in(right, left)
    }

    /// Whether the place is listed.
    pub(crate) fn is_place(&self, term: Term) -> bool {
        self.wholes.contains_key(&term)
    }

    /// The states of a life and what they exclude.
    pub(crate) fn exclusions(&self) -> &[StateRule] {
        &self.exclusions
    }

    /// What an occasion can have been.
    pub(crate) fn aspects(&self) -> &[Aspect] {
        &self.aspects
    }

    /// The places a listed place lies in.
    pub(crate) fn wholes(&self, place: Term) -> &[Term] {
        self.wholes.get(&place).map_or(&[], Vec::as_slice)
    }

    /// Whether the place is listed as part of another.
    pub(crate) fn lies_in(&self, part: Term, whole: Term) -> bool {
        self.wholes.get(&part).is_some_and(|wholes| wholes.contains(&whole))
    }

    fn read_tables(&mut self) {
        for (base, forms) in table(include_str!("lexicon/forms.txt"), ':') {
            self.forms.extend(forms.split_whitespace().map(|form| (form, base)));
        }
        for (meaning, phrases) in table(include_str!("lexicon/phrases.txt"), ':') {
            let meaning = (meaning != "-").then_some(meaning);
            phrases.split(',').for_each(|phrase| self.read_phrase(phrase, meaning));
        }
        self.phrases.values_mut().for_each(|same| same.sort_by_key(|phrase| usize::MAX - phrase.words.len()));
        for (name, words) in table(include_str!("lexicon/lists.txt"), ':') {
            let list = LISTS.iter().find(|(known, _)| *known == name);
            for (word, (_, list)) in words.split_whitespace().zip(list.iter().cycle()) {
                let term = self.term(word);
                *self.lists.entry(term).or_default() |= list.bit();
            }
            self.surfaces.extend(list.map(|(_, list)| (*list, words.split_whitespace().collect())));
        }
        for (_, name) in Language::English.months().chain(Language::English.weekdays()) {
            let term = self.term(name);
            *self.lists.entry(term).or_default() |= WordList::NotName.bit();
        }
        self.read_opposites();
        self.read_kinds();
        for (name, members) in table(include_str!("lexicon/families.txt"), ':') {
            let members: HashSet<Term> = members.split_whitespace().map(|member| self.term(member)).collect();
            let (members, kind) = (Rc::new(members), name.strip_suffix('*'));
            if let Some(kind) = kind {
                let kind = self.term(kind);
                self.members.insert(kind, Rc::clone(&members));
            }
            self.families.insert(kind.unwrap_or(name), members);
        }
        self.exclusions = table(include_str!("lexicon/exclusions.txt"), '=')
            .filter_map(|(states, rest)| StateRule::read(states, rest.trim_start_matches('>'), self))
            .collect();
        self.aspects = table(include_str!("lexicon/events.txt"), '|')
            .map(|(one, other)| Aspect::read([one, other], self))
            .collect();
    }

    fn read_phrase(&mut self, phrase: &'static str, meaning: Option<&'static str>) {
        let words: Vec<&'static str> = phrase.split_whitespace().collect();
        if let Some(first) = words.first() {
            self.phrases.entry(first).or_default().push(Phrase { words, meaning });
        }
    }

    fn read_opposites(&mut self) {
        for (word, opposites) in table(include_str!("lexicon/antonyms.txt"), '|') {
            let lasts = word.starts_with('!');
            let word = self.term(word.trim_start_matches('!'));
            for opposite in opposites.split('|') {
                let opposite = self.term(opposite.trim());
                self.antonyms.entry(word).or_default().push(opposite);
                self.antonyms.entry(opposite).or_default().push(word);
                self.lasting.extend([(word, opposite), (opposite, word)].into_iter().filter(|_| lasts));
            }
        }
    }

    fn read_kinds(&mut self) {
        for (number, (_, members)) in table(include_str!("lexicon/kinds.txt"), ':').enumerate() {
            for member in members.split_whitespace() {
                let member = self.term(member);
                self.kinds.entry(member).or_default().push(number);
            }
        }
        for (whole, parts) in table(include_str!("lexicon/places.txt"), ':') {
            let whole = self.term(whole);
            self.wholes.entry(whole).or_default();
            for part in parts.split_whitespace() {
                let part = self.term(part);
                self.wholes.entry(part).or_default().push(whole);
            }
        }
    }
}

/// The rows of a table: what stands before the first `mark`, and what stands after it.
fn table(text: &'static str, mark: char) -> impl Iterator<Item = (&'static str, &'static str)> {
    let rows = text.lines().filter(|line| !line.starts_with('#'));
    rows.filter_map(move |line| line.split_once(mark)).map(|(left, right)| (left.trim(), right.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_the_program_names_has_words() {
        let vocabulary = Vocabulary::new("en-GB");
        for (name, list) in LISTS {
            assert!(vocabulary.surfaces.get(list).is_some_and(|words| !words.is_empty()), "{name}");
        }
        assert_eq!(vocabulary.surfaces.len(), LISTS.len(), "lists.txt has a list the program doesn't know");
    }

    #[test]
    fn no_word_is_its_own_opposite() {
        let vocabulary = Vocabulary::new("en");
        assert!(vocabulary.antonyms.len() > 250);
        assert!(vocabulary.antonyms.iter().all(|(word, opposites)| !opposites.contains(word)));
    }

    #[test]
    fn a_town_is_not_held_against_its_country() {
        let mut vocabulary = Vocabulary::new("en");
        let [porto, portugal, braga] = ["porto", "portugal", "braga"].map(|place| vocabulary.term(place));
        assert!(vocabulary.may_be_one_place(porto, portugal));
        assert!(!vocabulary.may_be_one_place(porto, braga));
    }

    #[test]
    fn another_language_has_no_tables() {
        let vocabulary = Vocabulary::new("ro");
        assert!(!vocabulary.is_english() && vocabulary.exclusions().is_empty());
    }
}
