//! A persona's own timeline: events in order, which may be revised but never reordered.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::{Atom, PersonaId, Strength, TenantName, Text, TimelineId, Timestamp};

/// The content of an entry, as written by people: what happened, how it felt and what it meant.
#[derive(Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// When it happened in the persona's life.
    pub event_at: Timestamp,
    /// A short name for it.
    #[schemars(length(min = 1, max = 500))]
    pub event_label: Text,
    /// What happened.
    #[schemars(length(min = 1, max = 5000))]
    pub facts: Text,
    /// How it felt.
    #[schemars(length(min = 1, max = 5000))]
    pub feelings: Text,
    /// The persona's interpretation.
    #[schemars(length(min = 1, max = 5000))]
    pub interpretation: Text,
    /// Its emotions.
    #[schemars(length(max = 50), inner(length(min = 1, max = 64)))]
    pub emotion_tags: Vec<Text>,
    /// How the persona relates to it.
    pub memory_type: MemoryType,
    /// How vividly it is recalled.
    pub memory_strength: Strength,
    /// Further properties; `triggers` are phrases that bring up a repressed event, `cues` are phrases for which
    /// this event should be recalled.
    #[serde(default, deserialize_with = "null_as_empty", skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(with = "Option<BTreeMap<String, Value>>", extend("maxProperties" = 50))]
    pub metadata: BTreeMap<String, Value>,
}

/// `metadata: null` says the same as none.
fn null_as_empty<'de, D: Deserializer<'de>>(given: D) -> Result<BTreeMap<String, Value>, D::Error> {
    Option::<BTreeMap<String, Value>>::deserialize(given).map(Option::unwrap_or_default)
}

impl std::fmt::Debug for Event {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Event({}, {:?}, {:?})", self.event_at, self.memory_type, self.event_label)
    }
}

impl Event {
    /// The phrases that bring up a repressed memory.
    pub fn triggers(&self) -> impl Iterator<Item = &str> {
        self.phrases("triggers")
    }

    /// Phrases that should bring this event to mind: the first eight within the length limit of a cue.
    ///
    /// Metadata belongs to its authors, so entries that exceed the limit are skipped, not refused.
    pub fn cues(&self) -> impl Iterator<Item = &str> {
        let fits = |cue: &&str| !cue.is_empty() && cue.chars().count() <= Atom::CUE_LENGTH;
        self.phrases(CUES).map(str::trim).filter(fits).take(Atom::MOST_CUES)
    }

    /// Writes `cues` where [`Self::cues`] reads them; an empty list removes the property.
    pub fn set_cues(&mut self, cues: &[Text]) {
        set_cues(&mut self.metadata, cues);
    }

    fn phrases(&self, name: &str) -> impl Iterator<Item = &str> {
        self.metadata.get(name).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
    }

    /// The same event with all texts trimmed, as their lengths are counted.
    #[must_use]
    pub fn trimmed(self) -> Self {
        Self {
            event_label: self.event_label.trimmed(),
            facts: self.facts.trimmed(),
            feelings: self.feelings.trimmed(),
            interpretation: self.interpretation.trimmed(),
            emotion_tags: self.emotion_tags.iter().map(Text::trimmed).collect(),
            ..self
        }
    }
}

/// The property of an event's metadata that holds its cues.
const CUES: &str = "cues";

/// Writes `cues` into the metadata of an event; an empty list removes the property.
pub fn set_cues(metadata: &mut BTreeMap<String, Value>, cues: &[Text]) {
    if cues.is_empty() {
        metadata.remove(CUES);
    } else {
        let cues = cues.iter().map(|cue| Value::from(cue.as_str())).collect();
        metadata.insert(CUES.to_owned(), Value::Array(cues));
    }
}

/// One event of a persona's timeline, with its number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(title = "Timeline entry")]
pub struct TimelineEntry {
    /// The entry's id.
    pub id: TimelineId,
    /// The persona it belongs to.
    pub persona_id: PersonaId,
    /// The tenant of that persona.
    pub tenant_id: TenantName,
    /// Its number, from 1 without gaps.
    #[schemars(range(min = 1))]
    pub sequence: u64,
    /// The content.
    #[serde(flatten)]
    pub event: Event,
    /// When it was written.
    pub created_at: Timestamp,
    /// When it was superseded.
    pub superseded_at: Option<Timestamp>,
    /// The reason.
    pub superseded_reason: Option<Text>,
    /// The entry that replaced it.
    pub superseded_by_timeline_id: Option<TimelineId>,
    /// The entry it replaced.
    pub revises_timeline_id: Option<TimelineId>,
    /// Why it was revised.
    pub revision_reason: Option<Text>,
}

/// How a persona relates to an event of its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum MemoryType {
    /// Mentioned when relevant.
    Normal,
    /// Mentioned gladly, sometimes unprompted.
    Pride,
    /// Mentioned reluctantly.
    Shame,
    /// Mentioned only under pressure or by a trigger.
    Repressed,
    /// Mentioned instead of the entry it corrects.
    Revised,
    /// Exaggerated when mentioned.
    Exaggerated,
}

/// The persona whose timeline an entry belongs to.
#[derive(Clone, Debug)]
pub struct EntryOwner {
    /// Its tenant.
    pub tenant: TenantName,
    /// The persona.
    pub persona: PersonaId,
}

impl TimelineEntry {
    /// A new active entry, number `sequence` of the timeline of `persona`.
    #[must_use]
    pub fn new(id: TimelineId, persona: EntryOwner, sequence: u64, event: Event, now: Timestamp) -> Self {
        let EntryOwner { tenant: tenant_id, persona: persona_id } = persona;
        Self {
            id,
            persona_id,
            tenant_id,
            sequence,
            event,
            created_at: now,
            superseded_at: None,
            superseded_reason: None,
            superseded_by_timeline_id: None,
            revises_timeline_id: None,
            revision_reason: None,
        }
    }

    /// Marks the entry as superseded. If it is superseded already, the first reason is kept.
    pub fn supersede(&mut self, reason: Option<Text>, by: Option<TimelineId>, now: Timestamp) {
        if self.superseded_at.is_none() {
            self.superseded_at = Some(now);
            self.superseded_reason = reason;
            self.superseded_by_timeline_id = by;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::example;

    #[test]
    fn superseding_twice_keeps_the_first_reason() {
        let mut entry = example::entry(1, "First day", 0);
        entry.supersede(Some("wrong date".into()), None, example::day(1));
        entry.supersede(Some("another reason".into()), None, example::day(2));
        assert_eq!(entry.superseded_reason, Some("wrong date".into()));
        assert_eq!(entry.superseded_at, Some(example::day(1)));
    }

    #[test]
    fn an_event_does_not_print_its_words() {
        let printed = format!("{:?}", example::entry(1, "the secret wedding", 0));
        assert!(!printed.contains("wedding"), "{printed}");
    }

    #[test]
    fn triggers_are_read_from_metadata_and_nothing_else_is() {
        let mut event = example::entry(1, "The fire", 0).event;
        assert_eq!(event.triggers().count(), 0);
        event.metadata.insert("triggers".into(), serde_json::json!(["smell of smoke", 7]));
        assert_eq!(event.triggers().collect::<Vec<_>>(), ["smell of smoke"]);
    }

    #[test]
    fn cues_are_the_first_eight_phrases_that_fit() {
        let mut event = example::entry(1, "The fire", 0).event;
        assert_eq!(event.cues().count(), 0);
        let long = "x".repeat(81);
        event.metadata.insert("cues".into(), serde_json::json!([" burnt toast ", 7, "", long, "camp fires"]));
        assert_eq!(event.cues().collect::<Vec<_>>(), ["burnt toast", "camp fires"]);
        event.set_cues(&vec![crate::Text::new("smoke"); 9]);
        assert_eq!(event.cues().count(), 8);
        event.set_cues(&[]);
        assert!(event.metadata.is_empty());
    }
}
