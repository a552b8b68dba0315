//! Refuses to repeat what other people said, and recognises when that is asked again.

use llm::Message;

use super::answer::Answering;
use super::question::{About, names_any};
use super::retell::unframed;
use super::{HeardSentence, words_of};

/// How many answers after a refusal begging is still recognised.
const STILL_REFUSED: usize = 2;

impl Answering<'_> {
    /// Says that what others say stays private, in other words than before.
    pub(super) fn refusal(&self) -> String {
        let all = &self.data.phrases.others;
        let latest = self.answers().find_map(|answer| all.iter().position(|phrase| phrase == answer));
        let next = match latest {
            Some(latest) if self.follows_refusal() => (latest + 1) % all.len().max(1),
            Some(_) | None => 0,
        };
        all.get(next).cloned().unwrap_or_default()
    }

    /// Whether the persona has just refused.
    pub(super) fn follows_refusal(&self) -> bool {
        let all = &self.data.phrases.others;
        self.answers().take(STILL_REFUSED).any(|answer| all.iter().any(|phrase| phrase == answer))
    }

    /// Whether a question is about the speaker and about nobody else, so that others' secrets are no part of it.
    pub(super) fn is_of_speaker_alone(&self, sentence: &HeardSentence) -> bool {
        let text = &sentence.text;
        sentence.asks
            && sentence.about(self.data) == About::Speaker
            && !self.data.means_somebody(text)
            && self.data.asked_names(text).is_empty()
    }

    /// Whether the speaker has mentioned a person with one of `names`.
    pub(super) fn tells_of(&self, names: &[String]) -> bool {
        let memories = self.recalled.recollections.iter().flat_map(|recalled| &recalled.memories);
        let mut own = memories.filter(|memory| self.is_speakers(memory) && !self.is_quoted(memory));
        !names.is_empty() && own.any(|memory| names_any(unframed(memory), names))
    }

    /// Whether a person with one of `names` was mentioned by the speaker, or just now in an answer that quotes them.
    pub(super) fn may_speak_of(&self, names: &[String]) -> bool {
        let quotes = |answer: &str| {
            let told_me = self.data.phrases.told_me.split("{words}").next().unwrap_or_default();
            answer.starts_with(told_me) && names_any(answer, names)
        };
        self.tells_of(names) || self.answers().next().is_some_and(quotes)
    }

    /// The persona's answers in this conversation, latest first.
    fn answers(&self) -> impl Iterator<Item = &str> {
        let answers = self.voice.earlier.iter().rev();
        answers.filter(|message| matches!(message, Message::Assistant { .. })).map(words_of).map(str::trim)
    }
}
