//! Candidates for an answer: memories, timeline events, IDENTITY.md and earlier turns.

use domain::{MemoryType, Text};
use recall::RenderedMemory;

use super::answer::Answering;
use super::english;
use super::intent::Intent;
use super::own_story::{OwnStory, parts, sayable};
use super::question::{self, About, Naming, names_any};
use super::retell::unframed;
use super::spelling::mended;
use super::{ASKS_WITH_STOP, CueKind};
use crate::talk::converse::exchange;

/// A candidate for an answer.
pub(super) struct Candidate {
    /// Its relevance to the question, from 0 to 1.
    pub(super) relevance: f32,
    /// Its relevance to the question without names: everything known of a person shares their name.
    pub(super) nameless: f32,
    /// The text in which names are looked for.
    pub(super) words: String,
    pub(super) said: String,
    /// Its wording after another sentence.
    pub(super) said_after: String,
    pub(super) source: Source,
    /// Whether it quotes the speaker, who said it about something else.
    pub(super) is_quoted: bool,
    /// Whether it has lost details, among them perhaps what is asked for.
    pub(super) has_faded: bool,
    /// Whether it is a memory about nobody or about someone other than the speaker.
    pub(super) is_common: bool,
}

/// Where a candidate comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// A memory.
    Memory,
    /// An earlier turn.
    Turn,
    /// The persona's own story.
    Story,
}

/// The greatest relevance of what was recalled only for the context of a question.
const IN_CONTEXT: f32 = 0.35;
/// The factor for quotes: they were said about something else.
const QUOTED: f32 = 0.85;
/// The factor for a text that states a name when one is asked for.
const NAMED: f32 = 1.1;
/// The factor for a text that contains a name then, perhaps of something else.
const PERHAPS_NAMED: f32 = 0.9;
/// The least relevance at which a text that contains a name answers a question for one.
const SURELY_ABOUT: f32 = 0.5;
/// The factor for memories about nobody when the speaker asks about themselves.
const COMMON: f32 = 0.85;
/// The factor for a text without a name when one is asked for.
const UNNAMED: f32 = 0.8;
/// The most letters of a message that is quoted as a whole.
const QUOTED_WHOLE: usize = 160;
/// How many of the latest events are compared with a question.
const COMPARED: usize = 80;

impl Answering<'_> {
    /// The recalled memories, each once with its best relevance.
    pub(super) fn memories(&self, question: &str, about: About, names: &[String]) -> Vec<Candidate> {
        let asks_name = self.data.without_naming(question) != question;
        let mut all: Vec<(&RenderedMemory, f32)> = Vec::new();
        for (number, recalled) in self.recalled.recollections.iter().enumerate() {
            let most = if self.is_in_context(number) { IN_CONTEXT } else { 1.0 };
            for memory in recalled.memories.iter().filter(|memory| !self.quotes_question(memory)) {
                // For a question about a name, anything with a name is relevant to the whole message.
                let counts = !(asks_name && number == 0 && self.recalled.recollections.len() > 1);
                let relevance = if counts { memory.parts.relevance.min(most) } else { 0.0 };
                match all.iter_mut().find(|(known, _)| known.id == memory.id) {
                    Some((_, known)) => *known = known.max(relevance),
                    None => all.push((memory, relevance)),
                }
            }
        }
        let texts: Vec<Vec<String>> = all.iter().map(|(memory, _)| self.texts(memory)).collect();
        let by_sentence = self.relevance(&self.data.without_naming(question), &texts);
        let nameless =
            (!names.is_empty()).then(|| self.best_relevance(&without_names(question, names), &texts));
        let nameless = nameless.unwrap_or_else(|| vec![1.0; texts.len()]);
        let candidate =
            |(((memory, recalled), by_sentence), nameless): (((&RenderedMemory, f32), f32), f32)| Candidate {
                relevance: recalled.max(by_sentence)
                    * self.share_of_whose(memory, about)
                    * if asks_name { self.share_of_naming(memory) } else { 1.0 },
                nameless: if asks_name && !self.names_it(memory, recalled.max(by_sentence)) {
                    0.0
                } else {
                    nameless
                },
                is_quoted: self.is_quoted(memory),
                is_common: !self.is_speakers(memory),
                has_faded: memory.all_faded,
                words: texts_joined(memory),
                said: self.memory(memory),
                said_after: self.memory_after(memory),
                source: Source::Memory,
            };
        all.into_iter().zip(by_sentence).zip(nameless).map(candidate).collect()
    }

    /// Whether a memory quotes the speaker asking, which answers nothing.
    fn quotes_question(&self, memory: &RenderedMemory) -> bool {
        if !self.is_quoted(memory) {
            return false;
        }
        // It was noted, so it takes more to be a question than a message does.
        let words = unframed(memory).trim_end_matches('.');
        let asks = || self.voice.read_sentence(words).chances.of_any(Intent::asks);
        question::ends_asking(words) || asks() >= ASKS_WITH_STOP
    }

    /// Whether a memory may state the name asked for: it says what something is called, or it is surely about
    /// the thing asked for.
    fn names_it(&self, memory: &RenderedMemory, relevance: f32) -> bool {
        match self.data.tells_name(&texts_joined(memory)) {
            Naming::Said => true,
            Naming::Possible => relevance >= SURELY_ABOUT,
            Naming::None => false,
        }
    }

    /// The factor for the relevance of a memory where a name is asked for.
    fn share_of_naming(&self, memory: &RenderedMemory) -> f32 {
        match self.data.tells_name(&texts_joined(memory)) {
            Naming::Said => NAMED,
            Naming::Possible => PERHAPS_NAMED,
            Naming::None => UNNAMED,
        }
    }

    /// The factor for the relevance of a memory by whom it is about and who said it.
    fn share_of_whose(&self, memory: &RenderedMemory, about: About) -> f32 {
        match self.is_speakers(memory) {
            false if about == About::Speaker => COMMON,
            true if self.is_quoted(memory) => QUOTED,
            true | false => 1.0,
        }
    }

    /// The sentences of a memory, each by itself, together, and as the speaker would say them.
    fn texts(&self, memory: &RenderedMemory) -> Vec<String> {
        let details = memory.details.iter().map(|detail| detail.content.as_str());
        let mut texts: Vec<String> =
            std::iter::once(unframed(memory)).chain(details).map(str::to_owned).collect();
        if let Some(name) = self.name.as_deref().filter(|_| self.is_speakers(memory)) {
            let own: Vec<String> = texts.iter().map(|text| english::as_own_words(name, text)).collect();
            texts.extend(own);
        }
        texts
    }

    /// Whether the recollection of this number was for a cue with context; the first is for the message.
    fn is_in_context(&self, number: usize) -> bool {
        let cue = number.checked_sub(1).and_then(|number| self.heard.cues.get(number));
        cue.is_some_and(|cue| cue.kind == CueKind::InContext)
    }

    /// The events of the persona's timeline. Events of shame or denial only if recall returned them.
    pub(super) fn events(&self, question: &str) -> Vec<Candidate> {
        let story = &self.voice.story;
        let entries: Vec<_> = story.mentioned_events().rev().take(COMPARED).collect();
        let texts: Vec<Vec<String>> = entries.iter().map(|entry| sayable(entry)).collect();
        let found_by: Vec<Vec<String>> =
            texts.iter().map(|texts| texts.iter().flat_map(|text| parts(text)).collect()).collect();
        let relevance = self.relevance(question, &found_by);
        let candidates =
            entries.iter().zip(texts).zip(relevance).map(|((entry, texts), relevance)| Candidate {
                relevance,
                nameless: 1.0,
                words: texts.join(" "),
                said: OwnStory::event_text(entry, &self.data.phrases),
                said_after: OwnStory::event_text(entry, &self.data.phrases),
                source: Source::Story,
                is_quoted: false,
                is_common: false,
                has_faded: false,
            });
        candidates.chain(self.avoided_events()).collect()
    }

    fn avoided_events(&self) -> impl Iterator<Item = Candidate> {
        let phrases = &self.data.phrases;
        let all = self.recalled.recollections.iter().flat_map(|recalled| &recalled.events);
        all.filter_map(move |lived| {
            let said = match lived.memory_type {
                MemoryType::Shame => phrases.reluctant.clone(),
                MemoryType::Repressed => phrases.resisting.clone(),
                MemoryType::Normal | MemoryType::Pride | MemoryType::Revised | MemoryType::Exaggerated => {
                    return None;
                }
            };
            let words = lived.label.as_str().to_owned();
            let said_after = said.clone();
            Some(Candidate {
                relevance: lived.parts.relevance,
                nameless: 1.0,
                words,
                said,
                said_after,
                source: Source::Story,
                is_quoted: false,
                is_common: false,
                has_faded: false,
            })
        })
    }

    /// The sentences of IDENTITY.md.
    pub(super) fn identity(&self, question: &str) -> Vec<Candidate> {
        let sentences = self.voice.story.sentences(self.data, self.voice.encoder.as_ref());
        let written: Vec<Vec<String>> = sentences.iter().map(|(written, _)| parts(written)).collect();
        let relevance = self.relevance(question, &written);
        let candidate = |((words, said), relevance): ((String, String), f32)| Candidate {
            relevance,
            nameless: 1.0,
            words,
            said_after: said.clone(),
            said,
            source: Source::Story,
            is_quoted: false,
            is_common: false,
            has_faded: false,
        };
        sentences.into_iter().zip(relevance).map(candidate).collect()
    }

    /// The speaker's earlier messages. Sharing a name with the question is no reason to repeat one, so names
    /// don't count.
    pub(super) fn turns(&self, question: &str, names: &[String]) -> Vec<Candidate> {
        let said = self.voice.earlier.iter().filter_map(exchange::heard);
        let states = |sentence: &&str| {
            let heard = self.voice.read_sentence(sentence);
            !heard.asks && !heard.intent().is_some_and(Intent::is_courtesy)
        };
        let (mut groups, mut abouts, mut before) = (Vec::new(), Vec::new(), "");
        for message in said {
            let own = question::sentences(message).into_iter().filter(|said| !self.is_outdated(said));
            let own: Vec<String> = own.filter(states).map(str::to_owned).collect();
            for group in quotable(own) {
                let words = group.last().cloned().unwrap_or_default();
                // "He had been up there for hours" is about whom the words before name.
                let about =
                    if self.data.means_somebody(&words) { format!("{before} {message}") } else { words };
                abouts.push(about);
                groups.push(group);
            }
            before = message;
        }
        let relevance = self.best_relevance(&without_names(question, names), &groups);
        let asks_name = self.data.without_naming(question) != question;
        let tells = |words: &str| self.data.tells_name(words) == Naming::Said;
        let candidate = |((group, about), relevance): ((Vec<String>, String), f32)| {
            let words = group.last().cloned().unwrap_or_default();
            let said = self.data.phrases.told_me.replace("{words}", &words);
            Candidate {
                relevance: if asks_name && tells(&words) { relevance * NAMED } else { relevance },
                nameless: relevance,
                said_after: said.clone(),
                said,
                words: about,
                source: Source::Turn,
                is_quoted: true,
                is_common: false,
                has_faded: false,
            }
        };
        groups.into_iter().zip(abouts).zip(relevance).map(candidate).collect()
    }

    /// Whether a later memory superseded what `said` says.
    fn is_outdated(&self, said: &str) -> bool {
        let said = question::bare_words(said).join(" ");
        self.recalled.outdated.iter().any(|gist| {
            let gist = question::bare_words(gist.as_str()).join(" ");
            said.contains(&gist) || gist.contains(&said)
        })
    }

    /// The same, where a question that doesn't stand alone is also compared together with its context.
    fn relevance(&self, question: &str, groups: &[Vec<String>]) -> Vec<f32> {
        let alone = self.best_relevance(question, groups);
        let Some(context) = &self.heard.context else { return alone };
        let together = self.best_relevance(&context.words, groups);
        alone
            .into_iter()
            .zip(together)
            .map(|(alone, together)| alone.max(together * context.weight))
            .collect()
    }

    /// The best relevance in each group of texts, also with the slips in the question mended.
    fn best_relevance(&self, question: &str, groups: &[Vec<String>]) -> Vec<f32> {
        let typed = self.typed_relevance(question, groups);
        let Some(mended) = mended(question, groups.iter().flatten().map(String::as_str)) else {
            return typed;
        };
        typed.into_iter().zip(self.typed_relevance(&mended, groups)).map(|(a, b)| a.max(b)).collect()
    }

    fn typed_relevance(&self, question: &str, groups: &[Vec<String>]) -> Vec<f32> {
        let all: Vec<&str> = groups.iter().flatten().map(String::as_str).collect();
        let code = self.voice.language();
        let mut relevance =
            recall::sentence_relevance(question, &all, code, self.voice.encoder.as_ref()).into_iter();
        groups.iter().map(|group| relevance.by_ref().take(group.len()).fold(0.0_f32, f32::max)).collect()
    }
}

/// The statements of a message as they can be quoted: a short message as a whole, after each of its statements.
fn quotable(statements: Vec<String>) -> Vec<Vec<String>> {
    let whole = statements.join(" ");
    if whole.is_empty() {
        return Vec::new();
    }
    if whole.chars().count() > QUOTED_WHOLE {
        return statements.into_iter().map(|statement| vec![statement]).collect();
    }
    vec![statements.into_iter().chain([whole]).collect()]
}

/// `question` without `names`.
fn without_names(question: &str, names: &[String]) -> String {
    let is_other = |word: &&str| names.is_empty() || !names_any(word, names);
    question.split(' ').filter(is_other).collect::<Vec<_>>().join(" ")
}

pub(super) fn texts_joined(memory: &RenderedMemory) -> String {
    let details = memory.details.iter().map(|detail| &detail.content);
    std::iter::once(&memory.gist).chain(details).map(Text::as_str).collect::<Vec<_>>().join(" ")
}
