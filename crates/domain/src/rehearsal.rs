//! Rehearsal: recalling a memory refreshes it; the details that were spoken brighten, the others keep
//! fading.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Atom, Brightness, Timestamp};

/// What counts as a rehearsal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RehearsalPolicy {
    /// Being rendered into a prompt.
    #[default]
    Rendered,
    /// Being mentioned, in the reply or by the subject, so that more memories are rendered over time.
    Mentioned,
}

/// The kind of a rehearsal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RehearsalKind {
    /// It was rendered into a prompt.
    Rendered,
    /// It was mentioned in a conversation.
    Mentioned,
    /// It was learnt again.
    Reencoded,
    /// Some of its details were spoken of after it had been rehearsed in the same conversation: they
    /// brighten, and the memory itself is not rehearsed again.
    Spoken,
}

impl RehearsalKind {
    /// Whether it refreshes the memory itself, and not only its spoken details.
    #[must_use]
    pub const fn counts(self) -> bool {
        match self {
            Self::Rendered | Self::Mentioned | Self::Reencoded => true,
            Self::Spoken => false,
        }
    }
}

/// One entry of a memory's rehearsal history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Rehearsal {
    /// When it happened.
    pub at: Timestamp,
    /// Its kind.
    pub kind: RehearsalKind,
    /// Which details were spoken, by position.
    pub spoken: Vec<usize>,
}

impl Rehearsal {
    /// The number of stored rehearsals of one atom.
    pub const KEPT: usize = 64;
}

/// The share of a gist's or a detail's content words that counts as a mention.
pub const MENTIONED_SHARE: f64 = 0.6;

/// Applies `rehearsal` to `atom`: increments its count, and brightens the spoken details from their current
/// value.
///
/// Times only move forward, so a clock that was set back can't make a memory older than it was.
pub fn rehearse(atom: &mut Atom, rehearsal: &Rehearsal) {
    let boost = atom.decay_profile.rehearsal_boost;
    let current: Vec<Brightness> =
        atom.details.iter().map(|detail| atom.brightness_at(detail, rehearsal.at)).collect();
    for (position, (detail, current)) in atom.details.iter_mut().zip(current).enumerate() {
        if rehearsal.spoken.contains(&position) {
            detail.brightness = Brightness::clamped(current.get() * boost);
            detail.brightened_at = detail.brightened_at.max(Some(rehearsal.at.max(atom.created_at)));
        }
    }
    if !rehearsal.kind.counts() {
        return;
    }
    atom.rehearsal_count = atom.rehearsal_count.saturating_add(1);
    atom.last_rehearsed_at = atom.last_rehearsed_at.max(rehearsal.at);
}

/// Whether a memory rendered at turn `rendered` may be rendered again at turn `now`.
#[must_use]
pub fn has_cooled_down(rendered: u32, now: u32, cooldown_turns: u32) -> bool {
    u64::from(now) > u64::from(rendered) + u64::from(cooldown_turns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;

    #[test]
    fn spoken_details_brighten_and_unspoken_ones_keep_fading() {
        let mut atom = example::guest_atom();
        let after = example::day(7);
        let before: Vec<f64> = atom.details.iter().map(|d| atom.brightness_at(d, after).get()).collect();
        rehearse(&mut atom, &Rehearsal { at: after, kind: RehearsalKind::Mentioned, spoken: vec![2] });
        let now: Vec<f64> = atom.details.iter().map(|d| atom.brightness_at(d, after).get()).collect();
        assert_eq!((now[0], now[1]), (before[0], before[1]));
        assert!((now[2] - before[2] * 1.4).abs() < 1e-12);
        assert_eq!((atom.rehearsal_count, atom.last_rehearsed_at), (1, after));
    }

    #[test]
    fn details_spoken_of_after_a_rehearsal_brighten_and_count_as_no_second_one() {
        let mut atom = example::guest_atom();
        let after = example::day(7);
        rehearse(&mut atom, &Rehearsal { at: after, kind: RehearsalKind::Rendered, spoken: Vec::new() });
        let before = atom.brightness_at(&atom.details[2], after).get();
        rehearse(&mut atom, &Rehearsal { at: after, kind: RehearsalKind::Spoken, spoken: vec![2] });
        assert!((atom.brightness_at(&atom.details[2], after).get() - before * 1.4).abs() < 1e-12);
        assert_eq!(atom.rehearsal_count, 1);
    }

    #[test]
    fn a_detail_never_grows_brighter_than_one() {
        let mut atom = example::guest_atom();
        for _ in 0..5 {
            rehearse(
                &mut atom,
                &Rehearsal { at: example::day(0), kind: RehearsalKind::Rendered, spoken: vec![2] },
            );
        }
        assert_eq!(atom.brightness_at(&atom.details[2], example::day(0)), Brightness::MOST);
    }

    #[test]
    fn a_clock_set_back_moves_no_time_backward() {
        let mut atom = example::guest_atom();
        rehearse(
            &mut atom,
            &Rehearsal { at: example::day(9), kind: RehearsalKind::Rendered, spoken: vec![0] },
        );
        rehearse(
            &mut atom,
            &Rehearsal { at: example::day(3), kind: RehearsalKind::Rendered, spoken: vec![0] },
        );
        assert_eq!(atom.last_rehearsed_at, example::day(9));
        assert_eq!(atom.details[0].brightened_at, Some(example::day(9)));
    }

    #[test]
    fn a_memory_rests_for_the_whole_cooldown() {
        for (turn, may) in [(7, false), (8, false), (11, false), (12, true)] {
            assert_eq!(has_cooled_down(7, turn, 4), may, "turn {turn}");
        }
        assert!(!has_cooled_down(u32::MAX, u32::MAX, u32::MAX));
    }
}
