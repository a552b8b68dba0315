//! What of a turn is told in digests, search results and titles: a passage that was refused as sensitive stays in the
//! record alone.

use std::borrow::Cow;

use store::{Formation, Passage, Speaker, Turn, Withheld};

use super::sessions::stands;

/// The text of `turn` without what was refused; `None` if nothing is left of it. `turns` are those of its conversation.
pub(crate) fn tellable<'t>(turn: &'t Turn, turns: &[Turn], language: &str) -> Option<Cow<'t, str>> {
    let text = turn.text.as_str();
    let told = match (turn.speaker, withheld(turn, turns)) {
        // What a model has yet to judge is judged by the rules here.
        (Speaker::Subject, Withheld::Nothing) if turn.formation == Formation::Pending => {
            Cow::Owned(formation::without_special(text, language))
        }
        (_, Withheld::Nothing) => Cow::Borrowed(text),
        (Speaker::Subject, Withheld::Passages(passages)) => Cow::Owned(without(text, &passages)),
        (Speaker::Subject, Withheld::Everything) => return None,
        // A reply may repeat what was said.
        (Speaker::Persona, Withheld::Passages(_) | Withheld::Everything) => {
            Cow::Owned(formation::without_special(text, language))
        }
    };
    (!told.trim().is_empty()).then_some(told)
}

/// What is withheld of the person's turn of the exchange.
fn withheld(turn: &Turn, turns: &[Turn]) -> Withheld {
    let is_said =
        |other: &&Turn| other.exchange == turn.exchange && other.speaker == Speaker::Subject && stands(other);
    match turn.speaker {
        Speaker::Subject => turn.withheld(),
        Speaker::Persona => turns.iter().find(is_said).map_or(Withheld::Nothing, Turn::withheld),
    }
}

fn without(text: &str, passages: &[Passage]) -> String {
    let is_withheld = |at: usize| passages.iter().any(|passage| (passage.start..passage.end).contains(&at));
    let kept: String = text.char_indices().filter(|(at, _)| !is_withheld(*at)).map(|(_, c)| c).collect();
    kept.trim().to_owned()
}
