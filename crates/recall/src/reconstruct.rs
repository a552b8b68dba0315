//! Fourth step of a recall: what a persona can still say of a memory.
//!
//! The gist is always whole. A detail is told while it is bright enough; when every detail has
//! faded, the persona says that it no longer knows them.

use domain::coherence::unspoken;
use domain::{Brightness, Days, Kind, MemoryId, Text, Timestamp, Vividness};

use crate::index::Snapshot;
use crate::rank::{Parts, Scored};

/// A memory as it is told at a moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Told {
    /// The memory.
    pub id: MemoryId,
    /// What sort it is.
    pub kind: Kind,
    /// How vividly it is remembered.
    pub vividness: Vividness,
    /// Whether it was formed in the last three days.
    pub recent: bool,
    /// What it was ranked by.
    pub score: f32,
    /// The parts of that.
    pub parts: Parts,
    /// The sentence, whole as long as the memory is remembered.
    pub gist: Text,
    /// Who said it, where the gist keeps the words as they were said; rendering puts it in front.
    pub said_by: Option<Text>,
    /// The details that are told, in their order.
    pub details: Vec<ToldDetail>,
    /// Whether it had details once, and all of them have faded.
    pub all_faded: bool,
}

/// A detail that is told.
#[derive(Clone, Debug, PartialEq)]
pub struct ToldDetail {
    /// Its place among the memory's details.
    pub position: usize,
    /// Its words.
    pub content: Text,
    /// How bright it is.
    pub brightness: Brightness,
}

/// For how long a memory counts as recent: 72 hours.
const RECENT: Days = Days(3.0);

/// Rebuilds the memory behind `scored` as it is remembered at `now`; `None` for a row that is gone.
///
/// One that had faded and was brought back by the cue comes back by its gist alone.
#[must_use]
pub fn reconstruct(snapshot: &Snapshot, scored: &Scored, now: Timestamp) -> Option<Told> {
    let memory = snapshot.remembered(scored.row, now)?;
    let had_details = !memory.details.is_empty();
    let details: Vec<ToldDetail> = memory
        .details
        .into_iter()
        .enumerate()
        .map(|(position, (content, brightness))| ToldDetail {
            position,
            content: spoken(content),
            brightness,
        })
        .filter(|detail| detail.brightness >= Brightness::TELLABLE && !scored.is_faded)
        .collect();
    Some(Told {
        id: memory.id,
        kind: memory.kind,
        vividness: scored.vividness,
        recent: now.since(memory.created_at).0 < RECENT.0,
        score: scored.score,
        parts: scored.parts,
        gist: spoken(memory.gist),
        said_by: memory.said_by,
        all_faded: had_details && details.is_empty(),
        details,
    })
}

/// Words as they may be told: a listener does not learn that something was forgotten.
fn spoken(words: Text) -> Text {
    match unspoken(words.as_str()) {
        std::borrow::Cow::Borrowed(_) => words,
        std::borrow::Cow::Owned(spoken) => Text::new(spoken),
    }
}
