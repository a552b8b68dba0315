//! Operator keys: create, list, revoke. They are stored in the key directory and sign for the deployment.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use domain::{Actor, EventKind, Timestamp};
use store::{Decision, Deployment, EventDraft, key_problem};
use vault::key_directory::{KeyCreation, KeyDirectory, Signer};
use vault::signature::PublicKey;
use wire::operator::{NewOperator, OperatorAnswer, OperatorList, OperatorView};
use wire::{Code, Problem};

use crate::call::Call;
use crate::{Engine, boxed};

/// How long a list of signers is cached if other nodes may change it.
const SIGNERS_LAST_MILLIS: u64 = 1_000;

impl Engine {
    /// Creates an operator key and adds it to the list of signers.
    #[boxed]
    pub async fn new_operator(&self, call: &Call, asked: NewOperator) -> Result<OperatorAnswer, Problem> {
        call.demand_operator()?;
        let keys = self.key_directory()?;
        let making = KeyCreation { now: call.now.as_millis(), randomness: self.randomness.as_ref() };
        let did = keys.create_operator(&asked.name, making).map_err(key_problem)?.public_key();
        keys.add_signer(did, &asked.name, call.now.as_millis()).map_err(key_problem)?;
        self.note_operator(call, EventKind::KeyCreated, &did).await?;
        answer(keys, &did)
    }

    /// Every operator key, in order of creation.
    pub fn list_operators(&self, call: &Call) -> Result<OperatorList, Problem> {
        call.demand_operator()?;
        let signers = self.key_directory()?.signers().map_err(key_problem)?;
        Ok(OperatorList { operators: signers.all().iter().map(shown).collect() })
    }

    /// An operator key created by an earlier request.
    pub fn operator_again(&self, call: &Call, did: &str) -> Result<OperatorAnswer, Problem> {
        let operators = self.list_operators(call)?.operators;
        let own = operators.into_iter().find(|operator| operator.did == did);
        own.map(|operator| OperatorAnswer { operator })
            .ok_or_else(|| Problem::new(Code::NotFound, format!("no operator key {did}")))
    }

    /// Revokes an operator key: its signatures no longer count.
    #[boxed]
    pub async fn revoke_operator(&self, call: &Call, did: &str) -> Result<OperatorAnswer, Problem> {
        call.demand_operator()?;
        let unknown = |_| {
            Problem::new(Code::NotFound, format!("no operator key {did}; see `selfhood key operator list`"))
        };
        let did: PublicKey = did.parse().map_err(unknown)?;
        if did == self.operator.public_key() {
            let detail = "this home signs with that key; it can't revoke itself";
            return Err(Problem::new(Code::Conflict, detail));
        }
        let keys = self.key_directory()?;
        keys.revoke_signer(&did, call.now.as_millis()).map_err(key_problem)?;
        self.note_operator(call, EventKind::KeyRevoked, &did).await?;
        answer(keys, &did)
    }

    /// Reads operator keys that another node created or revoked, at most a second late.
    pub(crate) fn follow_signers(&self, now: Timestamp) -> Result<(), Problem> {
        let seen = self.access_state.signers_seen.load(Ordering::Acquire);
        if !self.store.is_shared() || now.as_millis().abs_diff(seen) < SIGNERS_LAST_MILLIS {
            return Ok(());
        }
        let mut valid = self.key_directory()?.signers().map_err(key_problem)?.valid();
        let own = self.operator.public_key();
        if !valid.contains(&own) {
            valid.push(own);
        }
        if self.signers() != valid {
            *self.access_state.signers.write().unwrap_or_else(PoisonError::into_inner) = valid;
            self.persona_state.forget_documents();
        }
        self.access_state.signers_seen.store(now.as_millis(), Ordering::Release);
        Ok(())
    }

    /// Writes the audit event of an operator key, and updates the list of signers.
    async fn note_operator(&self, call: &Call, kind: EventKind, did: &PublicKey) -> Result<(), Problem> {
        {
            let mut valid = self.access_state.signers.write().unwrap_or_else(PoisonError::into_inner);
            valid.retain(|known| known != did);
            valid.extend((kind == EventKind::KeyCreated).then_some(*did));
        }
        self.persona_state.forget_documents();
        let about = Actor::operator(&did.to_string());
        let event = EventDraft::new(kind, call.caller.actor.clone()).about(about.as_str());
        let (now, tenant) = (call.now, call.caller.tenant.clone());
        let decision = Decision { now, tenant, changes: Vec::new(), events: vec![event] };
        self.store.decide(decision).await.map(drop).map_err(Problem::from)
    }
}

fn answer(keys: &KeyDirectory, did: &PublicKey) -> Result<OperatorAnswer, Problem> {
    let signers = keys.signers().map_err(key_problem)?;
    let missing = || Problem::new(Code::NotFound, format!("no operator key {did}"));
    Ok(OperatorAnswer { operator: shown(signers.find(did).ok_or_else(missing)?) })
}

fn shown(signer: &Signer) -> OperatorView {
    OperatorView {
        did: signer.did.to_string(),
        name: signer.name.clone(),
        added_at: Timestamp::from_millis(signer.added_at),
        revoked_at: signer.revoked_at.map(Timestamp::from_millis),
    }
}
