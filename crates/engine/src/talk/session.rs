//! The state of an open persona's conversations that recall needs.
//!
//! It lives in memory only. When it is lost, a memory may be rendered again a little before its cooldown
//! ends; nothing else depends on it.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use domain::{MemoryId, SubjectRef, Timestamp};
use recall::{Recollection, SessionSoFar};

/// How many conversations are held; the least recently used are dropped.
const MOST: usize = 10_000;

/// A conversation with one listener.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SessionKey {
    pub(crate) session: String,
    pub(crate) subject: Option<SubjectRef>,
}

/// The conversations of one persona.
#[derive(Default)]
pub(crate) struct Sessions(Mutex<HashMap<SessionKey, Conversation>>);

#[derive(Clone, Debug)]
struct Conversation {
    so_far: SessionSoFar,
    rehearsed: BTreeSet<MemoryId>,
    /// The memories that were mentioned, and whose mentioned details have brightened.
    spoken: BTreeSet<MemoryId>,
    last: Timestamp,
}

impl Sessions {
    /// The state for the next turn. Reading it changes nothing.
    pub(crate) fn next_turn(&self, key: Option<&SessionKey>) -> SessionSoFar {
        let known = self.known();
        let so_far = key.and_then(|key| known.get(key)).map(|conversation| &conversation.so_far);
        so_far.map_or_else(SessionSoFar::default, |so_far| SessionSoFar {
            turn: so_far.turn + 1,
            ..so_far.clone()
        })
    }

    /// The state before the latest turn, for another reply to it: what that turn rendered is not in cooldown.
    pub(crate) fn latest_turn(&self, key: Option<&SessionKey>) -> SessionSoFar {
        let known = self.known();
        let so_far = key.and_then(|key| known.get(key)).map(|conversation| conversation.so_far.clone());
        let mut so_far = so_far.unwrap_or_default();
        so_far.rendered.retain(|_, turn| *turn < so_far.turn);
        so_far
    }

    /// Records what a turn rendered.
    pub(crate) fn record_rendered(&self, key: &SessionKey, recalled: &Recollection, now: Timestamp) {
        let mut known = self.known();
        make_room(&mut known);
        let conversation = conversation(&mut known, key, now);
        let so_far = &mut conversation.so_far;
        so_far.turn += 1;
        let turn = so_far.turn;
        so_far.rendered.extend(recalled.memories.iter().map(|memory| (memory.id, turn)));
        for event in &recalled.pressed {
            *so_far.pressure.entry(*event).or_default() += 1;
        }
        so_far.boasted |= recalled.boasted;
    }

    /// Whether a memory was rehearsed in this conversation.
    pub(crate) fn is_rehearsed(&self, key: &SessionKey, id: MemoryId) -> bool {
        self.known().get(key).is_some_and(|conversation| conversation.rehearsed.contains(&id))
    }

    /// Those of `ids` not yet rehearsed in this conversation; they count as rehearsed from now on.
    pub(crate) fn first_rehearsals(
        &self,
        key: &SessionKey,
        ids: &[MemoryId],
        now: Timestamp,
    ) -> Vec<MemoryId> {
        let mut known = self.known();
        let conversation = conversation(&mut known, key, now);
        ids.iter().copied().filter(|id| conversation.rehearsed.insert(*id)).collect()
    }

    /// Those of `ids` not yet mentioned in this conversation; they count as mentioned from now on.
    pub(crate) fn first_mentions(
        &self,
        key: &SessionKey,
        ids: &[MemoryId],
        now: Timestamp,
    ) -> BTreeSet<MemoryId> {
        let mut known = self.known();
        let conversation = conversation(&mut known, key, now);
        ids.iter().copied().filter(|id| conversation.spoken.insert(*id)).collect()
    }

    fn known(&self) -> MutexGuard<'_, HashMap<SessionKey, Conversation>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn conversation<'k>(
    known: &'k mut HashMap<SessionKey, Conversation>,
    key: &SessionKey,
    now: Timestamp,
) -> &'k mut Conversation {
    let new = || Conversation {
        so_far: SessionSoFar::default(),
        rehearsed: BTreeSet::new(),
        spoken: BTreeSet::new(),
        last: now,
    };
    let conversation = known.entry(key.clone()).or_insert_with(new);
    conversation.last = conversation.last.max(now);
    conversation
}

fn make_room(known: &mut HashMap<SessionKey, Conversation>) {
    if known.len() < MOST {
        return;
    }
    let mut times: Vec<Timestamp> = known.values().map(|conversation| conversation.last).collect();
    times.sort_unstable();
    let middle = times.get(times.len() / 2).copied();
    known.retain(|_, conversation| Some(conversation.last) > middle);
}
