//! When a memory is due: for the archive, for deletion, for a second look.

use crate::{Atom, ConsentBasis, Days, MemoryPolicy, PrivacyClass, RedactionStatus, Timestamp};

/// Whether `atom` has become so light that it goes into cold storage.
#[must_use]
pub fn archive_is_due(atom: &Atom, now: Timestamp) -> bool {
    atom.redaction_status == RedactionStatus::Active
        && atom.archived_at.is_none()
        && atom.salience_at(now) < atom.decay_profile.minimum_salience
}

/// When `atom` must be deleted, counted from its creation; `None` if it may stay.
#[must_use]
pub fn retention_ends(atom: &Atom, policy: &MemoryPolicy) -> Option<Timestamp> {
    let days = policy.retention_policy.days(atom.privacy_class)?;
    Some(atom.created_at.plus(Days(f64::from(days))))
}

/// Whether `atom` is to be deleted now: its time is over, or its ground is gone, and no audit obligation keeps it.
#[must_use]
pub fn deletion_is_due(atom: &Atom, policy: &MemoryPolicy, now: Timestamp) -> bool {
    let overdue = retention_ends(atom, policy).is_some_and(|end| now > end);
    !atom.audit_hold && (overdue || atom.redaction_status == RedactionStatus::PendingDeletion)
}

/// Whether a sensitive `atom` is to be looked at: half of its half-life is over.
#[must_use]
pub fn review_is_due(atom: &Atom, now: Timestamp) -> bool {
    atom.privacy_class == PrivacyClass::SensitivePii
        && atom.review.is_none()
        && now.since(atom.created_at).0 >= atom.decay_profile.half_life_days / 2.0
}

/// Takes away the explicit consent `atom` rests on, so that it is not told again. Tells whether it rested on it.
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
        assert!(!deletion_is_due(&atom, &policy, example::day(90)));
        assert!(deletion_is_due(&atom, &policy, example::day(91)));
        atom.audit_hold = true;
        assert!(!deletion_is_due(&atom, &policy, example::day(91)));
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
        assert!(deletion_is_due(&agreed, &MemoryPolicy::default(), example::day(0)));
    }
}
