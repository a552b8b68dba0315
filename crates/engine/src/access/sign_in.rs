//! Browser sign-in: a one-time link, or a key, in exchange for a cookie.
//!
//! Both are held in the memory of this process: after a restart people sign in again, and nothing of it is on
//! any disk. Only keyed hashes are held; the secrets are only in the link and in the browser. Links and
//! sessions have the id of the API key behind them, and every request looks that key up: once it is revoked
//! or expired, the next request is refused.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use domain::{Actor, Days, EventKind, Timestamp};
use store::{Decision, Deployment, EventDraft};
use vault::encoding::hex;
use vault::randomness::random_bytes;
use wire::sign_in::SignIn;
use wire::{Code, Problem};

use crate::call::{Call, Caller, Identity};
use crate::error::no_randomness;
use crate::talk::context::Record;
use crate::{Engine, boxed};

/// Separates these hashes from other hashes with the same pepper.
const LINK_PURPOSE: &str = "sign-in-link";
const VISIT_PURPOSE: &str = "sign-in-visit";
/// How long a link is valid.
const LINK_MINUTES: f64 = 15.0;
/// How long a session lasts without a request, and at most.
const IDLE: Days = Days(0.5);
const LONGEST: Days = Days(30.0);
/// With more than this, the oldest are dropped.
const MOST: usize = 10_000;

type Tag = [u8; 32];

/// Open links and sessions.
#[derive(Default)]
pub(crate) struct PageSessions(Mutex<SessionTable>);

#[derive(Default)]
struct SessionTable {
    links: HashMap<Tag, Link>,
    page_sessions: HashMap<Tag, PageSession>,
}

struct Link {
    bearer: SessionHolder,
    expires_at: Timestamp,
}

struct PageSession {
    bearer: SessionHolder,
    since: Timestamp,
    seen: Timestamp,
}

/// Whose rights a link or a session has.
#[derive(Clone)]
enum SessionHolder {
    /// Those of the operator who made a link; there is no key behind it.
    Operator(Caller),
    /// Those of the key with this public id, as long as it is valid.
    Key {
        public_id: String,
        /// The actor in the audit log, if the session began with a link.
        actor: Option<Actor>,
    },
}

impl PageSession {
    fn is_over(&self, now: Timestamp) -> bool {
        now >= self.seen.plus(IDLE) || now >= self.since.plus(LONGEST)
    }
}

impl Engine {
    /// Makes the secret of a link, which gives its user the caller's rights, as long as the caller's key is
    /// valid.
    #[boxed]
    pub async fn offer_sign_in(&self, call: &Call) -> Result<(String, Timestamp), Problem> {
        let (number, secret) = (self.fresh::<8>()?, self.fresh::<32>()?);
        let expires_at = call.now.plus(Days(LINK_MINUTES / (24.0 * 60.0)));
        let actor = Actor::page(&number);
        self.note_link(call, &actor).await?;
        let bearer = match &call.caller.key {
            Some(public_id) => SessionHolder::Key { public_id: public_id.clone(), actor: Some(actor) },
            None => SessionHolder::Operator(Caller {
                actor,
                identity: Identity::default(),
                session: None,
                record: Record::On,
                ..call.caller.clone()
            }),
        };
        let mut register = self.access_state.page_sessions.register();
        register.links.retain(|_, link| call.now < link.expires_at);
        make_room(&mut register.links, |link| link.expires_at);
        register.links.insert(self.tag(LINK_PURPOSE, &secret), Link { bearer, expires_at });
        Ok((secret, expires_at))
    }

    /// Logs who made a link, and the actor of the session that it starts.
    async fn note_link(&self, call: &Call, visitor: &Actor) -> Result<(), Problem> {
        let maker = call.caller.actor.clone();
        let decision = Decision {
            now: call.now,
            tenant: call.caller.tenant.clone(),
            changes: Vec::new(),
            events: vec![EventDraft::new(EventKind::SignInOffered, maker).about(visitor.as_str())],
        };
        self.store.decide(decision).await.map(drop).map_err(Problem::from)
    }

    /// Signs a browser in, and returns the secret of its cookie.
    #[boxed]
    pub async fn sign_in(&self, asked: &SignIn, now: Timestamp) -> Result<(String, Caller), Problem> {
        let (bearer, caller) = match (&asked.link, &asked.key) {
            (Some(link), None) => {
                let bearer = self.taken(link.as_str(), now)?;
                let caller = self.caller_of(&bearer, now).await?;
                (bearer, caller)
            }
            (None, Some(key)) => {
                let caller = self.authenticate(key.as_str().trim(), now).await?;
                let public_id = caller.key.clone().unwrap_or_default();
                (SessionHolder::Key { public_id, actor: None }, caller)
            }
            (None, None) | (Some(_), Some(_)) => {
                return Err(Problem::new(Code::Usage, "send either `link` or `key`"));
            }
        };
        let secret = self.fresh::<32>()?;
        let mut register = self.access_state.page_sessions.register();
        register.page_sessions.retain(|_, visit| !visit.is_over(now));
        make_room(&mut register.page_sessions, |visit| visit.seen);
        let visit = PageSession { bearer, since: now, seen: now };
        register.page_sessions.insert(self.tag(VISIT_PURPOSE, &secret), visit);
        Ok((secret, caller))
    }

    /// The caller behind the cookie `secret`.
    #[boxed]
    pub async fn signed_in(&self, secret: &str, now: Timestamp) -> Result<Caller, Problem> {
        let bearer = {
            let mut register = self.access_state.page_sessions.register();
            let visit = register.page_sessions.get_mut(&self.tag(VISIT_PURPOSE, secret));
            let visit = visit.filter(|visit| !visit.is_over(now)).ok_or_else(signed_out)?;
            visit.seen = now;
            visit.bearer.clone()
        };
        self.caller_of(&bearer, now).await
    }

    /// The one function that turns a link or a session into a caller: never with more rights than its key has
    /// now.
    async fn caller_of(&self, bearer: &SessionHolder, now: Timestamp) -> Result<Caller, Problem> {
        match bearer {
            SessionHolder::Operator(caller) => Ok(caller.clone()),
            SessionHolder::Key { public_id, actor } => {
                let holder = self.known_holder(public_id, now).await?;
                Ok(Caller { actor: actor.clone().unwrap_or_else(|| holder.actor.clone()), ..holder })
            }
        }
    }

    /// Ends the session of `secret`.
    pub fn sign_out(&self, secret: &str) {
        self.access_state.page_sessions.register().page_sessions.remove(&self.tag(VISIT_PURPOSE, secret));
    }

    /// A link is removed before anybody is signed in, so that it works once.
    fn taken(&self, secret: &str, now: Timestamp) -> Result<SessionHolder, Problem> {
        let link = self.access_state.page_sessions.register().links.remove(&self.tag(LINK_PURPOSE, secret));
        link.filter(|link| now < link.expires_at).map(|link| link.bearer).ok_or_else(|| {
            Problem::new(
                Code::Unauthorized,
                "this link was used or has expired; `selfhood key sign-in` makes another",
            )
        })
    }

    fn tag(&self, purpose: &str, secret: &str) -> Tag {
        self.pepper.tag(purpose, &[secret.as_bytes()])
    }

    fn fresh<const N: usize>(&self) -> Result<String, Problem> {
        random_bytes::<N>(self.randomness.as_ref()).map(|bytes| hex(&bytes)).map_err(|e| no_randomness(&e))
    }
}

impl PageSessions {
    fn register(&self) -> MutexGuard<'_, SessionTable> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn make_room<T>(kept: &mut HashMap<Tag, T>, age: impl Fn(&T) -> Timestamp) {
    if kept.len() >= MOST
        && let Some(oldest) = kept.iter().min_by_key(|(_, it)| age(it)).map(|(tag, _)| *tag)
    {
        kept.remove(&oldest);
    }
}

fn signed_out() -> Problem {
    Problem::new(Code::Unauthorized, "nobody is signed in; open the page and sign in with a link or a key")
}
