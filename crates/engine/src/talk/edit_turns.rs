//! Deletes a turn or a whole conversation, or changes the text of a turn.
//!
//! Memories formed from the old text are set aside, the day log loses it, and a checkpoint that covers it is
//! dropped. The day log is edited first: while the turn is in the record, an interrupted deletion can be
//! repeated.

use std::collections::BTreeSet;

use domain::coherence::{Lineage, consequences};
use domain::{
    EventKind, MemoryId, Provenance, ReasonCode, RedactionStatus, Review, SessionId, SubjectRef, Timestamp,
    TurnId,
};
use store::{
    Batch, Change, Destruction, EventDraft, Expect, Formation, Mark, Records, Scope, Session, Speaker,
    Target, Turn, TurnMark, TurnState,
};
use wire::session::{EditTurn, TurnAnswer};
use wire::{Code, Pointed, Problem};

use crate::call::{Call, PersonaKey};
use crate::persona::registry::PersonaContext;
use crate::talk::converse::{formation, is_covered};
use crate::talk::sessions::turn_view;
use crate::{Engine, boxed};

/// A turn of a conversation.
#[derive(Clone, Debug)]
pub struct TurnAddress {
    /// The conversation.
    pub session: SessionId,
    /// The turn.
    pub turn: TurnId,
}

impl Engine {
    /// Destroys a turn, and sets aside the memories formed from it.
    #[boxed]
    pub async fn delete_turn(
        &self,
        call: &Call,
        key: &PersonaKey,
        turn: &TurnAddress,
        subject: Option<SubjectRef>,
    ) -> Result<(), Problem> {
        let persona = self.find(call, key).await?;
        let session = self.own_session(call, &persona, subject, &turn.session).await?;
        let turn = self.turn(&persona, &session, turn.turn).await?;
        self.remove_and_set_aside(call, &persona, &session, std::slice::from_ref(&turn)).await?;
        self.destroy_talk(call, &persona, vec![Target::Turn(turn.id)], &[turn]).await
    }

    /// Destroys a conversation, and sets aside the memories formed from it.
    #[boxed]
    pub async fn delete_session(
        &self,
        call: &Call,
        key: &PersonaKey,
        id: &SessionId,
        subject: Option<SubjectRef>,
    ) -> Result<(), Problem> {
        let persona = self.find(call, key).await?;
        let session = self.own_session(call, &persona, subject, id).await?;
        let turns = self.store.turns(&persona.entry.scope(), id).await?;
        self.remove_and_set_aside(call, &persona, &session, &turns).await?;
        self.destroy_talk(call, &persona, vec![Target::Session(session.id)], &turns).await
    }

    /// Replaces the text of a turn, and forms memories from the new text.
    #[boxed]
    pub async fn edit_turn(
        &self,
        call: &Call,
        key: &PersonaKey,
        turn: &TurnAddress,
        asked: EditTurn,
    ) -> Result<TurnAnswer, Problem> {
        check_words(&asked)?;
        let persona = self.find(call, key).await?;
        let session = self.own_session(call, &persona, asked.subject.clone(), &turn.session).await?;
        let old = self.turn(&persona, &session, turn.turn).await?;
        if old.state == TurnState::Superseded {
            let detail = format!("turn {} is no longer active; edit the one that replaced it", old.id);
            return Err(Problem::new(Code::Conflict, detail));
        }
        let due = match old.speaker {
            Speaker::Subject => {
                let policy = self.safety_policy(call).await?;
                self.check_heard(&persona.entry.tenant, policy, asked.text.as_str()).await?;
                formation(&persona)
            }
            Speaker::Persona => Formation::NotDue,
        };
        let id = TurnId(self.new_uuid(call.now)?);
        let new = Turn { id, text: asked.text, formation: due, formed: None, ..old.clone() };
        self.replace_turn(call, &persona, &session, &old, &new).await?;
        self.form_or_schedule(&persona, new.id, call.now).await?;
        Ok(TurnAnswer { turn: turn_view(&new) })
    }

    async fn replace_turn(
        &self,
        call: &Call,
        persona: &PersonaContext,
        session: &Session,
        old: &Turn,
        new: &Turn,
    ) -> Result<(), Problem> {
        // Another edit may have replaced it meanwhile, and what was formed from that one's words stays.
        let if_active = || Batch::at(call.now).expecting(Expect::TurnActive(old.id));
        let gone = std::slice::from_ref(old);
        self.set_aside_memories(call, persona, session, gone, if_active()).await?;
        let batch = if_active()
            .with(Change::AppendTurn(Box::new(new.clone())))
            .with(Change::MarkTurn(old.id, TurnMark::State(TurnState::Superseded)));
        self.store.commit(&persona.entry.scope(), batch).await?;
        if session.subject.is_owner() {
            self.replace_in_day_log(persona, old, Some(new), call.now).await?;
        }
        // The recall of a reply stays with it, whatever its text says now.
        let words_only = Turn { recall: None, ..old.clone() };
        self.destroy_talk(call, persona, vec![Target::Turn(old.id)], &[words_only]).await
    }

    /// Removes turns from the day log, and sets aside what was formed from them.
    async fn remove_and_set_aside(
        &self,
        call: &Call,
        persona: &PersonaContext,
        session: &Session,
        turns: &[Turn],
    ) -> Result<(), Problem> {
        self.remove_from_day_log(persona, session, turns, call.now).await?;
        self.set_aside_memories(call, persona, session, turns, Batch::at(call.now)).await
    }

    /// Removes turns from the day log; only the owner's conversations are in one.
    pub(crate) async fn remove_from_day_log(
        &self,
        persona: &PersonaContext,
        session: &Session,
        turns: &[Turn],
        now: Timestamp,
    ) -> Result<(), Problem> {
        if session.subject.is_owner() {
            for turn in turns {
                self.replace_in_day_log(persona, turn, None, now).await?;
            }
        }
        Ok(())
    }

    /// Drops the checkpoint of a session if it covers one of `turns`.
    pub(crate) async fn drop_checkpoint_of(
        &self,
        call: &Call,
        scope: &Scope,
        session: &Session,
        turns: &[Turn],
    ) -> Result<(), Problem> {
        if turns.iter().any(|turn| is_covered(session, turn)) {
            let without = |session: Session| Some(Session { checkpoint: None, ..session });
            self.update_session(scope, &session.id, call.now, without).await?;
        }
        Ok(())
    }

    /// Commits with `batch` that the memories formed from `turns` are set aside.
    async fn set_aside_memories(
        &self,
        call: &Call,
        persona: &PersonaContext,
        session: &Session,
        turns: &[Turn],
        mut batch: Batch,
    ) -> Result<(), Problem> {
        // Nothing may be formed from this text in between.
        let _alone = self.learning_state.lock(persona.entry.id).await;
        let scope = persona.entry.scope();
        self.flush_writes(&scope).await?;
        for turn in turns.iter().filter(|turn| turn.formation == Formation::Pending) {
            batch = batch.with(Change::MarkTurn(turn.id, TurnMark::Formation(Formation::Done)));
        }
        self.remove_from_digests(&scope, &turns.iter().map(|turn| turn.id).collect(), call.now).await?;
        let all: Vec<&Turn> = turns.iter().collect();
        let batch = self.setting_aside(call, persona, batch, &all).await?;
        self.store.commit(&scope, batch).await?;
        self.drop_checkpoint_of(call, &scope, session, turns).await
    }

    /// Adds to `batch` that the memories formed from `turns` are set aside, and that what was derived from
    /// those is re-examined.
    pub(crate) async fn setting_aside(
        &self,
        call: &Call,
        persona: &PersonaContext,
        mut batch: Batch,
        turns: &[&Turn],
    ) -> Result<Batch, Problem> {
        let forgotten: BTreeSet<MemoryId> = self.formed_from(persona, turns).await?.into_iter().collect();
        let event = |kind| EventDraft::new(kind, call.caller.actor.clone());
        for memory in &forgotten {
            batch =
                batch.with(Change::MarkAtom(*memory, Mark::Status(RedactionStatus::Redacted))).with_event(
                    event(EventKind::MemoryRedactedSoft).about(memory).because(ReasonCode::Corrected),
                );
        }
        let scope = persona.entry.scope();
        let is_taken_back = |from: &Provenance| {
            turns.iter().any(|turn| turn.session == from.session_id && turn.index == from.turn_index)
        };
        let ids: Vec<MemoryId> = forgotten.iter().copied().collect();
        for stored in self.store.atoms(&scope, &ids).await? {
            let (undone, actor) = (&stored.atom, &call.caller.actor);
            batch = self.restoring_superseded(&scope, batch, undone, actor, is_taken_back).await?;
        }
        for derived in self.derived_from(persona, &forgotten).await? {
            batch = batch
                .with(Change::MarkAtom(derived, Mark::Review(Some(Review::SourceForgotten))))
                .with_event(event(EventKind::MemoryFlagged).about(derived));
        }
        Ok(batch)
    }

    /// Everything derived, directly or indirectly, from the forgotten memories.
    async fn derived_from(
        &self,
        persona: &PersonaContext,
        forgotten: &BTreeSet<MemoryId>,
    ) -> Result<Vec<MemoryId>, Problem> {
        let (open, _) = self.view(persona).await?;
        let derived: Vec<MemoryId> =
            open.cards().values().filter(|card| !card.derived_from.is_empty()).map(|card| card.id).collect();
        if forgotten.is_empty() || derived.is_empty() {
            return Ok(Vec::new());
        }
        let atoms = self.store.atoms(&persona.entry.scope(), &derived).await?;
        let lineages: Vec<Lineage> = atoms.iter().map(|stored| Lineage::from(&stored.atom)).collect();
        Ok(consequences(forgotten, &lineages).into_keys().collect())
    }

    /// Destroys `targets`, and what this process and the traces still hold of `turns`.
    pub(crate) async fn destroy_talk(
        &self,
        call: &Call,
        persona: &PersonaContext,
        mut targets: Vec<Target>,
        turns: &[Turn],
    ) -> Result<(), Problem> {
        for turn in turns {
            self.talk_state.waiting_calls.forget_session(persona.entry.id, &turn.session);
        }
        targets.extend(turns.iter().filter_map(|turn| turn.recall).map(Target::Trace));
        let destruction = Destruction { now: call.now, targets, events: Vec::new() };
        self.store.destroy(&persona.entry.scope(), destruction).await?;
        if let Some(turn) = turns.first() {
            self.talk_state.prompt_jobs.forget_session(&turn.session);
        }
        Ok(())
    }

    async fn turn(&self, persona: &PersonaContext, session: &Session, id: TurnId) -> Result<Turn, Problem> {
        let turn = self.store.turn(&persona.entry.scope(), id).await?;
        turn.filter(|turn| turn.session == session.id).ok_or_else(|| {
            let detail = format!("no turn {id} in conversation {}; see `selfhood session show`", session.id);
            Problem::new(Code::NotFound, detail)
        })
    }
}

fn check_words(asked: &EditTurn) -> Result<(), Problem> {
    if asked.text.trimmed().length() > 0 {
        return Ok(());
    }
    let detail = "must have at least 1 character that isn't a space; delete the turn instead".to_owned();
    Err(wire::read::invalid(vec![Pointed { pointer: "/text".to_owned(), detail }]))
}
