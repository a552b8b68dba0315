//! The built-in voice: without a model, a persona answers with what it knows, and says when it doesn't know.
//!
//! It answers greetings, describes itself from IDENTITY.md and its timeline, uses earlier turns of the
//! conversation, and answers a question with the matching memory, rewritten to "you" where the change of
//! person is certain. It uses only the text of memories and its own phrases, never text that a prompt
//! addresses to a model.

mod acknowledge;
mod answer;
mod asked_kind;
mod candidates;
mod classifier;
pub(super) mod consent;
mod english;
mod intent;
mod lookup;
mod meant;
mod own_story;
mod phrases;
mod question;
mod refuse;
mod retell;
mod spelling;

use domain::{MemoryId, PersonaName, SubjectRef, Text};
use llm::Message;
use recall::{CueEncoder, Recollection};
use wire::persona::MemoryState;

pub(super) use acknowledge::{NotKept, Outcome, RecordEnd};
pub(crate) use own_story::OwnStory;
pub(super) use phrases::language_of_few;

use classifier::Chances;
use intent::Intent;
use phrases::Language;
use question::About;

/// The persona, the speaker, and the means of reading a message.
pub(super) struct Voice {
    pub(super) story: OwnStory,
    /// The language it answers in: that of the conversation.
    pub(super) language: &'static str,
    /// The speaker.
    pub(super) subject: Option<SubjectRef>,
    /// The conversation before, oldest first.
    pub(super) earlier: Vec<Message>,
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
    /// What the question refers to, if it doesn't stand alone.
    context: Option<Context>,
}

/// The words a question refers to, and how much a match with them counts.
struct Context {
    words: String,
    weight: f32,
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
    chances: Chances,
}

/// The least chance at which an intent counts.
const LIKELY: f32 = 0.4;
/// The same for all courtesies together, and the chance above which a question is about a person.
const RATHER: f32 = 0.5;
/// The least chance at which an intent is answered before anything is looked up.
const SURELY: f32 = 0.7;
/// The least chance that counts more than the words by which a sentence means a person.
const CERTAINLY: f32 = 0.9;
/// The least chance at which a sentence without a question mark asks: with a full stop, and without any sign.
const ASKS_WITH_STOP: f32 = 0.8;
const ASKS_WITHOUT_SIGN: f32 = 0.4;
/// The least chance that several sentences ask together, if none of them does by itself.
const ASKS_TOGETHER: f32 = 0.6;
/// The least chance at which a question follows up what was said.
const FOLLOWS_UP: f32 = 0.3;
/// The least chance at which a sentence begs or asks for what others said.
const PRIES: f32 = 0.35;
/// The weight of what was said before in the same message, and in the message before.
const SAME_MESSAGE: f32 = 0.95;
const MESSAGE_BEFORE: f32 = 0.8;
/// How many messages are searched for what a question refers to.
const LEANS_ON: usize = 3;

impl Voice {
    /// Parses `message`.
    pub(super) fn read(&self, message: &str) -> ParsedMessage {
        let data = phrases::of(self.language());
        let mut sentences: Vec<HeardSentence> =
            question::sentences(message).into_iter().map(|one| self.read_sentence(one)).collect();
        if sentences.len() > 1 && !sentences.iter().any(|sentence| sentence.asks) {
            let whole = self.read_sentence(message);
            sentences.extend((whole.chances.of_any(Intent::asks) >= ASKS_TOGETHER).then_some(whole));
        }
        let mut heard =
            ParsedMessage { message: message.to_owned(), sentences, cues: Vec::new(), context: None };
        heard.cues = heard.further_cues(data, &self.earlier);
        heard.context = heard.context(data, &self.earlier);
        heard
    }

    fn read_sentence(&self, sentence: &str) -> HeardSentence {
        let text = question::without_address(sentence, self.story.name());
        let chances = Chances::of(&text, phrases::code(self.language()), self.encoder.as_ref());
        let least = if text.ends_with(['.', '!', '…']) { ASKS_WITH_STOP } else { ASKS_WITHOUT_SIGN };
        let asks = question::ends_asking(&text) || chances.of_any(Intent::asks) >= least;
        HeardSentence { text, asks, chances }
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
        if question.leans(data) {
            let latest = earlier.iter().rev().take(LEANS_ON).map(words_of);
            let mut words: Vec<&str> = latest.collect();
            words.reverse();
            words.push(&question.text);
            cues.push(Cue { words: words.join(" "), kind: CueKind::InContext });
        }
        cues
    }

    /// What the question refers to: the sentences before it, or the speaker's message before this one.
    fn context(&self, data: &Language, earlier: &[Message]) -> Option<Context> {
        let question = self.question().filter(|question| question.leans(data))?;
        let before: Vec<&str> = self.before(question).map(|sentence| sentence.text.as_str()).collect();
        let (words, weight) = if before.is_empty() {
            (earlier.iter().rev().find_map(super::exchange::heard)?.to_owned(), MESSAGE_BEFORE)
        } else {
            (before.join(" "), SAME_MESSAGE)
        };
        Some(Context { words: format!("{words} {}", question.text), weight })
    }

    /// The sentences of the message before `question`.
    fn before<'h>(&'h self, question: &'h HeardSentence) -> impl Iterator<Item = &'h HeardSentence> {
        self.sentences.iter().take_while(move |sentence| !std::ptr::eq(*sentence, question))
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
    fn chance(&self, wanted: Intent) -> f32 {
        self.chances.of_intent(wanted)
    }

    /// Whom it is about: as the classifier says where its words don't contradict, else by its words.
    fn about(&self, data: &Language) -> About {
        let by_words = data.about(&self.text);
        let persona = self.chances.of_any(Intent::asks_about_persona);
        // "What does he do at weekends?" is like a question about the persona.
        let may_be_persona = match by_words {
            About::Persona => true,
            About::Speaker => persona >= CERTAINLY || data.addresses_persona(&self.text),
            About::Other => !data.means_somebody(&self.text) && data.names(&self.text).is_empty(),
        };
        if self.chances.of_any(Intent::asks_about_speaker) > RATHER {
            About::Speaker
        } else if persona > RATHER && may_be_persona {
            About::Persona
        } else {
            by_words
        }
    }

    /// Whether it refers to something said before.
    fn leans(&self, data: &Language) -> bool {
        data.is_anaphoric(&self.text) || self.chance(Intent::QuestionFollowUp) >= FOLLOWS_UP
    }

    /// The chance that it begs or asks for what others said.
    fn pries(&self) -> f32 {
        self.chance(Intent::Insists) + self.chance(Intent::AsksOthers)
    }

    /// Whether it rather asks for what others said than for anything else.
    fn asks_for_private(&self) -> bool {
        let others = [Intent::asks_about_persona, Intent::asks_about_speaker];
        let is_less = |other: fn(Intent) -> bool| self.chances.of_any(other) < self.pries();
        self.pries() >= PRIES && others.into_iter().all(is_less) && !self.asks_of_the_world()
    }

    /// Whether a question is more likely about the world than about people.
    fn asks_of_the_world(&self) -> bool {
        let world = self.chance(Intent::QuestionAboutWorld);
        let people = [Intent::asks_about_persona, Intent::asks_about_speaker];
        self.pries() < world && people.into_iter().all(|other| self.chances.of_any(other) < world)
    }

    /// Whether it begs for what was just refused, and is not more likely something else.
    fn insists(&self) -> bool {
        let is_other = |intent: Intent| !matches!(intent, Intent::Insists | Intent::AsksOthers);
        self.pries() >= PRIES && !self.intent().is_some_and(is_other)
    }

    /// The intent of the sentence, if one is likely.
    fn intent(&self) -> Option<Intent> {
        let (intent, chance) = self.chances.best();
        let is_likely = if intent.is_courtesy() {
            self.chances.of_any(Intent::is_courtesy) >= RATHER
        } else {
            chance >= LIKELY
        };
        is_likely.then_some(intent)
    }
}

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
    let is_ended = text.trim_end_matches(['"', '”', '»', ')', '\'', '’']).ends_with(['.', '!', '?', '…']);
    format!("{}{}", capitalised(text), if is_ended { "" } else { "." })
}

/// `text` with an initial capital.
fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
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
