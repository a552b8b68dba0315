//! The built-in voice: without a model, a persona still tells what it remembers, and says what it doesn't.
//!
//! It speaks in the first person, hedges by how clearly a memory is remembered and by how the persona
//! relates to it, and adds nothing that is not in a memory. Once in a conversation it says that no model
//! is configured.

mod phrases;

use domain::{MemoryType, PersonaDocument, Vividness};
use recall::{Lived, Recollection, Told};

use phrases::Phrases;

/// How many memories one answer tells.
const MOST: usize = 2;

/// What is to be answered.
pub(super) struct Asked<'a> {
    pub(super) message: &'a str,
    pub(super) remembered: Option<&'a Recollection>,
    pub(super) persona: &'a PersonaDocument,
    /// The whole prompt, whose first file says who the persona is.
    pub(super) prompt: &'a str,
    pub(super) notice: Notice,
}

/// Whether the listener still has to be told that no model speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Notice {
    /// Yes, with this answer.
    Given,
    /// No.
    GivenBefore,
}

/// Whether anything is remembered that answers `asked`.
pub(super) fn is_known(asked: &Asked<'_>) -> bool {
    told(asked, phrases::of(&asked.persona.identity.language)).is_some()
}

/// The answer to `asked`.
pub(super) fn answer(asked: &Asked<'_>) -> String {
    let phrases = phrases::of(&asked.persona.identity.language);
    let told = told(asked, phrases);
    let answer = match told {
        Some(told) => told,
        None if phrases.is_about_self(asked.message) => introduction(asked, phrases),
        None if is_question(asked.message, phrases) => phrases.unknown.to_owned(),
        None if phrases.is_greeting(asked.message) => greeting(asked, phrases),
        None => phrases.heard.to_owned(),
    };
    match asked.notice {
        Notice::Given => format!("{answer}\n\n({})", phrases.no_model),
        Notice::GivenBefore => answer,
    }
}

/// What is remembered that has to do with the message: the best of it, most relevant first.
fn told(asked: &Asked<'_>, phrases: &Phrases) -> Option<String> {
    let came_back = asked.remembered?;
    let floor = asked.persona.memory_policy.ranking.aboutness.unwrap_or(recall::ABOUTNESS);
    let is_near = |relevance: f32| f64::from(relevance) >= floor;
    let names = phrases.names(asked.message);
    let memories = came_back.memories.iter().filter(|told| is_near(told.parts.relevance));
    let memories = memories.filter(|told| is_about(told, &names));
    let memories = memories.map(|told| (told.parts.relevance, memory(told, phrases)));
    let events = came_back.events.iter().filter(|lived| is_near(lived.parts.relevance));
    let events = events.map(|lived| (lived.parts.relevance, event(lived, phrases)));
    let mut all: Vec<(f32, String)> = memories.chain(events).collect();
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    let best = all.first()?.0;
    // A second memory is told only if it has about as much to do with the message as the first.
    let close = all.into_iter().take(MOST).filter(|(relevance, _)| *relevance >= best * 0.8);
    Some(close.map(|(_, words)| words).collect::<Vec<_>>().join(" "))
}

/// Whether a memory has to do with one of the people and places a message names, if it names any.
fn is_about(told: &Told, names: &[&str]) -> bool {
    let texts = || std::iter::once(&told.gist).chain(told.details.iter().map(|detail| &detail.content));
    names.is_empty() || names.iter().any(|name| texts().any(|text| text.as_str().contains(name)))
}

/// The questions in a message that says more than them; nothing if it says nothing else.
pub(super) fn questions(message: &str) -> Option<String> {
    let sentences: Vec<&str> = message.split_inclusive(['.', '!', '?', '\n']).map(str::trim).collect();
    let questions: Vec<&str> = sentences.iter().copied().filter(|sentence| sentence.ends_with('?')).collect();
    let says_more = sentences.iter().any(|sentence| !sentence.is_empty() && !sentence.ends_with('?'));
    (says_more && !questions.is_empty()).then(|| questions.join(" "))
}

fn memory(told: &Told, phrases: &Phrases) -> String {
    let details = told.details.iter().map(|detail| sentence(detail.content.as_str()));
    let words = std::iter::once(sentence(told.gist.as_str())).chain(details).collect::<Vec<_>>().join(" ");
    match told.vividness {
        Vividness::Vivid => words,
        Vividness::Moderate => format!("{} {words}", phrases.moderate),
        Vividness::Faded => format!("{} {words} {}", phrases.faint, phrases.unsure),
    }
}

fn event(lived: &Lived, phrases: &Phrases) -> String {
    let passages: Vec<String> = lived.passages.iter().map(|passage| sentence(passage.as_str())).collect();
    let words = if passages.is_empty() { sentence(lived.label.as_str()) } else { passages.join(" ") };
    match (lived.memory_type, lived.vividness) {
        (MemoryType::Shame, _) => phrases.reluctant.to_owned(),
        (MemoryType::Repressed, _) => phrases.resisting.to_owned(),
        (_, Vividness::Faded) => format!("{} {words} {}", phrases.faint, phrases.unsure),
        (_, Vividness::Moderate) => format!("{} {words}", phrases.moderate),
        (_, Vividness::Vivid) => words,
    }
}

/// `text` as a sentence: with a capital letter and an end.
fn sentence(text: &str) -> String {
    let text = text.trim();
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().collect::<String>()).unwrap_or_default();
    let rest = letters.as_str();
    let is_ended = text.ends_with(['.', '!', '?', '…', ':']);
    format!("{first}{rest}{}", if is_ended { "" } else { "." })
}

fn introduction(asked: &Asked<'_>, phrases: &Phrases) -> String {
    let name = &asked.persona.identity.display_name;
    let own = asked.persona.identity.seed.as_ref().map(domain::Seed::summary);
    let written = || asked.prompt.split_once("--- IDENTITY.md ---\n").and_then(|(_, text)| first_words(text));
    let who = own.or_else(written).unwrap_or_default();
    format!("{} {name}. {who} {}", phrases.i_am, phrases.an_ai).replace("  ", " ").trim().to_owned()
}

/// The first paragraph of a file that is no heading, up to a few sentences.
fn first_words(text: &str) -> Option<String> {
    let own = text.split("\n--- ").next()?;
    let paragraph = own
        .split("\n\n")
        .map(str::trim)
        .find(|paragraph| !paragraph.is_empty() && !paragraph.starts_with('#'))?;
    let words = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
    let end = words.char_indices().filter(|(_, c)| ".!?".contains(*c)).map(|(at, _)| at + 1).nth(1);
    Some(words.get(..end.unwrap_or(words.len()))?.to_owned())
}

fn greeting(asked: &Asked<'_>, phrases: &Phrases) -> String {
    format!("{} {} {}.", phrases.hello, phrases.i_am, asked.persona.identity.display_name)
}

fn is_question(message: &str, phrases: &Phrases) -> bool {
    message.trim_end().ends_with('?') || phrases.asks(message)
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
            assert_eq!(sentence(text), expected);
        }
    }

    #[test]
    fn a_question_is_told_apart_from_what_is_said_around_it() {
        for (message, expected) in [
            ("I am so happy. Which publisher said yes?", Some("Which publisher said yes?")),
            ("Which publisher said yes?", None),
            ("I am happy.", None),
            ("", None),
        ] {
            assert_eq!(questions(message).as_deref(), expected, "{message}");
        }
    }

    #[test]
    fn the_first_words_of_a_file_are_those_below_its_heading() {
        let file = "# Inara\n\nI keep the house. I like order. And more.\n\n## Next\n";
        assert_eq!(first_words(file).as_deref(), Some("I keep the house. I like order."));
        assert_eq!(first_words("# Only a heading\n\n--- Rules ---\nnever"), None);
    }
}
