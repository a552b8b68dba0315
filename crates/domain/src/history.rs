//! The state of a memory at an earlier time, reconstructed from its rehearsal history.

use crate::{Atom, Brightness, Rehearsal, Timestamp};

/// `atom` as it was at `at`: with fewer rehearsals, with details not yet brightened by later ones, and not
/// yet pinned if it was pinned later. The time of unpinning isn't stored, so that is not undone.
///
/// Its redaction status stays the current one, so that looking back never shows redacted memories. A detail
/// that a later rehearsal raised to full brightness had at least the brightness needed for that; this
/// minimum is shown, because the actual value is not known.
#[must_use]
pub fn as_of(atom: &Atom, history: &[Rehearsal], at: Timestamp) -> Atom {
    let mut then = atom.clone();
    for later in history.iter().rev().filter(|rehearsal| rehearsal.at > at) {
        then.rehearsal_count = then.rehearsal_count.saturating_sub(later.kind.counts().into());
        for position in &later.spoken {
            undo_brightening(&mut then, *position, previous_rehearsal(atom, history, later.at, *position));
        }
    }
    then.pinned = atom.pinned && atom.pinned_at.is_none_or(|pinned| pinned <= at);
    let counting =
        || history.iter().filter(|rehearsal| rehearsal.kind.counts()).map(|rehearsal| rehearsal.at);
    let rehearsed_at = counting().filter(|rehearsed_at| *rehearsed_at <= at).max();
    then.last_rehearsed_at = match rehearsed_at {
        Some(rehearsed_at) => rehearsed_at,
        None if then.rehearsal_count == 0 => atom.created_at,
        // There are rehearsals older than the stored history; they happened at the latest at the earliest
        // stored one.
        None => counting().next().map_or(atom.last_rehearsed_at, |first| first.min(at)),
    };
    then
}

/// Whether anything that [`as_of`] undoes happened to `atom` after `at`.
#[must_use]
pub fn changed_after(atom: &Atom, at: Timestamp) -> bool {
    let is_after = |then: Option<Timestamp>| then.is_some_and(|then| then > at);
    atom.last_rehearsed_at > at
        || is_after(atom.pinned_at)
        || atom.details.iter().any(|detail| is_after(detail.brightened_at))
}

/// When a detail was last spoken of before `rehearsed_at`, or else when the memory was formed.
fn previous_rehearsal(
    atom: &Atom,
    history: &[Rehearsal],
    rehearsed_at: Timestamp,
    position: usize,
) -> Timestamp {
    let spoken_before = |r: &&Rehearsal| r.at < rehearsed_at && r.spoken.contains(&position);
    history.iter().rev().find(spoken_before).map_or(atom.created_at, |rehearsal| rehearsal.at)
}

/// Undoes one rehearsal of a detail that was last spoken of at `before`.
fn undo_brightening(atom: &mut Atom, position: usize, before: Timestamp) {
    let profile = atom.decay_profile;
    let created = atom.created_at;
    let Some(detail) = atom.details.get_mut(position) else { return };
    let rehearsed_at = detail.brightened_at.unwrap_or(created);
    let just_before = detail.brightness.get() / profile.rehearsal_boost;
    let kept = profile.brightness(Brightness::MOST, rehearsed_at.since(before)).get();
    detail.brightness = Brightness::clamped(if kept > 0.0 { just_before / kept } else { 1.0 });
    detail.brightened_at = (before > created).then_some(before);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rehearsal::rehearse;
    use crate::{RehearsalKind, example};

    fn rehearsal(day: i64, spoken: &[usize]) -> Rehearsal {
        Rehearsal { at: example::day(day), kind: RehearsalKind::Mentioned, spoken: spoken.to_vec() }
    }

    #[test]
    fn looking_back_finds_the_memory_as_it_was() {
        let history = [rehearsal(5, &[0]), rehearsal(9, &[0, 2]), rehearsal(20, &[1])];
        let mut atom = example::guest_atom();
        let mut stages = vec![(example::day(0), atom.clone())];
        for rehearsal in &history {
            rehearse(&mut atom, rehearsal);
            stages.push((rehearsal.at, atom.clone()));
        }
        for (now, stage) in stages {
            let then = as_of(&atom, &history, now);
            assert_eq!(
                (then.rehearsal_count, then.last_rehearsed_at),
                (stage.rehearsal_count, stage.last_rehearsed_at)
            );
            for (then_detail, detail) in then.details.iter().zip(&stage.details) {
                let difference =
                    then.brightness_at(then_detail, now).get() - stage.brightness_at(detail, now).get();
                assert!(difference.abs() < 1e-9, "{now}: {difference}");
            }
        }
    }

    #[test]
    fn looking_back_never_undoes_a_redaction() {
        let mut atom = example::guest_atom();
        atom.redaction_status = crate::RedactionStatus::Redacted;
        let then = as_of(&atom, &[], example::day(-5));
        assert_eq!(then.redaction_status, crate::RedactionStatus::Redacted);
    }

    #[test]
    fn looking_back_before_the_pin_finds_a_memory_that_faded() {
        let mut atom = example::guest_atom();
        (atom.pinned, atom.pinned_at) = (true, Some(example::day(30)));
        let then = as_of(&atom, &[], example::day(20));
        assert!(!then.pinned && then.salience_at(example::day(20)) < atom.salience_at(example::day(20)));
        assert!(as_of(&atom, &[], example::day(31)).pinned);
        atom.pinned_at = None;
        assert!(as_of(&atom, &[], example::day(1)).pinned, "without a time it counts since the creation");
    }
}
