//! Whether the database responds. A node without its database serves no request, and reports why.

use std::sync::{Mutex, PoisonError};

use crate::error::StoreError;

/// The last known state of the database.
#[derive(Default)]
pub(super) struct DatabaseHealth {
    away: Mutex<Option<String>>,
}

impl DatabaseHealth {
    /// Why no request is served at the moment.
    pub(super) fn reason(&self) -> Option<String> {
        self.away.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Records the outcome of a call: one that reached the database clears an earlier failure.
    pub(super) fn note<T>(&self, answer: &Result<T, StoreError>) {
        let away = match answer {
            Err(StoreError::Unavailable { reason } | StoreError::ReadOnly { reason }) => Some(reason.clone()),
            Ok(_) => None,
            Err(_) => return,
        };
        *self.away.lock().unwrap_or_else(PoisonError::into_inner) = away;
    }
}
