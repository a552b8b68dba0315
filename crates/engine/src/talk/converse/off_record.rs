//! Conversations off the record: held in the memory of this process, and nowhere else.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use domain::{Listener, PersonaId, SessionId, SubjectRef, TenantName, Timestamp};
use llm::Message;

/// How many conversations are held per tenant; the least recently used are dropped.
const MOST: usize = 1_000;
/// How many bytes are held per tenant; the least recently used conversations are dropped.
const MOST_BYTES: usize = 16 * 1024 * 1024;
/// How many turns are held per conversation.
const LONGEST: usize = 200;

/// The conversations off the record.
#[derive(Default)]
pub(crate) struct OffRecord(Mutex<HashMap<Key, StoredTalk>>);

#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    tenant: TenantName,
    persona: PersonaId,
    subject: Option<SubjectRef>,
    session: Option<SessionId>,
}

struct StoredTalk {
    talk: Vec<Message>,
    /// The size of `talk`.
    bytes: usize,
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
    /// The turns so far, if the conversation is held here.
    pub(super) fn so_far(
        &self,
        tenant: &TenantName,
        persona: PersonaId,
        listener: &Listener,
    ) -> Option<Vec<Message>> {
        self.held().get(&Key::new(tenant, persona, listener)).map(|held| held.talk.clone())
    }

    /// Whether the listener's conversation is held for another person than `listener`.
    pub(crate) fn is_of_another(&self, tenant: &TenantName, persona: PersonaId, listener: &Listener) -> bool {
        let own = Key::new(tenant, persona, listener);
        let is_other = |key: &Key| {
            (&key.tenant, key.persona, &key.session) == (&own.tenant, own.persona, &own.session)
                && key.subject != own.subject
        };
        self.held().keys().any(is_other)
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
        let new = || StoredTalk { talk: Vec::new(), bytes: 0, last: now };
        let key = Key::new(tenant, persona, listener);
        let conversation = held.entry(key.clone()).or_insert_with(new);
        conversation.last = conversation.last.max(now);
        conversation.add(exchange);
        make_room(&mut held, &key);
    }

    /// Drops all conversations.
    pub(crate) fn forget_all(&self) {
        self.held().clear();
    }

    /// Drops all conversations with a persona.
    pub(crate) fn forget(&self, persona: PersonaId) {
        self.held().retain(|key, _| key.persona != persona);
    }

    fn held(&self) -> MutexGuard<'_, HashMap<Key, StoredTalk>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl StoredTalk {
    /// Adds an exchange, and drops the oldest turns beyond the limit.
    fn add(&mut self, exchange: [Message; 2]) {
        self.bytes += exchange.iter().map(bytes).sum::<usize>();
        self.talk.extend(exchange);
        let mut excess = self.talk.len().saturating_sub(LONGEST);
        for oldest in self.talk.iter().take(excess) {
            self.bytes -= bytes(oldest);
        }
        while self.bytes > MOST_BYTES
            && let Some(oldest) = self.talk.get(excess)
        {
            self.bytes -= bytes(oldest);
            excess += 1;
        }
        self.talk.drain(..excess);
    }
}

fn bytes(message: &Message) -> usize {
    let words = match message {
        Message::User(words) | Message::Tool { result: words, .. } => words,
        Message::Assistant { text, .. } => text,
    };
    size_of::<Message>() + words.as_str().len()
}

/// Drops the least recently used conversations of the tenant of `kept`, never `kept` itself, until the rest
/// fits. Other tenants are not affected.
fn make_room(held: &mut HashMap<Key, StoredTalk>, kept: &Key) {
    loop {
        let own = || held.iter().filter(|(key, _)| key.tenant == kept.tenant);
        if own().count() <= MOST && own().map(|(_, held)| held.bytes).sum::<usize>() <= MOST_BYTES {
            return;
        }
        let oldest = own().filter(|(key, _)| *key != kept).min_by_key(|(_, held)| held.last);
        let Some(oldest) = oldest.map(|(key, _)| key.clone()) else { return };
        held.remove(&oldest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listener(session: &str) -> Listener {
        Listener { subject: None, session: Some(session.parse().unwrap()), staff: false }
    }

    fn say(talk: &OffRecord, tenant: &str, session: &str, length: usize, at: i64) {
        let exchange = [
            Message::User("a".repeat(length).as_str().into()),
            Message::Assistant { text: "b".repeat(length).as_str().into(), calls: Vec::new() },
        ];
        let (tenant, persona) = (tenant.parse().unwrap(), PersonaId(uuid::Uuid::nil()));
        talk.add(&tenant, persona, &listener(session), exchange, Timestamp::from_millis(at));
    }

    fn sessions(talk: &OffRecord, tenant: &str) -> usize {
        talk.held().keys().filter(|key| key.tenant.as_str() == tenant).count()
    }

    #[test]
    fn a_tenant_with_too_many_conversations_loses_its_own_oldest_and_nobody_elses() {
        let talk = OffRecord::default();
        say(&talk, "ben", "quiet", 10, 0);
        for number in 0..=MOST {
            say(&talk, "ana", &format!("s{number}"), 10, 1 + i64::try_from(number).unwrap());
        }
        assert_eq!((sessions(&talk, "ana"), sessions(&talk, "ben")), (MOST, 1));
        let is_first = |key: &Key| key.session.as_ref().is_some_and(|session| session.as_str() == "s0");
        assert!(!talk.held().keys().any(is_first), "the oldest one is dropped");
    }

    #[test]
    fn the_talk_of_a_tenant_is_bounded_in_bytes() {
        let talk = OffRecord::default();
        say(&talk, "ben", "quiet", 10, 0);
        for number in 0..40 {
            say(&talk, "ana", &format!("s{number}"), 500_000, 1 + number);
        }
        let held: usize =
            talk.held().iter().filter(|(key, _)| key.tenant.as_str() == "ana").map(|(_, it)| it.bytes).sum();
        assert!((MOST_BYTES / 2..=MOST_BYTES).contains(&held), "{held} bytes");
        assert_eq!(sessions(&talk, "ben"), 1);
        for _ in 0..40 {
            say(&talk, "ana", "endless", 500_000, 100);
        }
        let held: usize = talk.held().values().map(|held| held.bytes).sum();
        assert!(held <= MOST_BYTES + 1_000, "{held} bytes");
    }
}
