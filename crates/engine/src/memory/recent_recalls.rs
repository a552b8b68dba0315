//! The personas of the latest recalls, so that the report of what a reply used finds its trace without
//! looking through every persona of the tenant.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};

use domain::RecallId;
use store::Scope;

/// How many recalls are remembered.
const REMEMBERED: usize = 10_000;

/// The personas of the latest recalls.
#[derive(Default)]
pub(crate) struct RecentRecalls(Mutex<Recent>);

#[derive(Default)]
struct Recent {
    scopes: HashMap<RecallId, Scope>,
    /// Oldest first.
    order: VecDeque<RecallId>,
}

impl RecentRecalls {
    /// Remembers in which persona a recall was made.
    pub(crate) fn note(&self, id: RecallId, scope: &Scope) {
        let mut recent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if recent.order.len() >= REMEMBERED
            && let Some(oldest) = recent.order.pop_front()
        {
            recent.scopes.remove(&oldest);
        }
        recent.order.push_back(id);
        recent.scopes.insert(id, scope.clone());
    }

    /// The persona in which a recall was made, if it is still remembered.
    pub(crate) fn scope(&self, id: RecallId) -> Option<Scope> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).scopes.get(&id).cloned()
    }
}

#[cfg(test)]
mod tests {
    use domain::{PersonaId, TenantName};
    use uuid::Uuid;

    use super::*;

    #[test]
    fn the_oldest_recalls_are_dropped() {
        let tenant: TenantName = "scott".parse().unwrap();
        let scope = Scope::new(tenant, PersonaId(Uuid::nil()));
        let (recent, id) = (RecentRecalls::default(), |n: usize| RecallId(Uuid::from_u128(n as u128)));
        for number in 0..REMEMBERED + 2 {
            recent.note(id(number), &scope);
        }
        assert_eq!((recent.scope(id(0)), recent.scope(id(1))), (None, None));
        assert_eq!(
            (recent.scope(id(2)), recent.scope(id(REMEMBERED + 1))),
            (Some(scope.clone()), Some(scope))
        );
    }
}
