//! The turns whose formation waits for a model: the number of failures, and the time of the next try.
//!
//! It lives in memory only. After a restart the turns are still pending in the record, and are tried from the
//! beginning.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use domain::Timestamp;
use store::{PersonaEntry, TurnId};

use super::propose::ModelFailure;

/// The pause after the first failure; it doubles with each further one.
const FIRST_PAUSE_MILLIS: i64 = 30_000;
/// After this many doublings the pause stays the same.
const MOST_DOUBLINGS: u32 = 3;

/// The turns being formed, and those that wait.
#[derive(Default)]
pub(crate) struct FormationBacklog(Mutex<HashMap<TurnId, Delay>>);

struct Delay {
    persona: PersonaEntry,
    failures: u32,
    until: Timestamp,
    is_claimed: bool,
}

/// The exclusive right to form one turn.
pub(super) struct Claim<'a> {
    waiting: &'a FormationBacklog,
    turn: TurnId,
    /// The number of earlier failures.
    pub(super) failures: u32,
}

impl FormationBacklog {
    /// Claims a turn, unless it is claimed already or its pause isn't over.
    pub(super) fn claim(&self, persona: &PersonaEntry, turn: TurnId, now: Timestamp) -> Option<Claim<'_>> {
        let mut delays = self.delays();
        let new = || Delay { persona: persona.clone(), failures: 0, until: now, is_claimed: false };
        let delay = delays.entry(turn).or_insert_with(new);
        if delay.is_claimed || now < delay.until {
            return None;
        }
        delay.is_claimed = true;
        Some(Claim { waiting: self, turn, failures: delay.failures })
    }

    /// Makes a turn due, unless it is claimed or waits already.
    pub(super) fn schedule(&self, persona: &PersonaEntry, turn: TurnId, now: Timestamp) {
        let new = || Delay { persona: persona.clone(), failures: 0, until: now, is_claimed: false };
        self.delays().entry(turn).or_insert_with(new);
    }

    /// The personas with turns whose pause is over. A turn without failures is no longer needed here: whether it
    /// is still pending is in the record.
    pub(super) fn take_due(&self, now: Timestamp) -> Vec<PersonaEntry> {
        let mut due: Vec<PersonaEntry> = Vec::new();
        self.delays().retain(|_, delay| {
            let is_due = !delay.is_claimed && delay.until <= now;
            if is_due && due.iter().all(|known| known.id != delay.persona.id) {
                due.push(delay.persona.clone());
            }
            !is_due || delay.failures > 0
        });
        due
    }

    fn delays(&self) -> MutexGuard<'_, HashMap<TurnId, Delay>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Claim<'_> {
    /// Postpones the turn, longer each time.
    pub(super) fn postpone(self, unanswered: ModelFailure, now: Timestamp) {
        if let Some(delay) = self.waiting.delays().get_mut(&self.turn) {
            let pause = FIRST_PAUSE_MILLIS << delay.failures.min(MOST_DOUBLINGS);
            delay.failures += unanswered.failures;
            delay.is_claimed = false;
            delay.until = Timestamp::from_millis(now.as_millis() + pause);
        }
    }
}

impl Drop for Claim<'_> {
    /// Only a waiting turn stays in the list; the state of others is in the record.
    fn drop(&mut self) {
        let mut delays = self.waiting.delays();
        if delays.get(&self.turn).is_some_and(|delay| delay.is_claimed) {
            delays.remove(&self.turn);
        }
    }
}
