//! A clause as something that can be true or false: who, what, and the values it gives.

mod flags;
mod parts;
mod propagate;

pub(crate) use flags::{Flags, denies_infinitive};

use recall::words::Term;

use crate::Source;
use crate::clause::{Clause, Word, clauses};
use crate::date::{PartialDate, year_of};
use crate::day_part::DayParts;
use crate::names::Names;
use crate::narrator::Narrator;
use crate::quantity::{Quantity, quantities};
use crate::subject::{Antecedents, Subject, subject};
use crate::vocabulary::Vocabulary;
use crate::word_list::WordList;

/// More children than this are a teacher's, and only in a manner of speaking.
const FAMILY: f64 = 20.0;

/// What one clause of an entry claims.
pub(crate) struct Claim<'a> {
    /// The number of the text it stands in.
    pub(crate) source: usize,
    /// When that text takes place, in milliseconds; `None` for a text about the whole life.
    pub(crate) at: Option<i64>,
    /// The sentence, for the report.
    pub(crate) sentence: &'a str,
    /// Who or what it is about.
    pub(crate) subject: Subject,
    /// Its words, for matching phrases.
    pub(crate) words: Vec<Word>,
    /// The words that make its topic, without the values below; sorted, each once.
    pub(crate) topic: Vec<Term>,
    /// The topic of the whole text: the words of its label.
    pub(crate) context: Vec<Term>,
    /// What it denies: the words after `not`, `never`, `no`.
    pub(crate) denied: Vec<Term>,
    /// What there is only one of, and what it is said to be: a first job, and the words after `was at a`.
    pub(crate) only: Vec<(Term, Vec<Term>)>,
    /// Things in it that belong to another person, and to whom.
    pub(crate) owners: Vec<(Term, Term)>,
    /// The people in it.
    pub(crate) people: Vec<Term>,
    /// The people in the whole text.
    pub(crate) cast: Vec<Term>,
    /// Numbers.
    pub(crate) quantities: Vec<Quantity>,
    /// Dates.
    pub(crate) date: PartialDate,
    /// Places and names.
    pub(crate) names: Names,
    /// The parts of the day its whole text names.
    pub(crate) day_parts: DayParts,
    /// How it is said: denied, wished, remembered.
    pub(crate) flags: Flags,
}

/// The claims of one text: its label and its facts.
pub(crate) fn claims<'a>(
    source: usize,
    text: &Source<'a>,
    narrator: Narrator,
    vocabulary: &mut Vocabulary,
) -> Vec<Claim<'a>> {
    let mut titles = clauses(text.label, vocabulary);
    let mut facts = clauses(text.facts, vocabulary);
    narrator.to_first_person(&mut titles, vocabulary);
    narrator.to_first_person(&mut facts, vocabulary);
    let label = Label::read(&titles, vocabulary);
    let day_parts = DayParts::of(titles.iter().chain(&facts).flat_map(|clause| &clause.words));
    let mut antecedents = Antecedents::default();
    let mut found = Vec::new();
    for (clause, title) in
        titles.into_iter().map(|title| (title, true)).chain(facts.into_iter().map(|fact| (fact, false)))
    {
        let mut claim = read(source, text, clause, &mut antecedents, vocabulary);
        claim.flags.title = title;
        claim.day_parts = day_parts;
        label.apply_to(&mut claim, vocabulary);
        found.push(claim);
    }
    title_about_others(&mut found);
    propagate::propagate(&mut found);
    found
}

/// A label without a subject is about whom the facts begin with: `Champion`, and then `My uncle won`.
fn title_about_others(claims: &mut [Claim<'_>]) {
    let first = claims.iter().find(|claim| !claim.flags.title && !claim.flags.reported);
    let first = first.map(|claim| claim.subject.clone());
    let Some(other @ Subject::Person(_)) = first else { return };
    for title in claims.iter_mut().filter(|claim| claim.flags.title && claim.subject == Subject::Implied) {
        title.subject = other.clone();
    }
}

/// What the label of an entry says about all of its facts.
struct Label {
    context: Vec<Term>,
    owned: Vec<(Term, Term)>,
    another: bool,
    newer: bool,
    looks_back: bool,
}

impl Label {
    fn read(titles: &[Clause<'_>], vocabulary: &Vocabulary) -> Self {
        let words = || titles.iter().map(|clause| clause.words.as_slice());
        let looks_back = |words: &[Word]| flags::looks_back(words, vocabulary);
        Self {
            context: sorted(words().flat_map(|words| parts::topic_words(words, vocabulary)).collect()),
            owned: words().flat_map(|words| parts::owned_things(words, vocabulary)).collect(),
            another: words().flatten().any(|word| vocabulary.says(WordList::Another, &word.lower)),
            newer: words().flatten().any(|word| vocabulary.says(WordList::Newer, &word.lower)),
            looks_back: words().any(looks_back),
        }
    }

    /// Gives a claim what the label says: a topic, whose things are, and from when it looks back.
    fn apply_to(&self, claim: &mut Claim<'_>, vocabulary: &Vocabulary) {
        let on_topic = |term: &Term| claim.has(*term) && !vocabulary.is(WordList::Light, *term);
        let about = claim.flags.title || self.context.iter().any(on_topic);
        claim.context.clone_from(&self.context);
        claim.flags.looks_back |= self.looks_back;
        claim.flags.another |= self.another && about;
        claim.flags.newer |= self.newer;
        claim.adopt(&self.owned);
    }
}

impl Claim<'_> {
    /// Whether the topic has this word.
    pub(crate) fn has(&self, term: Term) -> bool {
        self.topic.binary_search(&term).is_ok()
    }

    /// The year the claim is about: the one it names, or the one it takes place in.
    pub(crate) fn year(&self) -> Option<i16> {
        self.date.year.or_else(|| self.at.filter(|_| !self.flags.looks_back).map(year_of))
    }

    /// A label `My sister's wedding` makes every wedding in its entry hers.
    fn adopt(&mut self, owned: &[(Term, Term)]) {
        for (thing, owner) in owned {
            if self.has(*thing) && self.owner_of(*thing).is_none() {
                self.owners.push((*thing, *owner));
            }
        }
    }

    /// Whether the persona takes part in it without being its subject.
    pub(crate) fn includes_me(&self) -> bool {
        self.words.iter().any(|word| matches!(word.lower.as_str(), "me" | "us" | "we" | "i"))
    }

    /// Whose the thing is said to be.
    pub(crate) fn owner_of(&self, thing: Term) -> Option<Term> {
        self.owners.iter().find(|(owned, _)| *owned == thing).map(|(_, owner)| *owner)
    }
}

fn read<'a>(
    source: usize,
    text: &Source<'a>,
    clause: Clause<'a>,
    antecedents: &mut Antecedents,
    vocabulary: &mut Vocabulary,
) -> Claim<'a> {
    let mut subject = subject(&clause, antecedents, vocabulary);
    if text.at.is_none() && !matches!(subject, Subject::Thing(_)) && !is_relative(&subject, vocabulary) {
        subject = Subject::Persona;
    }
    let words = clause.words;
    let mut names = Names::read(&words, vocabulary);
    let subject_name = subject.person().filter(|person| {
        words.iter().any(|word| word.key == *person && !vocabulary.is(WordList::Kin, word.key))
    });
    names.people.extend(subject_name.filter(|person| !names.people.contains(person)));
    let quantities = quantities(&words, vocabulary);
    let child = vocabulary.term("child");
    let many = quantities.iter().any(|quantity| quantity.value > FAMILY && quantity.units.contains(&child));
    let values = |term: &Term| names.places.contains(term) || names.people.contains(term);
    let topic = parts::topic_words(&words, vocabulary).into_iter().filter(|term| !values(term)).collect();
    let flags = Flags::read(&words, &subject, vocabulary);
    Claim {
        source,
        at: text.at,
        sentence: clause.sentence,
        topic: sorted(topic),
        context: Vec::new(),
        denied: parts::denied(&words, vocabulary),
        only: parts::only(&words, vocabulary),
        owners: parts::owned_things(&words, vocabulary),
        people: parts::people(&words, &names, vocabulary),
        cast: Vec::new(),
        quantities,
        date: PartialDate::read(&words),
        day_parts: DayParts::default(),
        flags: Flags { unreal: flags.unreal || many, ..flags },
        names,
        subject,
        words,
    }
}

fn is_relative(subject: &Subject, vocabulary: &Vocabulary) -> bool {
    matches!(subject, Subject::Person(person) if vocabulary.is(WordList::Kin, *person))
}

fn sorted(mut terms: Vec<Term>) -> Vec<Term> {
    terms.sort_unstable();
    terms.dedup();
    terms
}
