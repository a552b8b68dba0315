//! Whether a text is about a special category, by the word lists and by the learnt models.
//!
//! The lists know the words of illness, faith and party; the models also know "he carries his injection with him". A clause is
//! judged by itself: what one of many clauses tells hardly shows in the whole.

use encoders::Encoders;
use text::sentences;

use crate::judgement::Judgement;
use crate::lexicon::Lexicon;
use crate::passage::Passage;
use crate::sentence::Sentence;
use crate::special::special_category;
use crate::statement::Statement;

/// How texts of one conversation are judged.
#[derive(Clone, Copy)]
pub(crate) struct Sensitivity<'a> {
    pub(crate) lexicon: &'static Lexicon,
    pub(crate) language: &'static str,
    /// Without them the lists alone decide.
    pub(crate) encoders: Option<&'a Encoders>,
}

impl Sensitivity<'_> {
    /// Whether one of the sentences of `text` is about a special category.
    pub(crate) fn tells_special(&self, text: &str) -> bool {
        sentences(text).into_iter().any(|sentence| self.is_special(&Sentence::read(sentence, self.lexicon)))
    }

    fn is_special(&self, sentence: &Sentence<'_>) -> bool {
        let is_listed = special_category(sentence).is_some();
        is_listed
            || Statement::whole(sentence).is_some_and(|whole| {
                let passage = Passage { statements: vec![whole], asked: None, asks: sentence.is_question };
                let judged = |encoders| Judgement::of(&passage.features(self.language, encoders));
                self.passage_tells_special(&passage, self.encoders.map(judged).as_ref())
            })
    }

    /// Whether the models find a special category in a passage, of which `judgement` was made, or in one of its clauses.
    pub(crate) fn passage_tells_special(&self, passage: &Passage<'_>, judgement: Option<&Judgement>) -> bool {
        let in_clause = |encoders| {
            let clauses = passage.clause_features(self.lexicon, self.language, encoders);
            clauses.iter().any(|(_, features)| Judgement::of(features).is_special())
        };
        judgement.is_some_and(Judgement::is_special) || self.encoders.is_some_and(in_clause)
    }
}
