//! How the time of a run is shared between its steps, and when a step is given up.

use std::time::Duration;

use super::Numbers;

/// How much more than its share a step may take before it is stopped from outside.
const PATIENCE: u32 = 3;
/// What a step may take besides, for preparing its world; and for cargo, which looks whether all is built.
const PREPARING: Duration = Duration::from_mins(45);
/// How long a step may take when no time is shared: with the numbers of a change, and with any others.
const LONGEST: (Duration, Duration) = (Duration::from_hours(2), Duration::from_hours(12));

/// The part of the time that one step gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// How much of what is left, compared with the other steps.
    pub(super) weight: u32,
    /// However little is left, a step gets so much: less would show nothing.
    pub(super) floor: Duration,
}

/// What the first of the `pending` parts gets of the time that is `left`. What it does not use, the later ones get.
pub(super) fn share(left: Duration, pending: &[Part]) -> Duration {
    let Some(first) = pending.first() else { return left };
    let all: u32 = pending.iter().map(|part| part.weight).sum();
    (left * first.weight / all.max(1)).max(first.floor)
}

/// The shortest time in which all of the parts can be run.
pub(super) fn shortest(parts: &[Part]) -> Duration {
    parts.iter().map(|part| part.floor).sum()
}

/// When a step that should take `limit` is stopped.
pub(super) fn deadline(numbers: Numbers, limit: Option<Duration>) -> Duration {
    match (limit, numbers) {
        (Some(limit), _) => limit * PATIENCE + PREPARING,
        (None, Numbers::PerChange) => LONGEST.0,
        (None, Numbers::PerRelease | Numbers::Given(_) | Numbers::Within(_)) => LONGEST.1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_mins(1);

    fn part(weight: u32) -> Part {
        Part { weight, floor: MINUTE }
    }

    #[test]
    fn a_step_gets_its_part_of_what_is_left() {
        assert_eq!(share(60 * MINUTE, &[part(6), part(1), part(3)]), 36 * MINUTE);
        assert_eq!(share(24 * MINUTE, &[part(1), part(3)]), 6 * MINUTE);
    }

    #[test]
    fn a_step_gets_its_floor_when_nothing_is_left() {
        assert_eq!(share(Duration::ZERO, &[part(6), part(1)]), MINUTE);
        assert_eq!(shortest(&[part(6), part(1)]), 2 * MINUTE);
    }

    #[test]
    fn a_deadline_is_far_behind_the_share() {
        let within = Numbers::Within(60 * MINUTE);
        assert_eq!(deadline(within, Some(10 * MINUTE)), 75 * MINUTE);
        assert_eq!(deadline(Numbers::PerRelease, None), 12 * 60 * MINUTE);
    }
}
