//! Timeline entries for commands: fetched in pages, found by the beginning of their id, printed in columns.

use domain::{TimelineEntry, TimelineId, Vividness};
use serde_json::{Map, Value, json};
use wire::fields::{Fields, fields, list};
use wire::timeline::{TimelineFilter, TimelinePage};
use wire::verb;
use wire::{Code, Problem};

use crate::cli::Event;
use crate::clock;
use crate::home_client::HomeClient;
use crate::output::Table;
use crate::request::Request;
use crate::resolve::{self, Missing};

/// The greatest page size.
const PAGE: usize = 100;
const MISSING: Missing =
    Missing { code: Code::TimelineEntryNotFound, what: "timeline entry", list: "timeline list" };

/// Which part of a timeline to fetch.
pub(super) struct Part {
    pub(super) include_superseded: bool,
    pub(super) offset: usize,
    pub(super) limit: usize,
}

impl Part {
    /// All of it, including superseded entries.
    pub(super) const WHOLE: Self = Self { include_superseded: true, offset: 0, limit: usize::MAX };
}

/// The entries of that part, by sequence.
pub(super) fn fetch(client: &HomeClient, persona: &str, part: &Part) -> Result<Vec<TimelineEntry>, Problem> {
    let mut entries: Vec<TimelineEntry> = Vec::new();
    loop {
        let limit = PAGE.min(part.limit - entries.len());
        let request = Request::<verb::ListTimeline>::to(&[persona])?.with_query(fields!(TimelineFilter {
            limit: Some(limit),
            offset: Some(part.offset.saturating_add(entries.len())),
            include_superseded: Some(part.include_superseded)
        }));
        let page: TimelinePage = client.ask(request)?;
        let is_last = page.timeline.len() < limit;
        entries.extend(page.timeline);
        if is_last || entries.len() >= part.limit {
            return Ok(entries);
        }
    }
}

/// The entry whose id begins with what was typed.
pub(super) fn find(client: &HomeClient, persona: &str, typed: &str) -> Result<TimelineEntry, Problem> {
    let entries = fetch(client, persona, &Part::WHOLE)?;
    let id = resolve::the_id(typed, entries.iter().map(|entry| entry.id.to_string()), &MISSING)?;
    let id: TimelineId =
        id.parse().map_err(|rule: domain::InvalidId| Problem::new(Code::Internal, rule.to_string()))?;
    let found = entries.into_iter().find(|entry| entry.id == id);
    found.ok_or_else(|| Problem::new(Code::TimelineEntryNotFound, format!("no timeline entry {id}")))
}

/// The event described by the flags, which override a file or an older entry.
pub(super) fn described(
    from: Map<String, Value>,
    label: Option<&str>,
    event: &Event,
) -> Fields<domain::Event> {
    let metadata = (!event.triggers.is_empty()).then(|| json!({ "triggers": event.triggers }));
    Fields::from_object(from).overridden_by(fields!(domain::Event {
        event_at: event.at.map(|moment| moment.as_of(clock::now()).to_string()),
        event_label: label,
        facts: event.facts.as_deref(),
        feelings: event.feelings.as_deref(),
        interpretation: event.interpretation.as_deref(),
        emotion_tags: list(&event.emotions),
        memory_strength: event.strength,
        metadata: metadata,
    }))
}

/// The columns of a list of entries.
pub(super) fn table(entries: &[(String, TimelineEntry)]) -> Table<8> {
    let columns = ["id", "sequence", "date", "type", "strength", "vividness", "persona", "label"];
    let mut table = Table::new(columns);
    for (persona, entry) in entries {
        let event = &entry.event;
        let superseded = if entry.superseded_at.is_some() { " (superseded)" } else { "" };
        table.push([
            entry.id.to_string().into(),
            entry.sequence.into(),
            event.event_at.to_string().split('T').next().into(),
            serde_json::to_value(event.memory_type).unwrap_or_default(),
            event.memory_strength.get().into(),
            serde_json::to_value(Vividness::from(event.memory_strength)).unwrap_or_default(),
            persona.as_str().into(),
            format!("{}{superseded}", event.event_label.as_str()).into(),
        ]);
    }
    table
}

/// The complete records.
pub(super) fn records(entries: &[(String, TimelineEntry)]) -> Vec<Value> {
    entries.iter().map(|(_, entry)| serde_json::to_value(entry).unwrap_or_default()).collect()
}
