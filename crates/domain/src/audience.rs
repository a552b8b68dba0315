//! Whom a memory may reach.
//!
//! The rule in one sentence: what was learnt from a person is told to that person only, and when nobody
//! knows who is listening, nobody's memories are told.

use crate::{Atom, PrivacyClass, Scope, SessionId, SubjectRef};

/// Who is listening.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listener {
    /// The person, with aliases already resolved; `None` when nobody knows.
    pub subject: Option<SubjectRef>,
    /// The conversation.
    pub session: Option<SessionId>,
    /// Whether only staff can hear.
    pub staff: bool,
}

/// Why a memory may not reach a listener.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    serde::Serialize,
    serde::Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Unheard {
    /// It identifies, or was learnt from, somebody else.
    OtherSubject,
    /// It is confidential, and others than staff can hear.
    StaffOnly,
    /// The policy keeps it in the conversation, or with the person, it came from.
    OutOfScope,
}

/// Whether `atom` may reach `listener` under a policy of this `scope`.
pub fn may_reach(atom: &Atom, scope: Scope, listener: &Listener) -> Result<(), Unheard> {
    let same_session = listener.session.as_ref() == Some(&atom.provenance.session_id);
    let is_subject = listener.subject.is_some() && listener.subject == atom.subject;
    // Without a subject, personal words belong to the conversation they were said in.
    let is_own = if atom.subject.is_some() { is_subject } else { same_session };
    if belongs_to_its_subject(atom) && !is_own {
        return Err(Unheard::OtherSubject);
    }
    if atom.privacy_class == PrivacyClass::CommercialConfidential && !listener.staff {
        return Err(Unheard::StaffOnly);
    }
    let in_scope = match scope {
        Scope::Deployment => true,
        Scope::Session => same_session,
        Scope::User => is_own,
    };
    in_scope.then_some(()).ok_or(Unheard::OutOfScope)
}

/// Whether only its own subject may hear `atom`.
///
/// An operator's release opens what merely came from talk; it never opens what identifies a person.
#[must_use]
pub fn belongs_to_its_subject(atom: &Atom) -> bool {
    let learnt_from_someone = atom.trust.is_from_talk()
        && atom.privacy_class != PrivacyClass::Aggregate
        && atom.released_at.is_none();
    atom.privacy_class.is_pii() || learnt_from_someone
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Trust, example};

    fn listener(subject: &str) -> Listener {
        Listener { subject: subject.parse().ok(), session: "sess:other".parse().ok(), staff: false }
    }

    #[test]
    fn a_guests_memory_reaches_that_guest_and_nobody_else() {
        let atom = example::guest_atom();
        assert_eq!(may_reach(&atom, Scope::Deployment, &listener("guest:ana")), Ok(()));
        assert_eq!(
            may_reach(&atom, Scope::Deployment, &listener("guest:bogdan")),
            Err(Unheard::OtherSubject)
        );
        assert_eq!(may_reach(&atom, Scope::Deployment, &Listener::default()), Err(Unheard::OtherSubject));
    }

    #[test]
    fn what_was_learnt_from_talk_stays_with_its_subject_whatever_its_class_until_released() {
        let mut atom = example::guest_atom();
        atom.privacy_class = PrivacyClass::NonPii;
        atom.trust = Trust::User;
        assert_eq!(
            may_reach(&atom, Scope::Deployment, &listener("guest:bogdan")),
            Err(Unheard::OtherSubject)
        );
        atom.released_at = Some(example::day(1));
        assert_eq!(may_reach(&atom, Scope::Deployment, &listener("guest:bogdan")), Ok(()));
    }

    #[test]
    fn releasing_never_opens_what_identifies_a_person() {
        let mut atom = example::guest_atom();
        atom.released_at = Some(example::day(1));
        assert_eq!(
            may_reach(&atom, Scope::Deployment, &listener("guest:bogdan")),
            Err(Unheard::OtherSubject)
        );
    }

    #[test]
    fn an_anonymous_memory_stays_in_its_conversation() {
        let mut atom = example::guest_atom();
        atom.subject = None;
        let mut same = Listener { session: Some(atom.provenance.session_id.clone()), ..Listener::default() };
        assert_eq!(may_reach(&atom, Scope::Deployment, &same), Ok(()));
        same.session = None;
        assert_eq!(may_reach(&atom, Scope::Deployment, &same), Err(Unheard::OtherSubject));
    }

    #[test]
    fn confidential_matters_reach_staff_only() {
        let mut atom = example::plain_atom("The corporate rate is 89 euros.");
        atom.privacy_class = PrivacyClass::CommercialConfidential;
        let staff = Listener { staff: true, ..Listener::default() };
        assert_eq!(may_reach(&atom, Scope::Deployment, &staff), Ok(()));
        assert_eq!(may_reach(&atom, Scope::Deployment, &listener("guest:ana")), Err(Unheard::StaffOnly));
    }

    #[test]
    fn a_narrow_scope_keeps_even_public_memories_in_their_conversation_or_with_their_person() {
        let mut atom = example::plain_atom("The lobby smells of coffee.");
        let elsewhere = listener("guest:ana");
        let there = Listener { session: Some(atom.provenance.session_id.clone()), ..Listener::default() };
        assert_eq!(may_reach(&atom, Scope::Session, &elsewhere), Err(Unheard::OutOfScope));
        assert_eq!(may_reach(&atom, Scope::Session, &there), Ok(()));
        atom.subject = elsewhere.subject.clone();
        assert_eq!(may_reach(&atom, Scope::User, &elsewhere), Ok(()));
        assert_eq!(may_reach(&atom, Scope::User, &there), Err(Unheard::OutOfScope));
    }
}
