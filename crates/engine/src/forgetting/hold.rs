//! `POST /v1/subjects/{s}/hold`: an obligation keeps a person's records from being destroyed, or no longer does.

use domain::{EventKind, SubjectRef};
use store::{Batch, Change, EventDraft, Mark, Records, Subject};
use wire::Problem;
use wire::subject::{Hold, SetHold, SubjectAnswer};

use crate::Engine;
use crate::call::Call;
use crate::error::told;
use crate::people::subjects::KnownSubject;

impl Engine {
    /// Puts all records of a person under a legal hold, or lifts it. Asked twice, the first time stays.
    pub async fn hold_subject(
        &self,
        call: &Call,
        named: &SubjectRef,
        asked: SetHold,
    ) -> Result<SubjectAnswer, Problem> {
        for KnownSubject { entry, subject } in self.acquaintances(call, named).await? {
            let is_held = asked.hold == Hold::Set;
            let ids = self.memories_of(call, &entry, &subject.subject).await?;
            let atoms = self.store.atoms(&entry.scope(), &ids).await.map_err(told)?;
            let held_since = match asked.hold {
                Hold::Set => subject.held_since.or(Some(call.now)),
                Hold::Lift => None,
            };
            let mut batch =
                Batch::at(call.now).with(Change::PutSubject(Subject { held_since, ..subject.clone() }));
            for atom in atoms.iter().map(|stored| &stored.atom).filter(|atom| atom.audit_hold != is_held) {
                let event = EventDraft::new(EventKind::MemoryHeld, call.caller.actor.clone()).about(atom.id);
                batch = batch.with(Change::MarkAtom(atom.id, Mark::Held(is_held))).saying(
                    event.privately(atom.subject.clone(), serde_json::json!({ "held": is_held }).into()),
                );
            }
            self.store.commit(&entry.scope(), batch).await.map_err(told)?;
        }
        self.show_subject(call, named).await
    }
}
