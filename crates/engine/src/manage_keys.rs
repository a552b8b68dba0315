//! API keys: making, listing, revoking.

use domain::{Actor, EventKind};
use store::{ApiKey, Decision, Deployment, DeploymentChange, EventDraft, RequestTag};
use vault::encoding::hex;
use vault::randomness::random_bytes;
use wire::key::{KeyAnswer, KeyList, KeyScope, KeyView, NewKey, NewKeyAnswer, Speaks};
use wire::{Code, Problem};

use crate::Engine;
use crate::authenticate::KEY_PURPOSE;
use crate::call::{Call, Caller};
use crate::failure::{no_randomness, told};

impl Engine {
    /// Makes a key for the caller's tenant. Its secret is in the answer and nowhere else.
    pub async fn new_key(&self, call: &Call, asked: NewKey) -> Result<NewKeyAnswer, Problem> {
        check_grant(&call.caller, &asked)?;
        self.ensure_register(call.now);
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
        Ok(NewKeyAnswer { key: shown(key), secret: Some(format!("sh_{public_id}_{secret}")) })
    }

    /// A key that a request made, without its secret.
    pub async fn key_again(&self, call: &Call, public_id: &str) -> Result<NewKeyAnswer, Problem> {
        Ok(NewKeyAnswer { key: shown(self.own_key(call, public_id).await?), secret: None })
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
        let key = self.own_key(call, public_id).await?;
        self.register_revocation(&key, call.now)?;
        Ok(KeyAnswer { key: shown(key) })
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

/// Refuses a key that may more than its maker: one that speaks for the owner, or that has a scope beyond
/// `read` and `write` which the maker lacks.
fn check_grant(maker: &Caller, asked: &NewKey) -> Result<(), Problem> {
    if asked.speaks == Speaks::Owner && maker.speaks != Speaks::Owner {
        let detail = "only a key that speaks for the owner, or `selfhood key new --speaks owner` at the machine, \
                      can make a key that speaks for the owner";
        return Err(Problem::new(Code::Forbidden, detail));
    }
    let is_beyond = |scope: &&KeyScope| match scope {
        KeyScope::Read | KeyScope::Write => false,
        KeyScope::Erase | KeyScope::Audit | KeyScope::Admin | KeyScope::Staff => !maker.may(**scope),
    };
    if let Some(scope) = asked.scopes.iter().find(is_beyond) {
        let detail = format!("this key has no `{}`, so it can't make a key that has", scope.as_str());
        return Err(Problem::new(Code::Forbidden, detail));
    }
    Ok(())
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
