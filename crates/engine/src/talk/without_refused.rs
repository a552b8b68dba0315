//! Turns without what was refused as sensitive, for digests, search results, titles and summaries: such passages stay in
//! the record alone.

use std::borrow::Cow;

use store::{Passage, Speaker, Turn, Withheld};

use super::sessions::stands;

/// The text of `turn` without what was refused; `None` if nothing is left of it. `turns` are those of its conversation.
pub(crate) fn without_refused<'t>(turn: &'t Turn, turns: &[Turn], language: &str) -> Option<Cow<'t, str>> {
    let text = turn.text.as_str();
    let (withheld, is_judged) = judgement(turn, turns, language);
    let passages = match (turn.speaker, withheld) {
        (_, Withheld::Nothing) if is_judged => return Some(Cow::Borrowed(text)),
        (Speaker::Subject, Withheld::Everything) => return None,
        (Speaker::Subject, Withheld::Passages(passages)) => passages,
        // A reply may repeat what was said.
        (_, Withheld::Nothing) | (Speaker::Persona, _) => Vec::new(),
    };
    let harmless = formation::harmless_sentences(text, language);
    let kept: Vec<&str> = harmless
        .into_iter()
        .filter(|sentence| !is_within(text, sentence, &passages))
        .map(str::trim)
        .collect();
    (!kept.is_empty()).then(|| Cow::Owned(kept.join(" ")))
}

/// What is withheld of the person's turn of the exchange, and whether that turn was judged: it was not yet, or not at all,
/// where memory was paused, it was imported, or it asks not to be kept.
fn judgement(turn: &Turn, turns: &[Turn], language: &str) -> (Withheld, bool) {
    let is_said =
        |other: &&Turn| other.exchange == turn.exchange && other.speaker == Speaker::Subject && stands(other);
    let said = match turn.speaker {
        Speaker::Subject => Some(turn),
        Speaker::Persona => turns.iter().find(is_said),
    };
    let is_judged = |said: &Turn| said.formed.is_some() && formation::is_read(said.text.as_str(), language);
    said.map_or((Withheld::Nothing, true), |said| (said.withheld(), is_judged(said)))
}

/// Whether `part`, a slice of `text`, overlaps one of `passages`.
fn is_within(text: &str, part: &str, passages: &[Passage]) -> bool {
    let start = part.as_ptr() as usize - text.as_ptr() as usize;
    passages.iter().any(|passage| passage.start < start + part.len() && start < passage.end)
}
