//! Saying a memory: as clearly as it is remembered, and to "you" where the change of person is certain.

use domain::{Kind, Vividness};
use recall::RenderedMemory;

use super::answer::Answering;
use super::{Note, as_sentence, english};

/// What formation puts in front of words that it keeps as they were said.
const FRAMES: [&str; 2] = ["The guest said: ", "The owner said: "];

impl Answering<'_> {
    fn note(&self, told: &RenderedMemory) -> Option<&Note> {
        self.recalled.notes.iter().find(|note| note.id == told.id)
    }

    /// A memory as it is said, as clearly as it is remembered.
    pub(super) fn memory(&self, told: &RenderedMemory) -> String {
        let details: Vec<&str> = told.details.iter().map(|detail| detail.content.as_str()).collect();
        let is_clear = told.vividness == Vividness::Vivid || told.kind != Kind::Episodic;
        let prefixed = told.recent || (told.vividness != Vividness::Faded && is_clear && !told.all_faded);
        if prefixed { self.note_words(told, &details) } else { self.memory_after(told) }
    }

    /// The same after other words: that it is noted need not be said.
    pub(super) fn memory_after(&self, told: &RenderedMemory) -> String {
        let phrases = &self.data.phrases;
        let details: Vec<&str> = told.details.iter().map(|detail| detail.content.as_str()).collect();
        let words = match self.bare_words(told, &details) {
            words if self.is_third_person(told, &details) => format!("“{words}”"),
            words => words,
        };
        match (told.vividness, told.kind) {
            // What weighs little was not said long ago for that.
            _ if told.recent => words,
            _ if told.all_faded => phrases.details_gone.replace("{words}", &words),
            (Vividness::Faded, _) => phrases.faint.replace("{words}", &words),
            (Vividness::Moderate, Kind::Episodic) => phrases.moderate.replace("{words}", &words),
            (Vividness::Moderate, Kind::Semantic | Kind::Procedural) | (Vividness::Vivid, _) => words,
        }
    }

    /// The gist and `details` of a memory: to "you" where that is certain, else as they are noted.
    fn note_words(&self, told: &RenderedMemory, details: &[&str]) -> String {
        let phrases = &self.data.phrases;
        let noted: Vec<&str> = std::iter::once(unframed(told)).chain(details.iter().copied()).collect();
        match self.to_you(&noted) {
            _ if self.is_quoted(told) => phrases.told_me.replace("{words}", &as_noted(&noted)),
            Some(said) => said,
            None if self.is_speakers(told) => phrases.noted_words.replace("{words}", &as_noted(&noted)),
            None => as_noted(&noted),
        }
    }

    /// The gist and `details` of a memory, without saying that they are noted.
    pub(super) fn bare_words(&self, told: &RenderedMemory, details: &[&str]) -> String {
        let noted: Vec<&str> = std::iter::once(unframed(told)).chain(details.iter().copied()).collect();
        match self.to_you(&noted) {
            _ if self.is_quoted(told) => self.data.phrases.told_me.replace("{words}", &as_noted(&noted)),
            Some(said) => said,
            None => as_noted(&noted),
        }
    }

    /// Whether a memory of the speaker could not be put to "you".
    fn is_third_person(&self, told: &RenderedMemory, details: &[&str]) -> bool {
        let noted: Vec<&str> = std::iter::once(unframed(told)).chain(details.iter().copied()).collect();
        self.is_speakers(told) && !self.is_quoted(told) && self.to_you(&noted).is_none()
    }

    pub(super) fn is_speakers(&self, told: &RenderedMemory) -> bool {
        self.note(told).is_some_and(|note| note.is_speakers)
    }

    /// Whether a memory is in the speaker's own words.
    pub(super) fn is_quoted(&self, told: &RenderedMemory) -> bool {
        let is_kept_so = unframed(told).len() < told.gist.as_str().len();
        self.is_speakers(told) && (is_kept_so || self.note(told).is_some_and(|note| note.said_by.is_some()))
    }

    fn to_you(&self, noted: &[&str]) -> Option<String> {
        let said = english::to_you(self.name.as_deref()?, noted)?;
        Some(as_sentence(&said))
    }
}

/// The gist without the words that say whose it is.
pub(super) fn unframed(told: &RenderedMemory) -> &str {
    let gist = told.gist.as_str();
    FRAMES.iter().find_map(|frame| gist.strip_prefix(frame)).unwrap_or(gist)
}

fn as_noted(noted: &[&str]) -> String {
    noted.iter().map(|text| as_sentence(text)).collect::<Vec<_>>().join(" ")
}
