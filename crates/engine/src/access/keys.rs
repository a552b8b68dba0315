//! API keys: create, list, revoke.

use domain::{Actor, EventKind, PersonaId, PersonaName, Text, Timestamp};
use store::{
    ApiKey, Decision, Deployment, DeploymentChange, EventDraft, KeyBounds, PersonaEntry, RequestTag,
};
use vault::encoding::hex;
use vault::randomness::random_bytes;
use wire::key::{KeyAnswer, KeyList, KeyScope, KeyView, NewKey, NewKeyAnswer, Speaks};
use wire::{Code, Pointed, Problem};

use crate::access::authenticate::KEY_PURPOSE;
use crate::access::key_subject::KeySubject;
use crate::call::{Call, Caller, PersonaKey};
use crate::error::no_randomness;
use crate::{Engine, boxed};

impl Engine {
    /// Creates a key for the caller's tenant. Its secret is in the answer and nowhere else.
    #[boxed]
    pub async fn new_key(&self, call: &Call, asked: NewKey) -> Result<NewKeyAnswer, Problem> {
        let asked = spoken_as_owner(asked);
        check_grant(&call.caller, &asked)?;
        check_bounds(&asked)?;
        let expires_at = self.expiry_within_makers(call, asked.expires_at).await?;
        self.ensure_register(call.now);
        let public_id = hex(&random_bytes::<8>(self.randomness.as_ref()).map_err(|e| no_randomness(&e))?);
        let secret = hex(&random_bytes::<32>(self.randomness.as_ref()).map_err(|e| no_randomness(&e))?);
        let tag = self.pepper.tag(KEY_PURPOSE, &[public_id.as_bytes(), secret.as_bytes()]);
        let bounds = self.bounds(call, &asked, &public_id).await?;
        let key = ApiKey {
            public_id: public_id.clone(),
            tenant: call.caller.tenant.clone(),
            tag: RequestTag(tag),
            scopes: asked.scopes,
            speaks: asked.speaks,
            created_at: call.now,
            expires_at,
            revoked_at: None,
            bounds,
        };
        let change = DeploymentChange::PutApiKey(key.clone());
        self.decide_about_key(call, change, EventKind::KeyCreated, &public_id).await?;
        let key = self.shown(call, vec![key]).await?.pop().ok_or_else(|| no_key(&public_id))?;
        Ok(NewKeyAnswer { key, secret: Some(format!("sh_{public_id}_{secret}")) })
    }

    /// A key created by an earlier request, without its secret.
    #[boxed]
    pub async fn key_again(&self, call: &Call, public_id: &str) -> Result<NewKeyAnswer, Problem> {
        let KeyAnswer { key } = self.key_shown(call, public_id).await?;
        Ok(NewKeyAnswer { key, secret: None })
    }

    /// The tenant's keys, oldest first.
    #[boxed]
    pub async fn list_keys(&self, call: &Call) -> Result<KeyList, Problem> {
        let mut keys = self.store.api_keys(&call.caller.tenant).await?;
        keys.sort_by_key(|key| key.created_at);
        Ok(KeyList { keys: self.shown(call, keys).await? })
    }

    /// Revokes a key of the caller's tenant, by its public id.
    #[boxed]
    pub async fn revoke_key(&self, call: &Call, public_id: &str) -> Result<KeyAnswer, Problem> {
        self.own_key(call, public_id).await?;
        let change = DeploymentChange::RevokeApiKey(public_id.to_owned());
        self.decide_about_key(call, change, EventKind::KeyRevoked, public_id).await?;
        let key = self.own_key(call, public_id).await?;
        self.register_revocation(&key, call.now)?;
        self.key_shown(call, public_id).await
    }

    /// The end of a new key: as asked, and no later than that of the key that makes it, which it takes if none is asked
    /// for. Otherwise a key could outlive itself.
    async fn expiry_within_makers(
        &self,
        call: &Call,
        asked: Option<Timestamp>,
    ) -> Result<Option<Timestamp>, Problem> {
        let Some(maker) = &call.caller.key else { return Ok(asked) };
        let Some(end) = self.own_key(call, maker).await?.expires_at else { return Ok(asked) };
        match asked {
            Some(asked) if asked > end => {
                let detail = format!(
                    "this key expires at {end}, so a key made with it can't expire later; ask for an earlier \
                     `expiresAt`, or use a key that doesn't expire"
                );
                Err(Problem::new(Code::Forbidden, detail))
            }
            asked => Ok(asked.or(Some(end))),
        }
    }

    /// The bounds of a new key. The person it speaks for is recorded in that person's own document.
    async fn bounds(&self, call: &Call, asked: &NewKey, public_id: &str) -> Result<KeyBounds, Problem> {
        let label = asked.label.as_ref().map(Text::trimmed);
        let persona = match &asked.persona {
            Some(named) => Some(self.persona_meant(call, named).await?),
            None => None,
        };
        let Some(subject) = &asked.subject else {
            let label = label.map(|label| label.as_str().to_owned());
            return Ok(KeyBounds { persona: persona.map(|entry| entry.id), subject_in: None, label });
        };
        let home = match &persona {
            Some(entry) => entry.clone(),
            None => self.visible_personas(call).await?.into_iter().next().ok_or_else(no_persona)?,
        };
        let known = self.open(&self.persona_context(call, &home).await?).await?.known_as(subject.clone());
        self.bind_key(&home.scope(), &known, public_id, label.as_ref(), call.now).await?;
        Ok(KeyBounds { persona: persona.map(|entry| entry.id), subject_in: Some(home.id), label: None })
    }

    async fn persona_meant(&self, call: &Call, named: &str) -> Result<PersonaEntry, Problem> {
        let unknown = |_| {
            Problem::new(Code::PersonaNotFound, format!("no persona `{named}`; see `selfhood persona list`"))
        };
        let key: PersonaKey = named.parse().map_err(unknown)?;
        self.entry(call, &key).await
    }

    async fn key_shown(&self, call: &Call, public_id: &str) -> Result<KeyAnswer, Problem> {
        let key = self.own_key(call, public_id).await?;
        let key = self.shown(call, vec![key]).await?.pop().ok_or_else(|| no_key(public_id))?;
        Ok(KeyAnswer { key })
    }

    /// The keys as lists show them.
    async fn shown(&self, call: &Call, keys: Vec<ApiKey>) -> Result<Vec<KeyView>, Problem> {
        let mut spoken = self.key_subjects(&call.caller.tenant, &keys).await?;
        let personas = self.store.personas(&call.caller.tenant).await?;
        let name =
            |id: PersonaId| personas.iter().find(|entry| entry.id == id).map(|entry| entry.name.clone());
        let view = |key: ApiKey| {
            let spoken = spoken.remove(&key.public_id);
            let persona = key.bounds.persona.and_then(name);
            shown(key, persona, spoken)
        };
        Ok(keys.into_iter().map(view).collect())
    }

    async fn own_key(&self, call: &Call, public_id: &str) -> Result<ApiKey, Problem> {
        let key = self.store.api_key(public_id).await?;
        key.filter(|key| key.tenant == call.caller.tenant).ok_or_else(|| no_key(public_id))
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
        // Even a commit that seems to have failed may have been written.
        self.access_state.known_keys.forget(public_id);
        decided?;
        Ok(())
    }
}

/// Refuses a key with more rights than its maker: one that speaks for the owner, or that has a scope beyond
/// `read` and `write` which the maker lacks.
fn check_grant(maker: &Caller, asked: &NewKey) -> Result<(), Problem> {
    if asked.speaks == Speaks::Owner && maker.speaks != Speaks::Owner {
        let detail = "only a key that speaks for the owner, or `selfhood key new --speaks owner` at the \
            machine, \
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

/// A key bound to the owner is stored as one that speaks for the owner.
fn spoken_as_owner(asked: NewKey) -> NewKey {
    match &asked.subject {
        Some(subject) if subject.is_owner() => NewKey { speaks: Speaks::Owner, subject: None, ..asked },
        Some(_) | None => asked,
    }
}

/// Refuses a bound key with scopes that reach beyond its bounds.
fn check_bounds(asked: &NewKey) -> Result<(), Problem> {
    let invalid = |pointer: &str, detail: &str| {
        Err(wire::read::invalid(vec![Pointed { pointer: pointer.to_owned(), detail: detail.to_owned() }]))
    };
    if asked.subject.is_some() && asked.speaks == Speaks::Owner {
        return invalid("/subject", "names a person other than the owner; leave `speaks` out");
    }
    if asked.label.as_ref().is_some_and(|label| label.trimmed().length() == 0) {
        return invalid("/label", "must have at least 1 character that isn't a space");
    }
    let is_bound = asked.subject.is_some() || asked.persona.is_some();
    let is_beyond = |scope: &KeyScope| match scope {
        KeyScope::Read | KeyScope::Write => false,
        KeyScope::Staff => asked.subject.is_some(),
        KeyScope::Erase | KeyScope::Audit | KeyScope::Admin => true,
    };
    if is_bound && asked.scopes.iter().any(is_beyond) {
        return invalid(
            "/scopes",
            "may only be `read` and `write` for a key that is bound to a persona or a person",
        );
    }
    Ok(())
}

fn no_key(public_id: &str) -> Problem {
    Problem::new(Code::NotFound, format!("no key {public_id}; see `selfhood key list`"))
}

fn no_persona() -> Problem {
    let detail = "there is no persona yet that could know this person; create one with `selfhood persona \
        new`";
    Problem::new(Code::PersonaNotFound, detail)
}

fn shown(key: ApiKey, persona: Option<PersonaName>, spoken: Option<KeySubject>) -> KeyView {
    let own_label = key.bounds.label.map(Text::new);
    let (subject, label) = spoken.map_or((None, own_label), |spoken| (Some(spoken.subject), spoken.label));
    KeyView {
        id: key.public_id,
        tenant_id: key.tenant,
        scopes: key.scopes,
        speaks: key.speaks,
        created_at: key.created_at,
        expires_at: key.expires_at,
        revoked_at: key.revoked_at,
        persona,
        subject,
        label,
    }
}
