//! Writes the timeline: appends, revises and supersedes events.

use domain::structure::check;
use domain::{EntryOwner, EventKind, TimelineEntry, TimelineId};
use store::{Batch, Change, Conflict, EventDraft, Expect, Records, StoreError, Superseding};
use wire::timeline::{AppendEntry, SupersedeEntry, TimelineEntryAnswer};
use wire::{Code, Pointed, Problem};

use crate::call::{Call, PersonaKey};
use crate::persona::create::gone;
use crate::persona::open::View;
use crate::persona::registry::PersonaContext;
use crate::{Engine, boxed};

/// How often an entry is given another number because another entry got it.
const ATTEMPTS: usize = 100;

impl Engine {
    /// Appends an event, or a revision that supersedes its original.
    #[boxed]
    pub async fn append_entry(
        &self,
        call: &Call,
        key: &PersonaKey,
        asked: AppendEntry,
    ) -> Result<TimelineEntryAnswer, Problem> {
        self.check_tenant(call, &asked.tenant_id).await?;
        let asked = AppendEntry { event: asked.event.trimmed(), ..asked };
        check_trimmed(&asked)?;
        let persona = self.find(call, key).await?;
        let scope = persona.entry.scope();
        let ticket = self.ticket(call)?;
        if let Some(ticket) = &ticket {
            let before = self.store.request(&scope, ticket.tag()).await?;
            if let Some(id) = ticket.resource(before)? {
                return self.entry_again(&persona, &id).await;
            }
        }
        // The number is ours to give: an entry that comes second gets the next one.
        for _ in 0..ATTEMPTS {
            let (_, view) = self.view(&persona).await?;
            let entry = self.place(call, &persona, &view, asked.clone())?;
            let mut batch = entry_batch(call, &view, &entry);
            if let Some(ticket) = &ticket {
                let answered = ticket.answered(201, entry.id.to_string(), call.now);
                batch = batch
                    .expecting(Expect::RequestUnanswered(ticket.tag()))
                    .with(Change::RecordRequest(answered));
            }
            match self.commit(&scope, batch).await {
                Ok(_) => return Ok(TimelineEntryAnswer { timeline_entry: entry }),
                Err(StoreError::Conflict(Conflict::TimelineMoved { .. })) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(Problem::new(Code::Conflict, "the timeline is being written to; try again"))
    }

    /// Marks an entry as superseded. A repeated request keeps the first reason.
    #[boxed]
    pub async fn supersede_entry(
        &self,
        call: &Call,
        key: &PersonaKey,
        id: TimelineId,
        asked: SupersedeEntry,
    ) -> Result<TimelineEntryAnswer, Problem> {
        self.check_tenant(call, &asked.tenant_id).await?;
        let persona = self.find(call, key).await?;
        let (_, view) = self.view(&persona).await?;
        let mut entry = find_entry(&view.timeline, id)?;
        if entry.superseded_at.is_none() {
            let reason = Some(asked.reason.trimmed());
            let event = EventDraft::new(EventKind::TimelineSuperseded, call.caller.actor.clone()).about(id);
            let batch = Batch::at(call.now)
                .with(Change::SupersedeEntry(Superseding { id, reason: reason.clone(), by: None }))
                .with_event(event);
            self.commit(&persona.entry.scope(), batch).await?;
            entry.supersede(reason, None, call.now);
        }
        Ok(TimelineEntryAnswer { timeline_entry: entry })
    }

    fn place(
        &self,
        call: &Call,
        persona: &PersonaContext,
        view: &View,
        asked: AppendEntry,
    ) -> Result<TimelineEntry, Problem> {
        let (kind, revises) = (asked.event.memory_type, asked.revises_timeline_id);
        if asked.allow_out_of_order {
            view.life.place_out_of_order(kind, revises)?;
        } else {
            view.life.place(asked.event.event_at, kind, revises)?;
        }
        let id = TimelineId(self.new_uuid(call.now)?);
        let owner = EntryOwner { tenant: persona.entry.tenant.clone(), persona: persona.entry.id };
        Ok(TimelineEntry {
            revises_timeline_id: asked.revises_timeline_id,
            revision_reason: asked.revision_reason.map(|reason| reason.trimmed()),
            ..TimelineEntry::new(id, owner, view.life.next_sequence(), asked.event, call.now)
        })
    }

    /// An entry as it is now, for a repeated request.
    #[boxed]
    pub async fn show_entry(
        &self,
        call: &Call,
        key: &PersonaKey,
        id: TimelineId,
    ) -> Result<TimelineEntryAnswer, Problem> {
        let persona = self.find(call, key).await?;
        self.entry_again(&persona, &id.to_string()).await
    }

    async fn entry_again(&self, persona: &PersonaContext, id: &str) -> Result<TimelineEntryAnswer, Problem> {
        let (_, view) = self.view(persona).await?;
        let parsed = id.parse().map_err(|error| crate::error::nothing_named(&error))?;
        let timeline_entry = find_entry(&view.timeline, parsed).map_err(|problem| gone(problem, id))?;
        Ok(TimelineEntryAnswer { timeline_entry })
    }
}

fn entry_batch(call: &Call, view: &View, entry: &TimelineEntry) -> Batch {
    let actor = &call.caller.actor;
    let head = view.life.next_sequence() - 1;
    let mut batch = Batch::at(call.now)
        .expecting(Expect::TimelineHead(head))
        .with(Change::AppendEntry(Box::new(entry.clone())));
    match entry.revises_timeline_id {
        None => batch.with_event(EventDraft::new(EventKind::TimelineAppended, actor.clone()).about(entry.id)),
        Some(original) => {
            batch = batch
                .expecting(Expect::EntryActive(original))
                .with(Change::SupersedeEntry(Superseding {
                    id: original,
                    reason: entry.revision_reason.clone(),
                    by: Some(entry.id),
                }))
                .with_event(EventDraft::new(EventKind::TimelineRevised, actor.clone()).about(entry.id));
            batch.with_event(EventDraft::new(EventKind::TimelineSuperseded, actor.clone()).about(original))
        }
    }
}

pub(crate) fn find_entry(timeline: &[TimelineEntry], id: TimelineId) -> Result<TimelineEntry, Problem> {
    let entry = timeline.iter().find(|entry| entry.id == id).cloned();
    entry.ok_or_else(|| {
        Problem::new(
            Code::TimelineEntryNotFound,
            format!("no timeline entry {id}; see `selfhood timeline list`"),
        )
    })
}

/// Lengths are counted after trimming, so text of only white space is refused here.
fn check_trimmed(asked: &AppendEntry) -> Result<(), Problem> {
    let value = serde_json::to_value(asked).unwrap_or_default();
    let problems = check(&wire::schema::of::<AppendEntry>(), &value);
    if problems.is_empty() {
        return Ok(());
    }
    let errors = problems.into_iter().map(Pointed::from);
    Err(wire::read::invalid(errors.collect()))
}
