//! The built-in voice: without a model, a persona answers with what it knows, and says when it doesn't know.
//!
//! It answers greetings, describes itself from IDENTITY.md and its timeline, uses earlier turns of the
//! conversation, and answers a question with the matching memory, rewritten to "you" where the change of
//! person is certain. It uses only the text of memories and its own phrases, never text that a prompt
//! addresses to a model.

mod acknowledge;
mod answer;
mod candidates;
pub(super) mod consent;
mod english;
mod intent;
mod lookup;
mod own_story;
mod phrases;
mod question;
mod refuse;
mod retell;

use std::sync::Arc;

use domain::{MemoryId, PersonaName, SubjectRef, Text};
use llm::Message;
use recall::{CueEncoder, Recollection};
use wire::persona::MemoryState;

pub(super) use acknowledge::{NotKept, Outcome, RecordEnd};
pub(crate) use intent::IntentExamples;
pub(crate) use own_story::OwnStory;

use intent::{Intent, Likely};
use phrases::Language;

/// The persona, the speaker, and the means of reading a message.
pub(super) struct Voice {
    pub(super) story: OwnStory,
    /// The language it answers in: that of the conversation.
    pub(super) language: &'static str,
    /// The speaker.
    pub(super) subject: Option<SubjectRef>,
    /// The conversation before, oldest first.
    pub(super) earlier: Vec<Message>,
    pub(super) examples: Arc<IntentExamples>,
    /// `None` when the encoders can't be used; then words alone decide.
    pub(super) encoder: Option<CueEncoder>,
}

/// What was recalled: only what the listener may see.
pub(super) struct Recalled {
    /// First for the message, then for each further cue.
    pub(super) recollections: Vec<Recollection>,
    pub(super) notes: Vec<Note>,
    /// The gists that the recalled memories superseded.
    pub(super) outdated: Vec<Text>,
    /// What will be stored of the message.
    pub(super) outcome: Outcome,
}

/// Facts about a memory besides its text.
pub(super) struct Note {
    pub(super) id: MemoryId,
    /// Whether its subject is the speaker.
    pub(super) is_speakers: bool,
    /// The person quoted, if the memory is verbatim.
    pub(super) said_by: Option<Text>,
}

/// A parsed message.
pub(super) struct ParsedMessage {
    message: String,
    sentences: Vec<HeardSentence>,
    cues: Vec<Cue>,
}

/// A further cue besides the message.
pub(super) struct Cue {
    pub(super) words: String,
    kind: CueKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum CueKind {
    /// The question alone.
    Question,
    /// The question with the turns it refers to, which bring up much by themselves.
    InContext,
}

struct HeardSentence {
    text: String,
    asks: bool,
    likely: Vec<Likely>,
}

/// The least similarity to an example at which an intent counts.
const LIKELY: f32 = 0.6;
/// Questions for the speaker's or the persona's name are short, and questions for other names are similar.
const LIKELY_NAME: f32 = 0.8;
/// Greetings and thanks vary more in wording.
const LIKELY_COURTESY: f32 = 0.58;
/// How many messages are searched for what a question refers to.
const LEANS_ON: usize = 3;

impl Voice {
    /// Parses `message`.
    pub(super) fn read(&self, message: &str) -> ParsedMessage {
        let data = phrases::of(self.language());
        let sentences = question::sentences(message).into_iter().map(|one| self.read_sentence(one)).collect();
        let mut heard = ParsedMessage { message: message.to_owned(), sentences, cues: Vec::new() };
        heard.cues = heard.further_cues(data, &self.earlier);
        heard
    }

    fn read_sentence(&self, sentence: &str) -> HeardSentence {
        let text = question::without_address(sentence, self.story.name());
        let likely = self.examples.rank(&text, self.language(), self.encoder.as_ref());
        HeardSentence { asks: phrases::of(self.language()).asks(&text), text, likely }
    }

    /// The answer to the message `heard`.
    pub(super) fn answer(&self, heard: &ParsedMessage, recalled: &Recalled) -> String {
        answer::Answering::of(self, heard, recalled).answer()
    }

    const fn language(&self) -> &'static str {
        self.language
    }
}

impl ParsedMessage {
    /// What to recall besides the message: the question alone, and the question with its context.
    pub(super) fn cues(&self) -> &[Cue] {
        &self.cues
    }

    fn further_cues(&self, data: &Language, earlier: &[Message]) -> Vec<Cue> {
        let Some(question) = self.question() else { return Vec::new() };
        let mut cues = Vec::new();
        let words = data.without_naming(&question.text);
        if words.trim() != self.message.trim() {
            cues.push(Cue { words, kind: CueKind::Question });
        }
        if data.is_anaphoric(&question.text) {
            let latest = earlier.iter().rev().take(LEANS_ON).map(words_of);
            let mut words: Vec<&str> = latest.collect();
            words.reverse();
            words.push(&question.text);
            cues.push(Cue { words: words.join(" "), kind: CueKind::InContext });
        }
        cues
    }

    /// The last sentence that asks for knowledge.
    fn question(&self) -> Option<&HeardSentence> {
        self.sentences
            .iter()
            .rev()
            .find(|sentence| sentence.asks && sentence.intent().is_none_or(|i| !i.is_courtesy()))
    }
}

impl HeardSentence {
    fn likeness(&self, wanted: Intent) -> f32 {
        self.likely.iter().find(|(intent, _)| *intent == wanted).map_or(0.0, |(_, likeness)| *likeness)
    }

    /// Whether a question is most similar to one that begs or that asks what others said.
    fn asks_for_private(&self) -> bool {
        let pries = self.likeness(Intent::Insists).max(self.likeness(Intent::AsksOthers));
        let others = [Intent::QuestionAboutPersona, Intent::QuestionAboutSpeaker, Intent::QuestionAboutWorld];
        let is_less = |other: Intent| self.likeness(other) < pries;
        pries >= INSISTS && others.into_iter().all(is_less)
    }

    /// Whether a question is more like one about the world than like one about people.
    fn asks_of_the_world(&self) -> bool {
        let world = self.likeness(Intent::QuestionAboutWorld);
        let people = [Intent::AsksOthers, Intent::QuestionAboutSpeaker, Intent::QuestionAboutPersona];
        people.into_iter().all(|other| self.likeness(other) < world)
    }

    /// Whether it begs for what was just refused, and is not more likely something else.
    fn insists(&self) -> bool {
        let insists = self.likeness(Intent::Insists);
        let begs_or_asks = |intent: Intent| matches!(intent, Intent::Insists | Intent::AsksOthers);
        let is_other = self.intent().is_some_and(|intent| !begs_or_asks(intent));
        let states = self.likeness(Intent::Statement) > insists;
        insists >= INSISTS && !is_other && !states
    }

    /// The intent of the sentence, if it is clearly similar to an example.
    fn intent(&self) -> Option<Intent> {
        let (intent, likeness) = *self.likely.first()?;
        let asks_name = matches!(intent, Intent::AsksSpeakerName | Intent::AsksName);
        let bar = match (asks_name, intent.is_courtesy()) {
            (true, _) => LIKELY_NAME,
            (false, true) => LIKELY_COURTESY,
            (false, false) => LIKELY,
        };
        (likeness >= bar).then_some(intent)
    }
}

/// The least similarity for begging right after a refusal.
const INSISTS: f32 = 0.42;

fn words_of(message: &Message) -> &str {
    match message {
        Message::User(words) | Message::Tool { result: words, .. } => words.as_str(),
        Message::Assistant { text, .. } => text.as_str(),
    }
}

/// The notice that no model is connected, and that memory is paused or off.
pub(super) fn notice(language: &str, memory: MemoryState, persona: &PersonaName) -> String {
    let phrases = &phrases::of(language).phrases;
    let memory = match memory {
        MemoryState::On => None,
        MemoryState::Paused => Some(&phrases.memory_paused),
        MemoryState::Off => Some(&phrases.memory_off),
    };
    let memory = memory.map(|phrase| phrase.replace("{persona}", persona.as_str()));
    let said: Vec<String> = memory.into_iter().chain([phrases.no_model.clone()]).collect();
    format!("({})", said.join(" "))
}

/// `text` with an initial capital and a full stop.
fn as_sentence(text: &str) -> String {
    let text = text.trim();
    let mut letters = text.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    let is_ended = text.trim_end_matches(['"', '”', '»', ')', '\'', '’']).ends_with(['.', '!', '?', '…']);
    format!("{first}{}{}", letters.as_str(), if is_ended { "" } else { "." })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_becomes_a_sentence_once() {
        for (text, expected) in [
            ("she likes tea", "She likes tea."),
            ("Élan!", "Élan!"),
            ("ștefan came", "Ștefan came."),
            ("", "."),
        ] {
            assert_eq!(as_sentence(text), expected);
        }
    }
}
