//! The events of an import: they carry on one life, in one decision.

use std::collections::HashSet;

use domain::structure::check;
use domain::{
    Event, EventKind, Life, MemoryType, Placed, Text, TimelineEntry, TimelineId, TimelineRefusal, Timestamp,
};
use serde_json::Value;
use store::{Batch, Change, EventDraft, Expect};
use wire::timeline::AppendEntry;
use wire::transfer::ImportAnswer;
use wire::{Code, Problem};

use super::{Effect, History, IMPORT, Terms, refused, taken_or_refused};
use crate::Engine;
use crate::call::Call;
use crate::error::told;
use crate::persona::open::View;
use crate::persona::registry::PersonaContext;

/// What tells whether an event is there already.
type EventKey = (Timestamp, Text, Text);

/// A life as it will be with the events that were taken in so far.
struct ImportedLife {
    life: Life,
    told: HashSet<EventKey>,
    new: Vec<TimelineEntry>,
}

/// An event of a file.
struct Read {
    line: usize,
    /// The number it had where it comes from.
    number: Option<u64>,
    event: Event,
}

/// In which order the events of a file are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// By the time they happened, numbered anew.
    ByTime,
    /// As they stand in the file, with their own numbers as far as these grow.
    AsGiven,
}

impl Order {
    fn place(self, life: &Life, event: &Event) -> Result<(), TimelineRefusal> {
        match self {
            Self::ByTime => life.place(event.event_at, event.memory_type, None),
            Self::AsGiven => life.place_out_of_order(event.memory_type, None),
        }
    }

    fn number(self, life: &Life, own: Option<u64>) -> u64 {
        let next = life.next_sequence();
        match self {
            Self::ByTime => next,
            Self::AsGiven => own.map_or(next, |own| own.clamp(next, MOST_NUMBER.max(next))),
        }
    }
}

/// The greatest number an event may bring along.
const MOST_NUMBER: u64 = 1_000_000_000;

impl Engine {
    /// All new events of one call are one decision, as its memories are.
    pub(super) async fn import_events(
        &self,
        call: &Call,
        found: &PersonaContext,
        lines: Vec<(usize, Value)>,
        terms: &Terms,
        answer: &mut ImportAnswer,
    ) -> Result<(), Problem> {
        if lines.is_empty() {
            return Ok(());
        }
        let open = self.open(found).await?;
        let alone = open.importing.lock().await;
        let mut carried = ImportedLife::from(&open.view(&self.store).await.map_err(told)?);
        let head = carried.life.next_sequence() - 1;
        let mut events = Vec::with_capacity(lines.len());
        for (line, value) in lines {
            let number = value.get("sequence").and_then(Value::as_u64);
            let past = (terms.history == History::Whole)
                .then(|| serde_json::from_value(value.clone()).ok())
                .flatten();
            let Some(mut event) = taken_or_refused(line, read_event(value), answer) else { continue };
            event.metadata.insert(IMPORT.to_owned(), terms.id.to_string().into());
            match past {
                Some(entry) => carried.move_in(found, TimelineEntry { event, ..entry }, answer),
                None => events.push(Read { line, number, event }),
            }
        }
        if terms.order == Order::ByTime {
            events.sort_by_key(|read| read.event.event_at);
        }
        for read in events {
            self.take_event(call, found, &mut carried, (read, terms.order), answer)?;
        }
        if terms.effect == Effect::Store && !carried.new.is_empty() {
            let batch = living(call, head, carried.new);
            self.commit(&found.entry.scope(), batch).await.map_err(told)?;
        }
        drop(alone);
        Ok(())
    }

    /// Adds an event to a life, unless it is there already or does not fit in.
    fn take_event(
        &self,
        call: &Call,
        found: &PersonaContext,
        carried: &mut ImportedLife,
        (read, order): (Read, Order),
        answer: &mut ImportAnswer,
    ) -> Result<(), Problem> {
        let Read { line, number, event } = read;
        // A revision's original has another id here; what it became is imported as it stands.
        let event = Event { memory_type: plain(event.memory_type), ..event };
        let words = what_is_told(&event);
        if carried.told.contains(&words) {
            answer.duplicates += 1;
        } else if let Err(refusal) = order.place(&carried.life, &event) {
            answer.refused.push(refused(line, &refusal.into()));
        } else {
            let id = TimelineId(self.new_uuid(call.now)?);
            let place = (found.entry.tenant.clone(), found.entry.id);
            let entry = TimelineEntry::new(id, place, order.number(&carried.life, number), event, call.now);
            carried.life.append(Placed::from(&entry));
            carried.told.insert(words);
            carried.new.push(entry);
            answer.events += 1;
        }
        Ok(())
    }
}

impl ImportedLife {
    /// Adds an entry of a life that moves here as a whole: in its order, with what superseded it. Only its number may
    /// be another, since numbers have no gaps.
    fn move_in(&mut self, found: &PersonaContext, entry: TimelineEntry, answer: &mut ImportAnswer) {
        let words = what_is_told(&entry.event);
        let is_new = entry.superseded_at.is_some() || self.told.insert(words);
        if !is_new || self.new.iter().any(|known| known.id == entry.id) {
            answer.duplicates += 1;
            return;
        }
        let (tenant_id, persona_id) = (found.entry.tenant.clone(), found.entry.id);
        let entry = TimelineEntry { tenant_id, persona_id, sequence: self.life.next_sequence(), ..entry };
        self.life.append(Placed::from(&entry));
        self.new.push(entry);
        answer.events += 1;
    }
}

impl From<&View> for ImportedLife {
    fn from(view: &View) -> Self {
        let counts = |entry: &&TimelineEntry| !crate::memory::undo_import::is_undone(entry);
        let told = view.timeline.iter().filter(counts).map(|entry| what_is_told(&entry.event)).collect();
        Self { life: Life::clone(&view.life), told, new: Vec::new() }
    }
}

/// The decision to carry a life on behind its entry `head`, with an audit event for each entry.
fn living(call: &Call, head: u64, new: Vec<TimelineEntry>) -> Batch {
    let mut batch = Batch::at(call.now).expecting(Expect::TimelineHead(head));
    let appended = |entry: &TimelineEntry| {
        EventDraft::new(EventKind::TimelineAppended, call.caller.actor.clone()).about(entry.id)
    };
    batch.events = new.iter().map(appended).collect();
    batch.changes = new.into_iter().map(|entry| Change::AppendEntry(Box::new(entry))).collect();
    batch
}

fn what_is_told(event: &Event) -> EventKey {
    (event.event_at, event.event_label.clone(), event.facts.clone())
}

fn read_event(value: Value) -> Result<Event, Problem> {
    let event: Event = serde_json::from_value(value)
        .map_err(|error| Problem::new(Code::ValidationFailed, format!("not a timeline entry: {error}")))?;
    let event = event.trimmed();
    let mut checked = serde_json::to_value(&event).unwrap_or_default();
    if let Some(properties) = checked.as_object_mut() {
        properties.insert("tenantId".to_owned(), Value::from("import"));
    }
    let problems = check(&wire::schema::of::<AppendEntry>(), &checked);
    if problems.is_empty() {
        Ok(event)
    } else {
        Err(wire::read::invalid(problems.into_iter().map(Into::into).collect()))
    }
}

const fn plain(memory_type: MemoryType) -> MemoryType {
    match memory_type {
        MemoryType::Revised => MemoryType::Normal,
        MemoryType::Normal
        | MemoryType::Pride
        | MemoryType::Shame
        | MemoryType::Repressed
        | MemoryType::Exaggerated => memory_type,
    }
}
