//! Whom a question means: the people it names, and those its pronouns refer to.

use std::collections::BTreeSet;

use llm::Message;

use super::answer::Answering;
use super::candidates::texts_joined;
use super::own_story::sayable;
use super::question::{self, About};
use super::{HeardSentence, words_of};
use crate::talk::converse::exchange;

/// How many messages are searched for the person a pronoun refers to.
const MEANT: usize = 12;
/// A name in lower case has at least this many letters.
const NAME: usize = 3;

impl Answering<'_> {
    /// Whether a question means a person without a name: by its own pronoun or, if it asks about nobody else, by
    /// that of the sentence before ("She looks pale. Is anything wrong?").
    pub(super) fn means_somebody(&self, sentence: &HeardSentence) -> bool {
        let before = self.words_before(sentence);
        let by_context = sentence.about(self.data) == About::Other && self.data.means_somebody(&before);
        (by_context || self.data.means_somebody(&sentence.text)) && !self.data.describes_somebody(&before)
    }

    /// Whether a question means a person whom the speaker has not named, and who may be anybody. After a question
    /// about the speaker ("What does my daughter like?") it is a person close to them.
    pub(super) fn is_unresolved(&self, sentence: &HeardSentence, about: About, names: &[String]) -> bool {
        let follows_own = || {
            let before = self.voice.earlier.iter().rev().find_map(exchange::heard);
            let before = before.map(|message| self.voice.read_sentence(message));
            before.is_some_and(|before| before.asks && before.about(self.data) == About::Speaker)
        };
        names.is_empty() && about == About::Other && self.means_somebody(sentence) && !follows_own()
    }

    /// The people a question names, or those its pronouns refer to, without the speaker and the persona.
    pub(super) fn meant_names(&self, sentence: &HeardSentence) -> Vec<String> {
        let question = sentence.text.as_str();
        let known = self.known_names();
        let explicit = self.data.asked_names(question).into_iter().map(str::to_owned);
        let explicit: Vec<String> =
            explicit.chain(uncapitalised(question, &known)).filter(|name| self.is_other(name)).collect();
        if !explicit.is_empty() || !self.means_somebody(sentence) {
            return explicit;
        }
        let before = self.people_in(&self.words_before(sentence), &known);
        if !before.is_empty() {
            return before;
        }
        for message in self.voice.earlier.iter().rev().take(MEANT) {
            let text = words_of(message);
            let names = self.people_in(text, &known);
            // A pronoun after an answer that names nobody refers to that answer.
            let is_answer = matches!(message, Message::Assistant { .. }) && !self.data.phrases.is_stock(text);
            if !names.is_empty() || is_answer {
                return names;
            }
        }
        Vec::new()
    }

    /// The people a text names.
    fn people_in(&self, text: &str, known: &BTreeSet<String>) -> Vec<String> {
        let first =
            question::sentences(text).into_iter().filter_map(|sentence| self.data.first_name(sentence));
        let named = self.data.names(text).into_iter().chain(first).map(str::to_owned);
        named.chain(uncapitalised(text, known)).filter(|name| self.is_other(name)).collect()
    }

    fn is_other(&self, name: &str) -> bool {
        !self.voice.story.name().contains(name) && self.name.as_deref() != Some(name)
    }

    /// The sentences of the message before this one.
    fn words_before(&self, sentence: &HeardSentence) -> String {
        let before = self.heard.before(sentence).map(|sentence| sentence.text.as_str());
        before.collect::<Vec<_>>().join(" ")
    }

    /// The names in the speaker's own memories, in this conversation and in the persona's story, in lower case,
    /// without those that are words there too.
    fn known_names(&self) -> BTreeSet<String> {
        let memories = self.recalled.recollections.iter().flat_map(|recalled| &recalled.memories);
        let memories = memories.filter(|memory| self.is_speakers(memory)).map(texts_joined);
        let turns = self.voice.earlier.iter().filter_map(exchange::heard).map(str::to_owned);
        let story = self.voice.story.mentioned_events().map(|entry| sayable(entry).join(" "));
        let texts: Vec<String> =
            memories.chain(turns).chain(story).chain([self.voice.story.identity.clone()]).collect();
        let none = BTreeSet::new();
        let mut names: BTreeSet<String> = texts
            .iter()
            .flat_map(|text| self.people_in(text, &none))
            .map(|name| name.to_lowercase())
            .filter(|name| name.chars().count() >= NAME && !self.data.is_common(name))
            .collect();
        for word in texts.iter().flat_map(|text| bare(text)).filter(|word| begins_small(word)) {
            names.remove(word);
        }
        names
    }
}

/// The words of `text` in lower case that are `known` as names, also with an "s" as in "whats jonahs school".
fn uncapitalised(text: &str, known: &BTreeSet<String>) -> Vec<String> {
    let known_as = |word: &str| known.contains(word).then(|| word.to_owned());
    let name = |word: &str| known_as(word).or_else(|| known_as(word.strip_suffix('s')?));
    bare(text).filter(|word| begins_small(word)).filter_map(name).collect()
}

fn bare(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

fn begins_small(word: &str) -> bool {
    word.starts_with(char::is_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_name_is_found_in_lower_case() {
        let known = BTreeSet::from(["effie".to_owned()]);
        for (text, expected) in [
            ("how old is effie agian", vec!["effie"]),
            ("whats effies teacher called", vec!["effie"]),
            ("is effient a word", vec![]),
        ] {
            assert_eq!(uncapitalised(text, &known), expected, "{text}");
        }
    }
}
