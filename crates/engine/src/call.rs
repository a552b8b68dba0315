//! Who calls a verb, when, and whether the same call may come twice.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use domain::{Actor, PersonaId, PersonaName, SessionId, SubjectRef, TenantName, Timestamp};
use wire::key::{KeyScope, Speaks};

/// Who stands at a door. The tenant comes from the key, never from the request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// In whose realm the caller may act.
    pub tenant: TenantName,
    /// The name the audit log knows the caller by.
    pub actor: Actor,
    /// What the caller may do.
    pub scopes: BTreeSet<KeyScope>,
    /// Whom the caller speaks for.
    pub speaks: Speaks,
    /// Whom the headers of this request name.
    pub identity: Identity,
    /// The conversation the headers of this request name.
    pub session: Option<SessionId>,
    /// The public id of the API key that the caller came in with, by itself or by a link, a cookie or a
    /// stream that was opened with it. `None` is whoever sits at the machine.
    pub key: Option<String>,
    /// What that key is bound to.
    pub bound: Bound,
}

/// What a caller is bound to, whatever a request names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bound {
    /// The only persona there is for the caller.
    pub persona: Option<PersonaId>,
    /// The only person the caller speaks for.
    pub subject: Option<SubjectRef>,
}

/// Whom the headers of a request name as its speaker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Identity {
    /// Whom they claim, if anybody. A request that names its speaker elsewhere is believed too.
    Claimed(Option<SubjectRef>),
    /// Whom a signature vouches for, if anybody. Where this is demanded, no other name is believed.
    Vouched(Option<SubjectRef>),
    /// The one person that the caller is bound to.
    Bound(SubjectRef),
}

impl Default for Identity {
    fn default() -> Self {
        Self::Claimed(None)
    }
}

impl Caller {
    /// Whoever sits at the machine that holds the home and its keys: may do everything in `tenant`.
    #[must_use]
    pub fn local(tenant: TenantName, actor: Actor) -> Self {
        Self {
            tenant,
            actor,
            scopes: KeyScope::ALL.into(),
            speaks: Speaks::Owner,
            identity: Identity::default(),
            session: None,
            key: None,
            bound: Bound::default(),
        }
    }

    /// The same caller as someone who speaks for one person and no longer for the owner, and may only read and write.
    #[must_use]
    pub fn bound_to(self, subject: SubjectRef) -> Self {
        Self {
            scopes: [KeyScope::Read, KeyScope::Write].into(),
            speaks: Speaks::Forwarded,
            bound: Bound { subject: Some(subject), ..self.bound },
            ..self
        }
    }

    /// Whether a persona of the tenant is there for the caller.
    #[must_use]
    pub fn sees(&self, persona: PersonaId) -> bool {
        self.bound.persona.is_none_or(|own| own == persona)
    }

    /// Whether the caller may do what needs `scope`.
    #[must_use]
    pub fn may(&self, scope: KeyScope) -> bool {
        self.scopes.contains(&scope)
    }
}

/// One call of a verb.
#[derive(Clone, Debug)]
pub struct Call {
    /// Who calls.
    pub caller: Caller,
    /// When.
    pub now: Timestamp,
    /// The client's `Idempotency-Key` and what it came with, if it sent one.
    pub request: Option<RequestKey>,
}

/// What makes two calls the same: the client's key, and everything the call says.
#[derive(Clone, PartialEq, Eq)]
pub struct RequestKey {
    /// As the client sent it.
    pub key: String,
    /// Method, path and body, so that another request under the same key is noticed.
    pub content: Vec<u8>,
}

impl fmt::Debug for RequestKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RequestKey({} bytes of content)", self.content.len())
    }
}

/// How a request names a persona: its id, or its name within the caller's tenant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PersonaKey {
    /// Its id.
    Id(PersonaId),
    /// Its name.
    Name(PersonaName),
}

impl FromStr for PersonaKey {
    type Err = domain::InvalidId;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self::Id).or_else(|_| text.parse().map(Self::Name))
    }
}

impl fmt::Display for PersonaKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id(id) => fmt::Display::fmt(id, f),
            Self::Name(name) => fmt::Display::fmt(name, f),
        }
    }
}
