//! `GET /v1/personas/{p}/imports` and `DELETE …/imports/{importId}`: lists imports, and undoes one as a
//! whole.
//!
//! Undoing leaves no tombstones: nobody asked to be forgotten, and the same file may be imported again.
//! Memories and turns are destroyed with their keys; events are superseded, because timeline numbers have
//! no gaps.

use std::collections::{BTreeMap, BTreeSet};

use domain::{EventKind, ImportId, MemoryId, ReasonCode, Text, TimelineEntry, TimelineId, Timestamp, TurnId};
use serde_json::Value;
use store::{
    Batch, Change, Destruction, EventDraft, PrivateJson, Records, Remains, Scope, Session, Superseding,
    Target,
};
use wire::transfer::{ImportList, ImportUndone, ImportView};
use wire::{Code, Problem};

use crate::call::{Call, PersonaKey};
use crate::forgetting::destroy::Forgetting;
use crate::memory::import::{IMPORT, IMPORTS};
use crate::persona::open::View;
use crate::{Engine, boxed};

/// Why an event of an undone import is superseded.
const UNDONE: &str = "the import it came with was undone";

/// The remaining records of one import.
#[derive(Default)]
struct Imported {
    memories: Vec<MemoryId>,
    events: Vec<TimelineId>,
    talk: Vec<(Session, BTreeSet<TurnId>)>,
}

impl Engine {
    /// The imports with remaining records, latest first.
    #[boxed]
    pub async fn list_imports(&self, call: &Call, key: &PersonaKey) -> Result<ImportList, Problem> {
        let persona = self.find(call, key).await?;
        let (open, view) = self.view(&persona).await?;
        let mut all: BTreeMap<ImportId, Imported> = BTreeMap::new();
        for (id, import) in open.cards().values().filter_map(|card| Some((card.id, card.import?))) {
            all.entry(import).or_default().memories.push(id);
        }
        for (id, import) in current_events(&view) {
            all.entry(import).or_default().events.push(id);
        }
        for session in self.store.sessions(&persona.entry.scope(), None).await? {
            for (import, turns) in imported_turns(&session) {
                all.entry(import).or_default().talk.push((session.clone(), turns));
            }
        }
        let imports = all.iter().rev().map(|(id, imported)| imported.view(*id)).collect();
        Ok(ImportList { imports })
    }

    /// Undoes everything that an import created.
    #[boxed]
    pub async fn undo_import(
        &self,
        call: &Call,
        key: &PersonaKey,
        import: ImportId,
    ) -> Result<ImportUndone, Problem> {
        let persona = self.find(call, key).await?;
        let scope = persona.entry.scope();
        let (open, _) = self.view(&persona).await?;
        let _alone = open.importing.lock().await;
        // Only now: an import that ended meanwhile is undone whole.
        let view = open.view(&self.store).await?;
        let is_its = |card: &&crate::memory::card::Card| card.import == Some(import) && !card.is_held;
        let mut imported = Imported {
            memories: open.cards().values().filter(is_its).map(|card| card.id).collect(),
            events: current_events(&view).filter(|(_, of)| *of == import).map(|(id, _)| id).collect(),
            talk: Vec::new(),
        };
        for session in self.store.sessions(&scope, None).await? {
            if let Some(turns) = imported_turns(&session).remove(&import) {
                imported.talk.push((session, turns));
            }
        }
        if imported.is_empty() {
            let detail = format!("no import {import} with remaining records; see `selfhood import --list`");
            return Err(Problem::new(Code::NotFound, detail));
        }
        self.store.commit(&scope, undoing(call, import, &imported)).await?;
        self.destroy_imported_talk(call, &scope, import, &imported).await?;
        if !imported.memories.is_empty() {
            self.forget(call, &scope, deleting(call, &imported.memories)).await?;
        }
        Ok(ImportUndone { undone: imported.view(import) })
    }

    /// Destroys the turns of an import. A conversation that was continued here keeps its other turns.
    async fn destroy_imported_talk(
        &self,
        call: &Call,
        scope: &Scope,
        import: ImportId,
        imported: &Imported,
    ) -> Result<(), Problem> {
        let mut targets = Vec::new();
        for (session, turns) in &imported.talk {
            self.remove_from_digests(scope, turns, call.now).await?;
            let all = self.store.turns(scope, &session.id).await?;
            if all.iter().all(|turn| turns.contains(&turn.id)) {
                targets.push(Target::Session(session.id.clone()));
                continue;
            }
            targets.extend(turns.iter().copied().map(Target::Turn));
            self.update_session(scope, &session.id, call.now, |session| Some(unmarked(session, import)))
                .await?;
        }
        if !targets.is_empty() {
            let what = Destruction { now: call.now, targets, events: Vec::new() };
            self.store.destroy(scope, what).await?;
        }
        Ok(())
    }
}

impl Imported {
    fn is_empty(&self) -> bool {
        self.memories.is_empty() && self.events.is_empty() && self.talk.is_empty()
    }

    fn view(&self, import_id: ImportId) -> ImportView {
        ImportView {
            import_id,
            at: made_at(import_id),
            memories: self.memories.len(),
            events: self.events.len(),
            turns: self.talk.iter().map(|(_, turns)| turns.len()).sum(),
        }
    }
}

/// Whether an entry is superseded because its import was undone; it may be imported again.
pub(crate) fn is_undone(entry: &TimelineEntry) -> bool {
    entry.superseded_reason.as_ref().is_some_and(|reason| reason.as_str() == UNDONE)
}

/// The active entries that came with an import.
fn current_events(view: &View) -> impl Iterator<Item = (TimelineId, ImportId)> {
    let current = view.timeline.iter().filter(|entry| entry.superseded_at.is_none());
    current.filter_map(|entry| Some((entry.id, entry.event.metadata.get(IMPORT)?.as_str()?.parse().ok()?)))
}

/// The turns of a session, by import.
fn imported_turns(session: &Session) -> BTreeMap<ImportId, BTreeSet<TurnId>> {
    let imports = session.state.0.get(IMPORTS).and_then(Value::as_object).into_iter().flatten();
    let parsed = imports.filter_map(|(id, turns)| {
        let turns = turns.as_array()?.iter().filter_map(|turn| turn.as_str()?.parse().ok());
        Some((id.parse().ok()?, turns.collect()))
    });
    parsed.collect()
}

fn unmarked(session: Session, import: ImportId) -> Session {
    let mut state = session.state.0;
    if let Some(imports) = state.get_mut(IMPORTS).and_then(Value::as_object_mut) {
        imports.shift_remove(&import.to_string());
    }
    Session { state: PrivateJson(state), checkpoint: None, ..session }
}

/// The batch that undoes an import, except for what is destroyed.
fn undoing(call: &Call, import: ImportId, imported: &Imported) -> Batch {
    let event = |kind| EventDraft::new(kind, call.caller.actor.clone());
    let mut batch = Batch::at(call.now).with_event(event(EventKind::ImportUndone).about(import));
    for id in &imported.events {
        let superseding = Superseding { id: *id, reason: Some(Text::new(UNDONE)), by: None };
        batch = batch
            .with(Change::SupersedeEntry(superseding))
            .with_event(event(EventKind::TimelineSuperseded).about(id));
    }
    batch
}

fn deleting(call: &Call, ids: &[MemoryId]) -> Forgetting {
    let event = |id: &MemoryId| {
        EventDraft::new(EventKind::MemoryDeleted, call.caller.actor.clone())
            .about(id)
            .because(ReasonCode::Request)
    };
    Forgetting {
        memories: ids.iter().map(|id| (*id, Remains::Nothing)).collect(),
        events: ids.iter().map(event).collect(),
    }
}

/// When an import began, read from its id.
fn made_at(import: ImportId) -> Timestamp {
    let millis = import.0.get_timestamp().map(|at| {
        let (seconds, nanos) = at.to_unix();
        seconds.saturating_mul(1000).saturating_add(u64::from(nanos / 1_000_000))
    });
    Timestamp::from_millis(millis.and_then(|millis| i64::try_from(millis).ok()).unwrap_or_default())
}
