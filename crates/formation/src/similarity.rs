//! Whether two memories are the same: the law by which talk that repeats itself adds nothing.
//!
//! Content words decide, stemmed in the language at hand. Numbers, names and negation must agree, since
//! "room 12" is not "room 21" and "likes fish" is not "does not like fish", however many words they share.

use std::collections::BTreeSet;

use domain::Text;
use recall::words::{Lexicon as Stems, Term};
use text::sentences;

use crate::cue::Cue;
use crate::draft::{Draft, LONGEST_DETAIL, clipped};
use crate::lexicon::{Hit, LANGUAGES, Lexicon};
use crate::number::numbers;
use crate::word::{Word, words};
use crate::worth::has_contact;

/// A memory the persona has.
#[derive(Clone, Copy, Debug)]
pub struct KnownMemory<'a> {
    /// Its gist.
    pub gist: &'a str,
    /// Its details.
    pub details: &'a [&'a str],
}

/// How a draft compares with a memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Similarity {
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
/// The shares of two texts that they must have in common, the greater and the lesser, to be of one topic.
const ONE_TOPIC: (f64, f64) = (0.6, 0.4);
/// The lesser share that is enough when a name or a figure is among what two texts have in common.
const ONE_MATTER: f64 = 0.3;
/// So many words at least make a topic.
const TOPIC_WORDS: usize = 3;
/// A memory takes in no more details from talk than these; further rewordings add nothing.
const MOST_DETAILS: usize = 16;

/// How `draft` compares with `known`, in `language`.
#[must_use]
pub fn similarity(known: &KnownMemory<'_>, draft: &Draft, language: &str) -> Similarity {
    let mut reader = Reader::new(language);
    let old = reader.read(known.gist);
    let everything = reader.read(&[&[known.gist], known.details].concat().join(". "));
    let new = reader.read(draft.gist.as_str());
    if !agree(&old, &everything, &new) || !is_related(&old, &everything, &new) {
        return Similarity::Different;
    }
    let mut added = Vec::new();
    if !is_said(&everything, &new) {
        added.push(Text::new(clipped(unframed(draft.gist.as_str()), LONGEST_DETAIL)));
    }
    for (detail, _) in &draft.details {
        let terms = reader.read(detail.as_str()).terms;
        if share(&terms, &everything.terms) < 1.0 {
            added.push(detail.clone());
        }
    }
    added.truncate(MOST_DETAILS.saturating_sub(known.details.len()));
    if added.is_empty() { Similarity::Same } else { Similarity::Adds(added) }
}

/// Whether everything new is said already, figures and names too.
fn is_said(everything: &Read, new: &Read) -> bool {
    share(&new.terms, &everything.terms) >= SAID
        && new.figures.is_subset(&everything.figures)
        && new.names.is_subset(&everything.names)
}

/// Whether two texts speak of the same: one says the other, they share the most of their words, or
/// they name the same number or address by which a person is reached.
fn is_related(old: &Read, everything: &Read, new: &Read) -> bool {
    let (of_new, of_old) = (share(&new.terms, &everything.terms), share(&old.terms, &new.terms));
    let shared = new.terms.intersection(&old.terms).count();
    let (most, least) = ONE_TOPIC;
    let is_repeated = of_new >= SAID && of_old >= TOUCHED;
    let is_continued = of_old >= SAID && old.terms.len() > 1;
    let is_one_topic = shared >= TOPIC_WORDS && of_new.max(of_old) >= most && of_new.min(of_old) >= least;
    let is_anchored = new.names.intersection(&everything.names).next().is_some()
        || new.figures.intersection(&everything.figures).next().is_some();
    let is_one_matter = shared >= TOPIC_WORDS && is_anchored && of_new.min(of_old) >= ONE_MATTER;
    let is_reached = !new.contacts.is_empty() && new.contacts.is_subset(&everything.contacts);
    is_repeated || is_continued || is_one_topic || is_one_matter || is_reached
}

/// Whether `said` only gives back a statement of `before`; the answer to a question is no echo.
pub(crate) fn echoes(said: &str, before: &str, language: &str) -> bool {
    let stated: Vec<&str> =
        sentences(before).into_iter().filter(|sentence| !sentence.ends_with('?')).collect();
    repeats(said, &stated.join(" "), language)
}

/// Whether everything `said` stands in `known` already.
pub(crate) fn repeats(said: &str, known: &str, language: &str) -> bool {
    let mut reader = Reader::new(language);
    let (new, old) = (reader.read(said), reader.read(known));
    new.terms.len() > 1 && share(&new.terms, &old.terms) >= 0.9 && agree(&old, &old, &new)
}

/// Whether one sentence of `text` tells what `gist` says of `whom`, whose name need not stand in it.
#[must_use]
pub fn tells(text: &str, gist: &str, whom: &str, language: &str) -> bool {
    let mut reader = Reader::new(language);
    let name = reader.read(whom).terms;
    let terms: BTreeSet<Term> = reader.read(unframed(gist)).terms.difference(&name).copied().collect();
    let says_it = |sentence: &str| share(&terms, &reader.read(sentence).terms) >= SAID;
    terms.len() > 1 && sentences(text).into_iter().any(says_it)
}

/// The share of a proposal's content words that must have been said.
const RESTS: f64 = 0.5;

/// Whether `claim` may be learnt from what was `said`: it shares words with that, most of its words stand
/// in the `evidence`, and so does every figure and every name.
pub(crate) fn is_supported(claim: &str, said: &str, evidence: &str, language: &str) -> bool {
    let mut reader = Reader::new(language);
    let (claim, said) = (reader.read(claim), reader.read(said));
    let stands: BTreeSet<String> = words(evidence).into_iter().map(|word| word.folded).collect();
    let evidence = reader.read(evidence);
    claim.terms.intersection(&said.terms).next().is_some()
        && share(&claim.terms, &evidence.terms) >= RESTS
        && claim.figures.is_subset(&evidence.figures)
        && claim.contacts.is_subset(&evidence.contacts)
        && (language == CAPITALISING || claim.names.is_subset(&stands))
}

/// The language whose every noun begins with a capital, so that a capital marks no name.
const CAPITALISING: &str = "de";

/// What is compared of a text.
pub(crate) struct Read {
    /// The content words, without those that only say how much or since when something is liked.
    pub(crate) terms: BTreeSet<Term>,
    /// The content words that are denied.
    pub(crate) denied: BTreeSet<Term>,
    /// Numbers, days of the week and months.
    pub(crate) figures: BTreeSet<String>,
    pub(crate) names: BTreeSet<String>,
    /// The words for people and animals one lives with: "sister", "boss", "dog".
    pub(crate) kin: BTreeSet<Term>,
    /// Whether a phrase of correction stands in it.
    pub(crate) corrects: bool,
    contacts: BTreeSet<String>,
    feeling: Feeling,
}

/// Which way a text leans.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Feeling {
    For,
    Against,
    Neither,
}

pub(crate) struct Reader {
    stems: Stems,
    lexicon: Option<&'static Lexicon>,
    /// The words that say who spoke, which tell nothing.
    frame: BTreeSet<Term>,
}

impl Reader {
    pub(crate) fn new(language: &str) -> Self {
        let (mut stems, lexicon) = (Stems::new(language), Lexicon::of(&text::primary_tag(language)));
        let frames = lexicon.map(|list| [list.frame("guest"), list.frame("owner")]).unwrap_or_default();
        let frame = frames.into_iter().flat_map(|frame| stems.terms(frame)).collect();
        Self { stems, lexicon, frame }
    }

    pub(crate) fn read(&mut self, text: &str) -> Read {
        let text = unframed(text);
        let words = words(text);
        let hits = self.lexicon.map(|lexicon| lexicon.hits(&words)).unwrap_or_default();
        let manner: BTreeSet<Term> = self.terms_in(text, &words, hits.iter().filter(|hit| is_manner(hit)));
        let all: BTreeSet<Term> = self.stems.terms(text).into_iter().collect();
        let own = all.difference(&manner).filter(|term| !self.frame.contains(*term)).copied();
        let own: BTreeSet<Term> = own.collect();
        let negations = hits.iter().filter(|hit| hit.cue == Cue::Negation);
        let denials: Vec<Hit> = negations.map(|hit| denial(hit, text, &words)).collect();
        Read {
            denied: self.terms_in(text, &words, denials.iter()),
            terms: if own.is_empty() { all } else { own },
            figures: figures(&words, &hits),
            names: names(&words),
            kin: self.terms_in(text, &words, hits.iter().filter(|hit| hit.cue == Cue::Kin)),
            corrects: hits.iter().any(|hit| hit.cue == Cue::Correction),
            contacts: contacts(text),
            feeling: feeling(&hits),
        }
    }

    fn terms_in<'h>(
        &mut self,
        text: &str,
        words: &[Word],
        hits: impl Iterator<Item = &'h Hit>,
    ) -> BTreeSet<Term> {
        let covered = hits.filter_map(|hit| words.get(hit.words.clone())).flatten();
        covered.filter_map(|word| self.stems.term(text.get(word.range.clone())?)).collect()
    }
}

/// Whether a phrase only says how, or how much: "really", "perhaps", "I can't stand".
fn is_manner(hit: &Hit) -> bool {
    matches!(hit.cue, Cue::Intense | Cue::Hedge | Cue::Preference | Cue::Announce | Cue::Negation)
}

/// How far a negation reaches, in words.
const DENIED: usize = 4;

/// The words a negation denies: the next few, within its clause.
fn denial(negation: &Hit, text: &str, words: &[Word]) -> Hit {
    let start = negation.words.start;
    let is_parted = |at: &usize| {
        let gap = words.get(at - 1).zip(words.get(*at));
        let gap = gap.and_then(|(before, after)| text.get(before.range.end..after.range.start));
        gap.is_none_or(|gap| gap.contains([',', ';', ':', '.', '!', '?', '–', '—']))
    };
    let limit = (negation.words.end + DENIED).min(words.len());
    let end = (start + 1..limit).find(is_parted).unwrap_or(limit);
    Hit { cue: negation.cue, words: start..end }
}

fn figures(words: &[Word], hits: &[Hit]) -> BTreeSet<String> {
    let written = words.iter().filter(|word| word.is_number()).map(|word| word.folded.clone());
    let counts = hits.iter().filter_map(|hit| hit.cue.counted()).filter(|count| *count > 1);
    let is_day = |hit: &&Hit| matches!(hit.cue, Cue::Weekday(_) | Cue::Month(_));
    let days = hits.iter().filter(is_day).map(|hit| format!("{:?}", hit.cue));
    written.chain(counts.map(|count| count.to_string())).chain(days).collect()
}

fn names(words: &[Word]) -> BTreeSet<String> {
    let named = words.iter().skip(1).filter(|word| word.is_capital && word.folded.len() > 1);
    named.map(|word| word.folded.clone()).collect()
}

fn contacts(text: &str) -> BTreeSet<String> {
    let found = if has_contact(text) { numbers(text) } else { Vec::new() };
    found.iter().filter_map(|number| text.get(number.range.clone())).map(squeezed).collect()
}

fn squeezed(contact: &str) -> String {
    contact.chars().filter(|c| c.is_alphanumeric() || "@.".contains(*c)).collect()
}

fn feeling(hits: &[Hit]) -> Feeling {
    let has = |cue| hits.iter().any(|hit| hit.cue == cue);
    match (has(Cue::Positive), has(Cue::Negative)) {
        (true, false) => Feeling::For,
        (false, true) => Feeling::Against,
        (true, true) | (false, false) => Feeling::Neither,
    }
}

/// Whether figures, names, denials and feelings allow two texts to be of the same.
fn agree(old: &Read, everything: &Read, new: &Read) -> bool {
    let differ = |old: &BTreeSet<String>, all: &BTreeSet<String>, new: &BTreeSet<String>| {
        !new.is_subset(all) && !old.is_subset(new)
    };
    let is_opposed = matches!(
        (old.feeling, new.feeling),
        (Feeling::For, Feeling::Against) | (Feeling::Against, Feeling::For)
    );
    // "No lilies" and "I hate lilies" are of one mind.
    let is_of_one_mind = (old.feeling, new.feeling) == (Feeling::Against, Feeling::Against);
    (is_of_one_mind || (!denies(new, everything) && !denies(old, new)))
        && !is_opposed
        && !differ(&old.figures, &everything.figures, &new.figures)
        && !differ(&old.names, &everything.names, &new.names)
}

/// Whether one text denies what the other says.
pub(crate) fn denies(one: &Read, other: &Read) -> bool {
    one.denied.iter().any(|term| other.terms.contains(term) && !other.denied.contains(term))
}

#[expect(clippy::cast_precision_loss, reason = "a text has far fewer words than 2^52")]
pub(crate) fn share(of: &BTreeSet<Term>, found_in: &BTreeSet<Term>) -> f64 {
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
            is_asked_for: false,
            author: crate::Author::Speaker,
            said_by: None,
            event_date: None,
            cues: Vec::new(),
            replaces: crate::Replaces::Nothing,
        }
    }

    #[test]
    fn the_same_words_are_the_same_memory_and_other_facts_are_not() {
        use Similarity::{Different, Same};
        for (known, said, expected) in [
            ("The guest said: I love seafood.", "The guest said: I really love the seafood.", Same),
            ("The guest said: I live in Cluj.", "The guest said: I live in Bonn.", Different),
            ("The guest said: My room is 12.", "The guest said: My room is 21.", Different),
            ("The guest said: I have two dogs.", "The guest said: I have three dogs.", Different),
            ("The guest said: I like fish.", "The guest said: I don't like fish.", Different),
            ("The guest said: I love seafood.", "The guest said: I work in a bank.", Different),
        ] {
            let known = KnownMemory { gist: known, details: &[] };
            assert_eq!(similarity(&known, &draft(said), "en"), expected, "{said}");
        }
    }

    #[test]
    fn another_telling_of_the_same_matter_is_no_other_memory() {
        for (known, said) in [
            ("I can't stand lilies", "Never lilies, I really can't bear lilies."),
            ("Emeka loathes aubergine.", "No aubergine, he truly loathes it."),
            (
                "My car is the old blue Saab, I've parked it behind the boathouse.",
                "Do leave a note for the night man: the blue Saab behind the boathouse is mine.",
            ),
            (
                "My brother Callum phoned last night.",
                "Six years of nothing, and then my brother Callum phones!",
            ),
            ("Emeka comes over on Friday, on the evening ferry.", "On Friday he gets off the evening ferry."),
        ] {
            let known = KnownMemory { gist: known, details: &[] };
            assert_ne!(similarity(&known, &draft(said), "en"), Similarity::Different, "{said}");
        }
        for (known, said) in [
            ("My sister Ada lives in Graz.", "My sister Ada hates mushrooms."),
            ("We arrive on Friday by train.", "We leave on Friday by car."),
            ("I love lilies.", "I can't stand lilies."),
        ] {
            let known = KnownMemory { gist: known, details: &[] };
            assert_eq!(similarity(&known, &draft(said), "en"), Similarity::Different, "{said}");
        }
    }

    #[test]
    fn what_is_new_in_a_repetition_becomes_a_detail() {
        let known =
            KnownMemory { gist: "The guest said: My dog Bruno sleeps here.", details: &["he is nine"] };
        let longer = draft("The guest said: My dog Bruno sleeps here under the old table every afternoon.");
        let expected = Text::from("My dog Bruno sleeps here under the old table every afternoon.");
        assert_eq!(similarity(&known, &longer, "en"), Similarity::Adds(vec![expected]));
        let mut detailed = draft("The guest said: My dog Bruno sleeps here.");
        detailed.details =
            ["he is nine", "he snores"].map(|detail| (Text::from(detail), Brightness::MOST)).to_vec();
        assert_eq!(similarity(&known, &detailed, "en"), Similarity::Adds(vec![Text::from("he snores")]));
    }
}
