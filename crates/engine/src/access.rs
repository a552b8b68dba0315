//! Access control: API keys, sign-in, operators, and the rules for who sees a memory.

pub(crate) mod law;
pub(crate) mod authenticate;
pub(crate) mod check_tenant;
pub(crate) mod known_keys;
pub(crate) mod keys;
pub(crate) mod operators;
pub(crate) mod revocations;
pub(crate) mod sign_in;
pub(crate) mod operator_only;
pub(crate) mod key_subject;
pub(crate) mod seal;

use std::sync::atomic::AtomicI64;
use std::sync::{PoisonError, RwLock};

use vault::signature::PublicKey;

use crate::Engine;
use key_subject::KeySubjects;
use known_keys::KnownKeys;
use sign_in::PageSessions;

/// The state of access control. Its fields are visible in this room only.
pub(crate) struct AccessState {
    signers: RwLock<Vec<PublicKey>>,
    /// When the list of signers was last read.
    signers_seen: AtomicI64,
    known_keys: KnownKeys,
    key_subjects: KeySubjects,
    page_sessions: PageSessions,
}

impl AccessState {
    /// The state at the start, with the accepted `signers`.
    pub(crate) fn new(signers: Vec<PublicKey>) -> Self {
        Self {
            signers: RwLock::new(signers),
            signers_seen: AtomicI64::new(i64::MIN),
            known_keys: KnownKeys::default(),
            key_subjects: KeySubjects::default(),
            page_sessions: PageSessions::default(),
        }
    }

    /// Drops the names of people that keys are bound to.
    pub(crate) fn evict_all(&self) {
        self.key_subjects.clear();
    }
}

impl Engine {
    /// The accepted signers.
    pub(crate) fn signers(&self) -> Vec<PublicKey> {
        self.access_state.signers.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
