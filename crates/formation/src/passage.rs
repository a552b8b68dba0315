//! What a turn says about one thing: a statement, and the fragments after it that go on about it.
//!
//! People type "Biscuit. daft spaniel. terrified of the hoover": three sentences, one fact.

use encoders::Encoders;

use crate::cue::Cue;
use crate::exchange::is_of_speaker;
use crate::features::{FeatureInput, Features};
use crate::lexicon::{Hit, Lexicon};
use crate::number::{Number, NumberKind, numbers};
use crate::sentence::Sentence;
use crate::special::SpecialCategory;
use crate::statement::{Statement, statements};
use crate::word::Word;
use crate::worth::worth;

/// Statements about one thing.
pub(crate) struct Passage<'a> {
    /// At least one.
    pub(crate) statements: Vec<Statement<'a>>,
    /// The persona's question that it answers.
    pub(crate) asked: Option<&'a str>,
    /// Whether it only asks for something.
    pub(crate) asks: bool,
}

/// A part of a turn.
pub(crate) enum Part<'a> {
    Passage(Passage<'a>),
    /// A sentence about a special category.
    Special {
        category: SpecialCategory,
        sentence: &'a Sentence<'a>,
    },
}

/// No passage has more statements.
const MOST_STATEMENTS: usize = 5;
/// The clauses of a passage that are looked at one by one, since each takes milliseconds.
pub(crate) const MOST_CLAUSES: usize = 6;
/// A clause with fewer words tells nothing of its own.
const FEWEST_WORDS: usize = 3;
/// A sentence with fewer content words is a fragment.
const FRAGMENT: usize = 4;

/// The parts of a turn, in the order they were said, with the special category of each of the `sentences`.
pub(crate) fn parts<'a>(
    sentences: &'a [Sentence<'a>],
    categories: &[Option<SpecialCategory>],
) -> Vec<Part<'a>> {
    let mut parts: Vec<Part<'a>> = Vec::new();
    let mut is_open = false;
    let mut was_special = false;
    for (sentence, category) in sentences.iter().zip(categories) {
        if let Some(category) = *category {
            parts.extend(is_of_person(sentence).then_some(Part::Special { category, sentence }));
            (is_open, was_special) = (false, true);
            continue;
        }
        let mut stated = statements(sentence);
        let asks = stated.is_empty();
        if asks {
            stated.extend(
                Statement::whole(sentence).filter(|_| !sentence.is_withheld(&(0..sentence.words.len()))),
            );
        }
        for statement in stated {
            // "Mum hugged me", after a special category, is about it.
            let is_about_it = statement.goes_on() || statement.content() < FRAGMENT;
            if was_special && is_about_it && !statement.is_asked_for {
                continue;
            }
            was_special = false;
            if is_empty(&statement) {
                continue;
            }
            match parts.last_mut() {
                Some(Part::Passage(open)) if is_open && !asks && open.takes(&statement) => {
                    open.statements.push(statement);
                }
                _ => parts.push(Part::Passage(Passage { statements: vec![statement], asked: None, asks })),
            }
            is_open = !asks;
        }
    }
    parts
}

impl Passage<'_> {
    /// The words, as they were said.
    pub(crate) fn text(&self) -> String {
        self.statements.iter().map(|statement| statement.text.trim()).collect::<Vec<_>>().join(" ")
    }

    pub(crate) fn has(&self, cues: &[Cue]) -> bool {
        self.statements.iter().any(|statement| statement.has(cues))
    }

    pub(crate) fn content(&self) -> usize {
        self.statements.iter().map(Statement::content).sum()
    }

    pub(crate) fn is_asked_for(&self) -> bool {
        self.statements.iter().any(|statement| statement.is_asked_for)
    }

    /// Whether it tells of the speaker or of those close to them.
    pub(crate) fn is_of_speaker(&self) -> bool {
        self.statements.iter().any(|statement| is_of_speaker(&statement.hits))
    }

    /// Whether it begins by stating a fact about the speaker ("I live", "call me", "I'm Tessa") and means it.
    pub(crate) fn opens_with_fact(&self) -> bool {
        let is_unmeant = self.has(&[Cue::Hypothetical, Cue::Joke, Cue::Fiction, Cue::Negation]);
        let opens = |statement: &Statement<'_>| statement.opens_with(&[Cue::Fact, Cue::Called]);
        let states =
            self.statements.first().is_some_and(opens) || self.statements.iter().any(Statement::introduces);
        !self.asks && !is_unmeant && states
    }

    /// Whether it gives an e-mail address or a telephone number, which a host writes down.
    pub(crate) fn gives_address(&self) -> bool {
        let is_address = |number: &Number| matches!(number.kind, NumberKind::Email | NumberKind::Phone);
        !self.asks && numbers(&self.text()).iter().any(is_address)
    }

    /// What the word lists think it is worth.
    pub(crate) fn listed_worth(&self) -> f64 {
        self.statements.iter().map(worth).fold(f64::MIN, f64::max)
    }

    /// What the models see of it.
    pub(crate) fn features(&self, language: &str, encoders: &Encoders) -> Features {
        let words: Vec<&Word> = self.statements.iter().flat_map(|statement| statement.words).collect();
        let hits: Vec<Hit> = self.statements.iter().flat_map(|statement| statement.hits.clone()).collect();
        let text = match self.asked {
            Some(asked) => format!("{asked} {}", self.text()),
            None => self.text(),
        };
        let observed = FeatureInput {
            text: &text,
            words: &words,
            hits: &hits,
            language,
            asks: self.asks,
            answers: self.asked.is_some(),
            listed: self.listed_worth(),
        };
        Features::of(&observed, encoders)
    }

    /// What the models see of each clause. A special category in one clause of many hardly shows in the whole.
    pub(crate) fn clause_features(
        &self,
        lexicon: &Lexicon,
        language: &str,
        encoders: &Encoders,
    ) -> Vec<(String, Features)> {
        let clauses: Vec<&str> =
            self.statements.iter().flat_map(|statement| clauses(statement.text)).collect();
        // The only clause is the passage itself.
        let clauses = if clauses.len() > 1 { clauses } else { Vec::new() };
        let of_clause = |clause: &str| {
            let sentence = Sentence::read(clause, lexicon);
            let whole = Passage {
                statements: vec![Statement::whole(&sentence)?],
                asked: None,
                asks: sentence.is_question,
            };
            Some((clause.to_owned(), whole.features(language, encoders)))
        };
        clauses.into_iter().take(MOST_CLAUSES).filter_map(of_clause).collect()
    }

    /// Whether `next` goes on about the same thing.
    fn takes(&self, next: &Statement<'_>) -> bool {
        let is_fragment = next.content() < FRAGMENT || !has_own_subject(next);
        let is_unfinished = self.content() < FRAGMENT - 1;
        !self.asks
            && (!next.is_asked_for || next.content() < FRAGMENT)
            && self.statements.len() < MOST_STATEMENTS
            && (next.goes_on() || is_fragment || is_unfinished)
    }
}

/// The parts of a statement between signs, those long enough to tell something.
pub(crate) fn clauses(text: &str) -> Vec<&str> {
    let parts = text.split([',', ';', ':', '.', '!', '?', '(', ')', '–', '—', '…']).map(str::trim);
    parts.filter(|part| part.split_whitespace().count() >= FEWEST_WORDS).collect()
}

/// Whether it begins with a person: the speaker, someone close, or a name.
fn has_own_subject(statement: &Statement<'_>) -> bool {
    let opening = statement.run.start..statement.run.start + 2;
    let is_subject = |hit: &Hit| matches!(hit.cue, Cue::Myself | Cue::Kin | Cue::Name);
    statement.hits.iter().any(|hit| is_subject(hit) && opening.contains(&hit.words.start))
}

/// Whether nothing but courtesies and fillers stands in it.
fn is_empty(statement: &Statement<'_>) -> bool {
    let says_little = |at: usize| {
        statement.hits.iter().any(|hit| {
            matches!(hit.cue, Cue::SmallTalk | Cue::Thanks | Cue::Link | Cue::Function | Cue::Joke)
                && hit.words.contains(&at)
        })
    };
    statement.run.clone().all(says_little)
}

/// A question about a special category concerns a person only if it mentions the speaker or kin.
fn is_of_person(sentence: &Sentence<'_>) -> bool {
    !sentence.is_question || sentence.hits.iter().any(|hit| matches!(hit.cue, Cue::Myself | Cue::Kin))
}
