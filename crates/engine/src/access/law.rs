//! Who speaks in a request, and which memories, recalls and conversations of a persona they may see and
//! change.
//!
//! The rules are in [`domain::audience`]. Every verb that names a memory reads it with [`Engine::memory`],
//! and every verb that shows several asks [`Engine::access`] first, so that a new verb can't bypass the rules
//! by accident.

use domain::audience::{may_change, may_see};
use domain::creation::is_without_session;
use domain::{
    Access, Atom, AudienceFacts, Listener, MemoryId, PrivacyClass, Reach, SessionId, SubjectRef, Trust,
    Unchangeable,
};
use store::{Records, StoredAtom, Trace};
use wire::key::{KeyScope, Speaks};
use wire::{Code, Pointed, Problem};

use crate::call::{Call, Identity};
use crate::memory::remember::memory_not_found;
use crate::persona::open::OpenPersona;
use crate::persona::registry::PersonaContext;
use crate::talk::converse::{anonymous, no_session};
use crate::{Engine, boxed};

/// The subject of a guest whom a forwarded key calls by the owner's name.
const GUEST_CALLED_OWNER: &str = "guest:owner";

/// What a request does with a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    See,
    /// Correct, pin, redact or restore.
    Change,
}

impl Engine {
    /// The person a request speaks for, in the conversation it names. Another subject's conversation is not
    /// found. An unnamed speaker is known by the id of the conversation, so an id that a stranger could guess
    /// identifies no one: two strangers who send the same one share nothing.
    pub(crate) async fn speaker(
        &self,
        call: &Call,
        persona: &PersonaContext,
        named: Option<SubjectRef>,
        session: Option<SessionId>,
    ) -> Result<Listener, Problem> {
        let open = self.open(persona).await?;
        let named = named_speaker(call, &open, named)?;
        let session = session.or_else(|| call.caller.session.clone());
        let mut listener = listener(call, named, session);
        let Some(session) = listener.session.clone() else { return Ok(listener) };
        let is_unnamed = listener.subject.is_none();
        if is_unnamed {
            listener.subject = Some(anonymous(&session)?);
        }
        match self.store.session(&persona.entry.scope(), &session).await? {
            _ if is_broken("sessions") => Ok(listener),
            Some(recorded) if Some(&recorded.subject) != listener.subject.as_ref() => {
                Err(no_session(&session))
            }
            None if self.talk_state.is_of_another(persona, &listener) => Err(no_session(&session)),
            None if is_unnamed && !session.is_unguessable() => {
                listener.subject = None;
                Ok(listener)
            }
            Some(_) | None => Ok(listener),
        }
    }

    /// What a request may see of a persona's memories. `named` is the speaker, if the request itself names
    /// one; for keys that see everybody's memories it is only a filter.
    pub(crate) async fn access(
        &self,
        call: &Call,
        persona: &PersonaContext,
        named: Option<SubjectRef>,
    ) -> Result<Access, Problem> {
        let reach = Reach::of(call.caller.speaks, |scope| call.caller.may(scope));
        let listener = match reach {
            Reach::Owner | Reach::Admin => listener(call, None, None),
            Reach::Subject => self.speaker(call, persona, named, None).await?,
        };
        Ok(Access { listener, reach })
    }

    /// The memory `id`, if the caller may do this with it. One that may not be seen is not found.
    pub(crate) async fn memory(
        &self,
        call: &Call,
        persona: &PersonaContext,
        id: MemoryId,
        act: Act,
    ) -> Result<StoredAtom, Problem> {
        let stored = self.visible_memory(call, persona, id, act).await?;
        stored.ok_or_else(|| memory_not_found(id))
    }

    /// The same, or `None` if the caller must not learn whether the memory exists.
    pub(crate) async fn visible_memory(
        &self,
        call: &Call,
        persona: &PersonaContext,
        id: MemoryId,
        act: Act,
    ) -> Result<Option<StoredAtom>, Problem> {
        let access = self.access(call, persona, None).await?;
        let Some(stored) = self.store.atoms(&persona.entry.scope(), &[id]).await?.pop() else {
            return Ok(None);
        };
        if !is_visible(persona, &access, &stored.atom) {
            return Ok(None);
        }
        match act {
            Act::See => Ok(Some(stored)),
            Act::Change => {
                let facts = AudienceFacts::of(&stored.atom, &access.listener);
                may_change(&facts, &access).map(|()| Some(stored)).map_err(unchangeable)
            }
        }
    }

    /// Reports a trace as not found if it is of a recall for another person, or of memories the caller may
    /// not see.
    pub(crate) async fn check_trace(
        &self,
        call: &Call,
        persona: &PersonaContext,
        trace: &Trace,
        missing: impl Fn() -> Problem,
    ) -> Result<(), Problem> {
        let access = self.access(call, persona, None).await?;
        let is_theirs = match (access.reach, &trace.subject) {
            // A recall without a person rendered only what everybody may see.
            (Reach::Owner | Reach::Admin, _) | (Reach::Subject, None) => true,
            (Reach::Subject, Some(subject)) => access.listener.subject.as_ref() == Some(subject),
        };
        let shown = self.store.atoms(&persona.entry.scope(), &trace.shown).await?;
        let sees_all = access.listener.staff || shown.iter().all(|it| is_visible(persona, &access, &it.atom));
        if (is_theirs && sees_all) || is_broken("audience") { Ok(()) } else { Err(missing()) }
    }

    /// The person whose consents a request reads or changes, by their main reference.
    ///
    /// The path names the person; with a forwarded key the headers must name the same person, so that nobody
    /// consents for another person. With `admin` it may be any guest, but never the owner.
    pub(crate) async fn consenting_subject(
        &self,
        call: &Call,
        persona: &PersonaContext,
        named: SubjectRef,
    ) -> Result<SubjectRef, Problem> {
        let named = self.open(persona).await?.known_as(named);
        match Reach::of(call.caller.speaks, |scope| call.caller.may(scope)) {
            Reach::Admin if named.is_owner() => Err(unchangeable(Unchangeable::OwnersMemory)),
            Reach::Owner | Reach::Admin => Ok(named),
            Reach::Subject => {
                let speaker = self.speaker(call, persona, None, None).await?.subject;
                if speaker.as_ref() == Some(&named) { Ok(named) } else { Err(not_their_consent()) }
            }
        }
    }

    /// Refuses to act for `subject` with a forwarded key that doesn't name them; with `admin` it may be any guest, but
    /// never the owner.
    pub(crate) fn check_acts_for(call: &Call, subject: &SubjectRef) -> Result<(), Problem> {
        let named = match &call.caller.identity {
            Identity::Bound(named) | Identity::Claimed(Some(named)) | Identity::Signed(Some(named)) => {
                Some(named)
            }
            Identity::Claimed(None) | Identity::Signed(None) => None,
        };
        match Reach::of(call.caller.speaks, |scope| call.caller.may(scope)) {
            Reach::Admin | Reach::Subject if subject.is_owner() => {
                Err(unchangeable(Unchangeable::OwnersMemory))
            }
            Reach::Subject if named != Some(subject) => Err(not_their_consent()),
            Reach::Owner | Reach::Admin | Reach::Subject => Ok(()),
        }
    }

    /// Refuses a name that is not the owner's with a key that speaks for the owner. The owner is known as
    /// `owner`, by the tenant's name, and by every alias recorded by a persona of the tenant.
    #[boxed]
    pub async fn check_names_owner(&self, call: &Call, named: &SubjectRef) -> Result<(), Problem> {
        if named.is_owner() || named.as_str() == call.caller.tenant.as_str() {
            return Ok(());
        }
        for persona in self.visible_with_records(call).await?.whole {
            let people = self.store.subjects(&persona.scope()).await?;
            let is_alias =
                |person: &store::Subject| person.subject.is_owner() && person.aliases.contains(named);
            if people.iter().any(is_alias) {
                return Ok(());
            }
        }
        let detail = "this key speaks for the owner, but the request names another person; use a key that \
            forwards \
                      identities (`selfhood key new --speaks forwarded`), or, if the name is the owner's \
                      own, note it \
                      with `selfhood subject alias owner NAME`";
        Err(Problem::new(Code::Forbidden, detail))
    }
}

/// Gives a new memory the subject and the trust that its caller's key allows.
///
/// A forwarded key writes no memory of the owner and none with the operator's trust: its memories are
/// `import` with `admin`, and otherwise what the named subject said, visible to that subject alone.
pub(crate) fn authored(call: &Call, open: &OpenPersona, mut atom: Atom) -> Result<Atom, Problem> {
    let reach = Reach::of(call.caller.speaks, |scope| call.caller.may(scope));
    atom.subject = match reach {
        Reach::Owner | Reach::Admin => atom.subject.map(|named| open.known_as(named)),
        Reach::Subject => match named_speaker(call, open, atom.subject.take())? {
            // Without a named person it belongs to the unnamed speaker of its conversation.
            None if !is_without_session(&atom) => Some(anonymous(&atom.provenance.session_id)?),
            named => named,
        },
    };
    let is_owners = atom.subject.as_ref().is_some_and(SubjectRef::is_owner);
    if is_owners && reach != Reach::Owner {
        return Err(unchangeable(Unchangeable::OwnersMemory));
    }
    atom.trust = trust_allowed(call, atom.trust);
    check_class_allowed(call, atom.privacy_class)?;
    Ok(atom)
}

/// Refuses a memory that would reach everybody from a caller who speaks for one person.
pub(crate) fn check_class_allowed(call: &Call, class: PrivacyClass) -> Result<(), Problem> {
    let reach = Reach::of(call.caller.speaks, |scope| call.caller.may(scope));
    if reach == Reach::Subject && class == PrivacyClass::Aggregate {
        let detail = "a memory of the class `aggregate` reaches everyone, and this key speaks for one person; use \
                      `guest-pii` or `non-pii`, or a key with the scope `admin`";
        return Err(Problem::new(Code::Forbidden, detail));
    }
    Ok(())
}

/// The trust of a memory written by this caller, at most `wanted`.
pub(crate) fn trust_allowed(call: &Call, wanted: Trust) -> Trust {
    match (Reach::of(call.caller.speaks, |scope| call.caller.may(scope)), wanted) {
        (Reach::Admin, Trust::Operator) => Trust::Import,
        (Reach::Owner | Reach::Admin, trust) => trust,
        (Reach::Subject, _) => Trust::User,
    }
}

/// Whether `access` may see `atom`.
pub(crate) fn is_visible(persona: &PersonaContext, access: &Access, atom: &Atom) -> bool {
    is_shown(persona, access, &AudienceFacts::of(atom, &access.listener))
}

/// Whether `access` may see a memory with these facts.
pub(crate) fn is_shown(persona: &PersonaContext, access: &Access, facts: &AudienceFacts<'_>) -> bool {
    may_see(facts, persona.loaded.document.memory_policy.scope, access).is_ok() || is_broken("audience")
}

/// The speaker of a request: named by its headers, else by the request itself. Both must mean the same
/// person.
fn named_speaker(
    call: &Call,
    open: &OpenPersona,
    asked: Option<SubjectRef>,
) -> Result<Option<SubjectRef>, Problem> {
    let known = |name: SubjectRef| open.known_as(name);
    let asked = asked.map(known);
    match &call.caller.identity {
        Identity::Claimed(None) => Ok(asked),
        Identity::Claimed(Some(named)) => {
            let named = open.known_as(named.clone());
            if asked.is_some_and(|asked| asked != named) {
                let detail = "names another person than the request's headers; send one of them".to_owned();
                let place = Pointed { pointer: "/subject".to_owned(), detail };
                return Err(wire::read::invalid(vec![place]));
            }
            Ok(Some(named))
        }
        Identity::Bound(bound) => {
            let bound = open.known_as(bound.clone());
            if asked.is_some_and(|asked| asked != bound) { Err(bound_to_another()) } else { Ok(Some(bound)) }
        }
        Identity::Signed(signed) => {
            let signed = signed.clone().map(known);
            match asked {
                None => Ok(signed),
                Some(asked) if Some(&asked) == signed.as_ref() || call.caller.may(KeyScope::Admin) => {
                    Ok(Some(asked))
                }
                Some(_) => {
                    let detail = "this `subject` is not signed; send the signed `X-OpenWebUI-User-Jwt` of \
                        the \
                                  same person";
                    Err(Problem::new(Code::Unauthorized, detail))
                }
            }
        }
    }
}

/// The listener: the person named by the request, or the owner when the caller speaks for the owner.
///
/// The owner may do everything, but when an owner's key names another person, that person listens, and is not
/// staff.
///
/// A key that forwards identities never speaks for the owner: a person it calls by the owner's name is a
/// guest of that name.
fn listener(call: &Call, subject: Option<SubjectRef>, session: Option<SessionId>) -> Listener {
    let may_all = call.caller.may(KeyScope::Staff);
    match call.caller.speaks {
        Speaks::Owner => {
            let is_another_person = subject.as_ref().is_some_and(|subject| !subject.is_owner());
            let subject = subject.or_else(|| Some(SubjectRef::owner()));
            Listener { subject, session, staff: may_all && !is_another_person }
        }
        Speaks::Forwarded => {
            let as_guest = |subject: SubjectRef| match subject.as_str() {
                SubjectRef::OWNER => GUEST_CALLED_OWNER.parse().ok(),
                _ => Some(subject),
            };
            Listener { subject: subject.and_then(as_guest), session, staff: may_all }
        }
    }
}

/// Refuses to begin an unnamed speaker's conversation under an id that a stranger could guess.
pub(crate) fn guessable_session(session: &SessionId) -> Problem {
    let detail = format!(
        "no conversation {session}; name the speaker (`subject`, `X-User-Id`), or leave the session id out: \
         the answer to a message returns the id to continue it with"
    );
    Problem::new(Code::SessionNotFound, detail)
}

/// Refuses a name with a key that is bound to another person.
#[must_use]
pub fn bound_to_another() -> Problem {
    let detail = "this key speaks for one person, and the request names another; leave the name out, or use \
        a key that forwards identities (`selfhood key new`)";
    Problem::new(Code::Forbidden, detail)
}

fn not_their_consent() -> Problem {
    let detail = "this key acts only for the subject that the request's headers name, and that is not the \
        one in the \
                  path; send `X-User-Id`, or use a key with the scope `admin`";
    Problem::new(Code::Forbidden, detail)
}

fn unchangeable(why: Unchangeable) -> Problem {
    let detail = match why {
        Unchangeable::OwnersMemory => {
            "only a key that speaks for the owner creates or changes the owner's memories (`selfhood key \
            new --speaks \
             owner`)"
        }
        Unchangeable::OtherSubjectsMemory => {
            "this memory is not the named subject's own; changing it needs a key with the scope `admin`"
        }
    };
    Problem::new(Code::Forbidden, detail)
}

/// Whether this run breaks one of the laws, so that the trust harness can show that it would notice: `audience`
/// shows memories to everybody, `sessions` lets everybody continue any conversation. Without the `broken` feature it
/// is a constant.
fn is_broken(law: &str) -> bool {
    cfg!(feature = "broken") && std::env::var("TRUST_BROKEN").is_ok_and(|named| named == law)
}
