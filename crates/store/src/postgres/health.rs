//! Whether the database answers. A node without it answers nothing, and says why.

use std::sync::{Mutex, PoisonError};

use crate::error::StoreError;

/// What is known of the database.
#[derive(Default)]
pub(super) struct DatabaseHealth {
    away: Mutex<Option<String>>,
}

impl DatabaseHealth {
    /// Why nothing is answered at the moment.
    pub(super) fn reason(&self) -> Option<String> {
        self.away.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Notes how a call went: one that reached the database clears what was noted before.
    pub(super) fn note<T>(&self, answer: &Result<T, StoreError>) {
        let away = match answer {
            Err(StoreError::Unavailable { reason } | StoreError::ReadOnly { reason }) => Some(reason.clone()),
            Ok(_) => None,
            Err(_) => return,
        };
        *self.away.lock().unwrap_or_else(PoisonError::into_inner) = away;
    }
}
