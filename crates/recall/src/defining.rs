//! What a persona is proudest of and remembers vividly: a standing part of who it is, whatever is talked about.

use domain::{DecayProfile, MemoryType, TimelineEntry, Timestamp, Vividness};

use crate::biography::strength_at;
use crate::escape::on_one_line;

/// How many events may define a persona.
const MOST: usize = 3;

/// The labels of the vivid pride entries of a life, the strongest first.
#[must_use]
pub fn defining(life: &[TimelineEntry], decay: Option<&DecayProfile>, now: Timestamp) -> Vec<String> {
    let strength = |entry: &TimelineEntry| strength_at(entry, decay, now);
    let mut proud: Vec<&TimelineEntry> = life
        .iter()
        .filter(|entry| entry.superseded_at.is_none() && entry.event.memory_type == MemoryType::Pride)
        .filter(|entry| Vividness::from(strength(entry)) == Vividness::Vivid)
        .collect();
    proud.sort_by(|a, b| strength(b).get().total_cmp(&strength(a).get()).then(b.sequence.cmp(&a.sequence)));
    proud.into_iter().take(MOST).map(|entry| on_one_line(entry.event.event_label.as_str())).collect()
}
