//! A clause as something that can be true or false: who, what, and the values it gives.

use recall::words::Term;

use super::Source;
use super::moment::{Moment, is_date_word, is_month, moment};
use super::narration::Narration;
use super::proper::{Proper, proper};
use super::quantity::{Precision, Quantity, number, ordinal, quantities};
use super::sentences::{Clause, Word, clauses, is_verb};
use super::subject::{Spoken, Subject, mixed, relative, subject};
use super::vocabulary::{List, Vocabulary};

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
    /// What it says was lacking: the words after `without`.
    pub(super) lacking: Vec<Term>,
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
    /// The people in the whole text.
    pub(super) cast: Vec<Term>,
    /// Whom somebody met in it.
    pub(super) met: Option<Term>,
    /// As what somebody is, was or began: the words after `as`.
    pub(super) role: Vec<Term>,
    /// Where, from whom and how: prepositions with the noun after them.
    pub(super) circumstances: Vec<(Term, Term)>,
    /// Verbs with what they are done to.
    pub(super) objects: Vec<(Term, Term)>,
    /// Numbers.
    pub(super) quantities: Vec<Quantity>,
    /// Dates.
    pub(super) moment: Moment,
    /// Places and names.
    pub(super) proper: Proper,
    /// What kind of saying it is.
    pub(super) tone: Tone,
}

/// How a clause speaks, which decides what it may be held against.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is an independent property of one clause")]
pub(super) struct Tone {
    /// It denies something.
    pub(super) negated: bool,
    /// It speaks of all of a life: never, always.
    pub(super) universal: bool,
    /// It is a wish, a plan or a condition.
    pub(super) unreal: bool,
    /// It is what somebody else said.
    pub(super) reported: bool,
    /// It looks back.
    pub(super) looks_back: bool,
    /// It tells what had been before: `had never`.
    pub(super) had_been: bool,
    /// It tells of a change.
    pub(super) changes: bool,
    /// It sets itself apart from an earlier one: again, another, second.
    pub(super) another: bool,
    /// It tells of what replaces an older one.
    pub(super) newer: bool,
    /// It tells how it is by now.
    pub(super) present: bool,
    /// It is a title and asserts nothing.
    pub(super) title: bool,
    /// It tells of one moment of an occasion: before, at first, finally.
    pub(super) phase: bool,
    /// It tells of a turn within an occasion: at first, finally.
    pub(super) turn: bool,
}

/// The claims of one text: its label and its facts.
pub(super) fn claims<'a>(
    source: usize,
    text: &Source<'a>,
    narration: Narration,
    vocabulary: &mut Vocabulary,
) -> Vec<Claim<'a>> {
    let mut label = clauses(text.label, vocabulary);
    let mut facts = clauses(text.facts, vocabulary);
    narration.as_told(&mut label, vocabulary);
    narration.as_told(&mut facts, vocabulary);
    let owned = label.iter().flat_map(|clause| owned_things(&clause.words, vocabulary)).collect::<Vec<_>>();
    let label_another = label
        .iter()
        .any(|clause| (0..clause.words.len()).any(|at| sets_apart(&clause.words, at, vocabulary)));
    let label_newer =
        label.iter().any(|clause| clause.words.iter().any(|word| vocabulary.says(List::Newer, &word.lower)));
    let counts_years = label.iter().any(|clause| counts_years(&clause.words));
    let label_looks_back = counts_years || label.iter().any(|clause| looks_back(&clause.words, vocabulary));
    let context = sorted(label.iter().flat_map(|clause| topic_words(&clause.words, vocabulary)).collect());
    let mut spoken = Spoken::default();
    let mut found = Vec::new();
    let titles = label.len();
    for (at, clause) in label.into_iter().chain(facts).enumerate() {
        let mut claim = read(source, text, clause, &mut spoken, vocabulary);
        claim.context.clone_from(&context);
        claim.tone.looks_back |= label_looks_back
            && (at < titles
                || is_past(&claim.words, vocabulary)
                || !claim.words.iter().any(|word| is_verb(word, vocabulary)));
        let about_label = context.iter().any(|term| claim.has(*term) && !vocabulary.is(List::Light, *term));
        claim.tone.another |= label_another && claim.once.is_empty() && (about_label || at < titles);
        claim.tone.title = at < titles;
        claim.tone.newer |= label_newer;
        claim.adopt(&owned);
        found.push(claim);
    }
    share_subjects(&mut found);
    let cast: Vec<Term> = found.iter().flat_map(|claim| &claim.people).copied().collect();
    found.iter_mut().for_each(|claim| claim.cast.clone_from(&cast));
    share_ages(&mut found, vocabulary);
    share_years(&mut found);
    share_anchors(&mut found, vocabulary);
    share_hindsight(&mut found);
    if found
        .iter()
        .find(|claim| !text.label.contains(claim.sentence))
        .is_some_and(|claim| claim.tone.looks_back)
    {
        found.iter_mut().for_each(|claim| claim.tone.looks_back = true);
    }
    share_ellipsis(&mut found);
    found
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

    /// The person right before a verb of giving, or the subject.
    pub(super) fn giver(&self, vocabulary: &Vocabulary) -> Option<Term> {
        let verb = self.words.iter().position(|word| vocabulary.is(List::Given, word.key))?;
        let before =
            (verb.saturating_sub(3)..verb).rev().find_map(|at| relative(&self.words, at, vocabulary));
        let to_me = self.words.iter().any(|word| matches!(word.lower.as_str(), "me" | "us"));
        before.or_else(|| self.subject.person()).filter(|_| to_me)
    }

    /// A label `My sister's wedding` makes every wedding in its entry hers.
    fn adopt(&mut self, owned: &[(Term, Term)]) {
        for (thing, owner) in owned {
            if self.has(*thing) && self.owner_of(*thing).is_none() {
                self.owners.push((*thing, *owner));
            }
        }
    }

    /// Whose the thing is said to be.
    pub(super) fn owner_of(&self, thing: Term) -> Option<Term> {
        self.owners.iter().find(|(owned, _)| *owned == thing).map(|(_, owner)| *owner)
    }
}

/// The year of an instant, in UTC.
pub(super) fn year_of(millis: i64) -> i16 {
    domain::Timestamp::from_millis(millis).to_jiff().to_zoned(jiff::tz::TimeZone::UTC).year()
}

/// The month of an instant, in UTC, from 1.
pub(super) fn month_of(millis: i64) -> usize {
    let date = domain::Timestamp::from_millis(millis).to_jiff().to_zoned(jiff::tz::TimeZone::UTC);
    usize::try_from(date.month()).unwrap_or(0)
}

fn read<'a>(
    source: usize,
    text: &Source<'a>,
    clause: Clause<'a>,
    spoken: &mut Spoken,
    vocabulary: &mut Vocabulary,
) -> Claim<'a> {
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
    let values = |term: &Term| proper.places.contains(term) || proper.names.contains(term);
    let topic = topic_words(&words, vocabulary).into_iter().filter(|term| !values(term)).collect();
    Claim {
        source,
        at: text.at,
        sentence: clause.sentence,
        topic: sorted(topic),
        context: Vec::new(),
        denied: denied(&words, vocabulary),
        lacking: lacking(&words),
        once: once(&words, vocabulary),
        anchors: Vec::new(),
        only: only(&words, vocabulary),
        owners: owned_things(&words, vocabulary),
        people: people(&words, &proper, vocabulary),
        cast: Vec::new(),
        met: met(&words),
        role: role(&words, vocabulary),
        circumstances: circumstances(&words, vocabulary),
        objects: objects(&words, vocabulary),
        quantities,
        moment: moment(&words),
        tone: tone(&words, &subject, vocabulary),
        proper,
        subject,
        words,
    }
}

fn is_relative(subject: &Subject, vocabulary: &Vocabulary) -> bool {
    matches!(subject, Subject::Person(person) if vocabulary.is(List::Kin, *person))
}

fn tone(words: &[Word], subject: &Subject, vocabulary: &Vocabulary) -> Tone {
    let any = |list| words.iter().any(|word| vocabulary.says(list, &word.lower));
    let reported = any(List::Speech) && matches!(subject, Subject::Person(_) | Subject::Unknown);
    Tone {
        negated: any(List::Negation) || fails_to(words),
        universal: any(List::Universal) || is_inability(words, vocabulary),
        unreal: (0..words.len()).any(|at| is_unreal(words, at, vocabulary)),
        reported,
        looks_back: looks_back(words, vocabulary),
        had_been: (0..words.len()).any(|at| had_been(words, at, vocabulary)),
        changes: words
            .iter()
            .enumerate()
            .any(|(at, word)| vocabulary.says(List::Change, &word.lower) && !numbers(words, at, vocabulary)),
        another: words.iter().enumerate().any(|(at, _)| sets_apart(words, at, vocabulary)),
        newer: any(List::Newer),
        present: any(List::Present),
        title: false,
        phase: any(List::Phase),
        turn: any(List::Turn),
    }
}

/// `I don't know any German` says that it was never learnt.
fn is_inability(words: &[Word], vocabulary: &Vocabulary) -> bool {
    let pairs = words.iter().zip(words.iter().skip(1));
    pairs.into_iter().any(|(cannot, verb)| {
        let denies = matches!(cannot.lower.as_str(), "can't" | "cannot" | "don't" | "doesn't");
        denies && vocabulary.is(List::Ability, verb.key)
    })
}

/// `nearly drowned` did not happen, but `nearly empty` is as good as empty.
fn is_unreal(words: &[Word], at: usize, vocabulary: &Vocabulary) -> bool {
    words.get(at).is_some_and(|word| match word.lower.as_str() {
        "almost" | "nearly" => words.get(at + 1).is_some_and(|next| is_verb(next, vocabulary)),
        "promised" => words.get(at + 1).is_some_and(|next| next.lower == "to"),
        lower => vocabulary.says(List::Unreal, lower),
    })
}

/// `second` sets a second wedding apart, but only numbers the second floor.
fn sets_apart(words: &[Word], at: usize, vocabulary: &Vocabulary) -> bool {
    words.get(at).is_some_and(|word| vocabulary.says(List::Another, &word.lower))
        && !numbers(words, at, vocabulary)
}

fn numbers(words: &[Word], at: usize, vocabulary: &Vocabulary) -> bool {
    let ordinal = words.get(at).is_some_and(|word| ordinal(&word.lower).is_some());
    ordinal && words.get(at + 1).is_some_and(|next| vocabulary.is(List::OrdinalThing, next.key))
}

/// `failed to`, `refused to`, `forgot to` deny what follows.
fn fails_to(words: &[Word]) -> bool {
    words.iter().zip(words.iter().skip(1)).any(|(verb, to)| denies_infinitive(verb, to))
}

fn denies_infinitive(verb: &Word, to: &Word) -> bool {
    to.lower == "to"
        && matches!(verb.lower.as_str(), "failed" | "refused" | "forgot" | "declined" | "neglected")
}

/// Whether the words look back: by a word for it, by `told that`, or by what had been.
fn looks_back(words: &[Word], vocabulary: &Vocabulary) -> bool {
    let lower = |at: usize| words.get(at).map_or("", |word| word.lower.as_str());
    let tells = |at: usize| {
        matches!(lower(at), "told" | "telling" | "tell")
            && (at + 1..at + 4).any(|next| matches!(lower(next), "that" | "how" | "i" | "we"))
    };
    let says = |word: &Word| vocabulary.says(List::Retrospect, &word.lower);
    let relative = |at: usize| {
        let after = at.checked_sub(1).map_or("", lower);
        let definite = matches!(lower(at), "the" | "that")
            && !matches!(after, "after" | "before" | "during" | "on" | "in" | "at" | "by");
        let clause =
            matches!(lower(at + 2), "i" | "we" | "where" | "which") || lower(at + 2) == "that" && at > 0;
        definite && clause && words.get(at + 1).is_some_and(|noun| noun.strong) || lower(at) == "which"
    };
    let last = |at: usize| {
        let when = words.get(at + 1).is_some_and(|word| vocabulary.is(List::TimeNoun, word.key));
        lower(at) == "last" && when && !matches!(at.checked_sub(1).map_or("", lower), "the" | "my" | "our")
    };
    let since = |at: usize| {
        let years = at.checked_sub(1).map_or("", lower);
        lower(at) == "since"
            && (matches!(lower(at + 1), "i" | "we" | "my" | "our") || matches!(years, "years" | "months"))
    };
    let at_all = |(at, word): (usize, &Word)| {
        says(word) || tells(at) || relative(at) || since(at) || last(at) || had_been(words, at, vocabulary)
    };
    words.iter().enumerate().any(at_all)
}

/// `had` looks back only before a participle; as a verb of its own it doesn't.
fn had_been(words: &[Word], at: usize, vocabulary: &Vocabulary) -> bool {
    let auxiliary =
        |word: &&Word| matches!(word.lower.as_str(), "had" | "hadn't" | "i'd" | "we'd" | "he'd" | "she'd");
    let between = |word: &&Word| {
        matches!(word.lower.as_str(), "not" | "never" | "just" | "already" | "only" | "always" | "i" | "we")
    };
    let participle = words.iter().skip(at + 1).find(|word| !between(word));
    words
        .get(at)
        .filter(auxiliary)
        .and(participle)
        .is_some_and(|word| word.lower.ends_with("ed") || vocabulary.is_irregular(&word.lower))
}

/// Whether a verb of the past occurs.
fn is_past(words: &[Word], vocabulary: &Vocabulary) -> bool {
    let irregular = |word: &Word| {
        let ending = ["s", "ing"].iter().any(|ending| word.lower.ends_with(ending));
        !ending && vocabulary.is_irregular(&word.lower) && vocabulary.is_verb_form(&word.lower)
    };
    words.iter().any(|word| {
        matches!(word.lower.as_str(), "was" | "were" | "had" | "did" | "didn't" | "wasn't")
            || word.lower.ends_with("ed")
            || irregular(word)
    })
}

/// A label such as `Ten years of the bakery` looks back to the beginning.
fn counts_years(words: &[Word]) -> bool {
    let count = words.first().is_some_and(|word| number(&word.lower).is_some() || word.lower == "a");
    count && words.get(1).is_some_and(|word| matches!(word.lower.as_str(), "years" | "year" | "months"))
}

/// A sentence that looks back in one clause looks back in all of them.
fn share_hindsight(claims: &mut [Claim<'_>]) {
    let looking: Vec<&str> =
        claims.iter().filter(|claim| claim.tone.looks_back).map(|claim| claim.sentence).collect();
    for claim in claims {
        claim.tone.looks_back |= looking.iter().any(|sentence| std::ptr::eq(*sentence, claim.sentence));
    }
}

/// A clause that goes on with the subject of the one before is about what that one is about.
fn share_subjects(claims: &mut [Claim<'_>]) {
    for at in 1..claims.len() {
        let Some((before, rest)) = claims.split_at_mut_checked(at) else { return };
        let Some((before, claim)) = before.last().zip(rest.first_mut()) else { return };
        let goes_on =
            claim.words.first().is_some_and(|word| word.lower == "and") && claim.subject == before.subject;
        if let Subject::Thing(thing) = &claim.subject {
            claim.topic.extend(thing);
        }
        if goes_on && claim.proper.names.is_empty() {
            claim.proper.names.clone_from(&before.proper.names);
        }
        let pronoun = claim.words.iter().any(|word| matches!(word.lower.as_str(), "it" | "them"));
        let object = before.words.iter().rev().find(|word| word.strong && !word.capital);
        claim.topic.extend(object.filter(|_| goes_on && pronoun).map(|word| word.key));
        claim.tone.another |= goes_on && before.tone.another;
        claim.topic.sort_unstable();
        claim.topic.dedup();
    }
}

/// `when I was six` gives its age to what the rest of the sentence tells.
fn share_ages(claims: &mut [Claim<'_>], vocabulary: &mut Vocabulary) {
    let unit = vocabulary.term("age");
    let ages: Vec<(&str, f64)> =
        claims.iter().filter_map(|claim| Some((claim.sentence, age_then(&claim.words)?))).collect();
    for claim in claims {
        if let Some((_, value)) = ages.iter().find(|(sentence, _)| std::ptr::eq(*sentence, claim.sentence)) {
            claim.quantities.push(Quantity {
                value: *value,
                precision: Precision::Exact,
                converted: false,
                units: vec![unit],
            });
            claim.tone.looks_back = true;
        }
    }
}

/// The age in `when I was six`, `I was six when`, `at the age of six`.
fn age_then(words: &[Word]) -> Option<f64> {
    let lower = |at: usize| words.get(at).map_or("", |word| word.lower.as_str());
    (0..words.len()).find_map(|at| {
        let was = lower(at) == "was" && matches!(at.checked_sub(1).map_or("", lower), "i" | "we");
        let then = matches!(lower(0), "when" | "because" | "until" | "before")
            || lower(at + 2) == "when"
            || at + 2 == words.len();
        let aged = lower(at) == "of" && at.checked_sub(1).map_or("", lower) == "age";
        let young =
            lower(at) == "at" && (at + 2 == words.len() || words.get(at + 1).is_some_and(|word| word.comma));
        number(lower(at + 1))
            .filter(|_| was && then || aged || young)
            .filter(|age| (1.0..110.0).contains(age))
    })
}

/// `when I joined` says of which time the rest of the sentence speaks.
fn share_anchors(claims: &mut [Claim<'_>], vocabulary: &Vocabulary) {
    let once = |claim: &Claim<'_>| {
        claim.topic.iter().copied().filter(|term| vocabulary.is(List::OnceWith, *term)).collect::<Vec<_>>()
    };
    let anchors: Vec<(&str, Vec<Term>)> = claims.iter().map(|claim| (claim.sentence, once(claim))).collect();
    for claim in claims {
        let same = anchors.iter().filter(|(sentence, _)| std::ptr::eq(*sentence, claim.sentence));
        claim.anchors = same.flat_map(|(_, terms)| terms).copied().collect();
    }
}

/// A year in one clause of a sentence dates the others, and a year that isn't the entry's own looks back.
fn share_years(claims: &mut [Claim<'_>]) {
    let back: Vec<(&str, i16)> =
        claims.iter().filter_map(|claim| Some((claim.sentence, years_back(&claim.words)?))).collect();
    let years: Vec<(&str, i16)> =
        claims.iter().filter_map(|claim| Some((claim.sentence, claim.moment.year?))).collect();
    for claim in claims {
        let named = years.iter().find(|(sentence, _)| std::ptr::eq(*sentence, claim.sentence));
        claim.moment.year = claim.moment.year.or(named.map(|(_, year)| *year));
        let own = claim.at.map(year_of);
        let counted = back.iter().find(|(sentence, _)| std::ptr::eq(*sentence, claim.sentence));
        claim.moment.around = own.zip(counted).map(|(own, (_, back))| own - back);
        claim.tone.looks_back |= claim.moment.year.zip(own).is_some_and(|(named, own)| named < own);
    }
}

/// The ten of `ten years ago`, `ten years since`, `our tenth anniversary`.
#[expect(clippy::cast_possible_truncation, reason = "spans of a life are below two hundred years")]
fn years_back(words: &[Word]) -> Option<i16> {
    let lower = |at: usize| words.get(at).map_or("", |word| word.lower.as_str());
    (0..words.len()).find_map(|at| {
        let years = lower(at + 1) == "years" && matches!(lower(at + 2), "ago" | "since" | "back");
        let counted = number(lower(at)).filter(|_| years);
        let celebrated =
            ordinal(lower(at)).filter(|_| lower(at + 1) == "anniversary" || lower(at + 2) == "anniversary");
        counted.or(celebrated).filter(|years| (1.0..200.0).contains(years)).map(|years| years as i16)
    })
}

/// `I don't drink coffee; I never have`: the second says of the first that it always was so.
fn share_ellipsis(claims: &mut [Claim<'_>]) {
    for at in 1..claims.len() {
        let bare = claims
            .get(at)
            .is_some_and(|claim| claim.tone.universal && claim.words.len() <= 4 && claim.topic.len() <= 1);
        if let Some(before) = at.checked_sub(1).and_then(|before| claims.get_mut(before)).filter(|_| bare) {
            before.tone.universal = true;
        }
    }
}

fn role(words: &[Word], vocabulary: &Vocabulary) -> Vec<Term> {
    let after = words.iter().skip_while(|word| word.lower != "as").skip(1);
    let phrase = after.take_while(|word| !vocabulary.is(List::Preposition, word.key) && word.lower != "and");
    phrase.filter(|word| word.strong).take(3).map(|word| word.key).collect()
}

fn circumstances(words: &[Word], vocabulary: &Vocabulary) -> Vec<(Term, Term)> {
    let mut found = Vec::new();
    for (at, word) in
        words.iter().enumerate().filter(|(_, word)| vocabulary.says(List::Circumstance, &word.lower))
    {
        let phrase = words
            .iter()
            .skip(at + 1)
            .take(4)
            .take_while(|word| word.strong || vocabulary.is(List::Article, word.key));
        let nouns: Vec<&Word> = phrase.filter(|word| word.strong).collect();
        let when = |word: &&Word| {
            vocabulary.is(List::TimeNoun, word.key) || is_month(&word.lower) || number(&word.lower).is_some()
        };
        if let Some(noun) = nouns.last().filter(|_| !nouns.iter().any(when)) {
            found.push((word.key, noun.key));
        }
    }
    found
}

/// What a verb is done to, as one more circumstance of it.
fn objects(words: &[Word], vocabulary: &Vocabulary) -> Vec<(Term, Term)> {
    let mut found = Vec::new();
    for (at, verb) in words.iter().enumerate() {
        let article = words.get(at + 1).is_some_and(|word| vocabulary.is(List::Article, word.key));
        if is_verb(verb, vocabulary) && verb.strong && article {
            let noun = words.iter().skip(at + 2).take_while(|word| word.strong).last();
            found.extend(noun.map(|noun| (verb.key, noun.key)));
        }
    }
    found
}

fn lacking(words: &[Word]) -> Vec<Term> {
    let without = words.iter().skip_while(|word| word.lower != "without").skip(1);
    without.filter(|word| word.strong).take(2).map(|word| word.key).collect()
}

fn topic_words(words: &[Word], vocabulary: &Vocabulary) -> Vec<Term> {
    let carries = |word: &&Word| {
        let said = vocabulary.says(List::Negation, &word.lower)
            || number(&word.lower).is_some()
            || is_date_word(&word.lower);
        word.strong && !said && !word.owner
    };
    words.iter().filter(carries).map(|word| word.key).collect()
}

/// What belongs to somebody else: `my sister's wedding`, `the wedding of my sister`.
fn owned_things(words: &[Word], vocabulary: &Vocabulary) -> Vec<(Term, Term)> {
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

fn denied(words: &[Word], vocabulary: &Vocabulary) -> Vec<Term> {
    let denies = |at: usize| {
        let (word, next) = (words.get(at), words.get(at + 1));
        word.is_some_and(|word| vocabulary.says(List::Negation, &word.lower))
            || word.zip(next).is_some_and(|(word, next)| denies_infinitive(word, next))
    };
    let Some(at) = (0..words.len()).find(|at| denies(*at)) else { return Vec::new() };
    words
        .iter()
        .skip(at + 1)
        .filter(|word| {
            word.strong
                && !vocabulary.says(List::Negation, &word.lower)
                && !vocabulary.says(List::Universal, &word.lower)
        })
        .take(3)
        .map(|word| word.key)
        .collect()
}

fn once(words: &[Word], vocabulary: &mut Vocabulary) -> Vec<Term> {
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
    let open = words
        .get(at + 1)
        .is_none_or(|next| vocabulary.is(List::Preposition, next.key) || next.lower == "when");
    let pause = words.get(at).is_some_and(|word| word.comma);
    (open || pause) && matches!(before, "i" | "we" | "first" | "had" | "parents")
}

/// `my first job was at a library`: the only thing of its kind, and what it is.
fn only(words: &[Word], vocabulary: &Vocabulary) -> Vec<(Term, Vec<Term>, Term)> {
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

fn met(words: &[Word]) -> Option<Term> {
    let pair = words.iter().zip(words.iter().skip(1)).find(|(met, name)| met.lower == "met" && name.capital);
    pair.map(|(_, name)| name.key)
}

fn people(words: &[Word], proper: &Proper, vocabulary: &Vocabulary) -> Vec<Term> {
    let relatives = (0..words.len()).filter_map(|at| relative(words, at, vocabulary));
    relatives.chain(proper.names.iter().copied()).collect()
}

fn sorted(mut terms: Vec<Term>) -> Vec<Term> {
    terms.sort_unstable();
    terms.dedup();
    terms
}
