//! When a memory is due for archiving, deletion or review.

use crate::{Atom, ConsentBasis, MemoryPolicy, PrivacyClass, RedactionStatus, Timestamp};

/// Whether the weight of `atom` is so low that it is moved to cold storage.
#[must_use]
pub fn archive_is_due(atom: &Atom, now: Timestamp) -> bool {
    atom.redaction_status == RedactionStatus::Active
        && atom.archived_at.is_none()
        && atom.salience_at(now) < atom.decay_profile.minimum_salience
}

/// When `atom` must be deleted, if its subject's last conversation was at `last_contact`; `None` if it may
/// be kept.
#[must_use]
pub fn retention_ends(
    atom: &Atom,
    policy: &MemoryPolicy,
    last_contact: Option<Timestamp>,
) -> Option<Timestamp> {
    let retention = &policy.retention_policy;
    retention.ends(atom.privacy_class, atom.subject.as_ref(), atom.created_at, last_contact)
}

/// Marks an active `atom` past its retention at `now` as pending deletion, so that it is not shown as
/// active before a sweep has run. Returns whether it did.
pub fn expire(
    atom: &mut Atom,
    policy: &MemoryPolicy,
    last_contact: Option<Timestamp>,
    now: Timestamp,
) -> bool {
    let is_over = retention_ends(atom, policy, last_contact).is_some_and(|end| now > end);
    let expires = is_over && atom.redaction_status == RedactionStatus::Active;
    if expires {
        atom.redaction_status = RedactionStatus::PendingDeletion;
    }
    expires
}

/// Whether `atom` is to be deleted now: its retention time is over or its legal basis is gone, and no audit
/// hold keeps it.
#[must_use]
pub fn deletion_is_due(
    atom: &Atom,
    policy: &MemoryPolicy,
    last_contact: Option<Timestamp>,
    now: Timestamp,
) -> bool {
    let overdue = retention_ends(atom, policy, last_contact).is_some_and(|end| now > end);
    !atom.audit_hold && (overdue || atom.redaction_status == RedactionStatus::PendingDeletion)
}

/// Whether a sensitive `atom` is due for review: half of its half-life is over.
#[must_use]
pub fn review_is_due(atom: &Atom, now: Timestamp) -> bool {
    atom.privacy_class == PrivacyClass::SensitivePii
        && atom.review.is_none()
        && now.since(atom.created_at).0 >= atom.decay_profile.half_life_days / 2.0
}

/// Withdraws the explicit consent `atom` is based on, so that it is not recalled again. Returns whether it
/// was based on it.
pub fn withdraw_consent(atom: &mut Atom) -> bool {
    let rests_on_consent = atom.consent_basis == ConsentBasis::explicit_consent();
    if rests_on_consent {
        atom.redaction_status = RedactionStatus::PendingDeletion;
    }
    rests_on_consent
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Valence, example};

    #[test]
    fn a_neutral_memory_is_archived_once_it_weighs_less_than_the_minimum() {
        let mut atom = example::guest_atom();
        atom.emotional_valence = Valence::clamped(0.0);
        // 0.74 · 2^(−t/14) crosses 0.05 after 54.4 days.
        assert!(!archive_is_due(&atom, example::day(54)));
        assert!(archive_is_due(&atom, example::day(55)));
    }

    #[test]
    fn an_emotional_memory_never_sinks_to_the_archive() {
        assert!(!archive_is_due(&example::guest_atom(), example::day(10_000)));
    }

    #[test]
    fn retention_counts_from_creation_and_a_hold_stops_it() {
        let policy = MemoryPolicy::default();
        let mut atom = example::guest_atom();
        atom.last_rehearsed_at = example::day(89);
        assert!(!deletion_is_due(&atom, &policy, None, example::day(90)));
        assert!(deletion_is_due(&atom, &policy, None, example::day(91)));
        atom.audit_hold = true;
        assert!(!deletion_is_due(&atom, &policy, None, example::day(91)));
    }

    #[test]
    fn a_conversation_extends_the_retention_and_what_is_past_it_is_not_active() {
        let policy = crate::Template::Hospitality.memory_policy();
        let atom = example::guest_atom();
        let contact = Some(example::day(60));
        assert!(deletion_is_due(&atom, &policy, None, example::day(91)));
        assert!(!deletion_is_due(&atom, &policy, contact, example::day(150)));
        let mut shown = atom.clone();
        assert!(!expire(&mut shown, &policy, contact, example::day(150)));
        assert!(expire(&mut shown, &policy, contact, example::day(151)));
        assert_eq!(shown.redaction_status, RedactionStatus::PendingDeletion);
    }

    #[test]
    fn sensitive_memories_are_reviewed_at_half_their_half_life() {
        let mut atom = example::guest_atom();
        assert!(!review_is_due(&atom, example::day(100)));
        atom.privacy_class = PrivacyClass::SensitivePii;
        assert!(!review_is_due(&atom, example::day(6)));
        assert!(review_is_due(&atom, example::day(7)));
    }

    #[test]
    fn withdrawn_consent_takes_effect_at_once_and_only_where_consent_was_the_ground() {
        let mut served = example::guest_atom();
        assert!(!withdraw_consent(&mut served));
        let mut agreed = example::guest_atom();
        agreed.consent_basis = ConsentBasis::explicit_consent();
        assert!(withdraw_consent(&mut agreed));
        assert_eq!(agreed.redaction_status, RedactionStatus::PendingDeletion);
        assert!(deletion_is_due(&agreed, &MemoryPolicy::default(), None, example::day(0)));
    }
}
