//! The special categories of personal data (Article 9 GDPR): what formation refuses to keep.
//!
//! A sentence that tells one of them of a person leaves nothing at all, not even its harmless half.
//! The same words about a place ("the hotel has a prayer room") are about no person and may be kept.

mod kernel;

use text::sentences;

use crate::cue::Cue;
use crate::language::language;
use crate::lexicon::{Hit, Lexicon};
use crate::sentence::Sentence;
use crate::word::words;

pub(crate) use kernel::{Listing, SpecialInput};

/// A topic that may not be kept of a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SpecialCategory {
    /// Illness, injury, allergy, medication, disability, pregnancy.
    Health,
    /// Faith and its practice, or having none.
    Religion,
    /// Sexual life and orientation.
    Sexuality,
    /// Political opinion and party.
    Politics,
    /// Membership of a trade union.
    Union,
    /// Racial or ethnic origin.
    Ethnicity,
    /// Biometric and genetic data.
    Biometric,
    /// Convictions and offences (Article 10 GDPR).
    Criminal,
    /// One that a model found and the word lists did not.
    Unnamed,
}

/// The special category that a sentence of `text` says about a person, if any.
#[must_use]
pub fn special_category_of(text: &str, declared: &str) -> Option<SpecialCategory> {
    let lexicon = Lexicon::of(language(&words(text), declared))?;
    let stated = |sentence| special_category(&Sentence::read(sentence, lexicon));
    sentences(text).into_iter().find_map(stated)
}

/// The special category `sentence` says about a person, if any.
pub(crate) fn special_category(sentence: &Sentence<'_>) -> Option<SpecialCategory> {
    let has = |sought: &[Cue]| sentence.hits.iter().any(|hit| sought.contains(&hit.cue));
    let is_of_person = has(&[Cue::Myself, Cue::Person, Cue::Kin, Cue::Name])
        || !has(&[Cue::Property, Cue::Work, Cue::Tip, Cue::HowTo]);
    let benign = || sentence.hits.iter().filter(|hit| hit.cue == Cue::Benign);
    let is_benign = |hit: &Hit| {
        benign().any(|other| other.words.start < hit.words.end && hit.words.start < other.words.end)
    };
    let mut stated = sentence.hits.iter().filter(|hit| is_of_person && !is_benign(hit));
    stated.find_map(|hit| hit.cue.special())
}
