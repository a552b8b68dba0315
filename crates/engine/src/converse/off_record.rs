//! Talk off the record, as long as this process lives: in memory, and nowhere else.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use domain::{Listener, PersonaId, SessionId, SubjectRef, TenantName, Timestamp};
use llm::Message;

/// How many conversations are held; the ones not heard of for longest are let go.
const MOST: usize = 1_000;
/// How many turns of each.
const LONGEST: usize = 200;

/// The conversations off the record.
#[derive(Default)]
pub(crate) struct OffRecord(Mutex<HashMap<Key, Held>>);

#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    tenant: TenantName,
    persona: PersonaId,
    subject: Option<SubjectRef>,
    session: Option<SessionId>,
}

struct Held {
    talk: Vec<Message>,
    last: Timestamp,
}

impl Key {
    fn new(tenant: &TenantName, persona: PersonaId, listener: &Listener) -> Self {
        Self {
            tenant: tenant.clone(),
            persona,
            subject: listener.subject.clone(),
            session: listener.session.clone(),
        }
    }
}

impl OffRecord {
    /// The talk so far, if the conversation is held here.
    pub(super) fn so_far(
        &self,
        tenant: &TenantName,
        persona: PersonaId,
        listener: &Listener,
    ) -> Option<Vec<Message>> {
        self.held().get(&Key::new(tenant, persona, listener)).map(|held| held.talk.clone())
    }

    /// Adds an exchange to a conversation.
    pub(super) fn add(
        &self,
        tenant: &TenantName,
        persona: PersonaId,
        listener: &Listener,
        exchange: [Message; 2],
        now: Timestamp,
    ) {
        let mut held = self.held();
        make_room(&mut held);
        let new = || Held { talk: Vec::new(), last: now };
        let conversation = held.entry(Key::new(tenant, persona, listener)).or_insert_with(new);
        conversation.last = conversation.last.max(now);
        conversation.talk.extend(exchange);
        let excess = conversation.talk.len().saturating_sub(LONGEST);
        conversation.talk.drain(..excess);
    }

    /// Lets go of all conversations.
    pub(crate) fn forget_all(&self) {
        self.held().clear();
    }

    /// Lets go of all conversations with a persona.
    pub(crate) fn forget(&self, persona: PersonaId) {
        self.held().retain(|key, _| key.persona != persona);
    }

    fn held(&self) -> MutexGuard<'_, HashMap<Key, Held>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn make_room(held: &mut HashMap<Key, Held>) {
    while held.len() >= MOST {
        let oldest = held.iter().min_by_key(|(_, held)| held.last).map(|(key, _)| key.clone());
        let Some(oldest) = oldest else { return };
        held.remove(&oldest);
    }
}
