//! Fits a prompt and the history into a model's window.

use domain::{Text, Tokens};
use llm::Message;
use store::DocumentName;
use wire::context::ContextPart;

use super::{Context, printed};

/// Files that are cut first when the prompt is too long.
const CUT_FIRST: [DocumentName; 5] = [
    DocumentName::MemoryLong,
    DocumentName::MemoryMid,
    DocumentName::MemoryShort,
    DocumentName::Scratch,
    DocumentName::Tasks,
];

/// This fraction of the window stays free for the answer.
const FOR_THE_ANSWER: u32 = 8;

/// `parts` and `history` cut to `window`; the protected parts stay even if they don't fit.
pub(super) fn fitted(mut parts: Vec<ContextPart>, mut history: Vec<Message>, window: Tokens) -> Context {
    let room = Tokens(window.0 - window.0 / FOR_THE_ANSWER);
    for name in CUT_FIRST {
        if tokens(&parts, &history) <= room {
            break;
        }
        if let Some(part) = parts.iter_mut().find(|part| part.name == name.to_string()) {
            part.cut = true;
            part.text = Text::default();
        }
    }
    let forgone = forgone(&history, tokens(&parts, &history).0.saturating_sub(room.0));
    history.drain(..forgone);
    Context { parts, history, forgone, window }
}

/// How many of the oldest turns to cut to save `excess` tokens. The last turn stays, and a tool result is
/// never kept without its call.
fn forgone(history: &[Message], excess: u32) -> usize {
    let droppable = history.len().saturating_sub(1);
    let mut saved = 0;
    let mut count = 0;
    for message in history.iter().take(droppable) {
        if saved >= excess && !matches!(message, Message::Tool { .. }) {
            break;
        }
        saved += Tokens::of_characters(length(message)).0;
        count += 1;
    }
    count
}

fn length(message: &Message) -> usize {
    let characters = |words: &llm::Words| words.as_str().chars().count();
    match message {
        Message::User(words) | Message::Tool { result: words, .. } => characters(words),
        Message::Assistant { text, calls } => {
            characters(text) + calls.iter().map(|call| characters(&call.arguments)).sum::<usize>()
        }
    }
}

/// The length of prompt and history together.
pub(super) fn tokens(parts: &[ContextPart], history: &[Message]) -> Tokens {
    let talk: usize = history.iter().map(length).sum();
    Tokens::of_characters(printed(parts).chars().count() + talk)
}

#[cfg(test)]
mod tests {
    use super::super::part;
    use super::*;

    #[test]
    fn digests_are_cut_in_their_order_and_identity_never() {
        let long = "word ".repeat(400);
        let names = ["System", "IDENTITY.md", "MEMORY_SHORT.md", "MEMORY_MID.md", "MEMORY_LONG.md", "Rules"];
        let parts: Vec<ContextPart> = names.iter().map(|name| part(name, &long)).collect();
        let context = fitted(parts.clone(), Vec::new(), Tokens(2500));
        assert_eq!(context.left_out().files, ["MEMORY_MID.md", "MEMORY_LONG.md"]);
        let context = fitted(parts, Vec::new(), Tokens(10));
        let left: Vec<&str> =
            context.parts.iter().filter(|part| !part.cut).map(|part| part.name.as_str()).collect();
        assert_eq!(left, ["System", "IDENTITY.md", "Rules"]);
    }

    #[test]
    fn the_oldest_talk_goes_before_the_newest_and_the_last_turn_never() {
        let said = |n: usize| Message::User(llm::Words::new(format!("{n}").repeat(40)));
        let history: Vec<Message> = (0..5).map(said).collect();
        for (window, left) in [(1000, 5), (45, 3), (24, 2), (12, 1), (1, 1)] {
            let context = fitted(Vec::new(), history.clone(), Tokens(window));
            assert_eq!((context.history.len(), context.forgone), (left, 5 - left), "window of {window}");
            assert_eq!(context.history.last(), history.last());
        }
    }
}
