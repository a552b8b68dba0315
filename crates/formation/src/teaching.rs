//! What the models are trained on: the passages of an exchange, with the numbers the models see of them.
//!
//! Only the training example uses it, so that training and use can't differ.

use encoders::Encoders;

use crate::draft::{Draft, Replaces};
use crate::exchange::{Author, Exchange, asked_parts};
use crate::lexicon::Lexicon;
use crate::number::without_payment;
use crate::passage::Part;
use crate::reply;
use crate::revision::{Remembered, Revision};
use crate::sentence::{Sentence, sentences};
use crate::turn::Turn;

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
        let Part::Told(passage) = part else { continue };
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

/// What the comparison sees of `draft` and of a memory that may give way to it.
#[must_use]
pub fn pair(draft: &Draft, known: &Remembered<'_>, language: &str, encoders: &Encoders) -> Option<Vec<f32>> {
    let Replaces::Perhaps(change) = draft.replaces else { return None };
    Some(Revision::read(draft, change, language, encoders).features(known).to_vec())
}
