//! The events of an import: they are appended to one timeline in one transaction.

use std::collections::HashSet;

use domain::structure::check;
use domain::{
    EntryOwner, EntryPosition, Event, EventKind, Life, MemoryType, Text, TimelineEntry, TimelineId,
    TimelineRefusal, Timestamp,
};
use serde_json::Value;
use store::{Batch, Change, EventDraft, Expect};
use wire::timeline::AppendEntry;
use wire::transfer::ImportAnswer;
use wire::{Code, Pointed, Problem};

use super::{Effect, History, IMPORT, Terms, accepted_or_refused};
use crate::Engine;
use crate::call::Call;
use crate::persona::open::View;
use crate::persona::registry::PersonaContext;

/// Identifies an event that is already stored.
type EventKey = (Timestamp, Text, Text);

/// A timeline with the events imported so far.
struct ImportedLife {
    life: Life,
    known: HashSet<EventKey>,
    /// Those that are there or were taken, by id: a life that moves keeps its ids.
    ids: HashSet<TimelineId>,
    new: Vec<TimelineEntry>,
}

/// An event of the file.
struct Read {
    line: usize,
    /// Its sequence number in the source, as it is written there.
    number: Option<Value>,
    event: Event,
}

/// The order in which the events of a file are appended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// By the time they happened, with new numbers.
    ByTime,
    /// In file order, with their own numbers; one that is taken is refused.
    AsGiven,
}

impl Order {
    fn place(self, life: &Life, event: &Event) -> Result<(), TimelineRefusal> {
        match self {
            Self::ByTime => life.place(event.event_at, event.memory_type, None),
            Self::AsGiven => life.place_out_of_order(event.memory_type, None),
        }
    }

    /// The number of an event that has `own` in the file. An event without one gets the next.
    fn number(self, life: &Life, own: Option<&Value>) -> Result<u64, Problem> {
        let own = match (self, own) {
            (Self::ByTime, _) | (Self::AsGiven, None | Some(Value::Null)) => return Ok(life.next_sequence()),
            (Self::AsGiven, Some(own)) => own,
        };
        match whole_number(own).filter(|own| (1..=MOST_NUMBER).contains(own)) {
            None => Err(invalid_number(format!(
                "must be a whole number from 1 to {MOST_NUMBER}; correct it, or leave it out for the next \
                 number"
            ))),
            Some(own) if life.has_number(own) => Err(invalid_number(format!(
                "{own} is the number of another entry; give the event a free one (the next is {}), or import \
                 it without `allowOutOfOrder`, which numbers events by their time",
                life.next_sequence()
            ))),
            Some(own) => Ok(own),
        }
    }
}

/// The greatest sequence number that is accepted.
const MOST_NUMBER: u64 = 1_000_000_000;

impl Engine {
    /// All new events of one call are one transaction, like its memories.
    pub(super) async fn import_events(
        &self,
        call: &Call,
        persona: &PersonaContext,
        lines: Vec<(usize, Value)>,
        terms: &Terms,
        answer: &mut ImportAnswer,
    ) -> Result<(), Problem> {
        if lines.is_empty() {
            return Ok(());
        }
        let open = self.open(persona).await?;
        let alone = open.importing.lock().await;
        let mut carried = ImportedLife::from(&open.view(&self.store).await?);
        let head = carried.life.next_sequence() - 1;
        let barred = self.barred(&persona.entry.tenant).await?;
        let mut events = Vec::with_capacity(lines.len());
        for (line, value) in lines {
            let number = value.get("sequence").cloned();
            let past = (terms.history == History::Whole)
                .then(|| serde_json::from_value(value.clone()).ok())
                .flatten();
            let read = read_event(value).and_then(|event| {
                barred.refuse_event(&event)?;
                Ok(event)
            });
            let Some(mut event) = accepted_or_refused(line, read, answer) else { continue };
            event.metadata.insert(IMPORT.to_owned(), terms.id.to_string().into());
            match past {
                Some(entry) => carried.append_moved(persona, TimelineEntry { event, ..entry }, answer),
                None => events.push(Read { line, number, event }),
            }
        }
        match terms.order {
            Order::ByTime => events.sort_by_key(|read| read.event.event_at),
            // An event without a number must not take one that another event of the file has.
            Order::AsGiven => events.sort_by_key(|read| read.number.is_none()),
        }
        for read in events {
            self.take_event(call, persona, &mut carried, read, terms.order, answer)?;
        }
        if terms.effect == Effect::Store && !carried.new.is_empty() {
            let batch = append_batch(call, head, carried.new);
            self.commit(&persona.entry.scope(), batch).await?;
        }
        drop(alone);
        Ok(())
    }

    /// Appends an event, unless it is already stored or violates the timeline's rules.
    fn take_event(
        &self,
        call: &Call,
        persona: &PersonaContext,
        carried: &mut ImportedLife,
        read: Read,
        order: Order,
        answer: &mut ImportAnswer,
    ) -> Result<(), Problem> {
        let Read { line, number, event } = read;
        // The original of a revision has another id here, so a revision is imported as a plain event.
        let event = Event { memory_type: plain(event.memory_type), ..event };
        let words = event_key(&event);
        if carried.known.contains(&words) {
            answer.duplicates += 1;
            return Ok(());
        }
        let placed = order.place(&carried.life, &event).map_err(Problem::from);
        let number = placed.and_then(|()| order.number(&carried.life, number.as_ref()));
        if let Some(number) = accepted_or_refused(line, number, answer) {
            let id = TimelineId(self.new_uuid(call.now)?);
            let owner = EntryOwner { tenant: persona.entry.tenant.clone(), persona: persona.entry.id };
            let entry = TimelineEntry::new(id, owner, number, event, call.now);
            carried.life.append(EntryPosition::from(&entry));
            carried.known.insert(words);
            carried.new.push(entry);
            answer.events += 1;
        }
        Ok(())
    }
}

impl ImportedLife {
    /// Appends an entry of a timeline that is moved as a whole: in its order, with its supersession. Only
    /// its number may change, since numbers have no gaps.
    fn append_moved(&mut self, persona: &PersonaContext, entry: TimelineEntry, answer: &mut ImportAnswer) {
        let words = event_key(&entry.event);
        let is_known = !self.ids.insert(entry.id);
        if is_known || (entry.superseded_at.is_none() && !self.known.insert(words)) {
            answer.duplicates += 1;
            return;
        }
        let (tenant_id, persona_id) = (persona.entry.tenant.clone(), persona.entry.id);
        let entry = TimelineEntry { tenant_id, persona_id, sequence: self.life.next_sequence(), ..entry };
        self.life.append(EntryPosition::from(&entry));
        self.new.push(entry);
        answer.events += 1;
    }
}

impl From<&View> for ImportedLife {
    fn from(view: &View) -> Self {
        let counts = |entry: &&TimelineEntry| !crate::memory::undo_import::is_undone(entry);
        let known = view.timeline.iter().filter(counts).map(|entry| event_key(&entry.event)).collect();
        let ids = view.timeline.iter().map(|entry| entry.id).collect();
        Self { life: Life::clone(&view.life), known, ids, new: Vec::new() }
    }
}

/// The batch that appends `new` after the entry `head`, with an audit event for each entry.
fn append_batch(call: &Call, head: u64, new: Vec<TimelineEntry>) -> Batch {
    let mut batch = Batch::at(call.now).expecting(Expect::TimelineHead(head));
    let appended = |entry: &TimelineEntry| {
        EventDraft::new(EventKind::TimelineAppended, call.caller.actor.clone()).about(entry.id)
    };
    batch.events = new.iter().map(appended).collect();
    batch.changes = new.into_iter().map(|entry| Change::AppendEntry(Box::new(entry))).collect();
    batch
}

fn event_key(event: &Event) -> EventKey {
    (event.event_at, event.event_label.clone(), event.facts.clone())
}

/// A number that JSON writes as `4` or as `4.0`.
fn whole_number(value: &Value) -> Option<u64> {
    let text = value.as_f64().filter(|number| number.fract() == 0.0).map(|number| format!("{number:.0}"));
    value.as_u64().or_else(|| text?.parse().ok())
}

fn invalid_number(detail: String) -> Problem {
    wire::read::invalid(vec![Pointed { pointer: "/sequence".to_owned(), detail }])
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
