//! Composes an answer: the intent decides where it comes from.

use domain::creation::permits_sensitive;
use domain::{Kind, SubjectRef};
use recall::RenderedMemory;

use super::acknowledge::{NotKept, Outcome, acknowledge};
use super::intent::Intent;
use super::lookup::Certainty;
use super::phrases::{Language, addressed};
use super::question::About;
use super::{ASKS_WITH_STOP, HeardSentence, ParsedMessage, Recalled, SURELY, Voice, phrases};

/// The most memories in a list of what is known.
const LISTED: usize = 6;

/// An answer in progress.
pub(super) struct Answering<'a> {
    pub(super) voice: &'a Voice,
    pub(super) heard: &'a ParsedMessage,
    pub(super) recalled: &'a Recalled,
    pub(super) data: &'static Language,
    /// The name of the speaker, if it is known.
    pub(super) name: Option<String>,
}

impl<'a> Answering<'a> {
    pub(super) fn of(voice: &'a Voice, heard: &'a ParsedMessage, recalled: &'a Recalled) -> Self {
        let name = voice.subject.as_ref().and_then(SubjectRef::plain_name);
        Self { voice, heard, recalled, data: phrases::of(voice.language()), name }
    }

    pub(super) fn answer(&self) -> String {
        let sentences = &self.heard.sentences;
        let begs = |sentence: &HeardSentence| sentence.insists() && !self.is_of_speaker_alone(sentence);
        if self.follows_refusal() && sentences.iter().any(begs) {
            return self.refusal();
        }
        let is_sure = |sentence: &&HeardSentence| sentence.chances.best().1 >= SURELY || !sentence.asks;
        let wanted = sentences.iter().rev().filter(is_sure).find_map(|sentence| self.wanted(sentence));
        if let Some(answer) = wanted {
            return answer;
        }
        let courtesies = self.courtesies();
        if let Some(question) = self.heard.question().filter(|_| !self.is_only_kept()) {
            let (answer, certainty) = self.question(question);
            let needs_none = self.is_rather_noted(question) || self.is_small_talk(question);
            if certainty == Certainty::Known || !needs_none {
                return answer;
            }
        }
        if courtesies.is_empty() {
            acknowledge(&self.heard.message, self.recalled.outcome, self.data)
        } else {
            courtesies.join(" ")
        }
    }

    /// Whether a sentence without a question mark that nothing answers was rather news, of which something is stored.
    fn is_rather_noted(&self, question: &HeardSentence) -> bool {
        let may_tell = question.chances.of_any(Intent::asks) < ASKS_WITH_STOP;
        may_tell && self.recalled.outcome.is_remembered && !self.heard.message.contains('?')
    }

    /// Whether a question is a remark that asks to agree: "Lovely sun today, isn't it?"
    fn is_small_talk(&self, question: &HeardSentence) -> bool {
        let is_of_somebody = || !self.meant_names(question).is_empty() || self.means_somebody(question);
        question.about(self.data) == About::Other
            && self.data.asks_to_agree(&question.text)
            && !is_of_somebody()
    }

    /// Whether the message is one sentence to remember, stored or refused, even if it begins like a question or asks politely.
    fn is_only_kept(&self) -> bool {
        let outcome = self.recalled.outcome;
        let is_asking = self.heard.message.contains('?') && !outcome.is_asked_for;
        let is_lost = matches!(outcome.not_kept, Some(NotKept::Paused | NotKept::Off));
        let surely_asks = |sentence: &HeardSentence| {
            sentence.chances.of_any(Intent::asks) >= ASKS_WITH_STOP && !outcome.is_asked_for
        };
        let is_one = matches!(self.heard.sentences.as_slice(), [one] if !surely_asks(one));
        (outcome.is_remembered || is_lost) && is_one && !is_asking
    }

    /// The answer to a sentence with a particular intent.
    pub(super) fn wanted(&self, sentence: &HeardSentence) -> Option<String> {
        let (story, phrases) = (&self.voice.story, &self.data.phrases);
        let intent = sentence.intent()?;
        let may_be_persona = if matches!(intent, Intent::AsksName | Intent::AsksAi) {
            !self.data.means_somebody(&sentence.text)
        } else {
            !intent.is_about_persona() || self.is_about_persona(sentence)
        };
        if !may_be_persona {
            return None;
        }
        let own = |text: Option<String>| text.unwrap_or_else(|| phrases.unknown_self.clone());
        let encoder = self.voice.encoder.as_ref();
        Some(match intent {
            Intent::AsksPermission => addressed(&phrases.here, &sentence.text, None),
            Intent::AsksSpeakerName => phrases.you_are.replace("{name}", self.name.as_deref()?),
            Intent::AsksName => phrases.name.replace("{name}", story.name()),
            Intent::AsksIntroduction => story.introduction(self.data, encoder),
            Intent::AsksAge => own(story.age(phrases)),
            Intent::AsksHome => own(story.home(&sentence.text, self.data, encoder)),
            Intent::AsksWork => own(story.work(&sentence.text, self.data, encoder)),
            Intent::AsksPastimes => own(story.pastimes(&sentence.text, self.data, encoder)),
            Intent::AsksPride => story.pride(phrases)?,
            Intent::AsksChildhood => own(story.childhood(self.data, encoder)),
            Intent::AsksAi => phrases.ai.replace("{name}", story.name()),
            Intent::AsksKnowledge => self.known(),
            Intent::AsksKeeping => phrases.keeps.clone(),
            Intent::GivesConsent if permits_sensitive(&story.persona) => return None,
            Intent::GivesConsent => phrases.consent_forbidden.clone(),
            Intent::AsksForgetOne => phrases.forget_one.clone(),
            Intent::AsksForgetAll => {
                let subject = self.voice.subject.as_ref().map_or("", |subject| subject.as_str());
                phrases.forget_all.replace("{subject}", subject)
            }
            Intent::AsksAbilities => phrases.can_do.clone(),
            Intent::AsksAction => phrases.cannot_do.clone(),
            Intent::OrderToRemember if self.recalled.outcome == Outcome::default() => phrases.in_mind.clone(),
            Intent::Greeting
            | Intent::HowAreYou
            | Intent::Thanks
            | Intent::Goodbye
            | Intent::Goodnight
            | Intent::AsksOthers
            | Intent::Insists
            | Intent::OrderToRemember
            | Intent::Statement
            | Intent::QuestionAboutSpeaker
            | Intent::QuestionAboutPersona
            | Intent::QuestionAboutWorld
            | Intent::QuestionFollowUp => return None,
        })
    }

    /// The answers to greetings, thanks and good-byes, each once.
    fn courtesies(&self) -> Vec<String> {
        let phrases = &self.data.phrases;
        let mut said: Vec<String> = Vec::new();
        let mut seen: Vec<Intent> = Vec::new();
        let mut all = self.heard.sentences.iter().filter_map(HeardSentence::intent);
        // "I must go. Good night!" is one farewell.
        if all.any(|intent| intent == Intent::Goodnight) {
            seen.push(Intent::Goodbye);
        }
        for sentence in &self.heard.sentences {
            let Some(intent) = sentence.intent().filter(|intent| !seen.contains(intent)) else { continue };
            seen.push(intent);
            let Some(all) = phrases.courtesy(intent) else { continue };
            let name = self.name.as_deref().filter(|_| said.is_empty());
            said.push(addressed(all, &sentence.text, name));
            if intent == Intent::Greeting && self.is_first_meeting() && !self.is_addressed() {
                said.push(phrases.name.replace("{name}", self.voice.story.name()));
            }
        }
        said
    }

    /// Whether a sentence may ask about the persona: it says "you", or names nobody else.
    fn is_about_persona(&self, sentence: &HeardSentence) -> bool {
        match sentence.about(self.data) {
            About::Persona => true,
            About::Speaker => false,
            About::Other => {
                !self.data.is_anaphoric(&sentence.text) && self.data.names(&sentence.text).is_empty()
            }
        }
    }

    /// Whether this is the speaker's first message and nothing is remembered of them.
    fn is_first_meeting(&self) -> bool {
        self.voice.earlier.is_empty() && !self.recalled.notes.iter().any(|note| note.is_speakers)
    }

    /// Whether the speaker uses the persona's name, so that it need not introduce itself.
    fn is_addressed(&self) -> bool {
        let mut names = self.voice.story.name().split_whitespace();
        names.any(|name| self.heard.message.contains(name))
    }

    /// What is remembered of the speaker, as a short list.
    fn known(&self) -> String {
        let phrases = &self.data.phrases;
        let memories = self
            .recalled
            .recollections
            .first()
            .map(|recalled| recalled.memories.as_slice())
            .unwrap_or_default();
        let mut own: Vec<&RenderedMemory> =
            memories.iter().filter(|memory| self.is_speakers(memory)).collect();
        // Facts first, quotes last.
        own.sort_by_key(|memory| (self.is_quoted(memory), memory.kind != Kind::Semantic));
        let lines: Vec<String> = own
            .into_iter()
            .take(LISTED)
            .map(|memory| format!("- {}", self.bare_words(memory, &[])))
            .collect();
        if lines.is_empty() {
            phrases.know_nothing.clone()
        } else {
            format!("{}\n{}", phrases.know_some, lines.join("\n"))
        }
    }
}
