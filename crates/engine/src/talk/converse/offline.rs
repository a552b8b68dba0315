//! The built-in voice: without a model, a persona answers with what it knows, and says what it doesn't know.
//!
//! It answers courtesies, tells of itself from IDENTITY.md and its timeline, uses what was said in this conversation,
//! and answers a question with the memory that answers it, to "you" where the change of person is certain. It speaks
//! only the words of memories and its own phrases, never those that a prompt says to a model.

mod acknowledge;
mod answer;
mod candidates;
mod english;
mod intent;
mod lookup;
mod own_story;
mod phrases;
mod question;
mod refuse;
mod retell;

use std::sync::Arc;

use domain::{MemoryId, SubjectRef, Text};
use llm::Message;
use recall::{CueEncoder, Recollection};

pub(super) use acknowledge::{NotKept, Outcome};
pub(crate) use intent::IntentExamples;
pub(crate) use own_story::OwnStory;

use intent::{Intent, Likely};
use phrases::Language;

/// The persona that answers, whom it answers, and how it reads.
pub(super) struct Voice {
    pub(super) story: OwnStory,
    /// Who speaks.
    pub(super) subject: Option<SubjectRef>,
    /// The talk before, oldest first.
    pub(super) earlier: Vec<Message>,
    pub(super) examples: Arc<IntentExamples>,
    /// Absent when the encoders can't be used; then words alone decide.
    pub(super) encoder: Option<CueEncoder>,
}

/// What came back: only what the listener may hear.
pub(super) struct Recalled {
    /// First for the message, then for each further cue.
    pub(super) recollections: Vec<Recollection>,
    pub(super) notes: Vec<Note>,
    /// The gists that memories which came back took the place of.
    pub(super) outdated: Vec<Text>,
    /// What becomes of what was said.
    pub(super) outcome: Outcome,
}

/// What is known of a memory besides its words.
pub(super) struct Note {
    pub(super) id: MemoryId,
    /// Whether it is the speaker's own.
    pub(super) is_speakers: bool,
    /// Whose words it is in, where they were kept as they were said.
    pub(super) said_by: Option<Text>,
}

/// A message, read.
pub(super) struct ParsedMessage {
    message: String,
    sentences: Vec<HeardSentence>,
    cues: Vec<Cue>,
}

/// Something to recall besides the message.
pub(super) struct Cue {
    pub(super) words: String,
    kind: CueKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum CueKind {
    /// The question without what was said around it.
    Question,
    /// The question after the talk it leans on: much comes back for that talk alone.
    InContext,
}

struct HeardSentence {
    text: String,
    asks: bool,
    likely: Vec<Likely>,
}

/// An intent counts from this likeness to one of its examples on.
const LIKELY: f32 = 0.6;
/// Who the speaker is is asked in few words; many other names are asked for in much the same ones.
const LIKELY_NAME: f32 = 0.8;
/// A courtesy is said in many more words.
const LIKELY_COURTESY: f32 = 0.58;
/// What a question leans on is looked for in so many messages.
const LEANS_ON: usize = 3;

impl Voice {
    /// Reads `message`.
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

    /// The answer to what was `heard`.
    pub(super) fn answer(&self, heard: &ParsedMessage, recalled: &Recalled) -> String {
        answer::Answering::of(self, heard, recalled).answer()
    }

    fn language(&self) -> &str {
        &self.story.persona.identity.language
    }
}

impl ParsedMessage {
    /// What to recall besides the message: the question alone, and the question after what it leans on.
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

    /// The last sentence that asks for something to be looked up.
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

    /// Whether a question is more like one that begs or that is about what others said than like any other.
    fn begs_or_pries(&self) -> bool {
        let pries = self.likeness(Intent::Insists).max(self.likeness(Intent::AsksOthers));
        let others = [Intent::QuestionAboutPersona, Intent::QuestionAboutSpeaker, Intent::QuestionAboutWorld];
        let is_less = |other: Intent| self.likeness(other) < pries;
        pries >= INSISTS && others.into_iter().all(is_less)
    }

    /// Whether it begs for what was refused just before, and is not rather something else.
    fn insists(&self) -> bool {
        let insists = self.likeness(Intent::Insists);
        let begs_or_asks = |intent: Intent| matches!(intent, Intent::Insists | Intent::AsksOthers);
        let is_other = self.intent().is_some_and(|intent| !begs_or_asks(intent));
        let states = self.likeness(Intent::Statement) > insists;
        insists >= INSISTS && !is_other && !states
    }

    /// What the sentence wants, if it is clearly like one of the examples.
    fn intent(&self) -> Option<Intent> {
        let (intent, likeness) = *self.likely.first()?;
        let bar = match (intent == Intent::AsksSpeakerName, intent.is_courtesy()) {
            (true, _) => LIKELY_NAME,
            (false, true) => LIKELY_COURTESY,
            (false, false) => LIKELY,
        };
        (likeness >= bar).then_some(intent)
    }
}

/// What begs for something refused counts from this likeness on, right after the refusal.
const INSISTS: f32 = 0.42;

fn words_of(message: &Message) -> &str {
    match message {
        Message::User(words) | Message::Tool { result: words, .. } => words.as_str(),
        Message::Assistant { text, .. } => text.as_str(),
    }
}

/// The notice that no model is connected, for whoever does not know it yet.
pub(super) fn notice(language: &str) -> String {
    format!("({})", phrases::of(language).phrases.no_model)
}

/// `text` with a capital letter in front and a full stop behind.
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
