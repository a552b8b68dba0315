//! `POST /v1/subjects/{s}/hold`: puts a person's records under a legal hold, or lifts it.

use domain::{EventKind, SubjectRef};
use store::{Batch, Change, EventDraft, Mark, Records, Subject};
use wire::Problem;
use wire::subject::{Hold, SetHold, SubjectAnswer};

use crate::call::Call;
use crate::people::subjects::KnownSubject;
use crate::{Engine, boxed};

impl Engine {
    /// Puts all records of a person under a legal hold, or lifts it. A repeated request keeps the time of the
    /// first.
    #[boxed]
    pub async fn hold_subject(
        &self,
        call: &Call,
        named: &SubjectRef,
        asked: SetHold,
    ) -> Result<SubjectAnswer, Problem> {
        for KnownSubject { entry, subject } in self.personas_knowing(call, named).await? {
            let is_held = asked.hold == Hold::Set;
            let ids = self.memories_of(call, &entry, &subject.subject).await?;
            let atoms = self.store.atoms(&entry.scope(), &ids).await?;
            let held_since = match asked.hold {
                Hold::Set => subject.held_since.or(Some(call.now)),
                Hold::Lift => None,
            };
            let mut batch =
                Batch::at(call.now).with(Change::PutSubject(Subject { held_since, ..subject.clone() }));
            for atom in atoms.iter().map(|stored| &stored.atom).filter(|atom| atom.audit_hold != is_held) {
                let event = EventDraft::new(EventKind::MemoryHeld, call.caller.actor.clone()).about(atom.id);
                batch = batch.with(Change::MarkAtom(atom.id, Mark::Held(is_held))).with_event(
                    event.privately(atom.subject.clone(), serde_json::json!({ "held": is_held }).into()),
                );
            }
            self.store.commit(&entry.scope(), batch).await?;
        }
        self.show_subject(call, named).await
    }
}
