//! Authenticates a caller by an API key: `sh_<public id>_<secret>`.

use domain::{Actor, Timestamp};
use store::{ApiKey, Deployment};
use wire::{Code, Problem};

use crate::call::{Caller, CallerBounds, Identity};
use crate::talk::context::Record;
use crate::{Engine, boxed};

pub(crate) const KEY_PURPOSE: &str = "api-key";

impl Engine {
    /// The caller who holds `key`. Every failure gives the same answer.
    #[boxed]
    pub async fn authenticate(&self, key: &str, now: Timestamp) -> Result<Caller, Problem> {
        let Some((public_id, secret)) = key.strip_prefix("sh_").and_then(|rest| rest.split_once('_')) else {
            return Err(unknown_key());
        };
        let known = self.known_key(public_id).await?;
        let holds =
            self.pepper.matches(KEY_PURPOSE, &[public_id.as_bytes(), secret.as_bytes()], &known.tag.0);
        if holds { self.holder(known, now).await } else { Err(unknown_key()) }
    }

    /// The caller whose key has this public id and was authenticated before.
    pub(crate) async fn known_holder(&self, public_id: &str, now: Timestamp) -> Result<Caller, Problem> {
        self.holder(self.known_key(public_id).await?, now).await
    }

    async fn holder(&self, key: ApiKey, now: Timestamp) -> Result<Caller, Problem> {
        if !is_living(&key, now) {
            return Err(unknown_key());
        }
        let bound = CallerBounds { persona: key.bounds.persona, subject: self.key_subject(&key).await? };
        Ok(Caller {
            tenant: key.tenant,
            actor: Actor::key(&key.public_id),
            key: Some(key.public_id),
            scopes: key.scopes.into_iter().collect(),
            speaks: key.speaks,
            identity: Identity::default(),
            session: None,
            record: Record::On,
            bound,
        })
    }

    /// Refuses a caller whose key was revoked or has expired since.
    #[boxed]
    pub async fn check_still_admitted(&self, caller: &Caller, now: Timestamp) -> Result<(), Problem> {
        match &caller.key {
            Some(public_id) => self.known_holder(public_id, now).await.map(drop),
            None => Ok(()),
        }
    }

    async fn known_key(&self, public_id: &str) -> Result<ApiKey, Problem> {
        let since = match self.access_state.known_keys.get(public_id) {
            Ok(known) => return Ok(known),
            Err(since) => since,
        };
        let stored = self.store.api_key(public_id).await?.ok_or_else(unknown_key)?;
        // If other nodes can revoke keys too, none is cached.
        if !self.store.is_shared() {
            self.access_state.known_keys.remember(&stored, since);
        }
        Ok(stored)
    }
}

fn is_living(key: &ApiKey, now: Timestamp) -> bool {
    key.revoked_at.is_none() && key.expires_at.is_none_or(|end| now < end)
}

fn unknown_key() -> Problem {
    Problem::new(
        Code::Unauthorized,
        "no valid API key; send `x-api-key` or `Authorization: Bearer`, see `selfhood key new`",
    )
}
