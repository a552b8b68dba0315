//! API keys: making, listing, revoking.

use domain::{Actor, EventKind};
use store::{ApiKey, Decision, Deployment, DeploymentChange, EventDraft, RequestTag};
use vault::encoding::hex;
use vault::randomness::random_bytes;
use wire::key::{KeyAnswer, KeyList, KeyView, NewKey, NewKeyAnswer};
use wire::{Code, Problem};

use crate::Engine;
use crate::authenticate::KEY_PURPOSE;
use crate::call::Call;
use crate::failure::{no_randomness, told};

impl Engine {
    /// Makes a key for the caller's tenant. Its secret is in the answer and nowhere else.
    pub async fn new_key(&self, call: &Call, asked: NewKey) -> Result<NewKeyAnswer, Problem> {
        let public_id = hex(&random_bytes::<8>(self.randomness.as_ref()).map_err(|e| no_randomness(&e))?);
        let secret = hex(&random_bytes::<32>(self.randomness.as_ref()).map_err(|e| no_randomness(&e))?);
        let tag = self.pepper.tag(KEY_PURPOSE, &[public_id.as_bytes(), secret.as_bytes()]);
        let key = ApiKey {
            public_id: public_id.clone(),
            tenant: call.caller.tenant.clone(),
            tag: RequestTag(tag),
            scopes: asked.scopes,
            speaks: asked.speaks,
            created_at: call.now,
            expires_at: asked.expires_at,
            revoked_at: None,
        };
        let change = DeploymentChange::PutApiKey(key.clone());
        self.decide_about_key(call, change, EventKind::KeyCreated, &public_id).await?;
        Ok(NewKeyAnswer { key: shown(key), secret: format!("sh_{public_id}_{secret}") })
    }

    /// The tenant's keys, oldest first.
    pub async fn list_keys(&self, call: &Call) -> Result<KeyList, Problem> {
        let mut keys = self.store.api_keys(&call.caller.tenant).await.map_err(told)?;
        keys.sort_by_key(|key| key.created_at);
        Ok(KeyList { keys: keys.into_iter().map(shown).collect() })
    }

    /// Revokes a key of the caller's tenant, by its public id.
    pub async fn revoke_key(&self, call: &Call, public_id: &str) -> Result<KeyAnswer, Problem> {
        self.own_key(call, public_id).await?;
        let change = DeploymentChange::RevokeApiKey(public_id.to_owned());
        self.decide_about_key(call, change, EventKind::KeyRevoked, public_id).await?;
        Ok(KeyAnswer { key: shown(self.own_key(call, public_id).await?) })
    }

    async fn own_key(&self, call: &Call, public_id: &str) -> Result<ApiKey, Problem> {
        let key = self.store.api_key(public_id).await.map_err(told)?;
        key.filter(|key| key.tenant == call.caller.tenant).ok_or_else(|| {
            Problem::new(Code::NotFound, format!("no key {public_id}; see `selfhood key list`"))
        })
    }

    async fn decide_about_key(
        &self,
        call: &Call,
        change: DeploymentChange,
        kind: EventKind,
        public_id: &str,
    ) -> Result<(), Problem> {
        let event = EventDraft::new(kind, call.caller.actor.clone()).about(Actor::key(public_id).as_str());
        let decision = Decision {
            now: call.now,
            tenant: call.caller.tenant.clone(),
            changes: vec![change],
            events: vec![event],
        };
        let decided = self.store.decide(decision).await;
        // Even a decision that seems to have failed may have been kept.
        self.known_keys.forget(public_id);
        decided.map_err(told)?;
        Ok(())
    }
}

fn shown(key: ApiKey) -> KeyView {
    KeyView {
        id: key.public_id,
        tenant_id: key.tenant,
        scopes: key.scopes,
        speaks: key.speaks,
        created_at: key.created_at,
        expires_at: key.expires_at,
        revoked_at: key.revoked_at,
    }
}
