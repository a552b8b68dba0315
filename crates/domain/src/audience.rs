//! Which memories a listener may hear, and which a caller may read or change.
//!
//! The rule in one sentence: a memory learnt from a person reaches that person only, and an unknown
//! listener gets no personal memories.
//!
//! Recall uses [`may_reach`]. Every operation that names or lists memories uses [`may_see`] and
//! [`may_change`], which also consider the scope of the caller's key.

use crate::{Atom, KeyScope, PrivacyClass, Scope, SessionId, Speaks, SubjectRef};

/// The listener of a conversation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listener {
    /// The subject, with aliases already resolved; `None` if unknown.
    pub subject: Option<SubjectRef>,
    /// The session.
    pub session: Option<SessionId>,
    /// Whether only staff can hear.
    pub staff: bool,
}

impl Listener {
    /// The session whose unnamed speaker listens. A session id that could be guessed identifies no one, and a
    /// named person is no unnamed speaker, whatever session they name.
    #[must_use]
    pub fn own_session(&self) -> Option<&SessionId> {
        let session = self.session.as_ref().filter(|session| session.is_unguessable())?;
        self.subject.as_ref()?.is_unnamed_speaker_of(session).then_some(session)
    }
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
pub enum AudienceRefusal {
    /// It identifies, or was learnt from, another subject.
    OtherSubject,
    /// It is confidential, and not only staff can hear.
    StaffOnly,
    /// The policy restricts it to the session or the subject it came from.
    OutOfScope,
}

/// The caller, and the reach of the caller's key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// The subject the request acts for.
    pub listener: Listener,
    /// The reach of the key.
    pub reach: Reach,
}

/// Which memories of a persona a key reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// A key that acts for the owner: all memories.
    Owner,
    /// A forwarded key with `admin`: all memories, but those of the owner can't be created or changed.
    Admin,
    /// A forwarded key without `admin`: memories the named subject may hear; only the subject's own can be
    /// changed.
    Subject,
}

impl Reach {
    /// The reach of a key that acts for `speaks` and has these scopes.
    #[must_use]
    pub fn of(speaks: Speaks, may: impl Fn(KeyScope) -> bool) -> Self {
        match speaks {
            Speaks::Owner => Self::Owner,
            Speaks::Forwarded if may(KeyScope::Admin) => Self::Admin,
            Speaks::Forwarded => Self::Subject,
        }
    }
}

/// The facts about a memory that decide its audience, without its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AudienceFacts<'a> {
    /// The subject it belongs to.
    pub subject: Option<&'a SubjectRef>,
    /// How private it is.
    pub class: PrivacyClass,
    /// Whether only its own subject may hear it: [`belongs_to_its_subject`].
    pub is_personal: bool,
    /// Whether it comes from the session that the listener named.
    pub same_session: bool,
    /// Whether it comes from the listener's [`Listener::own_session`].
    pub own_session: bool,
}

impl<'a> AudienceFacts<'a> {
    /// The facts of `atom` for `listener`.
    #[must_use]
    pub fn of(atom: &'a Atom, listener: &Listener) -> Self {
        Self {
            subject: atom.subject.as_ref(),
            class: atom.privacy_class,
            is_personal: belongs_to_its_subject(atom),
            same_session: listener.session.as_ref() == Some(&atom.provenance.session_id),
            own_session: listener.own_session() == Some(&atom.provenance.session_id),
        }
    }

    /// A memory without a subject belongs to the unnamed speaker of the session it was formed in, and to nobody
    /// if that session had none.
    fn is_own(&self, listener: &Listener) -> bool {
        match self.subject {
            Some(subject) => listener.subject.as_ref() == Some(subject),
            None => self.own_session,
        }
    }
}

/// Whether `atom` may reach `listener` under a policy of this `scope`.
pub fn may_reach(atom: &Atom, scope: Scope, listener: &Listener) -> Result<(), AudienceRefusal> {
    reaches(&AudienceFacts::of(atom, listener), scope, listener)
}

fn reaches(facts: &AudienceFacts<'_>, scope: Scope, listener: &Listener) -> Result<(), AudienceRefusal> {
    let is_own = facts.is_own(listener);
    if facts.is_personal && !is_own {
        return Err(AudienceRefusal::OtherSubject);
    }
    for_staff(facts, listener)?;
    let in_scope = match scope {
        Scope::Deployment => true,
        Scope::Session => facts.same_session,
        Scope::User => is_own,
    };
    in_scope.then_some(()).ok_or(AudienceRefusal::OutOfScope)
}

fn for_staff(facts: &AudienceFacts<'_>, listener: &Listener) -> Result<(), AudienceRefusal> {
    let is_withheld = facts.class == PrivacyClass::CommercialConfidential && !listener.staff;
    if is_withheld { Err(AudienceRefusal::StaffOnly) } else { Ok(()) }
}

/// Whether a memory with these facts may be shown to `access`. A hidden memory is reported as not found.
pub fn may_see(facts: &AudienceFacts<'_>, scope: Scope, access: &Access) -> Result<(), AudienceRefusal> {
    match access.reach {
        Reach::Owner | Reach::Admin => for_staff(facts, &access.listener),
        Reach::Subject => reaches(facts, scope, &access.listener),
    }
}

/// Why a visible memory can't be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unchangeable {
    /// It is the owner's, and the key doesn't act for the owner.
    OwnersMemory,
    /// It isn't the named subject's own, and the key lacks `admin`.
    OtherSubjectsMemory,
}

/// Whether a memory that `access` may see can also be changed by it.
pub fn may_change(facts: &AudienceFacts<'_>, access: &Access) -> Result<(), Unchangeable> {
    let is_owners = facts.subject.is_some_and(SubjectRef::is_owner);
    match access.reach {
        Reach::Admin | Reach::Subject if is_owners => Err(Unchangeable::OwnersMemory),
        Reach::Subject if !facts.is_own(&access.listener) => Err(Unchangeable::OtherSubjectsMemory),
        Reach::Owner | Reach::Admin | Reach::Subject => Ok(()),
    }
}

/// Whether only its own subject may hear `atom`.
///
/// An operator's release opens a memory formed from a conversation; it never opens one that identifies a
/// person.
#[must_use]
pub fn belongs_to_its_subject(atom: &Atom) -> bool {
    let learnt_from_someone = atom.trust.is_from_conversation()
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
            Err(AudienceRefusal::OtherSubject)
        );
        assert_eq!(
            may_reach(&atom, Scope::Deployment, &Listener::default()),
            Err(AudienceRefusal::OtherSubject)
        );
    }

    #[test]
    fn a_memory_from_a_conversation_stays_with_its_subject_whatever_its_class_until_released() {
        let mut atom = example::guest_atom();
        atom.privacy_class = PrivacyClass::NonPii;
        atom.trust = Trust::User;
        assert_eq!(
            may_reach(&atom, Scope::Deployment, &listener("guest:bogdan")),
            Err(AudienceRefusal::OtherSubject)
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
            Err(AudienceRefusal::OtherSubject)
        );
    }

    #[test]
    fn a_memory_of_nobody_in_particular_is_the_unnamed_speakers_of_its_session_alone() {
        let (unguessable, guessable) = ("sess:4f7b2c109d3e4a85b1c60e5f8a2d7b39", "sess:bonvoy-2026-04-22");
        let from = |session: &str| {
            let mut atom = Atom { subject: None, ..example::guest_atom() };
            atom.provenance.session_id = session.parse().unwrap();
            atom
        };
        let naming = |subject: Option<&str>, session: &str| Listener {
            subject: subject.map(|subject| subject.parse().unwrap()),
            session: session.parse().ok(),
            staff: false,
        };
        for (session, subject, is_theirs) in [
            (unguessable, Some(format!("anonymous:{unguessable}")), true),
            (unguessable, Some("guest:ana".to_owned()), false),
            (unguessable, None, false),
            (guessable, Some(format!("anonymous:{guessable}")), false),
            (guessable, Some("guest:ana".to_owned()), false),
            (guessable, None, false),
        ] {
            let listener = naming(subject.as_deref(), session);
            let access = Access { listener, reach: Reach::Subject };
            let recalled = may_reach(&from(session), Scope::Deployment, &access.listener).is_ok();
            let seen_and_changed = verdict(&from(session), &access);
            assert_eq!(
                (recalled, seen_and_changed),
                (is_theirs, (is_theirs, is_theirs)),
                "{session} {subject:?}"
            );
        }
        let elsewhere = naming(Some(&format!("anonymous:{unguessable}")), guessable);
        assert_eq!(
            may_reach(&from(unguessable), Scope::Deployment, &elsewhere),
            Err(AudienceRefusal::OtherSubject)
        );
    }

    #[test]
    fn confidential_matters_reach_staff_only() {
        let mut atom = example::plain_atom("The corporate rate is 89 euros.");
        atom.privacy_class = PrivacyClass::CommercialConfidential;
        let staff = Listener { staff: true, ..Listener::default() };
        assert_eq!(may_reach(&atom, Scope::Deployment, &staff), Ok(()));
        assert_eq!(
            may_reach(&atom, Scope::Deployment, &listener("guest:ana")),
            Err(AudienceRefusal::StaffOnly)
        );
    }

    #[test]
    fn a_narrow_scope_keeps_even_public_memories_in_their_conversation_or_with_their_person() {
        let mut atom = example::plain_atom("The lobby smells of coffee.");
        let elsewhere = listener("guest:ana");
        let there = Listener { session: Some(atom.provenance.session_id.clone()), ..Listener::default() };
        assert_eq!(may_reach(&atom, Scope::Session, &elsewhere), Err(AudienceRefusal::OutOfScope));
        assert_eq!(may_reach(&atom, Scope::Session, &there), Ok(()));
        atom.subject = elsewhere.subject.clone();
        assert_eq!(may_reach(&atom, Scope::User, &elsewhere), Ok(()));
        assert_eq!(may_reach(&atom, Scope::User, &there), Err(AudienceRefusal::OutOfScope));
    }

    fn access(reach: Reach, subject: &str) -> Access {
        Access { listener: listener(subject), reach }
    }

    fn verdict(atom: &Atom, access: &Access) -> (bool, bool) {
        let facts = AudienceFacts::of(atom, &access.listener);
        let sees = may_see(&facts, Scope::Deployment, access).is_ok();
        (sees, sees && may_change(&facts, access).is_ok())
    }

    #[test]
    fn a_key_sees_and_changes_as_far_as_it_reaches() {
        let guests = example::guest_atom();
        let owners = Atom { subject: Some(SubjectRef::owner()), ..example::guest_atom() };
        let shared = example::plain_atom("The lobby opens at seven.");
        let confidential = Atom { privacy_class: PrivacyClass::CommercialConfidential, ..shared.clone() };
        for (reach, name, expected) in [
            (Reach::Owner, SubjectRef::OWNER, [(true, true), (true, true), (true, true), (false, false)]),
            (Reach::Admin, "guest:bogdan", [(true, true), (true, false), (true, true), (false, false)]),
            (Reach::Subject, "guest:ana", [(true, true), (false, false), (true, false), (false, false)]),
            (Reach::Subject, "guest:bogdan", [(false, false), (false, false), (true, false), (false, false)]),
        ] {
            let access = access(reach, name);
            let verdicts = [&guests, &owners, &shared, &confidential].map(|atom| verdict(atom, &access));
            assert_eq!(verdicts, expected, "{reach:?} as {name}: guest's, owner's, shared, confidential");
        }
        let mut staff = access(Reach::Subject, "guest:ana");
        staff.listener.staff = true;
        assert_eq!(verdict(&confidential, &staff), (true, false));
    }

    #[test]
    fn a_request_that_names_nobody_sees_nothing_personal() {
        let nobody = Access { listener: Listener::default(), reach: Reach::Subject };
        assert_eq!(verdict(&example::guest_atom(), &nobody), (false, false));
        assert_eq!(verdict(&example::plain_atom("The lobby opens at seven."), &nobody), (true, false));
    }
}
