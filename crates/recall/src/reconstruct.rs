//! Fourth step of a recall: what a persona still remembers of a memory.
//!
//! The gist is always complete. A detail is rendered while it is bright enough; when every detail has
//! faded, the rendered text says that the details are forgotten.

use domain::coherence::unspoken;
use domain::{Brightness, Days, Kind, MemoryId, Text, Timestamp, Vividness};

use crate::index::Snapshot;
use crate::rank::{Parts, Scored};

/// A memory as rendered at a given time.
#[derive(Clone, Debug, PartialEq)]
pub struct RenderedMemory {
    /// The memory.
    pub id: MemoryId,
    /// Its kind.
    pub kind: Kind,
    /// How vividly it is remembered.
    pub vividness: Vividness,
    /// Whether it was formed in the last three days.
    pub recent: bool,
    /// Its score.
    pub score: f32,
    /// The components of its score.
    pub parts: Parts,
    /// The sentence that is kept complete as long as the memory is remembered.
    pub gist: Text,
    /// The speaker, if the gist is stored as it was said; rendered in front of it.
    pub said_by: Option<Text>,
    /// The rendered details, in their order.
    pub details: Vec<RenderedDetail>,
    /// Whether it had details, and all of them have faded.
    pub all_faded: bool,
}

/// A rendered detail.
#[derive(Clone, Debug, PartialEq)]
pub struct RenderedDetail {
    /// Its position among the memory's details.
    pub position: usize,
    /// Its text.
    pub content: Text,
    /// Its brightness.
    pub brightness: Brightness,
}

/// How long a memory counts as recent: 72 hours.
const RECENT: Days = Days(3.0);

/// Rebuilds the memory behind `scored` as it is remembered at `now`; `None` if its row was removed.
///
/// A faded memory that was recalled by its cue has only its gist.
#[must_use]
pub fn reconstruct(snapshot: &Snapshot, scored: &Scored, now: Timestamp) -> Option<RenderedMemory> {
    let memory = snapshot.remembered(scored.row, now)?;
    let had_details = !memory.details.is_empty();
    let details: Vec<RenderedDetail> = memory
        .details
        .into_iter()
        .enumerate()
        .map(|(position, (content, brightness))| RenderedDetail {
            position,
            content: spoken(content),
            brightness,
        })
        .filter(|detail| detail.brightness >= Brightness::RENDERED && !scored.is_faded)
        .collect();
    Some(RenderedMemory {
        id: memory.id,
        kind: memory.kind,
        vividness: if scored.is_faded { Vividness::Faded } else { scored.vividness },
        recent: now.since(memory.created_at).0 < RECENT.0,
        score: scored.score,
        parts: scored.parts,
        gist: spoken(memory.gist),
        said_by: memory.said_by,
        all_faded: had_details && details.is_empty(),
        details,
    })
}

/// Words as they may be shown: a listener does not learn that something was forgotten.
fn spoken(words: Text) -> Text {
    match unspoken(words.as_str()) {
        std::borrow::Cow::Borrowed(_) => words,
        std::borrow::Cow::Owned(spoken) => Text::new(spoken),
    }
}
