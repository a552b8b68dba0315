//! Memories past their retention are neither recalled nor listed, even before a sweep deletes them.

use std::collections::{BTreeMap, BTreeSet};

use domain::{Atom, CountFrom, MemoryId, RedactionStatus, RetentionPolicy, SubjectRef, Timestamp, lifecycle};
use store::{Records, Scope};
use wire::Problem;

use crate::Engine;
use crate::memory::card::Card;
use crate::persona::open::{OpenPersona, View};
use crate::persona::registry::PersonaContext;

/// When each subject last talked with a persona.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contacts(BTreeMap<SubjectRef, Timestamp>);

impl Contacts {
    /// The last conversation with `subject`.
    pub(crate) fn with(&self, subject: Option<&SubjectRef>) -> Option<Timestamp> {
        self.0.get(subject?).copied()
    }
}

/// The memories past their retention, and the next moment at which this may change.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Expired {
    pub(crate) memories: BTreeSet<MemoryId>,
    pub(crate) next: Option<Timestamp>,
}

impl Expired {
    /// Checks all `cards` at `now`.
    pub(crate) fn among<'c>(
        cards: impl IntoIterator<Item = &'c Card>,
        retention: &RetentionPolicy,
        contacts: &Contacts,
        now: Timestamp,
    ) -> Self {
        let mut expired = Self::default();
        for card in cards.into_iter().filter(|card| card.is_active) {
            match card.retention_ends(retention, contacts) {
                Some(end) if now > end => drop(expired.memories.insert(card.id)),
                Some(end) => expired.next = Some(expired.next.map_or(end, |next| next.min(end))),
                None => {}
            }
        }
        expired
    }

    /// `atom`, marked as pending deletion if it is past its retention.
    pub(crate) fn mark(&self, mut atom: Atom) -> Atom {
        if self.memories.contains(&atom.id) && atom.redaction_status == RedactionStatus::Active {
            atom.redaction_status = RedactionStatus::PendingDeletion;
        }
        atom
    }
}

impl Engine {
    /// The persona's view at `now`, without the memories past their retention.
    pub(crate) async fn active_view(
        &self,
        persona: &PersonaContext,
        open: &OpenPersona,
        now: Timestamp,
    ) -> Result<View, Problem> {
        let view = open.view(&self.store).await?;
        self.encode_missing(open);
        let retention = &persona.loaded.document.memory_policy.retention_policy;
        if open.retention_is_current(retention, now) {
            return Ok(view);
        }
        let changes = open.card_changes();
        let expired = self.expired(persona, open, now).await?;
        open.hide_expired(&self.store, expired, retention, changes, now).await.map_err(Problem::from)
    }

    /// The memories past their retention at `now`.
    pub(crate) async fn expired(
        &self,
        persona: &PersonaContext,
        open: &OpenPersona,
        now: Timestamp,
    ) -> Result<Expired, Problem> {
        let retention = &persona.loaded.document.memory_policy.retention_policy;
        let nobody = Contacts::default();
        let without_contacts = Expired::among(open.cards().values(), retention, &nobody, now);
        if without_contacts.memories.is_empty() || retention.count_from == CountFrom::Created {
            return Ok(without_contacts);
        }
        let contacts = self.last_contacts(&persona.entry.scope()).await?;
        Ok(Expired::among(open.cards().values(), retention, &contacts, now))
    }

    /// When each subject last talked with the persona.
    pub(crate) async fn last_contacts(&self, scope: &Scope) -> Result<Contacts, Problem> {
        let mut contacts: BTreeMap<SubjectRef, Timestamp> = BTreeMap::new();
        for session in self.store.sessions(scope, None).await? {
            let last = contacts.entry(session.subject).or_insert(session.last_at);
            *last = session.last_at.max(*last);
        }
        Ok(Contacts(contacts))
    }

    /// When `subject` last talked with the persona.
    pub(crate) async fn last_contact(
        &self,
        scope: &Scope,
        subject: Option<&SubjectRef>,
    ) -> Result<Option<Timestamp>, Problem> {
        let Some(subject) = subject else { return Ok(None) };
        let sessions = self.store.sessions(scope, Some(subject)).await?;
        Ok(sessions.iter().map(|session| session.last_at).max())
    }

    /// When `atom` must be deleted. If that is before `now`, it is marked as expired.
    pub(crate) async fn expire(
        &self,
        persona: &PersonaContext,
        atom: &mut Atom,
        now: Timestamp,
    ) -> Result<Option<Timestamp>, Problem> {
        let policy = &persona.loaded.document.memory_policy;
        let contact = self.last_contact(&persona.entry.scope(), atom.subject.as_ref()).await?;
        let end = lifecycle::retention_ends(atom, policy, contact);
        lifecycle::expire(atom, policy, contact, now);
        Ok(end)
    }
}
