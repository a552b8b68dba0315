//! Who calls a verb, when, and with which `Idempotency-Key`.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use domain::{Actor, PersonaId, PersonaName, SessionId, SubjectRef, TenantName, Timestamp};
use wire::key::{KeyScope, Speaks};

use crate::talk::context::Record;

/// An authenticated caller. The tenant comes from the key, never from the request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The tenant in which the caller may act.
    pub tenant: TenantName,
    /// The caller's name in the audit log.
    pub actor: Actor,
    /// What the caller may do.
    pub scopes: BTreeSet<KeyScope>,
    /// For whom the caller speaks.
    pub speaks: Speaks,
    /// The person named by the headers of this request.
    pub identity: Identity,
    /// The conversation named by the headers of this request.
    pub session: Option<SessionId>,
    /// Whether this request may store what is said, as its headers ask. Off the record no verb does.
    pub record: Record,
    /// The public id of the caller's API key, used directly or through a link, a cookie or a stream that was
    /// opened with it. `None` is the operator.
    pub key: Option<String>,
    /// The bounds of that key.
    pub bound: CallerBounds,
}

/// The bounds of a caller, whatever a request names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallerBounds {
    /// The only persona visible to the caller.
    pub persona: Option<PersonaId>,
    /// The only person the caller speaks for.
    pub subject: Option<SubjectRef>,
}

/// The speaker named by the headers of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Identity {
    /// A name without proof. A name elsewhere in the request is accepted too.
    Claimed(Option<SubjectRef>),
    /// A name with a valid signature. If signatures are required, no other name is accepted.
    Signed(Option<SubjectRef>),
    /// The one person that the caller is bound to.
    Bound(SubjectRef),
}

impl Default for Identity {
    fn default() -> Self {
        Self::Claimed(None)
    }
}

impl Caller {
    /// The operator who holds the home and its keys: may do everything in `tenant`.
    #[must_use]
    pub fn local(tenant: TenantName, actor: Actor) -> Self {
        Self {
            tenant,
            actor,
            scopes: KeyScope::ALL.into(),
            speaks: Speaks::Owner,
            identity: Identity::default(),
            session: None,
            record: Record::On,
            key: None,
            bound: CallerBounds::default(),
        }
    }

    /// The same caller, but speaking for one person instead of the owner, with only read and write scope.
    #[must_use]
    pub fn bound_to(self, subject: SubjectRef) -> Self {
        Self {
            scopes: [KeyScope::Read, KeyScope::Write].into(),
            speaks: Speaks::Forwarded,
            bound: CallerBounds { subject: Some(subject), ..self.bound },
            ..self
        }
    }

    /// Whether a persona of the tenant is visible to the caller.
    #[must_use]
    pub fn sees(&self, persona: PersonaId) -> bool {
        self.bound.persona.is_none_or(|own| own == persona)
    }

    /// Whether a request that asks for `record` is recorded: off the record by its headers or its body is off.
    #[must_use]
    pub fn recorded(&self, record: Record) -> Record {
        match (self.record, record) {
            (Record::On, Record::On) => Record::On,
            (Record::Off, _) | (_, Record::Off) => Record::Off,
        }
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
    /// The caller.
    pub caller: Caller,
    /// The time of the call.
    pub now: Timestamp,
    /// The client's `Idempotency-Key` and the request content, if it sent one.
    pub request: Option<RequestKey>,
}

/// What identifies a repeated call: the client's key, and the content of the call.
#[derive(Clone, PartialEq, Eq)]
pub struct RequestKey {
    /// As sent by the client.
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
