//! `POST /v1/subjects/{s}/withdraw-consent`: memories that depend on a consent are hidden from this moment
//! on.

use std::collections::BTreeSet;

use domain::lifecycle::withdraw_consent;
use domain::{Atom, ConsentBasis, EventKind, MemoryId, ReasonCode, RedactionStatus, SubjectRef};
use serde_json::json;
use store::{Batch, Change, EventDraft, Mark, PersonaEntry, Records};
use wire::Problem;
use wire::subject::WithdrawalAnswer;

use crate::call::Call;
use crate::learning::consents::class_names;
use crate::people::subjects::KnownSubject;
use crate::{Engine, boxed};

/// Whether a withdrawal is carried out or only counted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Writing {
    Commit,
    Nothing,
}

impl Engine {
    /// Withdraws a person's consents to every persona, marks the memories that depend on them as pending
    /// deletion, and hides what was derived from those.
    #[boxed]
    pub async fn withdraw_consent(
        &self,
        call: &Call,
        named: &SubjectRef,
    ) -> Result<WithdrawalAnswer, Problem> {
        self.withdraw_from_all(call, named, Writing::Commit).await
    }

    /// The result of an earlier withdrawal; changes nothing.
    #[boxed]
    pub async fn show_withdrawal(
        &self,
        call: &Call,
        named: &SubjectRef,
    ) -> Result<WithdrawalAnswer, Problem> {
        self.withdraw_from_all(call, named, Writing::Nothing).await
    }

    /// [`Engine::withdraw_consent`] for one persona. A person without records has nothing to withdraw.
    pub(crate) async fn withdraw_from_persona(
        &self,
        call: &Call,
        entry: &PersonaEntry,
        subject: &SubjectRef,
    ) -> Result<WithdrawalAnswer, Problem> {
        let mut answer = WithdrawalAnswer::default();
        let people = self.store.subjects(&entry.scope()).await?;
        if let Some(subject) = people.into_iter().find(|known| known.subject == *subject) {
            let known = KnownSubject { entry: entry.clone(), subject };
            self.withdraw_from(call, &known, &mut answer, Writing::Commit).await?;
        }
        Ok(answer)
    }

    async fn withdraw_from_all(
        &self,
        call: &Call,
        named: &SubjectRef,
        writing: Writing,
    ) -> Result<WithdrawalAnswer, Problem> {
        let mut answer = WithdrawalAnswer::default();
        Self::check_acts_for(call, named)?;
        for known in self.personas_knowing(call, named).await? {
            // The name may be an alias of the owner.
            if known.subject.subject.is_owner() {
                Self::check_acts_for(call, &known.subject.subject)?;
            }
            self.withdraw_from(call, &known, &mut answer, writing).await?;
        }
        Ok(answer)
    }

    async fn withdraw_from(
        &self,
        call: &Call,
        known: &KnownSubject,
        answer: &mut WithdrawalAnswer,
        writing: Writing,
    ) -> Result<(), Problem> {
        // Formation must not store a memory on a consent that is being withdrawn.
        let _alone = self.learning_state.lock(known.entry.id).await;
        let scope = known.entry.scope();
        let loaded = self.store.load(&scope).await?;
        let actor = &call.caller.actor;
        let (batch, bases) = self.withdraw_register(call, known).await?;
        let mut batch = batch;
        let (mut pending, mut others) = (BTreeSet::new(), BTreeSet::new());
        let own = |atom: &&Atom| atom.subject.as_ref() == Some(&known.subject.subject);
        for atom in loaded.atoms.iter().map(|stored| &stored.atom).filter(own) {
            if !rests_on_consent(atom, &bases) {
                others.insert(atom.id);
                continue;
            }
            pending.insert(atom.id);
            if atom.audit_hold || known.subject.held_since.is_some() {
                answer.held.push(atom.id);
            }
            if atom.redaction_status != RedactionStatus::PendingDeletion {
                batch = batch
                    .with(Change::MarkAtom(atom.id, Mark::Status(RedactionStatus::PendingDeletion)))
                    .with_event(
                        EventDraft::new(EventKind::ConsentWithdrawn, actor.clone())
                            .about(atom.id)
                            .because(ReasonCode::ConsentWithdrawn),
                    );
            }
        }
        let cascade = self.plan_cascade(&loaded, &pending, call.now)?;
        let hidden: Vec<MemoryId> = cascade.also_destroyed().chain(cascade.held.iter().copied()).collect();
        answer.hidden.extend(hidden.iter().filter(|id| !pending.contains(id)));
        answer.kept += others.iter().filter(|id| !hidden.contains(id)).count();
        batch = cascade.hiding(batch, actor);
        answer.pending.extend(pending);
        if batch.changes.is_empty() || writing == Writing::Nothing {
            return Ok(());
        }
        self.store.commit(&scope, batch).await?;
        self.wait_for_recalls(&scope).await
    }

    /// A batch that withdraws every consent in the register, and the bases of all consents that were ever in
    /// it.
    async fn withdraw_register(
        &self,
        call: &Call,
        known: &KnownSubject,
    ) -> Result<(Batch, BTreeSet<ConsentBasis>), Problem> {
        let subject = &known.subject.subject;
        let mut stored = self.consent_register(&known.entry.scope(), subject).await?;
        let bases = stored.register.consents().iter().map(|consent| consent.basis.clone()).collect();
        let mut batch = Batch::at(call.now);
        let withdrawn = stored.register.withdraw(call.now);
        if !withdrawn.is_empty() {
            batch = stored.write(subject, batch);
        }
        for consent in withdrawn {
            let event = EventDraft::new(EventKind::ConsentWithdrawn, call.caller.actor.clone())
                .about(class_names(&consent.classes))
                .privately(Some(subject.clone()), json!({ "basis": consent.basis }).into());
            batch = batch.with_event(event);
        }
        Ok((batch, bases))
    }
}

/// Whether `atom` depends on explicit consent, or on one of these `bases` that its subject consented to.
fn rests_on_consent(atom: &Atom, bases: &BTreeSet<ConsentBasis>) -> bool {
    withdraw_consent(&mut atom.clone()) || bases.contains(&atom.consent_basis)
}
