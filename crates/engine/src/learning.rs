//! Learning from conversations: memories formed from turns, the consents they need, and facts derived from
//! repeated episodes.

pub(crate) mod form;
pub(crate) mod show_exchange;
pub(crate) mod consents;
pub(crate) mod consolidate;

use domain::PersonaId;

use crate::keyed_locks::{KeyedGuard, KeyedLocks};
use form::{FormationBacklog, FormedExchanges};

/// Exchanges whose memories are being formed. Its fields are visible in this room only.
#[derive(Default)]
pub(crate) struct LearningState {
    /// One lock per persona, held while memories are formed from a turn: two turns that say the same must not
    /// both count as new.
    forming: KeyedLocks<PersonaId>,
    waiting: FormationBacklog,
    formed_exchanges: FormedExchanges,
}

impl LearningState {
    /// Waits until nothing is being formed for a persona, and keeps it so while the lock is held.
    pub(crate) async fn lock(&self, persona: PersonaId) -> KeyedGuard {
        self.forming.lock(persona).await
    }
}
