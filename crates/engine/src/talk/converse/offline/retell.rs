//! Renders a memory as a sentence: as clearly as it is remembered, and to "you" where the change of person is
//! certain.

use domain::{Kind, Vividness};
use recall::RenderedMemory;

use super::answer::Answering;
use super::{Note, as_sentence, english};

/// The prefixes that formation puts before verbatim quotes.
const FRAMES: [&str; 2] = ["The guest said: ", "The owner said: "];

impl Answering<'_> {
    fn note(&self, memory: &RenderedMemory) -> Option<&Note> {
        self.recalled.notes.iter().find(|note| note.id == memory.id)
    }

    /// A memory as a sentence, as clearly as it is remembered.
    pub(super) fn memory(&self, memory: &RenderedMemory) -> String {
        let details = sayable_details(memory);
        let is_clear = memory.vividness == Vividness::Vivid || memory.kind != Kind::Episodic;
        let prefixed =
            memory.recent || (memory.vividness != Vividness::Faded && is_clear && !memory.all_faded);
        if prefixed { self.note_words(memory, &details) } else { self.memory_after(memory) }
    }

    /// The same after another sentence, without saying that it is a note.
    pub(super) fn memory_after(&self, memory: &RenderedMemory) -> String {
        let phrases = &self.data.phrases;
        let details = sayable_details(memory);
        let words = match self.bare_words(memory, &details) {
            words if self.is_third_person(memory, &details) => format!("“{words}”"),
            words => words,
        };
        match (memory.vividness, memory.kind) {
            // A light memory is not necessarily old.
            _ if memory.recent => words,
            _ if memory.all_faded => phrases.details_gone.replace("{words}", &words),
            (Vividness::Faded, _) => phrases.faint.replace("{words}", &words),
            (Vividness::Moderate, Kind::Episodic) => phrases.moderate.replace("{words}", &words),
            (Vividness::Moderate, Kind::Semantic | Kind::Procedural) | (Vividness::Vivid, _) => words,
        }
    }

    /// The gist and `details` of a memory: to "you" where that is certain, else quoted as a note.
    fn note_words(&self, memory: &RenderedMemory, details: &[&str]) -> String {
        let phrases = &self.data.phrases;
        let noted: Vec<&str> = std::iter::once(unframed(memory)).chain(details.iter().copied()).collect();
        match self.to_you(&noted) {
            _ if self.is_quoted(memory) => phrases.told_me.replace("{words}", &as_noted(&noted)),
            Some(said) => said,
            None if self.is_speakers(memory) => phrases.noted_words.replace("{words}", &as_noted(&noted)),
            None => as_noted(&noted),
        }
    }

    /// The gist and `details` of a memory, without saying that they are a note.
    pub(super) fn bare_words(&self, memory: &RenderedMemory, details: &[&str]) -> String {
        let noted: Vec<&str> = std::iter::once(unframed(memory)).chain(details.iter().copied()).collect();
        match self.to_you(&noted) {
            _ if self.is_quoted(memory) => self.data.phrases.told_me.replace("{words}", &as_noted(&noted)),
            Some(said) => said,
            None => as_noted(&noted),
        }
    }

    /// Whether a memory about the speaker could not be rewritten to "you".
    fn is_third_person(&self, memory: &RenderedMemory, details: &[&str]) -> bool {
        let noted: Vec<&str> = std::iter::once(unframed(memory)).chain(details.iter().copied()).collect();
        self.is_speakers(memory) && !self.is_quoted(memory) && self.to_you(&noted).is_none()
    }

    pub(super) fn is_speakers(&self, memory: &RenderedMemory) -> bool {
        self.note(memory).is_some_and(|note| note.is_speakers)
    }

    /// Whether a memory quotes the speaker.
    pub(super) fn is_quoted(&self, memory: &RenderedMemory) -> bool {
        let is_kept_so = unframed(memory).len() < memory.gist.as_str().len();
        self.is_speakers(memory)
            && (is_kept_so || self.note(memory).is_some_and(|note| note.said_by.is_some()))
    }

    fn to_you(&self, noted: &[&str]) -> Option<String> {
        let said = english::to_you(self.name.as_deref()?, noted)?;
        Some(as_sentence(&said))
    }
}

/// The gist without its prefix.
pub(super) fn unframed(memory: &RenderedMemory) -> &str {
    let gist = memory.gist.as_str();
    FRAMES.iter().find_map(|frame| gist.strip_prefix(frame)).unwrap_or(gist)
}

/// The details that a person would say besides the gist: a date beside the word it was said with ("tomorrow = 2026-03-03") is a note.
fn sayable_details(memory: &RenderedMemory) -> Vec<&str> {
    let is_date = |text: &str| text.len() >= 4 && text.chars().all(|c| c.is_ascii_digit() || c == '-');
    let is_note = |detail: &&str| detail.rsplit_once(" = ").is_some_and(|(_, date)| is_date(date));
    let gist = memory.gist.as_str().to_lowercase();
    let is_new = |detail: &&str| !gist.contains(detail.trim_end_matches('.').to_lowercase().as_str());
    let details = memory.details.iter().map(|detail| detail.content.as_str());
    details.filter(|detail| !is_note(detail) && is_new(detail)).collect()
}

fn as_noted(noted: &[&str]) -> String {
    noted.iter().map(|text| as_sentence(text)).collect::<Vec<_>>().join(" ")
}
