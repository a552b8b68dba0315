//! What may answer a question: memories, events of the persona's life, IDENTITY.md and what was said before.

use domain::{MemoryType, Text};
use recall::RenderedMemory;

use super::CueKind;
use super::answer::Answering;
use super::english;
use super::intent::Intent;
use super::own_story::{OwnStory, parts, sayable};
use super::question::{self, About, Naming, names_any};
use super::retell::unframed;
use crate::talk::converse::exchange;

/// Something that may answer a question.
pub(super) struct Candidate {
    /// How much it has to do with the question, from 0 to 1.
    pub(super) relevance: f32,
    /// How much it has to do with what is asked besides names: whatever is known of somebody shares their name.
    pub(super) nameless: f32,
    /// What it is compared with names by.
    pub(super) words: String,
    pub(super) said: String,
    /// The same where something else is said in front of it.
    pub(super) said_after: String,
    pub(super) source: Source,
    /// Whether it is in the speaker's own words, which were said about something else.
    pub(super) is_quoted: bool,
    /// Whether it is a memory that is not of the speaker.
    pub(super) is_common: bool,
}

/// Where an answer comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// What the persona remembers.
    Memory,
    /// What was said in this conversation.
    Turn,
    /// The persona's own story.
    Story,
}

/// What came back only for the talk a question leans on is never more certain than this.
const IN_CONTEXT: f32 = 0.35;
/// What words count that were kept as they were said: they were said about something else.
const QUOTED: f32 = 0.85;
/// What something counts that says a name when one is asked for.
const NAMED: f32 = 1.1;
/// What something counts that has a name in it then, perhaps another one's.
const PERHAPS_NAMED: f32 = 0.9;
/// What has a name in it tells the one that is asked for from this relevance on.
const SURELY_ABOUT: f32 = 0.5;
/// What something counts that is nobody's in particular when the speaker asks about themselves.
const COMMON: f32 = 0.85;
/// What something counts that has no name in it then.
const UNNAMED: f32 = 0.8;
/// So many of the latest events are compared with a question.
const COMPARED: usize = 80;

impl Answering<'_> {
    /// The memories that came back, each once with its best relevance.
    pub(super) fn memories(&self, question: &str, names: &[String]) -> Vec<Candidate> {
        let (asks_name, about) = (self.data.without_naming(question) != question, self.data.about(question));
        let mut all: Vec<(&RenderedMemory, f32)> = Vec::new();
        for (number, came_back) in self.recalled.recollections.iter().enumerate() {
            let most = if self.is_in_context(number) { IN_CONTEXT } else { 1.0 };
            for told in &came_back.memories {
                // To the whole message anything that has a name is relevant when it asks for one.
                let counts = !(asks_name && number == 0 && self.recalled.recollections.len() > 1);
                let relevance = if counts { told.parts.relevance.min(most) } else { 0.0 };
                match all.iter_mut().find(|(known, _)| known.id == told.id) {
                    Some((_, known)) => *known = known.max(relevance),
                    None => all.push((told, relevance)),
                }
            }
        }
        let texts: Vec<Vec<String>> = all.iter().map(|(told, _)| self.texts(told)).collect();
        let by_sentence = self.best_relevance(&self.data.without_naming(question), &texts);
        let nameless =
            (!names.is_empty()).then(|| self.best_relevance(&without_names(question, names), &texts));
        let nameless = nameless.unwrap_or_else(|| vec![1.0; texts.len()]);
        let candidate =
            |(((told, recalled), by_sentence), nameless): (((&RenderedMemory, f32), f32), f32)| Candidate {
                relevance: recalled.max(by_sentence) * self.share(told, asks_name, about),
                nameless: if asks_name && !self.names_it(told, recalled.max(by_sentence)) {
                    0.0
                } else {
                    nameless
                },
                is_quoted: self.is_quoted(told),
                is_common: !self.is_speakers(told),
                words: texts_joined(told),
                said: self.memory(told),
                said_after: self.memory_after(told),
                source: Source::Memory,
            };
        all.into_iter().zip(by_sentence).zip(nameless).map(candidate).collect()
    }

    /// Whether a memory may tell the name that is asked for: it says that something is called so, or it is surely about
    /// what has the name.
    fn names_it(&self, told: &RenderedMemory, relevance: f32) -> bool {
        match self.data.tells_name(&texts_joined(told)) {
            Naming::Said => true,
            Naming::Possible => relevance >= SURELY_ABOUT,
            Naming::None => false,
        }
    }

    /// What the relevance of a memory counts.
    fn share(&self, told: &RenderedMemory, asks_name: bool, about: About) -> f32 {
        let naming = match self.data.tells_name(&texts_joined(told)) {
            Naming::Said if asks_name => NAMED,
            Naming::Possible if asks_name => PERHAPS_NAMED,
            Naming::None if asks_name => UNNAMED,
            Naming::Said | Naming::Possible | Naming::None => 1.0,
        };
        let whose = match self.is_speakers(told) {
            false if about == About::Speaker => COMMON,
            true if self.is_quoted(told) => QUOTED,
            true | false => 1.0,
        };
        naming * whose
    }

    /// The sentences of a memory that are remembered, each by itself, together, and as the speaker would say them.
    fn texts(&self, told: &RenderedMemory) -> Vec<String> {
        let details = told.details.iter().map(|detail| detail.content.as_str());
        let mut texts: Vec<String> =
            std::iter::once(unframed(told)).chain(details).map(str::to_owned).collect();
        if let Some(name) = self.name.as_deref().filter(|_| self.is_speakers(told)) {
            let own: Vec<String> = texts.iter().map(|text| english::as_own_words(name, text)).collect();
            texts.extend(own);
        }
        texts
    }

    /// Whether the recollection of this number was for a cue with the talk before it; the first is for the message.
    fn is_in_context(&self, number: usize) -> bool {
        let cue = number.checked_sub(1).and_then(|number| self.heard.cues.get(number));
        cue.is_some_and(|cue| cue.kind == CueKind::InContext)
    }

    /// The events of the persona's own life. Those it is ashamed of or keeps from itself only as recall brings them up.
    pub(super) fn events(&self, question: &str) -> Vec<Candidate> {
        let story = &self.voice.story;
        let entries: Vec<_> = story.told_events().rev().take(COMPARED).collect();
        let texts: Vec<Vec<String>> = entries.iter().map(|entry| sayable(entry)).collect();
        let found_by: Vec<Vec<String>> =
            texts.iter().map(|texts| texts.iter().flat_map(|text| parts(text)).collect()).collect();
        let relevance = self.best_relevance(question, &found_by);
        let told = entries.iter().zip(texts).zip(relevance).map(|((entry, texts), relevance)| Candidate {
            relevance,
            nameless: 1.0,
            words: texts.join(" "),
            said: OwnStory::told(entry, &self.data.phrases),
            said_after: OwnStory::told(entry, &self.data.phrases),
            source: Source::Story,
            is_quoted: false,
            is_common: false,
        });
        told.chain(self.avoided_events()).collect()
    }

    fn avoided_events(&self) -> impl Iterator<Item = Candidate> {
        let phrases = &self.data.phrases;
        let all = self.recalled.recollections.iter().flat_map(|came_back| &came_back.events);
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
            })
        })
    }

    /// The sentences of IDENTITY.md.
    pub(super) fn identity(&self, question: &str) -> Vec<Candidate> {
        let sentences = self.voice.story.sentences(self.data);
        let written: Vec<Vec<String>> = sentences.iter().map(|(written, _)| parts(written)).collect();
        let relevance = self.best_relevance(question, &written);
        let candidate = |((words, said), relevance): ((String, String), f32)| Candidate {
            relevance,
            nameless: 1.0,
            words,
            said_after: said.clone(),
            said,
            source: Source::Story,
            is_quoted: false,
            is_common: false,
        };
        sentences.into_iter().zip(relevance).map(candidate).collect()
    }

    /// What the speaker said before in this conversation. That it speaks of somebody the question names too is no
    /// reason to say it, so names don't count.
    pub(super) fn turns(&self, question: &str, names: &[String]) -> Vec<Candidate> {
        let said = self.voice.earlier.iter().filter_map(exchange::heard);
        let states = |sentence: &&str| {
            let heard = self.voice.read_sentence(sentence);
            !heard.asks && !heard.intent().is_some_and(Intent::is_courtesy)
        };
        let statements =
            said.flat_map(question::sentences).filter(|said| !self.is_outdated(said)).filter(states);
        let texts: Vec<Vec<String>> = statements.map(|statement| vec![statement.to_owned()]).collect();
        let relevance = self.best_relevance(&without_names(question, names), &texts);
        let asks_name = self.data.without_naming(question) != question;
        let tells = |statement: &str| self.data.tells_name(statement) == Naming::Said;
        let candidate = |(statement, relevance): (String, f32)| Candidate {
            relevance: if asks_name && tells(&statement) { relevance * NAMED } else { relevance },
            nameless: relevance,
            said: self.data.phrases.told_me.replace("{words}", &statement),
            said_after: self.data.phrases.told_me.replace("{words}", &statement),
            words: statement,
            source: Source::Turn,
            is_quoted: true,
            is_common: false,
        };
        texts.into_iter().flatten().zip(relevance).map(candidate).collect()
    }

    /// Whether a later memory took the place of what `said` says.
    fn is_outdated(&self, said: &str) -> bool {
        let said = question::bare_words(said).join(" ");
        self.recalled.outdated.iter().any(|gist| {
            let gist = question::bare_words(gist.as_str()).join(" ");
            said.contains(&gist) || gist.contains(&said)
        })
    }

    /// The relevance of the best of each group of texts.
    fn best_relevance(&self, question: &str, groups: &[Vec<String>]) -> Vec<f32> {
        let all: Vec<&str> = groups.iter().flatten().map(String::as_str).collect();
        let code = self.voice.language();
        let mut relevance =
            recall::sentence_relevance(question, &all, code, self.voice.encoder.as_ref()).into_iter();
        groups.iter().map(|group| relevance.by_ref().take(group.len()).fold(0.0_f32, f32::max)).collect()
    }
}

/// `question` without `names`.
fn without_names(question: &str, names: &[String]) -> String {
    let is_other = |word: &&str| names.is_empty() || !names_any(word, names);
    question.split(' ').filter(is_other).collect::<Vec<_>>().join(" ")
}

fn texts_joined(told: &RenderedMemory) -> String {
    let details = told.details.iter().map(|detail| &detail.content);
    std::iter::once(&told.gist).chain(details).map(Text::as_str).collect::<Vec<_>>().join(" ")
}
