//! Doing a thing once, however often a client asks: `Idempotency-Key`.
//!
//! What was answered is committed together with the change it answers for. So a client that did not
//! hear the answer may ask again: it gets the same resource, rendered anew, and nothing is done twice.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use domain::Timestamp;
use store::{AnsweredRequest, RequestTag};
use wire::{Code, Problem};

use crate::call::Call;
use crate::{Engine, RequestKey};

/// The requests being answered at this moment.
#[derive(Default)]
pub(crate) struct InFlight(Mutex<HashSet<[u8; 32]>>);

impl InFlight {
    fn tags(&self) -> MutexGuard<'_, HashSet<[u8; 32]>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request on its way; while it lives, the same request again is refused.
pub(crate) struct Ticket<'e> {
    engine: &'e Engine,
    tag: RequestTag,
    fingerprint: RequestTag,
}

impl Drop for Ticket<'_> {
    fn drop(&mut self) {
        self.engine.in_flight.tags().remove(&self.tag.0);
    }
}

impl Ticket<'_> {
    /// The key it is remembered under.
    pub(crate) fn tag(&self) -> RequestTag {
        self.tag
    }

    /// What to remember once it is answered.
    pub(crate) fn answered(&self, status: u16, resource: String, at: Timestamp) -> AnsweredRequest {
        AnsweredRequest { tag: self.tag, fingerprint: self.fingerprint, status, resource: Some(resource), at }
    }

    /// The resource of the same request answered `before`, or nothing if there was none.
    pub(crate) fn resource(&self, before: Option<AnsweredRequest>) -> Result<Option<String>, Problem> {
        match before {
            None => Ok(None),
            Some(answered) if answered.fingerprint == self.fingerprint => Ok(answered.resource),
            Some(_) => Err(Problem::new(
                Code::IdempotencyMismatch,
                "this `Idempotency-Key` was used for another request; use a new key for a new request",
            )),
        }
    }
}

impl Engine {
    /// Takes a ticket for the call, if its client wants it done once.
    pub(crate) fn ticket(&self, call: &Call) -> Result<Option<Ticket<'_>>, Problem> {
        let Some(request) = &call.request else { return Ok(None) };
        let (tag, fingerprint) = self.tags(call, request);
        if !self.in_flight.tags().insert(tag.0) {
            let detail = "a request with this `Idempotency-Key` is being answered; ask again in a moment";
            return Err(Problem::new(Code::RequestInFlight, detail));
        }
        Ok(Some(Ticket { engine: self, tag, fingerprint }))
    }

    fn tags(&self, call: &Call, request: &RequestKey) -> (RequestTag, RequestTag) {
        let tenant = call.caller.tenant.as_str().as_bytes();
        let actor = call.caller.actor.as_str().as_bytes();
        let tag = self.pepper.tag("request", &[tenant, actor, request.key.as_bytes()]);
        let fingerprint = self.pepper.tag("request-content", &[tenant, &request.content]);
        (RequestTag(tag), RequestTag(fingerprint))
    }
}
