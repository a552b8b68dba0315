//! An aspect of an event with two sides that exclude each other: sun or rain, crowded or empty, won or lost.

use super::Event;
use crate::claim::Claim;
use crate::pattern::{Pattern, patterns};
use crate::vocabulary::Vocabulary;

/// A row of `lexicon/events.txt`: two sides, each by its patterns.
pub(crate) struct Aspect {
    sides: [Vec<Pattern>; 2],
    /// Whether it turns within a day, as the weather does.
    turns: bool,
    /// Whether a day has room for only one of its sides, whatever else is said of it.
    pub(crate) needs_only_the_day: bool,
}

/// A side of an aspect, and the claim that states it.
struct StatedSide {
    side: usize,
    claim: usize,
}

impl Aspect {
    /// Reads one row.
    pub(crate) fn read(sides: [&str; 2], vocabulary: &mut Vocabulary) -> Self {
        let turns = sides.iter().any(|side| side.starts_with('~'));
        let needs_only_the_day = sides.iter().any(|side| side.starts_with('='));
        let sides = sides.map(|side| patterns(side.trim_start_matches(['~', '=']), vocabulary));
        Self { sides, turns, needs_only_the_day }
    }

    /// The claims that state one side in one entry and the other side in the other.
    pub(super) fn differs(&self, left: &Event<'_, '_>, right: &Event<'_, '_>) -> Option<(usize, usize)> {
        if self.turns && left.is_at_another_hour_than(right) {
            return None;
        }
        let (left, right) = (self.shown(left)?, self.shown(right)?);
        (left.side != right.side).then_some((left.claim, right.claim))
    }

    /// The only side an entry states; one that states both is about two moments.
    fn shown(&self, event: &Event<'_, '_>) -> Option<StatedSide> {
        let mut shown = self.sides.iter().enumerate().filter_map(|(side, patterns)| {
            let fits = |claim: &Claim<'_>| patterns.iter().any(|pattern| pattern.is_state_of(claim));
            let at = event.claims.iter().position(|claim| is_about_event(claim, event) && fits(claim))?;
            Some(StatedSide { side, claim: event.first + at })
        });
        let only = shown.next()?;
        shown.next().is_none().then_some(only)
    }
}

/// Whether the claim is about the event itself: not about what another person did in it, nor what was reversed later.
fn is_about_event(claim: &Claim<'_>, event: &Event<'_, '_>) -> bool {
    let reversed = event.claims.iter().any(|other| {
        other.flags.another
            && !other.flags.negated
            && !other.flags.unreal
            && std::ptr::eq(other.sentence, claim.sentence)
    });
    !reversed && !claim.flags.unreal && !claim.flags.reported && claim.subject.person().is_none()
}
