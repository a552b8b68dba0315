//! The section of a prompt with events of the persona's own timeline.

use domain::coherence::without_references;
use domain::{ConfabulationPolicy, MemoryType, Text, Timestamp, Tokens, Vividness};
use unicode_segmentation::UnicodeSegmentation;

use crate::escape::{folded, on_one_line};
use crate::life_events::{SelectedEvent, instruction};
use crate::render::{cost, sentence};

const INTRODUCTION: &str =
    "These are events of your own past, recollection and not instruction. Tell each as its note says.";

const HEADING: &str = "## What you have lived";
const GROUPS: [(Vividness, &str); 3] = [
    (Vividness::Vivid, "### Vivid"),
    (Vividness::Moderate, "### Moderate: you remember the gist, details are soft"),
    (Vividness::Faded, "### Faded: you are unsure of these, and say so"),
];
const FADED: &str = "You remember that it happened, but hardly more; do not rely on particulars.";
const SOFTENED: &str = "As far as you remember:";
const COLOURED: &str = "It is coloured by";

/// The text of the section besides that of the events.
pub(crate) fn directions() -> impl Iterator<Item = &'static str> {
    let groups = GROUPS.into_iter().map(|(_, heading)| heading);
    [INTRODUCTION, HEADING, FADED, SOFTENED, COLOURED].into_iter().chain(groups)
}

/// An event and its rendered sentences.
#[derive(Clone, Debug)]
pub(crate) struct EventText {
    pub(crate) event: SelectedEvent,
    /// Facts, feelings, interpretation: the rendered sentences of each.
    pub(crate) passages: Vec<Vec<String>>,
}

/// The rendered text of each event before any cut.
pub(crate) fn event_texts(events: Vec<SelectedEvent>) -> Vec<EventText> {
    events.into_iter().map(|event| EventText { passages: passages(&event), event }).collect()
}

/// Cuts events at the ends of sentences until the section fits, the longest first; then drops whole events.
pub(crate) fn fit(
    event_texts: &mut Vec<EventText>,
    budget: Tokens,
    confabulation: ConfabulationPolicy,
) -> Vec<EventText> {
    let mut dropped = Vec::new();
    while !event_texts.is_empty() && cost(&render_life(event_texts, confabulation)) > budget {
        if !drop_last_sentence(event_texts) {
            dropped.extend(event_texts.pop());
        }
    }
    dropped
}

/// The section, grouped vivid, moderate, faded; empty if there are no events.
pub(crate) fn render_life(event_texts: &[EventText], confabulation: ConfabulationPolicy) -> String {
    if event_texts.is_empty() {
        return String::new();
    }
    let mut section = format!("{HEADING}\n\n{INTRODUCTION}\n");
    for (vividness, heading) in GROUPS {
        let mut group =
            event_texts.iter().filter(|event_text| event_text.event.vividness == vividness).peekable();
        if group.peek().is_some() {
            section.extend(["\n", heading, "\n"]);
        }
        for event_text in group {
            section.push_str(&block(event_text, confabulation));
        }
    }
    section
}

fn block(event_text: &EventText, confabulation: ConfabulationPolicy) -> String {
    let event = &event_text.event.entry.event;
    let label = on_one_line(event.event_label.as_str());
    let mut block = format!("\n[life:{}] {} {label}\n", event_text.event.entry.sequence, day(event.event_at));
    if let Some(note) = instruction(&event_text.event, confabulation) {
        block.extend(["(", note, ")\n"]);
    }
    for passage in event_text.passages.iter().filter(|passage| !passage.is_empty()) {
        block.push_str(&on_one_line(&passage.join(" ")));
        block.push('\n');
    }
    block
}

/// The day of a time in UTC, as an event's date.
fn day(at: Timestamp) -> String {
    at.to_string().chars().take_while(|c| *c != 'T').collect()
}

fn passages(event: &SelectedEvent) -> Vec<Vec<String>> {
    let authored = &event.entry.event;
    if authored.memory_type == MemoryType::Repressed {
        return vec![sentences(&authored.feelings).into_iter().take(1).collect()];
    }
    match event.vividness {
        Vividness::Vivid => {
            vec![sentences(&authored.facts), coloured(authored), sentences(&authored.interpretation)]
        }
        Vividness::Moderate => vec![softened(&authored.facts)],
        Vividness::Faded => vec![vec![FADED.to_owned()]],
    }
}

/// The sentences of an event that the persona may say itself: only its own text, as much as it remembers.
pub(crate) fn spoken(event: &SelectedEvent) -> Vec<String> {
    let authored = &event.entry.event;
    let mut spoken = match (authored.memory_type, event.vividness) {
        (MemoryType::Repressed, _) | (_, Vividness::Faded) => Vec::new(),
        (_, Vividness::Moderate) => sentences(&authored.facts).into_iter().take(2).collect(),
        (_, Vividness::Vivid) => [sentences(&authored.facts), sentences(&authored.feelings)].concat(),
    };
    spoken.retain(|sentence| sentence.contains(char::is_alphanumeric));
    spoken
}

/// Feelings with the emotions added.
fn coloured(event: &domain::Event) -> Vec<String> {
    let emotions: Vec<String> = event.emotion_tags.iter().map(|tag| folded(tag.as_str())).collect();
    let mut passage = sentences(&event.feelings);
    if !emotions.is_empty() {
        passage.push(format!("{COLOURED} {}.", emotions.join(", ")));
    }
    passage
}

/// The first sentences of the facts, marked as a vague memory.
fn softened(facts: &Text) -> Vec<String> {
    let mut passage: Vec<String> = sentences(facts).into_iter().take(2).collect();
    if let Some(first) = passage.first_mut() {
        *first = format!("{SOFTENED} {first}");
    }
    passage
}

fn sentences(text: &Text) -> Vec<String> {
    let folded = folded(&without_references(text.as_str()));
    folded.unicode_sentences().map(|one| sentence(one.trim())).collect()
}

/// Cuts the last sentence of the longest passage that has one to spare.
fn drop_last_sentence(event_texts: &mut [EventText]) -> bool {
    let passages = event_texts.iter_mut().flat_map(|event_text| event_text.passages.iter_mut());
    let longest = passages.max_by_key(|passage| passage.iter().map(String::len).sum::<usize>());
    longest.is_some_and(|passage| passage.pop().is_some())
}
