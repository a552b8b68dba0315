//! A clause as something that can be true or false: who, what, and the values it gives.

mod sharing;
mod slots;
mod tone;

pub(super) use tone::{Tone, denies_infinitive};

use recall::words::Term;

use super::Source;
use super::daytime::Daytime;
use super::moment::{Moment, begun, moment, year_of};
use super::narration::Narration;
use super::proper::{Proper, proper};
use super::quantity::{Quantity, quantities};
use super::sentences::{Clause, Word, clauses, is_verb};
use super::subject::{Spoken, Subject, subject};
use super::vocabulary::{List, Vocabulary};

/// More children than this are a teacher's, and only in a manner of speaking.
const FAMILY: f64 = 20.0;

/// What one clause of an entry claims.
pub(super) struct Claim<'a> {
    /// The number of the text it stands in.
    pub(super) source: usize,
    /// When that text takes place, in milliseconds; `None` for a text about the whole life.
    pub(super) at: Option<i64>,
    /// The sentence, for the report.
    pub(super) sentence: &'a str,
    /// Who or what it is about.
    pub(super) subject: Subject,
    /// Its words, for matching phrases.
    pub(super) words: Vec<Word>,
    /// The words that make its topic, without the values below; sorted, each once.
    pub(super) topic: Vec<Term>,
    /// The topic of the whole text: the words of its label.
    pub(super) context: Vec<Term>,
    /// What it denies: the words after `not`, `never`, `no`.
    pub(super) denied: Vec<Term>,
    /// The things in it that happen only once or have only one value.
    pub(super) once: Vec<Term>,
    /// What happens once to a thing and is told in the same sentence.
    pub(super) anchors: Vec<Term>,
    /// What such a thing is said to be: a first job, and the words after `was at a`.
    pub(super) only: Vec<(Term, Vec<Term>, Term)>,
    /// Things in it that belong to somebody else, and to whom.
    pub(super) owners: Vec<(Term, Term)>,
    /// The people in it.
    pub(super) people: Vec<Term>,
    /// Whom `him` or `her` in it means.
    pub(super) meant: Option<Term>,
    /// The people in the whole text.
    pub(super) cast: Vec<Term>,
    /// Whom somebody met in it.
    pub(super) met: Option<Term>,
    /// Numbers.
    pub(super) quantities: Vec<Quantity>,
    /// Dates.
    pub(super) moment: Moment,
    /// Places and names.
    pub(super) proper: Proper,
    /// The parts of the day its whole text names.
    pub(super) daytime: Daytime,
    /// What kind of saying it is.
    pub(super) tone: Tone,
}

/// The claims of one text: its label and its facts.
pub(super) fn claims<'a>(
    source: usize,
    text: &Source<'a>,
    narration: Narration,
    vocabulary: &mut Vocabulary,
) -> Vec<Claim<'a>> {
    let mut titles = clauses(text.label, vocabulary);
    let mut facts = clauses(text.facts, vocabulary);
    narration.as_told(&mut titles, vocabulary);
    narration.as_told(&mut facts, vocabulary);
    let label = Label::read(&titles, vocabulary);
    let daytime = Daytime::of(titles.iter().chain(&facts).flat_map(|clause| &clause.words));
    let mut spoken = Spoken::default();
    let mut found = Vec::new();
    for (clause, title) in
        titles.into_iter().map(|title| (title, true)).chain(facts.into_iter().map(|fact| (fact, false)))
    {
        let mut claim = read(source, text, clause, &mut spoken, vocabulary);
        claim.tone.title = title;
        claim.daytime = daytime;
        label.colour(&mut claim, vocabulary);
        found.push(claim);
    }
    title_about_others(&mut found);
    sharing::share(&mut found, vocabulary);
    found
}

/// A label without a subject is about whom the facts begin with: `Champion`, and then `My uncle won`.
fn title_about_others(claims: &mut [Claim<'_>]) {
    let first = claims.iter().find(|claim| !claim.tone.title && !claim.tone.reported);
    let first = first.map(|claim| claim.subject.clone());
    let Some(other @ Subject::Person(_)) = first else { return };
    for title in claims.iter_mut().filter(|claim| claim.tone.title && claim.subject == Subject::Implied) {
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
        let looks_back = |words: &[Word]| tone::counts_years(words) || tone::looks_back(words, vocabulary);
        Self {
            context: sorted(words().flat_map(|words| slots::topic_words(words, vocabulary)).collect()),
            owned: words().flat_map(|words| slots::owned_things(words, vocabulary)).collect(),
            another: words().any(|words| (0..words.len()).any(|at| tone::sets_apart(words, at, vocabulary))),
            newer: words().flatten().any(|word| vocabulary.says(List::Newer, &word.lower)),
            looks_back: words().any(looks_back),
        }
    }

    /// Gives a claim what the label says: a topic, whose things are, and from when it looks back.
    fn colour(&self, claim: &mut Claim<'_>, vocabulary: &Vocabulary) {
        let verb = claim.words.iter().any(|word| is_verb(word, vocabulary));
        let past = claim.tone.title || !verb || tone::is_past(&claim.words, vocabulary);
        let on_topic = |term: &Term| claim.has(*term) && !vocabulary.is(List::Light, *term);
        let about = claim.tone.title || self.context.iter().any(on_topic);
        claim.context.clone_from(&self.context);
        claim.tone.looks_back |= self.looks_back && past;
        claim.tone.another |= self.another && claim.once.is_empty() && about;
        claim.tone.newer |= self.newer;
        claim.adopt(&self.owned);
    }
}

impl Claim<'_> {
    /// Whether the topic has this word.
    pub(super) fn has(&self, term: Term) -> bool {
        self.topic.binary_search(&term).is_ok()
    }

    /// The year the claim is about: the one it names, or the one it takes place in.
    pub(super) fn year(&self) -> Option<i16> {
        self.moment.year.or_else(|| self.at.filter(|_| !self.tone.looks_back).map(year_of))
    }

    /// When what is told began: `since 2011`, `since January`, `for eight years`.
    pub(super) fn begun(&self) -> Option<i64> {
        begun(&self.words, self.at?)
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
    pub(super) fn includes_me(&self) -> bool {
        self.words.iter().any(|word| matches!(word.lower.as_str(), "me" | "us" | "we" | "i"))
    }

    /// Whose the thing is said to be.
    pub(super) fn owner_of(&self, thing: Term) -> Option<Term> {
        self.owners.iter().find(|(owned, _)| *owned == thing).map(|(_, owner)| *owner)
    }
}

fn read<'a>(
    source: usize,
    text: &Source<'a>,
    clause: Clause<'a>,
    spoken: &mut Spoken,
    vocabulary: &mut Vocabulary,
) -> Claim<'a> {
    let pronoun = clause.words.iter().any(|word| matches!(word.lower.as_str(), "him" | "her" | "them"));
    let meant = spoken.person().filter(|_| pronoun);
    let mut subject = subject(&clause, spoken, vocabulary);
    if text.at.is_none() && !matches!(subject, Subject::Thing(_)) && !is_relative(&subject, vocabulary) {
        subject = Subject::Teller;
    }
    let words = clause.words;
    let mut proper = proper(&words, vocabulary);
    let named = subject
        .person()
        .filter(|person| words.iter().any(|word| word.key == *person && !vocabulary.is(List::Kin, word.key)));
    proper.names.extend(named.filter(|person| !proper.names.contains(person)));
    let quantities = quantities(&words, vocabulary);
    let child = vocabulary.term("child");
    let many = quantities.iter().any(|quantity| quantity.value > FAMILY && quantity.units.contains(&child));
    let values = |term: &Term| proper.places.contains(term) || proper.names.contains(term);
    let topic = slots::topic_words(&words, vocabulary).into_iter().filter(|term| !values(term)).collect();
    let tone = tone::tone(&words, &subject, vocabulary);
    Claim {
        source,
        at: text.at,
        sentence: clause.sentence,
        topic: sorted(topic),
        context: Vec::new(),
        denied: slots::denied(&words, vocabulary),
        once: slots::once(&words, vocabulary),
        anchors: Vec::new(),
        only: slots::only(&words, vocabulary),
        owners: slots::owned_things(&words, vocabulary),
        people: slots::people(&words, &proper, vocabulary),
        meant,
        cast: Vec::new(),
        met: slots::met(&words),
        quantities,
        moment: moment(&words),
        daytime: Daytime::default(),
        tone: Tone { unreal: tone.unreal || many, ..tone },
        proper,
        subject,
        words,
    }
}

fn is_relative(subject: &Subject, vocabulary: &Vocabulary) -> bool {
    matches!(subject, Subject::Person(person) if vocabulary.is(List::Kin, *person))
}

fn sorted(mut terms: Vec<Term>) -> Vec<Term> {
    terms.sort_unstable();
    terms.dedup();
    terms
}
