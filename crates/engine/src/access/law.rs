//! Who speaks in a request, and what of a persona's memories, recalls and conversations they may see and change.
//!
//! The law is [`domain::audience`]. Every verb that names a memory reads it with [`Engine::memory`], and every verb
//! that shows several asks [`Engine::access`] first, so that a new verb can't go past the law by forgetting it.

use domain::audience::{may_change, may_see};
use domain::creation::is_without_session;
use domain::{
    Access, Atom, AudienceFacts, Listener, MemoryId, OWNER, Reach, SessionId, SubjectRef, Trust, Unchangeable,
};
use store::{Records, StoredAtom, Trace};
use wire::key::{KeyScope, Speaks};
use wire::{Code, Pointed, Problem};

use crate::Engine;
use crate::call::{Call, Identity};
use crate::error::told;
use crate::memory::remember::memory_not_found;
use crate::persona::open::OpenPersona;
use crate::persona::registry::PersonaContext;
use crate::talk::converse::{anonymous, no_session};

/// The subject a guest is known by whom a forwarded key calls by the owner's name.
const GUEST_CALLED_OWNER: &str = "guest:owner";

/// What is done with a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    /// It is shown.
    See,
    /// It is corrected, pinned, redacted or restored.
    Change,
}

impl Engine {
    /// The person a request speaks for, in the conversation it names. Another subject's conversation is not found.
    pub(crate) async fn speaker(
        &self,
        call: &Call,
        found: &PersonaContext,
        named: Option<SubjectRef>,
        session: Option<SessionId>,
    ) -> Result<Listener, Problem> {
        let open = self.open(found).await?;
        let named = spoken_for(call, &open, named)?;
        let session = session.or_else(|| call.caller.session.clone());
        let mut listener = listener(call, named, session);
        let Some(session) = listener.session.clone() else { return Ok(listener) };
        if listener.subject.is_none() {
            listener.subject = Some(anonymous(&session)?);
        }
        let recorded = self.store.session(&found.entry.scope(), &session).await.map_err(told)?;
        if recorded.is_some_and(|recorded| Some(&recorded.subject) != listener.subject.as_ref()) {
            return Err(no_session(&session));
        }
        Ok(listener)
    }

    /// How far a request reaches among the memories of a persona. `named` is who asks, if the request itself says so;
    /// for keys that see everybody's memories it is only a filter.
    pub(crate) async fn access(
        &self,
        call: &Call,
        found: &PersonaContext,
        named: Option<SubjectRef>,
    ) -> Result<Access, Problem> {
        let reach = Reach::of(call.caller.speaks, |scope| call.caller.may(scope));
        let listener = match reach {
            Reach::Owner | Reach::Admin => listener(call, None, None),
            Reach::Subject => self.speaker(call, found, named, None).await?,
        };
        Ok(Access { listener, reach })
    }

    /// The memory `id`, if the caller may do this with it. One that may not be seen is not found.
    pub(crate) async fn memory(
        &self,
        call: &Call,
        found: &PersonaContext,
        id: MemoryId,
        act: Act,
    ) -> Result<StoredAtom, Problem> {
        let stored = self.visible_memory(call, found, id, act).await?;
        stored.ok_or_else(|| memory_not_found(id))
    }

    /// The same, or nothing where it can't be told whether there is such a memory.
    pub(crate) async fn visible_memory(
        &self,
        call: &Call,
        found: &PersonaContext,
        id: MemoryId,
        act: Act,
    ) -> Result<Option<StoredAtom>, Problem> {
        let access = self.access(call, found, None).await?;
        let Some(stored) = self.store.atoms(&found.entry.scope(), &[id]).await.map_err(told)?.pop() else {
            return Ok(None);
        };
        if !is_visible(found, &access, &stored.atom) {
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

    /// Refuses a trace of a recall for somebody else, or of memories the caller may not see, as if there were none.
    pub(crate) async fn check_trace(
        &self,
        call: &Call,
        found: &PersonaContext,
        trace: &Trace,
        missing: impl Fn() -> Problem,
    ) -> Result<(), Problem> {
        let access = self.access(call, found, None).await?;
        let is_theirs = match (access.reach, &trace.subject) {
            // A recall for nobody rendered only what everybody may hear.
            (Reach::Owner | Reach::Admin, _) | (Reach::Subject, None) => true,
            (Reach::Subject, Some(subject)) => access.listener.subject.as_ref() == Some(subject),
        };
        let shown = self.store.atoms(&found.entry.scope(), &trace.shown).await.map_err(told)?;
        let sees_all = access.listener.staff || shown.iter().all(|it| is_visible(found, &access, &it.atom));
        if (is_theirs && sees_all) || is_broken() { Ok(()) } else { Err(missing()) }
    }

    /// The person whose consents a request reads or changes, by the reference the persona knows them by.
    ///
    /// The path names whose consents they are; with a forwarded key the headers must name the same person, so that
    /// nobody consents for somebody else. With `admin` it may be any guest, but never the owner.
    pub(crate) async fn consenting_subject(
        &self,
        call: &Call,
        found: &PersonaContext,
        named: SubjectRef,
    ) -> Result<SubjectRef, Problem> {
        let named = self.open(found).await?.known_as(named);
        match Reach::of(call.caller.speaks, |scope| call.caller.may(scope)) {
            Reach::Admin if named.as_str() == OWNER => Err(unchangeable(Unchangeable::OwnersMemory)),
            Reach::Owner | Reach::Admin => Ok(named),
            Reach::Subject => {
                let speaker = self.speaker(call, found, None, None).await?.subject;
                if speaker.as_ref() == Some(&named) { Ok(named) } else { Err(not_their_consent()) }
            }
        }
    }

    /// Refuses a name that is not the owner's with a key that speaks for the owner. The owner is known as `owner`, by
    /// the tenant's name, and by every alias a persona of the tenant has noted.
    pub async fn check_names_owner(&self, call: &Call, named: &SubjectRef) -> Result<(), Problem> {
        if named.as_str() == OWNER || named.as_str() == call.caller.tenant.as_str() {
            return Ok(());
        }
        for persona in self.visible_with_records(call).await?.whole {
            let people = self.store.subjects(&persona.scope()).await.map_err(told)?;
            let is_alias =
                |person: &store::Subject| person.subject.as_str() == OWNER && person.aliases.contains(named);
            if people.iter().any(is_alias) {
                return Ok(());
            }
        }
        let detail = "this key speaks for the owner, but the request names somebody else; use a key that forwards \
                      identities (`selfhood key new --speaks forwarded`), or, if the name is the owner's own, note it \
                      with `selfhood subject alias owner NAME`";
        Err(Problem::new(Code::Forbidden, detail))
    }
}

/// Gives a new memory the subject and the trust that its caller's key allows.
///
/// A forwarded key writes no memory of the owner and none with the operator's trust: what such a key brings in is
/// `import` with `admin`, and otherwise what the named subject said, heard by that subject alone.
pub(crate) fn authored(call: &Call, open: &OpenPersona, mut atom: Atom) -> Result<Atom, Problem> {
    let reach = Reach::of(call.caller.speaks, |scope| call.caller.may(scope));
    atom.subject = match reach {
        Reach::Owner | Reach::Admin => atom.subject.map(|named| open.known_as(named)),
        Reach::Subject => match spoken_for(call, open, atom.subject.take())? {
            // What nobody is named for belongs to the unnamed speaker of its conversation.
            None if !is_without_session(&atom) => Some(anonymous(&atom.provenance.session_id)?),
            named => named,
        },
    };
    let is_owners = atom.subject.as_ref().is_some_and(|subject| subject.as_str() == OWNER);
    if is_owners && reach != Reach::Owner {
        return Err(unchangeable(Unchangeable::OwnersMemory));
    }
    atom.trust = trust_allowed(call, atom.trust);
    Ok(atom)
}

/// The trust that a memory written by this caller has, where it would have `wanted`.
pub(crate) fn trust_allowed(call: &Call, wanted: Trust) -> Trust {
    match (Reach::of(call.caller.speaks, |scope| call.caller.may(scope)), wanted) {
        (Reach::Admin, Trust::Operator) => Trust::Import,
        (Reach::Owner | Reach::Admin, trust) => trust,
        (Reach::Subject, _) => Trust::User,
    }
}

/// Whether the law lets `access` see `atom`.
pub(crate) fn is_visible(found: &PersonaContext, access: &Access, atom: &Atom) -> bool {
    is_shown(found, access, &AudienceFacts::of(atom, &access.listener))
}

/// Whether the law lets `access` see a memory of these facts.
pub(crate) fn is_shown(found: &PersonaContext, access: &Access, facts: &AudienceFacts<'_>) -> bool {
    may_see(facts, found.standing.document.memory_policy.scope, access).is_ok() || is_broken()
}

/// Who a request speaks for: whom its headers name, else whom it names itself. Both must mean the same person.
fn spoken_for(
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
                let detail = "names somebody else than the request's headers; send one of them".to_owned();
                let place = Pointed { pointer: "/subject".to_owned(), detail };
                return Err(wire::read::invalid(vec![place]));
            }
            Ok(Some(named))
        }
        Identity::Bound(bound) => {
            let bound = open.known_as(bound.clone());
            if asked.is_some_and(|asked| asked != bound) { Err(bound_to_another()) } else { Ok(Some(bound)) }
        }
        Identity::Vouched(vouched) => {
            let vouched = vouched.clone().map(known);
            match asked {
                None => Ok(vouched),
                Some(asked) if Some(&asked) == vouched.as_ref() || call.caller.may(KeyScope::Admin) => {
                    Ok(Some(asked))
                }
                Some(_) => {
                    let detail = "nobody vouches for this `subject`; send the signed `X-OpenWebUI-User-Jwt` of the \
                                  same person";
                    Err(Problem::new(Code::Unauthorized, detail))
                }
            }
        }
    }
}

/// Who listens: whom the request names, or the owner when the caller speaks for the owner.
///
/// The owner may do everything, but when an owner's key speaks as somebody else, that person listens
/// too, and is not staff.
///
/// A key that forwards identities speaks for no owner: whoever it calls by the owner's name is a guest
/// who happens to be called so.
fn listener(call: &Call, subject: Option<SubjectRef>, session: Option<SessionId>) -> Listener {
    let may_all = call.caller.may(KeyScope::Staff);
    match call.caller.speaks {
        Speaks::Owner => {
            let is_somebody_else = subject.as_ref().is_some_and(|subject| subject.as_str() != OWNER);
            let subject = subject.or_else(|| OWNER.parse().ok());
            Listener { subject, session, staff: may_all && !is_somebody_else }
        }
        Speaks::Forwarded => {
            let as_guest = |subject: SubjectRef| match subject.as_str() {
                OWNER => GUEST_CALLED_OWNER.parse().ok(),
                _ => Some(subject),
            };
            Listener { subject: subject.and_then(as_guest), session, staff: may_all }
        }
    }
}

/// Refuses a name with a key that speaks for somebody else.
#[must_use]
pub fn bound_to_another() -> Problem {
    let detail = "this key speaks for one person, and the request names another; leave the name out, or come with a \
                  key that forwards identities (`selfhood key new`)";
    Problem::new(Code::Forbidden, detail)
}

fn not_their_consent() -> Problem {
    let detail = "this key acts only for the subject that the request's headers name, and that is not the one in the \
                  path; send `X-User-Id`, or come with a key that has the scope `admin`";
    Problem::new(Code::Forbidden, detail)
}

fn unchangeable(why: Unchangeable) -> Problem {
    let detail = match why {
        Unchangeable::OwnersMemory => {
            "only a key that speaks for the owner creates or changes the owner's memories (`selfhood key new --speaks \
             owner`)"
        }
        Unchangeable::OtherSubjectsMemory => {
            "this memory is not the named subject's own; changing it needs a key with the scope `admin`"
        }
    };
    Problem::new(Code::Forbidden, detail)
}

/// Whether this build and run shows memories to everybody, so that the trust harness can show that it would notice.
/// Without the `broken` feature it is a constant.
fn is_broken() -> bool {
    cfg!(feature = "broken") && std::env::var("TRUST_BROKEN").is_ok_and(|named| named == "audience")
}
