//! Signing in with a browser: a link that works once, or a key, for a cookie.
//!
//! Both live in the memory of this process: whoever restarts the server signs in again, and nothing of
//! it is on any disk. What is kept is a keyed hash; the words themselves are only ever in the link and
//! in the browser. A key that was revoked ends what it had begun at the very next request.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use domain::{Actor, Days, Timestamp};
use vault::encoding::hex;
use vault::randomness::random_bytes;
use wire::sign_in::SignIn;
use wire::{Code, Problem};

use crate::Engine;
use crate::call::{Call, Caller, Identity};
use crate::failure::no_randomness;

/// Separates these hashes from all others under the same pepper.
const LINK_PURPOSE: &str = "sign-in-link";
const VISIT_PURPOSE: &str = "sign-in-visit";
/// For how long a link waits to be opened.
const LINK_MINUTES: f64 = 15.0;
/// For how long a visit goes on without a request, and at most.
const IDLE: Days = Days(0.5);
const LONGEST: Days = Days(30.0);
/// Beyond so many, the oldest make room.
const MOST: usize = 10_000;

type Tag = [u8; 32];

/// Who may come in, and who did.
#[derive(Default)]
pub(crate) struct Visits(Mutex<Register>);

#[derive(Default)]
struct Register {
    links: HashMap<Tag, Link>,
    visits: HashMap<Tag, Visit>,
}

struct Link {
    caller: Caller,
    expires_at: Timestamp,
}

struct Visit {
    bearer: Bearer,
    since: Timestamp,
    seen: Timestamp,
}

/// On whose behalf a visit goes on.
#[derive(Clone)]
enum Bearer {
    /// Whoever a link was made for.
    Guest(Caller),
    /// The holder of the key with this public id, for as long as it lives.
    Key(String),
}

impl Visit {
    fn is_over(&self, now: Timestamp) -> bool {
        now >= self.seen.plus(IDLE) || now >= self.since.plus(LONGEST)
    }
}

impl Engine {
    /// Makes a link's secret, which lets whoever opens it do what the caller may.
    pub fn offer_sign_in(&self, call: &Call) -> Result<(String, Timestamp), Problem> {
        let (number, secret) = (self.fresh::<8>()?, self.fresh::<32>()?);
        let expires_at = call.now.plus(Days(LINK_MINUTES / (24.0 * 60.0)));
        let actor = Actor::page(&number);
        let caller = Caller { actor, identity: Identity::default(), session: None, ..call.caller.clone() };
        let mut register = self.visits.register();
        register.links.retain(|_, link| call.now < link.expires_at);
        make_room(&mut register.links, |link| link.expires_at);
        register.links.insert(self.tag(LINK_PURPOSE, &secret), Link { caller, expires_at });
        Ok((secret, expires_at))
    }

    /// Lets somebody in, and gives what the browser shows from now on.
    pub async fn sign_in(&self, asked: &SignIn, now: Timestamp) -> Result<(String, Caller), Problem> {
        let (bearer, caller) = match (&asked.link, &asked.key) {
            (Some(link), None) => {
                let caller = self.taken(link.as_str(), now)?;
                (Bearer::Guest(caller.clone()), caller)
            }
            (None, Some(key)) => {
                let caller = self.authenticate(key.as_str().trim(), now).await?;
                let public_id = key.as_str().trim().split('_').nth(1).unwrap_or_default();
                (Bearer::Key(public_id.to_owned()), caller)
            }
            (None, None) | (Some(_), Some(_)) => {
                return Err(Problem::new(Code::Usage, "send either `link` or `key`"));
            }
        };
        let secret = self.fresh::<32>()?;
        let mut register = self.visits.register();
        register.visits.retain(|_, visit| !visit.is_over(now));
        make_room(&mut register.visits, |visit| visit.seen);
        let visit = Visit { bearer, since: now, seen: now };
        register.visits.insert(self.tag(VISIT_PURPOSE, &secret), visit);
        Ok((secret, caller))
    }

    /// Who the browser that shows `secret` belongs to.
    pub async fn signed_in(&self, secret: &str, now: Timestamp) -> Result<Caller, Problem> {
        let bearer = {
            let mut register = self.visits.register();
            let visit = register.visits.get_mut(&self.tag(VISIT_PURPOSE, secret));
            let visit = visit.filter(|visit| !visit.is_over(now)).ok_or_else(signed_out)?;
            visit.seen = now;
            visit.bearer.clone()
        };
        match bearer {
            Bearer::Guest(caller) => Ok(caller),
            Bearer::Key(public_id) => self.known_holder(&public_id, now).await,
        }
    }

    /// Ends what `secret` began.
    pub fn sign_out(&self, secret: &str) {
        self.visits.register().visits.remove(&self.tag(VISIT_PURPOSE, secret));
    }

    /// A link is taken off the list before anybody is let in, so that it works once.
    fn taken(&self, secret: &str, now: Timestamp) -> Result<Caller, Problem> {
        let link = self.visits.register().links.remove(&self.tag(LINK_PURPOSE, secret));
        link.filter(|link| now < link.expires_at).map(|link| link.caller).ok_or_else(|| {
            Problem::new(
                Code::Unauthorized,
                "this link was used, or its time is over; `selfhood key sign-in` makes another",
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

impl Visits {
    fn register(&self) -> MutexGuard<'_, Register> {
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
