//! The exchanges whose formation a model has completed recently, for event streams.
//!
//! They are held in the memory of the process that formed them. Clients of another node get an event that the
//! persona has changed, and fetch the exchange.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use domain::SessionId;
use store::{ExchangeId, PersonaEntry};

/// How many are held; a client that is further behind has missed some.
const MOST: usize = 1_000;

/// The exchanges with recently completed formation.
#[derive(Default)]
pub(crate) struct FormedExchanges(Mutex<Announced>);

#[derive(Default)]
struct Announced {
    /// The number of the next one.
    next: u64,
    latest: VecDeque<(u64, FormedExchange)>,
}

/// An exchange with completed formation.
#[derive(Clone)]
pub(crate) struct FormedExchange {
    pub(crate) persona: PersonaEntry,
    pub(crate) exchange: ExchangeId,
    pub(crate) session: SessionId,
}

impl FormedExchanges {
    pub(super) fn announce(&self, persona: &PersonaEntry, exchange: ExchangeId, session: &SessionId) {
        let mut announced = self.announced();
        let number = announced.next;
        announced.next += 1;
        let formed = FormedExchange { persona: persona.clone(), exchange, session: session.clone() };
        announced.latest.push_back((number, formed));
        if announced.latest.len() > MOST {
            announced.latest.pop_front();
        }
    }

    /// The number of the next one.
    pub(crate) fn next(&self) -> u64 {
        self.announced().next
    }

    /// Those from `number` on, and the number of the next one.
    pub(crate) fn since(&self, number: u64) -> (Vec<FormedExchange>, u64) {
        let announced = self.announced();
        let later = announced.latest.iter().filter(|(own, _)| *own >= number);
        (later.map(|(_, formed)| formed.clone()).collect(), announced.next)
    }

    fn announced(&self) -> MutexGuard<'_, Announced> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
