//! `Idempotency-Key`: a request repeated under the same key is done once.
//!
//! A verb that creates something commits the key together with its change ([`Engine::ticket`]), so not even a
//! crash between the two does it twice. For every other verb the door records the key once the verb has
//! answered ([`Engine::begin_request`], [`Engine::end_request`]). Stored are a keyed hash of the key, one of
//! the content, the status and the id of the resource, for a day; never a body.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use domain::{Days, SessionId, Timestamp};
use store::{AnsweredRequest, Conflict, Decision, Deployment, DeploymentChange, RequestTag, StoreError};
use wire::{Code, Problem};

use crate::call::{Call, Caller, Identity};
use crate::{Engine, RequestKey, boxed};

/// How long a repeated request is recognised.
const KEPT: Days = Days(1.0);

/// The requests in progress.
#[derive(Clone, Debug, Default)]
pub(crate) struct InFlight(Arc<Mutex<HashSet<[u8; 32]>>>);

impl InFlight {
    fn tags(&self) -> MutexGuard<'_, HashSet<[u8; 32]>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request in progress; while the ticket exists, the same request is refused.
#[derive(Debug)]
pub struct Ticket {
    in_flight: InFlight,
    tag: RequestTag,
    fingerprint: RequestTag,
}

/// Whether a request was answered before.
#[derive(Debug)]
pub enum Repetition {
    /// It was not.
    First(Ticket),
    /// It was, and this is the id of what it created, if anything.
    Repeated(Option<String>),
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.in_flight.tags().remove(&self.tag.0);
    }
}

impl Ticket {
    /// The key under which it is stored.
    pub(crate) fn tag(&self) -> RequestTag {
        self.tag
    }

    /// The record of an answered request.
    pub(crate) fn answered(&self, status: u16, resource: String, at: Timestamp) -> AnsweredRequest {
        AnsweredRequest { tag: self.tag, fingerprint: self.fingerprint, status, resource: Some(resource), at }
    }

    /// The resource of the same request answered `before`; `None` if there was none.
    pub(crate) fn resource(&self, before: Option<AnsweredRequest>) -> Result<Option<String>, Problem> {
        match before {
            None => Ok(None),
            Some(answered) => self.check_same(&answered).map(|()| answered.resource),
        }
    }

    fn check_same(&self, answered: &AnsweredRequest) -> Result<(), Problem> {
        if answered.fingerprint == self.fingerprint { Ok(()) } else { Err(mismatch()) }
    }
}

impl Engine {
    /// Issues a ticket for the call, if its client sent an `Idempotency-Key`.
    pub(crate) fn ticket(&self, call: &Call) -> Result<Option<Ticket>, Problem> {
        let Some(request) = &call.request else { return Ok(None) };
        let (tag, fingerprint) = self.tags(call, request);
        if !self.in_flight.tags().insert(tag.0) {
            let detail = "a request with this `Idempotency-Key` is being answered; retry in a moment";
            return Err(Problem::new(Code::RequestInFlight, detail));
        }
        Ok(Some(Ticket { in_flight: self.in_flight.clone(), tag, fingerprint }))
    }

    /// Whether the call was answered before; `None` if its client sent no key. Refuses a request in progress,
    /// and another request under the same key.
    #[boxed]
    pub async fn begin_request(&self, call: &Call) -> Result<Option<Repetition>, Problem> {
        let Some(ticket) = self.ticket(call)? else { return Ok(None) };
        let before = self.store.tenant_request(&call.caller.tenant, ticket.tag).await?;
        let Some(answered) = before.filter(|answered| call.now < answered.at.plus(KEPT)) else {
            return Ok(Some(Repetition::First(ticket)));
        };
        ticket.check_same(&answered)?;
        Ok(Some(Repetition::Repeated(answered.resource)))
    }

    /// Records that the request of `ticket` was answered.
    #[boxed]
    pub async fn end_request(
        &self,
        call: &Call,
        ticket: Ticket,
        status: u16,
        resource: Option<String>,
    ) -> Result<(), Problem> {
        let Ticket { tag, fingerprint, .. } = &ticket;
        let answered =
            AnsweredRequest { tag: *tag, fingerprint: *fingerprint, status, resource, at: call.now };
        let recorded = self.record_request(call, answered).await;
        drop(ticket);
        recorded
    }

    /// Records an answered request of the tenant, and drops expired ones.
    pub(crate) async fn record_request(&self, call: &Call, answered: AnsweredRequest) -> Result<(), Problem> {
        // Requests recorded before this time expire, so one of exactly a day ago does too.
        let oldest_kept = Timestamp::from_millis(call.now.plus(Days(-KEPT.0)).as_millis() + 1);
        let decision = Decision {
            now: call.now,
            tenant: call.caller.tenant.clone(),
            changes: vec![
                DeploymentChange::ExpireRequests(oldest_kept),
                DeploymentChange::RecordRequest(answered),
            ],
            events: Vec::new(),
        };
        match self.store.decide(decision).await {
            // Another node answered it meanwhile.
            Ok(_) | Err(StoreError::Conflict(Conflict::RequestAnswered)) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    fn tags(&self, call: &Call, request: &RequestKey) -> (RequestTag, RequestTag) {
        let tenant = call.caller.tenant.as_str().as_bytes();
        let actor = call.caller.actor.as_str().as_bytes();
        let tag = self.pepper.tag("request", &[tenant, actor, request.key.as_bytes()]);
        let speaker = speaker(&call.caller);
        let fingerprint = self.pepper.tag("request-content", &[tenant, speaker.as_bytes(), &request.content]);
        (RequestTag(tag), RequestTag(fingerprint))
    }
}

/// Who speaks, in which conversation, whichever header, token or field says so: a part of every request, so that
/// nobody is answered with what another person asked for.
fn speaker(caller: &Caller) -> String {
    let named = match &caller.identity {
        Identity::Bound(named) | Identity::Claimed(Some(named)) | Identity::Signed(Some(named)) => {
            named.as_str()
        }
        Identity::Claimed(None) | Identity::Signed(None) => "",
    };
    // No session id has a line break.
    format!("{}\n{named}", caller.session.as_ref().map_or("", SessionId::as_str))
}

/// The key was used for another request.
pub(crate) fn mismatch() -> Problem {
    Problem::new(
        Code::IdempotencyMismatch,
        "this `Idempotency-Key` was used for another request; use a new key for a new request",
    )
}
