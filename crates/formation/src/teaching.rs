//! What the models are trained on: the passages of an exchange, with the numbers the models see of them.
//!
//! Only the training example uses it, so that training and use can't differ.

use domain::EventDate;
use encoders::Encoders;
use text::sentences;

use crate::draft::{Draft, Replaces};
use crate::exchange::{Author, Exchange, Formed, Forming, asked_parts, form};
use crate::judgement::Judgement;
use crate::language::language;
use crate::lexicon::Lexicon;
use crate::number::without_payment;
use crate::passage::{Part, clauses};
use crate::reply;
use crate::revision::{Comparer, Pairs, ReadMemory, RevisableMemory};
use crate::sensitivity::Sensitivity;
use crate::sentence::Sentence;
use crate::turn::Turn;
use crate::word::words;

/// One passage.
pub struct Lesson {
    /// Whose words it is.
    pub author: Author,
    /// Its words.
    pub text: String,
    /// The question it answers.
    pub asked: Option<String>,
    /// What the models see of it.
    pub features: Vec<f32>,
    /// Whether the word lists find a special category in it.
    pub is_special: bool,
    /// Its clauses, if it has several, with what the models see of them.
    pub clauses: Vec<(String, Vec<f32>)>,
}

/// The passages of what was said and of the reply. Special categories are among them.
#[must_use]
pub fn lessons(exchange: &Exchange<'_>, encoders: &Encoders) -> Vec<Lesson> {
    let said = without_payment(exchange.said);
    let Some(turn) = Turn::read(&said, exchange.language) else { return Vec::new() };
    let exchange = Exchange { may_keep_sensitive: true, ..*exchange };
    let mut lessons = Vec::new();
    for part in asked_parts(&turn, &exchange) {
        let Part::Passage(passage) = part else { continue };
        let is_special = |hit: &crate::lexicon::Hit| hit.cue.special().is_some();
        lessons.push(Lesson {
            author: Author::Speaker,
            text: passage.text(),
            asked: passage.asked.map(str::to_owned),
            features: passage.features(turn.language, encoders).0,
            is_special: passage.statements.iter().any(|statement| statement.hits.iter().any(is_special)),
            clauses: passage
                .clause_features(turn.lexicon, turn.language, encoders)
                .into_iter()
                .map(|(text, features)| (text, features.0))
                .collect(),
        });
    }
    let (Some(reply), Some(lexicon)) = (exchange.reply, Lexicon::of(turn.language)) else { return lessons };
    for text in sentences(&without_payment(reply)) {
        let sentence = Sentence::read(text, lexicon);
        let Some(features) = reply::features(&sentence, turn.language, encoders) else { continue };
        lessons.push(Lesson {
            author: Author::Persona,
            text: text.to_owned(),
            asked: None,
            features: features.0,
            is_special: crate::special::special_category(&sentence).is_some(),
            clauses: Vec::new(),
        });
    }
    lessons
}

/// What the kernel sees of a message, and of each of its clauses if it has several.
#[must_use]
pub fn special_inputs(said: &str, declared: &str, encoders: &Encoders) -> Vec<(String, Vec<f32>)> {
    let language = language(&words(said), declared);
    let Some(lexicon) = Lexicon::of(language) else { return Vec::new() };
    let sensitivity = Sensitivity { lexicon, language, encoders: Some(encoders) };
    let clauses = sentences(said).into_iter().flat_map(clauses).map(str::to_owned).collect::<Vec<_>>();
    let clauses = if clauses.len() > 1 { clauses } else { Vec::new() };
    let input = |text: String| {
        let numbers = sensitivity.input(&text, encoders).numbers();
        (text, numbers)
    };
    std::iter::once(said.to_owned()).chain(clauses).map(input).collect()
}

/// The date of each passage of what was said, whatever it is worth.
#[must_use]
pub fn dates(exchange: &Exchange<'_>) -> Vec<Option<EventDate>> {
    let Some(turn) = Turn::read(exchange.said, exchange.language) else { return Vec::new() };
    let exchange = Exchange { may_keep_sensitive: true, ..*exchange };
    let forming = Forming::new(&exchange, &turn);
    let of = |part: Part<'_>| {
        let Part::Passage(passage) = part else { return None };
        forming.stated(&passage)?.event_date
    };
    asked_parts(&turn, &exchange).into_iter().map(of).collect()
}

/// A memory with what the models see of the passage it was made of.
pub struct TrainingExample {
    /// The memory.
    pub draft: Draft,
    /// What the models see of the passage.
    pub features: Vec<f32>,
}

/// Which passages become memories.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum PassageSelection {
    /// Those that are noted.
    Noted,
    /// All of them.
    All,
}

/// The memories of what was said and of the reply.
#[must_use]
pub fn drafts(exchange: &Exchange<'_>, encoders: &Encoders, which: PassageSelection) -> Vec<TrainingExample> {
    let mut taught = said_drafts(exchange, encoders);
    taught.extend(reply::teaching(exchange, encoders));
    if which == PassageSelection::All {
        return taught;
    }
    let noted = form(exchange).into_iter().filter_map(|formed| match formed {
        Formed::Remember(draft) => Some(draft),
        Formed::Refused { .. } | Formed::Dropped(_) => None,
    });
    let of = |draft: Draft| {
        let same = |one: &&TrainingExample| one.draft.gist == draft.gist && one.draft.author == draft.author;
        let features = taught.iter().find(same)?.features.clone();
        Some(TrainingExample { draft, features })
    };
    noted.filter_map(of).collect()
}

fn said_drafts(exchange: &Exchange<'_>, encoders: &Encoders) -> Vec<TrainingExample> {
    let said = without_payment(exchange.said);
    let Some(turn) = Turn::read(&said, exchange.language) else { return Vec::new() };
    let forming = Forming::new(exchange, &turn);
    let of = |part: Part<'_>| {
        let Part::Passage(passage) = part else { return None };
        let features = passage.features(turn.language, encoders);
        let draft = forming.drafted(&passage, Some(&Judgement::of(&features)))?;
        Some(TrainingExample { draft, features: features.0 })
    };
    asked_parts(&turn, exchange).into_iter().filter_map(of).collect()
}

/// The memories of one conversation, read so that they can be compared.
pub struct Comparison<'a> {
    comparer: Comparer<'a>,
    read: Vec<ReadMemory>,
}

impl<'a> Comparison<'a> {
    /// No memory yet.
    #[must_use]
    pub fn new(language: &str, encoders: &'a Encoders) -> Self {
        Self { comparer: Comparer::new(language, encoders), read: Vec::new() }
    }

    /// What the comparison sees of `draft` and of each of the first memories; it is one of them afterwards.
    pub fn pairs(&mut self, draft: &Draft, known: &[RevisableMemory<'_>]) -> Vec<Vec<f32>> {
        let new = self.comparer.read_draft(draft);
        let change = if let Replaces::Perhaps(change) = draft.replaces { change } else { 0.0 };
        let pairs = Pairs::new(draft, &new, known.iter().zip(&self.read).collect());
        let numbers = pairs.features(change).iter().map(|numbers| numbers.to_vec()).collect();
        self.read.push(new);
        numbers
    }
}
