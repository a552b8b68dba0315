//! `POST /v1/subjects/{s}/withdraw-consent`: what rested on consent is told no more from this moment on.

use std::collections::BTreeSet;

use domain::lifecycle::withdraw_consent;
use domain::{EventKind, MemoryId, RedactionStatus, SubjectRef};
use store::{Batch, Change, EventDraft, Mark, Records};
use wire::Problem;
use wire::subject::WithdrawalAnswer;

use crate::Engine;
use crate::call::Call;
use crate::failure::told;
use crate::subjects::Acquaintance;

/// Whether a withdrawal is carried out or only counted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Writing {
    Commit,
    Nothing,
}

impl Engine {
    /// Marks what rested on a person's explicit consent as pending deletion, and hides what came from it.
    pub async fn withdraw_consent(
        &self,
        call: &Call,
        named: &SubjectRef,
    ) -> Result<WithdrawalAnswer, Problem> {
        self.withdraw_from_all(call, named, Writing::Commit).await
    }

    /// What became of a withdrawal that was answered before; changes nothing.
    pub async fn show_withdrawal(
        &self,
        call: &Call,
        named: &SubjectRef,
    ) -> Result<WithdrawalAnswer, Problem> {
        self.withdraw_from_all(call, named, Writing::Nothing).await
    }

    async fn withdraw_from_all(
        &self,
        call: &Call,
        named: &SubjectRef,
        writing: Writing,
    ) -> Result<WithdrawalAnswer, Problem> {
        let mut answer =
            WithdrawalAnswer { pending: Vec::new(), held: Vec::new(), hidden: Vec::new(), kept: 0 };
        for known in self.acquaintances(call, named).await? {
            self.withdraw_from(call, &known, &mut answer, writing).await?;
        }
        Ok(answer)
    }

    async fn withdraw_from(
        &self,
        call: &Call,
        known: &Acquaintance,
        answer: &mut WithdrawalAnswer,
        writing: Writing,
    ) -> Result<(), Problem> {
        let scope = known.entry.scope();
        let loaded = self.store.load(&scope).await.map_err(told)?;
        let actor = &call.caller.actor;
        let mut batch = Batch::at(call.now);
        let (mut pending, mut others) = (BTreeSet::new(), BTreeSet::new());
        let own = |atom: &&domain::Atom| atom.subject.as_ref() == Some(&known.subject.subject);
        for atom in loaded.atoms.iter().map(|stored| &stored.atom).filter(own) {
            if !withdraw_consent(&mut atom.clone()) {
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
                    .saying(EventDraft::new(EventKind::ConsentWithdrawn, actor.clone()).about(atom.id));
            }
        }
        let aftermath = self.aftermath(&loaded, &pending, call.now)?;
        let hidden: Vec<MemoryId> = aftermath.also_gone().chain(aftermath.held.iter().copied()).collect();
        answer.hidden.extend(hidden.iter().filter(|id| !pending.contains(id)));
        answer.kept += others.iter().filter(|id| !hidden.contains(id)).count();
        batch = aftermath.hiding(batch, actor);
        answer.pending.extend(pending);
        if batch.changes.is_empty() || writing == Writing::Nothing {
            return Ok(());
        }
        self.store.commit(&scope, batch).await.map_err(told)?;
        self.wait_for_recalls(&scope).await
    }
}
